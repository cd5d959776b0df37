package main

import (
	"fmt"
	"strings"

	"rtcluster/gpu"
	"rtcluster/join"
)

// This file has --engine auto: whether a card is worth its while, and what happens
// where it fails.

// What work takes, in seconds. Those of the CPU engine are of one thread of a processor
// with AVX-512, from bench/cpu.md; two threads are taken for one and a half, as they often
// share a core. So estimates of counts in 8 to 128 coordinates are 0.8 to 2.5 times what two
// threads took there, and 0.4 to 0.5 times what 16 took beside an H200. Processors without
// AVX-512 are slower, so that a card is taken later than it might be.
const (
	cpuRow     = 100e-9 // index and what grows with the rows alone,
	cpuRowDim  = 12e-9  // and for each coordinate
	cpuPair    = 80e-12 // a pair that boxes leave open,
	cpuPairDim = 18e-12 // and for each coordinate

	cardByte = 0.2e-9 // of coordinates, to the card, ordered there
	cardPays = 2      // by how much it must be faster: the estimates may be wrong by as much

	// cardRowBytes is what the card takes for each coordinate: as given, turned, and
	// for tensor cores.
	cardRowBytes = 24
)

// workload is what a command asks an index for, as far as its cost depends on it. The
// zero value is work that the CPU engine does in any case.
type workload struct {
	cpu   string    // why the CPU engine does it in any case; "" if a card might
	eps   []float64 // of each sweep over all rows
	limit int       // at which counting stops; 0 for none
	rows  int64     // of queries that are another table; 0 for a self-join
}

// costs are estimates of what a join takes.
type costs struct {
	cpu   float64 // seconds of the CPU engine
	carry float64 // seconds to bring the rows to a card
	pairs float64 // that it compares
}

// most is the seconds that the CPU engine takes at most: with no pair left out.
func (w *workload) most(pts *join.Points, threads int) float64 {
	n, rows := float64(pts.Rows()), float64(w.rows)
	pairs := n * n / 2
	if w.rows > 0 {
		pairs = n * rows
	}
	return cpuSeconds(n+rows, float64(len(w.eps))*pairs, pts.Dim(), threads)
}

func cpuSeconds(rows, pairs float64, dim, threads int) float64 {
	d := float64(dim)
	return (rows*(cpuRow+cpuRowDim*d) + pairs*(cpuPair+cpuPairDim*d)) / (float64(threads+1) / 2)
}

// estimate samples the rows; ok is false where that tells nothing.
func (w *workload) estimate(pts *join.Points, threads int, seed uint64) (c costs, ok bool) {
	n, rows := float64(pts.Rows()), float64(w.rows)
	var cpuPairs float64
	for _, eps := range w.eps {
		o, ok := outlineOf(pts, eps, w.limit, seed)
		if !ok {
			return costs{}, false
		}
		pairs := n * (n*o.open + leafRows) / 2
		if w.rows > 0 {
			pairs = rows * (n*o.open + leafRows)
		}
		cpuPairs += pairs * o.limited
		c.pairs += pairs
	}
	c.cpu = cpuSeconds(n+rows, cpuPairs, pts.Dim(), threads)
	c.carry = (n + rows) * float64(pts.Dim()) * 8 * cardByte
	return c, true
}

// settleEngine takes a card in the place of the CPU engine where that pays, and says
// so.
func (j *job) settleEngine(pts *join.Points) {
	card, why := j.weighCard(pts)
	if card == nil {
		j.log.Debug("engine cpu stays: " + why)
		return
	}
	j.log.Info(fmt.Sprintf("engine %s: %s", card.text(), why))
	j.runOpt.MemoryLimit.apply(outsideBytes + gpu.HostBytes)
	card.join = gpu.WithFallback(card.join, j.engine.join, j.fallBack)
	j.engine = *card
	j.report.Engine, j.report.Device, j.report.EngineWhy = card.name, card.card.Name, why
}

// weighCard returns the card to take, if any, and why.
func (j *job) weighCard(pts *join.Points) (*engine, string) {
	w, threads := &j.work, j.report.Threads
	switch {
	case w.cpu != "":
		return nil, w.cpu
	case len(w.eps) == 0:
		return nil, "a card would not be faster"
	case !pts.Metric().IsZero():
		return nil, "cards have no metric but the Euclidean"
	}
	start := j.cardStart()
	if most := w.most(pts, threads); most < cardPays*start {
		return nil, fmt.Sprintf("%s at most, and a card takes %s to begin", secondsText(most), secondsText(start))
	}
	if !j.cardLikely() {
		return nil, "there is no card"
	}
	if cardsHidden(j.environ()) {
		return nil, "CUDA_VISIBLE_DEVICES hides the cards"
	}
	if limit := j.runOpt.MemoryLimit; limit.limited() && float64(j.report.Memory.Estimate)+gpu.HostBytes > limit.Bytes {
		return nil, "the driver of a card takes more memory than --memory-limit leaves"
	}
	c, ok := w.estimate(pts, threads, j.runOpt.Seed)
	if ready := start + c.carry; !ok || c.cpu < cardPays*ready { // before the driver is asked, which takes a while itself
		return nil, fmt.Sprintf("about %s, and a card takes %s to begin", secondsText(c.cpu), secondsText(ready))
	}
	opt := j.runOpt.cardOptions(j.getenv)
	opt.Log, opt.Measure = j.log, gpu.MeasureOptiX
	card := j.app.engine("cuda", opt)
	if card.join == nil {
		return nil, card.missing.Error()
	}
	seconds, memory := start+c.carry+c.pairs/card.card.Rate, float64(card.card.Memory)
	need := (float64(pts.Rows()) + float64(w.rows)) * float64(pts.Dim()) * cardRowBytes
	switch {
	case need > memory:
		return nil, fmt.Sprintf("%s would need %s, and has %s", card.text(), bytesText(need), bytesText(memory))
	case c.cpu < cardPays*seconds:
		return nil, fmt.Sprintf("about %s, and %s about %s", secondsText(c.cpu), card.text(), secondsText(seconds))
	}
	return &card, fmt.Sprintf("estimated to take %s, the cpu %s", secondsText(seconds), secondsText(c.cpu))
}

// fallBack takes note that the card has failed.
func (j *job) fallBack(err error) {
	j.engine.name, j.engine.card = "cpu", gpu.Card{}
	j.report.Engine, j.report.Device = "cpu", ""
	j.report.EngineWhy = fmt.Sprintf("engine cuda failed: %v", err)
	j.log.Warn(fmt.Sprintf("engine cuda failed, and the cpu engine does the work: %v", err))
}

// cardsHidden reports whether the environment lets the driver show no card: it ends its
// list at the first number that is none. There is no need to start it then.
func cardsHidden(environ []string) bool {
	for _, variable := range environ {
		if list, ok := strings.CutPrefix(variable, "CUDA_VISIBLE_DEVICES="); ok {
			first, _, _ := strings.Cut(list, ",")
			first = strings.TrimSpace(first)
			return first == "" || strings.HasPrefix(first, "-") || first == "NoDevFiles"
		}
	}
	return false
}
