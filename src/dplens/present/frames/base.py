"""The frame: a tidy table with the certificate of the curve it was read from."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens.attack.loss import PrivacyLoss
from dplens.curves.base import TradeOff
from dplens.decide.plain import plain
from dplens.estimate import Certificate, Estimate
from dplens.mechanisms.base import as_curve
from dplens.registry import Result, Tabular
from dplens.risk.base import Question

Floats = npt.NDArray[np.float64]
Row = dict[str, Any]

SMALLEST = 1e-6  # the least false-positive rate on logarithmic axes, unless told
RATES = (0.001, 0.01, 0.05, 0.1, 0.5)  # false-positive rates that tables list
PRIORS = (0.01, 0.1, 0.5)
_MOST_CORNERS = 500  # curves with more are smooth in print


@dataclass(frozen=True, kw_only=True)
class ChartFrame(Result, Tabular):
    """The numbers of one picture.

    kind: which picture. rows: one dictionary a point; a number is on its safe side, the other end of its bracket stands
    beside it under its name with ``_low`` (or ``_high`` where less is riskier), and ``listed`` marks the rows that
    belong in the table beside the picture. facts: the single numbers that titles and descriptions quote, estimates with
    both ends. certificate: how the curve behind them is known.

    >>> import dplens as dl
    >>> frame = dl.frame("roc", dl.Laplace(scale=1.0), fpr=0.05)
    >>> round(frame.facts["power"], 6), frame.certificate.route
    (0.135914, 'exact')
    """

    kind: str
    rows: tuple[Row, ...]
    facts: dict[str, Any] = field(default_factory=dict)
    certificate: Certificate

    def releases(self) -> dict[str, ChartFrame]:
        """One frame per release, by name. A frame of a single release is returned under an empty name."""
        return self.facts.get("releases") or {"": self}

    def column(self, name: str) -> list[Any]:
        """All values of one column, in order."""
        _validate.text("name", name)
        return [row[name] for row in self.rows if name in row]

    def listed(self) -> list[Row]:
        """The rows for a table beside the picture."""
        return [row for row in self.rows if row.get("listed")]

    def to_dict(self) -> dict[str, Any]:
        """Everything as values that JSON knows; infinities are the string "inf"."""
        return {
            "kind": self.kind,
            "rows": plain(list(self.rows)),
            "facts": plain({k: v for k, v in self.facts.items() if k != "releases"}),
            "certificate": plain(self.certificate),
        }

    def to_csv(self) -> str:
        """The rows as comma-separated values with a header."""
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        out = io.StringIO()
        writer = csv.DictWriter(out, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return out.getvalue()


def table(**columns: Any) -> list[Row]:
    """One row per index of the columns; single values are repeated in every row."""
    return [dict(zip(columns, row)) for row in zip(*(c.tolist() for c in np.broadcast_arrays(*columns.values())))]


def answer_listed(rows: Iterable[Row], curve: TradeOff, name: str, question: Callable[[Row], Question]) -> None:
    """Replace a column by single answers in listed rows, so that tables have exactly their digits."""
    for row in rows:
        if row["listed"]:
            answer = question(row).of(curve)
            row |= {name: float(answer), f"{name}_low": answer.low}


def proof(curve: TradeOff) -> Estimate:
    """The larger infinity mass of both directions."""
    low, high = (max(ends) for ends in zip(curve.infinity_mass(), curve.inverse().infinity_mass()))
    return Estimate(high, low=low, high=high, certificate=lambda: curve.certificate)


def merged(grid: Floats, wanted: Iterable[float]) -> Floats:
    """A grid with additional exact points, which replace those that differ only by rounding."""
    points = np.unique(np.array(list(wanted), dtype=float))
    near = np.isclose(grid[:, None], points[None, :], rtol=1e-9, atol=0.0).any(axis=1)
    return np.unique(np.concatenate([grid[~near], points]))


def corners(curve: TradeOff) -> tuple[Floats, Floats, Floats]:
    """alpha, power and loss where a curve of finitely many losses bends; lines drawn through them are exact."""
    found = PrivacyLoss(curve).atoms()
    if found is None or len(found.loss) > _MOST_CORNERS:
        return np.empty(0), np.empty(0), np.empty(0)
    alpha, power = (np.cumsum(law[::-1]) for law in (found.p, found.q))
    return alpha, found.infinity_masses[1] + power, found.loss


def rates_to_draw(smallest: float, extra: Iterable[float] = ()) -> Floats:
    """False-positive rates dense at both ends, where curves bend, and even between."""
    steps = [np.geomspace(smallest, 0.01, 41), np.linspace(0.01, 0.99, 50), 1 - np.geomspace(0.01, 1e-4, 9)]
    return merged(np.concatenate(steps), [x for x in extra if smallest < x < 1 - 1e-9])


def is_one_of(value: float, values: Sequence[float]) -> bool:
    """Whether a value equals one of several, up to rounding."""
    return any(math.isclose(value, other, rel_tol=1e-12) for other in values)


def rates_of(target: Any, fpr: Any, smallest: Any) -> tuple[TradeOff, float, float, Floats, list[bool]]:
    """A target's curve, the rate in use, the smallest rate, the rates to draw and whether tables list them."""
    curve = as_curve(target, "target")
    fpr = _validate.open_probability("fpr", fpr)
    least = min(_validate.real("smallest", smallest, "in (0, 0.01)", lambda x: 0 < x < 0.01), fpr)
    alpha = np.append(rates_to_draw(least, (*RATES, fpr, *corners(curve)[0])), 1.0)
    return curve, fpr, least, alpha, [is_one_of(a, (*RATES, fpr)) for a in alpha]


def priors_of(priors: Any) -> tuple[float, ...]:
    """The given priors without repetition."""
    array = _validate.several("priors", priors, "in the open interval (0, 1)", 0.0, 1.0)
    return tuple(dict.fromkeys(map(_validate.prior, array)))
