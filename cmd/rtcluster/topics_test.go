package main

import (
	"fmt"
	"strings"
	"testing"

	"rtcluster/cmd/rtcluster/internal/topics"
)

// TestTopicsComplete wants topics to tell all that there is: a line for each.
func TestTopicsComplete(t *testing.T) {
	root := newTestApp().newRootCmd()
	words := func(command, flag string) []string {
		cmd, _, err := root.Find([]string{command})
		if err != nil {
			t.Fatal(err)
		}
		return cmd.Flags().Lookup(flag).Value.(*enumValue).allowed
	}
	codes := []string{}
	for _, code := range []int{exitOK, exitInternal, exitUsage, exitData, exitResource, exitEngine, exitInterrupted, exitPipe} {
		codes = append(codes, fmt.Sprint(code))
	}
	for name, want := range map[string][]string{
		"metrics": words("dbscan", "metric"), "engines": words("dbscan", "engine")[1:], // but auto
		"formats": words("dbscan", "format")[1:],
		"methods": methodNames(anyMethod), "exit-codes": codes, "memory": {"index", "coordinates", "dbscan", "outliers"},
	} {
		text := ""
		for _, topic := range topics.All() {
			if topic.Name == name {
				text = "\n" + topic.Text
			}
		}
		for _, word := range want {
			if !strings.Contains(text, "\n  "+word+" ") {
				t.Errorf("topic %s has no line for %q", name, word)
			}
		}
	}
}
