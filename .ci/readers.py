#!/usr/bin/env python3
"""Sees that others read what rtcluster writes.

Makes tables of all kinds of columns with pyarrow, as Parquet (codecs, encodings,
versions of pages, row groups, nullability) and as CSV, lets `rtcluster dbscan` add
labels to each, reads inputs and outputs with pyarrow, DuckDB and Polars, and compares
each column: its type, its values and its nulls. Both come from the same reader, so
that what readers disagree on does not count. Ends with

    N equal, M different

and exits with 1 if something is different. It needs Go, or a built rtcluster, and

    pip install pyarrow duckdb polars

    python3 .ci/readers.py [PATH OF RTCLUSTER]
"""

import csv
import datetime
import decimal
import math
import pathlib
import subprocess
import sys
import tempfile

import duckdb
import polars
import pyarrow
import pyarrow.csv
import pyarrow.parquet

LABELS = ["cluster", "is_core"]


def every(n, rows, make):
    """Values with a null in each n-th row."""
    return [None if i % n == n - 1 else make(i) for i in range(rows)]


def columns(rows):
    """A column of each type, with nulls, NaN, infinities and extremes."""
    pa = pyarrow
    special = [math.nan, math.inf, -math.inf, -0.0, 5e-324, 1.7976931348623157e308]
    day = datetime.date(1900, 1, 1)
    made = {
        "x": pa.array([float(i % 10) for i in range(rows)], pa.float64()),
        "y": pa.array([float(i % 7) for i in range(rows)], pa.float32()),
        "double": pa.array(every(5, rows, lambda i: special[i % 6] if i % 3 else i / 7), pa.float64()),
        "float": pa.array(every(4, rows, lambda i: [math.nan, math.inf, 0.1][i % 3]), pa.float32()),
        "half": pa.array(every(6, rows, lambda i: i % 100 / 8), pa.float16()),
        "bool": pa.array(every(7, rows, lambda i: i % 3 == 0), pa.bool_()),
        "text": pa.array(every(3, rows, lambda i: ["", "ä, \"ö\"", "a\nb", " c ", "NA", "007"][i % 6]), pa.string()),
        "few": pa.array(every(9, rows, lambda i: ["red", "green"][i % 2]), pa.string()).dictionary_encode(),
        "binary": pa.array(every(8, rows, lambda i: bytes([i % 256, 255, 0])), pa.binary()),
        "fixed": pa.array(every(8, rows, lambda i: bytes([i % 256] * 5)), pa.binary(5)),
        "date": pa.array(every(5, rows, lambda i: day + datetime.timedelta(i * 50)), pa.date32()),
        "zoned": pa.array(every(5, rows, lambda i: i % 200 * 10**15 - 10**14), pa.timestamp("us", "UTC")),
        "null": pa.nulls(rows),
    }
    for bits in 8, 16, 32, 64:
        low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        made[f"int{bits}"] = pa.array(every(5, rows, lambda i: [low, high, i % 100][i % 3]), f"int{bits}")
        made[f"uint{bits}"] = pa.array(every(5, rows, lambda i: [0, 2**bits - 1, i % 100][i % 3]), f"uint{bits}")
    for precision in 7, 15, 30, 38:
        most = "9" * (precision - 2) + ".99"
        made[f"decimal{precision}"] = pa.array(every(4, rows, lambda i: decimal.Decimal([most, "-" + most, "0.05"][i % 3])), pa.decimal128(precision, 2))
    for unit in "ms", "us", "ns":
        made[f"time_{unit}"] = pa.array(every(5, rows, lambda i: i * 1000 % 86400000), pa.time32("ms") if unit == "ms" else pa.time64(unit))
        made[f"local_{unit}"] = pa.array(every(5, rows, lambda i: i % 200 * 10**15 - 10**14 if unit == "ns" else i * 10**9 - 10**8), pa.timestamp(unit))
    made |= nested(rows)
    return made


def nested(rows):
    """Lists, structs and maps, empty and null on each level."""
    pa = pyarrow
    pair = pa.struct([("a", pa.int32()), ("b", pa.string())])
    return {
        "list": pa.array(every(4, rows, lambda i: [None if k % 2 else k for k in range(i % 4)]), pa.list_(pa.int64())),
        "lists": pa.array(every(4, rows, lambda i: [None, [], ["p", None]][: i % 4]), pa.list_(pa.list_(pa.string()))),
        "struct": pa.array(every(5, rows, lambda i: {"a": i, "b": None if i % 2 else "q"}), pair),
        "structs": pa.array(every(5, rows, lambda i: [{"a": k, "b": "r"} for k in range(i % 3)]), pa.list_(pair)),
        "map": pa.array(every(5, rows, lambda i: [(f"k{k}", k / 2) for k in range(i % 3)]), pa.map_(pa.string(), pa.float64())),
    }


