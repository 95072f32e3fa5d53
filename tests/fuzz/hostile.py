"""Values that do not belong: made anew each time, since some can be used only once."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd


def _nested(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


class Unprintable:
    """An object that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


DTYPES = ("f2", "f4", "f8", "longdouble", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", "c8", "c16")

# Numbers of the right type, at and beyond the ends of what an argument may be.
NUMBERS: tuple[Any, ...] = (
    *(math.nan, math.inf, -math.inf, 0.0, -0.0, 0, 1, -1, 1.0, 2, 0.5, -0.5, 1.5, 3, 7.0, 100, 1e5, -1e-9),
    *(5e-324, 1e-320, 1e-300, 1e-100, 1e-16, 1e16, 1e100, 1e300, 1e308, -1e308, 1 - 2**-53, 1 + 2**-52),
    *(2**31, 2**53 + 1, 2**63 - 1, 2**63, 10**12, 10**20, 10**308, 10**400, 10**5000, -(10**5000)),
    *(Decimal("0.1"), Decimal("NaN"), Decimal("sNaN"), Decimal("1e400"), Fraction(1, 3), Fraction(10**400, 3)),
)

OTHERS: tuple[Callable[[], Any], ...] = (
    lambda: None,
    lambda: True,
    lambda: False,
    lambda: "",
    lambda: "text",
    lambda: "0.1",
    lambda: "nan",
    lambda: "\x00\ud800",
    lambda: "x" * 10_000,
    lambda: b"bytes",
    lambda: bytearray(b"1"),
    list,
    lambda: (),
    dict,
    lambda: set(),
    lambda: [1, 2, 3],
    lambda: (0.1, 0.2),
    lambda: [0.5, math.nan],
    lambda: [math.inf, -math.inf],
    lambda: [[0.1, 0.2], [0.3]],
    lambda: ["a", None, 1],
    lambda: {"a": 1},
    lambda: {0: 0.5, "b": None},
    lambda: [[[0.5]]],
    lambda: _nested(5000),
    lambda: 1j,
    lambda: complex(0.1, math.nan),
    lambda: object(),
    lambda: Unprintable(),
    lambda: int,
    lambda: len,
    lambda: lambda *_, **__: None,
    lambda: (x for x in (0.1, 0.2)),
    lambda: range(3),
    lambda: slice(None),
    lambda: Ellipsis,
    lambda: NotImplemented,
    lambda: np.array([]),
    lambda: np.array(0.1),
    lambda: np.array([[0.1, 0.2], [0.3, 0.4]]),
    lambda: np.zeros((0, 3)),
    lambda: np.zeros((2, 0)),
    lambda: np.full((2, 2, 2), 0.125),
    lambda: np.array([0.1, None, "x"], dtype=object),
    lambda: np.array([10**400, 0.1], dtype=object),
    lambda: np.array(["0.1", "b"]),
    lambda: np.array(["2020-01-01"], dtype="M8[D]"),
    lambda: np.datetime64("2020"),
    lambda: np.timedelta64(3, "s"),
    lambda: np.ma.array([0.1, 0.2], mask=[0, 1]),
    lambda: np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    lambda: np.longdouble("1e4000"),
    lambda: np.array([np.longdouble("1e4000")]),
    lambda: pd.Series([0.1]),
    lambda: pd.Series([0.1, 0.9]),
    lambda: pd.Series([], dtype=float),
    lambda: pd.Series(["a", None]),
    lambda: pd.DataFrame({"score": [0.1, 0.9], "x": [1, 2]}),
    lambda: pd.NA,
    lambda: pd.NaT,
    lambda: pd.Timestamp(0),
)


def value(rng: random.Random) -> Any:
    """One hostile value."""
    draw = rng.random()
    if draw < 0.4:
        return rng.choice(NUMBERS)
    if draw < 0.5:  # any order of magnitude
        size = math.exp(rng.uniform(-730, 700)) if rng.random() < 0.5 else math.exp(rng.uniform(-12, 12))
        return rng.choice((size, -size, min(size, 1 / size), 1 - min(size, 1 / size), int(min(size, 1e18))))
    if draw < 0.6:
        kind = np.dtype(rng.choice(DTYPES))
        with np.errstate(all="ignore"):
            number = np.array(rng.choice((0, 1, 2, 0.3, 100))).astype(kind)
        return number[()] if rng.random() < 0.5 else np.array([number, number])
    return rng.choice(OTHERS)()
