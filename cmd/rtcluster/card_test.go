package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rtcluster/gpu"
)

// TestCard runs commands on a card, if there is one, and wants the output of the CPU
// engine, byte for byte.
func TestCard(t *testing.T) {
	if e := findEngine("cuda", gpu.Options{}); e.join == nil {
		t.Skip(e.missing)
	}
	names := []string{"cpu", "cuda"}
	if e := findEngine("optix", gpu.Options{}); e.join != nil {
		names = append(names, "optix")
	} else {
		t.Log(e.missing)
	}
	folder := t.TempDir()
	blobs, latent, model := filepath.Join(folder, "b.parquet"), filepath.Join(folder, "l.parquet"), filepath.Join(folder, "m.parquet")
	a := newTestApp()
	a.mustRun(t, exitOK, "generate", "blobs", "-n", "20000", "-d", "3", "-o", blobs)
	a.mustRun(t, exitOK, "generate", "latent", "-n", "5000", "-d", "20", "-o", latent)
	a.mustRun(t, exitOK, "dbscan", blobs, "-c", "x*", "-e", "0.3", "-m", "8", "-o", model)
	a.engine, a.cards = findEngine, gpu.Cards
	for _, line := range []string{
		"dbscan BLOBS -c x* -e 0.3 -m 8 -o OUT.parquet",
		"dbscan BLOBS -c x* -e 0.2,0.3 -m 8 --counts --border nearest -o OUT.csv",
		"dbscan BLOBS -c x1,x2 --weight x3 -e 0.1 -m 8 -o OUT.csv",
		"dbscan LATENT -c x* --scale standard -e auto -m 5 -o OUT.csv",
		"dbscan LATENT -c x* --metric cosine -e 0.01 -m 5 -o OUT.csv",
		"join LATENT -c x* --scale minmax -e 0.2 --sort -o OUT.csv",
		"join LATENT BLOBS -c x1,x2,x3 -e 0.2 --counts -o OUT.parquet",
		"outliers BLOBS -c x* --method knn,lof,count -k 5,10 -e 0.3 -o OUT.csv",
		"predict MODEL BLOBS -o OUT.csv",
		"eps LATENT -c x*",
	} {
		t.Run(line, func(t *testing.T) {
			var want []byte
			folder := t.TempDir()
			for _, name := range names {
				out, report := filepath.Join(folder, name), filepath.Join(folder, name+".json")
				args := strings.Fields(strings.NewReplacer("BLOBS", blobs, "LATENT", latent, "MODEL", model, "OUT", out).Replace(line))
				a.mustRun(t, exitOK, append(args, "--engine", name, "--report", report)...)
				got := a.stdout.Bytes()
				if path := args[len(args)-1]; strings.HasPrefix(path, out) {
					text, err := os.ReadFile(path)
					if err != nil {
						t.Fatal(err)
					}
					got = text
				}
				if name == "cpu" {
					want = bytes.Clone(got)
				} else if !bytes.Equal(got, want) {
					t.Errorf("%s gives another output", name)
				}
				if r := engineReport(t, report); r.Engine != name || (r.Device != "") != (name != "cpu") {
					t.Errorf("the report says engine %q, device %q", r.Engine, r.Device)
				}
			}
		})
	}
	a.mustRun(t, exitOK, "devices")
	if !strings.Contains(a.stdout.String(), " GiB free), compute capability ") {
		t.Errorf("got\n%s", a.stdout.String())
	}
}
