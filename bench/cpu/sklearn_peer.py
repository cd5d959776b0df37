"""scikit-learn as a peer of bench/cpu: does one work on a set, prints a line of JSON.

    sklearn_peer.py WORK FILE N D EPS MINPTS K THREADS RUNS [ALGORITHM]

WORK is dbscan, count, knn or lof. ALGORITHM is scikit-learn's, auto if not given.
"""

import json
import sys
import time

import numpy
from sklearn.cluster import DBSCAN
from sklearn.neighbors import KDTree, LocalOutlierFactor, NearestNeighbors


def dbscan(x, a):
    found = DBSCAN(eps=a.eps, min_samples=a.minpts, algorithm=a.algorithm, n_jobs=a.threads).fit(x)
    return lambda: {
        "clusters": int(found.labels_.max()) + 1,
        "noise": int((found.labels_ < 0).sum()),
        "cores": len(found.core_sample_indices_),
    }


def count(x, a):
    counts = KDTree(x).query_radius(x, a.eps, count_only=True)
    return lambda: {"pairs": (int(counts.sum()) - len(x)) // 2}


def knn(x, a):
    index = NearestNeighbors(n_neighbors=a.k, algorithm=a.algorithm, n_jobs=a.threads).fit(x)
    distance, _ = index.kneighbors()
    return lambda: {"kdist": float(distance[:, -1].mean())}


def lof(x, a):
    scores = LocalOutlierFactor(n_neighbors=a.k, algorithm=a.algorithm, n_jobs=a.threads).fit(x)
    return lambda: {"lof": float(-scores.negative_outlier_factor_.mean())}


class Arguments:
    def __init__(self, words):
        self.work = {"dbscan": dbscan, "count": count, "knn": knn, "lof": lof}[words[0]]
        self.file = words[1]
        self.n, self.d, self.minpts, self.k, self.threads, self.runs = map(int, words[2:4] + words[5:9])
        self.eps = float(words[4])
        self.algorithm = words[9] if len(words) > 9 else "auto"


def main():
    a = Arguments(sys.argv[1:])
    x = numpy.fromfile(a.file, dtype="<f8").reshape(a.n, a.d)
    seconds = []
    for _ in range(a.runs):
        began = time.perf_counter()
        said = a.work(x, a)
        seconds.append(time.perf_counter() - began)
    print(json.dumps({"seconds": seconds, **said()}))


main()
