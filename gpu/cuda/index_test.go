//go:build cuda

package cuda_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"rtcluster/gpu/cuda"
)

// TestTurnstile has somebody wait for a join that doesn't end, until the context does.
func TestTurnstile(t *testing.T) {
	turn := cuda.NewTurnstile()
	if err := turn.Enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if err := turn.Enter(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("the second to come got %v, want %v", err, context.DeadlineExceeded)
	}
	turn.Leave()
	if err := turn.Enter(t.Context()); err != nil {
		t.Fatalf("after the first has left: %v", err)
	}
}
