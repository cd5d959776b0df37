"""Clusters a table with both programs, compares, and explains a difference.

Ours decides by d2 <= eps * eps, and by the exact sum of weights. scikit-learn's trees
accept boxes of rows by sqrt(d2) <= eps, and it sums weights in floating point; angles
are rounded by both. So a difference is excused if all of this holds:

* each pair that is near in one program only has d2 > eps * eps and sqrt(d2) <= eps
  (haversine, cosine: an angle within 1e-15 rad of eps, which is what both round);
* each row that is core in one program only, with the same neighbours in both, has
  weights whose exact sum is within rounding of min_samples;
* textbook DBSCAN on our pairs gives our labels, and on its pairs gives its labels.
"""

import collections
import csv
import fractions
import io
import subprocess

import numpy
import sklearn
from sklearn.cluster import DBSCAN
from sklearn.neighbors import NearestNeighbors

ANGLE = 1e-15  # radians about eps in which rounding may decide


class Tally:
    """Compares tables, and counts how they came out."""

    def __init__(self, program, folder, plant, most):
        self.program, self.folder, self.plant, self.most = program, folder, plant, most
        self.outcomes = collections.defaultdict(collections.Counter)  # by kind of table

    def compare(self, case):
        ours, theirs = self.ours(case), fit(case)
        if self.plant and len(case.rows) > 1:
            self.plant = False
            ours[0][1] += 1
            print(f"{case.name}: planted the label {ours[0][1]} in row 1")
        outcome = "equal"
        if not same(ours, theirs):
            outcome = self.explain(case, ours, theirs)
        self.outcomes[case.kind()][outcome] += 1

    def ours(self, case):
        """The labels and core flags of rtcluster."""
        text = self.run("dbscan", case, "--min-samples", str(case.min_samples), "--keep", "none", *(["--weight", "w"] if case.weights is not None else []))
        found = list(csv.reader(io.StringIO(text)))[1:]
        return numpy.array([int(label) for label, _ in found]), numpy.array([core == "true" for _, core in found])

    def run(self, command, case, *more):
        path = self.folder / "table.csv"
        names = [f"x{k}" for k in range(case.rows.shape[1])]
        columns = case.rows if case.weights is None else numpy.column_stack([case.rows, case.weights])
        with open(path, "w") as file:
            file.write(",".join(names + ["w"] * (case.weights is not None)) + "\n")
            file.writelines(",".join(map(repr, row)) + "\n" for row in columns.tolist())
        eps = repr(float(case.eps)) + ("deg" if case.metric == "haversine" else "")
        args = [self.program, command, path, "-q", "-c", ",".join(names), "--metric", case.metric, "--eps", eps, "-o", "-", *more]
        return subprocess.run(args, check=True, stdout=subprocess.PIPE, text=True).stdout

    def explain(self, case, ours, theirs):
        """Shows why the programs differ, and returns whether that is excused."""
        n = len(case.rows)
        near = [{i} for i in range(n)]
        for i, j, _ in list(csv.reader(io.StringIO(self.run("join", case))))[1:]:
            near[int(i)].add(int(j))
            near[int(j)].add(int(i))
        lists = neighbours(case)
        faults, shown = [], []
        for i in range(n):
            for j in sorted(near[i] ^ set(lists[i].tolist())):  # both orders: its lists need not agree with each other
                text, excused = describe(case, i, j, j in near[i])
                (shown if excused else faults).append(text)
        core, float_core = exact_core(case, near), rounded_core(case, lists)
        for i in numpy.flatnonzero(core != float_core):
            if near[i] == set(lists[i].tolist()):  # else the pairs are why
                text, excused = describe_weights(case, near[i], i, core[i])
                (shown if excused else faults).append(text)
        if not same(ours, textbook([sorted(s) for s in near], core)):
            faults.append("our labels are not those of DBSCAN on our pairs")
        if not same(theirs, textbook(lists, float_core)):
            faults.append("scikit-learn's labels are not those of DBSCAN on its pairs")
        if not faults and not shown:
            faults.append("the labels differ, and no pair or weight does")
        rows = numpy.flatnonzero((ours[0] != theirs[0]) | (ours[1] != theirs[1]))
        outcome = "different" if faults else "excused"
        print(f"{case.name}: {outcome}: {len(rows)} of {n} rows, first row {rows[0]}: label {ours[0][rows[0]]}, core {ours[1][rows[0]]}, "
              f"scikit-learn {theirs[0][rows[0]]}, {theirs[1][rows[0]]} ({case.metric}, eps {case.eps!r}, min_samples {case.min_samples})")
        for text in (faults or shown)[: self.most]:
            print(f"    {text}")
        if len(faults or shown) > self.most:
            print(f"    and {len(faults or shown) - self.most} more like these")
        return outcome

    def end(self):
        """Prints what came out, and returns the exit code."""
        total = collections.Counter()
        for kind, outcomes in self.outcomes.items():
            total += outcomes
            print(f"{kind:16} {outcomes['equal']:5} equal {outcomes['excused']:4} excused {outcomes['different']:4} different")
        print(f"scikit-learn {sklearn.__version__}")
        print(f"{total['equal']} equal, {total['excused']} excused, {total['different']} different")
        return 1 if total["different"] or not total["equal"] else 0


