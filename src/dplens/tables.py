"""CSV and Parquet files as tables that DuckDB reads, however large: records, scores of attacks, points of curves.

A file format is one line in :func:`table_of`. Imports only the checks of input.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from dplens import _validate
from dplens.errors import MissingExtra

NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
            "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL", "BOOLEAN")  # fmt: skip


def quoted(name: str) -> str:
    """The quoted name of a column for DuckDB."""
    return '"' + name.replace('"', '""') + '"'


def literal_path(path: Path) -> str:
    """A path as a DuckDB literal for this one file: no pattern, no home folder, quotes escaped."""
    whole = "".join(f"[{c}]" if c in "*?[" else c for c in str(path.absolute()))
    return "'" + whole.replace("'", "''") + "'"


def table_of(name: str, path: Path) -> str:
    """A CSV or Parquet file as a DuckDB table."""
    try:
        there = path.is_file()
    except OSError:  # a name that no file can have
        there = False
    if not there:
        raise _validate.reject(name, "to be an existing file", str(path))
    text = f"{literal_path(path)}, hive_partitioning=false"
    readers = {
        ".parquet": f"read_parquet({text})",
        ".csv": f"read_csv({text})",
        ".tsv": f"read_csv({text}, delim='\\t')",
    }
    if path.suffix.lower() not in readers:
        raise _validate.reject(name, "to be a .csv, .tsv or .parquet file", str(path))
    return readers[path.suffix.lower()]


def without_blank_end(table: str, path: Path, columns: Iterable[str], query: Callable[[str], list[Any]]) -> str:
    """The table without blank lines at its end, which DuckDB reads as missing values in a CSV file of one column."""
    names = list(columns)
    blank = _blank_lines_at_end(path) if len(names) == 1 and path.suffix.lower() != ".parquet" else 0
    if not blank:
        return table
    total, filled = query(f"SELECT count(*), count({quoted(names[0])}) FROM {table}")[0]
    # DuckDB keeps the order of a file; if it has skipped some of the lines itself, no value is dropped for them
    return f"(SELECT * FROM {table} LIMIT {total - blank})" if total - filled >= blank else table


def _blank_lines_at_end(path: Path) -> int:
    with path.open("rb") as file:
        size, read, tail = file.seek(0, os.SEEK_END), 0, b""
        while read < size and not tail.strip(b"\r\n"):
            read = min(max(2 * read, 2**12), size)
            file.seek(size - read)
            tail = file.read()
    return max(len(tail[len(tail.rstrip(b"\r\n")) :].splitlines()) - 1, 0)


def query(text: str) -> list[tuple[Any, ...]]:
    """The rows that DuckDB finds."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtra("Reading files needs DuckDB: pip install 'dplens[data]'") from None
    with duckdb.connect() as connection:
        try:
            return connection.execute(text).fetchall()
        except duckdb.Error as error:
            rule = "to be a CSV or Parquet file that DuckDB can read"
            raise _validate.reject("source", rule, _validate.Shown(str(error).splitlines()[0])) from None
