#!/usr/bin/env python3
"""Sees that outlier scores are those of scikit-learn, PyOD, PyNomaly and ELKI.

Scores the sets in ../shared/data/outlier, where they are there, and made tables of 1 to
64 columns without ties, and some with nothing but ties, by every method and several k,
with `rtcluster outliers` and with each of the others that has the method, and compares
every score to 1e-9 of it; new rows, flags and evaluations too. A row that differs is
excused only where the two are known to differ (peers.py says by what rule); such rows are
counted and the first is shown. Ends with

    N equal, M excused, K different

counts of scores of a whole table, and exits with 1 unless K is 0. It needs Go, or a
built rtcluster. The first three are installed from PyPI into a folder of their own, and
are gone afterwards, unless --here says that this Python has them. ELKI takes
part if --elki names its jar, or a folder of all its jars (version 0.8.0 is known to
work), and java is there.

    python3 .ci/scores [--here] [--elki JAR] [--tables N] [--seed S] [--plant] [PATH OF RTCLUSTER]
    python3 .ci/scores --help
"""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import oracle


def arguments():
    parser = oracle.parser(".ci/scores", __doc__, tables=128, data="data/outlier")
    parser.add_argument("--elki", type=pathlib.Path, metavar="JAR", help="ELKI's jar, or a folder of its jars")
    return parser.parse_args()


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        if not options.here:
            return oracle.elsewhere(__file__, folder, "scikit-learn", "pyod", "pynomaly")
        import compare  # here only: they need the packages
        import peers
        import tables

        program = oracle.built(options.program, folder)
        tally = compare.Tally(program, folder, options.plant, options.only)
        for case in tables.everything(options.data, options.tables, options.seed):
            tally.begin(case)
            for claim in peers.of(case, options.elki, folder):
                tally.compare(case, claim)
            tally.together(case)
            tally.evaluate(case)
        return tally.end()


if __name__ == "__main__":
    sys.exit(main())
