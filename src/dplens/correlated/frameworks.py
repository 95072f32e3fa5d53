"""Notions of privacy side by side on one model and one release (Liu et al. 2019, §6)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.composition.routes import composed
from dplens.correlated.models.chains import MarkovData
from dplens.correlated.models.discrete import DiscreteData, Model, Tuples
from dplens.correlated.models.gaussian import GaussianTuples
from dplens.correlated.search.knowledge_sets import knowledge_sets
from dplens.correlated.search.worst import worst
from dplens.correlated.views.output_cells import divisible, output_cells
from dplens.correlated.views.pairs import shifted
from dplens.correlated.views.queries import NoisyQueries, log_densities, release
from dplens.curves.base import TradeOff
from dplens.curves.derived.hull import both_directions
from dplens.estimate import Estimate
from dplens.mechanisms.additive import Gaussian, Geometric, Laplace
from dplens.mechanisms.noise import AdditiveNoise
from dplens.registry import Result
from dplens.risk.conversions import Epsilon

Secrets = Mapping[int, Sequence[tuple[float, float]]]

_CLOSE = 1e-9  # relative: numbers this close may differ by rounding


@dataclass(frozen=True)
class Inequality(Result):
    """``left`` ≤ ``right`` (or =) of Liu's Theorem 7 or Proposition 1, with the numbers of this model."""

    claim: str
    left: float
    right: float
    holds: bool


@dataclass(frozen=True, kw_only=True)
class Frameworks(Result):
    """The epsilon of each notion of privacy for one release on one model. Larger is riskier; None: not computed.

    Attackers are compared by epsilon(delta); with delta = 0 that is the largest log-ratio. K is a knowledge set and
    x_K its values; suprema are over all possible ones:

    dp: sup over values of one tuple, all others fixed: the guarantee of differential privacy (group size 1).
    dependent: sup over i, K, x_K, v, v' of log Pr(r | v, x_K)/Pr(r | v', x_K) (dependent DP, all knowledge sets).
    inferential: sup over the same of the log of posterior odds over prior odds, from posteriors.
    bayesian: dependent with K = ∅ only, the weakest attacker (Bayesian DP).
    pufferfish: bayesian over the secret pairs of the policy only.
    blowfish: sup over possible databases that differ in a secret pair and in no more tuples than necessary.
    membership: sup over i, K, x_K, v, r of ``|log Pr(v | r, x_K)/Pr(v | x_K)|``.
    mutual_information: sup over i, K, x_K of I(x_i; r | x_K = values), in nats; an :class:`Estimate` from cells of the
    outputs: ``low`` if only the cell is seen, ``high`` with the largest possible variation of ratios in each cell.
    group: ``Σ |a_j|·range_j/scale``, all tuples at once (Li, Equation 16).
    independent: whether the tuples are independent in the model.
    """

    delta: float
    dp: Estimate
    dependent: Estimate
    inferential: float | None
    bayesian: Estimate
    pufferfish: Estimate | None
    blowfish: Estimate | None
    membership: float | None
    mutual_information: Estimate | None
    group: float
    independent: bool
    inequalities: tuple[Inequality, ...]

    @property
    def failed(self) -> tuple[Inequality, ...]:
        """The published inequalities that do not hold on this model."""
        return tuple(x for x in self.inequalities if not x.holds)

    @property
    def sentence(self) -> str:
        """The comparison in plain words."""
        ratio = self.dependent / self.dp if self.dp else math.nan
        text = f"Differential privacy promises epsilon {self.dp:.4g}; "
        records = "these independent" if self.independent else "these related"
        text += f"on {records} records the worst attacker reaches {self.dependent:.4g}"
        text += f" ({ratio:.3g} times)." if math.isfinite(ratio) else "."
        if self.failed:
            text += " Published inequalities that fail here: " + "; ".join(x.claim for x in self.failed) + "."
        return text

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            **{k: float(v) if isinstance(v, float) else v for k, v in self.__dict__.items() if k != "inequalities"},
            "inequalities": [x.__dict__ for x in self.inequalities],
        }


