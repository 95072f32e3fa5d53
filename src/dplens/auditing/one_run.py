"""Audits of one training run with many canaries, each included by its own coin, from the number of correct guesses.

Two bounds on the chance of at least c correct guesses out of r, for m canaries:

* for (epsilon, delta) guarantees, Steinke, Nasr & Jagielski (2023), Theorem 5.2: P(Bin(r, q) ≥ c) + 2·m·delta·max over
  i ≤ c of P(c > Bin(r, q) ≥ c − i)/i with q = e^epsilon/(1 + e^epsilon);
* for any curve f, Mahloujifar, Melis & Chaudhuri (2024): with p_k the chance of exactly k correct guesses and every j,
  Σ_{k≥j} k·p_k/m ≤ 1 − f(Σ_{k≥j} (r − k + 1)·p_{k−1}/m). The largest Σ_{k≥c} p_k that these allow is found by
  putting as little mass as possible on each k from c downwards (proof: ``docs/decisions/0013``).

Either refutes a claim if and only if the number of correct guesses reaches a critical value. All bounds therefore hold
simultaneously at no extra cost: of several true claims, the one with the smallest critical value is refuted first.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import betainc, gammaln

from dplens import _validate
from dplens.auditing.measured import NOT_REFUTED, REFUTED, Attacked, Least, Refutation, claim_text, least_consistent
from dplens.curves.base import TradeOff
from dplens.curves.derived.hull import both_directions
from dplens.mechanisms.base import as_curve
from dplens.mechanisms.guarantees import ApproximateDP
from dplens.numerics.roots import boundary
from dplens.numerics.sharing import Shared, cached_property
from dplens.telling import Figure, Told


@dataclass(frozen=True, kw_only=True, eq=False)
class OneRunAudit(Attacked, Shared):
    """The audit of one run from ``correct`` correct guesses out of ``guesses``, about ``canaries`` canaries.

    All bounds hold simultaneously with probability ``confidence``. ``tries`` is the number of guess counts tried on
    the same scores: each gets a share of the error, and this is the one with the strongest result.

    >>> import dplens as dl
    >>> found = dl.audit_one_run(correct=930, guesses=1000, canaries=5000)
    >>> round(found.epsilon, 3), round(found.epsilon_at(1e-5), 3)
    (2.38, 2.376)
    """

    canaries: int
    guesses: int
    correct: int
    confidence: float
    tries: int = 1
    menu: tuple[tuple[int, int], ...] = ()  # further (guesses, correct) of the same scores
    notes: tuple[str, ...] = ()

    @property
    def _error(self) -> float:
        return (1 - self.confidence) / self.tries

    @property
    def accuracy(self) -> float:
        """Share of correct guesses."""
        return self.correct / self.guesses

    @property
    def _all(self) -> tuple[tuple[int, int], ...]:
        return self.menu or ((self.guesses, self.correct),)

    @property
    def epsilon(self) -> float:
        """Lower bound on epsilon at delta = 0."""
        return self.epsilon_at(0.0)

    def epsilon_at(self, delta: float) -> float:
        """Lower bound on epsilon at the given delta (Steinke, Nasr & Jagielski 2023, Theorem 5.2)."""
        level = _validate.probability("delta", delta)
        return max(self._epsilon(r, c, level) for r, c in self._all)

    def _epsilon(self, guesses: int, correct: int, delta: float) -> float:
        def refuted(epsilon: float) -> bool:
            return chance_of_guesses(self.canaries, guesses, correct, epsilon, delta) < self._error

        low, high = 0.0, 1.0
        while refuted(high) and high < 700:
            low, high = high, 2 * high
        return boundary(refuted, low, high, 1e-9) if low or refuted(0.0) else 0.0

    @cached_property
    def mu(self) -> float:
        """Lower bound on mu."""
        return self.least("gaussian").value

    def p_value(self, claim: Any) -> float:
        """An upper bound on the chance of this many correct guesses if the claim holds, adjusted for the tries."""
        bound = _Inverse(as_curve(claim, "claim"))
        found = min(most_mass(bound, self.canaries, r, c) for r, c in self._all)
        if isinstance(claim, ApproximateDP):
            given = (chance_of_guesses(self.canaries, r, c, claim.epsilon, claim.delta) for r, c in self._all)
            found = min(found, *given)
        return min(1.0, found * self.tries)

    def refutes(self, claim: Any) -> Refutation:
        """Whether the guesses contradict a mechanism or curve (Mahloujifar, Melis & Chaudhuri 2024)."""
        bound = _Inverse(as_curve(claim, "claim"))
        takes = {r: fewest_guesses(bound, claim, self.canaries, r, self._error) for r, _ in self._all}
        # the guess count that refutes most clearly, or comes nearest to it
        r, c = max(self._all, key=lambda t: ((t[1] - takes[t[0]]) / math.sqrt(t[0]), t[0]))
        return OneRunRefutation(
            verdict=REFUTED if c >= takes[r] else NOT_REFUTED,
            confidence=self.confidence,
            fpr=math.nan,
            measured=c / r,
            claimed=takes[r] / r,
            claim=claim_text(claim),
            guesses=r,
        )

    def least(self, family: Any, *, low: float | None = None, high: float | None = None) -> Least:
        """The smallest parameter of a family that is consistent with the guesses."""

        def refutes(claim: Any) -> Any:
            bound = _Inverse(as_curve(claim, "claim"))
            found = any(exceeds(bound, self.canaries, r, c, self._error) for r, c in self._all)
            return claim if found else None

        found = least_consistent(refutes, family, low=low, high=high, close=1e-5)
        return found if found.refutation is None else replace(found, refutation=self.refutes(found.refutation))

    def to_dict(self) -> dict[str, Any]:
        """The measurement as plain values."""
        return {
            "source": "one run",
            "confidence": self.confidence,
            "canaries": self.canaries,
            "guesses": self.guesses,
            "correct": self.correct,
            "tries": self.tries,
            "bounds": {"epsilon": self.epsilon, "mu": self.mu},
            "notes": list(self.notes),
        }


@dataclass(frozen=True, kw_only=True)
class OneRunRefutation(Refutation):
    """The verdict of one run: ``measured`` is the share of correct guesses, ``claimed`` the share that refutes."""

    guesses: int = 0

    def _told(self) -> Told:
        return Told(
            "refutation-run",
            verdict="refuted" if self.refuted else "open" if self.claimed <= 1 else "few",
            confidence=Figure(f"{100 * self.confidence:g} %"),
            share=Figure(f"{100 * self.measured:.4g} %"),
            claimed=Figure(f"{100 * self.claimed:.4g} %"),
            guesses=self.guesses,
        )


def chance_of_guesses(canaries: int, guesses: int, correct: int, epsilon: float, delta: float) -> float:
    """An upper bound on the chance of at least ``correct`` correct guesses under an (epsilon, delta) guarantee."""
    q = 1 / (1 + math.exp(-epsilon))
    pure = float(betainc(correct, guesses - correct + 1, q)) if correct else 1.0
    if delta == 0 or pure >= 1:
        return min(pure, 1.0)
    # counts further from the mean have a chance below e^−288 (Hoeffding); below them only the divisor grows
    away = 12 * math.sqrt(guesses) + 100
    top = min(correct - 1, math.floor(guesses * q + away))
    bottom = max(0, math.ceil(min(top, guesses * q) - away))
    k = np.arange(top, bottom - 1, -1)
    ways = gammaln(guesses + 1) - gammaln(k + 1) - gammaln(guesses - k + 1)
    below = np.exp(ways + k * math.log(q) - (guesses - k) * math.log1p(math.exp(epsilon)))
    worst = float(np.max(np.cumsum(below) / (correct - k))) + 1e-100
    if bottom > 0:
        worst = max(worst, min(1.0, 1 - pure + 1e-15) / (correct - bottom + 1))
    return min(1.0, pure + 2 * canaries * delta * worst)


class _Inverse:
    """x ↦ a lower bound on the false-positive rate of a test with power x, fast for single numbers.

    Between two nodes a convex function lies above the lines through the two nodes on either side; the larger is used.
    Canaries are guessed both "in" and "out", so the claim is symmetrised.
    """

    def __init__(self, claim: TradeOff) -> None:
        curve = both_directions(claim)
        logits = np.concatenate([np.linspace(-40, -8, 257), np.linspace(-7.98, 7.98, 2049), np.linspace(8, 34, 209)])
        power = 1 / (1 + np.exp(-logits))
        co = 1 / (1 + np.exp(logits))
        x = np.concatenate([[0.0], power[co > 1e-15], [1.0]])
        rest = np.concatenate([[1.0], co[co > 1e-15], [0.0]])
        y = np.asarray(curve.inverse()(rest))  # f⁻¹(1 − power) on the claim's riskier side
        y = np.minimum.accumulate(np.clip(y, 0.0, x)[::-1])[::-1]  # undo rounding
        slope = np.diff(y) / np.diff(x)
        self.x, self.y = x.tolist(), y.tolist()
        self.slope = slope.tolist()
        self.last = len(slope) - 1

    def __call__(self, power: float) -> float:
        if power >= 1:
            return self.y[-1]
        k = bisect_right(self.x, power) - 1
        before = self.y[k] + self.slope[k - 1] * (power - self.x[k]) if k > 0 else 0.0
        after = self.y[k + 1] - self.slope[k + 1] * (self.x[k + 1] - power) if k < self.last else 0.0
        return max(before, after, self.y[k] if k else 0.0, 0.0)


def exceeds(bound: _Inverse, canaries: int, guesses: int, correct: int, chance: float) -> bool:
    """Whether at least ``correct`` correct guesses have a chance below ``chance`` under the claim.

    If their chance were ``chance``, the inequalities would need more mass on fewer correct guesses than is left.
    """
    right, wrong = chance * correct / canaries, chance * (guesses - correct) / canaries
    most = guesses / canaries
    for k in range(correct - 1, -1, -1):
        needed = bound(right)
        if needed <= wrong:  # nothing more is needed further down
            return False
        right += k / (guesses - k) * (needed - wrong)
        wrong = needed
        if right + wrong > most:
            return True
    return False


def most_mass(bound: _Inverse, canaries: int, guesses: int, correct: int) -> float:
    """The largest chance of at least ``correct`` correct guesses that the claim allows."""
    if not exceeds(bound, canaries, guesses, correct, 1.0):
        return 1.0
    return math.exp(boundary(lambda log: exceeds(bound, canaries, guesses, correct, math.exp(log)), 0.0, -745.0, 1e-9))


def fewest_guesses(bound: _Inverse, claim: Any, canaries: int, guesses: int, chance: float) -> int:
    """The smallest number of correct guesses that refutes a claim, or ``guesses`` + 1 if none does."""
    tests = [lambda correct: exceeds(bound, canaries, guesses, correct, chance)]
    if isinstance(claim, ApproximateDP):
        e, d = claim.epsilon, claim.delta
        tests.append(lambda correct: chance_of_guesses(canaries, guesses, correct, e, d) < chance)
    found = guesses + 1
    for refuted in tests:
        found = 1 + bisect_left(range(1, found), True, key=refuted)
    return found
