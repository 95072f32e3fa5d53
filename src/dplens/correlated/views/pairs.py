"""The two output laws an attacker compares, as finite laws of the query plus noise: leakage, curve, outputs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import logsumexp

from dplens._validate import Floats
from dplens.attack.mixtures import Side, bounded_losses, mixture, step_curve
from dplens.correlated.search.bounds import nothing
from dplens.correlated.views.axes import cut, normal_axis
from dplens.correlated.views.cells import cell_curve, leakage_curve
from dplens.correlated.views.outputs import MixtureOutputs
from dplens.correlated.views.query_values import grain_of, merging_error, rounded, rounding_of, whole
from dplens.curves.base import TradeOff
from dplens.curves.continuous.ratio import RatioCurve
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase
from dplens.mechanisms.experiment import Experiment
from dplens.mechanisms.noise import AdditiveNoise
from dplens.mechanisms.noise_laws import NormalLaw
from dplens.numerics.laws.base import ShiftedLaw
from dplens.numerics.laws.facts import noise_facts
from dplens.numerics.sharing import Shared, cached_property

_SORTED = 60  # attainable values up to which other densities are sorted by their ratio
_FEW = 10  # and up to which those are that could be cut into cells
_NEAR = 20.0  # scales that they lie apart at most under Laplace noise: further out, sorting loses digits to rounding
_CELLS = {1: 12000, 2: 320, 3: 64}
_WORK = 2e7  # cells × attainable values of one curve


def _cells(releases: int, places: int, share: float = 1.0) -> int:
    """Cells along each release, so that the work stays bounded; ``share`` of it for one of many curves."""
    most = _CELLS[releases] if share > 0.01 else _CELLS[releases] // 8
    return max(8, int(min(most, (share * _WORK / places) ** (1 / releases))))


@dataclass(frozen=True, eq=False)
class Pair(Shared):
    """Masses ``p`` (H0), ``q`` (H1) of the query's values ``places`` (m, releases), and the noise on each release."""

    mechanisms: tuple[Any, ...]
    places: Floats
    p: Floats
    q: Floats

    @classmethod
    def of(cls, mechanisms: tuple[Any, ...], places: Floats, p: Floats, q: Floats) -> Pair:
        """Without impossible places; those of noise on whole numbers are made whole."""
        some = (p > 0) | (q > 0)
        places = places[some]
        for axis, mechanism in enumerate(mechanisms):
            if isinstance(mechanism, (Geometric, DiscreteGaussian)):
                places[:, axis] = whole(places[:, axis], type(mechanism).__name__)
        return cls(mechanisms, places, p[some], q[some])

    @property
    def key(self) -> bytes:
        """Equal for pairs that differ by a shift of the query only, up to rounding."""
        grain = 2.0 ** np.ceil(np.log2(grain_of(self.places)))
        away = np.round((self.places - self.places.min(axis=0)) / grain) * grain + 0.0
        return b"".join([away.tobytes(), rounded(self.p).tobytes(), rounded(self.q).tobytes()])

    @property
    def same(self) -> bool:
        """Whether both worlds give the query the same law, up to rounding of each mass: rare ones can tell most."""
        return bool((np.abs(self.p - self.q) <= 4e-15 * np.minimum(self.p, self.q)).all())

    # ---- leakage -------------------------------------------------------------------------------------------

    @cached_property
    def leakages(self) -> tuple[float, float, float]:
        """The largest log-ratio of Q to P, of P to Q, and the absolute error of both; infinite where unbounded."""
        if self.same:
            return 0.0, 0.0, 0.0
        if all(isinstance(m, (Laplace, Geometric)) for m in self.mechanisms):
            return self._exact_leakages()
        curve = self.curve()
        ends = [[float(end[0]) for end in c.epsilon_bounds(np.zeros(1))] for c in (curve, curve.inverse())]
        error = max((high - low for low, high in ends if math.isfinite(high)), default=0.0)
        return ends[0][1], ends[1][1], error

    def _exact_leakages(self) -> tuple[float, float, float]:
        scales = np.array([m.scale for m in self.mechanisms])
        units = (self.places - self.places.min(axis=0)) / scales
        moved = 2 * float(np.sum([merging_error(float(s)) for s in np.max(np.abs(self.places), axis=0)] / scales))
        with np.errstate(divide="ignore"):
            first, second = np.log(self.p), np.log(self.q)
        axes = [np.unique(column) for column in units.T]
        if math.prod(map(len, axes)) * len(units) > 2e9:
            raise Undefined(
                "Too many attainable values of the releases together. Use fewer releases or coarser values."
            )
        up = down = -math.inf
        rest = np.array(np.meshgrid(*axes[1:], indexing="ij")).reshape(len(axes) - 1, -1).T
        rows = max(1, 2_000_000 // len(units))
        for start in axes[0]:
            for i in range(0, len(rest), rows):
                grid = rest[i : i + rows]
                away = np.abs(grid[:, None, :] - units[None, :, 1:]).sum(axis=2) + np.abs(start - units[:, 0])
                loss = np.asarray(logsumexp(second - away, axis=1)) - np.asarray(logsumexp(first - away, axis=1))
                up, down = max(up, float(loss.max())), max(down, float(-loss.min()))
        return up, down, rounding_of(units.sum(axis=1)) + moved

    # ---- the curve -----------------------------------------------------------------------------------------

    def curve(self, share: float = 1.0) -> TradeOff:
        """T(P, Q); as one of many curves with a ``share`` of the work only, in coarser cells."""
        if self.same:
            return nothing()
        if all(isinstance(m, Gaussian) for m in self.mechanisms):
            return self._gaussian(share)
        if len(self.mechanisms) == 1:
            return self._single(self.mechanisms[0], share)
        smooth = sum(not isinstance(m, (Geometric, DiscreteGaussian)) for m in self.mechanisms)
        if smooth > 3:
            return self._by_leakage(share)
        each = _cells(max(smooth, 1), len(self.places), share)
        return cell_curve([cut(m, self.places[:, i], each) for i, m in enumerate(self.mechanisms)], self.p, self.q)

    def _by_leakage(self, share: float) -> TradeOff:
        """Too many densities to be cut into cells: at most what their leakage allows, at least what three tell."""
        if not all(isinstance(m, (Laplace, Geometric)) for m in self.mechanisms):
            raise Undefined(
                f"The curve of {len(self.mechanisms)} releases at once is worked out for up to three with densities, "
                "and for any number if all of them have Gaussian noise, or all of them Laplace or geometric noise."
            )
        order = np.argsort([m.scale for m in self.mechanisms], kind="stable")[:3]
        each = _cells(3, len(self.places), share)
        axes = [cut(self.mechanisms[i], self.places[:, i], each) for i in order]
        return leakage_curve(cell_curve(axes, self.p, self.q), *self.leakages)

    def _single(self, mechanism: Any, share: float) -> TradeOff:
        places = self.places[:, 0]
        if np.count_nonzero(self.p) == np.count_nonzero(self.q) == 1:
            return shifted(mechanism, float(places[self.q > 0][0] - places[self.p > 0][0]))
        if isinstance(mechanism, Staircase):
            noise, sides = mechanism.noise_law(), self.sides()
            return step_curve(noise, mixture(noise, sides[0]), mixture(noise, sides[1]), *sides)
        several = isinstance(mechanism, AdditiveNoise) and not divisible(mechanism)
        few = isinstance(mechanism, AdditiveNoise) or (
            isinstance(mechanism, Laplace) and share == 1 and np.ptp(places) <= _NEAR * mechanism.scale
        )
        if few and len(places) <= (_SORTED if several else _FEW):
            low, high = self.sides()
            laws = [mixture(mechanism.noise_law(), side) for side in (low, high)]
            return RatioCurve.of(laws[0], laws[1], bounded=bounded_losses(mechanism, low, high))
        return cell_curve([cut(mechanism, places, _cells(1, len(places), share))], self.p, self.q)

    def sides(self) -> tuple[Side, Side]:
        """Places and masses in either world, of one release."""
        places = self.places[:, 0]
        low, high = ([(float(v), float(w)) for v, w in zip(places, m) if w > 0] for m in (self.p, self.q))
        return low, high

    def _gaussian(self, share: float) -> TradeOff:
        """Normal noise on every release: only the directions in which the true values differ carry information."""
        sigmas = np.array([m.sigma for m in self.mechanisms])
        units = self.places / sigmas
        centred = units - units[0]
        _, size, axes = np.linalg.svd(centred, full_matrices=False)
        rank = int(np.count_nonzero(size > 1e-12 * max(size[0], 1e-300)))
        along = centred @ axes[:rank].T
        if np.count_nonzero(self.p) == np.count_nonzero(self.q) == 1:
            return Gaussian(
                sigma=1.0, sensitivity=float(np.linalg.norm(along[self.q > 0][0] - along[self.p > 0][0]))
            ).tradeoff()
        if rank > 3:
            raise Undefined("The attainable values of more than three Gaussian releases differ in all directions.")
        if rank == 1 and len(along) <= _FEW and share == 1:
            order = np.argsort(along[:, 0])
            line = Pair((), along[order], self.p[order], self.q[order])
            laws = [mixture(NormalLaw(1.0), side) for side in line.sides()]
            extremes = [along[m > 0, 0] for m in (self.p, self.q)]
            inside = [b.max() <= a.max() and b.min() >= a.min() for a, b in (extremes, extremes[::-1])]
            return RatioCurve.of(laws[0], laws[1], bounded=(inside[0], inside[1]))
        each = _cells(rank, len(self.places), share)
        return cell_curve([normal_axis(along[:, i], each) for i in range(rank)], self.p, self.q)

    # ---- what is seen --------------------------------------------------------------------------------------

    def experiment(self, curve: TradeOff) -> Experiment:
        """The test of H0 against H1 on an output, or on a list of outputs, one for each release."""
        return Experiment(curve, MixtureOutputs(self))


def divisible(mechanism: AdditiveNoise) -> bool:
    """Whether the outputs can be cut into cells: log-concave noise on the whole line."""
    return mechanism.log_concave and all(math.isinf(end) for end in mechanism.noise_law().support())


def shifted(mechanism: Any, shift: float) -> TradeOff:
    """The curve of one shift of the noise."""
    if isinstance(mechanism, (Geometric, DiscreteGaussian)):
        return replace(mechanism, sensitivity=round(abs(shift))).tradeoff("add")
    if isinstance(mechanism, (Laplace, Gaussian)):
        return replace(mechanism, sensitivity=abs(shift)).tradeoff("add")
    law = mechanism.noise_law()
    if isinstance(mechanism, Staircase):
        sides = [(0.0, 1.0)], [(shift, 1.0)]
        return step_curve(law, law, ShiftedLaw(law, shift), *sides)
    facts = noise_facts(mechanism.noise)
    if facts is None:
        return RatioCurve.of(law, ShiftedLaw(law, shift))
    forward = replace(mechanism, sensitivity=abs(shift)).tradeoff("add")
    return forward if shift > 0 else forward.inverse()
