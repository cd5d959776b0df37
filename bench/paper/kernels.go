package paper

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file reads what Nsight Compute (ncu --csv) prints: some lines of its own that begin
// with ==, lines of the program, and a table with a line for each launch and metric.

// The metrics that are asked for.
const (
	metricThroughput = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
	metricLoads      = "smsp__inst_executed_op_global_ld.sum"
	metricConflicts  = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"
)

func metricList() string {
	return strings.Join([]string{metricThroughput, metricLoads, metricConflicts}, ",")
}

// kernel is what the profiler tells of a kernel, over all its launches.
type kernel struct {
	name       string
	throughput float64 // percent of the peak, the greatest
	loads      float64 // from global memory, instructions
	conflicts  float64 // of banks of shared memory, by loads
}

// The columns that are read.
const (
	columnKernel = "Kernel Name"
	columnMetric = "Metric Name"
	columnValue  = "Metric Value"
)

// readKernels reads the table in what ncu prints.
func readKernels(printed []byte) ([]*kernel, error) {
	begin := bytes.Index(printed, []byte(`"ID",`))
	if begin < 0 {
		return nil, fmt.Errorf("there is no table in its output%s", lastLine(printed))
	}
	r := csv.NewReader(bytes.NewReader(printed[begin:]))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	lines, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	var at [3]int
	for i, name := range []string{columnKernel, columnMetric, columnValue} {
		if at[i] = slices.Index(lines[0], name); at[i] < 0 {
			return nil, fmt.Errorf("its table has no column %q", name)
		}
	}
	var list []*kernel
	for _, line := range lines[1:] {
		if len(line) != len(lines[0]) {
			continue // of the program
		}
		value, err := strconv.ParseFloat(strings.ReplaceAll(line[at[2]], ",", ""), 64)
		if err != nil {
			return nil, fmt.Errorf("metric %s of kernel %s is %q, no number", line[at[1]], line[at[0]], line[at[2]])
		}
		name, _, _ := strings.Cut(line[at[0]], "(")
		i := slices.IndexFunc(list, func(k *kernel) bool { return k.name == name })
		if i < 0 {
			i = len(list)
			list = append(list, &kernel{name: name})
		}
		list[i].add(line[at[1]], value)
	}
	return list, nil
}

// add adds a metric of a launch.
func (k *kernel) add(metric string, value float64) {
	switch metric {
	case metricThroughput:
		k.throughput = max(k.throughput, value)
	case metricLoads:
		k.loads += value
	case metricConflicts:
		k.conflicts += value
	}
}
