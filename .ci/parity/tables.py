"""The tables that are clustered: published sets, and made ones."""

import csv
import dataclasses
import gzip

import numpy
from sklearn.metrics import DistanceMetric, pairwise_distances
from sklearn.neighbors import NearestNeighbors


@dataclasses.dataclass
class Case:
    """A table and the parameters to cluster it with."""

    name: str
    rows: numpy.ndarray  # (n, dimensions); right ascension and declination in degrees for haversine
    eps: float  # in degrees for haversine
    min_samples: int
    metric: str = "euclidean"
    weights: numpy.ndarray | None = None

    def kind(self):
        return self.name.split("/")[0]


# What ../shared/data/README.md lists: file, columns (none: all but the labels), eps, min_samples.
LISTED = [
    ("catalog/hipparcos_100pc.csv", ["x_pc", "y_pc", "z_pc"], 2.5, 10),
    ("catalog/hipparcos_100pc.csv", ["x_pc", "y_pc", "z_pc"], 3, 12),
    ("catalog/hipparcos_bright_sky.csv", ["ra_deg", "dec_deg"], 0.75, 8),
    ("clustering/elki_3clusters_noise_2d.csv", None, 0.04, 20),
    ("clustering/elki_single_link_2d.csv", None, 11.5, 120),
    ("clustering/elki_different_densities_2d.csv", None, 3, 5),
    ("clustering/elki_hierarchical_2d.csv", None, 0.02, 10),
    ("clustering/iris.csv", None, 0.4, 4),
    ("clustering/aggregation.csv", None, 1.5, 10),
    ("clustering/compound.csv", None, 1.5, 3),
    ("clustering/target.csv", None, 0.4, 3),
    ("clustering/target.csv", None, 0.4, 4),
    ("clustering/ring_noisy.csv", None, 0.3, 5),
    ("clustering/isolation.csv", None, 0.1, 5),
    ("clustering/isolation.csv", None, 0.2, 5),
    ("clustering/hdbscan.csv", None, 0.025, 8),
    ("clustering/hdbscan.csv", None, 0.025, 5),
    ("clustering/chameleon_t4_8k.csv", None, 8.5, 15),
    ("clustering/birch2.csv.gz", None, 1000, 10),
    ("clustering/worms_2.csv.gz", None, 15, 10),
    ("clustering/worms_2.csv.gz", None, 30, 20),
    ("outlier/elki_outlier_parabolic.csv", None, 0.04, 20),
    ("outlier/elki_outlier_fire.csv", None, 0.175, 20),
]


def everything(folder, count, seed):
    """Yields all cases: the sets, if they are there, then made tables."""
    yield from published(folder)
    random = numpy.random.default_rng(seed)
    for i in range(count):
        make = MAKERS[i % len(MAKERS)]
        case = make(random)
        case.name = f"{make.__name__}/{i}"
        yield case


def published(folder):
    if not folder.is_dir():
        print(f"(the published sets are not there: {folder})")
        return
    for name, names, eps, least in LISTED:
        if not (folder / name).exists():
            print(f"({name} is not there)")
            continue
        sky = names == ["ra_deg", "dec_deg"]
        yield Case(f"published/{name}", read(folder / name, names), eps, least, "haversine" if sky else "euclidean")
    for path in sorted((folder / "outlier").glob("*.csv*")):  # no eps is listed: one at which pairs lie
        rows = read(path, None)
        distances = NearestNeighbors(n_neighbors=5, algorithm="kd_tree").fit(rows).kneighbors(rows)[0][:, -1]
        for quantile in 0.5, 0.9:
            eps = float(numpy.quantile(distances, quantile, method="nearest"))
            yield Case(f"published/outlier/{path.name}, eps {eps}", rows, eps, 5)