def frameworks(
    model: Any, mechanism: Any, policy: Secrets | None = None, *, weights: Any = None, delta: float | None = None
) -> Frameworks:
    """Each notion's epsilon for one release on one model, and whether Liu's inequalities hold on it.

    policy: the secrets of Pufferfish and Blowfish, a mapping from tuple to pairs of its values (default: all pairs of
    all tuples). delta: as for ``worst``. An inequality that fails is returned (``failed``), not raised.

    >>> import dplens as dl
    >>> data = dl.DiscreteData(joint=[[.3, .2], [.2, .3]])
    >>> f = dl.frameworks(data, dl.Laplace(scale=1.0))
    >>> round(f.dp, 4), round(f.dependent, 4), round(f.bayesian, 4), round(f.membership, 4)
    (1.0, 1.1854, 1.1854, 0.7589)
    >>> [x.claim for x in f.failed]  # no constraint links the two tuples, so Blowfish sees one at a time
    ['dependent <= blowfish']
    """
    if not isinstance(model, Model):
        remedy = "Pass for instance dplens.DiscreteData(joint=[[.3, .2], [.2, .3]])."
        raise _validate.reject_type("model", "to be a data model", model, remedy)
    made = release(mechanism, model.n, weights)
    found = worst(model, mechanism, weights=weights, delta=delta)
    at = found.delta
    views = [model.view(mechanism, target=i, weights=weights) for i in range(model.n)]
    long = isinstance(model, MarkovData) and len(model.initial) ** model.n > 2**12
    table = model.as_data() if isinstance(model, Tuples) and not long else None
    entries: dict[str, Any] = {
        "dp": _dp(model, made, at),
        "dependent": found.epsilon,
        "bayesian": max(_read(view, at) for view in views),
        "group": max(view.group_bound for view in views),
        **dict.fromkeys(("pufferfish", "blowfish", "inferential", "membership", "mutual_information")),
    }
    if isinstance(model, Tuples):
        secrets = [model.view(mechanism, target=i, pair=(v, w), weights=weights) for i, v, w in _secrets(model, policy)]
        entries["pufferfish"] = max((_read(view, at) for view in secrets), default=_exactly(0.0))
    if table is not None:
        entries["blowfish"] = _blowfish(table, made, policy, at)
        entries.update(_beliefs(table, made, at))
    if isinstance(model, GaussianTuples) and isinstance(made.single, Gaussian) and model.n <= 12:
        entries["mutual_information"] = _gaussian_information(model, made)
    independent = _independent(model, table)
    return Frameworks(delta=at, independent=independent, inequalities=_inequalities(entries, independent), **entries)


def _read(view: Any, delta: float) -> Estimate:
    return view.leakage() if delta == 0 else Epsilon(delta=delta).of(view)


def _dp(model: Any, made: NoisyQueries, delta: float) -> Estimate:
    """Epsilon if one tuple moves by its range, for any values of the others."""
    spans = model.ranges(made) if isinstance(model, Tuples) else np.abs(made.linear) * model.width
    best = _exactly(0.0)
    signed = np.copysign(spans, made.linear)
    for i in range(model.n):
        moved = [(shifted(m, float(s)), 1) for m, s in zip(made.mechanisms, signed[:, i]) if s != 0]
        if moved:
            best = max(best, _epsilon(moved[0][0] if len(moved) == 1 else composed(moved), delta))
    return best


def _exactly(value: float) -> Estimate:
    return Estimate(value, low=value, high=value)


def _epsilon(curve: TradeOff, delta: float) -> Estimate:
    """Epsilon in the worse direction."""
    return Epsilon(delta=delta).of(both_directions(curve))


def _secrets(model: Tuples, policy: Secrets | None) -> list[tuple[int, float, float]]:
    if policy is None:
        return [(i, float(v), float(w)) for i, vs in enumerate(model.values) for v, w in itertools.combinations(vs, 2)]
    if not isinstance(policy, Mapping):
        raise _validate.reject_type("policy", "to be a mapping from tuple to pairs of its values", policy)
    out = []
    for i, pairs in policy.items():
        if not _validate.is_integer(i) or not 0 <= i < model.n:
            raise _validate.reject("policy", f"to name tuples 0 … {model.n - 1}", i)
        if isinstance(pairs, (str, bytes)) or not isinstance(pairs, Sequence):
            remedy = "For instance policy={0: [(0, 1)]}."
            raise _validate.reject_type(f"policy[{i}]", "to be a list of pairs of values", pairs, remedy)
        for pair in pairs:
            first, second = model._pair(i, pair)
            out.append((i, first, second))
    return out


