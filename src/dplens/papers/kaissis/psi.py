"""Kaissis et al. 2022: everything about the Gaussian mechanism from one number, psi = sensitivity/sigma.

"A unified interpretation of the Gaussian mechanism for differential privacy through the sensitivity index".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

import dplens as dl
from dplens.papers import choices
from dplens.papers.records import Area, Figure, Line, Note, Panel, Scale, figure, listed, spaced
from dplens.papers.sums import Sums

NORMAL = NormalDist()
_RATES = (*spaced(0.0, 0.02, 41), *spaced(0.03, 0.97, 95), *spaced(0.98, 1.0, 21))
FPR = Scale("False-positive rate")
TPR = Scale("True-positive rate")


def gaussian(psi: float) -> dl.Gaussian:
    """A Gaussian mechanism with that sensitivity index."""
    return dl.Gaussian(sigma=1.0, sensitivity=psi)


def gaussian_sums(psi: float, order: float = 1.0) -> Sums:
    """The same two output laws, as densities to sum over; ``order``: of the largest divergence asked for."""
    from scipy import stats

    return Sums(stats.norm(0, 1), stats.norm(psi, 1), low=-9.0, high=max(order, 1.0) * psi + 9.0)


def roc(release: object, label: str = "", series: int = 0) -> Line:
    """Its ROC curve as a line."""
    curve = release.tradeoff()  # pyright: ignore[reportAttributeAccessIssue]
    return Line(_RATES, tuple(map(float, curve.power(np.array(_RATES)))), label=label, series=series)


def _laws(psi: float, fpr: float) -> tuple[list[Line], float]:
    frame = dl.frame("output_laws", gaussian(psi), fpr=fpr)
    lines = []
    for k, world in enumerate(("absent", "present")):
        rows = [row for row in frame.rows if row["world"] == world]
        lines.append(Line.of(rows, "output", "probability", series=k))  # labels stand above the peaks
    return lines, float(frame.facts["threshold"])


def figure_1(psi: float = choices.KAISSIS_PSI.one) -> Figure:
    """The output on two adjacent databases, and the privacy loss, which is normal too."""
    lines, _ = _laws(psi, 0.5)
    loss = dl.Attack(gaussian(psi)).privacy_loss.h1
    places = spaced(psi * psi / 2 - 3.6 * psi, psi * psi / 2 + 3.6 * psi, 161)
    h = 1e-4
    density = tuple((float(loss.cdf(x + h)) - float(loss.cdf(x - h))) / (2 * h) for x in places)
    normal = NormalDist(psi * psi / 2, psi)
    summed = gaussian_sums(psi)
    mean, variance = summed.loss()
    # by sums over the densities, so that the library's own normal law is not its own witness
    gap = max(abs(p - normal.cdf(x)) for x in places for p in (summed.loss_below(x), float(loss.cdf(x))))
    low, high = lines[0].x[0], lines[0].x[-1]
    return figure(
        "kaissis-1",
        {"mean": mean, "variance": variance, "gap": gap},
        panels=(
            Panel(
                "Outputs on adjacent databases",
                Scale("Output", low, high),
                Scale("Density", 0.0, 0.45),
                tuple(lines),
                notes=(Note(0.0, 0.425, "D'", align="center"), Note(psi, 0.425, "D", align="center")),
            ),
            Panel(
                "The privacy loss where D is the base",
                Scale("Privacy loss Ω", places[0], places[-1]),
                Scale("Density", 0.0, 1.15 * max(density)),
                (Line(places, density, series=0),),
                notes=(Note(psi * psi / 2, 1.07 * max(density), f"mean {psi * psi / 2:g}"),),
                uprights=(psi * psi / 2,),
            ),
        ),
        holds=[
            gap < 1e-6
            and all(math.isclose(m, psi * psi / 2, rel_tol=1e-6) for m in (mean, loss.mean))
            and all(math.isclose(v, psi * psi, rel_tol=1e-6) for v in (variance, loss.variance))
        ],
    )


def figure_2(psi: float = choices.KAISSIS_ERRORS.value[0], fpr: float = choices.KAISSIS_ERRORS.value[1]) -> Figure:
    """The two error rates of a cut-off, as surfaces under the two laws."""
    lines, cut = _laws(psi, fpr)
    absent, present = lines
    low, high = absent.x[0], absent.x[-1]

    def part(line: Line, right: bool) -> tuple[tuple[float, ...], tuple[float, ...]]:
        edge = (cut, float(np.interp(cut, line.x, line.y)))
        kept = [(x, y) for x, y in zip(line.x, line.y) if (x > cut if right else x < cut)]
        kept = [edge, *kept] if right else [*kept, edge]
        return tuple(x for x, _ in kept), tuple(y for _, y in kept)

    power = float(dl.AttackPower(fpr=fpr).of(gaussian(psi)))
    exact = 1 - NORMAL.cdf(cut - psi), 1 - NORMAL.cdf(cut)
    as_printed = NORMAL.cdf(cut)  # the integral of the FPR from −∞ to c
    areas = (
        (part(present, True), f"true positives {power:.3f}", 1),
        (part(absent, True), f"false positives {fpr:g}", 0),
        (part(present, False), f"false negatives {1 - power:.3f}", 2),
        (part(absent, False), f"true negatives {1 - fpr:g}", 3),
    )
    return figure(
        "kaissis-2",
        {"exact": exact, "as_printed": as_printed},
        panels=[
            Panel(
                f"Cut-off c = {cut:.3f}, ψ = {psi:g}",
                Scale("Output", low, high),
                Scale("Density", 0.0, 0.5),
                tuple(lines),
                areas=tuple(Area(x, y, label, series=k) for (x, y), label, k in areas),
                notes=(
                    Note(0.0, 0.43, "D'", align="center"),
                    Note(psi, 0.43, "D", align="center"),
                    Note(cut, 0.48, " c"),
                ),
                uprights=(cut,),
            )
        ],
        holds=[abs(exact[0] - power) < 1e-9 and abs(exact[1] - fpr) < 1e-9],
    )


def figure_3(psis: Sequence[float] = choices.KAISSIS_PSIS.value) -> Figure:
    """ROC curves by psi, and the surface under one of them."""
    lines = tuple(roc(gaussian(psi), f"ψ = {psi:g}", k) for k, psi in enumerate(psis))
    auc = {psi: float(dl.AUC().of(gaussian(psi))) for psi in (0.01, *psis, 10.0)}
    gap = max(
        abs(a - NORMAL.cdf(psi / math.sqrt(2))) for psi, ours in auc.items() for a in (gaussian_sums(psi).auc(), ours)
    )
    one = roc(gaussian(1.0))
    return figure(
        "kaissis-3",
        {"aucs": listed(f"{a:.4f} at ψ = {psi:g}" for psi, a in auc.items()), "gap": gap},
        panels=(
            Panel("ROC curves", FPR, TPR, lines),
            Panel(
                "The area at ψ = 1",
                FPR,
                TPR,
                (one,),
                areas=(Area(one.x, one.y, f"AUC = {dl.AUC().of(gaussian(1.0)):.4f}", series=0),),
            ),
        ),
        holds=[gap < 1e-6 and auc[0.01] < 0.51 and auc[10.0] > 0.999],
    )


def figure_5(psi: float = choices.KAISSIS_PSI.one, kappa: float = choices.KAISSIS_KAPPA.one) -> Figure:
    """The ROC curve of a mechanism that fails with probability kappa starts at (0, kappa)."""
    sound = gaussian(psi)
    failing = sound.fails_with(kappa)
    start = float(failing.tradeoff().power(0.0))
    broken = roc(failing, "fails", 1)
    spelled = roc(_failing_pair(psi, kappa))
    gap = max(abs(a - b) for a, b in zip(broken.y, spelled.y))
    catastrophic = dl.failure_mode(failing) is dl.FailureMode.CATASTROPHIC
    return figure(
        "kaissis-5",
        {"start": start, "sound": float(sound.tradeoff().power(0.0)), "gap": gap},
        panels=[
            Panel(
                f"ψ = {psi:g}, κ = {kappa:g}",
                FPR,
                TPR,
                (broken, Line(_RATES, roc(sound).y, label="as designed", series=0, bound=True)),
                notes=(Note(0.0, kappa, f"(0, κ = {kappa:g})", marked=True),),
            )
        ],
        holds=[abs(spelled.y[0] - kappa) < 1e-12 and gap < 1e-4 and catastrophic == (kappa > 0)],
    )


def _failing_pair(psi: float, kappa: float, cells: int = 2000) -> dl.FinitePair:
    """The outputs in narrow cells, and two more: with probability kappa the truth itself is put out."""
    from scipy import stats

    edges = np.linspace(-9.0, psi + 9.0, cells + 1)
    shares = []
    for mean in (0.0, psi):
        law = stats.norm(mean, 1.0)  # from whichever end is nearer: no cell may vanish
        parts = np.where(edges[1:] < mean, np.diff(law.cdf(edges)), -np.diff(law.sf(edges)))
        shares.append((1 - kappa) * parts / parts.sum())
    return dl.FinitePair(p=[*shares[0], kappa, 0.0], q=[*shares[1], 0.0, kappa])
