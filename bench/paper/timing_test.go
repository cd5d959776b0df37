package paper_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"rtcluster/bench/paper"
)

// TestTimeout wants a run that is longer than the limit to be cut off once, and not to be
// an error; and an error to stay one.
func TestTimeout(t *testing.T) {
	s := &paper.Setting{Runs: 3, Timeout: time.Millisecond}
	calls := 0
	got, err := s.Time(t.Context(), func(ctx context.Context) error {
		calls++
		<-ctx.Done()
		return ctx.Err()
	})
	if want := (paper.Time{Seconds: 0.001, Over: true}); err != nil || got != want || calls != 1 {
		t.Errorf("got %+v after %d calls, error %v; want %+v after 1", got, calls, err, want)
	}
	s.Timeout = time.Hour
	calls = 0
	if got, err = s.Time(t.Context(), func(context.Context) error { calls++; return nil }); err != nil || got.Over || calls != 3 {
		t.Errorf("got %+v after %d calls, error %v; want 3 calls", got, calls, err)
	}
	fault := errors.New("fault")
	if _, err = s.Time(t.Context(), func(context.Context) error { return fault }); !errors.Is(err, fault) {
		t.Errorf("got error %v, want %v", err, fault)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s.Timeout = time.Millisecond
	_, err = s.Time(ctx, func(ctx context.Context) error {
		cancel()
		<-ctx.Done()
		time.Sleep(2 * time.Millisecond)
		return ctx.Err()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted run: got error %v, want that it was cancelled", err)
	}
}

func TestPer(t *testing.T) {
	over := func(x float64) paper.Time { return paper.Time{Seconds: x, Over: true} }
	ran := func(x float64) paper.Time { return paper.Time{Seconds: x} }
	for _, test := range []struct {
		name string
		t, u paper.Time
		want *paper.Ratio
	}{
		{"both ran", ran(6), ran(2), &paper.Ratio{Value: 3}},
		{"the slow one was cut off", over(60), ran(5), &paper.Ratio{Value: 12, Bound: ">"}},
		{"the fast one was cut off", ran(30), over(60), &paper.Ratio{Value: 0.5, Bound: "<"}},
		{"both were cut off", over(60), over(60), nil},
		{"no time", ran(1), ran(0), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := test.t.Per(test.u)
			if (got == nil) != (test.want == nil) || got != nil && *got != *test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}