def _blowfish(model: DiscreteData, made: NoisyQueries, policy: Secrets | None, delta: float) -> Estimate | None:
    """Epsilon over pairs of possible databases that differ in a secret pair and in a minimal set of tuples."""
    index = np.argwhere(model.joint > 0)
    if len(index) > 1500 or made.single is None:  # all databases are compared with each other
        return None
    sums = np.sum([made.linear[0, j] * model.values[j][index[:, j]] for j in range(model.n)], axis=0)
    secret = np.zeros((len(index), len(index)), dtype=bool)
    for i, v, w in _secrets(model, policy):
        a, b = (index[:, i] == model.index_of(i, x, "policy") for x in (v, w))
        secret |= np.outer(a, b) | np.outer(b, a)
    codes = 1 << np.arange(model.n)
    span = 0.0
    for x in range(len(index)):
        changed = (index != index[x]) @ codes
        near = np.unique(changed[secret[x]])
        minimal = [c for c in near if not any((d & c) == d and d != c for d in near)]
        far = np.isin(changed, minimal) & secret[x]
        span = max(span, float(np.max(np.abs(sums[far] - sums[x]), initial=0.0)))
    return _epsilon(shifted(made.single, span), delta) if span else _exactly(0.0)


def _beliefs(model: DiscreteData, made: NoisyQueries, delta: float) -> dict[str, Any]:
    """Notions of posteriors, over all targets, knowledge sets and known values."""
    n = model.n
    noise = made.single
    if n * 2 ** (n - 1) > 3000 or noise is None or (isinstance(noise, AdditiveNoise) and not divisible(noise)):
        return {}
    exact = delta == 0 and isinstance(noise, (Laplace, Geometric))
    inferential = membership = low = high = 0.0
    for i, known in knowledge_sets(n):
        for block in model.blocks(made, i, known, None):
            odds, ratio, ends = _posteriors(noise, block, exact)
            inferential, membership = max(inferential, odds), max(membership, ratio)
            low, high = max(low, ends[0]), max(high, ends[1])
    out: dict[str, Any] = {"mutual_information": Estimate(high, low=low, high=high)}
    return {**out, "inferential": inferential, "membership": membership} if exact else out


def _posteriors(mechanism: Any, block: Any, exact: bool) -> tuple[float, float, tuple[float, float]]:
    """The largest |log| of posterior over prior odds, that of posterior over prior, and the mutual information."""
    prior = block.laws.sum(axis=2)
    prior = prior / prior.sum(axis=1, keepdims=True)
    places, share = block.joined(range(block.laws.shape[1]))
    odds = ratio = 0.0
    if exact:
        with np.errstate(divide="ignore", invalid="ignore"):
            density = log_densities((places[:, 0] - places[0, 0]) / mechanism.scale, np.log(share))
            mixed = np.logaddexp.reduce(density + np.log(prior)[:, :, None], axis=1, keepdims=True)
            gain = np.where((prior > 0)[:, :, None], density - mixed, np.nan)  # posterior over prior
        if np.isfinite(gain).any():
            ratio = float(np.nanmax(np.abs(gain)))
            odds = float(np.nanmax(np.nanmax(gain, axis=1) - np.nanmin(gain, axis=1)))
    return odds, ratio, _information(mechanism, places[:, 0], prior, share)


