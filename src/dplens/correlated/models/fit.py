"""Models from data: contingency tables and covariances of frames and of CSV, JSONL or Parquet files of any size."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.models.discrete import DiscreteData
from dplens.correlated.models.gaussian import GaussianData
from dplens.errors import DplensWarning
from dplens.tables import NUMBERS, duckdb_table, query, quoted, without_blank_end

_RANGES = (
    "Declare what may occur, from the codebook and not from the data: what happens to be in the data tells about "
    "the people in it."
)


def fit_discrete(source: Any, *, values: Mapping[str, Sequence[float]], smoothing: float = 0.0) -> DiscreteData:
    """Fit a discrete model to a data set: the contingency table of its columns.

    source: a path to a CSV, JSONL or Parquet file (read by DuckDB, so it may be larger than memory), a data frame, or
    a mapping from column to numbers (true and false are 1 and 0). values: the possible values of every column, in the
    order of the tuples; they must be declared and are never read from the data. A source with other columns is
    rejected, because omitting related records would hide risk: pass ``frame[["a", "b"]]``. smoothing: pseudo-rows added
    to every cell. ``.rows`` is the number of rows; sparse cells raise a ``DplensWarning``.

    >>> import dplens as dl
    >>> rows = {"smoker": [0, 0, 0, 1, 1, 1] * 10, "partner": [0, 0, 1, 1, 1, 0] * 10}
    >>> data = dl.fit_discrete(rows, values={"smoker": [0, 1], "partner": [0, 1]})
    >>> data.rows, round(float(data.joint[1, 1]), 4)
    (60, 0.3333)
    """
    columns, allowed = _declared("values", values)
    levels = [_levels(name, given) for name, given in zip(columns, allowed)]
    extra = _validate.nonnegative("smoothing", smoothing)
    shape = tuple(map(len, levels))
    if math.prod(shape) > 2**24:
        raise _validate.reject("values", "to make at most 2^24 cells", math.prod(shape), "Use fewer columns or values.")
    counts = np.zeros(shape)
    rows, number = _grouped(source, columns, counts.size)
    index, total = [], int(number.sum())
    for name, level, column in zip(columns, levels, rows.T):
        with np.errstate(over="ignore"):
            single = level.astype(np.float32).astype(float)  # as a column of single precision holds them
        stored = np.concatenate([level, single]) if len(np.unique(single)) == len(level) else level
        order = np.argsort(stored, kind="stable")
        at = np.minimum(np.searchsorted(stored[order], column), len(stored) - 1)
        bad = ~(stored[order[at]] == column)
        if bad.any():
            rule = f"to lie among the declared values {level.tolist()} of column {name!r}"
            raise _validate.reject("source", rule, float(column[bad][0]), "Declare that value, or clean the column.")
        index.append(order[at] % len(level))
    np.add.at(counts, tuple(index), number)
    if total == 0:
        raise _no_rows(source)
    sparse = 5
    if thin := int((counts < sparse).sum()):
        warnings.warn(
            f"{thin} of {counts.size} cells hold fewer than {sparse} of the {total} rows: their probabilities are "
            "hardly known, and the worst attacker may live there. Use fewer or coarser columns, more rows, or "
            "smoothing=1.",
            DplensWarning,
            stacklevel=2,
        )
    table = (counts + extra) / (total + extra * counts.size)
    return DiscreteData(joint=table, values=levels, rows=total)


def fit_gaussian(source: Any, *, ranges: Mapping[str, tuple[float, float]], width: Any = None) -> GaussianData:
    """Fit a Gaussian model to a data set: means and covariances of its columns.

    source: as for :func:`fit_discrete`. ranges: the interval (low, high) of every column, which must be declared and is
    never read from the data; values outside are rejected. width: the largest distance of two values of a tuple, by
    default the length of its range.

    >>> import dplens as dl
    >>> import numpy as np
    >>> one = np.linspace(150, 190, 400)
    >>> other = 34 + 0.8 * one + np.tile([-5.0, 5.0], 200)  # the sibling's height
    >>> data = dl.fit_gaussian({"one": one, "other": other}, ranges={"one": (140, 200), "other": (140, 200)})
    >>> print(f"{data.view(dl.Laplace(scale=60.0), target=0).leakage():.4f}")
    1.8019
    """
    columns, given = _declared("ranges", ranges)
    low, high = np.array([_interval(f"ranges[{name!r}]", ends) for name, ends in zip(columns, given)]).T
    middle = (low + high) / 2  # squares are summed around it, so that they keep their digits
    n, sums, products, least, most = _moments(source, columns, middle)
    for i, name in enumerate(columns):
        outside = [x for x in (least[i], most[i]) if not low[i] <= x <= high[i]]
        if outside:
            rule = f"to lie in the declared range [{low[i]:g}, {high[i]:g}] of column {name!r}"
            remedy = "Declare a wider range, or clip the column first."
            raise _validate.reject("source", rule, float(outside[0]), remedy)
    if n < 2:
        raise _validate.reject("source", "to have at least two rows", n)
    if n < 10 * len(columns):
        warnings.warn(
            f"{n} rows for {len(columns)} columns: the covariances are hardly known, and so is what follows from them.",
            DplensWarning,
            stacklevel=2,
        )
    mean = sums / n
    covariance = (products - n * np.outer(mean, mean)) / (n - 1)
    return GaussianData(covariance=covariance, mean=middle + mean, width=high - low if width is None else width, rows=n)


def _declared(name: str, given: Any) -> tuple[list[str], list[Any]]:
    if not isinstance(given, Mapping) or not given:
        raise _validate.reject_type(name, "to be a mapping from column to what may occur in it", given, _RANGES)
    return list(map(str, given)), list(given.values())


def _levels(name: str, given: Any) -> Floats:
    level = _validate.as_array(f"values[{name!r}]", given, booleans=True)
    if level.ndim != 1 or not len(level) or not np.isfinite(level).all() or len(np.unique(level)) != len(level):
        raise _validate.reject(f"values[{name!r}]", "to hold different finite numbers", given, _RANGES)
    return level


def _interval(name: str, ends: Any, largest: float = 1e75) -> tuple[float, float]:
    """A checked range; squares of its ends, and sums of these, must be floats."""
    try:
        first, last = ends
    except (TypeError, ValueError):
        raise _validate.reject(name, "to be a pair (low, high)", ends, _RANGES) from None
    low = _validate.real(f"{name}[0]", first, "to be finite", math.isfinite)
    high = _validate.real(f"{name}[1]", last, "to be finite and above the low end", lambda x: low < x < math.inf)
    if max(abs(low), abs(high)) > largest:
        rule = f"to hold numbers up to {largest:g} in size"
        raise _validate.reject(name, rule, ends, "State the column in a larger unit.")
    return low, high


def _no_rows(source: Any) -> Exception:
    shown = str(source) if isinstance(source, (str, Path)) else "an empty table"
    return _validate.reject("source", "to have rows", shown)


# ---- reading ------------------------------------------------------------------------------------------------------


def _grouped(source: Any, columns: list[str], cells: int) -> tuple[Floats, Floats]:
    """Distinct rows and their counts; at most one more than there are cells, in which case a value is not declared."""
    if isinstance(source, (str, Path)):
        names = ", ".join(map(quoted, columns))
        rows = query(
            f"SELECT {names}, count(*) FROM {_table('values', source, columns)} GROUP BY ALL LIMIT {cells + 1}"
        )
        found = np.array(rows, dtype=float).reshape(-1, len(columns) + 1)
        for name, column in zip(columns, found.T):
            _check_gaps(name, column)
        return found[:, :-1], found[:, -1]
    rows, number = np.unique(np.stack(_columns("values", source, columns), axis=1), axis=0, return_counts=True)
    return rows, number.astype(float)


def _moments(source: Any, columns: list[str], middle: Floats) -> tuple[int, Floats, Floats, Floats, Floats]:
    """Number of rows, sums and products around the middle, minima and maxima, in one pass."""
    k = len(columns)
    if isinstance(source, (str, Path)):
        at = [f"({quoted(c)}::DOUBLE - ({m!r}))" for c, m in zip(columns, map(float, middle))]
        pairs = [(i, j) for i in range(k) for j in range(i + 1)]
        terms = [f"count({quoted(c)})" for c in columns] + ["count(*)"] + [f"sum({a})" for a in at]
        terms += [f"sum({at[i]} * {at[j]})" for i, j in pairs]
        terms += [f"{f}({quoted(c)})" for f in ("min", "max") for c in columns]
        row = query(f"SELECT {', '.join(terms)} FROM {_table('ranges', source, columns)}")[0]
        n = int(row[k])
        if n == 0:
            raise _no_rows(source)
        rest = np.array(row[k + 1 :], float)
        for name, there, total in zip(columns, row[:k], rest[:k]):
            _check_gaps(name, np.array([total if there == n else math.nan]))
        products = np.zeros((k, k))
        for value, (i, j) in zip(rest[k : k + len(pairs)], pairs):
            products[i, j] = products[j, i] = value
        ends = rest[k + len(pairs) :]
        return n, rest[:k], products, ends[:k], ends[k:]
    x = np.stack(_columns("ranges", source, columns), axis=1)
    if not len(x):
        raise _no_rows(source)
    y = x - middle
    with np.errstate(over="ignore"):  # such values lie outside the declared ranges and are refused
        return len(x), y.sum(axis=0), y.T @ y, x.min(axis=0), x.max(axis=0)


def _columns(declared: str, source: Any, columns: list[str]) -> list[Floats]:
    out = []
    for name in columns:
        try:
            column = source[name]
        except KeyError:
            found = _validate.Shown("none of that name")
            raise _validate.reject("source", f"to have a column {name!r}", found) from None
        except (TypeError, IndexError):
            remedy = "Pass a path to a CSV, JSONL or Parquet file, a data frame, or a mapping from column to numbers."
            raise _validate.reject_type("source", "to be a table", source, remedy) from None
        array = _validate.as_array(f"source[{name!r}]", column, booleans=True)
        _check_gaps(name, array)
        out.append(array)
    if len({a.shape for a in out}) > 1 or out[0].ndim != 1:
        raise _validate.reject("source", "to have columns of equal length", [a.shape for a in out])
    _check_complete(declared, columns, _names(source), f"pass only the columns that are meant, as in df[{columns}]")
    return out


def _names(source: Any) -> list[Any]:
    """The columns of a mapping, a structured array or a data frame (an Arrow table calls them ``column_names``)."""
    if isinstance(source, Mapping):
        return list(source)
    if isinstance(source, np.ndarray):
        return list(source.dtype.names or ())
    attribute = "column_names" if hasattr(type(source), "column_names") else "columns"
    return list(getattr(source, attribute)) if hasattr(type(source), attribute) else []


def _check_complete(declared: str, columns: list[str], there: Iterable[Any], instead: str) -> None:
    """Refuse to ignore columns: an attacker may use records that the model leaves out."""
    rest = [name for name in there if name not in columns]
    if rest:
        remedy = f"Give them {declared} too, or {instead}: related records that are left out would hide risk."
        shown = _validate.Shown(f"nothing for {_validate.shown(rest)}")
        raise _validate.reject(declared, "to name every column of the source", shown, remedy)


def _check_gaps(name: str, column: Floats) -> None:
    bad = column[~np.isfinite(column)]
    if bad.size:
        raise _validate.reject("source", f"to have no gaps in column {name!r}", float(bad[0]), "Drop or fill them.")


def _table(declared: str, source: Any, columns: list[str]) -> str:
    """The source as a DuckDB table, with these columns and no others."""
    path = Path(_validate.path("source", source))
    table = duckdb_table("source", path)
    there = {row[0]: str(row[1]) for row in query(f"DESCRIBE SELECT * FROM {table}")}
    table = without_blank_end(table, path, there, query)
    for name in columns:
        if name not in there:
            raise _validate.reject("source", f"to have a column {name!r}", _validate.Shown(f"columns {sorted(there)}"))
        if not there[name].startswith(NUMBERS):
            if query(f"SELECT count(*) FROM {table}")[0][0] == 0:
                raise _no_rows(path)
            remedy = "Code its values as numbers first."
            rule = f"to hold numbers in column {name!r}"
            raise _validate.reject_type("source", rule, _validate.Shown(there[name]), remedy)
    _check_complete(declared, columns, there, f"pass a file of only the columns {columns}")
    return table
