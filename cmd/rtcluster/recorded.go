package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"

	"rtcluster/dbscan"
	"rtcluster/io/table"
	"rtcluster/join"
)

// recorded is what a clustering tells of itself: in the metadata of its Parquet
// files, or in its run report.
type recorded struct {
	path    string // the file that tells it
	version string
	params  parameters
	counts  *dbscanCounts // nil if it does not tell

	paramsSum string // as it was recorded, "" if it was not

	all    *levelsCounts // of several clusterings, until choose; nil if it does not tell
	levels int           // how many there were to choose from, 0 for one alone
}

// readMetadata reads what the files of a clustered table tell.
func readMetadata(clustered string, t *table.Table) (*recorded, error) {
	var texts [3]string
	for i, key := range []string{keyParams, keyVersion, keySummary} {
		text, found, err := t.KeyValue(key)
		if err != nil {
			return nil, readError(clustered, err)
		}
		if !found && key == keyParams {
			return nil, inputf(clustered, "it holds no parameters of a clustering; CSV cannot, and other programs drop those of Parquet: "+
				"name the run report, which rtcluster dbscan --report run.json writes, by --params run.json")
		}
		texts[i] = text
	}
	var summary struct {
		Counts    json.RawMessage `json:"counts"`
		ParamsSum string          `json:"parameters_crc32c"`
	}
	if texts[2] != "" {
		if err := json.Unmarshal([]byte(texts[2]), &summary); err != nil {
			return nil, inputf(clustered, "%s in its metadata is damaged: %w", keySummary, jsonFault(err))
		}
	}
	rec := &recorded{path: clustered, version: texts[1], paramsSum: summary.ParamsSum}
	return rec, rec.decode([]byte(texts[0]), summary.Counts)
}

// reportFile is a run report as it was read, its parts not yet understood.
type reportFile struct {
	Schema     int             `json:"schema_version"`
	Version    string          `json:"version"`
	Parameters json.RawMessage `json:"parameters"`
	ParamsSum  string          `json:"parameters_crc32c"`
	Counts     json.RawMessage `json:"counts"`
}

// openReport reads a run report of any command, of a schema that this version knows.
func openReport(path string) (*reportFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, readError(path, err)
	}
	r := &reportFile{}
	err = json.Unmarshal(text, r)
	switch {
	case err != nil:
		return nil, inputf(path, "it is no run report, which --report writes: %w", jsonFault(err))
	case r.Schema == 0 || r.Parameters == nil || isNull(r.Parameters):
		return nil, inputf(path, "it is no run report, which --report writes: it lacks schema_version or parameters")
	case r.Schema < 0 || r.Schema > reportSchema:
		return nil, inputf(path, "it is a run report of schema version %d, written by rtcluster %s, and this version reads those up to %d: use that one",
			r.Schema, r.Version, reportSchema)
	}
	return r, nil
}

// readReport reads the run report of a clustering.
func readReport(path string) (*recorded, error) {
	r, err := openReport(path)
	if err != nil {
		return nil, err
	}
	rec := &recorded{path: path, version: r.Version, paramsSum: r.ParamsSum}
	return rec, rec.decode(r.Parameters, r.Counts)
}

// isNull reports whether a value of JSON is null.
func isNull(text json.RawMessage) bool { return string(text) == "null" }

// jsonFault says what JSON holds in the place of something else, without the names
// of Go's types.
func jsonFault(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	place := "at its top"
	if wrong.Field != "" {
		place = "as " + wrong.Field
	}
	return fmt.Errorf("it has JSON %s %s, which is something else there", wrong.Value, place)
}

// decode reads and checks the parameters, and the counts if there are any.
func (r *recorded) decode(params, counts json.RawMessage) error {
	d := json.NewDecoder(bytes.NewReader(params))
	d.DisallowUnknownFields() // what is not understood decides the result, too
	err := d.Decode(&r.params)
	if _, more := d.Token(); err == nil && !errors.Is(more, io.EOF) {
		err = errors.New("there is more behind them")
	}
	if err != nil {
		return inputf(r.path, "the parameters, recorded by rtcluster %s, are damaged or unknown to this version: %w", r.version, jsonFault(err))
	}
	if r.params.Command != "dbscan" {
		return inputf(r.path, "the parameters are those of rtcluster %s, not of dbscan: name the run report of the clustering by --params", r.params.Command)
	}
	if err := r.params.check(); err != nil {
		return inputf(r.path, "the recorded parameters cannot be used: %w", err)
	}
	if sum, err := r.params.sum(); err != nil || r.paramsSum != "" && r.paramsSum != sum {
		return inputf(r.path, "the recorded parameters were edited since, and are not those of the clustering: cluster again with what is wanted")
	}
	if len(counts) > 0 && !isNull(counts) {
		if err := r.decodeCounts(counts); err != nil {
			return inputf(r.path, "the recorded counts are damaged: %w", jsonFault(err))
		}
	}
	return nil
}

