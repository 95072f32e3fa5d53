"""The analyst's tests in an assessment, and their power under the noise."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from dplens import _validate
from dplens.analyst.planning.protection import Sensitivity, misdeclared
from dplens.analyst.tests.base import AnalystTest
from dplens.assessment.records import AnalystAnswer, by_name
from dplens.describe.analyses import write_test
from dplens.describe.releases import write_release
from dplens.errors import Undefined
from dplens.mechanisms.base import Mechanism


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis:
    """A test that uses a released number.

    test: for instance a :class:`MeanTest`. mechanism: the noise on the number it reads; by default the release itself,
    where that is one noisy number. name: what it is called. min_power: what the analyst needs, if that is to be judged.

    >>> import dplens as dl
    >>> test = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01)
    >>> a = dl.assess(dl.Gaussian(sigma=0.05, sensitivity=0.01), analyst=dl.Analysis(test=test, min_power=0.8))
    >>> round(a.analyst[0].power, 4), a.analyst[0].met
    (0.8946, True)
    """

    test: Any
    mechanism: Any = None
    name: str = ""
    min_power: float | None = None

    def __post_init__(self) -> None:
        remedy = "Pass for instance dplens.MeanTest(n=100, sd=0.25, effect=0.2)."
        _validate.instance("test", self.test, AnalystTest, "to be a test of the analyst", remedy)
        _validate.instance("mechanism", self.mechanism, (Mechanism, type(None)), "to be a mechanism, or None")
        _validate.text("name", self.name)
        if self.min_power is not None:
            object.__setattr__(self, "min_power", _validate.open_probability("min_power", self.min_power))


def analyse(analyst: Any, mechanism: Any) -> tuple[AnalystAnswer, ...]:
    """The answers to one test or several."""
    named = [(name, one if isinstance(one, Analysis) else Analysis(test=one)) for name, one in by_name(analyst)]
    return tuple(_answer(replace(a, name=name) if name else a, mechanism) for name, a in named)


def _answer(a: Analysis, release: Any) -> AnalystAnswer:
    noise = a.mechanism if a.mechanism is not None else read_by_default(release)
    why = misdeclared(noise, Sensitivity(a.test, None, getattr(noise, "neighbours", "add_remove")))
    if why is not None:
        raise _validate.reject("sensitivity", "to be what one record changes", noise.sensitivity, why)
    return AnalystAnswer(
        name=a.name,
        test=json.dumps(write_test(a.test)),
        reads=json.dumps(write_release(noise)),
        effect=float(a.test.effect),
        level=float(a.test.level),
        power=a.test.power(noise),
        power_without_noise=a.test.power(),
        min_power=a.min_power,
    )


def read_by_default(release: Any) -> Any:
    """The one noisy number of a release: itself, or the part that is repeated."""
    parts = release._parts() if hasattr(release, "_parts") else ()
    if len(parts) != 1:
        raise Undefined(
            "The release has several parts; say which of them the test reads: dplens.Analysis(test=…, mechanism=…), "
            "or the key release in a scenario."
        )
    return parts[0][0]
