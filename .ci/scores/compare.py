"""Scores a table with ours, compares with what a peer says, and counts."""

import collections
import csv
import io
import json
import subprocess

from importlib import metadata

import numpy
from sklearn import metrics

CLOSE = 1e-9  # relative
PACKAGES = ["scikit-learn", "pyod", "pynomaly"]
FLAGS = {"true": 1.0, "false": 0.0}


class Tally:
    """Compares scores, and counts how they came out."""

    def __init__(self, program, folder, plant, only):
        self.program, self.folder, self.plant, self.only = program, folder, plant, only
        self.outcomes = collections.defaultdict(collections.Counter)  # by peer and method
        self.found = {}  # our scores of the case, by flags

    def compare(self, case, claim):
        title = f"{case.name}: {' '.join(claim.flags)}{' of new rows' if claim.new else ''}: {claim.peer}"
        if self.only not in title:
            return
        outcome = "different"
        try:
            ours = self.ours(case, claim.flags, claim.new)[claim.column]
        except subprocess.CalledProcessError as err:
            print(f"{title}: different: {err.stderr.strip()}")
        else:
            if self.plant:
                self.plant = False
                ours[0] += 3 * CLOSE * max(1, abs(ours[0]))
                print(f"{title}: planted the score {float(ours[0])!r} in row 0")
            outcome = self.outcome(title, ours, claim)
        self.outcomes[claim.peer, claim.flags[1]][outcome] += 1

    def ours(self, case, flags, new=False):
        """The columns that rtcluster adds."""
        if (flags, new) not in self.found:
            inputs = ["new.csv", "--reference", "table.csv"] if new else ["table.csv"]
            header, *rows = csv.reader(io.StringIO(self.run(*inputs, "-q", *flags, "--keep", "none", "-o", "-")))
            values = numpy.array([[FLAGS[x] if x in FLAGS else float(x) for x in row] for row in rows])
            self.found[flags, new] = dict(zip(header, values.T, strict=True))
        return {name: column.copy() for name, column in self.found[flags, new].items()}

    def run(self, *args):
        return subprocess.run([self.program, "outliers", *args], cwd=self.folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout

    def begin(self, case):
        """Writes the tables of a case."""
        self.found = {}
        write(self.folder / "table.csv", case.rows)
        write(self.folder / "new.csv", case.new)
        write(self.folder / "labelled.csv", numpy.column_stack([case.rows, case.labels]), "label")

    def together(self, case):
        """Sees that scores in one run are bit for bit what they are alone."""
        groups = collections.defaultdict(dict)  # by what is said beside method and k
        for flags, new in self.found:
            if flags[2] == "-k" and "--contamination" not in flags and not new:
                groups[flags[4:]][flags[1], flags[3]] = self.found[flags, new]["score"]
        for more, alone in groups.items():
            methods = [m for m in dict.fromkeys(m for m, _ in alone) if all((m, str(k)) in alone for k in case.ks)]
            if len(methods) * len(case.ks) < 2:
                continue
            ks = list(map(str, case.ks))
            columns = self.ours(case, ("--method", ",".join(methods), "-k", ",".join(ks), *more))
            same = all(numpy.array_equal(columns[f"score_{m}_{k}"], alone[m, k]) for m in methods for k in ks)
            if not same:
                print(f"{case.name}: {','.join(methods)} for k {','.join(ks)} {' '.join(more)}: different: not what each is alone")
            self.outcomes["ours, one run", methods[0] + (" ..." if methods[1:] else "")]["equal" if same else "different"] += 1

    def outcome(self, title, ours, claim):
        """Shows in what the scores differ, and returns whether that is excused."""
        theirs = claim.scores
        with numpy.errstate(invalid="ignore"):
            close = numpy.abs(ours - theirs) <= CLOSE * numpy.maximum(numpy.maximum(numpy.abs(ours), numpy.abs(theirs)), claim.least)
        differ = ~(close | (ours == theirs))
        if not differ.any():
            return "equal"
        excused = claim.excused if claim.excused is not None else numpy.zeros(len(ours), dtype=bool)
        faults = differ & ~excused
        outcome = "different" if faults.any() else "excused"
        row = numpy.flatnonzero(faults if faults.any() else differ)[0]
        print(f"{title}: {outcome}: {(faults if faults.any() else differ).sum()} of {len(ours)} rows, first row {row}: {float(ours[row])!r}, theirs {float(theirs[row])!r}")
        return outcome

    def evaluate(self, case):
        """Compares how well scores part the labelled rows with what scikit-learn makes of our scores."""
        flags = "--method", "lof", "-k", str(case.ks[-1])
        if self.only not in f"{case.name}: evaluation" or not numpy.isfinite(scores := self.ours(case, flags)["score"]).all():
            return
        self.run("labelled.csv", "-q", *flags, "--evaluate", "label", "--evaluate-outlier", "1.0", "--report", "report.json", "--keep", "none", "-o", "out.csv", "--force")
        report = json.loads((self.folder / "report.json").read_text())["counts"]["scores"][0]["evaluation"]
        wanted = {
            "auroc": metrics.roc_auc_score(case.labels, scores),
            "average_precision": metrics.average_precision_score(case.labels, scores),
            "max_f1": max_f1(case.labels, scores),
        }
        for name, value in wanted.items():
            same = abs(report[name] - value) <= CLOSE * value
            if not same:
                print(f"{case.name}: {' '.join(flags)}: {name}: different: {report[name]!r}, by scikit-learn {value!r}")
            self.outcomes["scikit-learn", "its " + name]["equal" if same else "different"] += 1

    def end(self):
        """Prints what came out, and returns the exit code."""
        total = collections.Counter()
        for (peer, method), outcomes in sorted(self.outcomes.items()):
            total += outcomes
            print(f"{peer:13} {method:21} {outcomes['equal']:5} equal {outcomes['excused']:4} excused {outcomes['different']:4} different")
        print(", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES))
        print(f"{total['equal']} equal, {total['excused']} excused, {total['different']} different")
        return 1 if total["different"] or not total["equal"] else 0


def max_f1(labels, scores):
    precision, recall, _ = metrics.precision_recall_curve(labels, scores)
    return float(numpy.max(2 * precision * recall / numpy.maximum(precision + recall, 1e-300)))


def write(path, rows, *last):
    names = [f"x{k}" for k in range(rows.shape[1] - len(last))]
    with open(path, "w") as file:
        file.write(",".join([*names, *last]) + "\n")
        file.writelines(",".join(map(repr, row)) + "\n" for row in rows.tolist())
