package driver

import (
	"fmt"
	"strings"
)

// The least that the committed PTX takes: what NVRTC 12.1 writes is read by drivers for
// CUDA 12.1, versions 530 and later, and it is for compute capability 7.5.
const (
	leastDriver     = 12010
	leastCapability = 75
)

// Info describes a card.
type Info struct {
	Ordinal    int
	Name       string
	Memory     int64 // bytes
	Capability int   // 90 for compute capability 9.0
	Processors int
	Driver     int // the newest CUDA that the driver knows, 13000 for 13.0
	pools      bool
}

// Usable returns an error that matches [ErrMissing] where the card, or its driver, is
// too old for the engines.
func (i Info) Usable() error {
	switch {
	case i.Driver < leastDriver:
		return fmt.Errorf("%w: the driver is for CUDA %s and reads no newer kernels, these take one for CUDA %s (version 530) or later: update the driver",
			ErrMissing, cudaVersion(i.Driver), cudaVersion(leastDriver))
	case i.Capability < leastCapability:
		return fmt.Errorf("%w: card %d, %s, has compute capability %d.%d, the kernels take 7.5 or more",
			ErrMissing, i.Ordinal, i.Name, i.Capability/10, i.Capability%10)
	case !i.pools:
		return fmt.Errorf("%w: card %d, %s, has no memory pools in this driver or virtual machine", ErrMissing, i.Ordinal, i.Name)
	}
	return nil
}

// NumberError is returned where there is no card of a number. It matches [ErrMissing].
type NumberError struct {
	Number int
	Cards  []string // those that there are
}

func (e *NumberError) Error() string {
	return fmt.Sprintf("%v: there is no card %d, only %s", ErrMissing, e.Number, strings.Join(e.Cards, ", "))
}

// Is makes it [ErrMissing].
func (e *NumberError) Is(target error) bool { return target == ErrMissing }

// Pick returns the card of that number, or an error: a [*NumberError], or what
// [Info.Usable] says.
func Pick(list []Info, number int) (Info, error) {
	if number >= 0 && number < len(list) {
		return list[number], list[number].Usable()
	}
	e := &NumberError{Number: number}
	for _, card := range list {
		e.Cards = append(e.Cards, fmt.Sprintf("%d (%s)", card.Ordinal, card.Name))
	}
	return Info{}, e
}

// Size is a number of bytes for people.
func Size(bytes int64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30)) }

func cudaVersion(v int) string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }
