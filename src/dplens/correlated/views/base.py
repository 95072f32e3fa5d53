"""One attacker: a target, a knowledge set, and the trade-off curve of the test between two values of the target."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.correlated.views.bounds import no_information, worst_of
from dplens.correlated.views.queries import NoisyQueries, index, listed
from dplens.curves.base import TradeOff
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.base import DIRECTIONS
from dplens.mechanisms.experiment import Experiment, without_values
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import Discreet, Result

_NO_PAIR = (
    "Values of the target {pair} and of the known tuples {known} must both be given for that: without them the "
    "curve is the worst over all of them, and no single test. Pass pair=(v, w) and known={{index: value, …}}."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class View(Result, Discreet, Shared, ABC):
    """A release as seen by an attacker who targets one tuple, knows some others and averages over the rest.

    The attacker compares the law of the output under two values of the target; unknown tuples are drawn from the model
    given the target and the known ones. Created by ``data.view(…)``. It has a ``tradeoff()``, so it works with every
    question, with ``Attack`` and with ``calibrate``. Its curve is the lower hull over the pairs of
    values that are possible for the attacker, and over the values of the known tuples unless these are given. Its
    ``leakage()`` is that of Li et al. 2019, Definition 2.

    target: index of the tuple. known: indices, or a mapping from index to value. pair: the two values compared (None:
    all). determined: the attacker knows the target's value already, so the release adds nothing.
    """

    _hooks = ("given", "pairs", "posterior_law", "prior_law", "release", "root", "shift", "spans", "spread")
    model: Any
    mechanism: Any
    target: int
    known: Any
    weights: Any
    pair: tuple[float, float] | None
    release: NoisyQueries
    given: dict[int, float] | None  # the values of the known tuples, if these are given
    query: Callable[..., Any] | None = None

    @property
    def determined(self) -> bool:
        """Whether the known tuples leave only one value of the target."""
        return False

    def leakage(self) -> Estimate:
        """The largest log-ratio of the two output laws: epsilon(0) of this attacker, exact, with its rounding."""
        return self._leakage

    @cached_property
    @abstractmethod
    def _leakage(self) -> Estimate: ...

    @property
    @abstractmethod
    def group_bound(self) -> float:
        """A sound bound on the leakage: every unknown tuple moves with the target (Li et al. 2019, Equation 16)."""

    @abstractmethod
    def _forward(self) -> TradeOff:
        """T(P, Q), or the worst of several in both directions."""

    @property
    @abstractmethod
    def prior(self) -> float:
        """Pr(target = second value of the pair) in the model, given the known tuples and that it is one of the two."""

    @property
    def belief(self) -> tuple[float, float] | None:
        """The larger of two values of the target and its probability before the release.

        None unless the known tuples leave exactly two values, or if their own values are not given.
        """
        return None

    def experiment(self, values: Any = None) -> Experiment:
        """The test of the pair's first value (H0) against its second (H1), on outputs as they are released.

        It needs ``pair`` and the values of the known tuples.
        """
        without_values(values, ": the view has its own")
        self._settle("A test compares two values.")
        return self._experiment()

    @abstractmethod
    def _experiment(self) -> Experiment:
        """The test itself, after the checks of :meth:`experiment`."""

    @cached_property
    def _curve(self) -> TradeOff:
        if self.determined:
            return no_information()
        return self._forward()

    @cached_property
    def _both(self) -> TradeOff:
        return worst_of([self._curve])

    def tradeoff(self, direction: str = "both") -> TradeOff:
        """The trade-off curve of this attacker.

        direction: ``"both"`` (default). With a ``pair`` (v, w), ``"add"`` is the test of "the target is v" against "it
        is w" and ``"remove"`` its mirror image; without one the curve covers both directions anyway.
        """
        _validate.one_of("direction", direction, DIRECTIONS)
        if direction == "both" or self.pair is None:
            return self._both
        return self._curve if direction == "add" else self._curve.inverse()

    def _settle(self, what: str, needs_pair: bool = True) -> tuple[float, float]:
        """The pair. Raises an error if it, or the values of the known tuples, are not given."""
        if (needs_pair and self.pair is None) or (self.known and self.given is None):
            raise Undefined(f"{what} {_NO_PAIR.format(pair=self.pair, known=self.known)}")
        return self.pair or (0.0, 0.0)

    @property
    def sentence(self) -> str:
        """The attacker's gain in plain words."""
        known = sorted(self.known) if self.known else []
        knows = f"knows tuple{'s'[: len(known) > 1]} {', '.join(map(str, known))}" if known else "knows no other tuple"
        if len(known) > 8:
            knows = f"knows {len(known)} other tuples"
        if self.determined:
            return f"An attacker on tuple {self.target} who {knows} knows its value already; the release adds nothing."
        found = float(self.leakage())
        if math.isinf(found):
            advantage = self._both.delta(0.0)
            return (
                f"An attacker on tuple {self.target} who {knows} can see arbitrarily strong evidence, if rarely; at "
                f"best they beat guessing between two values by {advantage:.3g} (0 is nothing, 1 is certainty)."
            )
        return (
            f"An attacker on tuple {self.target} who {knows} can multiply their odds between two of its values by at "
            f"most {math.exp(min(found, 700.0)):.4g} (leakage {found:.4g})."
        )


def view_arguments(model: Any, made: NoisyQueries, *, target: Any, known: Any, pair: Any) -> dict[str, Any]:
    """The checked arguments of a view."""
    rule = f"to be the index of one of the {model.n} tuples, 0 … {model.n - 1}"
    at = index("target", target, rule)
    if not 0 <= at < model.n:
        raise _validate.reject("target", rule, target, "Tuples are counted from 0.")
    indices, values = _known(known, at, model.n)
    shown = dict(sorted(values.items())) if values else indices
    two = None if pair is None else model._pair(at, pair)
    return {"model": model, "release": made, "target": at, "known": shown, "given": values, "pair": two}


def _known(known: Any, target: int, count: int) -> tuple[tuple[int, ...], dict[int, float] | None]:
    """Checked indices of known tuples in increasing order, and their values if these are given."""
    if known is None:
        return (), {}
    indices: list[int] = []
    for one in listed("known", known, "to be a list of indices or a mapping from index to value"):
        if not 0 <= index("known", one, "to hold indices of tuples") < count:
            raise _validate.reject("known", f"to hold indices from 0 to {count - 1}", one, "Tuples count from 0.")
        if one == target:
            remedy = "Who knows the target has nothing to infer; leave it out of known."
            raise _validate.reject("known", f"not to hold the target {target}", known, remedy)
        indices.append(int(one))
    if len(set(indices)) != len(indices):
        raise _validate.reject("known", "to name each tuple once", known)
    values = None
    if isinstance(known, dict):
        rule = "to be a finite number"
        values = {int(i): _validate.real(f"known[{i}]", v, rule, math.isfinite) for i, v in known.items()}
    return tuple(sorted(indices)), values if indices else {}
