"""Li et al. 2019, Section VII: leakage against knowledge and correlation (Figure 4), full against fast search (5)."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

import dplens as dl
from dplens.papers.records import Figure, Panel, Scale, labelled
from dplens.papers.sums import Floats
from dplens.papers.texts import choices, figure

TUPLES = 15
REPETITIONS = 30
FIGURE_5 = (0.2, 0.5, 0.8)  # the averages printed below Figure 5
VERY_CLOSE = 0.1  # what we let pass for it: a tenth
SEED = int(choices.LI_SEED.one)


@lru_cache(maxsize=2)
def _places(n: int) -> npt.NDArray[np.int64]:
    """Which entries of the array of edges belong to an edge: neither target nor unlearned tuple is known."""
    known = (np.arange(2**n)[None, :] >> np.arange(n)[:, None] & 1).astype(bool)
    apart = ~np.eye(n, dtype=bool)
    # the axes are unlearned tuple, code, target: what the search reads together lies together
    return np.flatnonzero(apart[:, None, :] & ~known[:, :, None] & ~known.T[None, :, :])


def drawn(
    n: int, average: float, rng: np.random.Generator, concentration: float = choices.LI_CONCENTRATION.one
) -> Floats:
    """Edges of a graph of n tuples, drawn from a beta law with that average (a negative one: its mirror)."""
    a = concentration * abs(average)
    where = _places(n)
    edges = np.zeros(n * 2**n * n)
    edges[where] = math.copysign(1.0, average) * rng.beta(a, concentration - a, size=len(where))
    return edges.reshape(n, 2**n, n).transpose(2, 0, 1)


def figure_4(n: int = TUPLES, averages: Sequence[float] = choices.LI_AVERAGES.value, seed: int = SEED) -> Figure:
    """Leakage by layer: graphs with beta-distributed edges (a, b), equally correlated normal tuples (c, d)."""
    rng = np.random.default_rng(seed)
    edges = (*averages, *(-m for m in averages))
    graphs = {m: tuple(reversed(dl.KnowledgeGraph.from_edges(drawn(n, m, rng), n=n).by_known)) for m in edges}
    limit = -1 / (n - 1)
    negative = tuple(rho for rho in choices.LI_NEGATIVE.value if rho > limit)
    normal = {rho: by_layer(n, rho) for rho in (*choices.LI_CORRELATIONS.value, *negative)}
    positive = [normal[rho] for rho in choices.LI_CORRELATIONS.value]
    below = [normal[rho] for rho in (0.0, *negative)]
    refused = _refused(n, -0.8)
    rising = all(b > a for m in averages for a, b in zip(graphs[m], graphs[m][1:]))
    stronger = all(b >= a for x, y in itertools.pairwise(averages) for a, b in zip(graphs[x], graphs[y]))
    weaker = [all(a >= b for a, b in zip(x, y)) for x, y in itertools.pairwise(below)]
    first = all(max(graphs[-m]) == graphs[-m][0] for m in averages)
    # the last layer up to which a less negative average never leaks less
    kept = next(
        (k for k, at in enumerate(zip(*(graphs[-m] for m in averages))) if at != tuple(sorted(at, reverse=True))), n
    )
    bent = sum(any(b > a for a, b in zip(graphs[-m], graphs[-m][1:])) for m in averages)
    return figure(
        "li-4",
        {
            "last": ", ".join(f"{graphs[m][-1]:.2f}" for m in averages),
            "bent": bent,
            "count": len(averages),
            "kept": kept,
            "weakest": ", ".join(f"{graphs[-m][-1]:.2f} ({-m:g})".replace("-", "−") for m in averages),
            "most": ", ".join(f"{line[-1]:.2f}" for line in positive),
            "down": ", ".join(f"{line[-1]:.3f}" for line in below[1:]),
            "eigenvalue": -least_eigenvalue(n, -0.8),
            "n": n,
            "others": n - 1,
            "limit": -limit,
        },
        panels=(
            _panel("(a) Graph, positive edges", {m: graphs[m] for m in averages}, "edges"),
            _panel("(b) Graph, negative edges", {-m: graphs[-m] for m in averages}, "edges"),
            _panel("(c) Normal data, positive", {r: normal[r] for r in choices.LI_CORRELATIONS.value}, "ρ"),
            _panel("(d) Normal data, negative", {r: normal[r] for r in negative}, "ρ"),
        ),
        holds=(
            all(abs(line[0] - 1) < 1e-9 for line in (*graphs.values(), *normal.values())),
            rising and stronger,
            first and bent > 0,
            kept == n and all(weaker),
            all(b >= a - 1e-9 for line in positive[1:] for a, b in itertools.pairwise(line))
            and all(b >= a - 1e-9 for x, y in itertools.pairwise(positive) for a, b in zip(x, y)),
            all(b <= a + 1e-9 for line in below[1:] for a, b in itertools.pairwise(line)),
            not refused,
        ),
    )


def _panel(title: str, found: dict[float, tuple[float, ...]], what: str) -> Panel:
    values = {f"{what} {value:g}".replace("-", "−"): y for value, y in found.items()}
    layers = range(1, len(next(iter(found.values()))) + 1)
    top = max(map(max, found.values()))
    axis = Scale("Layer (tuples unknown, with the target)", 1.0, float(layers[-1]))
    return Panel(title, axis, Scale("Leakage", 0.0, 1.06 * top), labelled(layers, values))


def by_layer(n: int, rho: float) -> tuple[float, ...]:
    """Leakage by layer for equally correlated tuples; Li's have covariances ±1, with the diagonal adjusted."""
    data = dl.GaussianData(covariance=_equally_correlated(n, rho), width=1.0)  # the units make no difference
    noise = dl.Laplace(scale=1.0)
    # all tuples are alike, so any target and any set of a size will do
    return tuple(float(data.view(noise, target=0, known=list(range(1, k + 1))).leakage()) for k in range(n - 1, -1, -1))


