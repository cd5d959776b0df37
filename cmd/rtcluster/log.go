package main

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"

	"rtcluster/cmd/rtcluster/internal/settings"
)

// newLogger returns the logger of a run. In text, a record is its message
// alone, for people; attributes are for machines and appear in json only.
func newLogger(w io.Writer, format string, level slog.Level) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(&plainHandler{w: w, level: level})
}

// askedLogFormat is the format of messages that a command line asks for, whatever
// else is wrong with it: mistakes in the flags are told in it too. The environment
// may ask as well; a file is not read for that.
func (a *app) askedLogFormat(args []string) string {
	asked := a.getenv(settings.Variable("log-format"))
	for i, arg := range args {
		value, joined := strings.CutPrefix(arg, "--log-format=")
		switch {
		case arg == "--":
			return asked
		case joined:
			asked = value
		case arg == "--log-format" && i+1 < len(args):
			asked = args[i+1]
		}
	}
	return asked
}

// plainHandler writes each line of a message after the program's name, without control
// characters, which names of files and columns may have.
type plainHandler struct {
	level slog.Level
	mu    sync.Mutex
	w     io.Writer
}

func (h *plainHandler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level }

func (h *plainHandler) Handle(_ context.Context, r slog.Record) error {
	prefix := "rtcluster: "
	if r.Level == slog.LevelWarn {
		prefix += "warning: "
	}
	var text strings.Builder
	for line := range strings.SplitSeq(r.Message, "\n") {
		text.WriteString(prefix + plainText(line) + "\n")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := io.WriteString(h.w, text.String())
	return err
}

func (h *plainHandler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h *plainHandler) WithGroup(string) slog.Handler      { return h }
