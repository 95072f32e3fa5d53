"""The worst attacker on discrete data: all knowledge sets, or in a chain all runs around the target."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.correlated.models.chains import MarkovData
from dplens.correlated.search.knowledge_sets import Found, attackers, lattice_steps, layered, one_by_one
from dplens.correlated.search.lattice_noise import chain_noise
from dplens.correlated.search.long_runs import LongRuns, RunsAtDelta, RunsByLeakage
from dplens.correlated.views.bounds import moved_epsilon
from dplens.correlated.views.cells import CellLaws, CellTests
from dplens.correlated.views.output_cells import output_cells
from dplens.correlated.views.pairs import MixturePair
from dplens.correlated.views.queries import NoisyQueries, block_leakage, common_unit
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase

Seen = dict[bytes, float]  # epsilon(delta) by the key of a pair of laws

SMALLEST_DELTA = 1e-9  # smaller ones are lost in the rounding of sums over cells
_ARRAY = 2e7  # entries of one array


def runs(chain: MarkovData, made: NoisyQueries, delta: float, progress: Any) -> Found:
    """The worst of all attackers, from those with one unknown run.

    A known tuple cuts the chain. Given the known tuples, unknown ones beyond the cuts are independent of the target and
    only add noise to the output. An attacker who knows them too sees no less of the target (post-processing), for any
    noise and weights, at the worst known values, on the whole curve.
    """
    n, seen = chain.n, Seen()
    _, count = attackers(n, runs=True)

    def value(i: int, known: tuple[int, ...], floor: float) -> float:
        return attacker_epsilon(chain, made, i, known, delta, floor, seen)

    if delta == 0 and not all(isinstance(m, (Laplace, Geometric, Staircase)) for m in made.mechanisms):
        # if noise leaks without bound, it usually does so to those who know all other tuples
        for i in range(n):
            known = tuple(j for j in range(n) if j != i)
            if value(i, known, 0.0) == np.inf:
                return Found(np.full(n, np.inf), np.inf, i, known, i + 1)
    search = _by_lengths(chain, made, delta)
    if isinstance(search, LongRuns):
        return search.run(progress)
    if count > 2_000_000:
        raise Undefined(
            f"A chain of {n} tuples has {count} runs, too many to look at each: {search} Or use a shorter chain, of at "
            "most 227 tuples."
        )
    return one_by_one(n, True, value, progress)


def _by_lengths(chain: MarkovData, made: NoisyQueries, delta: float) -> LongRuns | str:
    """The search for which only the lengths of runs matter, or why it does not apply and what to change."""
    noise = made.single
    if noise is None:
        return "there are several releases. Ask for one at a time."
    if not chain.homogeneous:
        return "its transitions change with time. Use one transition matrix."
    if np.ptp(made.linear) != 0:
        return "the weights are not equal. Use equal weights."
    values = chain.values[0] - chain.values[0].min()
    unit, weight = common_unit(values), abs(float(made.linear[0, 0]))
    if unit is None or weight == 0:
        return "its values are not multiples of a common unit, or have weight 0. Round the values."
    step, span, adds = unit * weight, weight * float(np.ptp(values)), np.round(values / unit).astype(int)

    @cache
    def group_bound(tuples: int) -> float:
        return moved_epsilon(made.mechanisms, np.array([tuples * span]), delta)

    if delta == 0 and isinstance(noise, (Laplace, Geometric)):
        scale = min(step / noise.scale, 1e100)  # hides nothing; products of larger ones overflow
        return RunsByLeakage(chain, adds, group_bound, scale)
    if delta < SMALLEST_DELTA:
        return f"delta is {delta:g}. Use a delta of at least {SMALLEST_DELTA:g}."
    fine, coarse = chain_noise(noise, step), chain_noise(noise, step, 0.2)
    if isinstance(fine, str) or isinstance(coarse, str):
        return str(fine)
    return RunsAtDelta(chain, adds, group_bound, fine, coarse if isinstance(noise, Gaussian) else fine, delta)


def enumerated(model: Any, made: NoisyQueries, delta: float, progress: Any) -> Found:
    """All targets and knowledge sets of a discrete model."""
    table = model.as_data()
    _, count = attackers(table.n, runs=False)
    exact = isinstance(made.single, (Laplace, Geometric)) and delta == 0
    if exact and made.weights is not None and isinstance(made.single, Laplace):
        steps = lattice_steps(table, made.weights[0], made.single.scale)
        if steps is not None:
            return layered(table, *steps, progress)
    if count * table.joint.size > 4e9 or (not exact and count > 20_000):
        raise Undefined(
            f"{count} knowledge sets over {table.joint.size} cells are too many for this query and "
            "noise. Use method='greedy', which finds a bad attacker and bounds the worst, or weights on a common "
            "lattice."
        )
    seen = Seen()

    def value(i: int, known: tuple[int, ...], floor: float) -> float:
        return attacker_epsilon(table, made, i, known, delta, floor, seen)

    return one_by_one(table.n, False, value, progress)


def attacker_epsilon(
    model: Any, made: NoisyQueries, target: int, known: tuple[int, ...], delta: float, floor: float, seen: Seen
) -> float:
    """epsilon(delta) of one attacker, or ``floor`` if that is larger and delta > 0."""
    if delta == 0 and isinstance(made.single, (Laplace, Geometric)):
        return max(block_leakage(made.single, block)[0] for block in model.blocks(made, target, known, None))
    if delta == 0:
        query = {"query": made.query} if made.weights is None else {"weights": made.weights}
        return float(model.view(list(made.mechanisms), target=target, known=known, **query).leakage())
    for block in model.blocks(made, target, known, None):
        floor = case_epsilon(made.mechanisms, block, delta, floor, seen)
    return floor


def case_epsilon(mechanisms: tuple[Any, ...], block: Any, delta: float, floor: float, seen: Seen) -> float:
    """An upper bound on the largest epsilon(delta) of the cases of a block, or ``floor`` if that is larger.

    A case is skipped only if its upper bound on coarse cells stays below the largest found, so the worst cannot be
    missed.
    """
    values = range(block.laws.shape[1])
    places, laws = block.joined(values)
    pairs = np.array(list(itertools.combinations(values, 2)), dtype=int).reshape(-1, 2)
    rows, at = np.nonzero(laws.any(axis=2)[:, pairs].all(axis=2))
    if not len(rows):
        return floor
    cases = pairs[at]

    def pair_of(case: int) -> MixturePair:
        return MixturePair.of(mechanisms, places, *laws[rows[case], cases[case]])

    tests = _tests(mechanisms, places, laws, rows, cases, 600) if delta >= SMALLEST_DELTA else None
    if tests is not None:
        return tests.worst(delta, floor, lambda case, _: _epsilon(pair_of(case), delta, seen))[0]
    for pair in map(pair_of, range(len(rows))):
        if pair.key not in seen:
            coarse, at = pair.curve(share=1e-3), np.array([floor])
            if max(float(c.profile_bounds(at).hi[0]) for c in (coarse, coarse.inverse())) <= delta:
                continue
        floor = max(floor, _epsilon(pair, delta, seen))
    return floor


def _epsilon(pair: MixturePair, delta: float, seen: Seen) -> float:
    """An upper bound on epsilon(delta) of a pair, in the worse direction."""
    key = pair.key
    if key not in seen:
        tests = None
        if delta >= SMALLEST_DELTA and not pair.same:
            both, count = np.array([[pair.p, pair.q]]), min(12_000, int(_ARRAY / len(pair.places)))
            tests = _tests(pair.mechanisms, pair.places, both, np.zeros(1, int), np.array([[0, 1]]), count)
        if tests is not None:
            seen[key] = tests.epsilon(delta, 0.0, 1e-10)
        else:
            curve, at = pair.curve(share=0.5), np.array([delta])
            seen[key] = max(float(c.epsilon_bounds(at).hi[0]) for c in (curve, curve.inverse()))
    return seen[key]


def _tests(
    mechanisms: tuple[Any, ...], places: Floats, laws: Floats, rows: Any, cases: Any, count: int
) -> CellTests | None:
    """Tests of pairs of values ``cases`` in some rows of laws (rows, values, places); None without cells."""
    noise = mechanisms[0] if len(mechanisms) == 1 else None
    if not isinstance(noise, (Laplace, Gaussian, Geometric, DiscreteGaussian)):
        return None
    cells = output_cells(noise, places[:, 0], count)
    if max(len(places), laws.shape[0] * laws.shape[1], 6 * len(rows)) * cells.count > _ARRAY:
        return None
    first, second = rows * laws.shape[1] + cases.T
    return CellLaws.of(cells, laws.reshape(-1, len(places))).tests(first, second).both()