def _information(mechanism: Any, places: Floats, prior: Floats, share: Floats) -> tuple[float, float]:
    """Bounds on the largest I(v; r) of the rows, from cells of the outputs.

    I is the mean of t·log t with t = Pr(r | v)/Pr(r) in [0, 1/prior], which is convex: smallest if t is constant in
    each cell, largest if t is always at one end of its range there.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        entropy = -np.sum(np.where(prior > 0, prior * np.log(prior), 0.0), axis=1)  # entropy of v
        axis = output_cells(mechanism, places, 800)
        mass, ends = share @ axis.mass, []
        for log in (axis.left, axis.right):
            height = share @ np.exp(log - log.max(axis=0))
            ends.append(height / np.einsum("rv,rvc->rc", prior, height)[:, None, :])
        wide = np.exp(axis.excess) * (1 + _CLOSE)
        least, most = np.minimum(*ends) / wide, np.maximum(*ends) * wide
        least[..., axis.is_open], most[..., axis.is_open] = 0.0, np.inf
        mixed = np.einsum("rv,rvc->rc", prior, mass)[:, None, :]
        mean = np.where(mixed > 0, mass / mixed, 0.0)
        least = np.minimum(np.nan_to_num(least), mean)
        most = np.maximum(np.minimum(np.nan_to_num(most, nan=np.inf, posinf=np.inf), (1 / prior)[:, :, None]), mean)
        part = np.where(most > least, (mean - least) / (most - least), 0.0)
        values = _log_times(mean), np.where(prior[:, :, None] > 0, (1 - part) * _log_times(least), 0.0)
        high = np.where(part > 0, values[1] + part * _log_times(np.where(part > 0, most, 0.0)), values[1])
        low, high = (np.einsum("rv,rvc->r", prior, mixed * x) for x in (values[0], high))
    return max(float(low.max()), 0.0), max(float(np.minimum(high * (1 + _CLOSE), entropy).max()), float(low.max()), 0.0)


def _log_times(t: Floats) -> Floats:
    return np.where(t > 0, t * np.log(np.where(t > 0, t, 1.0)), 0.0)


def _gaussian_information(model: Any, made: NoisyQueries) -> Estimate:
    """½·log Var(r | x_K)/Var(r | x_i, x_K)."""
    best, sigma = 0.0, made.single.sigma  # pyright: ignore
    for i, known in knowledge_sets(model.n):
        response, rest, variance = model.as_data().response(made.linear, i, known)
        best = max(best, 0.5 * math.log1p(float(response[0]) ** 2 * variance / (float(rest[0, 0]) + sigma**2)))
    return _exactly(best)


def _independent(model: Any, table: DiscreteData | None) -> bool:
    if table is not None:
        marginals = [table.joint.sum(axis=tuple(j for j in range(table.n) if j != i)) for i in range(table.n)]
        product = reduce(np.multiply.outer, marginals)
        return bool(np.max(np.abs(product - table.joint)) < 1e-12)
    if isinstance(model, GaussianTuples):
        matrix = model.as_data().covariance
        return bool((matrix == np.diag(np.diag(matrix))).all())
    return bool(isinstance(model, MarkovData) and np.ptp(model.transition, axis=1).max(initial=0.0) < 1e-12)


def _inequalities(e: dict[str, Any], independent: bool) -> tuple[Inequality, ...]:
    """Liu's Theorem 7; for independent records Proposition 1."""
    out = []

    def add(left: str, right: str, factor: float = 1.0, equal: bool = False) -> None:
        if e[left] is None or e[right] is None:
            return
        a, b = (x if isinstance(x, Estimate) else _exactly(x) for x in (e[left], e[right]))
        b = Estimate(factor * b, low=factor * b.low, high=factor * b.high)
        # it fails if the brackets prove it, beyond rounding
        holds = a.low <= b.high + (_CLOSE * (1 + b.high) if math.isfinite(b.high) else 0.0)
        if equal:
            holds = holds and b.low <= a.high + (1e3 * _CLOSE * (1 + a.high) if math.isfinite(a.high) else 0.0)
        sign = "=" if equal else "<="
        claim = f"{left} {sign} {'' if factor == 1 else f'{factor:g}·'}{right}"
        out.append(Inequality(claim, float(a), float(b), holds))

    add("dp", "dependent")
    add("dependent", "inferential", equal=True)
    add("dependent", "blowfish", equal=independent)
    add("dependent", "membership", 2.0)
    add("mutual_information", "membership")
    if independent:
        add("dependent", "dp", equal=True)
    add("dependent", "group")
    return tuple(out)
