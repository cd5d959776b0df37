// Command rtcluster clusters tables of points and scores their outliers, with
// an exact ε-join underneath. `rtcluster help` tells the rest.
package main

import "os"

func main() { os.Exit(interruptible(newApp(), os.Args[1:])) }