def read(path, names):
    """The named columns of a CSV file, or all but labels."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", newline="") as file:
        header, *records = csv.reader(file)
    at = [header.index(name) for name in names or [h for h in header if h not in ("label", "outlier")]]
    return numpy.array([[float(record[i]) for i in at] for record in records])


def size(random):
    """A number of rows: trees of one leaf, and of several."""
    return int(random.choice([1, 2, 3, 7, 20, 31, 45, 61, 90, 130, 250, 400]))


def least(random, n):
    return int(random.choice([1, 2, 3, 4, 5, 8, 12, n, n + 1]))


def tied(random, rows, metric="euclidean"):
    """A distance of two rows, a number next to it, or 0."""
    i, j = random.integers(len(rows), size=2)
    if random.random() < 0.5:  # near neighbours
        order = numpy.argsort(DistanceMetric.get_metric(metric).pairwise(rows[i : i + 1], rows)[0])
        j = order[min(len(rows) - 1, int(random.integers(1, 12)))]
    eps = measure(rows[i], rows[j], metric)
    return float(random.choice([eps, eps, eps, numpy.nextafter(eps, 0), numpy.nextafter(eps, numpy.inf), 0.0], p=[0.25, 0.25, 0.2, 0.1, 0.15, 0.05]))


def measure(a, b, metric):
    """The distance of two rows, coordinate by coordinate, each step rounded."""
    total = 0.0
    for x, y in zip(a.tolist(), b.tolist()):
        step = abs(x - y)
        total = total + step * step if metric == "euclidean" else total + step if metric == "manhattan" else max(total, step)
    return float(numpy.sqrt(total)) if metric == "euclidean" else total


def between(random, distances):
    """A number with no distance near it, such that rounding decides nothing."""
    sorted_ = numpy.unique(distances)
    wide = numpy.flatnonzero(numpy.diff(sorted_) > 1e-7 * sorted_[-1]) if len(sorted_) > 1 else []
    if len(wide) == 0:
        return float(sorted_[-1]) * 1.5 + 1e-3
    at = wide[int(random.integers(max(1, len(wide) // 3)))] if random.random() < 0.8 else random.choice(wide)
    return float((sorted_[at] + sorted_[at + 1]) / 2)


def grid(random, n, dim):
    """Rows of a lattice, scaled and moved."""
    step = random.choice([1, 0.1, 1 / 3, 0.7, 1e-3, 1e5, 2.0**-20])
    offset = random.choice([0, 0, -3.7, 1e6, 1e9])
    return random.integers(random.integers(2, 9), size=(n, dim)) * step + offset


def lattice(random):
    n, dim = size(random), int(random.choice([1, 1, 2, 2, 3, 4, 5, 8]))
    rows = grid(random, n, dim)
    return Case("", rows, tied(random, rows), least(random, n))


def tenths(random):
    """Distances such as 0.1 * 3 and 0.3, which are not the same number."""
    n, dim = size(random), int(random.choice([1, 2, 3]))
    rows = numpy.round(random.integers(0, 30, size=(n, dim)) / 10, 1)
    return Case("", rows, float(random.choice([0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.1])), least(random, n))


def duplicates(random):
    n, dim = size(random), int(random.integers(1, 7))
    few = grid(random, int(random.integers(1, 7)), dim)
    rows = few[random.integers(len(few), size=n)]
    return Case("", rows, tied(random, rows), least(random, n))


def blobs(random):
    n, dim = size(random), int(random.integers(1, 13))
    centres = random.normal(size=(int(random.integers(1, 5)), dim)) * 10
    rows = centres[random.integers(len(centres), size=n)] + random.normal(size=(n, dim)) + random.choice([0, 1e6, 1e9])
    return Case("", rows, tied(random, rows), least(random, n))


def high(random):
    n, dim = size(random), int(random.choice([16, 31, 32, 33, 64, 100, 127, 128]))
    rows = grid(random, n, dim) if random.random() < 0.6 else random.normal(size=(n, dim)) + random.choice([0, 1e6, 1e9])
    return Case("", rows, tied(random, rows), least(random, n))


def weighted(random):
    """Whole weights, zero and negative ones among them."""
    case = random.choice([lattice, duplicates, blobs])(random)
    low = int(random.choice([-3, 0, 1]))
    case.weights = random.integers(low, 6, size=len(case.rows)).astype(float)
    if not case.weights.any():  # scikit-learn refuses weights that are all 0
        case.weights[0] = 2
    return case


def weighted_tenths(random):
    """Weights that floating sums round, with sums at the threshold."""
    case = random.choice([lattice, duplicates])(random)
    case.weights = random.choice([0.1, 0.2, 0.3, 0.7, 1.1, -0.1], size=len(case.rows))
    case.min_samples = int(random.choice([1, 2, 3]))
    return case


def manhattan(random):
    case = random.choice([lattice, tenths, duplicates, blobs, high])(random)
    case.metric, case.eps = "manhattan", tied(random, case.rows, "manhattan")
    return case


def chebyshev(random):
    case = random.choice([lattice, tenths, duplicates, blobs, high])(random)
    case.metric, case.eps = "chebyshev", tied(random, case.rows, "chebyshev")
    return case


def haversine(random):
    """Places on the sky, at the poles and around the meridian too: with pairs at eps, or none near it."""
    n = size(random)
    if random.random() < 0.5:
        step = float(random.choice([1, 0.5, 0.1, 1e-3]))
        ra = (random.choice([0, 358, 120]) + random.integers(0, 9, size=n) * step) % 360
        dec = numpy.clip(random.choice([0, 88, -90, 45]) + random.integers(0, 9, size=n) * step, -90, 90)
        return Case("", numpy.column_stack([ra, dec]), step * float(random.choice([1, 2, 3])), least(random, n), "haversine")
    spread = float(random.choice([60, 1, 1e-2, 1e-5]))
    ra = (random.choice([0, 0, 90, 271.3]) + random.normal(size=n) * spread) % 360
    dec = random.choice([0, 30, 89.999, -89.999]) + random.normal(size=n) * spread
    dec = numpy.where(abs(dec) > 90, numpy.sign(dec) * 180 - dec, dec).clip(-90, 90)
    rows = numpy.column_stack([ra % 360, dec])
    angles = numpy.degrees(DistanceMetric.get_metric("haversine").pairwise(numpy.radians(rows[:, ::-1])))
    return Case("", rows, min(between(random, angles), 100.0), least(random, n), "haversine")


def cosine(random):
    n, dim = size(random), int(random.choice([2, 3, 8, 32]))
    if random.random() < 0.5:  # few directions
        rows = random.integers(0, 4, size=(n, dim)).astype(float)
        rows[:, 0] += 1
        return Case("", rows, float(random.choice([0.1, 1 - 0.5**0.5, 0.01])), least(random, n), "cosine")
    rows = random.normal(size=(n, dim)) + random.choice([0, 2])
    return Case("", rows, min(between(random, pairwise_distances(rows, metric="cosine")), 2.0), least(random, n), "cosine")


def mahalanobis(random):
    dim = int(random.integers(1, 7))
    n = dim + 3 + size(random)
    rows = random.normal(size=(n, dim)) @ random.normal(size=(dim, dim)) + random.choice([0, 100])
    inverse = numpy.linalg.inv(numpy.atleast_2d(numpy.cov(rows.T)))
    distances = pairwise_distances(rows, metric="mahalanobis", VI=inverse)
    return Case("", rows, between(random, distances), least(random, n), "mahalanobis")


MAKERS = [lattice, tenths, duplicates, blobs, high, lattice, weighted, weighted_tenths, manhattan, chebyshev, haversine, cosine, mahalanobis]
