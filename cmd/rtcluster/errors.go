package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"rtcluster/gpu"
	"rtcluster/io/table"
)

// The exit codes. Schedulers act on them: 3 and 2 will fail again, 4 and 130
// may not.
const (
	exitOK          = 0
	exitInternal    = 1 // a fault of rtcluster, or a failed --verify
	exitUsage       = 2 // decided from the flags alone
	exitData        = 3 // the input is not there or not usable
	exitResource    = 4 // memory or disk
	exitEngine      = 5 // the engine asked for is not there, or its device failed
	exitInterrupted = 130
	exitPipe        = 141 // nobody reads the output any more: as a shell shows SIGPIPE
)

// usageError is a mistake in the flags or arguments.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// inputError is anything wrong with what the input holds.
type inputError struct{ error }

func (e inputError) Unwrap() error { return e.error }

func inputf(path, format string, args ...any) error {
	return inputError{fmt.Errorf("%s: %w", shown(path), fmt.Errorf(format, args...))}
}

// shown is how messages call an input or output.
func shown(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// engineError says that the engine asked for is not there.
type engineError struct{ error }

func (e engineError) Unwrap() error { return e.error }

// readError marks what went wrong while reading path. What table reports of
// the data names the path already. files are those that path stands for.
func readError(path string, err error, files ...string) error {
	var data *table.DataError
	var inPath *fs.PathError
	switch {
	case err == nil, errors.Is(err, context.Canceled), isResource(err):
		return err
	case errors.As(err, &data):
		return inputError{err}
	case errors.As(err, &inPath) && (inPath.Path == path || slices.Contains(files, inPath.Path)):
		return inputError{fmt.Errorf("cannot read %s: %w", inPath.Path, inPath.Err)}
	}
	return inputError{fmt.Errorf("cannot read %s: %w", shown(path), err)}
}

// isResource reports whether the system has run out of something: disk, quota,
// memory, open files, the size that a file may have, or a place for temporary files.
func isResource(err error) bool {
	if errors.Is(err, table.ErrScratch) {
		return true
	}
	for _, no := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE, syscall.EFBIG} {
		if errors.Is(err, no) {
			return true
		}
	}
	return false
}

// exitCode is the one place where errors become exit codes.
func exitCode(err error) int {
	var (
		usage  usageError
		input  inputError
		data   *table.DataError
		engine engineError
	)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, syscall.EPIPE):
		return exitPipe
	case isResource(err), errors.Is(err, gpu.ErrMemory):
		return exitResource
	case errors.As(err, &usage), errors.Is(err, table.ErrExists):
		return exitUsage
	case errors.As(err, &input), errors.As(err, &data):
		return exitData
	case errors.As(err, &engine), errors.Is(err, errors.ErrUnsupported), errors.Is(err, gpu.ErrLost), errors.Is(err, gpu.ErrMissing):
		return exitEngine
	}
	return exitInternal
}
