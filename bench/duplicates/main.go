// Command duplicates measures what it costs that rows are many times the same, and
// prints the tables of bench/duplicates.md. From the root of the repository:
//
//	go run ./bench/duplicates
//
// Each set is measured in turns, one process, the least time of all turns counts. The
// first line of a table has the seconds of distinct rows; the others have the time of
// as many rows on fewer places, as a share of that.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"rtcluster/join"
	"rtcluster/join/cpu"
)

func main() {
	rows := flag.Int("n", 200_000, "rows")
	dims := flag.String("d", "2,3,18", "numbers of coordinates")
	turns := flag.Int("turns", 5, "turns of each set")
	threads := flag.Int("threads", 1, "threads")
	flag.Parse()
	b := &bench{rows: *rows, turns: *turns, engine: cpu.New(cpu.Options{Threads: *threads}), out: os.Stdout}
	for _, text := range strings.Split(*dims, ",") {
		dim, err := strconv.Atoi(text)
		if err == nil {
			err = b.table(context.Background(), dim)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench/duplicates:", err)
			os.Exit(1)
		}
	}
}

// bench makes tables.
type bench struct {
	rows, turns int
	engine      join.Engine
	out         io.Writer
}

// table measures all sets of so many coordinates.
func (b *bench) table(ctx context.Context, dim int) error {
	sets, err := makeSets(b.rows, dim)
	if err != nil {
		return err
	}
	reach, err := b.reaches(ctx, sets[0].pts)
	if err != nil {
		return err
	}
	jobs := works(b.rows, reach)
	best := make([][]float64, len(sets)) // seconds by set and work
	for range b.turns {
		for i, s := range sets {
			seconds, err := b.measure(ctx, s.pts, jobs)
			if err != nil {
				return fmt.Errorf("%s in %d coordinates: %w", s.name, dim, err)
			}
			for k, v := range seconds {
				if len(best[i]) <= k {
					best[i] = append(best[i], v)
				}
				best[i][k] = min(best[i][k], v)
			}
		}
	}
	return b.print(dim, reach, sets, jobs, best)
}

// measure returns the seconds that the index and each work take.
func (b *bench) measure(ctx context.Context, pts *join.Points, jobs []work) (seconds []float64, err error) {
	start := time.Now()
	idx, err := b.engine.Index(ctx, pts)
	if err != nil {
		return nil, err
	}
	seconds = append(seconds, time.Since(start).Seconds())
	for _, w := range jobs {
		start = time.Now()
		if err := w.do(ctx, idx); err != nil {
			return nil, err
		}
		seconds = append(seconds, time.Since(start).Seconds())
	}
	return seconds, idx.Close()
}

// reaches returns the distances at which the typical row has ten neighbours, and at
// which it would have five of the first thousand rows.
func (b *bench) reaches(ctx context.Context, pts *join.Points) (reach [2]float64, err error) {
	few := make([]int32, min(places, pts.Rows()))
	for i := range few {
		few[i] = int32(i)
	}
	for i, of := range []struct {
		pts *join.Points
		k   int
	}{{pts, 10}, {pts.Subset(few), 5}} {
		idx, err := b.engine.Index(ctx, of.pts)
		if err != nil {
			return reach, err
		}
		rows, d2 := make([]int32, len(few)*of.k), make([]float64, len(few)*of.k)
		if err := join.Lists(ctx, idx, pts.Subset(few), of.k, rows, d2); err != nil {
			return reach, err
		}
		var last []float64
		for at := of.k - 1; at < len(d2); at += of.k {
			last = append(last, d2[at])
		}
		slices.Sort(last)
		reach[i] = math.Sqrt(last[len(last)/2])
	}
	return reach, nil
}

// print writes a table in Markdown.
func (b *bench) print(dim int, reach [2]float64, sets []set, jobs []work, best [][]float64) error {
	text := fmt.Sprintf("\n## %d rows of %d coordinates, ε near %.3g and wide %.3g\n\n| | index |", b.rows, dim, reach[0], reach[1])
	for _, w := range jobs {
		text += " " + w.name + " |"
	}
	text += "\n|---|" + strings.Repeat("--:|", len(jobs)+1) + "\n"
	for i, s := range sets {
		text += "| " + s.name + " |"
		for k, v := range best[i] {
			if i == 0 {
				text += fmt.Sprintf(" %.3f s |", v)
			} else {
				text += fmt.Sprintf(" %.2f |", v/best[0][k])
			}
		}
		text += "\n"
	}
	_, err := io.WriteString(b.out, text)
	return err
}
