//go:build race

package main

// raceEnabled says that the tests run with the race detector, which makes
// starting a process slow: they start fewer.
const raceEnabled = true
