package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/io/table"
)

// This file has what the shell completes beside commands and flags: columns of the
// table on the command line, rules, and files by their ending.

const (
	// completeWithin is how long a person who has pressed a key waits for columns.
	completeWithin = 2 * time.Second
	// completeBytes is how much of a CSV file is read for its columns: its header,
	// and enough records to tell numbers from text.
	completeBytes = 256 << 10
)

// The endings of files, for the shell.
func tableEndings() []string {
	return []string{"csv", "tsv", "parquet", "pq", "fits", "fit", "vot", "ecsv", "gz", "zst"}
}

// completeFiles lets the shell offer the files that can be meant, as arguments and
// for the flags that take one.
func completeFiles(cmd *cobra.Command) {
	written := []string{"csv", "tsv", "parquet", "fits"}
	for flag, endings := range map[string][]string{
		"output": written, "clusters": written, "reference": tableEndings(),
		"plot": {"svg", "png"}, "report": {"json"}, "html": {"html"}, "params": {"json"}, "cov": {"csv"},
	} {
		if cmd.Flags().Lookup(flag) != nil {
			// The flag is there, so no error is possible.
			_ = cmd.Flags().SetAnnotation(flag, cobra.BashCompFilenameExt, endings)
		}
	}
	if cmd.Name() == "plot" {
		_ = cmd.Flags().SetAnnotation("output", cobra.BashCompFilenameExt, []string{"svg", "png"}) // likewise
	}
	if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 && strings.Contains(cmd.Use, "...") {
		cmd.ValidArgsFunction = cobra.FixedCompletions(tableEndings(), cobra.ShellCompDirectiveFilterFileExt)
	}
}

// completeColumns lets the shell offer, for the flags that name columns, those of
// the first input on the command line.
func (o *inputOptions) completeColumns(cmd *cobra.Command) {
	cmd.ValidArgsFunction = cobra.FixedCompletions(tableEndings(), cobra.ShellCompDirectiveFilterFileExt)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		what, _ := pflag.UnquoteUsage(f)
		words := []string{}
		if before, ok := strings.CutSuffix(what, "|COLUMNS"); ok { // all|none|COLUMNS
			words, what = strings.Split(before, "|"), "COLUMNS"
		}
		if what != "COLUMN" && what != "COLUMNS" {
			return
		}
		numbers := slices.Contains([]string{"columns", "ra", "dec", "weight"}, f.Name)
		// The flag is there and is registered once, so no error is possible.
		_ = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			columns := o.columnsOf(cmd.Context(), args)
			if numbers {
				columns = numericOnes(columns)
			}
			return offerColumns(columns, words, begun, what == "COLUMNS"), cobra.ShellCompDirectiveNoFileComp
		})
	})
}

// unsafeInShell are characters of names that are not offered: what parts the lines that a
// shell reads, and what would run a command or end a quotation in the line typed. Where
// several names are offered, bash puts what they share there as it is, and the names are
// those of any file.
const unsafeInShell = "\t\r\n$`\\\"';&|<>!"

// offerColumns are the columns that may follow those of a list that was begun.
func offerColumns(columns []table.Column, words []string, begun string, list bool) []string {
	before, offers := "", []string{}
	if list {
		before = begun[:strings.LastIndex(begun, ",")+1]
	}
	if before == "" {
		offers = append(offers, words...)
	}
	for _, c := range columns {
		name := c.Name
		if list {
			name = quotedField(name)
		}
		if strings.ContainsAny(c.Name, unsafeInShell) || slices.Contains(strings.Split(before, ","), name) {
			continue
		}
		offers = append(offers, cobra.CompletionWithDesc(before+name, c.Type))
	}
	return offers
}

// quotedField is a name as a list of columns has it: in quotes if it holds a comma.
func quotedField(name string) string {
	var text strings.Builder
	w := csv.NewWriter(&text)
	if w.Write([]string{name}) != nil {
		return name
	}
	w.Flush()
	return strings.TrimSuffix(text.String(), "\n")
}

// numericOnes are the columns that can be coordinates, or all if none can.
func numericOnes(columns []table.Column) []table.Column {
	numeric := slices.DeleteFunc(slices.Clone(columns), func(c table.Column) bool { return !c.Numeric })
	if len(numeric) == 0 {
		return columns
	}
	return numeric
}

// columnsOf are the columns of the first input, none if they cannot be told at once:
// there is nobody to tell what is wrong.
func (o *inputOptions) columnsOf(ctx context.Context, args []string) []table.Column {
	if len(args) == 0 || args[0] == "-" || args[0] == "@-" {
		return nil
	}
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := context.WithTimeout(ctx, completeWithin)
	defer stop()
	found, err := table.Find(args[:1], o.Format, strings.NewReader(""))
	if err != nil || len(found.Inputs) == 0 {
		return nil
	}
	if info, err := os.Stat(found.Inputs[0].Path); err == nil && !info.Mode().IsRegular() {
		return nil // a pipe may never say anything
	}
	t, err := o.openHead(ctx, found.Inputs[:1])
	if err != nil {
		return nil
	}
	defer func() { _ = t.Close() }() // it was only read
	return t.Columns()
}

// openHead opens a file, of large CSV and ECSV the beginning alone.
func (o *inputOptions) openHead(ctx context.Context, inputs []table.Input) (*table.Table, error) {
	path := inputs[0].Path
	head, whole, err := readHead(path)
	if err != nil || whole || !goesByLines(head) { // a table within a file, file.fits#2, is no file
		return table.OpenAll(ctx, inputs, table.SetOptions{
			ReadOptions: o.read(nil), FilenameColumn: o.Set.Filename, NoPartitions: o.Set.Hive == "no",
		})
	}
	opt := o.read(bytes.NewReader(head[:bytes.LastIndexByte(head, '\n')+1]))
	if (opt.Format == "" || opt.Format == "auto") && strings.EqualFold(filepath.Ext(path), ".tsv") {
		opt.Format = "tsv"
	}
	return table.Open(ctx, "-", opt)
}

// goesByLines reports whether the beginning of a file may be cut where a line ends, and
// is a table then: not that of Parquet, of gzip and zstd, of FITS, and of VOTable.
func goesByLines(head []byte) bool {
	return !slices.ContainsFunc([]string{"PAR1", "\x1f\x8b", "\x28\xb5\x2f\xfd", "SIMPLE  =", "<"}, func(start string) bool {
		return bytes.HasPrefix(head, []byte(start))
	})
}

// readHead reads the beginning of a file, and tells whether that is all.
func readHead(path string) (head []byte, whole bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = f.Close() }() // it was only read
	head, err = io.ReadAll(io.LimitReader(f, completeBytes))
	return head, len(head) < completeBytes, err
}
