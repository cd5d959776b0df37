package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// peer is a program to measure beside ours.
type peer struct {
	Name     string              `json:"name"`
	Note     string              `json:"note"`     // printed in the report
	Commands map[string][]string `json:"commands"` // by name of the work
	MaxDim   int                 `json:"max_dim"`  // 0: any
}

// readPeers reads a file of peers; no path gives none.
func readPeers(path string) ([]peer, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it is only read
	var list struct{ Peers []peer }
	dec := json.NewDecoder(f)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i, p := range list.Peers {
		if p.Name == "" || p.Name == oursName {
			return nil, fmt.Errorf("%s: peer %d needs a name of its own", path, i+1)
		}
	}
	return list.Peers, nil
}

// command returns what the peer is asked, nil if it does not do this row.
func (p *peer) command(r row, s *set, threads int) []string {
	words := p.Commands[r.Name]
	if r.Section != methodsSection || len(words) == 0 || p.MaxDim > 0 && r.Dim > p.MaxDim {
		return nil
	}
	fill := strings.NewReplacer(
		"{file}", s.File, "{n}", strconv.Itoa(s.Rows), "{d}", strconv.Itoa(s.Dim), "{k}", strconv.Itoa(nearest),
		"{eps}", strconv.FormatFloat(s.Eps, 'g', -1, 64), "{threads}", strconv.Itoa(threads),
	)
	filled := make([]string, len(words))
	for i, w := range words {
		filled[i] = fill.Replace(w)
	}
	return filled
}

// start runs a command and returns what it says on its last line.
func start(ctx context.Context, command []string, limit time.Duration) (*outcome, error) {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	said, err := cmd.Output()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, fmt.Errorf("took more than %v", limit)
	}
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = fmt.Errorf("%w: %.200s", err, lastLine(failed.Stderr))
		}
		return nil, err
	}
	out := &outcome{}
	if err := json.Unmarshal(lastLine(said), out); err != nil {
		return nil, fmt.Errorf("printed no result but %.200q: %w", lastLine(said), err)
	}
	return out, nil
}

func lastLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	return text[bytes.LastIndexByte(text, '\n')+1:]
}
