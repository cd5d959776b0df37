"""scikit-learn and PyOD as peers of bench/outliers: score a set, print a line of JSON.

    peer.py WORK FILE N D K EPS THREADS [ALGORITHM]

WORK is lof, dbscan or count, scikit-learn's, or knn, PyOD's. ALGORITHM is that of the
search for neighbours, auto if not given.
"""

import json
import resource
import sys
import time

import numpy


def lof(x, a):
    from sklearn.neighbors import LocalOutlierFactor

    found = LocalOutlierFactor(n_neighbors=a.k, algorithm=a.algorithm, n_jobs=a.threads)
    return lambda: -found.fit(x).negative_outlier_factor_


def knn(x, a):
    from pyod.models.knn import KNN

    found = KNN(n_neighbors=a.k, algorithm=a.algorithm, n_jobs=a.threads)
    return lambda: found.fit(x).decision_scores_


def dbscan(x, a):
    from sklearn.cluster import DBSCAN

    found = DBSCAN(eps=a.eps, min_samples=20, algorithm=a.algorithm, n_jobs=a.threads)

    def score():
        labels = found.fit(x).labels_
        scores = numpy.where(labels < 0, 1, 0.5)
        scores[found.core_sample_indices_] = 0
        return scores

    return score


def count(x, a):
    from sklearn.neighbors import KDTree

    return lambda: 1.0 - KDTree(x).query_radius(x, a.eps, count_only=True)


class Arguments:
    def __init__(self, words):
        self.work = {"lof": lof, "knn": knn, "dbscan": dbscan, "count": count}[words[0]]
        self.file = words[1]
        self.n, self.d, self.k = map(int, words[2:5])
        self.eps, self.threads = float(words[5]), int(words[6])
        self.algorithm = words[7] if len(words) > 7 else "auto"


def main():
    a = Arguments(sys.argv[1:])
    x = numpy.fromfile(a.file, dtype="<f8").reshape(a.n, a.d)
    score = a.work(x, a)
    began = time.perf_counter()
    scores = score()
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "mean": float(scores.mean()), "peak_mib": peak}))


main()
