package main

import "testing"

func TestVersionOf(t *testing.T) {
	for said, want := range map[string]string{
		"rtcluster v1.2.3 go1.26.8 linux/amd64\n": "v1.2.3", "rtcluster devel\n": "devel", "rtcluster\n": "", "": "", "usage of it\n": "",
	} {
		if got, err := versionOf(said); got != want || (err == nil) != (want != "") {
			t.Errorf("of %q: got %q, %v, want %q", said, got, err, want)
		}
	}
}
