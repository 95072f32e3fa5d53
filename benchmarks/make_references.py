"""Compute reference answers for the benchmarks with mpmath and store them: python -m benchmarks.make_references.

The references share no code with dplens. They are contour integrals at 45 digits, with the spacing halved until the
result is stable (`tests/composition/oracles.py`). This takes several minutes.
"""

import json
from pathlib import Path
from typing import Any

from mpmath import mp, mpf

from benchmarks import work
from tests.composition import oracles

FILE = Path(__file__).with_name("references.json")
DIGITS = 22


def both_epsilon(release: Any, delta: float) -> Any:
    """Epsilon of the worse direction."""
    return max(release.epsilon(delta), release.mirror().epsilon(delta))


def both_beta(release: Any, alpha: float) -> Any:
    """The two-sided curve at alpha.

    For any e ≥ 0 the line 1 − D(e) − e^e·alpha and its mirror image lie below the curve, where D is the larger of the
    two deltas. So if the best forward test has a threshold e ≥ 0 at which the forward delta is the larger, the forward
    curve and the two-sided curve agree there. The same holds for the mirror image. Between the two lies the segment of
    slope −1.
    """
    mirror = release.mirror()
    forward, backward = release.threshold(alpha), mirror.threshold(alpha)
    if forward >= 0:
        touched, beta = forward, 1 - release.power(alpha)
    elif backward <= 0:
        touched, beta = -backward, mirror.beta(alpha)
    else:
        touched, beta = mpf(0), 1 - release.delta(0) - mpf(alpha)
    if release.delta(touched) < mirror.delta(touched):
        raise ValueError(f"the backward direction is the worse one at alpha = {alpha}")
    return beta


def trainings() -> dict[str, dict[str, Any]]:
    """Epsilon of every training run, and beta at selected false-positive rates."""
    out = {}
    for run in work.TRAININGS:
        step = oracles.sampled_gauss_step(1 / mpf(run.sigma), mpf(run.rate))
        release = oracles.Contour([(step, run.steps)])
        print(run, flush=True)
        epsilon = both_epsilon(release, work.TRAINING_DELTA)
        print("  epsilon", mp.nstr(epsilon, DIGITS), flush=True)
        betas = {}
        for i in work.CHECKED:
            betas[str(i)] = mp.nstr(both_beta(release, float(work.CURVE_ALPHAS[i])), DIGITS)
            print("  beta", work.CURVE_ALPHAS[i], betas[str(i)], flush=True)
        out[str(run)] = {"epsilon": mp.nstr(epsilon, DIGITS), "beta": betas}
    return out


def mixed_epsilon(count: int) -> str:
    """Epsilon of `count` different releases, all of them symmetric."""
    steps = {
        "gaussian": lambda x: oracles.GaussStep(1 / mpf(x)),
        "laplace": lambda x: oracles.LaplaceStep(1 / mpf(x)),
        "response": lambda x: oracles.table_step(oracles.randomized_response(mpf(x))),
    }
    release = oracles.Contour([(steps[part.kind](part.size), 1) for part in work.mixed(count)])
    return mp.nstr(release.epsilon(work.MIXED_DELTA), DIGITS)


def main() -> None:
    """Compute and write all references."""
    found = {
        "mixed": {"200": mixed_epsilon(200)},
        "training": trainings(),
    }
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
