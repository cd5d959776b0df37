package chart

import (
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
)

// evenTicks are 4 to 9 ticks at multiples of a power of ten, or of two or five of it,
// with as many digits as tell them apart.
type evenTicks struct{}

// Ticks implements [plot.Ticker].
func (evenTicks) Ticks(least, most float64) []plot.Tick {
	step := evenStep(most - least)
	digits := int(max(0, -math.Floor(math.Log10(step)+1e-9)))
	var ticks []plot.Tick
	for i := math.Ceil(least/step - 1e-9); i*step <= most+1e-9*step; i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: tickLabel(i*step, step, digits)})
	}
	return ticks
}

// evenStep is 1, 2 or 5 times a power of ten, of which a range has 4 to 9.
func evenStep(span float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(span/4)))
	for _, factor := range []float64{5, 2} {
		if step*factor <= span/4 {
			return step * factor
		}
	}
	return step
}

// tickLabel writes a multiple of a step.
func tickLabel(x, step float64, digits int) string {
	switch {
	case math.Abs(x) < step/2:
		return "0"
	case digits > 6 || math.Abs(x) >= 1e7:
		most := 1 + math.Floor(math.Log10(math.Abs(x))+1e-9) - math.Floor(math.Log10(step)+1e-9)
		return strconv.FormatFloat(x, 'g', int(min(17, max(1, most))), 64)
	case digits == 0:
		return strings.Replace(humanize.Comma(int64(math.Round(x))), "-", "−", 1)
	}
	return strings.Replace(strconv.FormatFloat(x, 'f', digits, 64), "-", "−", 1)
}

// logTicks are ticks at powers of ten, and also at 2 and 5 of them if there are few.
type logTicks struct{}

// Ticks implements [plot.Ticker].
func (logTicks) Ticks(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	low, high := math.Floor(math.Log10(least)+1e-9), math.Ceil(math.Log10(most)-1e-9)
	stride := max(1, math.Ceil((high-low)/8))
	few := high-low <= 2 || math.Log10(most/least) <= 2.1
	for e := low; e <= high; e++ {
		for factor := 1.; factor < 10; factor++ {
			tick := plot.Tick{Value: factor * math.Pow(10, e)}
			if tick.Value < least*(1-1e-9) || tick.Value > most*(1+1e-9) {
				continue
			}
			named := factor == 1 && math.Mod(e-low, stride) == 0 || few && (factor == 2 || factor == 5)
			if named {
				tick.Label = logLabel(tick.Value)
			} else if stride > 1 || factor != 1 && high-low > 5 {
				continue
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

func logLabel(x float64) string {
	if x >= 1 && x < 1e7 {
		return humanize.Comma(int64(math.Round(x)))
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// percentTicks are tenths as percents, every second one with a label.
type percentTicks struct{}

// Ticks implements [plot.Ticker].
func (percentTicks) Ticks(float64, float64) []plot.Tick {
	var ticks []plot.Tick
	for i := range 11 {
		tick := plot.Tick{Value: float64(i) / 10}
		if i%2 == 0 {
			tick.Label = strconv.Itoa(10*i) + " %"
		}
		ticks = append(ticks, tick)
	}
	return ticks
}
