package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"path/filepath"
	"strings"
	"time"

	"rtcluster/bench/internal/measure"
)

// curve is the cost of one work over one quantity.
type curve struct {
	Plot   string // the name of its plot
	Name   string
	Points []point
}

// point is one measurement of a curve.
type point struct{ X, Seconds float64 }

// plotSpec describes a plot.
type plotSpec struct {
	Name, Title, X string
	Limits         string // what limits each region
}

const (
	rowsPlot = "cpu-n"
	epsPlot  = "cpu-eps"
)

func plotSpecs() []plotSpec {
	return []plotSpec{
		{
			rowsPlot, "Cost against n", "rows",
			"Set A3 at other numbers of rows; ε gives about 16 neighbours at each.\n\n" +
				"Time grows almost as n does: from 30,000 rows to 10 million, DBSCAN takes .13 to .15 µs a\n" +
				"row, counts .08 to .11, kNN .6 to .7. Below, starting goroutines and small tasks show. What\n" +
				"grows is the number of levels of the tree, a pass over all rows each, and, where rows no\n" +
				"longer fit the caches, each look at them in the order of the table: gathering rows into\n" +
				"leaves and scattering results wait for memory.",
		},
		{
			epsPlot, "Cost against ε", "ε / ε of 16 neighbours",
			"Sets A3, C8 and U8 at multiples of the ε that gives about 16 neighbours.\n\n" +
				"DBSCAN: on the left building the tree is most of the time, and walks that find little.\n" +
				"In the middle rows are counted until min_samples, and what is near but not yet enough costs\n" +
				"most: U8, whose boxes part little, has its peak there. On the right leaves, then nodes, are\n" +
				"within ε as a whole: core rows and their unions cost nothing more than the tree.\n\n" +
				"Counts have no limit, so that they grow with the number of pairs at the rate of the distance\n" +
				"kernel, until whole nodes are within ε: early in A3, late in C8. In U8 the diagonal of a\n" +
				"leaf is longer than ε almost to the end; there, every pair is computed.",
		},
	}
}

// plotting is what the measurement of curves needs at every point.
type plotting struct {
	*options
	all *results
	log *log.Logger
}

// measureCurves measures all curves anew and draws the plots.
func measureCurves(ctx context.Context, p plotting) error {
	p.all.Curves = nil
	if err := p.overRows(ctx); err != nil {
		return err
	}
	if err := p.overEps(ctx); err != nil {
		return err
	}
	for _, spec := range plotSpecs() {
		if err := p.all.draw(spec, filepath.Join(filepath.Dir(p.Out), spec.Name+".svg")); err != nil {
			return err
		}
	}
	return nil
}

func (p plotting) overRows(ctx context.Context) error {
	rec, err := findRecipe("A3")
	if err != nil {
		return err
	}
	for _, rows := range []float64{1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7} {
		s, err := openSet(ctx, p.Work, rec.scaled(rows*p.Scale/float64(rec.Rows)), p.log)
		if err != nil {
			return err
		}
		for _, work := range []string{dbscanWork, countWork, knnWork} {
			if err := p.point(ctx, rowsPlot, work, p.job(s, work, s.Eps[16]), float64(s.Rows)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p plotting) overEps(ctx context.Context) error {
	for _, name := range []string{"A3", "C8", "U8"} {
		rec, err := findRecipe(name)
		if err != nil {
			return err
		}
		s, err := openSet(ctx, p.Work, rec.scaled(p.Scale), p.log)
		if err != nil {
			return err
		}
		for half := -2; half <= 6; half++ {
			x := math.Pow(2, float64(half)/2)
			for _, work := range []string{dbscanWork, countWork} {
				if err := p.point(ctx, epsPlot, name+", "+work, p.job(s, work, x*s.Eps[16]), x); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// point measures a job and appends its time, at x, to a curve.
func (p plotting) point(ctx context.Context, plot, name string, j job, x float64) error {
	command, err := j.ownCommand()
	if err != nil {
		return err
	}
	out, err := start(ctx, command, time.Hour)
	if err != nil {
		return err
	}
	seconds := measure.Median(out.Seconds[min(1, len(out.Seconds)-1):])
	c := p.all.curve(plot, name)
	c.Points = append(c.Points, point{x, seconds})
	p.log.Printf("%s %s at %.4g: %.4g s", plot, name, x, seconds)
	return nil
}

// curve finds a curve or begins it.
func (all *results) curve(plot, name string) *curve {
	for _, c := range all.Curves {
		if c.Plot == plot && c.Name == name {
			return c
		}
	}
	c := &curve{Plot: plot, Name: name}
	all.Curves = append(all.Curves, c)
	return c
}

// curves shows the plots and their numbers.
func (all *results) curves(b *strings.Builder) {
	for _, p := range plotSpecs() {
		curves := all.plotted(p.Name)
		if len(curves) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n## %s\n\n%s\n\n![%s](%s.svg)\n\n| seconds |", p.Title, p.Limits, p.Title, p.Name)
		for _, at := range curves[0].Points {
			fmt.Fprintf(b, " %.3g |", at.X)
		}
		fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(curves[0].Points)))
		for _, c := range curves {
			fmt.Fprintf(b, "| %s |", c.Name)
			for _, at := range c.Points {
				b.WriteString(" " + digits(at.Seconds) + " |")
			}
			b.WriteString("\n")
		}
	}
}

func (all *results) plotted(plot string) []*curve {
	var found []*curve
	for _, c := range all.Curves {
		if c.Plot == plot {
			found = append(found, c)
		}
	}
	return found
}
