package main

import "rtcluster/gpu"

// openCard finds the engine that is measured, with no settings but its defaults, or says why
// there is none.
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
