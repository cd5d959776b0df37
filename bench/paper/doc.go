// Package paper has the experiments of the RT-HiSS paper (ray tracing for ε-joins in many
// dimensions), and some beside them, to be run on any machine: `rtcluster bench` is the
// command around it.
//
// An [Experiment] is a file of its own and a line in [Experiments]. It takes a [Setting],
// measures, and returns a [Table] and pictures; what surrounds these, a [Header] with the
// host and the parameters among it, is the same for all.
//
// # Terms
//
// The result R of a self-join has all ordered pairs of rows within ε, each row with itself
// among them. The selectivity is the mean number of other rows that a row has within ε,
// (|R| − n) / n. Response time is all but reading the disk: from rows in memory to the
// result in memory, the index included. A run that takes longer than [Setting.Timeout] is
// cut off; the ratio of times is then a bound, such as "> 12".
package paper
