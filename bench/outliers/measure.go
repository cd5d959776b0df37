package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"rtcluster/bench/internal/measure"
)

const oursName = "ours"

// results is all that was measured; results.json holds it.
type results struct {
	Scale float64
	Host  measure.Host
	Peers []peer
	Rows  map[string]map[string]*measured // by key of the row and name
}

// measured is what the turns of one program gave for a row.
type measured struct {
	Seconds []float64
	PeakMiB float64
	Mean    *float64
	Failed  string
}

// time returns the median of the turns.
func (m *measured) time() float64 { return measure.Median(m.Seconds) }

// measureAll measures the rows that opt asks for and writes the report.
func measureAll(ctx context.Context, opt *options) error {
	peers, err := readPeers(opt.peers)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(opt.work, 0o755); err != nil {
		return err
	}
	all, err := openResults(opt)
	if err != nil {
		return err
	}
	if peers != nil {
		all.Peers = peers
	}
	for _, r := range allRows(opt.scale) {
		if ok, err := path.Match(opt.rows, strings.ReplaceAll(r.key(), "/", " ")); err != nil || !ok {
			continue // the pattern was checked
		}
		all.Host = measure.ThisHost()
		by, err := measureRow(ctx, opt, r, peers)
		if err != nil {
			return fmt.Errorf("%s: %w", r.key(), err)
		}
		if old := all.Rows[r.key()]; old != nil {
			maps.Copy(old, by)
		} else {
			all.Rows[r.key()] = by
		}
		if err := all.write(opt); err != nil {
			return err
		}
	}
	return all.write(opt)
}

// measureRow lets ours and the peers do a row in turns.
func measureRow(ctx context.Context, opt *options, r row, peers []peer) (map[string]*measured, error) {
	s, err := openSet(ctx, opt.work, r.Shape, r.Rows+r.New, r.Dim)
	if err != nil {
		return nil, err
	}
	command, err := ownCommand(r, s, opt.threads)
	if err != nil {
		return nil, err
	}
	commands := [][]string{command}
	names := []string{oursName}
	for _, p := range peers {
		if c := p.command(r, s, opt.threads); c != nil {
			commands, names = append(commands, c), append(names, p.Name)
		}
	}
	by := map[string]*measured{}
	for turn := range opt.turns {
		for i, name := range names {
			m := by[name]
			if m == nil {
				m = &measured{}
				by[name] = m
			}
			if m.Failed != "" || name != oursName && sum(m.Seconds) > opt.budget {
				continue
			}
			out, err := start(ctx, commands[i], time.Duration(opt.limit*float64(time.Second)))
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil && name == oursName:
				return nil, err
			case err != nil:
				m.Failed = err.Error()
				opt.log.Printf("%s turn %d %s: %v", r.key(), turn+1, name, err)
				continue
			}
			m.Seconds, m.PeakMiB, m.Mean = append(m.Seconds, out.Seconds), max(m.PeakMiB, out.PeakMiB), out.Mean
			opt.log.Printf("%s turn %d %s: %.3g s, %.0f MiB", r.key(), turn+1, name, out.Seconds, out.PeakMiB)
		}
	}
	return by, nil
}

func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

// ownCommand returns the command that does the row with ours: this program.
func ownCommand(r row, s *set, threads int) ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(job{
		File: s.File, Rows: r.Rows, Dim: r.Dim, Eps: s.Eps, Scores: r.Scores,
		Threads: threads, New: r.New, Piece: r.Piece,
	})
	return []string{self, "-job", string(text)}, err
}

// openResults reads what was measured before at this scale.
func openResults(opt *options) (*results, error) {
	all := &results{Scale: opt.scale, Rows: map[string]map[string]*measured{}}
	before := &results{}
	err := measure.ReadJSON(filepath.Join(opt.work, "results.json"), before)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w; remove it to begin anew", err)
	}
	if before.Scale != opt.scale {
		return all, nil
	}
	return before, nil
}

// write writes results.json and the report.
func (all *results) write(opt *options) error {
	if err := measure.WriteJSON(filepath.Join(opt.work, "results.json"), all); err != nil {
		return err
	}
	return os.WriteFile(opt.out, []byte(all.report(opt.scale)), 0o644)
}
