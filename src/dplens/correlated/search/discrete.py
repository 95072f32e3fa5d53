"""The worst attacker on discrete data: by all knowledge sets, or in a chain by all runs around the target."""

from __future__ import annotations

import itertools
from functools import cache, partial
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.correlated.chains.lattice_cells import COARSE, LONGEST, POINTS, WIDEST, CellTests, lattice_noise
from dplens.correlated.chains.long_runs import LongRuns, RunsAtDelta, RunsByLeakage
from dplens.correlated.models.markov import MarkovData
from dplens.correlated.search.bounds import moved_epsilon
from dplens.correlated.search.knowledge_sets import Found, knowledge_sets, lattice_steps, layered, one_by_one, one_run
from dplens.correlated.views.axes import cut
from dplens.correlated.views.pairs import Pair
from dplens.correlated.views.query_values import block_leakage, common_unit
from dplens.correlated.views.release import Release
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase

Known = dict[bytes, float]  # epsilon(delta) of pairs that were looked at

_CELLS = 600  # of the outputs, for all cases of an attacker
_FINE = 12_000  # and for the epsilon of one of them
_COARSE = 1e-3  # share of the usual work by which a case is left out
SMALL = 1e-9  # deltas below are lost in the rounding of sums over cells
_ARRAY = 2e7  # entries of one array
_CLOSE = 1e-10  # how closely an epsilon is searched
_MOST = 2_000_000  # runs looked at one by one
_VAST = 1e100  # a unit, in scales of the noise, that hides nothing: products of larger ones are no floats
_ENTRIES = 4e9  # looked at by a search through all knowledge sets
_CURVES = 20_000  # attackers compared by curves


def runs(chain: MarkovData, made: Release, delta: float, progress: Any) -> Found:
    """The worst of all attackers, from those with one unknown run.

    Knowing a tuple cuts the chain. Unknown tuples beyond the cuts are independent of the target given what is known, so
    they only add noise to the output: whoever knows them too sees no less of the target (post-processing), whatever the
    noise and the weights, at the worst known values, on the whole curve.
    """
    n = chain.n
    count = n * (n + 1) * (n + 2) // 6
    alike = made.weights is not None and len(made.weights) == 1 and np.ptp(made.weights) == 0
    looked: Known = {}

    def value(i: int, known: tuple[int, ...], floor: float) -> float:
        return value_of(chain, made, i, known, delta, floor, looked)

    if delta == 0 and not all(isinstance(m, (Laplace, Geometric, Staircase)) for m in made.mechanisms):
        # noise that leaks without bound mostly does so to who knows all the others
        for i in range(n):
            k = tuple(j for j in range(n) if j != i)
            if value(i, k, 0.0) == np.inf:
                return Found(np.inf, i, k, np.full(n, np.inf), i + 1)
    if made.single is not None and alike and chain.homogeneous:
        search = _by_lengths(chain, made, delta)
        if search is not None:
            return search.run(progress)
    if count > _MOST:
        raise Undefined(
            f"A chain of {n} tuples has {count} runs, too many to look at each: {_cause(chain, made, alike, delta)} Or "
            "use a shorter chain, of at most 227 tuples."
        )
    return one_by_one(n, one_run(n), count, value, progress)


def _by_lengths(chain: MarkovData, made: Release, delta: float) -> LongRuns | None:
    """The search in which only lengths count; None where it is not worked out."""
    unit, weight = common_unit(chain.values[0] - chain.values[0].min()), abs(float(made.linear[0, 0]))
    if unit is None or weight == 0:
        return None
    adds = np.round((chain.values[0] - chain.values[0].min()) / unit).astype(int)
    moved = cache(partial(_moved, made.mechanisms, weight * float(np.ptp(chain.values[0])), delta))
    single, step = made.single, unit * weight
    if delta == 0:
        exact = isinstance(single, (Laplace, Geometric))
        return RunsByLeakage(chain, adds, moved, min(step / single.scale, _VAST)) if exact else None
    noise = lattice_noise(single, step) if delta >= SMALL else None
    if noise is None:
        return None
    return RunsAtDelta(chain, adds, moved, noise, lattice_noise(single, step, COARSE) or noise, delta)


def _moved(mechanisms: Any, span: float, delta: float, tuples: int) -> float:
    """epsilon(delta) at most where so many tuples move, each by the span."""
    return moved_epsilon(mechanisms, np.array([tuples * span]), delta)


def _cause(chain: MarkovData, made: Release, alike: bool, delta: float) -> str:
    """Why the lengths of runs do not decide for this chain, and what to change."""
    noise = made.single
    if noise is None:
        return "there are several releases. Ask for one at a time."
    if not chain.homogeneous:
        return "its transitions change with time. Use one transition matrix."
    if not alike:
        return "the weights are not equal. Use equal weights."
    if not isinstance(noise, (Laplace, Gaussian, Geometric, DiscreteGaussian)):
        return f"its noise is {type(noise).__name__}. Use Laplace, Gaussian, Geometric or DiscreteGaussian noise."
    unit = common_unit(chain.values[0] - chain.values[0].min())
    weight = abs(float(made.linear[0, 0]))
    if unit is None or weight == 0:
        return "its values are not multiples of a common unit, or have weight 0. Round the values."
    if delta < SMALL:
        return f"delta is {delta:g}. Use a delta of at least {SMALL:g}."
    if isinstance(noise, DiscreteGaussian) and noise.sigma > POINTS:
        return f"sigma of the DiscreteGaussian is {noise.sigma:g}. Use at most {POINTS:g}, or Gaussian noise."
    moves = unit * weight
    if isinstance(noise, (Geometric, DiscreteGaussian)) and (abs(moves - round(moves)) > 1e-9 or round(moves) < 1):
        return f"its query moves by {moves:g}, under noise on whole numbers. Use whole values and weights."
    if isinstance(noise, Geometric):
        return f"its query moves by {moves:g}, which must be at most {LONGEST}. Count in a larger unit."
    most = WIDEST * (noise.scale if isinstance(noise, Laplace) else noise.sigma)
    return f"its query moves by {moves:g}, which must be at most {WIDEST:g} times the noise, {most:g}. Use more noise."


