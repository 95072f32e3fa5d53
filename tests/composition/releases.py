"""The stored releases, built with dplens."""

import json
from dataclasses import dataclass
from pathlib import Path

from mpmath import mp, mpf

import dplens as dl
from tests import effort

CASES = json.loads(Path(__file__).with_name("values.json").read_text())
SEARCH = effort.SEARCHING
TIGHT = ("exact", "contour", "enumeration", "lattice", "spline")
WIDTH = 1e-8
# Fourier sums of very many steps are enclosed with the worst case of their rounding, which grows with the steps.
LATTICE_WIDTH = 3e-8


def step(name, arguments, sampling, count):
    """One row of a release."""
    kind, _, variant = name.partition("/")
    arguments = dict(arguments)
    probability = arguments.pop("probability", None)
    if variant == "replace":
        arguments["neighbours"] = "replace"
    m = getattr(dl, kind)(**arguments)
    if probability is not None:
        m = m.fails_with(probability)
    if sampling is not None:
        m = m.subsample(sampling[1], scheme=sampling[0])
    return m.repeat(count)


def build(release):
    """The composition of all rows."""
    parts = [step(*row) for row in release]
    return dl.compose(*parts) if len(parts) > 1 else parts[0]


def ask(mechanism, direction, question, argument):
    """(low, high, certificate) of one answer."""
    if direction == "both" and question != "beta":
        asked = {
            "delta": lambda: dl.Delta(epsilon=argument),
            "epsilon": lambda: dl.Epsilon(delta=argument),
            "power": lambda: dl.AttackPower(fpr=argument),
        }[question]().of(mechanism)
        return asked.low, asked.high, asked.certificate
    curve = mechanism.tradeoff(direction)
    ends = [getattr(reading, question)(argument) for reading in curve.readings()[::-1]]
    if question == "beta":
        ends.reverse()
    return ends[0], ends[1], curve.certificate


@dataclass(frozen=True)
class Verdict:
    """How an answer compares with the truth."""

    case: str
    what: tuple
    low: float
    high: float
    truth: mpf
    route: str

    @property
    def holds(self):
        """low ≤ truth ≤ high; the stored truth has 22 digits."""
        if self.low == self.truth == self.high:  # infinity
            return True
        slack = abs(self.truth) * mpf(10) ** -21 if mp.isfinite(self.truth) else 0
        return mpf(self.low) - slack <= self.truth <= mpf(self.high) + slack

    @property
    def optimistic(self):
        """Less risk than there is."""
        slack = abs(self.truth) * mpf(10) ** -21 if mp.isfinite(self.truth) else 0
        risky = self.low if self.what[1] == "beta" else self.high
        return mpf(risky) > self.truth + slack if self.what[1] == "beta" else mpf(risky) < self.truth - slack

    @property
    def width(self):
        """Absolute for epsilon, relative otherwise."""
        if self.high == self.low:
            return 0.0
        gap = self.high - self.low
        return gap if self.what[1] == "epsilon" else gap / max(self.high, 1e-290)


def verdicts(name):
    """All stored answers of one case, judged."""
    case = CASES[name]
    mechanism = build(case["release"])
    out = []
    for direction, question, argument, answer in case["answers"]:
        low, high, certificate = ask(mechanism, direction, question, argument)
        what = (direction, question, argument)
        out.append(Verdict(name, what, low, high, mpf(answer), certificate.route if certificate else ""))
    return out
