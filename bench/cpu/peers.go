package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"rtcluster/bench/internal/measure"
)

// peer is a program to measure beside ours.
type peer struct {
	Name     string              `json:"name"`
	Exact    bool                `json:"exact"`    // it counts as a peer to be faster than
	Note     string              `json:"note"`     // printed in the report
	Commands map[string][]string `json:"commands"` // by work; {file} and the like are filled in
	MinDim   int                 `json:"min_dim"`
	MaxDim   int                 `json:"max_dim"` // 0: any
	Skip     string              `json:"skip"`    // patterns of rows not to try
	Turns    int                 `json:"turns"`   // at most so many turns; 0: all
	Runs     int                 `json:"runs"`    // at most so many runs a turn; 0: as many as ours
	Timeout  float64             `json:"timeout"` // seconds a turn may take; 0: 600
}

// readPeers reads a file of peers; no path gives none.
func readPeers(path string) ([]peer, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	peers, err := parsePeers(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return peers, nil
}

func parsePeers(text []byte) ([]peer, error) {
	var list struct{ Peers []peer }
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&list); err != nil {
		return nil, err
	}
	for i, p := range list.Peers {
		if p.Name == "" || p.Name == oursName || p.Name == oneThreadName {
			return nil, fmt.Errorf("peer %d needs a name of its own", i+1)
		}
		if _, err := measure.Matches(p.Skip, ""); err != nil {
			return nil, fmt.Errorf("peer %s: skip: %w", p.Name, err)
		}
		for work, command := range p.Commands {
			if len(command) == 0 {
				return nil, fmt.Errorf("peer %s: the command of work %s is empty", p.Name, work)
			}
			switch work {
			case dbscanWork, countWork, knnWork, lofWork:
			default:
				return nil, fmt.Errorf("peer %s: there is no work %q: want dbscan, count, knn or lof", p.Name, work)
			}
		}
	}
	return list.Peers, nil
}

// can tells whether the peer is to be tried on a row.
func (p peer) can(r row, dim int) bool {
	skip, err := measure.Matches(p.Skip, r.name())
	return err == nil && !skip && p.Commands[r.Work] != nil &&
		dim >= p.MinDim && (p.MaxDim == 0 || dim <= p.MaxDim)
}

// fill puts the values of the job where a word of the command names them.
func (j job) fill(command []string) []string {
	names := strings.NewReplacer(
		"{file}", j.File,
		"{work}", filepath.Dir(j.File),
		"{n}", strconv.Itoa(j.Rows),
		"{d}", strconv.Itoa(j.Dim),
		"{eps}", number(j.Eps),
		"{minpts}", strconv.Itoa(j.MinSamples),
		"{k}", strconv.Itoa(j.K),
		"{threads}", strconv.Itoa(j.Threads),
		"{runs}", strconv.Itoa(j.Runs),
	)
	words := make([]string, len(command))
	for i, w := range command {
		words[i] = names.Replace(w)
	}
	return words
}

// start runs a command and returns what it printed as an outcome, with the
// greatest memory that the system saw if it did not say its own.
func start(ctx context.Context, command []string, limit time.Duration) (*outcome, error) {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	var said, complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = &said, &complaint
	err := cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("took more than %v", limit)
	case err != nil:
		return nil, fmt.Errorf("%w %s", err, lastLine(complaint.String()))
	}
	out, err := parseOutcome(said.String())
	if err == nil && out.PeakMiB == 0 {
		out.PeakMiB = peakOf(cmd.ProcessState)
	}
	return out, err
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return fmt.Sprintf("%.120s", text[strings.LastIndexByte(text, '\n')+1:])
}
