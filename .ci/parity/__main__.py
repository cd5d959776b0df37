#!/usr/bin/env python3
"""Sees that DBSCAN's labels are those of the current scikit-learn.

Clusters the sets in ../shared/data, where they are there, and some thousands of small
tables made to be hard (lattices with pairs exactly at eps, duplicates, far offsets, 1
to 128 dimensions, weights, each metric) with `rtcluster dbscan` and with scikit-learn's
DBSCAN, and compares every label and every core flag; ids are the same too, since ours
follow scikit-learn's order. A table that differs is excused only if the rules of the
two that are known to differ explain all of it (compare.py says how); each pair or
row behind it is shown. Ends with

    N equal, E excused, M different

and exits with 1 unless M is 0. It needs Go, or a built rtcluster. scikit-learn is
installed from PyPI into a folder of its own, and is gone afterwards, unless --here says
that this Python has it.

    python3 .ci/parity [--here] [--tables N] [--seed S] [--plant] [PATH OF RTCLUSTER]
    python3 .ci/parity --help
"""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import oracle


def arguments():
    parser = oracle.parser(".ci/parity", __doc__, tables=4000, data="data")
    parser.add_argument("--show", type=int, default=5, metavar="N", help="how many pairs or rows are shown of a table (%(default)s)")
    return parser.parse_args()


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        if not options.here:
            return oracle.elsewhere(__file__, folder, "scikit-learn")
        import compare  # here only: it needs scikit-learn
        import tables

        program = oracle.built(options.program, folder)
        tally = compare.Tally(program, folder, options.plant, options.show)
        for case in tables.everything(options.data, options.tables, options.seed):
            if options.only in case.name:
                tally.compare(case)
        return tally.end()


if __name__ == "__main__":
    sys.exit(main())
