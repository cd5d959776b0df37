package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is one of an archive.
type file struct {
	name       string // with slashes
	content    []byte
	executable bool
}

func (f *file) mode() fs.FileMode {
	if f.executable {
		return 0o755
	}
	return 0o644
}

// sorted are files in the order of their names: archives do not depend on that in
// which they were found.
func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// tarGzip packs files under a folder.
func tarGzip(folder string, files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(packed)
	for _, f := range sorted(files) {
		err := w.WriteHeader(&tar.Header{
			Typeflag: tar.TypeReg, Name: path.Join(folder, f.name), Mode: int64(f.mode()), Size: int64(len(f.content)), ModTime: at, Format: tar.FormatUSTAR,
		})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = packed.Close()
	return out.Bytes(), err
}

// zipped packs files under a folder.
func zipped(folder string, files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range sorted(files) {
		header := &zip.FileHeader{Name: path.Join(folder, f.name), Method: zip.Deflate, Modified: at.UTC()}
		header.SetMode(f.mode())
		entry, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// filesBelow are the files of a folder, or a file alone, under another name.
func filesBelow(from, to string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) == ".go" { // docs holds the package of its schema
			return err
		}
		inside, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(name)
		files = append(files, file{path.Join(to, filepath.ToSlash(inside)), content, false})
		return err
	})
	return files, err
}

// writeSums writes the checksums of archives as sha256sum does.
func writeSums(folder string, names []string) error {
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		f, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		sum := sha256.New()
		_, err = io.Copy(sum, f)
		_ = f.Close() // it was only read
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sum.Sum(nil), name)
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(text.String()), 0o644)
}