def parquet_inputs(folder):
    """Writes the Parquet files, and yields their paths."""
    plain = {"store_schema": False}  # types are those of the file, not of what pyarrow remembers
    variants = {
        "plain": {"compression": "none", "use_dictionary": False},
        "snappy": {"compression": "snappy"},
        "gzip_v2": {"compression": "gzip", "data_page_version": "2.0"},
        "zstd_groups": {"compression": "zstd", "row_group_size": 37, "write_page_checksum": True},
        "brotli_index": {"compression": "brotli", "write_page_index": True, "data_page_size": 64},
        "lz4_v2": {"compression": "lz4", "data_page_version": "2.0", "use_dictionary": False},
        "delta": {
            "use_dictionary": False,
            "column_encoding": {"int32": "DELTA_BINARY_PACKED", "int64": "DELTA_BINARY_PACKED", "text": "DELTA_BYTE_ARRAY", "binary": "DELTA_LENGTH_BYTE_ARRAY"},
        },
        "split": {"use_dictionary": False, "column_encoding": {"double": "BYTE_STREAM_SPLIT", "float": "BYTE_STREAM_SPLIT", "int64": "BYTE_STREAM_SPLIT"}},
    }
    for name, options in variants.items():
        yield write(folder / f"{name}.parquet", 200, **plain, **options)
    yield write(folder / "empty.parquet", 0, **plain)
    yield write(folder / "one.parquet", 1, **plain)
    yield write(folder / "copied.parquet", 40000, **plain, row_group_size=20000)  # so large that chunks are copied
    old = pyarrow.table({"x": [1.0, 2.0, 3.0], "y": [0.0, 0.0, 0.0], "old": pyarrow.array([0, None, 10**15], pyarrow.timestamp("us"))})
    path = folder / "int96.parquet"
    pyarrow.parquet.write_table(old, path, use_deprecated_int96_timestamps=True, **plain)
    yield path
    required = pyarrow.schema([pyarrow.field("x", pyarrow.float64(), False), pyarrow.field("y", pyarrow.int16(), False), pyarrow.field("n", pyarrow.string(), False)])
    path = folder / "required.parquet"
    pyarrow.parquet.write_table(pyarrow.table([[1.5, 2.5], [1, 2], ["a", ""]], schema=required), path, **plain)
    yield path


def write(path, rows, **options):
    pyarrow.parquet.write_table(pyarrow.table(columns(rows)), path, **options)
    return path


def csv_inputs(folder):
    """Writes CSV files, and yields their paths."""
    made = columns(200)
    names = ["x", "y", "double", "text", "bool", "date", "int64", "uint8", "decimal15"]
    table = pyarrow.table({name: made[name] for name in names})
    path = folder / "all.csv"
    pyarrow.csv.write_csv(table, path)
    yield path
    path = folder / "tabs.tsv"
    pyarrow.csv.write_csv(table.drop(["text"]), path, pyarrow.csv.WriteOptions(delimiter="\t"))
    yield path
    path = folder / "headless.csv"
    pyarrow.csv.write_csv(table.select(["x", "y"]), path, pyarrow.csv.WriteOptions(include_header=False))
    yield path


def read_pyarrow(path):
    if path.suffix == ".parquet":
        file = pyarrow.parquet.ParquetFile(path)
        table = file.read()
        return {f.name: (str(f.type), table.column(i).to_pylist()) for i, f in enumerate(table.schema)}
    delimiter = "\t" if path.suffix == ".tsv" else ","
    table = pyarrow.csv.read_csv(path, parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True))
    return {f.name: (str(f.type), table.column(i).to_pylist()) for i, f in enumerate(table.schema)}


def read_duckdb(path):
    source = f"read_parquet('{path}')" if path.suffix == ".parquet" else f"read_csv('{path}', header=true)"
    with duckdb.connect() as connection:
        result = connection.execute(f"select * from {source}")
        kinds = [(d[0], str(d[1])) for d in result.description]
        rows = result.fetchall()
    return {name: (kind, [row[i] for row in rows]) for i, (name, kind) in enumerate(kinds)}


