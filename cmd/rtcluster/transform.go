package main

import (
	"errors"
	"slices"

	"rtcluster/join"
)

// transform is what is done to coordinates before they are joined, in this
// order. Fitted to the rows of some sources, it does the same to any: its
// fields are in the report and the metadata.
type transform struct {
	scale     string
	scaling   join.Scaling // unless scale is none
	weights   []float64    // nil for none
	metric    string
	cov       string         // file of the covariance, "" for that of the rows
	whitening join.Whitening // for mahalanobis
	box       []float64      // nil for none

	norm       join.Norm // of metric
	covariance []float64 // from the file
}

// newTransform returns the transform that the flags ask for, for the columns
// that sources share, as far as it is known before rows are read. Where no source
// has rows, no value says which columns hold numbers.
func newTransform(in *inputOptions, metric *metricOptions, sources []*source) (*transform, error) {
	s := sources[0]
	filled := slices.ContainsFunc(sources, func(s *source) bool { return s.table.Rows() > 0 })
	if filled {
		if err := metric.checkColumns(s); err != nil {
			return nil, err
		}
	}
	t := &transform{scale: in.Scale, weights: metric.Weights, metric: metric.Metric, cov: metric.Cov, box: metric.Box}
	t.norm, _ = metric.norm()
	var err error
	if t.cov != "" && filled {
		t.covariance, err = readCovariance(t.cov, s.columns)
	}
	return t, err
}

// fit takes the statistics of the rows of all sources, in order, and turns
// their coordinates into points. The sources give up their data.
func (t *transform) fit(sources []*source) error {
	if t.scale != "none" {
		if err := t.fitScaling(sources); err != nil {
			return err
		}
	}
	for _, s := range sources {
		if err := t.stretch(s); err != nil {
			return err
		}
	}
	if t.metric == metricMahalanobis {
		if err := t.fitWhitening(sources); err != nil {
			return err
		}
	}
	for _, s := range sources {
		if err := t.finish(s); err != nil {
			return err
		}
	}
	return nil
}

func (t *transform) fitScaling(sources []*source) (err error) {
	t.scaling, err = join.FitScaling(t.scale, allData(sources), len(sources[0].columns))
	if err == nil {
		return nil
	}
	var large *join.ScaleError
	if errors.As(err, &large) {
		return inputf(sources[0].path, "--scale %s: the values of column %s are too large", t.scale, sources[0].columns[large.Coordinate])
	}
	return inputf(sources[0].path, "--scale %s: %w", t.scale, err)
}

func (t *transform) fitWhitening(sources []*source) (err error) {
	s := sources[0]
	data, dim := allData(sources), len(s.columns)
	if len(data) == dim && t.covariance == nil {
		return inputf(s.path, "--metric mahalanobis: one row has no covariance: give one by --cov")
	}
	if t.covariance == nil {
		t.whitening, err = join.FitWhitening(data, dim)
	} else {
		center, _ := join.Covariance(data, dim)
		t.whitening, err = join.NewWhitening(center, t.covariance)
	}
	var fault *join.CovarianceError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &fault):
		return inputf(s.path, "--metric mahalanobis: %w", err)
	case t.covariance != nil:
		return inputf(t.cov, "the covariance has no inverse: column %s %s", s.columns[fault.Coordinate], fault.Reason)
	case fault.Reason == join.TooLarge:
		return inputf(s.path, "--metric mahalanobis: the values of column %s are too large", s.columns[fault.Coordinate])
	}
	return inputf(s.path, "--metric mahalanobis: the covariance of the rows has no inverse: column %s %s: leave it out of --columns, or give a covariance by --cov",
		s.columns[fault.Coordinate], fault.Reason)
}

// allData returns the coordinates of the rows of all sources, in order.
func allData(sources []*source) []float64 {
	all := sources[0].data
	for _, s := range sources[1:] {
		all = append(slices.Clip(all), s.data...)
	}
	return all
}

// stretch scales and weighs the coordinates of a source.
func (t *transform) stretch(s *source) error {
	if t.scale != "none" {
		t.scaling.Apply(s.data)
		if err := s.checkFinite("--scale " + t.scale); err != nil {
			return err
		}
	}
	if t.weights != nil && len(s.data) > 0 {
		join.Weigh(s.data, t.weights)
		return s.checkFinite("--column-weights")
	}
	return nil
}

// apply does to a source what was fitted to others. The source gives up its data.
func (t *transform) apply(s *source) error {
	if err := t.stretch(s); err != nil {
		return err
	}
	return t.finish(s)
}

// finish turns coordinates that were stretched into the points of the metric.
func (t *transform) finish(s *source) error {
	data, dim := s.data, len(s.columns)
	switch t.metric {
	case metricHaversine:
		unit, err := join.UnitVectors(data)
		if err != nil {
			return s.positionError(err)
		}
		data, dim = unit, 3
	case metricCosine:
		if err := join.Directions(data, dim); err != nil {
			return s.directionError(err)
		}
	case metricMahalanobis:
		t.whitening.Apply(data)
		if err := s.checkFinite("--metric mahalanobis"); err != nil {
			return err
		}
	}
	s.data = nil
	points, err := join.NewPoints(data, dim)
	if err != nil {
		return inputf(s.path, "%w", err)
	}
	metric := join.Metric{Norm: t.norm}
	if len(t.box) == dim { // else the table has no rows
		metric.Box = t.box
	}
	if s.points, err = points.WithMetric(metric); err != nil {
		return s.boxError(err)
	}
	return nil
}

// checkFinite names the first coordinate that a step made overflow.
func (s *source) checkFinite(step string) error {
	dim := len(s.columns)
	if at := slices.IndexFunc(s.data, notFinite); at >= 0 {
		return inputf(s.path, "%s: column %s overflows in %s", step, s.columns[at%dim], s.place(s.tableRow(at/dim)))
	}
	return nil
}

// positionError names the row of the table that has no place on the sphere.
func (s *source) positionError(err error) error {
	var latitude *join.LatitudeError
	if errors.As(err, &latitude) {
		return inputf(s.path, "column %s: declination %s in %s is outside -90 to 90 degrees",
			s.columns[1], exact(latitude.Latitude), s.place(s.tableRow(latitude.Row)))
	}
	return inputf(s.path, "%w", err)
}

// boxError names the row of the table that lies outside the box.
func (s *source) boxError(err error) error {
	var outside *join.BoxError
	if errors.As(err, &outside) {
		return inputf(s.path, "--box: column %s is %s in %s, want 0 or more and less than %s",
			s.columns[outside.Coordinate], exact(outside.Value), s.place(s.tableRow(outside.Row)), exact(outside.Length))
	}
	return inputf(s.path, "%w", err)
}

// directionError names the row of the table that has no direction.
func (s *source) directionError(err error) error {
	var zero *join.DirectionError
	if errors.As(err, &zero) {
		return inputf(s.path, "--metric cosine: all coordinates are 0 in %s, which has no direction: leave such rows out",
			s.place(s.tableRow(zero.Row)))
	}
	return inputf(s.path, "%w", err)
}
