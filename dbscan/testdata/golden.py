"""Writes the tables of this folder: points of our own and scikit-learn's labels."""

import csv

import numpy as np
from sklearn.cluster import DBSCAN
from sklearn.datasets import make_moons

rng = np.random.default_rng(20170801)


def blobs(rows, dim, groups):
    centres = rng.uniform(0, 10, (groups, dim))
    size = rng.uniform(0.3, 0.9, groups)
    group = rng.integers(0, groups, rows)
    x = centres[group] + size[group, None] * rng.normal(size=(rows, dim))
    x[: rows // 10] = rng.uniform(-1, 11, (rows // 10, dim))
    return rng.permutation(x)


tables = {
    # name: (points, weights, eps, min_samples)
    "moons": (make_moons(300, noise=0.08, random_state=7)[0], None, 0.13, 5),
    "blobs3": (blobs(400, 3, 6), None, 0.8, 6),
    "blobs8": (blobs(250, 8, 4), None, 1.7, 4),
    # Whole numbers: many pairs exactly at eps, and duplicates.
    "lattice": (rng.integers(0, 24, (350, 2)).astype(float), None, 1.0, 4),
    # One decimal, as iris has: sums of squares that round about eps.
    "decimals": (np.round(rng.normal(0, 1.2, (300, 3)), 1), None, 0.5, 7),
    # Weights that add up without rounding, some of them zero or negative.
    "weighted": (blobs(300, 2, 5), rng.integers(-2, 7, 300) / 4, 0.6, 5),
}

for name, (x, weights, eps, min_samples) in tables.items():
    model = DBSCAN(eps=eps, min_samples=min_samples, algorithm="kd_tree")
    model.fit(x, sample_weight=weights)
    core = np.zeros(len(x), int)
    core[model.core_sample_indices_] = 1
    print(name, "eps", eps, "min_samples", min_samples, "clusters", model.labels_.max() + 1,
          "core", core.sum(), "noise", (model.labels_ < 0).sum())
    with open(name + ".csv", "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        w = [] if weights is None else ["weight"]
        out.writerow([f"x{k + 1}" for k in range(x.shape[1])] + w + ["label", "core"])
        for i, row in enumerate(x):
            w = [] if weights is None else [repr(float(weights[i]))]
            out.writerow([repr(float(v)) for v in row] + w + [model.labels_[i], core[i]])
