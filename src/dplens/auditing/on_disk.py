"""Scores in files: counts at thresholds by DuckDB, in a few passes over the file and little memory.

The band holds at any thresholds, so the scores need not be sorted. Thresholds are the extreme scores themselves, where
every single one counts, and between them quantiles of a part of the scores (those whose hash is a multiple of some
number, so that the same file gives the same answer); then one pass counts exactly how many scores reach each.
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
from dplens.correlated.fit import NUMBERS, quoted, table_of
from dplens.errors import MissingExtra

Ints = npt.NDArray[np.int64]

MEMORY = "1GB"  # what DuckDB may use; beyond that it writes to its temporary directory
_PART = 200_000  # scores that give the thresholds in the middle
_ENDS = 4_000  # extreme scores of which each is a threshold, as far as its rank has a bound of its own


def counts_from_files(scores_in: Any, scores_out: Any, column: str, sign: int = 1, label: str = "") -> Counted:
    """Counts at thresholds of two files, of a file and an array, or of one file whose ``label`` tells the sides."""
    with _connected() as connection:
        if label:
            path = Path(scores_in)
            sides = [_Labelled(connection, path, column, sign, label, inside) for inside in (True, False)]
        else:
            both = (("scores_in", scores_in), ("scores_out", scores_out))
            sides = [_side(connection, name, scores, column, sign) for name, scores in both]
        thresholds = np.unique(np.concatenate([side.thresholds() for side in sides]))[::-1]
        tp, fp = (side.reaching(thresholds) for side in sides)
    n_in, n_out = sides[0].n, sides[1].n
    # the area between thresholds is known up to the order within cells, which is counted by half
    share_in, share_out = np.diff(np.append(tp, n_in), prepend=0) / n_in, np.append(fp, n_out) / n_out
    before = np.concatenate([[0.0], share_out[:-1]])
    auc = float(np.sum(share_in * (1 - (share_out + before) / 2)))
    return Counted(n_in, n_out, thresholds, tp, fp, auc)


class _Array:
    """One side in memory."""

    def __init__(self, values: Floats) -> None:
        self.scores, self.n = np.sort(values), len(values)

    def thresholds(self) -> Floats:
        return self.scores[::-1][grid_ranks(self.n) - 1]

    def reaching(self, thresholds: Floats) -> Ints:
        return self.n - np.searchsorted(self.scores, thresholds, side="left")


class _File:
    """One side in a file."""

    def __init__(self, connection: Any, name: str, path: Path, column: str, sign: int) -> None:
        self.connection, self.name, self.path = connection, name, path
        self.table = self._table(column)
        named = quoted(column)
        self.score = f"({'-' if sign < 0 else ''}({self._number(column)}))"
        asked = (
            f"count(*), count({named}), count(*) FILTER (NOT isfinite({self.score})), approx_count_distinct({named})"
        )
        self.n, filled, odd, self.distinct = (int(x) for x in self._query(f"SELECT {asked} FROM {self.table}")[0])
        if not self.n:
            raise _validate.reject(name, "to hold at least one score", _validate.Shown(f"none in {path}"))
        if filled < self.n or odd:
            remedy = "Give such runs the score that the attacker would act on; dropping them would bias the audit."
            bad = self.n - filled + odd
            shown = _validate.Shown(f"{bad} of {self.n} that are missing, NaN or infinite in {path}")
            raise _validate.reject(name, f"to hold finite scores in column {column!r}", shown, remedy)

    def _table(self, column: str, argument: str = "column") -> str:
        table = table_of(self.name, self.path)
        if not self.path.stat().st_size:
            raise _validate.reject(
                self.name, "to hold at least one score", _validate.Shown(f"an empty file: {self.path}")
            )
        columns = {row[0]: str(row[1]) for row in self._query(f"DESCRIBE SELECT * FROM {table}")}
        if column not in columns:
            shown = _validate.Shown(f"columns {sorted(columns)} in {self.path}")
            raise _validate.reject(self.name, f"to have a column {column!r}", shown, f"Name yours by {argument}=….")
        odd = None if columns[column].startswith(NUMBERS) else self._odd(column, columns[column], table)
        if odd is not None:
            rule = f"to hold numbers in column {column!r}"
            raise _validate.reject_type(self.name, rule, _validate.Shown(f"{odd} in {self.path}"))
        self.kind = columns[column]
        return table

    def _number(self, column: str) -> str:
        """The column last looked at as numbers; to cast truth values would make DuckDB read their texts as numbers."""
        name = quoted(column)
        return (
            f"(CASE WHEN {name} THEN 1.0 WHEN NOT {name} THEN 0.0 END)::DOUBLE"
            if self.kind == "BOOLEAN"
            else f"{name}::DOUBLE"
        )

    def _odd(self, column: str, kind: str, table: str) -> str | None:
        """What stands where a number should: the first such text, else the kind of the column; None if all are numbers.

        DuckDB takes a column for texts by what it sees first, and "-inf" for one.
        """
        if kind != "VARCHAR":
            return kind
        text = quoted(column)
        found = self._query(
            f"SELECT {text} FROM {table} WHERE {text} IS NOT NULL AND try_cast({text} AS DOUBLE) IS NULL LIMIT 1"
        )
        return repr(found[0][0]) if found else None

    def thresholds(self) -> Floats:
        if self.distinct < _ENDS:  # few values, perhaps all ties
            found = self._numbers(f"SELECT DISTINCT {self.score} AS s FROM {self.table} LIMIT {4 * _ENDS}")
            if len(found) < 4 * _ENDS:
                return found
        ranks = grid_ranks(self.n)
        near = ranks[ranks <= _ENDS]
        top = self._numbers(f"SELECT {self.score} AS s FROM {self.table} ORDER BY s DESC LIMIT {_ENDS}")
        last = self._numbers(f"SELECT {self.score} AS s FROM {self.table} ORDER BY s LIMIT {_ENDS}")
        part = max(1, self.n // _PART)
        middle = np.sort(
            self._numbers(f"SELECT {self.score} AS s FROM {self.table} WHERE hash({self.score}) % {part} = 0")
        )
        ends = [np.sort(top)[::-1][np.minimum(near, len(top)) - 1], np.sort(last)[np.minimum(near, len(last)) - 1]]
        if not len(middle):
            return np.concatenate(ends)
        within = np.clip((len(middle) * (1 - ranks / self.n)).astype(np.int64), 0, len(middle) - 1)
        return np.concatenate([*ends, middle[within]])

    def reaching(self, thresholds: Floats) -> Ints:
        """How many scores are at or above each threshold, thresholds falling."""
        with np.errstate(over="ignore"):  # a bin ends with its edge: at most that, so less than the threshold
            edges = np.nextafter(thresholds[::-1], -math.inf)
        listed = ", ".join(f"'{edge!r}'::DOUBLE" for edge in edges.tolist())
        asked = f"SELECT map_keys(h), map_values(h) FROM (SELECT histogram({self.score}, [{listed}]::DOUBLE[]) AS h"
        keys, values = self._query(f"{asked} FROM {self.table})")[0]
        counts = dict(zip(keys, values))
        below = np.cumsum([counts.get(edge, 0) for edge in edges.tolist()])
        return (self.n - below)[::-1].astype(np.int64)

    def _numbers(self, text: str) -> Floats:
        try:
            found = self.connection.execute(text).fetchnumpy()["s"]
        except Exception as error:
            raise self._unreadable(error) from None
        return np.asarray(found, dtype=float)

    def _query(self, text: str) -> list[tuple[Any, ...]]:
        try:
            return self.connection.execute(text).fetchall()
        except Exception as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: Exception) -> Exception:
        if type(error).__module__.split(".")[0] not in ("duckdb", "_duckdb"):
            return error
        rule = f"to be a CSV or Parquet file that DuckDB can read ({self.path})"
        # the first lines say what and where, those after an empty one what could be asked of DuckDB
        said = " ".join(str(error).strip().split("\n\n")[0].splitlines())
        return _validate.reject(self.name, rule, _validate.Shown(said))


class _Labelled(_File):
    """One side of a file in which a column says which side a score is from."""

    def __init__(self, connection: Any, path: Path, column: str, sign: int, label: str, inside: bool) -> None:
        self.label, self.inside = label, inside
        super().__init__(connection, "scores_in", path, column, sign)

    def _table(self, column: str, argument: str = "column") -> str:
        super()._table(self.label, "label")
        side = self._number(self.label)
        table = super()._table(column, argument)
        odd = f"{quoted(self.label)} IS NULL OR {side} NOT IN (0, 1)"
        found = self._query(f"SELECT {quoted(self.label)} FROM {table} WHERE {odd} LIMIT 1")
        if found:
            rule = f"to hold 1 (with the target) and 0 (without) in column {self.label!r}"
            shown = _validate.Shown(f"{'nothing' if found[0][0] is None else found[0][0]} in {self.path}")
            raise _validate.reject(self.name, rule, shown)
        kept = f"(SELECT * FROM {table} WHERE {side} = {int(self.inside)})"
        if not self._query(f"SELECT 1 FROM {kept} LIMIT 1"):
            rule = f"to hold scores with and without the target, told apart by column {self.label!r}"
            raise _validate.reject(self.name, rule, _validate.Shown(f"only {1 - self.inside} in {self.path}"))
        return kept


class _Canaries(_File):
    """One file with a row for each canary of one run."""

    def __init__(self, connection: Any, path: Path) -> None:
        self.connection, self.name, self.path = connection, "scores", path

    def columns(self, included: str, column: str) -> tuple[Any, Floats]:
        self._table(included, "included")
        table = self._table(column)
        names = f"{quoted(included)} AS i, {self._number(column)} AS s"
        try:
            found = self.connection.execute(f"SELECT {names} FROM {table}").fetchnumpy()
        except Exception as error:
            raise self._unreadable(error) from None
        for key, name in (("i", included), ("s", column)):
            if np.ma.is_masked(found[key]):
                shown = _validate.Shown(f"{int(np.ma.count_masked(found[key]))} without in {self.path}")
                raise _validate.reject(self.name, f"to have a value in every row of column {name!r}", shown)
        return np.asarray(found["i"]), np.asarray(found["s"], dtype=float)


def canaries_from_file(path: Any, included: str, column: str) -> tuple[Any, Floats]:
    """Whether each canary was put in, and its score; one row each."""
    with _connected() as connection:
        return _Canaries(connection, Path(path)).columns(included, column)


def _side(connection: Any, name: str, source: Any, column: str, sign: int) -> _Array | _File:
    if isinstance(source, (str, Path)):
        return _File(connection, name, Path(source), column, sign)
    return _Array(sign * checked_scores(name, source))


@contextmanager
def _connected() -> Iterator[Any]:
    try:
        import duckdb
    except ImportError:
        raise MissingExtra("Reading scores from files needs DuckDB: pip install 'dplens[audit]'") from None
    with duckdb.connect(config={"memory_limit": MEMORY}) as connection:
        yield connection
