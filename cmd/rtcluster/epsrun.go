package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"rtcluster/dbscan"
	"rtcluster/epsilon"
	"rtcluster/join"
)

// epsCounts is what a report counts.
type epsCounts struct {
	rowCounts
	Measured    int         `json:"rows_measured"`
	Suggestions []suggested `json:"suggestions"`
}

// suggested is what one rule finds, and what DBSCAN makes of it. Where the rule
// finds none, only the reason is there.
type suggested struct {
	Rule     string     `json:"rule"`
	Value    float64    `json:"value,omitempty"` // the rule's parameter
	Eps      *float64   `json:"eps"`
	EpsUnit  string     `json:"eps_unit,omitempty"`
	Reason   string     `json:"reason"`
	Clusters *clustered `json:"dbscan,omitempty"`
	RedFlag  string     `json:"red_flag,omitempty"`

	radius radius
}

// clustered counts what DBSCAN finds with an eps.
type clustered struct {
	Clusters int `json:"clusters"`
	Core     int `json:"core"`
	Border   int `json:"border"`
	Noise    int `json:"noise"`
	Largest  int `json:"largest_cluster"` // rows
}

func runEps(ctx context.Context, a *app, opt *epsOptions) (err error) {
	opt.Output.Path = "-"
	j, err := a.start("eps", &opt.Run, &opt.Output)
	if err != nil {
		return err
	}
	j.plan = j.planEps(opt)
	in, err := j.read(ctx, opt.Paths, &opt.Input, &opt.Metric, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	opt.settle(in.source)
	if err := in.enoughRows(opt.K, fmt.Sprintf("k = %d", opt.K)); err != nil {
		return err
	}
	in.params.K, in.params.MinSamples = opt.K, opt.MinSamples
	search := &epsSearch{engine: j.engine.join, metric: &opt.Metric, k: opt.K, sample: opt.Sample, seed: opt.Run.Seed}
	j.work.cpu = "cards are no faster at nearest rows"
	account := newEpsAccount(j, opt, in.source)
	if in.points.Rows() > 0 {
		err := j.withIndex(ctx, in.points, func(ctx context.Context, idx join.Index) error {
			if err := search.measure(ctx, idx); err != nil {
				return err
			}
			account.measured(search)
			account.Suggestions, err = search.suggestAll(ctx, idx, opt)
			return err
		})
		if err != nil {
			return err
		}
	}
	j.report.Counts = &epsCounts{rowCounts: in.rowCounts(), Measured: account.Measured, Suggestions: account.Suggestions}
	return j.show(opt, account)
}

// show writes the plot, and the account to standard output.
func (j *job) show(opt *epsOptions, account *epsAccount) (err error) {
	if j.drawing() {
		picture, err := account.picture()
		if err != nil {
			j.undrawn(err)
		}
		if err := j.showPicture(picture, "distances to the "+ordinal(account.K)+" nearest other row, and what rules make of them",
			"Curve of the sorted k-distances, with a line at each suggested eps; the table of suggestions has their values."); err != nil {
			return err
		}
		j.savePlot(picture)
	}
	if opt.JSON {
		err = writeJSON(j.out, account)
	} else {
		_, err = io.WriteString(j.out, account.text())
	}
	if err != nil {
		return writeError("-", err)
	}
	return j.finish()
}

// suggestAll applies the rules, and DBSCAN with what they find.
func (s *epsSearch) suggestAll(ctx context.Context, idx join.Index, opt *epsOptions) ([]suggested, error) {
	all := []suggested{}
	done := map[radius]*dbscan.Result{} // rules may agree
	for _, rule := range opt.Rules {
		found, err := s.suggest(ctx, idx, rule)
		entry := suggested{Rule: found.Rule.Name, Value: found.Rule.Value, Reason: found.Reason}
		var none *epsilon.NoneError
		if errors.As(err, &none) {
			entry.Reason = none.Reason
			all = append(all, entry)
			continue
		} else if err != nil {
			return nil, err
		}
		entry.setEps(found.Radius)
		res := done[found.Radius]
		if res == nil {
			if res, err = dbscan.Cluster(ctx, idx, dbscan.Options{Eps: found.Radius.join(), MinSamples: opt.MinSamples}); err != nil {
				return nil, err
			}
			done[found.Radius] = res
		}
		entry.setClusters(res)
		all = append(all, entry)
	}
	return all, nil
}

func (e *suggested) setEps(r radius) { e.Eps, e.EpsUnit, e.radius = &r.Value, r.Unit, r }

func (e *suggested) setClusters(res *dbscan.Result) {
	e.Clusters = &clustered{Clusters: res.Clusters, Core: res.Cores, Border: res.Borders, Noise: res.Noise}
	if largest := largestClusters(res); len(largest) > 0 {
		e.Clusters.Largest = largest[0].Rows
	}
	e.RedFlag = foundFlag(res)
}

// foundFlag says what shows that an eps that a rule has found can hardly be meant, "" for
// nothing.
func foundFlag(res *dbscan.Result) string {
	const nearly = 0.9 // of the rows in one cluster leave little to tell apart
	if flag := redFlag(res); flag != "" || res.Clusters == 0 {
		return flag
	}
	share := float64(largestClusters(res)[0].Rows) / float64(len(res.Labels))
	if share < nearly {
		return ""
	}
	return fmt.Sprintf("one cluster holds %s of the rows", percent(share))
}
