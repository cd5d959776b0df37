"""What is known of a table's nearest rows: where a choice among ties is open."""

import functools

import numpy
from sklearn.neighbors import NearestNeighbors

MORE = 30  # rows looked at beyond the k-th
ROUNDED = 1e-15  # distances that differ less may be rounded to the same


class Near:
    """The nearest other rows of each row, and rows whose scores ties may upset."""

    def __init__(self, rows, k):
        self.rows = rows
        count = min(len(rows) - 1, k + MORE)
        self.lists = NearestNeighbors(n_neighbors=count, algorithm="kd_tree").fit(rows).kneighbors(return_distance=False)
        self.square = numpy.zeros(self.lists.shape)
        for column in rows.T:  # coordinate by coordinate, each step rounded, as ours
            step = column[:, None] - column[self.lists]
            self.square += step * step
        order = numpy.argsort(self.square, axis=1, kind="stable")
        self.lists = numpy.take_along_axis(self.lists, order, axis=1)
        self.square = numpy.take_along_axis(self.square, order, axis=1)

    @functools.cache
    def tied(self, k):
        """Rows with another row as far as the k-th, or within rounding of it."""
        return self.next_to(k, self.square[:, k:]).any(axis=1)

    @functools.cache
    def rounded(self, k):
        """Rows with another row beyond the k-th, but within rounding of it."""
        beyond = self.square[:, k:]
        return (self.next_to(k, beyond) & (beyond > self.square[:, k - 1 : k])).any(axis=1)

    def next_to(self, k, square):
        return numpy.sqrt(square) <= numpy.sqrt(self.square[:, k - 1 : k]) * (1 + ROUNDED)

    def near(self, k, marked):
        """Rows that are marked, or have a marked one among those at the k-th distance or nearer."""
        inside = self.next_to(k, self.square)
        return marked | (marked[self.lists] & inside).any(axis=1)

    @functools.cache
    def heap(self, k):
        """Rows with k equals or more."""
        return self.square[:, k - 1] == 0

    @functools.cache
    def one_place(self, k):
        """Rows off the place that all their neighbours share."""
        inside = self.next_to(k, self.square)
        same = numpy.ones(len(self.rows), dtype=bool)
        for column in self.rows.T:
            values = column[self.lists]
            same &= ((values == values[:, :1]) | ~inside).all(axis=1)
        return same & ~self.heap(k)
