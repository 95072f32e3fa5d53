"""The risk card: what a release means, in the order in which it matters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.attack.composite import ValueAbove
from dplens.mechanisms.base import Mechanism
from dplens.risk.bayes import MaxPosterior, Posterior
from dplens.risk.conversions import Epsilon
from dplens.risk.disclosure import FailureMode, failure_mode
from dplens.risk.rates import AttackPower

PRIORS = (0.01, 0.10, 0.50)
FALSE_POSITIVE_RATES = (0.01, 0.001)

_FAILURES = {
    FailureMode.NONE: (
        "It does not fail: no output, however unlucky, multiplies an attacker's odds by more than {factor}."
    ),
    FailureMode.GRACEFUL: (
        "It fails gracefully: telling outputs are possible, and the more an output tells the rarer it is; "
        "none is proof."
    ),
    FailureMode.CATASTROPHIC: (
        "It can fail catastrophically: with probability up to {chance} an output proves that {claim}."
    ),
    FailureMode.UNDETERMINED: "How it fails is not known: what is known of the noise does not settle it.",
}

# What the pairs leave open: an attacker may accuse fewer, and then be surer.
_CAUTION = {
    FailureMode.NONE: "However few he accuses, he is right about no more than {limits}.",
    FailureMode.GRACEFUL: (
        "That is no upper limit: the fewer he accuses, the surer he can be, up to near certainty about very few."
    ),
    FailureMode.CATASTROPHIC: "That is no upper limit: about those whom an output gives away he is certain.",
    FailureMode.UNDETERMINED: "That is no upper limit: how sure he can be when he accuses fewer is not known.",
}

_NEIGHBOURS = {
    "add_remove": "data sets that differ by one {unit} being added or removed",
    "replace": "data sets that differ by one {unit} being replaced by another",
}


@dataclass(frozen=True)
class RiskCard:
    """The lines of a risk card; ``str()`` gives it as plain text.

    failure: the failure mode in words. pairs: (prior, right without the release, right with it, out of) for an
    attacker who accuses at the false-positive rate ``accusing_at``. caution: how much surer one can be who accuses
    fewer. worlds: those who are not in the data, those who are. powers: (false-positive rate, power). assumptions:
    delta, neighbours, privacy unit. epsilon: at the card's delta.
    """

    title: str
    failure: str
    pairs: tuple[tuple[float, int, int, int], ...]
    accusing_at: float
    caution: str
    worlds: tuple[str, str]
    powers: tuple[tuple[float, float], ...]
    delta: float
    neighbours: str
    unit: str
    epsilon: float

    def learning(self) -> list[str]:
        """What an accusation is worth without and with the release, for each prior, and whether that is a limit."""
        condition = f", if he accuses {_percent(self.accusing_at)} of {self.worlds[0]}"
        pairs = [
            f"Of {out_of} {self.unit}s accused on a suspicion of {_percent(prior)}, the attacker is right about "
            f"{before} without the release, about {after} with it{condition}."
            for prior, before, after, out_of in self.pairs
        ]
        return [*pairs, self.caution]

    def finding(self) -> list[str]:
        """The attacker's power at each false-positive rate."""
        return [
            f"Accusing {_percent(fpr)} of {self.worlds[0]}, he finds at most {_percent(_up(power, 3))} of "
            f"{self.worlds[1]}."
            for fpr, power in self.powers
        ]

    def assumptions(self) -> list[str]:
        """Delta, neighbours and privacy unit."""
        return [
            f"Delta is {self.delta:g}.",
            f"Neighbours are {self.neighbours}.",
            f"The privacy unit is one {self.unit}.",
        ]

    def epsilon_sentence(self) -> str:
        """Epsilon, which comes last."""
        shown = "infinite: there is none" if math.isinf(self.epsilon) else f"{_up(self.epsilon, 3):g}"
        return f"At that delta epsilon is {shown}."

    def sentences(self) -> list[str]:
        """The card, one sentence a line, in the order in which it should be read."""
        return [self.failure, *self.learning(), *self.finding(), *self.assumptions(), self.epsilon_sentence()]

    def __str__(self) -> str:
        return "\n".join([self.title, *self.sentences()])


