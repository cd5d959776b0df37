//go:build cuda

package main

import (
	"context"
	"time"

	"rtcluster/gpu"
	"rtcluster/gpu/cuda"
)

// openCard finds the engine that is measured, with no settings but its defaults.
func openCard() (*bench, error) {
	engines, err := gpu.Open(gpu.Options{})
	if err != nil {
		return nil, err
	}
	b := &bench{engine: engines[0], card: "a card that tells nothing"}
	if d, ok := engines[0].(gpu.Device); ok {
		b.card = d.Device().String()
	}
	return b, nil
}

// traced returns a context under which the engine tells its stages.
func traced(ctx context.Context, stage func(string, time.Duration), count func(string, int64)) context.Context {
	return cuda.WithTrace(ctx, cuda.Trace{Stage: stage, Count: count})
}
