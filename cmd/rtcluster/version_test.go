package main

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionOf(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for _, test := range []struct {
		name, module, revision, modified, want string
	}{
		{"a release", "v1.2.3", commit, "false", "v1.2.3"},
		{"a commit, as go build stamps it", "v0.0.0-20261130010203-0123456789ab+dirty", commit, "true", "v0.0.0-20261130010203-0123456789ab+dirty"},
		{"a commit", "(devel)", commit, "false", "devel-0123456789ab"},
		{"a changed checkout", "(devel)", commit, "true", "devel-0123456789ab-modified"},
		{"no checkout", "(devel)", "", "", "devel"},
		{"nothing", "", "", "", "devel"},
	} {
		t.Run(test.name, func(t *testing.T) {
			info := &debug.BuildInfo{Main: debug.Module{Version: test.module}, Settings: []debug.BuildSetting{
				{Key: "vcs.revision", Value: test.revision}, {Key: "vcs.modified", Value: test.modified},
			}}
			if got := versionOf(info); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	a := newTestApp()
	a.mustRun(t, exitOK, "version")
	if got := a.stdout.String(); !strings.HasPrefix(got, "rtcluster "+version()+" go1.") {
		t.Errorf("got %q", got)
	}
}