def read_polars(path):
    if path.suffix == ".parquet":
        frame = polars.read_parquet(path)
    else:
        frame = polars.read_csv(path, separator="\t" if path.suffix == ".tsv" else ",", infer_schema_length=None)
    return {s.name: (str(s.dtype), s.to_list()) for s in frame}


READERS = {"pyarrow": read_pyarrow, "DuckDB": read_duckdb, "Polars": read_polars}


class Tally:
    """Counts what was compared."""

    def __init__(self):
        self.equal, self.different = 0, 0

    def compare(self, what, want, got):
        """Compares a type and values by what they print: NaN is NaN there, and -0 is not 0."""
        if repr(want) == repr(got):
            self.equal += 1
            return
        self.different += 1
        where = f"type {want[0]}, got {got[0]}"
        if want[0] == got[0]:
            pairs = zip(map(repr, want[1]), map(repr, got[1]))
            row = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(want[1]), len(got[1])))
            where = f"row {row}: want {want[1][row : row + 1]!r}, got {got[1][row : row + 1]!r}"
        print(f"{what}: {where}")


def cluster(program, source, target):
    names = "c1,c2" if source.stem == "headless" else "x,y"
    subprocess.run([program, "dbscan", source, "-c", names, "-e", "0.5", "-m", "3", "-q", "-o", target], check=True)


def check(tally, source, target):
    """Compares the columns of an input and its output, and the labels between readers."""
    labels = {}
    for reader, read in READERS.items():
        try:
            before = None if source.stem == "headless" else read(source)
        except Exception as err:  # not every reader reads everything
            print(f"({reader} does not read the input {source.name}: {type(err).__name__})")
            continue
        after = read(target)
        if before is None:
            before = {name: after[name] for name in ("c1", "c2")}
        what = f"{source.name} to {target.name}, {reader}"
        tally.compare(f"{what}, names", ("names", [*before, *LABELS]), ("names", [*after]))
        for name, want in before.items():
            tally.compare(f"{what}, column {name}", want, after.get(name, ("nothing", [])))
        labels[reader] = [after[name][1] for name in LABELS if name in after]
    for reader, got in labels.items():
        tally.compare(f"{target.name}, labels of {reader} and pyarrow", ("labels", labels["pyarrow"]), ("labels", got))


def cells(path):
    """The fields of a CSV file by column, as Python's own reader has them."""
    with open(path, newline="") as file:
        names, *rows = csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ",")
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def same(value, cell):
    """Whether a value of Parquet is what a field of CSV says."""
    if value is None:
        return cell == ""
    if isinstance(value, float):
        return repr(value) == repr(float(cell))
    return str(value).lower() == cell if isinstance(value, bool) else str(value) == cell


def check_conversion(tally, source, target):
    """Compares a Parquet file, as each reader has it, with the CSV that it comes from or goes to."""
    text, binary = (source, target) if target.suffix == ".parquet" else (target, source)
    fields = cells(text)
    for reader, read in READERS.items():
        for name, (_, values) in read(binary).items():
            if name in fields:
                wrong = [i for i, pair in enumerate(zip(values, fields[name], strict=True)) if not same(*pair)]
                say = [(values[i], fields[name][i]) for i in wrong[:3]]
                tally.compare(f"{source.name} to {target.name}, {reader}, column {name}", ("equal", []), ("equal", say))


def main(arguments):
    tally = Tally()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        program = pathlib.Path(arguments[0]).resolve() if arguments else folder / "rtcluster"
        if not arguments:
            root = pathlib.Path(__file__).resolve().parent.parent
            subprocess.run(["go", "build", "-o", program, "./cmd/rtcluster"], cwd=root, check=True)
        for source in parquet_inputs(folder):
            target = folder / f"{source.stem}_out.parquet"
            cluster(program, source, target)
            check(tally, source, target)
        for source in csv_inputs(folder):
            target = folder / f"{source.stem}_out{source.suffix}"
            cluster(program, source, target)
            check(tally, source, target)
            if source.stem != "headless":
                converted = folder / f"{source.stem}_converted.parquet"
                cluster(program, source, converted)
                check_conversion(tally, source, converted)
        simple = folder / "simple.parquet"
        names = ["x", "y", "double", "text", "bool", "date", "int64", "uint64", "decimal38"]
        pyarrow.parquet.write_table(pyarrow.table(columns(200)).select(names), simple)
        cluster(program, simple, simple.with_suffix(".csv"))
        check_conversion(tally, simple, simple.with_suffix(".csv"))
    print(f"{tally.equal} equal, {tally.different} different")
    return 1 if tally.different or not tally.equal else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
