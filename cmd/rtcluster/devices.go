package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rtcluster/gpu"
)

// devicesOptions are what the command line of `rtcluster devices` says.
type devicesOptions struct {
	Threads int
	JSON    bool
}

func newDevicesCmd(a *app) *cobra.Command {
	opt := &devicesOptions{}
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List the engines and cards, and why one is missing",
		Long: `List what can compute on this machine: the engines, the cards that they may use, and why
one is missing. Every engine gives the same results; --engine of the other commands picks
one, and --device a card by its number. CUDA_VISIBLE_DEVICES hides cards from the driver,
which then counts the others from 0.`,
		Example: `  rtcluster devices
  rtcluster devices --json`,
		Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error { return a.listDevices(opt) },
	}
	addFlags(cmd, "Engine", func(fs *pflag.FlagSet) {
		fs.Var(newWhole(&opt.Threads, 0, 0), "threads", "processor threads to use, 0 for all")
	})
	addFlags(cmd, "General", func(fs *pflag.FlagSet) {
		fs.BoolVar(&opt.JSON, "json", false, "print one JSON object instead of text")
	})
	return cmd
}

// engineState is an engine as `rtcluster devices` tells it.
type engineState struct {
	Engine  string     `json:"engine"`
	Ready   bool       `json:"ready"`
	Details []string   `json:"-"`
	Threads int        `json:"threads,omitempty"`
	Cards   []gpu.Card `json:"cards,omitempty"`
	Missing string     `json:"missing,omitempty"` // why it is not ready
}

func (a *app) listDevices(opt *devicesOptions) error {
	threads := threadCount(opt.Threads)
	states := []engineState{
		{Engine: "cpu", Ready: true, Threads: threads, Details: []string{fmt.Sprintf("%d threads, %s", threads, instructionSet())}},
	}
	cuda := a.cudaState()
	states = append(states, cuda, a.optixState(&cuda))
	if opt.JSON {
		return writeError("-", writeJSON(a.out, struct {
			Engines []engineState `json:"engines"`
		}{states}))
	}
	text := "ENGINE\tSTATE\tDETAILS\n"
	for _, e := range states {
		name, state := e.Engine, "ready"
		if !e.Ready {
			state, e.Details = "missing", append([]string{e.Missing}, e.Details...)
		}
		for _, line := range e.Details {
			text += fmt.Sprintf("%s\t%s\t%s\n", name, state, line)
			name, state = "", "" // of further cards
		}
	}
	aligned := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	_, err := aligned.Write([]byte(text))
	return errors.Join(err, aligned.Flush())
}

// optixState is ready where a card is and OptiX too.
func (a *app) optixState(cuda *engineState) engineState {
	e := engineState{Engine: "optix"}
	err := a.optix()
	switch {
	case len(cuda.Cards) > 0 && !cuda.Ready:
		e.Missing = "no card can be used, see cuda"
	case !cuda.Ready:
		e.Missing = cuda.Missing
	case err != nil:
		e.Missing = err.Error()
	default:
		e.Ready, e.Details = true, []string{"on the cards of cuda; those without RT cores search by it in software; not tried on any card yet"}
	}
	return e
}

// cudaState is ready where one card is.
func (a *app) cudaState() engineState {
	e := engineState{Engine: "cuda"}
	cards, err := a.cards()
	if err != nil {
		e.Missing = err.Error()
		return e
	}
	for _, card := range cards {
		e.Ready = e.Ready || card.Trouble == ""
		e.Details = append(e.Details, card.String())
	}
	if !e.Ready {
		e.Missing = "no card can be used, see below"
	}
	e.Cards = cards
	return e
}
