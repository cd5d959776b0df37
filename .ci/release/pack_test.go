package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"
)

// listed are the files of an archive: name, mode, time and content.
func listed(t *testing.T, archive []byte, zipped bool) []string {
	t.Helper()
	var lines []string
	add := func(name string, mode os.FileMode, at time.Time, r io.Reader) {
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %o %s %s", name, mode, at.UTC().Format(time.DateTime), content))
	}
	if zipped {
		r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.File {
			content, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, f.Mode(), f.Modified, content)
		}
		return lines
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(unpacked)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		add(h.Name, h.FileInfo().Mode(), h.ModTime, r)
	}
}

// TestPack wants the same bytes in whatever order files come, and them all inside.
func TestPack(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 8, 0, time.FixedZone("", 3600))
	files := []file{{"rtcluster", []byte("program"), true}, {"man/a.1", []byte("page"), false}, {"README.md", nil, false}}
	want := []string{"v1/README.md 644 2026-03-04 04:06:08 ", "v1/man/a.1 644 2026-03-04 04:06:08 page", "v1/rtcluster 755 2026-03-04 04:06:08 program"}
	for name, pack := range map[string]func(string, []file, time.Time) ([]byte, error){"tar": tarGzip, "zip": zipped} {
		t.Run(name, func(t *testing.T) {
			first, err := pack("v1", files, at)
			if err != nil {
				t.Fatal(err)
			}
			slices.Reverse(files)
			second, err := pack("v1", files, at)
			if err != nil || !bytes.Equal(first, second) {
				t.Errorf("another order gives other bytes (%v)", err)
			}
			if got := listed(t, first, name == "zip"); !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestSums(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"b.zip": "", "a.tar.gz": "abc"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeSums(folder, []string{"b.zip", "a.tar.gz"}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
	want := "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.tar.gz\n" +
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b.zip\n"
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestFilesBelow wants a folder under another name without the Go in it, and a file alone.
func TestFilesBelow(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "more"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.md", "docs.go", "more/b.svg"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := filesBelow(folder, "docs")
	want := []file{{"docs/a.md", []byte("a.md"), false}, {"docs/more/b.svg", []byte("more/b.svg"), false}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v, %v\nwant %v", got, err, want)
	}
	got, err = filesBelow(filepath.Join(folder, "a.md"), "README.md")
	if want := []file{{"README.md", []byte("a.md"), false}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v, %v\nwant %v", got, err, want)
	}
	if got, err := filesBelow(filepath.Join(folder, "none"), "none"); err == nil {
		t.Errorf("got %v of a folder that is not there", got)
	}
}