// check finds what cannot be the parameters of a clustering.
func (p *parameters) check() error {
	switch {
	case len(p.Columns) == 0:
		return errors.New("columns are missing")
	case p.Eps == nil && p.EpsRule != nil:
		return errors.New("eps auto found none, since the clustering had no rows: cluster rows, or give --eps")
	case p.Eps == nil && len(p.Levels) < 2:
		return errors.New("eps is missing")
	case p.Eps != nil && p.Levels != nil:
		return errors.New("there are both eps and levels")
	case !slices.Contains([]dbscan.Border{dbscan.BorderFirst, dbscan.BorderNearest, dbscan.BorderNoise}, dbscan.Border(p.Border)):
		return fmt.Errorf("border is %q", p.Border)
	case p.Order != "" && p.Order != orderRow && p.Order != orderSize:
		return fmt.Errorf("order is %q", p.Order)
	case p.MinClusterSize < 0:
		return fmt.Errorf("min_cluster_size is %d", p.MinClusterSize)
	case p.NaN != "error" && p.NaN != "drop":
		return fmt.Errorf("nan is %q", p.NaN)
	}
	for _, r := range p.radii() {
		if err := join.CheckEps(r.Value); err != nil {
			return err
		}
		if err := p.checkUnit(r.Unit); err != nil {
			return err
		}
	}
	if !p.understood() {
		return errors.New("there is a setting that predict does not know")
	}
	return p.checkTransform()
}

// understood reports whether predict knows all settings that there are: what it
// would pass over could decide the result.
func (p *parameters) understood() bool {
	rest := *p
	rest.Command, rest.Columns, rest.ID, rest.Weight, rest.NaN, rest.Prefix = "", nil, "", "", "", ""
	rest.Scale, rest.ScaleCenter, rest.ScaleWidth, rest.Weights = "", nil, nil, nil
	rest.Metric, rest.Box, rest.Covariance, rest.WhiteCenter, rest.WhiteFactor = "", nil, "", nil, nil
	rest.Eps, rest.EpsUnit, rest.Levels, rest.EpsRule, rest.MinSamples, rest.Border, rest.Counts = nil, "", nil, nil, 0, "", false
	rest.Order, rest.MinClusterSize = "", 0
	return reflect.DeepEqual(rest, parameters{})
}

// checkUnit wants the unit of an eps to be one of the metric, if that is known.
func (p *parameters) checkUnit(unit string) error {
	known := unit == ""
	switch p.Metric {
	case metricHaversine:
		_, known = degreesOf(0, unit)
	case metricCosine:
		known = unit == cosineUnit
	}
	if !known {
		return fmt.Errorf("eps_unit is %q for the metric %s", unit, p.Metric)
	}
	return nil
}

// checkTransform wants a metric that predict knows, with the numbers that it takes.
func (p *parameters) checkTransform() error {
	dim, scaled, centers := len(p.Columns), 0, 0
	_, flat := p.metric().norm()
	switch p.Metric {
	case metricEuclidean, metricManhattan, metricChebyshev, metricCosine:
	case metricHaversine:
		if dim != 2 {
			return fmt.Errorf("haversine takes two columns, not %d", dim)
		}
	case metricMahalanobis:
		centers = dim
	default:
		return fmt.Errorf("metric is %q, which predict does not know", p.Metric)
	}
	switch p.Scale {
	case "none":
	case "standard", "minmax", "robust":
		scaled = dim
	default:
		return fmt.Errorf("scale is %q", p.Scale)
	}
	for _, numbers := range []struct {
		name      string
		got, want int
	}{
		{"scale_center", len(p.ScaleCenter), scaled},
		{"scale_width", len(p.ScaleWidth), scaled},
		{"white_center", len(p.WhiteCenter), centers},
		{"white_factor", len(p.WhiteFactor), centers * centers},
	} {
		if numbers.got != numbers.want {
			return fmt.Errorf("%s has %s for %s", numbers.name, plural(numbers.got, "number", "numbers"), plural(dim, "column", "columns"))
		}
	}
	for name, list := range map[string][]float64{"column_weights": p.Weights, "box": p.Box} {
		if list != nil && len(list) != dim {
			return fmt.Errorf("%s has %s for %s", name, plural(len(list), "number", "numbers"), plural(dim, "column", "columns"))
		}
	}
	if p.Box != nil && !flat {
		return fmt.Errorf("there is a box for the metric %s", p.Metric)
	}
	return nil
}

// metric is what is recorded of the flags of the metric.
func (p *parameters) metric() *metricOptions {
	return &metricOptions{Metric: p.Metric, Weights: p.Weights, Box: p.Box, Cov: p.Covariance}
}

// transform is the one that was fitted to the rows of the clustering.
func (p *parameters) transform() *transform {
	norm, _ := p.metric().norm()
	return &transform{
		scale: p.Scale, scaling: join.Scaling{Center: p.ScaleCenter, Width: p.ScaleWidth}, weights: p.Weights,
		metric: p.Metric, cov: p.Covariance, whitening: join.Whitening{Center: p.WhiteCenter, Factor: p.WhiteFactor},
		box: p.Box, norm: norm,
	}
}
