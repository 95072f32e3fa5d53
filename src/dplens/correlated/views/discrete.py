"""One attacker on discrete data."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.correlated.views.base import View
from dplens.correlated.views.bounds import moved_epsilon, worst_of
from dplens.correlated.views.pairs import MixturePair
from dplens.correlated.views.queries import block_leakage, rounded
from dplens.curves.base import TradeOff
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.additive import Geometric, Laplace
from dplens.mechanisms.experiment import Experiment
from dplens.numerics.sharing import cached_property


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DiscreteView(View):
    """One attacker on discrete data; see :class:`View`."""

    @cached_property
    def _blocks(self) -> list[Any]:
        known = tuple(sorted(self.known))
        return self.model.blocks(self.release, self.target, known, self.given)

    @property
    def _chosen(self) -> tuple[int, int] | None:
        if self.pair is None:
            return None
        first, second = (self.model.index_of(self.target, v, "pair") for v in self.pair)
        return first, second

    @cached_property
    def determined(self) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride]
        either = slice(None) if self._chosen is None else list(self._chosen)
        return not any((block.possible[:, either].sum(axis=1) > 1).any() for block in self._blocks)

    @cached_property
    def pairs(self) -> tuple[MixturePair, ...]:
        """The distinct pairs of output laws that are compared, each in one direction."""
        found: dict[bytes, MixturePair] = {}
        for block in self._blocks:
            every = itertools.combinations(range(block.laws.shape[1]), 2)
            for values in [self._chosen] if self._chosen else every:
                places, laws = block.joined(values)
                laws = laws[laws.any(axis=2).all(axis=1)]  # rows in which both values are possible
                if not len(laws):
                    continue
                _, first = np.unique(rounded(laws).reshape(len(laws), -1), axis=0, return_index=True)
                for p, q in laws[np.sort(first)]:
                    pair = MixturePair.of(self.release.mechanisms, places, p, q)
                    found.setdefault(pair.key, pair)
        return tuple(found.values())

    @cached_property
    def _leakage(self) -> Estimate:
        if self.determined:
            return Estimate(0.0, low=0.0, high=0.0)
        if isinstance(self.release.single, (Laplace, Geometric)):
            found = [block_leakage(self.release.single, block, self._chosen) for block in self._blocks]
            value, error = map(max, zip(*found))
        else:
            each = [pair.leakages for pair in self.pairs]
            value, error = max(max(up, down) for up, down, _ in each), max(e for _, _, e in each)
            if not all(isinstance(m, (Laplace, Geometric)) for m in self.release.mechanisms):
                low = max(value - error, 0.0)
                return Estimate(value, low=low, high=value, certificate=lambda: self._both.certificate)
        bound = self.group_bound
        high = min(value + error, bound * (1 + 4e-16)) if value > 0 else 0.0
        return Estimate(high, low=max(min(value, high) - error, 0.0), high=high)

    @cached_property
    def group_bound(self) -> float:  # pyright: ignore[reportIncompatibleMethodOverride]
        return moved_epsilon(self.release.mechanisms, self.spans, 0.0)

    @property
    def spans(self) -> np.ndarray:
        """The largest difference between two values of each query that are possible for this attacker."""
        if self.release.weights is None:
            places = [block.places.reshape(-1, len(self.release.mechanisms)) for block in self._blocks]
            return np.ptp(np.concatenate(places), axis=0)
        inside = np.ones(self.model.n, dtype=bool)
        inside[list(self.known)] = False
        return self.model.ranges(self.release)[:, inside].sum(axis=1)

    def _forward(self) -> TradeOff:
        if self.pair is not None and len(self.pairs) == 1:
            return self.pairs[0].curve()
        return worst_of([pair.curve(share=min(1.0, 4 / len(self.pairs))) for pair in self.pairs])

    @property
    def prior(self) -> float:
        self._settle("The prior belongs to a pair of values.")
        mass = np.array(list(self.prior_law.values()))[list(self._chosen or ())]
        if mass.sum() <= 0:
            raise _validate.reject("pair", "to hold a value that is possible given what is known", self.pair)
        return float(mass[1] / mass.sum())

    @property
    def belief(self) -> tuple[float, float] | None:
        if self.known and self.given is None:
            return None
        possible = [(value, chance) for value, chance in sorted(self.prior_law.items()) if chance > 0]
        return possible[1] if len(possible) == 2 and possible[1][1] < 1 else None

    @property
    def prior_law(self) -> dict[float, float]:
        """The attacker's belief in each value of the target before the release, given the known tuples."""
        self._settle("Beliefs depend on what the known tuples are.", needs_pair=False)
        mass = self._blocks[0].laws[0].sum(axis=1)
        return {float(v): float(m) for v, m in zip(self.model.values[self.target], mass / mass.sum())}

    def posterior_law(self, output: Any) -> dict[float, float]:
        """The attacker's belief in each value of the target after seeing ``output`` (a list for several releases)."""
        prior = self.prior_law
        block = self._blocks[0]
        seen = np.atleast_1d(_validate.as_array("output", output))
        if seen.shape != (len(self.release.mechanisms),):
            rule = f"to hold {len(self.release.mechanisms)} numbers, one for each release"
            raise _validate.reject("output", rule, output)
        shift = self._known_sum()
        logs = np.zeros(block.places.shape[:2])
        for i, mechanism in enumerate(self.release.mechanisms):
            logs += mechanism.log_likelihood((seen[i] - shift[i] - block.places[..., i]).ravel()).reshape(logs.shape)
        with np.errstate(divide="ignore"):
            logs = logs + np.log(block.laws[0])
        top = logs.max()
        mass = np.exp(logs - top).sum(axis=1)
        return {v: float(m) for v, m in zip(prior, mass / mass.sum())}

    def _known_sum(self) -> np.ndarray:
        """The contribution of the known tuples to the queries."""
        if self.release.weights is None or not self.given:
            return np.zeros(len(self.release.mechanisms))
        return self.release.weights[:, list(self.given)] @ list(self.given.values())

    def _experiment(self) -> Experiment:
        if self.determined:
            raise Undefined(
                f"What they know, {self.known}, leaves at most one of the values {self.pair} of tuple {self.target}: "
                "there is nothing to test. Pass known values or a pair that leave both possible."
            )
        pair = self.pairs[0]
        moved = MixturePair(pair.mechanisms, pair.places + self._known_sum(), pair.p, pair.q)
        return moved.experiment(self._curve)
