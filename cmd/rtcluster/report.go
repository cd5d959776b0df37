package main

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"rtcluster/cmd/rtcluster/internal/settings"
	"rtcluster/io/table"
	"rtcluster/join"
)

// reportSchema is the version of the report's form, which docs/report.schema.json has.
// It grows when a field changes its meaning or goes; a new field leaves it, and is added
// there.
//
//	2  outliers has a list of scores, in parameters and in counts, each with its
//	   method, k and what is told of it; what dbscan tells is that of 1
const reportSchema = 2

// The keys of the metadata of Parquet.
const (
	keyVersion = "rtcluster.version"
	keyParams  = "rtcluster.params"  // parameters, as JSON
	keySummary = "rtcluster.summary" // counts and warnings of the report, as JSON
	keyInputs  = "rtcluster.inputs"  // the files that it was made of, as JSON
)

// report is what --report writes: what was run, on what, and what came out. It
// holds no paths but those the user gave and nothing of the environment.
// Numbers read back to the same float64.
type report struct {
	Schema     int                `json:"schema_version"`
	Version    string             `json:"version"`
	Command    string             `json:"command"`
	Args       []string           `json:"args"`
	Settings   []settings.Value   `json:"settings,omitempty"` // those in force that Args does not have
	Inputs     []reportInput      `json:"inputs"`
	Reference  []reportInput      `json:"reference,omitempty"`      // the files that outliers scores by
	Output     string             `json:"output,omitempty"`         // absent: standard output, or none on a terminal
	Clusters   string             `json:"clusters_table,omitempty"` // the table of the clusters
	Columns    []string           `json:"columns"`
	Parameters *parameters        `json:"parameters"`
	ParamsSum  string             `json:"parameters_crc32c"` // see parameters.sum
	Engine     string             `json:"engine"`
	Device     string             `json:"device,omitempty"`        // the name of the engine's card
	EngineWhy  string             `json:"engine_reason,omitempty"` // why --engine auto took a card, and why it did not stay
	Threads    int                `json:"threads"`
	Memory     *reportMemory      `json:"memory,omitempty"` // with --memory-limit
	Counts     any                `json:"counts"`           // the counts of the command, see its file
	Verified   int                `json:"verified_rows,omitempty"`
	Warnings   []string           `json:"warnings"`
	Seconds    map[string]float64 `json:"seconds"` // by stage, and "total"

	Effort map[join.Stage]join.Effort `json:"effort"` // what the engine did, by stage
}

type reportInput struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes,omitempty"` // absent for standard input
	Rows  int64  `json:"rows"`
}

// parameters are the settings that decide the result, of any command; what a
// command does not have is absent.
type parameters struct {
	Command        string     `json:"command"`
	Columns        []string   `json:"columns,omitempty"`
	ID             string     `json:"id,omitempty"`
	Weight         string     `json:"weight,omitempty"`
	NaN            string     `json:"nan,omitempty"`
	Scale          string     `json:"scale,omitempty"`
	ScaleCenter    []float64  `json:"scale_center,omitempty"` // coordinate = (value - center) / width
	ScaleWidth     []float64  `json:"scale_width,omitempty"`
	Weights        []float64  `json:"column_weights,omitempty"` // then coordinate = coordinate * weight
	Metric         string     `json:"metric,omitempty"`
	Box            []float64  `json:"box,omitempty"`
	Covariance     string     `json:"cov,omitempty"`          // the file, if it is not the covariance of the rows
	WhiteCenter    []float64  `json:"white_center,omitempty"` // then, for mahalanobis, see join.Whitening
	WhiteFactor    []float64  `json:"white_factor,omitempty"` // row-major
	Eps            *float64   `json:"eps,omitempty"`          // in eps_unit, or the unit of the coordinates
	EpsUnit        string     `json:"eps_unit,omitempty"`
	Levels         []levelEps `json:"levels,omitempty"`   // in place of eps and eps_unit, where there are several
	Level          int        `json:"level,omitempty"`    // the one of them that predict went by, from 1
	EpsRule        *ruleUsed  `json:"eps_rule,omitempty"` // what eps auto was found by
	MinSamples     int        `json:"min_samples,omitempty"`
	Border         string     `json:"border,omitempty"`
	Order          string     `json:"order,omitempty"`
	MinClusterSize int        `json:"min_cluster_size,omitempty"`
	Prefix         string     `json:"prefix,omitempty"` // before the names of the columns added
	K              int        `json:"k,omitempty"`
	Aggregate      string     `json:"aggregate,omitempty"`
	Counts         bool       `json:"counts,omitempty"`
	Sort           bool       `json:"sort,omitempty"`

	Scores    []scoreParameters `json:"scores,omitempty"` // of outliers
	Ties      string            `json:"ties,omitempty"`   // absent: k
	Lambda    float64           `json:"lambda,omitempty"`
	Fraction  float64           `json:"fraction,omitempty"`
	AllPLOF   bool              `json:"all_plof,omitempty"`
	Reference string            `json:"reference,omitempty"`
	Cut       *cutParameters    `json:"cut,omitempty"` // what flags rows by them
}

