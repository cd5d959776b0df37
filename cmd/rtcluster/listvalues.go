package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// This file holds the flag values that are lists, separated by commas.

// wordsValue accepts some of a few words, separated by commas. Given again, it adds.
type wordsValue struct {
	target  *[]string
	allowed []string
	words   string // what help calls the value
}

func (v *wordsValue) String() string {
	if v.target == nil {
		return ""
	}
	return strings.Join(*v.target, ",")
}

func (v *wordsValue) Type() string { return v.words }

func (v *wordsValue) Set(text string) error {
	for _, word := range strings.Split(text, ",") {
		word = strings.TrimSpace(word)
		switch {
		case !slices.Contains(v.allowed, word):
			return fmt.Errorf("%q is none of %s%s", word, strings.Join(v.allowed, ", "), didYouMean(word, v.allowed))
		case slices.Contains(*v.target, word):
			return fmt.Errorf("%s is there twice", word)
		}
		*v.target = append(*v.target, word)
	}
	return nil
}

// complete offers the words that may follow those of a list that was begun.
func (v *wordsValue) complete(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	before := begun[:strings.LastIndex(begun, ",")+1]
	var offers []string
	for _, word := range v.allowed {
		if !slices.Contains(strings.Split(before, ","), word) {
			offers = append(offers, before+word)
		}
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// wholesValue accepts whole numbers as wholeValue does, separated by commas. Given
// again, it adds.
type wholesValue struct {
	target *[]int
	least  int
}

func (v *wholesValue) String() string {
	if v.target == nil {
		return ""
	}
	texts := make([]string, len(*v.target))
	for i, n := range *v.target {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

func (v *wholesValue) Type() string { return "N" }

func (v *wholesValue) Set(text string) error {
	for _, field := range strings.Split(text, ",") {
		var n int
		if err := newWhole(&n, 0, v.least).Set(strings.TrimSpace(field)); err != nil {
			return fmt.Errorf("%w; several are separated by commas", err)
		}
		if slices.Contains(*v.target, n) {
			return fmt.Errorf("%d is there twice", n)
		}
		*v.target = append(*v.target, n)
	}
	return nil
}
