"""Scores in files: counts at thresholds by DuckDB, in a few passes over the file and with little memory.

The band holds at any thresholds, so the scores need not be sorted. The thresholds are the extreme scores, where every
single one matters, and in between the quantiles of a subsample (chosen by hash, so that the same file gives the same
answer). One more pass counts exactly how many scores reach each threshold.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens._validate import Floats
from dplens.auditing.bands import grid_ranks
from dplens.auditing.scores import Counted, checked_scores
from dplens.errors import MissingExtra
from dplens.tables import NUMBERS, quoted, table_of, without_blank_end

Ints = npt.NDArray[np.int64]

MEMORY = "1GB"  # for DuckDB; beyond that it writes to its temporary directory


def counts_from_files(scores_in: Any, scores_out: Any, column: str, sign: int = 1, label: str = "") -> Counted:
    """Counts at thresholds of two files, a file and an array, or one file with both sides, given by ``label``."""
    with _connected() as connection:
        if label:
            sides = _labelled(_File(connection, "scores_in", scores_in), column, sign, label)
        else:
            both = (("scores_in", scores_in), ("scores_out", scores_out))
            sides = [_side(connection, name, scores, column, sign) for name, scores in both]
        thresholds = np.unique(np.concatenate([side.thresholds() for side in sides]))[::-1]
        tp, fp = (side.reaching(thresholds) for side in sides)
    n_in, n_out = sides[0].n, sides[1].n
    # pairs between the same two thresholds count half
    share_in, share_out = np.diff(np.append(tp, n_in), prepend=0) / n_in, np.append(fp, n_out) / n_out
    before = np.concatenate([[0.0], share_out[:-1]])
    auc = float(np.sum(share_in * (1 - (share_out + before) / 2)))
    return Counted(n_in, n_out, thresholds, tp, fp, auc)


def canaries_from_file(path: Any, included: str, column: str) -> tuple[Any, Floats]:
    """Whether each canary was included, and its score, row by row."""
    with _connected() as connection:
        file = _File(connection, "scores", path)
        file.number(included, "included")
        found = file.arrays(f"SELECT {quoted(included)} AS i, {file.number(column)} AS s FROM {file.table}")
    for key, name in (("i", included), ("s", column)):
        if np.ma.is_masked(found[key]):
            shown = _validate.Shown(f"{int(np.ma.count_masked(found[key]))} without in {path}")
            raise _validate.reject("scores", f"to have a value in every row of column {name!r}", shown)
    return np.asarray(found["i"]), np.asarray(found["s"], dtype=float)


class _File:
    """A CSV or Parquet file, read by DuckDB."""

    def __init__(self, connection: Any, name: str, path: Any) -> None:
        self.connection, self.name, self.path = connection, name, Path(path)
        self.table = table_of(name, self.path)
        if not self.path.stat().st_size:
            raise _validate.reject(name, "to hold at least one score", _validate.Shown(f"an empty file: {path}"))
        self.kinds = {row[0]: str(row[1]) for row in self.rows(f"DESCRIBE SELECT * FROM {self.table}")}
        self.table = without_blank_end(self.table, self.path, self.kinds, self.rows)

    def number(self, column: str, argument: str = "column") -> str:
        """The SQL expression that reads a column as numbers; a plain cast would try to parse booleans as numbers."""
        if column not in self.kinds:
            shown = _validate.Shown(f"columns {sorted(self.kinds)} in {self.path}")
            raise _validate.reject(self.name, f"to have a column {column!r}", shown, f"Name yours by {argument}=….")
        if self._is_repeated(column):
            shown = _validate.Shown(f"several in {self.path}")
            raise _validate.reject(self.name, f"to have one column {column!r}", shown, "Rename the others.")
        name, kind = quoted(column), self.kinds[column]
        odd = None if kind.startswith(NUMBERS) else kind
        if kind == "VARCHAR":  # DuckDB infers the type from the first rows, and "-inf" as text
            texts = f"{name} IS NOT NULL AND try_cast({name} AS DOUBLE) IS NULL"
            found = self.rows(f"SELECT {name} FROM {self.table} WHERE {texts} LIMIT 1")
            odd = repr(found[0][0]) if found else None
        if odd is not None:
            rule = f"to hold numbers in column {column!r}"
            raise _validate.reject_type(self.name, rule, _validate.Shown(f"{odd} in {self.path}"))
        truth = f"CASE WHEN {name} THEN 1.0 WHEN NOT {name} THEN 0.0 END"
        return f"({truth})::DOUBLE" if kind == "BOOLEAN" else f"{name}::DOUBLE"

    def _is_repeated(self, column: str) -> bool:
        """Whether a CSV file has several columns of that name, of which DuckDB renames all but the first."""
        if f"{column}_1" not in self.kinds or self.path.suffix.lower() == ".parquet":
            return False
        raw = self.table.removesuffix(")") + ", header=false, all_varchar=true)"
        header = self.rows(f"SELECT * FROM {raw} LIMIT 1")[0]
        return sum(str(name).strip() == column for name in header) > 1

    def rows(self, text: str) -> list[tuple[Any, ...]]:
        return self._read(text, "fetchall")

    def arrays(self, text: str) -> dict[str, Any]:
        return self._read(text, "fetchnumpy")

    def _read(self, text: str, how: str) -> Any:
        try:
            return getattr(self.connection.execute(text), how)()
        except Exception as error:
            if type(error).__module__.split(".")[0] not in ("duckdb", "_duckdb"):
                raise
            rule = f"to be a CSV or Parquet file that DuckDB can read ({self.path})"
            # the first paragraph says what is wrong and where, the others suggest DuckDB options
            said = " ".join(str(error).strip().split("\n\n")[0].splitlines())
            raise _validate.reject(self.name, rule, _validate.Shown(said)) from None


class _ArraySide:
    """One side in memory."""

    def __init__(self, values: Floats) -> None:
        self.scores, self.n = np.sort(values), len(values)

    def thresholds(self) -> Floats:
        return self.scores[::-1][grid_ranks(self.n) - 1]

    def reaching(self, thresholds: Floats) -> Ints:
        return self.n - np.searchsorted(self.scores, thresholds, side="left")


class _FileSide:
    """One side in a file: the rows of a table, by default all of them."""

    def __init__(self, file: _File, column: str, sign: int, table: str = "") -> None:
        self.file, self.table = file, table or file.table
        self.score = f"({'-' if sign < 0 else ''}({file.number(column)}))"
        name = quoted(column)
        asked = f"count(*), count({name}), count(*) FILTER (NOT isfinite({self.score})), approx_count_distinct({name})"
        self.n, filled, odd, self.distinct = map(int, file.rows(f"SELECT {asked} FROM {self.table}")[0])
        if not self.n:
            raise _validate.reject(file.name, "to hold at least one score", _validate.Shown(f"none in {file.path}"))
        if filled < self.n or odd:
            remedy = "Give such runs the score that the attacker would act on; dropping them would bias the audit."
            bad = f"{self.n - filled + odd} of {self.n} that are missing, NaN or infinite in {file.path}"
            rule = f"to hold finite scores in column {column!r}"
            raise _validate.reject(file.name, rule, _validate.Shown(bad), remedy)

    def thresholds(self, extreme: int = 4_000, sample: int = 200_000) -> Floats:
        """All ranks with a bound among the ``extreme`` scores on either end, quantiles of a sample in between."""
        if self.distinct < extreme:  # approximately: many ties
            found = self._scores(f"LIMIT {4 * extreme}", "DISTINCT")
            if len(found) < 4 * extreme:
                return found
        ranks = grid_ranks(self.n)
        near = ranks[ranks <= extreme]
        top, last = (self._scores(f"ORDER BY s {way} LIMIT {extreme}") for way in ("DESC", "ASC"))
        middle = np.sort(self._scores(f"WHERE hash({self.score}) % {max(1, self.n // sample)} = 0"))
        ends = [np.sort(top)[::-1][np.minimum(near, len(top)) - 1], np.sort(last)[np.minimum(near, len(last)) - 1]]
        if not len(middle):
            return np.concatenate(ends)
        within = np.clip((len(middle) * (1 - ranks / self.n)).astype(np.int64), 0, len(middle) - 1)
        return np.concatenate([*ends, middle[within]])

    def reaching(self, thresholds: Floats) -> Ints:
        """The number of scores at or above each threshold; thresholds are decreasing."""
        with np.errstate(over="ignore"):  # bins include their upper edge, so end them just below the threshold
            edges = np.nextafter(thresholds[::-1], -math.inf)
        listed = ", ".join(f"'{edge!r}'::DOUBLE" for edge in edges.tolist())
        asked = f"SELECT map_keys(h), map_values(h) FROM (SELECT histogram({self.score}, [{listed}]::DOUBLE[]) AS h"
        counts = dict(zip(*self.file.rows(f"{asked} FROM {self.table})")[0]))
        below = np.cumsum([counts.get(edge, 0) for edge in edges.tolist()])
        return (self.n - below)[::-1].astype(np.int64)

    def _scores(self, which: str, distinct: str = "") -> Floats:
        found = self.file.arrays(f"SELECT {distinct} {self.score} AS s FROM {self.table} {which}")
        return np.asarray(found["s"], dtype=float)


def _labelled(file: _File, column: str, sign: int, label: str) -> list[_FileSide]:
    """Both sides of a file with a column that says which side a score belongs to."""
    side, name = file.number(label, "label"), quoted(label)
    file.number(column)
    found = file.rows(f"SELECT {name} FROM {file.table} WHERE {name} IS NULL OR {side} NOT IN (0, 1) LIMIT 1")
    if found:
        rule = f"to hold 1 (with the target) and 0 (without) in column {label!r}"
        shown = _validate.Shown(f"{'nothing' if found[0][0] is None else found[0][0]} in {file.path}")
        raise _validate.reject(file.name, rule, shown)
    tables = [f"(SELECT * FROM {file.table} WHERE {side} = {inside})" for inside in (1, 0)]
    for table, other in zip(tables, (0, 1)):
        if not file.rows(f"SELECT 1 FROM {table} LIMIT 1"):
            rule = f"to hold scores with and without the target, as given by column {label!r}"
            raise _validate.reject(file.name, rule, _validate.Shown(f"only {other} in {file.path}"))
    return [_FileSide(file, column, sign, table) for table in tables]


def _side(connection: Any, name: str, source: Any, column: str, sign: int) -> _ArraySide | _FileSide:
    if isinstance(source, (str, Path)):
        return _FileSide(_File(connection, name, source), column, sign)
    return _ArraySide(sign * checked_scores(name, source))


@contextmanager
def _connected() -> Iterator[Any]:
    try:
        import duckdb
    except ImportError:
        raise MissingExtra("Reading scores from files needs DuckDB: pip install 'dplens[audit]'") from None
    with duckdb.connect(config={"memory_limit": MEMORY}) as connection:
        yield connection