def enumerated(model: Any, made: Release, delta: float, progress: Any) -> Found:
    """All targets and knowledge sets of a discrete model."""
    table = model.as_data() if isinstance(model, MarkovData) else model
    n, count = table.n, table.n * 2 ** (table.n - 1)
    exact = isinstance(made.single, (Laplace, Geometric)) and delta == 0
    if exact and made.weights is not None and isinstance(made.single, Laplace):
        steps = lattice_steps(table, made.weights[0], made.single.scale)
        if steps is not None:
            return layered(table, *steps, progress)
    if count * table.joint.size > _ENTRIES or (not exact and count > _CURVES):
        raise Undefined(
            f"{count} knowledge sets over {table.joint.size} cells are too many for this query and "
            "noise. Use method='greedy', which finds a bad attacker and bounds the worst, or weights on a common "
            "lattice."
        )
    looked: Known = {}
    return one_by_one(
        n,
        knowledge_sets(n),
        count,
        lambda i, k, floor: value_of(table, made, i, k, delta, floor, looked),
        progress,
    )


def value_of(
    model: Any, made: Release, target: int, known: tuple[int, ...], delta: float, floor: float, looked: Known
) -> float:
    """epsilon(delta) of one attacker, or ``floor`` where it is no larger than that and delta > 0.

    looked: pairs of laws that were looked at before, for one delta.
    """
    if delta == 0 and isinstance(made.single, (Laplace, Geometric)):
        return max(block_leakage(made.single, block)[0] for block in model.blocks(made, target, known, None))
    if delta == 0:
        query = {"query": made.query} if made.weights is None else {"weights": made.weights}
        return float(model.view(list(made.mechanisms), target=target, known=known, **query).leakage())
    for block in model.blocks(made, target, known, None):
        floor = case_epsilon(made.mechanisms, block, delta, floor, looked)
    return floor


def case_epsilon(mechanisms: tuple[Any, ...], block: Any, delta: float, floor: float, known: Known) -> float:
    """The largest epsilon(delta) > ``floor`` of the cases of a block, from the risky side; ``floor`` if there is none.

    A case is left out only if an attacker who knows more than this one, by cells coarser than usual, stays below what
    was found: so none that is worse can be missed.
    """
    values = range(block.laws.shape[1])
    places, laws = block.joined(values)
    pairs = np.array(list(itertools.combinations(values, 2)), dtype=int).reshape(-1, 2)
    rows, at = np.nonzero(laws.any(axis=2)[:, pairs].all(axis=2))
    if not len(rows):
        return floor
    cases = pairs[at]
    screen = _screen(mechanisms, places, laws, rows, cases) if delta >= SMALL else None

    def pair_of(case: int) -> Pair:
        return Pair.of(mechanisms, places, *laws[rows[case], cases[case]])

    if screen is not None:
        return screen.worst(delta, floor, lambda case, _: _epsilon(pair_of(case), delta, known))[0]
    for pair in map(pair_of, range(len(rows))):
        if pair.key in known or _exceeds(pair, floor, delta):
            floor = max(floor, _epsilon(pair, delta, known))
    return floor


def _exceeds(pair: Pair, epsilon: float, delta: float) -> bool:
    """Whether a pair may have more than this epsilon(delta)."""
    coarse = pair.curve(share=_COARSE)
    at = np.array([epsilon])
    return any(float(one.profile_bounds(at).hi[0]) > delta for one in (coarse, coarse.inverse()))


def _epsilon(pair: Pair, delta: float, known: Known) -> float:
    """epsilon(delta) of a pair in its worse direction, from the risky side."""
    key = pair.key
    if key not in known:
        cells = min(_FINE, int(_ARRAY / len(pair.places)))
        both = np.array([[pair.p, pair.q]])
        one = _screen(pair.mechanisms, pair.places, both, np.zeros(1, int), np.array([[0, 1]]), cells)
        known[key] = (
            one.epsilon(delta, 0.0, _CLOSE) if one and delta >= SMALL and not pair.same else _of_curve(pair, delta)
        )
    return known[key]


def _of_curve(pair: Pair, delta: float) -> float:
    curve, at = pair.curve(share=0.5), np.array([delta])
    return max(float(one.epsilon_bounds(at).hi[0]) for one in (curve, curve.inverse()))


def _screen(
    mechanisms: tuple[Any, ...], places: Floats, laws: Floats, rows: Any, cases: Any, cells: int = _CELLS
) -> CellTests | None:
    """Of laws (rows, values, places), values compared in some rows; None where there are no cells for the noise."""
    noise = mechanisms[0] if len(mechanisms) == 1 else None
    if not isinstance(noise, (Laplace, Gaussian, Geometric, DiscreteGaussian)):
        return None
    axis = cut(noise, places[:, 0], cells)
    if max(len(places), laws.shape[0] * laws.shape[1], 6 * len(rows)) * axis.count > _ARRAY:
        return None
    seen = axis.cells(laws.reshape(-1, len(places)))
    first, second = rows * laws.shape[1] + cases.T
    return seen.tests(first, second).both()