// levelEps is one of several eps.
type levelEps struct {
	Eps     float64 `json:"eps"`
	EpsUnit string  `json:"eps_unit,omitempty"`
}

// ruleUsed tells how an eps was found.
type ruleUsed struct {
	Rule     string  `json:"rule"`
	Value    float64 `json:"value,omitempty"`         // the rule's parameter
	K        int     `json:"k"`                       // k-distances are to the k-th other row
	Measured int     `json:"rows_measured,omitempty"` // absent: all
	Seed     uint64  `json:"seed"`
	Reason   string  `json:"reason,omitempty"` // absent for a table without rows, which has no eps
}

// rowCounts tells how many rows took part.
type rowCounts struct {
	Rows    int64 `json:"rows"`
	Used    int64 `json:"rows_used"`
	Dropped int64 `json:"rows_dropped"`

	DroppedFor []badCounts `json:"rows_dropped_for,omitempty"`
}

// badCounts tells how many values of a column are no finite numbers.
type badCounts struct {
	Column   string `json:"column"`
	Missing  int64  `json:"missing"`
	NaN      int64  `json:"nan"`
	Infinite int64  `json:"infinite"`
}

// setParameters records the settings that all commands with an input share.
func (j *job) setParameters(in *inputOptions, columns []string, t *transform) *parameters {
	j.report.Columns = columns
	j.report.Parameters = &parameters{
		Command: j.report.Command, Columns: columns, ID: in.ID, Weight: in.Weight, NaN: in.NaN,
		Scale: t.scale, ScaleCenter: t.scaling.Center, ScaleWidth: t.scaling.Width, Weights: t.weights,
		Metric: t.metric, Box: t.box, Covariance: t.cov, WhiteCenter: t.whitening.Center, WhiteFactor: t.whitening.Factor,
	}
	return j.report.Parameters
}

// sum is a checksum of the parameters: one that was edited shows in it, whatever the
// spaces and the order.
func (p *parameters) sum() (string, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("parameters as JSON: %w", err)
	}
	return checksum(text), nil
}

func checksum(text []byte) string {
	return fmt.Sprintf("%08x", crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
}

func (p *parameters) setEps(r radius) { p.Eps, p.EpsUnit = &r.Value, r.Unit }

func (r *report) setSeconds(clock *stopwatch) {
	r.Seconds = map[string]float64{"total": clock.total().Seconds()}
	for _, s := range clock.stages() {
		r.Seconds[s.name] = s.spent.Seconds()
	}
}

// metadata returns the key-value metadata of a Parquet output. It depends on
// the data and the parameters alone, so that equal runs write equal files: what the
// report has beside it, such as times and threads, may differ.
func (r *report) metadata() (map[string]string, error) {
	params, err := json.Marshal(r.Parameters)
	if err != nil {
		return nil, fmt.Errorf("parameters as JSON: %w", err)
	}
	summary, err := json.Marshal(struct {
		Counts    any      `json:"counts"`
		Warnings  []string `json:"warnings"`
		ParamsSum string   `json:"parameters_crc32c"`
	}{r.Counts, r.Warnings, checksum(params)})
	if err != nil {
		return nil, fmt.Errorf("summary as JSON: %w", err)
	}
	inputs, err := json.Marshal(struct {
		Command   string        `json:"command"`
		Inputs    []reportInput `json:"inputs"`
		Reference []reportInput `json:"reference,omitempty"`
	}{r.Command, r.Inputs, r.Reference})
	if err != nil {
		return nil, fmt.Errorf("inputs as JSON: %w", err)
	}
	return map[string]string{
		keyInputs:  string(inputs),
		keyVersion: r.Version,
		keyParams:  string(params),
		keySummary: string(summary),
	}, nil
}

// write writes the report to a new file that replaces the one at path, if any,
// in one step.
func (r *report) write(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("report as JSON: %w", err)
	}
	return table.ReplaceFile(path, append(text, '\n'))
}

// writeJSON writes what a command tells as one JSON object.
func writeJSON(w io.Writer, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("result as JSON: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// jsonFloat is a number in JSON, where infinities, which JSON lacks, are the
// words that Go reads back.
type jsonFloat float64

// MarshalJSON implements json.Marshaler.
func (x jsonFloat) MarshalJSON() ([]byte, error) {
	if f := float64(x); math.IsInf(f, 0) || math.IsNaN(f) {
		return json.Marshal(exact(f))
	}
	return json.Marshal(float64(x))
}
