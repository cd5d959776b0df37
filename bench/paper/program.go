package paper

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	decoder "github.com/pelletier/go-toml/v2"

	"rtcluster/bench/internal/measure"
)

// This file has other programs for experiment compare: how they are called, and what is
// read of what they print.

// Program is another program for ε-joins, as a file of --programs describes it:
//
//	[[program]]
//	name = "gds-join"
//	command = ["./main", "{file}", "{n}", "{d}", "{eps}"]
//	format = "csv"                       # of {file}: csv, float32 or float64
//	seconds = 'total time: ([-+.0-9e]+)' # in its output; else the whole process is timed
//	pairs = 'result size: ([0-9]+)'      # in its output
//	counted = "ordered, self"            # what pairs is; else "ordered" or "once"
//
// In the command, {file} stands for the rows in a file without a header, {n} and {d} for
// their number and that of their coordinates, {eps} for ε, {threads} for --threads, and
// {folder} for a folder that is removed afterwards.
type Program struct {
	Name    string   `toml:"name"`
	Command []string `toml:"command"`
	Format  string   `toml:"format"`
	Seconds string   `toml:"seconds"`
	Pairs   string   `toml:"pairs"`
	Counted string   `toml:"counted"`

	seconds, pairs *regexp.Regexp
}

// What a program's number of pairs is.
const (
	countedSelf    = "ordered, self" // |R|
	countedOrdered = "ordered"       // without each row with itself
	countedOnce    = "once"          // each pair of different rows once
)

// ParsePrograms reads a file of programs.
func ParsePrograms(text []byte) ([]*Program, error) {
	var file struct {
		Program []*Program `toml:"program"`
	}
	d := decoder.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		var unknown *decoder.StrictMissingError
		if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
			row, _ := unknown.Errors[0].Position()
			return nil, fmt.Errorf("line %d: there is no key %s: want name, command, format, seconds, pairs and counted below [[program]]",
				row, strings.Join(unknown.Errors[0].Key(), "."))
		}
		return nil, err
	}
	if len(file.Program) == 0 {
		return nil, errors.New("there is no program: begin each by [[program]]")
	}
	for i, p := range file.Program {
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("program %d, %q: %w", i+1, p.Name, err)
		}
	}
	return file.Program, nil
}

func (p *Program) check() (err error) {
	if p.Name == "" || len(p.Command) == 0 {
		return errors.New("want a name and a command")
	}
	if p.Format == "" {
		p.Format = "csv"
	}
	if p.Counted == "" {
		p.Counted = countedSelf
	}
	if err := OneOf("csv", "float32", "float64")(p.Format); err != nil {
		return fmt.Errorf("format %q: %w", p.Format, err)
	}
	if err := OneOf(countedSelf, countedOrdered, countedOnce)(p.Counted); err != nil {
		return fmt.Errorf("counted %q: %w", p.Counted, err)
	}
	for _, e := range []struct {
		key, text string
		to        **regexp.Regexp
	}{{"seconds", p.Seconds, &p.seconds}, {"pairs", p.Pairs, &p.pairs}} {
		if e.text == "" {
			continue
		}
		if *e.to, err = regexp.Compile(e.text); err != nil {
			return fmt.Errorf("%s: %w", e.key, err)
		}
		if (*e.to).NumSubexp() != 1 {
			return fmt.Errorf("%s %q: want one group in parentheses, around the number", e.key, e.text)
		}
	}
	return nil
}

// run times a program on a case. What it prints is all that is known of it: a run that
// fails is an error.
func (s *Setting) run(ctx context.Context, p *Program, c *Case) (o *Outcome, err error) {
	folder, err := os.MkdirTemp("", "rtcluster-bench-*")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	file := filepath.Join(folder, "rows."+p.Format)
	if err := writeRows(file, p.Format, c.Set); err != nil {
		return nil, err
	}
	args := p.arguments(map[string]string{
		"{file}": file, "{folder}": folder, "{n}": strconv.Itoa(c.Rows()), "{d}": strconv.Itoa(c.Dim),
		"{eps}": strconv.FormatFloat(c.Eps, 'g', -1, 64), "{threads}": strconv.Itoa(s.Threads),
	})
	o = &Outcome{}
	var told []float64
	o.Time, err = s.Time(ctx, func(ctx context.Context) error {
		printed, err := output(ctx, args, folder)
		if err != nil {
			return fmt.Errorf("program %s: %w", p.Name, err)
		}
		seconds, pairs, err := p.read(printed, c)
		if err != nil {
			return fmt.Errorf("program %s: %w", p.Name, err)
		}
		told, o.Pairs = append(told, seconds), pairs
		return nil
	})
	if err == nil && !o.Over && p.seconds != nil {
		o.Seconds = measure.Median(told)
	}
	return o, err
}

// arguments puts values in the places of their names.
func (p *Program) arguments(values map[string]string) []string {
	var args []string
	for _, arg := range p.Command {
		for name, value := range values {
			arg = strings.ReplaceAll(arg, name, value)
		}
		args = append(args, arg)
	}
	return args
}

// patience is how long a program that was cut off may hold its output open.
const patience = time.Second

// output runs a command, with a folder for temporary files unless that is "", and returns
// what it prints.
func output(ctx context.Context, args []string, folder string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.WaitDelay = patience
	var printed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &printed
	if folder != "" {
		cmd.Env = append(os.Environ(), "TMPDIR="+folder)
	}
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("%w%s", err, lastLine(printed.Bytes()))
	}
	return printed.Bytes(), nil
}

// lastLine is the last line of a text, for messages.
func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return "; its last line is: " + last
	}
	return ""
}

// read finds seconds and |R| in what a program prints; what no pattern is for is 0.
func (p *Program) read(printed []byte, c *Case) (seconds float64, pairs int64, err error) {
	if p.seconds != nil {
		m := p.seconds.FindSubmatch(printed)
		if m == nil {
			return 0, 0, fmt.Errorf("nothing in its output is like %q, the pattern of seconds%s", p.Seconds, lastLine(printed))
		}
		if seconds, err = strconv.ParseFloat(string(m[1]), 64); err != nil || !(seconds >= 0) {
			return 0, 0, fmt.Errorf("seconds %q are no number, 0 or more", m[1])
		}
	}
	if p.pairs == nil {
		return seconds, 0, nil
	}
	m := p.pairs.FindSubmatch(printed)
	if m == nil {
		return 0, 0, fmt.Errorf("nothing in its output is like %q, the pattern of pairs%s", p.Pairs, lastLine(printed))
	}
	if pairs, err = strconv.ParseInt(string(m[1]), 10, 64); err != nil {
		return 0, 0, fmt.Errorf("pairs %q are no whole number", m[1])
	}
	switch p.Counted {
	case countedOrdered:
		pairs += int64(c.Rows())
	case countedOnce:
		pairs = 2*pairs + int64(c.Rows())
	}
	return seconds, pairs, nil
}

// writeRows writes the rows of a set to a file without a header.
func writeRows(path, format string, set *Set) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	var line []byte
	for at := 0; at < len(set.Data); at += set.Dim {
		line = line[:0]
		for k, x := range set.Data[at : at+set.Dim] {
			switch format {
			case "float32":
				line, err = binary.Append(line, binary.LittleEndian, float32(x))
			case "float64":
				line, err = binary.Append(line, binary.LittleEndian, x)
			default:
				if k > 0 {
					line = append(line, ',')
				}
				line = strconv.AppendFloat(line, x, 'g', -1, 64)
			}
			if err != nil {
				return err
			}
		}
		if format == "csv" {
			line = append(line, '\n')
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return w.Flush()
}