def same(a, b):
    return numpy.array_equal(a[0], b[0]) and numpy.array_equal(a[1], b[1])


def settings(case):
    """The rows, eps and settings that scikit-learn wants."""
    if case.metric == "haversine":
        return numpy.radians(case.rows[:, ::-1]), float(numpy.radians(case.eps)), {"metric": "haversine", "algorithm": "ball_tree"}
    if case.metric == "cosine":
        return case.rows, case.eps, {"metric": "cosine", "algorithm": "brute"}
    if case.metric == "mahalanobis":
        inverse = numpy.linalg.inv(numpy.atleast_2d(numpy.cov(case.rows.T)))
        return case.rows, case.eps, {"metric": "mahalanobis", "metric_params": {"VI": inverse}, "algorithm": "brute"}
    return case.rows, case.eps, {"metric": case.metric, "algorithm": "kd_tree"}


def positive(eps):
    """scikit-learn's DBSCAN wants eps above 0: the least such number is below every distance but 0 of our tables."""
    return eps or 5e-324


def fit(case):
    """The labels and core flags of scikit-learn."""
    rows, eps, more = settings(case)
    found = DBSCAN(eps=positive(eps), min_samples=case.min_samples, **more).fit(rows, sample_weight=case.weights)
    core = numpy.zeros(len(rows), dtype=bool)
    core[found.core_sample_indices_] = True
    return found.labels_.copy(), core


def neighbours(case):
    """The neighbours of each row by scikit-learn, in its order, as its DBSCAN sees them."""
    rows, eps, more = settings(case)
    return NearestNeighbors(radius=positive(eps), **more).fit(rows).radius_neighbors(rows, return_distance=False)


def exact_core(case, near):
    if case.weights is None:
        return numpy.array([len(s) >= case.min_samples for s in near])
    return numpy.array([exact_sum(case, s) >= case.min_samples for s in near])


def exact_sum(case, rows):
    return sum((fractions.Fraction(case.weights[j]) for j in rows), fractions.Fraction())


def rounded_core(case, lists):
    weights = numpy.ones(len(case.rows)) if case.weights is None else case.weights
    return numpy.array([numpy.sum(weights[list_]) >= case.min_samples for list_ in lists])


def textbook(near, core):
    """DBSCAN: clusters in the order of their first core rows, a border row to the first that reaches it."""
    labels = numpy.full(len(near), -1)
    clusters = 0
    for first in numpy.flatnonzero(core):
        if labels[first] >= 0:
            continue
        visit = [first]
        while visit:
            row = visit.pop()
            if labels[row] < 0:
                labels[row] = clusters
                visit.extend(near[row] if core[row] else [])
        clusters += 1
    return labels, core


def describe(case, i, j, in_ours):
    """Says how near two rows are that are neighbours in one program only, and whether that is excused."""
    who = "near for us only" if in_ours else "near for scikit-learn only"
    if case.metric in ("haversine", "cosine"):
        radians, eps = angle(case, i, j)
        off = abs(radians - eps)
        return f"rows {i} and {j}: {radians} rad, eps {eps} rad, {off:.2g} from it: {who}", bool(off <= ANGLE)
    d2 = 0.0
    for a, b in zip(case.rows[i].tolist(), case.rows[j].tolist()):
        d2 += (a - b) * (a - b)
    square = case.eps * case.eps
    text = f"rows {i} and {j}: d2 {d2!r}, eps * eps {square!r}, sqrt(d2) {d2**0.5!r}, eps {case.eps!r}: {who}"
    return text, case.metric == "euclidean" and not in_ours and d2 > square and d2**0.5 <= case.eps


def angle(case, i, j):
    """The angle of two rows, and eps, in radians, in more digits than float64 has."""
    wide = numpy.longdouble
    a, b = case.rows[i].astype(wide), case.rows[j].astype(wide)
    if case.metric == "cosine":
        a, b = a / numpy.sqrt((a * a).sum()), b / numpy.sqrt((b * b).sum())
        return 2 * numpy.arcsin(numpy.sqrt(((a - b) ** 2).sum()) / 2), 2 * numpy.arcsin(numpy.sqrt(wide(case.eps) / 2))
    degree = numpy.arctan(wide(1)) / 45
    (ra1, dec1), (ra2, dec2) = a * degree, b * degree
    square = numpy.sin((dec1 - dec2) / 2) ** 2 + numpy.cos(dec1) * numpy.cos(dec2) * numpy.sin((ra1 - ra2) / 2) ** 2
    return 2 * numpy.arcsin(numpy.sqrt(square)), wide(case.eps) * degree


def describe_weights(case, near, i, core):
    """Says how a sum of weights rounds that makes a row core in one program only, and whether that is excused."""
    over = exact_sum(case, near) - case.min_samples
    text = f"row {i}: the weights of its {len(near)} neighbours are min_samples + {float(over)!r}, exactly: {'core' if core else 'not core'}; a floating sum rounds"
    return text, bool(core == (over >= 0) and abs(over) < 1e-12 * len(near))
