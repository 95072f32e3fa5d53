"""Relative disclosure risk and failure modes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from dplens import _validate
from dplens.curves.reading import Reading
from dplens.mechanisms.base import as_curve
from dplens.registry import register
from dplens.risk.base import Guess, Question


def _share(name: str, value: float) -> float:
    return _validate.real(name, value, "in [0, 1)", lambda x: 0 <= x < 1)


@register
@dataclass(frozen=True, kw_only=True)
class RelativeRisk(Question):
    """The largest factor by which a positive test raises the attacker's belief, at false-positive rates ≥ ``fpr``.

    prior = 0 (default): (1 − f(fpr))/fpr, which bounds the ratio of true to false positive rate and decreases
    in fpr; at fpr = 0 it is e^epsilon(0) and may be infinite. With a prior: posterior over prior,
    T/((1 − prior)·fpr + prior·T) (Fondeville §2.3).

    Use it for promises such as "no finding makes it more than twice as likely".

    >>> import dplens as dl
    >>> release = dl.Gaussian(sigma=1.0)
    >>> print(f"{dl.RelativeRisk(fpr=0.01).of(release):.4f} {dl.RelativeRisk(fpr=0.01, prior=0.1).of(release):.4f}")
    9.2362 5.0648
    >>> print(f"{float(dl.RelativeRisk().of(release))} {dl.RelativeRisk().of(dl.Laplace(scale=1.0)):.4f}")
    inf 2.7183
    """

    fpr: float = field(default=0.0, metadata=_validate.checked(_validate.probability))
    prior: float = field(default=0.0, metadata=_validate.checked(_share))
    arithmetic = 1e-15
    floor = 1.0

    def _read(self, curve: Reading) -> float:
        p = self.prior
        if self.fpr == 0:
            loss = curve.max_loss()
            if p == 0:
                return curve.max_ratio()
            return 1 / ((1 - p) * math.exp(-loss) + p)
        power = curve.power(self.fpr)
        return power / ((1 - p) * self.fpr + p * power)

    def _guess(self) -> Guess:
        return Guess(1.0)


class FailureMode(Enum):
    """The ways in which a release can fail (Fondeville, Table 1).

    >>> import dplens as dl
    >>> releases = dl.Laplace(scale=1.0), dl.Gaussian(sigma=1.0), dl.ApproximateDP(epsilon=1.0, delta=1e-9)
    >>> [dl.failure_mode(release).name for release in releases]
    ['NONE', 'GRACEFUL', 'CATASTROPHIC']
    """

    NONE = "none"
    GRACEFUL = "graceful"
    CATASTROPHIC = "catastrophic"
    UNDETERMINED = "undetermined"


MILDEST_FIRST = (FailureMode.NONE, FailureMode.GRACEFUL, FailureMode.UNDETERMINED, FailureMode.CATASTROPHIC)


def failure_mode(target: Any) -> FailureMode:
    """The failure mode of a release.

    NONE: no output multiplies the odds by more than a fixed factor. GRACEFUL: arbitrarily strong evidence
    is possible, but with vanishing probability. CATASTROPHIC: with positive probability an output proves
    presence or absence. UNDETERMINED: the known bounds on the release do not decide it.

    >>> import dplens as dl
    >>> dl.failure_mode(dl.Laplace(scale=1.0)).value, dl.failure_mode(dl.ApproximateDP(epsilon=1, delta=1e-6)).value
    ('none', 'catastrophic')
    """
    curve = as_curve(target, "target")
    sides = (curve, curve.inverse())
    if any(side._power_at_zero() > 0 for side in sides):
        known = any(side.infinity_mass().lo > 0 for side in sides)  # otherwise the bounds merely do not exclude it
        return FailureMode.CATASTROPHIC if known else FailureMode.UNDETERMINED
    bounds = [side._max_loss() for side in sides]
    if any(math.isinf(low) for low, _ in bounds):
        return FailureMode.GRACEFUL
    if curve.certificate.route == "measured" or any(math.isinf(high) for _, high in bounds):
        return FailureMode.UNDETERMINED
    return FailureMode.NONE
