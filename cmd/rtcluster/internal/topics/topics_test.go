package topics_test

import (
	"slices"
	"strings"
	"testing"

	"rtcluster/cmd/rtcluster/internal/topics"
)

func TestAll(t *testing.T) {
	var names []string
	for _, topic := range topics.All() {
		names = append(names, topic.Name)
		if topic.Short == "" || strings.HasSuffix(topic.Short, ".") || len(topic.Short) > 80 {
			t.Errorf("%s: purpose %q, want one line without a full stop", topic.Name, topic.Short)
		}
		if !strings.Contains(topic.Text, "\n  rtcluster ") {
			t.Errorf("%s has no example", topic.Name)
		}
		for line := range strings.SplitSeq(topic.Text, "\n") {
			if len([]rune(line)) > 100 || strings.TrimRight(line, " \t") != line {
				t.Errorf("%s: a line is too long, or ends with blanks: %q", topic.Name, line)
			}
		}
	}
	if want := []string{"engines", "exit-codes", "formats", "memory", "methods", "metrics"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}
