"""Pairs of output laws, each a finite mixture of the noise: leakage, curve, outputs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import logsumexp

from dplens._validate import Floats
from dplens.correlated.views.bounds import no_information
from dplens.correlated.views.cells import cell_curve, leakage_curve
from dplens.correlated.views.output_cells import divisible, output_cells
from dplens.correlated.views.outputs import MixtureOutputs, Side, bounded_losses, mirrored, mixture
from dplens.correlated.views.queries import grain_of, merging_error, rounded, rounding_of, whole
from dplens.curves.base import TradeOff
from dplens.curves.finite.enclosed import EnclosedCurve
from dplens.curves.finite.ratio import RatioCurve
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase
from dplens.mechanisms.experiment import Experiment
from dplens.mechanisms.noise import AdditiveNoise
from dplens.numerics.laws.base import ShiftedLaw
from dplens.numerics.laws.facts import noise_facts
from dplens.numerics.sharing import Shared, cached_property

_FEW = 10  # attainable values up to which densities are compared directly, even if the outputs could be divided


def _cells(releases: int, places: int, share: float = 1.0) -> int:
    """Cells along each release that keep the work bounded; ``share`` of the work for one of many curves."""
    work = 2e7  # cells × attainable values
    most = {1: 12000, 2: 320, 3: 64}[releases] // (1 if share > 0.01 else 8)
    return max(8, int(min(most, (share * work / places) ** (1 / releases))))


@dataclass(frozen=True, eq=False)
class MixturePair(Shared):
    """Masses ``p`` (H0), ``q`` (H1) of the query's values ``places`` (m, releases), and the noise on each release."""

    mechanisms: tuple[Any, ...]
    places: Floats
    p: Floats
    q: Floats

    @classmethod
    def of(cls, mechanisms: tuple[Any, ...], places: Floats, p: Floats, q: Floats) -> MixturePair:
        """Drop impossible places; round those under noise on whole numbers."""
        some = (p > 0) | (q > 0)
        places = places[some]
        for axis, mechanism in enumerate(mechanisms):
            if isinstance(mechanism, (Geometric, DiscreteGaussian)):
                places[:, axis] = whole(places[:, axis], type(mechanism).__name__)
        return cls(mechanisms, places, p[some], q[some])

    @property
    def key(self) -> bytes:
        """Equal for pairs that differ only by rounding and by a shift of the query."""
        grain = 2.0 ** np.ceil(np.log2(grain_of(self.places)))
        away = np.round((self.places - self.places.min(axis=0)) / grain) * grain + 0.0
        return b"".join([away.tobytes(), rounded(self.p).tobytes(), rounded(self.q).tobytes()])

    @property
    def same(self) -> bool:
        """Whether both laws agree up to the rounding of each mass: rare values may leak most."""
        return bool((np.abs(self.p - self.q) <= 4e-15 * np.minimum(self.p, self.q)).all())

    @property
    def sides(self) -> tuple[Side, Side]:
        """Places and masses under each law, of one release."""
        low, high = ([(float(v), float(w)) for v, w in zip(self.places[:, 0], m) if w > 0] for m in (self.p, self.q))
        return low, high

    @property
    def shift(self) -> Floats | None:
        """The shift of each query, if it has a single value under either law."""
        if np.count_nonzero(self.p) == np.count_nonzero(self.q) == 1:
            return (self.places[self.q > 0] - self.places[self.p > 0])[0]
        return None

    # ---- leakage -------------------------------------------------------------------------------------------

    @cached_property
    def leakages(self) -> tuple[float, float, float]:
        """The largest log-ratio of Q to P, that of P to Q (infinite if unbounded), and the absolute error of both."""
        if self.same:
            return 0.0, 0.0, 0.0
        if all(isinstance(m, (Laplace, Geometric)) for m in self.mechanisms):
            return self._exact_leakages()
        curve = self.curve()
        ends = [[float(end[0]) for end in c.epsilon_bounds(np.zeros(1))] for c in (curve, curve.inverse())]
        error = max((high - low for low, high in ends if math.isfinite(high)), default=0.0)
        return ends[0][1], ends[1][1], error

    def _exact_leakages(self) -> tuple[float, float, float]:
        """The leakages, attained on the grid of the attainable values of all releases."""
        scales = np.array([m.scale for m in self.mechanisms])
        units = (self.places - self.places.min(axis=0)) / scales
        merging = 2 * float(np.sum([merging_error(float(s)) for s in np.max(np.abs(self.places), axis=0)] / scales))
        with np.errstate(divide="ignore"):
            first, second = np.log(self.p), np.log(self.q)
        axes = [np.unique(column) for column in units.T]
        shape = tuple(map(len, axes))
        count, up, down = math.prod(shape), -math.inf, -math.inf
        if count * len(units) > 2e9:
            raise Undefined(
                "Too many attainable values of the releases together. Use fewer releases or coarser values."
            )
        rows = max(1, 2_000_000 // len(units))
        for i in range(0, count, rows):
            at = np.unravel_index(np.arange(i, min(i + rows, count)), shape)
            away = sum(np.abs(np.subtract.outer(axis[k], x)) for axis, k, x in zip(axes, at, units.T))
            loss = np.asarray(logsumexp(second - away, axis=1)) - np.asarray(logsumexp(first - away, axis=1))
            up, down = max(up, float(loss.max())), max(down, float(-loss.min()))
        return up, down, rounding_of(units.sum(axis=1)) + merging

    # ---- the curve -----------------------------------------------------------------------------------------

    def curve(self, share: float = 1.0) -> TradeOff:
        """T(P, Q), in cells if necessary; a smaller ``share`` of the work makes these coarser."""
        if self.same:
            return no_information()
        pair = self._projected() if all(isinstance(m, Gaussian) for m in self.mechanisms) else self
        if len(pair.mechanisms) == 1:
            return pair._single(pair.mechanisms[0], share)
        dense = sum(not isinstance(m, (Geometric, DiscreteGaussian)) for m in pair.mechanisms)
        return pair._in_cells(range(len(pair.mechanisms)), dense, share) if dense <= 3 else pair._by_leakage(share)

    def _projected(self) -> MixturePair:
        """Normal noise on every release, as unit noise along the directions in which the true values differ."""
        units = self.places / np.array([m.sigma for m in self.mechanisms])
        centred = units - units[0]
        _, size, axes = np.linalg.svd(centred, full_matrices=False)
        rank = int(np.count_nonzero(size > 1e-12 * max(size[0], 1e-300)))
        if rank > 3:
            raise Undefined("The attainable values of more than three Gaussian releases differ in all directions.")
        return MixturePair((Gaussian(sigma=1.0),) * rank, centred @ axes[:rank].T, self.p, self.q)

    def _in_cells(self, releases: Iterable[int], dense: int, share: float) -> EnclosedCurve:
        count = _cells(max(dense, 1), len(self.places), share)
        axes = [output_cells(self.mechanisms[i], self.places[:, i], count) for i in releases]
        return cell_curve(axes, self.p, self.q)

    def _by_leakage(self, share: float) -> TradeOff:
        """The curve for too many densities for cells: bounded by the leakage, and from below by three releases."""
        if not all(isinstance(m, (Laplace, Geometric)) for m in self.mechanisms):
            raise Undefined(
                f"The curve of {len(self.mechanisms)} releases at once is available for up to three with densities, "
                "and for any number if all of them have Gaussian noise, or all of them Laplace or geometric noise."
            )
        order = np.argsort([m.scale for m in self.mechanisms], kind="stable")[:3]
        return leakage_curve(self._in_cells(order, 3, share), *self.leakages)

    def _single(self, mechanism: Any, share: float) -> TradeOff:
        places = self.places[:, 0]
        if self.shift is not None:
            return shifted(mechanism, float(self.shift[0]))
        sides = self.sides
        direct = 0
        if isinstance(mechanism, AdditiveNoise):
            direct = _FEW if divisible(mechanism) else 60
        elif share == 1 and isinstance(mechanism, (Gaussian, Laplace)):
            # for places under Laplace noise that are further apart the ratio loses digits to rounding
            direct = _FEW if isinstance(mechanism, Gaussian) or np.ptp(places) <= 20 * mechanism.scale else 0
        if len(places) <= direct:
            laws = [mixture(mechanism.noise_law(), side) for side in sides]
            return RatioCurve.of(laws[0], laws[1], mirrored(mechanism, *sides), bounded_losses(mechanism, *sides))
        return self._in_cells([0], 1, share)

    def experiment(self, curve: TradeOff) -> Experiment:
        """The test of H0 against H1 on an output, or on a list of outputs, one for each release."""
        return Experiment(curve, MixtureOutputs(self))


def shifted(mechanism: Any, shift: float) -> TradeOff:
    """The curve of one shift of the noise."""
    if isinstance(mechanism, (Geometric, DiscreteGaussian)):
        return replace(mechanism, sensitivity=round(abs(shift))).tradeoff("add")
    if isinstance(mechanism, (Laplace, Gaussian)):
        return replace(mechanism, sensitivity=abs(shift)).tradeoff("add")
    if isinstance(mechanism, Staircase):
        return cell_curve([output_cells(mechanism, np.array([0.0, shift]), 0)], np.eye(2)[0], np.eye(2)[1])
    if noise_facts(mechanism.noise) is None:
        law = mechanism.noise_law()
        return RatioCurve.of(law, ShiftedLaw(law, shift))
    forward = replace(mechanism, sensitivity=abs(shift)).tradeoff("add")
    return forward if shift > 0 else forward.inverse()
