"""Tuples that form a Markov chain: with finitely many states, or jointly Gaussian."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.models.discrete import IMPOSSIBLE, Block, DiscreteData, Given, Tuples
from dplens.correlated.models.gaussian import GaussianData, GaussianTuples, per_tuple
from dplens.correlated.views.queries import NoisyQueries, merged
from dplens.errors import Undefined
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import register


@register
@dataclass(frozen=True, kw_only=True, eq=False)
class MarkovData(Shared, Tuples):
    """A Markov chain x_0, x_1, … of ``length`` tuples with finitely many states.

    initial: the law of x_0. transition: a matrix (row = from, column = to), or a list of length − 1 such matrices if
    the chain is inhomogeneous. length: at most a million. values: those of the states, for all tuples; by default
    0, 1, 2, …

    >>> import dplens as dl
    >>> chain = dl.MarkovData(initial=[.5, .5], transition=[[.8, .2], [.2, .8]], length=200)
    >>> found = chain.worst(dl.Laplace(scale=2.0), method="runs")
    >>> round(found.leakage, 4), len(found.known)
    (1.8009, 185)
    """

    initial: Any
    transition: Any
    values: Any = None
    length: int | None = None
    homogeneous: bool = False  # computed: whether all transitions are equal

    def __post_init__(self) -> None:
        start = _validate.law("initial", self.initial)
        k = len(start)
        steps = _validate.as_array("transition", self.transition)
        if steps.shape[-2:] != (k, k) or steps.ndim not in (2, 3):
            rule = f"to be a {k}×{k} matrix, or a list of them, as the initial law has {k} states"
            raise _validate.reject("transition", rule, self.transition)
        self._check_rows(steps)
        single, steps = steps.ndim == 2, steps / steps.sum(axis=-1, keepdims=True)
        if single:
            if self.length is None:
                raise _validate.reject("length", "to be given with one transition matrix", self.length)
            n, most = _validate.count("length", self.length), 1_000_000
            if n > most:
                remedy = "Tuples that far apart have nothing to do with each other: take a part of the chain."
                raise _validate.reject("length", f"to be at most {most}", self.length, remedy)
            steps = np.broadcast_to(steps, (n - 1, k, k))
        else:
            n = len(steps) + 1
            if self.length is not None and _validate.count("length", self.length) != n:
                raise _validate.reject("length", f"to be {n}, as there are {n - 1} transitions", self.length)
        values = np.arange(k, dtype=float) if self.values is None else _validate.as_array("values", self.values)
        if values.shape != (k,) or not np.isfinite(values).all() or len(np.unique(values)) != k:
            raise _validate.reject("values", f"to hold {k} different finite values, one for each state", self.values)
        for name, value in (("initial", start), ("transition", steps), ("values", (values,) * n), ("length", n)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "homogeneous", single or bool((steps == steps[:1]).all()))

    def _check_rows(self, steps: Floats) -> None:
        if not np.isfinite(steps).all() or (steps < 0).any():
            remedy = "Rows are shares that sum to 1."
            raise _validate.reject("transition", "to hold finite probabilities >= 0", self.transition, remedy)
        with np.errstate(over="ignore"):
            sums = steps.sum(axis=-1)
        if (np.abs(sums - 1) > 1e-9).any():
            bad = float(sums.flat[int(np.argmax(np.abs(sums - 1)))])
            raise _validate.reject("transition", "to have rows that sum to 1", bad, "Divide each row by its sum.")

    def __repr__(self) -> str:
        return f"MarkovData({self.n} tuples with {len(self.initial)} states)"

    @cached_property
    def marginals(self) -> Floats:
        """The law of every tuple, one per row."""
        out = [self.initial]
        for step in self.transition:
            out.append(out[-1] @ step)
        return np.array(out)

    def as_data(self) -> DiscreteData:
        return self._data

    @cached_property
    def _data(self) -> DiscreteData:
        if len(self.initial) ** self.n > 2**22:
            raise Undefined(f"The joint table of {self!r} is too large. Ask the chain itself, with method='runs'.")
        table = self.initial
        for step in self.transition:
            table = table[..., :, None] * step
        return DiscreteData(joint=table, values=self.values)

    def reach(self, a: int, b: int) -> Floats:
        """Pr(x_b = column | x_a = row), a ≤ b."""
        out = np.eye(len(self.initial))
        for step in self.transition[a:b]:
            out = out @ step
        return out

    # ---- the cases of an attacker ------------------------------------------------------------------------------

    def blocks(self, made: NoisyQueries, target: int, known: tuple[int, ...], given: Given) -> list[Block]:
        if made.weights is None:  # any function of the tuples: by enumeration
            return self.as_data().blocks(made, target, known, given)
        made.check_size(self.sizes(made))
        k, inside = len(self.initial), set(known)
        # known tuples matter if they border on unknown ones or the target; their values index the rows
        border = {j for j in known if (j and j - 1 not in inside) or (j < self.n - 1 and j + 1 not in inside)}
        if not given and k ** len(border) > 100_000:
            raise Undefined(
                f"{len(border)} known tuples border on unknown ones, too many to try all their values. Give their "
                "values (known={index: value}), or ask for the worst attacker, who leaves a single run unknown."
            )
        values = {j: self.index_of(j, v, f"known[{j}]") for j, v in (given or {}).items()}
        order = [j for j in range(self.n) if values or j not in inside or j in border]
        law = self.marginals[order[0]][None, None, None, :]  # (rows, states of the target, sums, states of the latest)
        places, work = np.zeros((1, len(made.weights))), 0
        for before, j in zip([order[0], *order], order):
            law = law @ self.reach(before, j) if j > before else law
            if j == target:
                law = law * np.eye(k)[:, None, :]
            elif j in inside:
                states = np.eye(k)[[values[j]] if values else slice(None)]
                law = (law[:, None] * states[:, None, None, :]).reshape(-1, *law.shape[1:])
            else:
                work += law.size
                if work > 5e7:
                    raise Undefined(
                        f"{self.n - len(known)} unknown tuples in a row are too many: their sum takes too many values. "
                        "Name known tuples on both sides of the target (known=...), or take a part of the chain."
                    )
                places, law = self._with_one_more(places, law, np.outer(self.values[j], made.weights[:, j]))
            total = law.sum(axis=(1, 2, 3), keepdims=True)
            if not total.any():
                raise _validate.reject("known", "to be possible in the model", given, IMPOSSIBLE)
            law = (law / np.where(total > 0, total, 1.0))[total.ravel() > 0]
        own = np.outer(self.values[target], made.weights[:, target])
        return [Block(law.sum(axis=3), own[:, None, :] + places[None, :, :])]

    def _with_one_more(self, places: Floats, law: Floats, adds: Any) -> tuple[Floats, Floats]:
        """The attainable sums and their law with one more unknown tuple, which adds these in its states."""
        places, inverse = merged((places[:, None] + adds).reshape(-1, places.shape[1]))
        out = np.zeros((*law.shape[:2], len(places), law.shape[3]))
        for state, at in enumerate(inverse.reshape(-1, len(adds)).T):
            np.add.at(out[..., state].T, at, law[..., state].T)
        return places, out


@register
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GaussianChain(Shared, GaussianTuples):
    """A Gaussian Markov chain: jointly normal tuples, each of which depends only on the previous one.

    correlations: those of neighbours, n − 1 numbers in (−1, 1); sds: standard deviations. The correlation of two tuples
    is the product of those between them. width, mean: as for :class:`GaussianData`. ``GaussianChain.ar1`` creates
    stationary chains. A chain has at most 2000 tuples.

    >>> import dplens as dl
    >>> chain = dl.GaussianChain.ar1(correlation=0.5, length=200)
    >>> found = chain.worst(dl.Laplace(scale=1.0))
    >>> round(found.leakage, 6)  # 1 + 2·(0.5 + 0.25 + …)
    3.0
    """

    correlations: Any
    sds: Any = 1.0
    width: Any = 1.0
    mean: Any = None

    def __post_init__(self) -> None:
        rho = _validate.as_array("correlations", self.correlations)
        if rho.ndim != 1 or not ((np.abs(rho) < 1) & np.isfinite(rho)).all():
            remedy = "Correlation ±1 makes two tuples one: leave one out and add its weight to the other's."
            raise _validate.reject("correlations", "to be numbers strictly between -1 and 1", self.correlations, remedy)
        _check_length("correlations", len(rho) + 1)
        object.__setattr__(self, "correlations", rho)
        for name, given in (("sds", self.sds), ("width", self.width)):
            object.__setattr__(self, name, per_tuple(name, given, self.n))
        object.__setattr__(self, "mean", per_tuple("mean", 0.0 if self.mean is None else self.mean, self.n, -math.inf))
        least, most = 1e-150, 1e75  # covariances, and sums of their products, are still floats
        if not ((self.sds >= least) & (self.sds <= most)).all():
            rule = f"to be between {least:g} and {most:g}"
            raise _validate.reject("sds", rule, self.sds.tolist(), "Measure the tuples in another unit.")

    @classmethod
    def ar1(cls, *, correlation: float, length: int, sd: float = 1.0, width: float = 1.0) -> GaussianChain:
        """The stationary chain x_t = correlation·x_{t−1} + noise."""
        rule = "strictly between -1 and 1"
        rho = _validate.real("correlation", correlation, rule, lambda x: -1 < x < 1)
        count = _validate.count("length", length)
        _check_length("length", count)
        return cls(correlations=np.full(count - 1, rho), sds=_validate.positive("sd", sd), width=width)

    @property
    def n(self) -> int:
        return len(self.correlations) + 1

    def as_data(self) -> GaussianData:
        return self._data

    @cached_property
    def _data(self) -> GaussianData:
        r = np.eye(self.n)
        for i in range(self.n):
            r[i, i + 1 :] = r[i + 1 :, i] = np.cumprod(self.correlations[i:])
        return GaussianData(covariance=r * np.outer(self.sds, self.sds), width=self.width, mean=self.mean)


def _check_length(name: str, n: int, most: int = 2000) -> None:
    """All covariances are computed, and searches for the worst attacker take n³ steps."""
    if n > most:
        remedy = "Tuples far apart have nothing to do with each other: take the part of the chain about the target."
        raise _validate.reject(name, f"to make a chain of at most {most} tuples", _validate.Shown(str(n)), remedy)
