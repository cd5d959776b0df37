"""Writes the tables of this folder: points of our own and scikit-learn's scores."""

import csv

import numpy as np
from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors

rng = np.random.default_rng(20000516)


def blobs(rows, dim, groups):
    centres = rng.uniform(0, 1000, (groups, dim))
    size = rng.uniform(10, 90, groups)
    group = rng.integers(0, groups, rows)
    x = centres[group] + size[group, None] * rng.normal(size=(rows, dim))
    x[: rows // 20] = rng.uniform(-200, 1200, (rows // 20, dim))
    return rng.permutation(x)


# No two distances are equal, and all are large beside the 1e-10 that
# scikit-learn adds to a mean reachability.
tables = {
    "plane": rng.uniform(0, 1000, (200, 2)),
    "blobs": blobs(250, 5, 4),
}

for name, x in tables.items():
    columns = {}
    for k in (1, 4, 20):
        dist, _ = NearestNeighbors(n_neighbors=k).fit(x).kneighbors()
        columns[f"max{k}"] = dist[:, -1]
        columns[f"mean{k}"] = dist.mean(axis=1)
        columns[f"median{k}"] = np.median(dist, axis=1)
        columns[f"sum{k}"] = dist.sum(axis=1)
        columns[f"lof{k}"] = -LocalOutlierFactor(n_neighbors=k).fit(x).negative_outlier_factor_
    # The first rows are a reference for the others.
    reference, others = x[:150], x[150:]
    for k in (1, 4, 20):
        lof = LocalOutlierFactor(n_neighbors=k, novelty=True).fit(reference)
        columns[f"novelty{k}"] = np.concatenate([-lof.negative_outlier_factor_, -lof.score_samples(others)])
        find = NearestNeighbors(n_neighbors=k).fit(reference)
        dist = np.concatenate([find.kneighbors()[0], find.kneighbors(others)[0]])
        columns[f"newmean{k}"] = dist.mean(axis=1)
    near = NearestNeighbors(radius=90).fit(x).radius_neighbors(return_distance=False)
    columns["count90"] = [-len(rows) for rows in near]
    with open(name + ".csv", "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow([f"x{d + 1}" for d in range(x.shape[1])] + list(columns))
        for i, row in enumerate(x):
            out.writerow([repr(float(v)) for v in row] + [repr(float(c[i])) for c in columns.values()])
