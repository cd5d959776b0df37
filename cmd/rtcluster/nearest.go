package main

import (
	"fmt"
	"strings"
)

// nearest returns the name most like word, if one is near enough to be a slip
// of the fingers: at most a third of the letters are wrong, or only their case.
func nearest(word string, names []string) (string, bool) {
	best, least := "", len([]rune(word))/3+1
	for _, name := range names {
		if distance := editDistance(strings.ToLower(word), strings.ToLower(name)); distance < least {
			best, least = name, distance
		}
	}
	return best, best != ""
}

// didYouMean is what a message adds about a word that is none of names.
func didYouMean(word string, names []string) string {
	if near, ok := nearest(word, names); ok {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// editDistance is the least number of letters to insert, delete, replace or
// swap with the next (optimal string alignment, Boytsov 2011,
// doi:10.1145/1963190.1963191).
func editDistance(from, to string) int {
	a, b := []rune(from), []rune(to)
	d := make([][]int, len(a)+1) // d[i][j]: between the first i of a and j of b
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			d[i][j] = min(replace, d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
