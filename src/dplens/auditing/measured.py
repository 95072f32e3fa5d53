"""A measured attack: points that provably lie on or below its ROC curve, and every bound read from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.curves.base import TradeOff
from dplens.curves.derived.hull import both_directions
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.numerics.sharing import Shared, cached_property
from dplens.risk.conversions import Mu

if TYPE_CHECKING:
    from dplens.auditing.families import Least
    from dplens.auditing.refuting import Refutation

SOURCES = ("scores", "counts", "points", "precision and recall", "black box")


@dataclass(frozen=True, kw_only=True, eq=False)
class Audit(Shared):
    """What an attack that was carried out proves about the release it attacked.

    With probability ``confidence``, all at once: for every j the test "score at or above ``thresholds[j]``" has a
    false-positive rate of at most ``fpr_high[j]`` and a true-positive rate of at least ``tpr_low[j]``. Every attack is
    a lower bound on what leaks, so everything read from it (``power``, ``mu``, ``epsilon``, …) is a lower bound and
    holds together with all the others. Nothing measured can show that a guarantee holds: another attack may do better.

    >>> import numpy as np, dplens as dl
    >>> rng = np.random.default_rng(1)
    >>> found = dl.audit(rng.normal(1, 1, 20_000), rng.normal(0, 1, 20_000))
    >>> 0.85 < found.mu < 1 and found.power(0.05) < dl.Gaussian(sigma=1.0).tradeoff().power(0.05)
    True
    >>> print(found.refutes(dl.Gaussian(sigma=2.0)).verdict, "·", found.refutes(dl.Gaussian(sigma=1.0)).verdict)
    refuted · not refuted
    """

    confidence: float
    n_in: int
    n_out: int
    fpr_high: Floats
    tpr_low: Floats
    fpr: Floats
    tpr: Floats
    fpr_low: Floats
    tpr_high: Floats
    thresholds: Floats | None = None
    source: str = "scores"
    auc: float = math.nan
    notes: tuple[str, ...] = ()
    details: tuple[tuple[str, Any], ...] = field(default=())

    # ---- the curve --------------------------------------------------------------------------------------------

    @cached_property
    def _points(self) -> tuple[Floats, Floats]:
        """The corners of the upper hull of what is proved: (false-positive rate, true-positive rate)."""
        return concave_points(self.fpr_high, self.tpr_low)

    @cached_property
    def _directed(self) -> TradeOff:
        return measured_curve(*self._points, self.confidence)

    def tradeoff(self, direction: str = "both") -> TradeOff:
        """The curve that the true one lies on or below: the least leakage consistent with the measurement.

        Questions asked of it are lower bounds. direction: ``"both"`` (default) is what a guarantee in both directions
        must allow; ``"add"`` the attack as it was carried out; ``"remove"`` its mirror image.
        """
        _validate.one_of("direction", direction, ("both", "add", "remove"))
        if direction == "both":
            return both_directions(self._directed)
        return self._directed if direction == "add" else self._directed.inverse()

    # ---- lower bounds -----------------------------------------------------------------------------------------

    def power(self, fpr: Any) -> Any:
        """Lower bound on the best true-positive rate at false-positive rate ``fpr``; a number or an array."""
        level = _validate.floats("fpr", fpr, "in [0, 1]", 0.0, 1.0)
        return _like(fpr, self._directed.power_bounds(np.atleast_1d(level), np.atleast_1d(1 - level)).lo)

    @property
    def epsilon(self) -> float:
        """Lower bound on epsilon at delta = 0."""
        return self.epsilon_at(0.0)

    def epsilon_at(self, delta: Any) -> Any:
        """Lower bound on the least epsilon of an (epsilon, delta) guarantee, in both directions."""
        level = _validate.floats("delta", delta, "in [0, 1]", 0.0, 1.0)
        return _like(delta, self.tradeoff().epsilon_bounds(np.atleast_1d(level)).lo)

    def delta_at(self, epsilon: Any) -> Any:
        """Lower bound on delta(epsilon), in both directions."""
        level = _validate.floats("epsilon", epsilon, ">= 0", 0.0, math.inf)
        return _like(epsilon, self.tradeoff().profile_bounds(np.atleast_1d(level)).lo)

    @cached_property
    def mu(self) -> float:
        """Lower bound on mu: no Gaussian-DP guarantee with less is consistent with the measurement."""
        return float(Mu().of(self.tradeoff()).low)

    @property
    def advantage(self) -> float:
        """Lower bound on the largest true-positive rate less false-positive rate."""
        return float(self.delta_at(0.0))

    def relative_risk(self, fpr: float = 0.0, prior: float = 0.0) -> float:
        """Lower bound on the relative disclosure risk at false-positive rates of at least ``fpr``."""
        from dplens.risk.disclosure import RelativeRisk

        return float(RelativeRisk(fpr=fpr, prior=prior).of(self.tradeoff()).low)

    # ---- the claim --------------------------------------------------------------------------------------------

    def refutes(self, claim: Any) -> Refutation:
        """Whether the measurement contradicts a mechanism or curve: where, and by how much.

        If the claim is true it is refuted with probability at most 1 − ``confidence``. ``not refuted`` is no
        confirmation.
        """
        from dplens.auditing.refuting import refutation

        return refutation(self, claim)

    def least(self, family: Any, *, low: float | None = None, high: float | None = None) -> Least:
        """The least parameter of a mechanism family that the measurement is consistent with (Liu's PR_optimalLow).

        family: ``"gaussian"`` (mu), ``"laplace"``, ``"randomized_response"``, ``"exponential"``, ``"approximate_dp"``
        (epsilon), ``"zcdp"`` (rho), or a function from a number to a mechanism that leaks more the larger it is.
        """
        from dplens.auditing.families import least_consistent

        return least_consistent(self.refutes, family, low=low, high=high)

    # ---- tables -----------------------------------------------------------------------------------------------

    def roc(self) -> dict[str, Floats]:
        """Empirical ROC curve with its band, by threshold: columns for a data frame.

        ``fpr_high`` with ``tpr_low`` is the lower edge, on which every bound rests; ``fpr_low`` with ``tpr_high`` the
        upper edge: how much better this very score may be. Each edge holds at all thresholds at once with the stated
        confidence, both together with at least 2·confidence − 1.
        """
        out = {} if self.thresholds is None else {"threshold": self.thresholds}
        names = ("fpr", "tpr", "fpr_low", "fpr_high", "tpr_low", "tpr_high")
        return out | {name: getattr(self, name) for name in names}

    def precision_recall(self, prior: float = 0.5) -> dict[str, Floats]:
        """Precision and recall at prior Pr(member), with their band: the same thresholds, the same confidence."""
        p = _validate.prior(prior)

        def precision(tpr: Floats, fpr: Floats) -> Floats:
            with np.errstate(invalid="ignore", over="ignore"):
                wrong = np.where(fpr > 0, np.divide(1 - p, p) * fpr, 0.0)  # for each member; no float may hold the odds
                return tpr / (tpr + wrong)  # where nobody is accused there is none

        out = {} if self.thresholds is None else {"threshold": self.thresholds}
        return out | {
            "recall": self.tpr,
            "precision": precision(self.tpr, self.fpr),
            "recall_low": self.tpr_low,
            "precision_low": precision(self.tpr_low, self.fpr_high),
            "recall_high": self.tpr_high,
            "precision_high": precision(self.tpr_high, self.fpr_low),
        }

    def to_dict(self) -> dict[str, Any]:
        """The measurement as plain values: inputs, the corners of what is proved, and the main bounds."""
        fpr, tpr = self._points
        return {
            "source": self.source,
            "confidence": self.confidence,
            "n_in": self.n_in,
            "n_out": self.n_out,
            "auc": None if math.isnan(self.auc) else self.auc,
            "bounds": {"mu": self.mu, "epsilon": self.epsilon, "advantage": self.advantage},
            "proved": {"fpr": fpr.tolist(), "tpr": tpr.tolist()},
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        return (
            f"Audit(source={self.source!r}, n_in={self.n_in}, n_out={self.n_out}, confidence={self.confidence:g}, "
            f"mu>={self.mu:.4g}, epsilon>={self.epsilon:.4g})"
        )


def _like(given: Any, found: Floats) -> Any:
    """A number for a number, an array for an array."""
    return found.reshape(np.shape(given)) if isinstance(given, np.ndarray) or np.ndim(given) else float(found[0])


def concave_points(fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
    """Corners, from (0, 0) to (1, 1), of the least concave curve above the points and the diagonal.

    Attacks can be mixed by a coin, so whatever lies under the hull of what was achieved can be achieved too.
    """
    keep = (tpr > fpr) & (fpr < 1)
    x = np.concatenate([[0.0], fpr[keep], [1.0]])
    y = np.concatenate([[0.0], tpr[keep], [1.0]])
    order = np.lexsort((y, x))
    corners: list[tuple[float, float]] = []
    for a, b in zip(x[order].tolist(), y[order].tolist()):
        while len(corners) > 1:
            (x0, y0), (x1, y1) = corners[-2:]
            if (x1 - x0) * (b - y0) - (y1 - y0) * (a - x0) < 0:  # a turn to the right: the corner stays
                break
            corners.pop()
        corners.append((a, b))
    found = np.array(corners)
    return found[:, 0], found[:, 1]


def measured_curve(fpr: Floats, tpr: Floats, confidence: float) -> TradeOff:
    """The piecewise linear curve through the corners of a hull: with that confidence the true one lies on or below."""
    p, q = np.diff(fpr), np.diff(tpr)
    with np.errstate(divide="ignore"):
        loss = np.minimum.accumulate(np.log(q) - np.log(p))  # equal slopes may differ in their last digits
    note = f"measured: a lower bound on what leaks, with confidence {confidence:g}"
    return PiecewiseCurve(p, q, loss, 1e-12, 1e-12, 1e-12, route="measured", note=note)
