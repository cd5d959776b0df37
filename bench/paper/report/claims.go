package main

// claim is what the paper says of an experiment, and what is to be said of ours.
type claim struct {
	paper   string
	ours    string
	summary summary
	onCards bool // it can be measured on a card
}

const introduction = `# The paper's experiments, on our machines

Written by ` + "`go run ./bench/paper/report`" + ` from the files in [paper/results](paper/results), which
` + "`rtcluster bench EXPERIMENT -o bench/paper/results/EXPERIMENT`" + ` writes; their heads have all parameters.
[docs/bench.md](../docs/bench.md) says what is measured and how.

The paper's numbers are of a Quadro RTX 5000 (16 GiB) with the real sets. Ours below are of a CPU with
small synthetic sets of the same numbers of columns, some with a few thousand rows, whose times are
milliseconds. The machine had other work meanwhile: a ratio of two times may be off by a factor of two,
and the least and the greatest ones are. Means tell whether a claim about the *method* holds for an
engine without RT cores; about those, nothing here does. They are geometric for ratios, plain for percents.
`

// claims are by the names of experiments.
func claims() map[string]claim {
	return map[string]claim{
		"height": {
			paper: "response time, averaged over three eps, has a flat minimum that grows with the rows; h = ⌊ln n⌋ levels, " +
				"2^(h−1) leaves, are close to it for all sets.",
			ours: "a leaf is what a vector compares at once, 32 rows, whatever n. The paper's rule gives leaves of 126 to 355 rows " +
				"for its sets, which keep a block of threads busy; a CPU has no need for that many at a time, and smaller boxes leave " +
				"less to compare. Below 32 rows the vectors are not full any more: time grows although fewer rows are compared. " +
				"With so few rows as here, the paper's rule gives leaves of 41 to 114 rows, and costs little.",
			summary: summary{by: []string{"choice"}, value: "of the best", kind: ratios},
		},
		"grouping": {
			paper: "leaves as primitives are 42.4 times as fast as points on average, 16.2 (WEC) to 130.6 times (SuSy).",
			ours: "the direction is the same, the factor smaller: on a card the many primitives are paid for in the traversal by rays, " +
				"which here is a walk by leaves of queries in either case. What is left is the price of measuring rows one by one.",
			summary: summary{by: []string{"primitives"}, value: "speedup", kind: ratios},
		},
		"refine": {
			paper: "tiles of query and primitive are 2.12 times as fast as none on average, of primitives alone 2.64 times; " +
				"of queries alone they are slower than none on some sets.",
			ours:    "a CPU has no shared memory. A tile here is rows in float32, transposed, for vector loads, and caches do the rest.",
			summary: summary{by: []string{"tiles of"}, value: "speedup", kind: ratios},
		},
		"result": {
			paper: "a compressed mask is 1.65 times as fast as key–value pairs on average, and 1.24 times as fast as a plain mask, " +
				"since fewer batches are needed (a 64th) and less is copied from the card.",
			ours: "the numbers of batches behave as the paper says: those of key–value pairs are tens of times those of a mask. Times " +
				"differ less, since nothing is copied from a card. Pairs that are streamed as they are found, which is what rtcluster " +
				"does, need no first search that counts, and are the fastest on average.",
			summary: summary{by: []string{"result"}, value: "speedup", kind: ratios},
		},
		"compare": {
			paper: "RT-HiSS is up to 9.19 times as fast as GDS-Join and 8.37 times as COSS, 34 to 4,180 times as PyTorch3D, and 4.74 to " +
				"2,368 times as brute force by cuVS; up to 1.88 times as RTNN in three dimensions.",
			ours: "the programs that the paper compares with want a card, and none was measured here; `--programs` takes them. " +
				"Brute force is float64 by the contract's predicate, each pair once, on all threads.",
			summary: summary{by: []string{"program"}, value: "of ours", kind: ratios},
			onCards: true,
		},
		"prune": {
			paper: "at the largest eps, three axes save 64.7 % of the distances or more for WEC, MSD, SuSy and BigCross, 37.9 % for Higgs, " +
				"and nothing for Sift; more than GDS-Join's grid along six, but for SuSy.",
			ours: "what is saved depends on the data and hardly on the machine. Synthetic sets of six hidden dimensions " +
				"prune better than real ones. Principal axes see these dimensions, which no three coordinates show.",
			summary: summary{by: []string{"index", "axes"}, value: "saved %", kind: percents, called: fewAxes},
		},
		"profile": {
			paper:   "refinement on CUDA cores takes 59.54 % of the time, the kd-tree 15.71 %, the CPU 11.30 %, and RT cores 6.58 %. Tiles in shared memory raise the throughput 2.06 to 4.34 times and save 85.64 to 98.35 % of the loads from global memory; 13.86 % of the loads from shared memory meet bank conflicts.",
			ours:    "the CPU engine searches and refines leaf by leaf, in one stage, so that these have no times of their own. The index is a larger share the fewer neighbors there are.",
			summary: summary{by: []string{"engine", "stage"}, value: "share", kind: percents},
			onCards: true,
		},
		"scale": {
			ours: "a run takes one card so far, so nothing is measured over several. A small n with many neighbors " +
				"needs an eps as wide as the groups of rows: the few rows' eps is not that of the many.",
			onCards: true,
		},
	}
}

// fewAxes calls all numbers of axes the same that are those of a set.
func fewAxes(column, text string) string {
	if column == "axes" && text != "3" && text != "6" {
		return "all"
	}
	return text
}
