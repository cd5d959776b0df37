package optix_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"rtcluster/gpu/optix"
)

func TestCacheFolder(t *testing.T) {
	base := t.TempDir()
	want := filepath.Join(base, "rtcluster", "optix")
	if got := optix.CacheFolder(func() (string, error) { return base, nil }); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if info, err := os.Stat(want); err != nil || !info.IsDir() {
		t.Errorf("the folder is not there: %v", err)
	}
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, userCache := range map[string]func() (string, error){
		"no folder for caches": func() (string, error) { return "", errors.New("$HOME is not defined") },
		"a file in its place":  func() (string, error) { return file, nil },
	} {
		if got := optix.CacheFolder(userCache); got != "" {
			t.Errorf("%s: got %q, want none", name, got)
		}
	}
}
