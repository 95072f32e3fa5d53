"""Tables in files that DuckDB reads, however large: records, scores of attacks, points of curves.

A file format is one line in :data:`FORMATS`. Imports only the checks of input.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from dplens import _validate
from dplens.errors import MissingExtra

NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
            "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL", "BOOLEAN")  # fmt: skip


class TableFormat(NamedTuple):
    """How DuckDB reads a format of files: its function, with options. ``is_csv``: rows of text below a header.

    ``hive_partitioning=false``: folders such as ``year=2024`` are not columns.
    """

    reader: str
    options: str = "hive_partitioning=false"
    is_csv: bool = False


_JSON_LINES = TableFormat("read_json", "hive_partitioning=false, format='newline_delimited'")
FORMATS = {
    ".csv": TableFormat("read_csv", is_csv=True),
    ".tsv": TableFormat("read_csv", "hive_partitioning=false, delim='\\t'", is_csv=True),
    ".parquet": TableFormat("read_parquet"),
    ".jsonl": _JSON_LINES,
    ".ndjson": _JSON_LINES,
}


def format_of(path: Path) -> TableFormat | None:
    """The format of a file by its suffix; None if it holds no table."""
    return FORMATS.get(path.suffix.lower())


def quoted(name: str) -> str:
    """The quoted name of a column for DuckDB."""
    return '"' + name.replace('"', '""') + '"'


def literal_path(path: Path) -> str:
    """A path as a DuckDB literal for this one file: no pattern, no home folder, quotes escaped."""
    whole = "".join(f"[{c}]" if c in "*?[" else c for c in str(path.absolute()))
    return "'" + whole.replace("'", "''") + "'"


def duckdb_table(name: str, path: Path) -> str:
    """A file as a DuckDB table."""
    try:
        there = path.is_file()
    except OSError:  # a name that no file can have
        there = False
    if not there:
        raise _validate.reject(name, "to be an existing file", str(path))
    found = format_of(path)
    if found is None:
        raise _validate.reject(name, f"to end in one of {', '.join(FORMATS)}", str(path))
    return f"{found.reader}({literal_path(path)}, {found.options})"


def without_blank_end(table: str, path: Path, columns: Iterable[str], query: Callable[[str], list[Any]]) -> str:
    """The table without blank lines at its end, which DuckDB reads as missing values in a CSV file of one column."""
    names, found = list(columns), format_of(path)
    blank = _blank_lines_at_end(path) if len(names) == 1 and found is not None and found.is_csv else 0
    if not blank:
        return table
    total, filled = query(f"SELECT count(*), count({quoted(names[0])}) FROM {table}")[0]
    # DuckDB keeps the order of a file; blank lines that it has already skipped must not cost a row
    return f"(SELECT * FROM {table} LIMIT {total - blank})" if total - filled >= blank else table


def _blank_lines_at_end(path: Path) -> int:
    with path.open("rb") as file:
        size, read, tail = file.seek(0, os.SEEK_END), 0, b""
        while read < size and not tail.strip(b"\r\n"):
            read = min(max(2 * read, 2**12), size)
            file.seek(size - read)
            tail = file.read()
    return max(len(tail[len(tail.rstrip(b"\r\n")) :].splitlines()) - 1, 0)


def query(text: str, name: str = "source", path: Path | None = None) -> list[tuple[Any, ...]]:
    """The rows that DuckDB finds; an error names the argument and the file."""
    return _asked(text, "fetchall", name, path)


def columns_of(table: str, select: str = "*", name: str = "source", path: Path | None = None) -> dict[str, Any]:
    """Columns of a table as arrays, by default all."""
    return _asked(f"SELECT {select} FROM {table}", "fetchnumpy", name, path)


def _asked(text: str, fetch: str, name: str, path: Path | None) -> Any:
    try:
        import duckdb
    except ImportError:
        raise MissingExtra("Reading files needs DuckDB: pip install 'dplens[data]'") from None
    with duckdb.connect() as connection:
        try:
            return getattr(connection.execute(text), fetch)()
        except duckdb.Error as error:
            # the first paragraph says what is wrong and where, the others suggest options of DuckDB
            shown = _validate.Shown(" ".join(str(error).strip().split("\n\n")[0].splitlines()))
            rule = "to be a file that DuckDB can read" + (f" ({path})" if path else "")
            raise _validate.reject(name, rule, shown) from None
