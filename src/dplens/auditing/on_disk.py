"""Scores and canaries in files, read with DuckDB."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.tables import NUMBERS, columns_of, duckdb_table, format_of, query, quoted, without_blank_end


def scores_from_files(scores_in: Any, scores_out: Any, column: str, label: str = "") -> tuple[Any, Any]:
    """The scores of two files, of a file beside an array, or of one file with both sides, given by ``label``."""
    if label:
        return _labelled(_File("scores_in", scores_in), column, label)
    first, second = (
        _File(name, given).scores(column)[0] if isinstance(given, (str, Path)) else given
        for name, given in (("scores_in", scores_in), ("scores_out", scores_out))
    )
    return first, second


def canaries_from_file(path: Any, included: str, column: str) -> tuple[Any, Floats]:
    """Whether each canary was included, and its score, row by row."""
    file = _File("scores", path)
    file.number(included, "included")
    found = file.arrays(f"{quoted(included)} AS i, {file.number(column)} AS s")
    for key, name in (("i", included), ("s", column)):
        if np.ma.is_masked(found[key]):
            shown = _validate.Shown(f"{int(np.ma.count_masked(found[key]))} without in {path}")
            raise _validate.reject("scores", f"to have a value in every row of column {name!r}", shown)
    return np.asarray(found["i"]), np.asarray(found["s"], dtype=float)


def _labelled(file: _File, column: str, label: str) -> tuple[Floats, Floats]:
    """Both sides of a file with a column that says which side a score belongs to."""
    scores, sides = file.scores(column, label)
    odd = sides[~np.isin(sides, (0, 1))]
    if len(odd):
        rule = f"to hold 1 (with the target) and 0 (without) in column {label!r}"
        shown = _validate.Shown(f"{'nothing' if np.isnan(odd[0]) else format(odd[0], 'g')} in {file.path}")
        raise _validate.reject(file.name, rule, shown)
    for inside in (1, 0):
        if not (sides == inside).any():
            rule = f"to hold scores with and without the target, as given by column {label!r}"
            raise _validate.reject(file.name, rule, _validate.Shown(f"only {1 - inside} in {file.path}"))
    return scores[sides == 1], scores[sides == 0]


class _File:
    """A file with a table of scores, read by DuckDB."""

    def __init__(self, name: str, path: Any) -> None:
        self.name, self.path = name, Path(path)
        self.table = duckdb_table(name, self.path)
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
        found = format_of(self.path)
        if f"{column}_1" not in self.kinds or found is None or not found.is_csv:
            return False
        raw = self.table.removesuffix(")") + ", header=false, all_varchar=true)"
        header = self.rows(f"SELECT * FROM {raw} LIMIT 1")[0]
        return sum(str(name).strip() == column for name in header) > 1

    def scores(self, column: str, label: str = "") -> tuple[Floats, Floats]:
        """The scores, which must be finite, and the numbers in the column ``label`` (NaN where there are none)."""
        side = self.number(label, "label") if label else "0"
        found = self.arrays(f"{self.number(column)} AS s, {side} AS i")
        scores, sides = (np.ma.filled(found[key].astype(float), np.nan) for key in ("s", "i"))
        odd = np.count_nonzero(~np.isfinite(scores))
        if not len(scores) or odd:
            remedy = "Give such runs the score that the attacker would act on; dropping them would bias the audit."
            rule = f"to hold finite scores in column {column!r}" if odd else "to hold at least one score"
            bad = f"{odd} of {len(scores)} that are missing, NaN or infinite" if odd else "none"
            shown = _validate.Shown(f"{bad} in {self.path}")
            raise _validate.reject(self.name, rule, shown, remedy if odd else "")
        return scores, sides

    def rows(self, text: str) -> list[tuple[Any, ...]]:
        return query(text, self.name, self.path)

    def arrays(self, select: str) -> dict[str, Any]:
        return columns_of(self.table, select, self.name, self.path)
