"""Power functions and ROC curves as tidy tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.analyst.tests.base import AnalystTest, checked_test
from dplens.analyst.tests.mean import MeanTest
from dplens.mechanisms.additive import Gaussian, Laplace
from dplens.registry import Presented, Tabular
from dplens.risk.rates import AttackPower

_EFFECTS = tuple(np.linspace(0, 0.5, 101).tolist())
_LEVELS = tuple(np.concatenate([[1e-4, 1e-3], np.linspace(0.005, 0.995, 199), [0.999]]).tolist())
_MUS = (math.inf, 1.0, 0.1, 0.01)
_SIZES = (15, 100, 500)
_ATTACK_MUS = tuple(np.concatenate([[1e-3, 1e-2], np.linspace(0.05, 10, 200)]).tolist())
_FPRS = (0.001, 0.01, 0.05, 0.1)


@dataclass(frozen=True)
class Frame(Tabular):
    """A tidy table of named columns; iterates over its rows as dictionaries.

    caption: a sentence about the contents.
    """

    columns: Mapping[str, tuple[Any, ...]]
    caption: str = ""

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        return self.columns[name]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        names = tuple(self.columns)
        return (dict(zip(names, row)) for row in zip(*self.columns.values()))

    def to_dict(self) -> dict[str, list[Any]]:
        """Columns as lists; infinity as the string "inf"."""
        return {
            name: [str(v) if isinstance(v, float) and not math.isfinite(v) else v for v in values]
            for name, values in self.columns.items()
        }


def _frame(rows: list[tuple[Any, ...]], names: Sequence[str], caption: str) -> Frame:
    return Frame({name: tuple(row[i] for row in rows) for i, name in enumerate(names)}, caption)


def _named(test: Any, mechanisms: Any) -> list[tuple[str, Any]]:
    checked_test(test)
    if not isinstance(mechanisms, Mapping):
        remedy = "Pass for instance {'none': None, 'laplace': dplens.Laplace(scale=0.05)}."
        raise _validate.reject_type("mechanisms", "to be mechanisms by name", mechanisms, remedy)
    return list(mechanisms.items())


def power_function(test: AnalystTest, mechanisms: Mapping[str, Any], effects: Sequence[float] = _EFFECTS) -> Frame:
    """Power against the true effect, for each named mechanism (``None`` is no noise); columns release, effect, power.

    >>> import dplens as dl
    >>> t = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01)
    >>> frame = dl.power_function(t, {"none": None, "laplace": dl.Laplace(scale=0.05)}, effects=[0.0, 0.2])
    >>> [(row["release"], row["effect"], round(row["power"], 3)) for row in frame]
    [('none', 0.0, 0.01), ('none', 0.2, 1.0), ('laplace', 0.0, 0.01), ('laplace', 0.2, 0.487)]
    """
    named = _named(test, mechanisms)
    values = np.ravel(_validate.as_array("effects", effects)).tolist()
    rows = [(name, e, float(test.power(m, effect=e))) for name, m in named for e in values]
    return _frame(rows, ("release", "effect", "power"), f"Power at level {test.level:g}.")


def roc(test: AnalystTest, mechanisms: Mapping[str, Any], levels: Sequence[float] = _LEVELS) -> Frame:
    """The analyst's ROC: power against the level, for each named mechanism; columns release, level, power.

    >>> import dplens as dl
    >>> t = dl.MeanTest(n=15, sd=0.25, effect=0.2)
    >>> frame = dl.roc(t, {"gaussian": dl.Gaussian(sigma=0.1)}, levels=[0.01, 0.1])
    >>> [round(p, 3) for p in frame["power"]]
    [0.259, 0.655]
    """
    named = _named(test, mechanisms)
    values = np.ravel(_validate.floats("levels", levels, "in (0, 1)", 5e-324, 1 - 1e-16)).tolist()
    rows = [(name, v, float(test.with_(level=v).power(m))) for name, m in named for v in values]
    return _frame(rows, ("release", "level", "power"), f"Power at an effect of {test.effect:g}.")


def fondeville_power(
    *,
    mus: Sequence[float] = _ATTACK_MUS,
    fprs: Sequence[float] = _FPRS,
) -> Frame:
    """Fondeville's Figure 4: the power of the best attack against mu, at several false-positive rates.

    Columns family, mu, fpr, power. mu is sensitivity/sigma for Gaussian and sensitivity/scale for Laplace noise.

    >>> frame = fondeville_power(mus=[1.0], fprs=[0.05])
    >>> [(row["family"], round(row["power"], 4)) for row in frame]
    [('laplace', 0.1359), ('gaussian', 0.2595)]
    """
    at = np.ravel(_validate.floats("mus", mus, "> 0 and finite", 5e-324, 1.7e308)).tolist()
    rates = np.ravel(_validate.floats("fprs", fprs, "in (0, 1)", 5e-324, 1 - 1e-16)).tolist()
    made = [("laplace", mu, Laplace(scale=1 / mu)) for mu in at]
    made += [("gaussian", mu, Gaussian(sigma=1 / mu)) for mu in at]
    rows = [(family, mu, a, float(AttackPower(fpr=a).of(noise))) for family, mu, noise in made for a in rates]
    return _frame(rows, ("family", "mu", "fpr", "power"), "Power of the best membership attack.")


@dataclass(frozen=True)
class FondevilleFigure(Presented):
    """Fondeville's Figure 5: ``power`` (top; columns n, mu, effect, power), ``roc`` (bottom; n, mu, level, power)."""

    power: Frame
    roc: Frame


