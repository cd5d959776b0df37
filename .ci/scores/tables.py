"""The tables that are scored: published sets, and made ones with and without ties."""

import csv
import dataclasses
import gzip

import numpy
from sklearn.neighbors import NearestNeighbors


@dataclasses.dataclass
class Case:
    """A table, new rows to score against it, and the parameters."""

    name: str
    rows: numpy.ndarray  # (n, dimensions)
    labels: numpy.ndarray  # (n,), true for rows that are said to be outliers
    new: numpy.ndarray  # (m, dimensions)
    ks: list[int]
    eps: float
    min_samples: int
    fraction: float  # of db: the share of rows beyond eps that makes an outlier
    lambda_: float

    def kind(self):
        return self.name.split("/")[0]


# File, k, and eps where one is published.
LISTED = [
    ("elki_outlier_3d_3clusters.csv", [1, 4, 10], None),
    ("elki_outlier_axis_subspaces_6d.csv", [10], None),
    ("elki_outlier_fire.csv", [5, 24], 0.175),
    ("elki_outlier_parabolic.csv", [14], 0.04),
    ("dami_glass.csv", [1, 3, 18], None),
    ("dami_stamps_minmax.csv", [16, 75, 101], None),
    ("cardio.csv", [5, 10, 20], None),
    ("vowels.csv", [5, 20], None),
    ("thyroid.csv", [5, 20], None),
    ("wine.csv", [10, 20], None),
    ("mammography.csv", [10], None),
    ("smtp.csv.gz", [1, 10], None),
]


def everything(folder, count, seed):
    """Yields all cases: the sets, if they are there, then made tables."""
    yield from published(folder)
    random = numpy.random.default_rng(seed)
    for i in range(count):
        yield tied(random, i) if i % 8 == 7 else made(random, i)


def published(folder):
    if not folder.is_dir():
        print(f"(the published sets are not there: {folder})")
        return
    for name, ks, eps in LISTED:
        if (folder / name).exists():
            rows, labels = read(folder / name)
            yield case(f"published/{name}", rows, labels, rows[:: max(1, len(rows) // 50)] * 1.001 + 1e-3, ks, eps, 20 if eps else 5)
        else:
            print(f"({name} is not there)")


def read(path):
    """The coordinates and the labels of a CSV file."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", newline="") as file:
        header, *records = csv.reader(file)
    at = [i for i, name in enumerate(header) if name not in ("label", "outlier")]
    labels = numpy.array([record[-1] in ("1", "Noise") for record in records])
    return numpy.array([[float(record[i]) for i in at] for record in records]), labels


def made(random, i):
    """A table of i % 64 + 1 columns: random values, so that no distances tie."""
    dim = i % 64 + 1
    n = int(random.integers(25, 400))
    shape = ["uniform", "normal", "exponential", "groups"][int(random.integers(4))]
    rows = draw(random, shape, n + 20, dim) * 2.0 ** int(random.integers(-12, 13))
    ks = sorted({1, int(random.integers(2, 20)), int(random.choice([5, 10, 20, n - 1]))})
    return case(f"made/{i}: {shape}, {n} x {dim}", rows[:n], mark(random, n), rows[n:], ks, None, int(random.integers(1, 12)), random)


def tied(random, i):
    """A table of small whole numbers: distances tie, and rows are equal."""
    dim, n = int(random.integers(1, 5)), int(random.integers(25, 200))
    rows = random.integers(0, int(random.integers(3, 12)), size=(n + 20, dim)).astype(float)
    ks = sorted({1, int(random.integers(2, 20))})
    return case(f"tied/{i}: {n} x {dim}", rows[:n], mark(random, n), rows[n:], ks, None, int(random.integers(1, 12)), random)


def mark(random, n):
    """Labels of which some are true, and some are not."""
    labels = random.random(n) < random.uniform(0.02, 0.5)
    labels[:2] = True, False
    return labels


def draw(random, shape, n, dim):
    if shape == "groups":  # of densities far apart
        width = 10.0 ** random.integers(-4, 1, size=5)
        group = random.integers(5, size=n)
        return random.normal(size=(5, dim))[group] + random.normal(size=(n, dim)) * width[group][:, None]
    return {"uniform": random.random, "normal": random.standard_normal, "exponential": random.standard_exponential}[shape](size=(n, dim))


def case(name, rows, labels, new, ks, eps, min_samples, random=None):
    """Fills in an eps between two distances, and what else is left to chance."""
    random = random or numpy.random.default_rng(len(rows))
    if eps is None:  # about which no pair lies
        k = min(len(rows) - 1, 8)
        distances = numpy.unique(NearestNeighbors(n_neighbors=k, algorithm="kd_tree").fit(rows).kneighbors()[0])
        distances = numpy.append(distances[distances > 0], [0.25, 0.75] * (not distances.any()))
        at = int(len(distances) * random.uniform(0.3, 0.9))
        eps = float(distances[at] + distances[min(at + 1, len(distances) - 1)]) / 2
    fraction = float(random.choice([0.5, 0.8, 0.9, 0.95]))
    return Case(name, rows, labels, new, ks, eps, min_samples, fraction, float(random.choice([1, 2, 3])))