def _equally_correlated(n: int, rho: float) -> Floats:
    return np.full((n, n), rho) + (1 - rho) * np.eye(n)


def least_eigenvalue(n: int, rho: float) -> float:
    """The least eigenvalue of the correlations of n equally correlated tuples."""
    return float(np.linalg.eigvalsh(_equally_correlated(n, rho))[0])


def _refused(n: int, rho: float) -> bool:
    """Whether tuples so correlated are refused."""
    try:
        dl.GaussianData(covariance=_equally_correlated(n, rho), width=1.0)
    except dl.DplensError:
        return True
    return False


def figure_5(
    n: int = TUPLES,
    repetitions: int = REPETITIONS,
    averages: Sequence[float] = FIGURE_5,
    seed: int = SEED,
    tick: Callable[[], None] = lambda: None,
) -> Figure:
    """The largest leakage found by the full and by the fast search, and the time they take."""
    rng = np.random.default_rng(seed)
    sizes, small = tuple(range(1, n + 1)), min(n, 12)
    found, seconds = np.zeros((2, 2, len(averages), n, repetitions))
    kept, edges = [0, 0], np.zeros((0, 0, 0))
    for (k, size), (m, average) in itertools.product(enumerate(sizes), enumerate(averages)):
        for r in range(repetitions):
            edges = drawn(size, average, rng)
            for fast in (0, 1):
                start = time.perf_counter()
                graph = dl.KnowledgeGraph.from_edges(edges, n=size, fast=bool(fast))
                found[fast, m, k, r] = graph.worst[0]
                seconds[fast, m, k, r] = time.perf_counter() - start
                kept[fast] = graph.count
        tick()
    valued = _valued(edges, n)  # of the last graph
    panels = [_searches(average, sizes, found[:, m]) for m, average in enumerate(averages)]
    panels.append(_times(sizes, np.median(seconds, axis=(1, 3))))
    middle = 1e3 * np.median(seconds[:, :, -1], axis=(1, 2))
    above = float(np.mean(found[1] >= found[0] - 1e-12))
    excess = [float(np.mean(found[1, m, -1] / found[0, m, -1]) - 1) for m in range(len(averages))]
    mixed = _both(drawn(small, 0.2, rng) * rng.choice([-1.0, 1.0], size=(small, small, 2**small)), small)
    # edges that differ more: a few graphs of a size that does not depend on how much of the figure is made
    spread = choices.LI_SPREAD.one
    loose = {a: excess_of(a, spread, seed) for a in (0.5, 0.8)}
    uneven = max(loose.values()) >= VERY_CLOSE
    differ = found[:, :, sizes.index(min(3, n)) :]  # with one or two tuples both searches are the same
    strictly = float(np.mean(differ[1] > differ[0] + 1e-12))
    at_most = n + n * n * (n - 1) // 2
    graphs, more = found[0].size, ", ".join(f"{x:.1%} (average {a:g})" for x, a in zip(excess, averages))
    looser = ", ".join(f"{x:.0%} (average {a:g})" for a, x in loose.items())
    return figure(
        "li-5",
        locals(),
        panels=panels,
        holds=(
            above > 0.95,
            (all(x < VERY_CLOSE for x, a in zip(excess, averages) if a >= 0.5) and excess[-1] <= excess[0], uneven),
            kept[0] == n * 2 ** (n - 1)
            and valued <= min(kept[0], at_most)
            and TUPLES + TUPLES**2 * (TUPLES - 1) // 2 < 0.01 * TUPLES * 2 ** (TUPLES - 1),
        ),
    )


def _searches(average: float, sizes: tuple[int, ...], found: Floats) -> Panel:
    lines = (
        replace(line, spread=tuple(one.std(axis=1).tolist()))
        for line, one in zip(labelled(sizes, dict(zip(("full", "fast"), found.mean(axis=2)))), found)
    )
    axis = Scale("Number of tuples", 1.0, float(sizes[-1]))
    top = Scale("Largest leakage", 0.0, float(1.1 * found.max()))
    return Panel(f"Average edge {average:g}", axis, top, tuple(lines))


def _times(sizes: tuple[int, ...], seconds: Floats) -> Panel:
    axis = Scale("Number of tuples", 1.0, float(sizes[-1]))
    least = float(10 ** math.floor(math.log10(seconds.min())))
    time_ = Scale("Seconds", least, 1.5 * float(seconds.max()), log=True)
    return Panel("Median time of one search", axis, time_, labelled(sizes, dict(zip(("full", "fast"), seconds))))


def _valued(edges: Floats, n: int) -> int:
    """How many attackers the fast search values: those it begins with, and all that an edge leads to, kept or not."""
    reached: set[tuple[int, tuple[int, ...]]] = set()

    def change(target: int, unlearned: int, known: tuple[int, ...]) -> float:
        reached.add((target, known))
        return float(edges[target, unlearned, sum(1 << k for k in known)])

    dl.KnowledgeGraph.from_edges(change, n=n, fast=True)
    return n + len(reached)


def excess_of(average: float, concentration: float, seed: int = SEED) -> float:
    """By how much the fast search exceeds the full one on average, on five graphs of twelve tuples."""
    rng = np.random.default_rng(seed)
    pairs = [_both(drawn(12, average, rng, concentration), 12) for _ in range(5)]
    return float(np.mean([fast / full for full, fast in pairs])) - 1


def _both(edges: Floats, n: int) -> tuple[float, float]:
    """What the full and the fast search find."""
    full, fast = (dl.KnowledgeGraph.from_edges(edges, n=n, fast=f).worst[0] for f in (False, True))
    return full, fast
