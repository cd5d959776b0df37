//go:build !cuda

package main

import (
	"context"
	"time"

	"rtcluster/gpu"
)

// openCard says that there is no engine to measure.
func openCard() (*bench, error) {
	_, err := gpu.Open(gpu.Options{})
	return nil, err
}

// traced returns ctx: no engine is there to tell.
func traced(ctx context.Context, _ func(string, time.Duration), _ func(string, int64)) context.Context {
	return ctx
}
