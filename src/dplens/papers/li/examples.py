"""Li et al. 2019: his examples, with the leakage worked out exactly.

"Impact of prior knowledge and data correlation on privacy leakage: a unified analysis".
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

import dplens as dl
from dplens.papers import choices
from dplens.papers.records import Figure, Line, Panel, Printed, Scale, digits, figure, spaced

_A, _B = choices.LI_WEAK.value
TABLE_2 = {  # rows x1, columns x2; the values of x2
    "a": ([[0.3, 0.2], [0.2, 0.3]], (0.0, 1.0)),
    "b": ([[0.2, 0.3], [0.3, 0.2]], (0.0, 1.0)),
    "c": ([[0.5, 0.0], [0.0, 0.5]], (0.0, 1.0)),
    "d": ([[0.5, 0.0], [0.0, 0.5]], (0.0, 5.0)),
}
STRONGER = {
    "a'": ([[0.49, 0.01], [0.01, 0.49]], (0.0, 1.0)),
    "b'": ([[0.01, 0.49], [0.49, 0.01]], (0.0, 1.0)),
}
CASES = {  # Figure 2: joint tables of s1 (rows) and s2 (columns), by correlation
    "perfectly negative": [[0.0, 0.5], [0.5, 0.0]],
    "weakly negative": [[_B, _A], [_A, _B]],
    "independent": [[0.25, 0.25], [0.25, 0.25]],
    "weakly positive": [[_A, _B], [_B, _A]],
    "perfectly positive": [[0.5, 0.0], [0.0, 0.5]],
}


def _two(joint: Sequence[Sequence[float]], second: Sequence[float] = (0.0, 1.0)) -> dl.DiscreteData:
    return dl.DiscreteData(joint=joint, values=[[0.0, 1.0], list(second)])


def _leakage(joint: Sequence[Sequence[float]], second: Sequence[float], known: Sequence[int] = ()) -> float:
    return float(_two(joint, second).view(dl.Laplace(scale=1.0), target=0, known=list(known)).leakage())


def _whole(joint: Sequence[Sequence[float]], second: Sequence[float]) -> float:
    """The bound for a group of both tuples: the sum of their ranges over the scale."""
    return float(_two(joint, second).view(dl.Laplace(scale=1.0), target=0).group_bound)


def figure_2(scale: float = choices.LI_SCALE.one) -> Figure:
    """What two attackers conclude from the output 2 about s1, in five kinds of correlation."""
    noise = dl.Laplace(scale=scale)
    rows, weak, strong, correlations = [], [], [], []
    for name, joint in CASES.items():
        data = _two(joint)
        blind = dl.Attack(data.view(noise, target=0, pair=(0.0, 1.0), known={}), fpr=0.05, prior=0.5)
        weak.append(float(blind.posterior(2.0)))
        before = joint[1][1] / (joint[0][1] + joint[1][1])  # Pr(s1 = 1 | s2 = 1)
        knowing = data.view(noise, target=0, known={1: 1.0})
        if knowing.determined:
            strong.append(before)
        else:
            seen = data.view(noise, target=0, pair=(0.0, 1.0), known={1: 1.0})
            strong.append(float(dl.Attack(seen, fpr=0.05, prior=float(seen.prior)).posterior(2.0)))
        correlations.append(4 * joint[1][1] - 1)
        rows.append((name, "0.5", f"{weak[-1]:.4f}", f"{before:.4f}", f"{strong[-1]:.4f}"))
    return figure(
        "li-2",
        {"weak": weak, "strong": strong},
        panels=[
            Panel(
                "Belief in s1 = 1 after the output 2",
                Scale("Correlation of s1 and s2", -1.0, 1.0),
                Scale("Pr(s1 = 1 | output 2)", 0.0, 1.02),
                (
                    Line(tuple(correlations), tuple(weak), label="knows nothing", series=0, points=True),
                    Line(tuple(correlations), tuple(strong), label="knows s2 = 1", series=1, points=True),
                ),
            )
        ],
        rows=[rows],
        holds=(
            weak[4] > 0.85 and strong[4] == 1.0,
            abs(weak[0] - 0.5) < 1e-12 and strong[0] == 0.0,
            weak[2] > 0.5 and strong[2] <= weak[2] + 1e-12,
        ),
    )


def examples() -> Figure:
    """Table II and Examples 2 to 4: the leakage of two attackers on six joint tables."""
    values = {k: _leakage(*t) for k, t in {**TABLE_2, **STRONGER}.items()}
    known = {k: _leakage(*TABLE_2[k], [1]) for k in ("a", "b")}
    domain = "Table II(d) prints x2 = 0, 1; Example 4 speaks of a five times larger domain, x2 = 0, 5"
    subscript = "Example 3 prints l with prior knowledge {2}; the numbers are those of the attacker who knows nothing"
    printed = (
        Printed("Example 2: knows x2, table (a)", "1", known["a"]),
        Printed("Example 2: knows nothing, table (a)", "1.19", values["a"]),
        Printed(
            "Example 2: knows nothing, table (b)",
            "0.82",
            values["b"],
            corrected="0.81",
            correction="Example 2 prints 0.82; the value is 0.8146, and with that of (a) it adds up to 2",
        ),
        Printed("Example 3: table (a')", "1.95", values["a'"], correction=subscript),
        Printed("Example 3: table (b')", "0.05", values["b'"], correction=subscript),
        Printed("Example 2: both tuples as a whole", "2", _whole(*TABLE_2["a"])),
        Printed("Example 4: table (c)", "2", values["c"]),
        Printed("Example 4: table (d)", "6", values["d"], correction=domain),
        Printed("Example 4: LS2/LS1, table (c)", "1", _whole(*TABLE_2["c"]) - 1),
        Printed("Example 4: LS2/LS1, table (d)", "5", _whole(*TABLE_2["d"]) - 1, correction=domain),
    )
    rows = []
    for name, (joint, second) in {**TABLE_2, **STRONGER}.items():
        table = "; ".join(" ".join(f"{p:g}" for p in row) for row in joint)
        rows.append((name, table, " ".join(f"{x:g}" for x in second), f"{values[name]:.6f}"))
    cell = values["a"] + values["b"]
    ordered = known["b"] > values["b"] > values["b'"] and known["a"] < values["a"] < values["a'"]
    return figure(
        "li-examples", {"cell": cell}, rows=[rows], printed=printed, holds=[ordered and values["c"] < values["d"]]
    )


def example_5(correlations: int = 41) -> Figure:
    """Two normal tuples: the weak attacker's leakage is ``|1 + rho|``, the strong one's 1."""
    noise = dl.Laplace(scale=1.0)
    places = spaced(-0.999, 0.999, correlations)
    weak, strong = [], []
    for rho in places:
        data = dl.GaussianData(covariance=[[1.0, rho], [rho, 1.0]], width=1.0)
        weak.append(float(data.view(noise, target=0).leakage()))
        strong.append(float(data.view(noise, target=0, known=[1]).leakage()))
    gap = max(abs(w - abs(1 + rho)) for w, rho in zip(weak, places))
    # the densities themselves, over outputs out to where nothing changes any more
    seen = max(abs(_largest_log_ratio(1 + rho, math.sqrt(1 - rho * rho)) - abs(1 + rho)) for rho in places)
    return figure(
        "li-example-5",
        {"count": correlations, "gap": digits(gap, 1), "seen": digits(seen, 1)},
        panels=[
            Panel(
                "Leakage in units of M/λ",
                Scale("Correlation of x1 and x2", -1.0, 1.0),
                Scale("Leakage", 0.0, 2.0),
                (
                    Line(places, tuple(weak), label="knows nothing", series=0),
                    Line(places, tuple(strong), label="knows x2", series=1),
                ),
            )
        ],
        holds=[gap < 1e-9 and seen < 1e-6 and max(abs(s - 1) for s in strong) < 1e-9],
    )


def _largest_log_ratio(shift: float, sd: float) -> float:
    """Of the density of Laplace plus normal noise and the same density shifted, over outputs from −60 to 60."""
    from scipy import special

    def log_density(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        # the law of a sum of N(0, sd²) and a Laplace law of scale 1, up to a factor
        return np.logaddexp(special.log_ndtr(x / sd - sd) - x, special.log_ndtr(-x / sd - sd) + x)

    outputs = np.linspace(-60.0, 60.0, 12_001)
    return float(np.max(np.abs(log_density(outputs - shift) - log_density(outputs))))
