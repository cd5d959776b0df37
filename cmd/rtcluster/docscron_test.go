package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// crontabProblems says which lines have not five fields of times, or @daily and the like, and a
// command that a shell can parse; or a % that is no newline there.
func crontabProblems(text string) []string {
	entry := regexp.MustCompile(`^(?:(?:[-0-9*/,]+[ \t]+){5}|@(?:hourly|daily|weekly|monthly)[ \t]+)(\S.*)$`)
	variable := regexp.MustCompile(`^[A-Z_]+=`)
	var problems []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || variable.MatchString(line) {
			continue
		}
		match := entry.FindStringSubmatch(line)
		if match == nil {
			problems = append(problems, fmt.Sprintf("%q is no line of a crontab", line))
			continue
		}
		command := strings.ReplaceAll(match[1], `\%`, "")
		if strings.Contains(command, "%") {
			problems = append(problems, fmt.Sprintf("%q: in a crontab, %% is a newline; write \\%%", line))
		}
		if _, err := syntax.NewParser().Parse(strings.NewReader(command), "crontab"); err != nil {
			problems = append(problems, err.Error())
		}
	}
	return problems
}

// TestCrontabProblems sees that wrong lines are found.
func TestCrontabProblems(t *testing.T) {
	tests := []struct {
		name, text string
		want       int
	}{
		{"good", "MAILTO=a@b\n# night\n15 6 * * * cd /data && bash nightly.sh \"$(date +\\%F)\"\n@daily true\n", 0},
		{"four fields", "15 6 * * cd /data\n", 1},
		{"no command", "15 6 * * *\n", 1},
		{"an open quote", "15 6 * * * echo 'a\n", 1},
		{"a bare percent sign", "15 6 * * * date +%F\n", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := crontabProblems(test.text); len(got) != test.want {
				t.Errorf("got %q, want %d", got, test.want)
			}
		})
	}
}
