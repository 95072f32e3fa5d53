"""Standard privacy parameters as questions: epsilon, delta, mu and Rényi divergence."""

from __future__ import annotations

from dataclasses import dataclass, field

from dplens import _validate
from dplens.curves.reading import Reading
from dplens.registry import register
from dplens.risk.base import Question


@register
@dataclass(frozen=True, kw_only=True)
class Epsilon(Question):
    """The smallest epsilon with delta(epsilon) ≤ ``delta``; at delta = 0, the largest absolute privacy loss.

    Use it to quote the usual parameter, and to compare with releases of which only that is known.

    >>> import dplens as dl
    >>> print(f"{dl.Epsilon(delta=1e-5).of(dl.Gaussian(sigma=1.0)):.6f} {dl.Epsilon().of(dl.Laplace(scale=2.0)):.6f}")
    4.377178 0.500000
    """

    delta: float = field(default=0.0, metadata=_validate.checked(_validate.probability))

    def _read(self, curve: Reading) -> float:
        return curve.epsilon(self.delta)


@register
@dataclass(frozen=True, kw_only=True)
class Delta(Question):
    """The privacy profile delta(epsilon) = sup over alpha of 1 − f(alpha) − e^epsilon·alpha.

    Use it for the probability that a guarantee of a given epsilon fails to hold.

    >>> import dplens as dl
    >>> release = dl.Gaussian(sigma=1.0)
    >>> print(f"{dl.Delta(epsilon=1.0).of(release):.6f} {dl.Delta(epsilon=20.0).of(release):.4e}")
    0.126937 2.6647e-86
    """

    epsilon: float = field(default=0.0, metadata=_validate.checked(_validate.at_least_zero))
    ceiling = 1.0

    def _read(self, curve: Reading) -> float:
        return curve.delta(self.epsilon)


@register
@dataclass(frozen=True, kw_only=True)
class Mu(Question):
    """The tightest parameter of Gaussian DP: the smallest mu with f ≥ G_mu; may be infinite.

    Use it to compare releases by one number that adds up simply: over repetitions its squares add.

    >>> import dplens as dl
    >>> print(f"{dl.Mu().of(dl.Laplace(scale=1.0)):.4f} {float(dl.Mu().of(dl.ApproximateDP(epsilon=1.0, delta=1e-6)))}")
    1.0301 inf
    """

    def _read(self, curve: Reading) -> float:
        return curve.mu()


def _order(name: str, value: float) -> float:
    return _validate.real(name, value, "> 0 (1 is Kullback–Leibler)", lambda x: x > 0)


@register
@dataclass(frozen=True, kw_only=True)
class Renyi(Question):
    """Rényi divergence of the given ``order``, the larger of the two directions.

    Use it to hand a release to an accountant that adds up Rényi divergences.

    >>> import dplens as dl
    >>> [round(dl.Renyi(order=2.0).of(m), 4) for m in (dl.Gaussian(sigma=1.0), dl.Laplace(scale=1.0))]
    [1.0, 0.6191]
    """

    order: float = field(default=2.0, metadata=_validate.checked(_order))

    def _read(self, curve: Reading) -> float:
        return curve.renyi(self.order)
