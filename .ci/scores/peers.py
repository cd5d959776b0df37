"""What others score the tables: scikit-learn, PyOD, PyNomaly, and ELKI if it is there.

They differ from ours by these rules alone, which excuse a row:

* scikit-learn's LOF and ELKI's LoOP take k of the rows that tie at the k-th distance,
  which ones is not said. A row is excused if it, or one of its neighbours, has such ties;
  in LoOP all rows are, since all share one deviation.
* ELKI takes ties by the rounded root of d2, ours by d2: a row is excused if the two tell
  ties apart otherwise, for it or one of its neighbours.
* scikit-learn adds 1e-10 to reachability distances. It is given the rows times a power
  of two, which changes no score of ours, so that this is below rounding but beside heaps
  of equal rows. A row with such a heap among its neighbours is excused.
* ELKI's default index loses some of the rows that tie: it is told to use its R*-tree.
* ELKI's flag of db is for less than the share of rows, rounded down: a row of just so
  many neighbours is excused.
* ELKI's LDOF is 1 where all neighbours are on one place and the row is not: ours +Inf.
"""

import dataclasses
import re
import subprocess
import warnings

import numpy
from near import Near
from pyod.models.knn import KNN
from PyNomaly.loop import LocalOutlierProbability
from sklearn.cluster import DBSCAN
from sklearn.neighbors import KDTree, LocalOutlierFactor

SCALE = 2.0**40  # exact, and makes scikit-learn's 1e-10 vanish
INDEX = ["-db.index", "tree.spatial.rstarvariants.rstar.RStarTreeFactory", "-pagefile.pagesize", "4096"]
MOST_ROWS = 4000  # of tables for ELKI, which needs days for LDOF where ties are many


@dataclasses.dataclass
class Claim:
    """The scores of a table, by a peer."""

    peer: str
    flags: tuple  # what makes ours the same
    scores: numpy.ndarray
    excused: numpy.ndarray | None = None  # rows that may differ
    new: bool = False  # the scores are those of the new rows
    column: str = "score"
    least: float = 0.0  # scores below this need agree only to 1e-9 of it


def of(case, jar, folder):
    """Yields what all peers say of a table."""
    near = Near(case.rows, max(case.ks))
    yield from scikit_learn(case, near)
    yield from pyod(case)
    yield from pynomaly(case, near)
    if jar and len(case.rows) <= MOST_ROWS:
        yield from elki(case, near, jar, folder)


def scikit_learn(case, near):
    warnings.filterwarnings("ignore", message="Duplicate values are leading")
    for k in case.ks:
        found = LocalOutlierFactor(n_neighbors=k, algorithm="kd_tree").fit(case.rows * SCALE)
        excused = near.near(k, near.tied(k)) | near.near(k, near.heap(k))
        yield Claim("scikit-learn", ("--method", "lof", "-k", str(k)), -found.negative_outlier_factor_, excused)
        if not excused.any():
            found = LocalOutlierFactor(n_neighbors=k, algorithm="kd_tree", novelty=True).fit(case.rows * SCALE)
            yield Claim("scikit-learn", ("--method", "lof", "-k", str(k)), -found.score_samples(case.new * SCALE), new=True)
    counts = KDTree(case.rows).query_radius(case.rows, case.eps, count_only=True)
    yield Claim("scikit-learn", ("--method", "count", "--eps", repr(case.eps)), 1.0 - counts)
    found = DBSCAN(eps=case.eps, min_samples=case.min_samples, algorithm="kd_tree").fit(case.rows)
    scores = numpy.where(found.labels_ < 0, 1, 0.5)  # noise, border; core is 0
    scores[found.core_sample_indices_] = 0
    yield Claim("scikit-learn", dbscan_flags(case), scores)


def dbscan_flags(case):
    return ("--method", "dbscan", "--eps", repr(case.eps), "--min-samples", str(case.min_samples))


def pyod(case):
    warnings.filterwarnings("ignore", message="algorithm parameter is deprecated")
    for k in case.ks:
        for theirs, ours in ("largest", "max"), ("mean", "mean"), ("median", "median"):
            found = KNN(n_neighbors=k, method=theirs, algorithm="kd_tree").fit(case.rows)
            flags = ("--method", "knn", "-k", str(k), "--aggregate", ours)
            yield Claim("PyOD", flags, found.decision_scores_)
            yield Claim("PyOD", (*flags, "--contamination", "0.1"), found.labels_, column="is_outlier")
            yield Claim("PyOD", flags, found.decision_function(case.new), new=True)


