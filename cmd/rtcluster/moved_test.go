package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestPredictMoved clusters with every kind of coordinates, and changes those of a core
// row, to what a program that keeps 32 bits makes of them: predict tells. What stays as
// it was is as it was for the sums, too.
func TestPredictMoved(t *testing.T) {
	const text = "a,b\n10.1,20.3\n10.2,20.3\n10.3,20.4\n80.1,-20.2\n80.2,-20.3\n"
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"as they are", []string{"-c", "a,b", "-e", "0.2"}, "column a is 38.18"},
		{"scaled", []string{"-c", "a,b", "-e", "0.2", "--scale", "standard"}, "column a (after --scale standard) is "},
		{"weighed", []string{"-c", "a,b", "-e", "0.2", "--column-weights", "1e-3,1e300"}, "column a is 0.03818"},
		{"on the sky", []string{"--ra", "a", "--dec", "b", "-e", "0.5deg"}, "a coordinate is "},
		{"in a box", []string{"-c", "a,b:double", "-e", "0.2", "--box", "100,0"}, "column a is "},
		{"whitened", []string{"-c", "a,b", "-e", "0.2", "--metric", "mahalanobis"}, "column a is "},
		{"by the angle", []string{"-c", "a,b", "-e", "0.01", "--metric", "cosine"}, "column a is "},
		{"one of several", []string{"-c", "a,b", "-e", "0.1,0.2"}, "column a is "},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			a, report := newTestApp(), filepath.Join(t.TempDir(), "run.json")
			in := writeFile(t, "in.csv", text)
			a.mustRun(t, exitOK, append([]string{"dbscan", in, "-m", "1", "--report", report}, tc.args...)...)
			clustered := a.stdout.String()
			predict := []string{"predict", writeFile(t, "c.csv", clustered), in, "--params", report}
			if strings.Contains(clustered, "cluster_2") {
				predict = append(predict, "--level", "2")
			}
			a.mustRun(t, exitOK, predict...)
			predict[1] = writeFile(t, "c.csv", strings.Replace(clustered, "10.1,", "10.1000003815,", 1))
			a.mustRun(t, exitData, predict...)
			if got := a.stderr.String(); !strings.Contains(got, "c.csv: its core rows are not where they were clustered: "+tc.want) || strings.Count(got, "\n") != 1 {
				t.Errorf("got %q, want one line with %q", got, tc.want)
			}
		})
	}
}