def fondeville_analysis(
    *,
    sd: float = 0.25,
    effect: float = 0.2,
    level: float = 0.01,
    sizes: Sequence[int] = _SIZES,
    mus: Sequence[float] = _MUS,
    effects: Sequence[float] = _EFFECTS,
    levels: Sequence[float] = _LEVELS,
) -> FondevilleFigure:
    """Fondeville's Figure 5: power function and ROC of the z-test of a mean of values in [0, 1] under Gaussian noise.

    mu = infinity is no noise; the sensitivity is 1/n.

    >>> figure = fondeville_analysis(sizes=[100], mus=[float("inf"), 0.1], effects=[0.2], levels=[0.05])
    >>> [round(p, 4) for p in figure.power["power"]], [round(p, 4) for p in figure.roc["power"]]
    ([1.0, 0.3497], [1.0, 0.6162])
    """
    effect = _validate.real("effect", effect, "to be finite", math.isfinite)
    level, sd = _validate.open_probability("level", level), _validate.positive("sd", sd)
    e = np.ravel(_validate.as_array("effects", effects))
    a = np.ravel(_validate.floats("levels", levels, "in (0, 1)", 5e-324, 1 - 1e-16))
    strength = np.ravel(_validate.floats("mus", mus, "> 0", 5e-324, math.inf)).tolist()
    top, bottom = [], []
    for n in map(int, np.ravel(_validate.floats("sizes", sizes, ">= 1 and finite", 1, 1e300))):
        test = MeanTest(n=n, sd=sd, effect=effect, level=level)
        for mu in strength:
            by_effect, by_level = (test.powers("gaussian", 1 / (n * mu), **x) for x in ({"effect": e}, {"level": a}))
            top += [(n, mu, float(x), float(p)) for x, p in zip(e, by_effect)]
            bottom += [(n, mu, float(x), float(p)) for x, p in zip(a, by_level)]
    return FondevilleFigure(
        power=_frame(top, ("n", "mu", "effect", "power"), f"Power of the z-test at level {level:g}, sd {sd:g}."),
        roc=_frame(bottom, ("n", "mu", "level", "power"), f"ROC of the z-test at an effect of {effect:g}, sd {sd:g}."),
    )