def pynomaly(case, near):
    for k in case.ks:
        if near.tied(k).any():
            continue  # it says not which rows it takes, and all share one deviation
        found = LocalOutlierProbability(case.rows, extent=int(case.lambda_), n_neighbors=k).fit()
        flags = ("--method", "loop", "-k", str(k), "--lambda", repr(case.lambda_), "--all-plof")
        yield Claim("PyNomaly", flags, found.local_outlier_probabilities.astype(float), least=1e-3)


def elki(case, near, jar, folder):
    """Yields what ELKI says, all from one run of it."""
    counts = KDTree(case.rows).query_radius(case.rows, case.eps, count_only=True)
    words, claims = [], []

    def ask(algorithm, flags, excused=None, scale=lambda x: x, **more):
        words.extend(["-algorithm", algorithm[0], *map(str, algorithm[1:])])
        claims.append((scale, Claim("ELKI", flags, None, excused, **more)))

    for k in case.ks:
        flags = ("-k", str(k), "--ties", "all")
        rounded = near.near(k, near.rounded(k))
        ask(("outlier.distance.KNNOutlier", "-knno.k", k), ("--method", "knn", *flags))
        ask(("outlier.distance.KNNWeightOutlier", "-knnwod.k", k), ("--method", "knn", "-k", str(k), "--aggregate", "sum"))
        ask(("outlier.lof.LOF", "-lof.k", k), ("--method", "lof", *flags), rounded)
        ask(("outlier.lof.SimplifiedLOF", "-lof.k", k), ("--method", "simplified-lof", *flags), rounded)
        ask(("outlier.lof.LoOP", "-loop.kcomp", k, "-loop.lambda", case.lambda_), ("--method", "loop", "-k", str(k), "--lambda", repr(case.lambda_)),
            numpy.full(len(case.rows), near.tied(k).any()), least=1e-3)
        if k > 1:
            ask(("outlier.lof.LDOF", "-ldof.k", k), ("--method", "ldof", *flags), rounded | near.one_place(k))
        ask(("outlier.distance.ODIN", "-odin.k", k), ("--method", "odin", *flags), near.near(k, near.rounded(k)), lambda x, k=k: -k * x)
    ask(("outlier.distance.DBOutlierScore", "-dbod.d", repr(case.eps)), ("--method", "db", "--eps", repr(case.eps)))
    few = int((1 - case.fraction) * len(case.rows))
    ask(("outlier.distance.DBOutlierDetection", "-dbod.d", repr(case.eps), "-dbod.p", repr(case.fraction)),
        ("--method", "db", "--eps", repr(case.eps), "--fraction", repr(case.fraction)), counts == few, column="is_outlier")
    ask(("outlier.clustering.DBSCANOutlierDetection", "-dbscan.epsilon", repr(case.eps), "-dbscan.minpts", case.min_samples, "-gdbscan.core-model", "true"), dbscan_flags(case))
    for (scale, claim), scores in zip(claims, run_elki(case.rows, words, jar, folder), strict=True):
        claim.scores = scale(scores)
        yield claim


def run_elki(rows, words, jar, folder):
    """The scores of the algorithms in words, in their order."""
    table, out = folder / "elki.txt", folder / "elki"
    table.write_text("".join(" ".join(map(repr, row)) + "\n" for row in rows.tolist()))
    path = f"{jar}/*" if jar.is_dir() else str(jar)
    algorithms = ",".join(words[i + 1] for i, word in enumerate(words) if word == "-algorithm")
    more = [word for i, word in enumerate(words) if word != "-algorithm" and words[i - 1] != "-algorithm"]
    command = ["java", "-cp", path, "elki.application.KDDCLIApplication", "-dbc.in", table, *INDEX, "-algorithm", algorithms, *more,
               "-evaluator", "NoAutomaticEvaluation", "-resulthandler", "ResultWriter", "-out", out, "-out.gzip", "false"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lists = sorted(out.glob("*Order*.txt"))
    scores = numpy.empty((len(algorithms.split(",")), len(rows)))
    for line in lists[0].read_text().splitlines():  # each has all scores of a row, in the order of the algorithms
        number = int(re.match(r"ID=(\d+)", line)[1])
        scores[:, number - 1] = [float(text.replace("∞", "inf")) for text in re.findall(r"=(\S+)", line)[1:]]
    for path in out.iterdir():
        path.unlink()
    return scores
