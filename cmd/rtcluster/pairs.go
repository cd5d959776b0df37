package main

import (
	"cmp"
	"context"

	"rtcluster/io/table"
	"rtcluster/join"
)

// joinPairs writes the pairs as the engine finds them.
func (j *job) joinPairs(ctx context.Context, opt *joinOptions, in *joinInputs) (err error) {
	w, err := j.newPairWriter(in, opt)
	if err != nil {
		return err
	}
	defer w.abort()
	var check *join.PairCheck
	if j.runOpt.Verify > 0 {
		rows := float64(min(j.runOpt.Verify, in.a.points.Rows()))
		if err := needMemory("--verify: a bit for each pair of the rows to verify", rows, float64(in.indexed().points.Rows()), 1./8); err != nil {
			return err
		}
		check = join.NewPairCheck(in.queries(), in.indexed().points, opt.Eps.join(), j.sample(in.a.points.Rows()))
	}
	err = j.withIndex(ctx, in.indexed().points, func(ctx context.Context, idx join.Index) error {
		emit := func(pairs []join.Pair) error {
			if check != nil {
				check.See(pairs)
			}
			return w.write(pairs)
		}
		if opt.Sort {
			return sortedPairs(ctx, idx, in.queries(), opt.Eps.join(), cmp.Or(j.sortPairs, sortBudget), emit)
		}
		return idx.Pairs(ctx, in.queries(), opt.Eps.join(), emit)
	})
	if err != nil {
		return err
	}
	err = j.verify(in.a.points.Rows(), func([]int) error { return check.Err() })
	if err != nil {
		return err
	}
	j.count(in, w.pairs)
	return w.commit(j)
}

// pairWriter turns pairs of points into rows of the output.
type pairWriter struct {
	out         *table.Writer // nil: nowhere, pairs are only counted
	path        string
	in          *joinInputs
	metric      join.Metric
	distance    func(measure float64) float64
	pairs       int64
	left, right []int64
	far         []float64
}

func (j *job) newPairWriter(in *joinInputs, opt *joinOptions) (*pairWriter, error) {
	if j.silent() {
		return &pairWriter{in: in}, nil
	}
	return newPairWriter(j.outputPath(), in, &opt.Metric, table.WriteOptions{
		Compression: opt.Output.Compression, Force: opt.Output.Force, Stdout: j.out,
	})
}

// newPairWriter begins a file of pairs.
func newPairWriter(path string, in *joinInputs, metric *metricOptions, opt table.WriteOptions) (*pairWriter, error) {
	w := &pairWriter{in: in, path: path, metric: in.a.points.Metric(), distance: metric.distance()}
	fields := []table.Field{
		{Name: "left", Type: table.Int64}, {Name: "right", Type: table.Int64}, {Name: "distance", Type: table.Float64},
	}
	var err error
	w.out, err = table.Create(w.path, fields, opt)
	return w, writeError(w.path, err)
}

func (w *pairWriter) write(pairs []join.Pair) error {
	w.pairs += int64(len(pairs))
	if w.out == nil {
		return nil
	}
	w.left, w.right, w.far = w.left[:0], w.right[:0], w.far[:0]
	queries, indexed := w.in.a.points, w.in.indexed()
	for _, p := range pairs {
		w.left = append(w.left, w.in.a.tableRow(int(p.I)))
		w.right = append(w.right, indexed.tableRow(int(p.J)))
		w.far = append(w.far, w.distance(w.metric.Measure(queries.Row(int(p.I)), indexed.points.Row(int(p.J)))))
	}
	return writeError(w.path, w.out.Write(w.left, w.right, w.far))
}

func (w *pairWriter) commit(j *job) error {
	if w.out == nil {
		return nil
	}
	j.clock.start("write")
	defer j.clock.stop("write")
	metadata, err := j.report.metadata()
	if err != nil {
		return err
	}
	w.out.SetMetadata(metadata)
	err = w.out.Commit()
	j.written.Store(err == nil)
	return writeError(w.path, err)
}

func (w *pairWriter) abort() {
	if w.out != nil {
		w.out.Abort()
	}
}
