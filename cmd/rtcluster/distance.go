package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rtcluster/epsilon"
	"rtcluster/join"
)

// This file tells what distances are under a metric: how join and epsilon have them,
// and how they are typed and shown.

// distance returns the distance that a squared distance of points, or the measure
// of another metric, stands for: in degrees on the sky.
func (o *metricOptions) distance() func(d2 float64) float64 {
	switch o.Metric {
	case metricHaversine:
		return join.AngleDegrees
	case metricCosine:
		return join.CosineDistance
	}
	norm, _ := o.norm()
	return join.Metric{Norm: norm}.Distance
}

// norm returns the norm of the metric, and whether it is one of coordinates as
// they are. Other metrics are Euclidean between what becomes of the coordinates.
func (o *metricOptions) norm() (norm join.Norm, ok bool) {
	switch o.Metric {
	case metricManhattan:
		return join.Manhattan, true
	case metricChebyshev:
		return join.Chebyshev, true
	}
	return join.Euclidean, o.Metric == metricEuclidean
}

// eps returns what --eps says under the metric.
func eps(cmd *cobra.Command, text string, metric *metricOptions) (radius, error) {
	if !cmd.Flags().Changed("eps") {
		example := "0.5"
		if metric.sky() {
			example = "0.5deg"
		}
		return radius{}, usagef("--eps is missing: the greatest distance of neighbours, such as --eps %s", example)
	}
	r, err := metric.parse(text)
	if err != nil && cmd.Name() != "dbscan" && (text == "auto" || strings.Contains(text, ",")) {
		err = fmt.Errorf("%w; auto, and several, are for rtcluster dbscan", err)
	}
	if err != nil {
		return radius{}, usageError{err}
	}
	return r, nil
}

// parse reads a distance as --eps takes it.
func (o *metricOptions) parse(text string) (radius, error) {
	r, err := parseRadius(text, o.sky())
	if err == nil && o.Metric == metricCosine {
		r.Unit = cosineUnit
	}
	return r, err
}

// unit is what package epsilon writes distances in.
func (o *metricOptions) unit() epsilon.Unit {
	switch o.Metric {
	case metricHaversine:
		return epsilon.Degrees
	case metricCosine:
		return epsilon.Cosine
	}
	return epsilon.Plain
}

// radius is a distance of package epsilon as --eps takes it.
func (o *metricOptions) radius(distance float64) radius {
	switch o.Metric {
	case metricHaversine:
		return radius{Value: distance, Unit: degreeUnit}
	case metricCosine:
		return radius{Value: distance, Unit: cosineUnit}
	}
	return radius{Value: distance}
}

// straight reports whether distances are Euclidean in open space, or become so by
// a transform, for which engines have the fast index.
func (o *metricOptions) straight() bool {
	norm, _ := o.norm()
	return norm == join.Euclidean && o.Box == nil
}

// apart is the distance of rows for people, of the given measure.
func (o *metricOptions) apart(measure float64) string {
	text := fmt.Sprintf("%.4g", o.distance()(measure))
	if o.sky() {
		text += degreeUnit
	}
	return text
}

// dim is the number of coordinates of the points that so many columns become.
func (o *metricOptions) dim(columns int) int {
	if o.sky() {
		return 3 // unit vectors
	}
	return columns
}