def risk_card(
    mechanism: Mechanism | ValueAbove,
    *,
    delta: float,
    unit: str = "person",
    title: str = "Risk card",
    accusing_at: float = 0.01,
) -> RiskCard:
    """The risk card of a release, or of a hypothesis about a value.

    delta: at which epsilon is quoted, below 1/n for n records. unit: what one record stands for. accusing_at: the
    false-positive rate of the attacker who accuses. Counts are rounded towards more risk.

    >>> import dplens as dl
    >>> card = dl.risk_card(dl.Laplace(scale=1.0), delta=1e-6)
    >>> card.pairs[1]
    (0.1, 10, 24, 100)
    """
    if not isinstance(mechanism, (Mechanism, ValueAbove)):
        raise _validate.reject_type("mechanism", "to be a mechanism or a ValueAbove", mechanism)
    if not isinstance(unit, str) or not unit:
        raise _validate.reject_type("unit", "to be a word for what one record stands for", unit)
    if not isinstance(title, str):
        raise _validate.reject_type("title", "to be a line of text", title)
    delta = _validate.probability("delta", delta)
    fpr = _validate.open_probability("accusing_at", accusing_at)
    pairs = tuple(_pair(mechanism, prior, fpr) for prior in PRIORS)
    failure, caution = _failure(mechanism, pairs, unit)
    return RiskCard(
        title=title,
        failure=failure,
        pairs=pairs,
        accusing_at=fpr,
        caution=caution,
        worlds=_worlds(mechanism),
        powers=tuple((a, float(AttackPower(fpr=a).of(mechanism))) for a in FALSE_POSITIVE_RATES),
        delta=delta,
        neighbours=_neighbours(mechanism, unit),
        unit=unit,
        epsilon=float(Epsilon(delta=delta).of(mechanism)),
    )


def _worlds(mechanism: Mechanism | ValueAbove) -> tuple[str, str]:
    if isinstance(mechanism, ValueAbove):
        return f"those whose value is at most {mechanism.gamma:g}", "those whose value is above it"
    return "those who are not in the data", "those who are"


def _neighbours(mechanism: Mechanism | ValueAbove, unit: str) -> str:
    if isinstance(mechanism, ValueAbove):
        bound = f"{mechanism.gamma:g}"
        return f"not data sets here but possible values of one {unit}, those above {bound} against the others"
    return _NEIGHBOURS[mechanism.neighbours].format(unit=unit)


def _failure(
    mechanism: Mechanism | ValueAbove, pairs: tuple[tuple[float, int, int, int], ...], unit: str
) -> tuple[str, str]:
    """How it fails, and what that means for an attacker who accuses fewer."""
    mode = failure_mode(mechanism)
    curve = mechanism.tradeoff()
    loss = curve.reading().max_loss()
    factor = f"{_up(math.exp(loss), 3):g}" if loss < 700 else "a very large number"
    chance = max(curve.power(0.0), curve.inverse().power(0.0))
    claim = f"a {unit} is, or is not, in the data"
    if isinstance(mechanism, ValueAbove):
        claim = f"a value is, or is not, above {mechanism.gamma:g}"
    limits = [
        f"{_ceil(float(MaxPosterior(prior=prior).of(mechanism)) * out_of)} of {out_of}" for prior, _, _, out_of in pairs
    ]
    words = {"factor": factor, "chance": _percent(_up(chance, 2)), "claim": claim, "limits": _listed(limits)}
    return _FAILURES[mode].format(**words), _CAUTION[mode].format(**words)


def _listed(parts: list[str]) -> str:
    return ", ".join(parts[:-1]) + f" and {parts[-1]}"


def _pair(mechanism: Any, prior: float, fpr: float) -> tuple[float, int, int, int]:
    """Right accusations without and with the release, of 100, or of 1000 where 100 hides the change."""
    posterior = float(Posterior(prior=prior, fpr=fpr).of(mechanism))
    out_of = 100 if _ceil(100 * posterior) > round(100 * prior) + 1 else 1000
    return prior, round(prior * out_of), _ceil(posterior * out_of), out_of


def _ceil(x: float) -> int:
    """Round up, but not for a last digit that is only rounding."""
    return math.ceil(x - 1e-9)


def _up(x: float, digits: int) -> float:
    """x rounded up to the given number of significant digits."""
    if x <= 0 or math.isinf(x):
        return x
    unit = 10.0 ** (math.floor(math.log10(x)) - digits + 1)
    return _ceil(x / unit) * unit


def _percent(x: float) -> str:
    return f"{100 * x:.4g} %"
