"""The list of what is measured. A new measurement is one more `Case`.

A case builds two callables that answer the same question, ours and a baseline. Building is not timed and may
import what only the baseline needs; a peer that is not installed is reported as such and the rest goes on.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

import dplens as dl

Call = Callable[[], Any]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One comparison: `build()` gives (ours, baseline); their answers must agree to `rtol`."""

    group: str
    name: str
    baseline: str
    build: Callable[[], tuple[Call, Call]]
    rtol: float = 1e-9
    limit: float | None = None  # largest acceptable time of ours / baseline


# The modules whose import is timed, each in an interpreter of its own.
IMPORTS = {
    "numpy": "import numpy",
    "numpy + scipy.special": "import numpy, scipy.special",
    "dplens": "import dplens",
    "dplens, first number": "import dplens; dplens.Gaussian(sigma=1.0).tradeoff()(0.1)",
    "dp_accounting": "import dp_accounting",
    "riskcal": "import riskcal",
}


def million_alphas() -> Floats:
    """Half spread evenly over (0, 1), half over 300 decades."""
    rng = np.random.default_rng(20)
    half = 500_000
    return np.concatenate([rng.uniform(size=half), 10.0 ** rng.uniform(-300.0, 0.0, size=half)])


ALPHAS = million_alphas()


def vertices(p: Floats, q: Floats) -> tuple[Floats, Floats, Floats]:
    """False positives, power and beta at the corners of two finite laws whose ratio q/p rises with the index."""
    alpha, power = (np.append(0.0, np.cumsum(law[::-1])) for law in (p, q))
    return alpha, power, np.append(np.cumsum(q)[::-1], 0.0)


def geometric_laws(scale: float, reach: int = 200) -> tuple[Floats, Floats]:
    """The two-sided geometric law and its shift by one, cut where nothing is left."""
    k = np.arange(-reach, reach + 1)
    mass = np.tanh(0.5 / scale)
    return mass * np.exp(-np.abs(k) / scale), mass * np.exp(-np.abs(k - 1) / scale)


def laplace_beta(alpha: Floats, epsilon: float = 1.0) -> Floats:
    """The three branches of the Laplace curve, as the textbook has them."""
    shrink = np.exp(-epsilon)
    lower = np.where(alpha <= 0.5, shrink / (4.0 * np.maximum(alpha, 0.1 * shrink)), shrink * (1.0 - alpha))
    return np.where(alpha < 0.5 * shrink, 1.0 - alpha / shrink, lower)


def laplace_power(alpha: Floats, epsilon: float = 1.0) -> Floats:
    """The same, as one minus beta only where that loses nothing."""
    steep = alpha < 0.5 * np.exp(-epsilon)
    return np.where(steep, alpha * np.exp(epsilon), 1.0 - laplace_beta(alpha, epsilon))


def curve_cases() -> Iterator[Case]:
    """One million alphas through every curve with a closed form."""
    a, e = ALPHAS, np.e
    p, q = geometric_laws(1.0)
    alphas, powers, betas = vertices(p, q)
    truth = e / (1.0 + e)
    # name: mechanism, the functions it needs, bare power, bare beta
    bare: dict[str, tuple[Callable[[], Any], str, Call, Call]] = {
        "Gaussian": (
            lambda: dl.Gaussian(sigma=1.0),
            "ndtri, ndtr",
            lambda: special.ndtr(special.ndtri(a) + 1.0),
            lambda: special.ndtr(-special.ndtri(a) - 1.0),
        ),
        "AdditiveNoise, logistic": (
            logistic,
            "logit, expit",
            lambda: special.expit(special.logit(a) + 1.0),
            lambda: special.expit(-special.logit(a) - 1.0),
        ),
        "Laplace": (
            lambda: dl.Laplace(scale=1.0),
            "where",
            lambda: laplace_power(a),
            lambda: laplace_beta(a),
        ),
        "ApproximateDP": (
            lambda: dl.ApproximateDP(epsilon=1.0, delta=1e-5),
            "minimum",
            lambda: np.minimum(np.minimum(1.0, 1e-5 + e * a), 1.0 - (1.0 - 1e-5 - a) / e),
            lambda: np.maximum(np.maximum(0.0, 1.0 - 1e-5 - e * a), (1.0 - 1e-5 - a) / e),
        ),
        "Exponential": (
            lambda: dl.Exponential(epsilon=1.0),
            "one division",
            lambda: e * a / (1.0 + (e - 1.0) * a),
            lambda: (1.0 - a) / (1.0 + (e - 1.0) * a),
        ),
        "Geometric": (
            lambda: dl.Geometric(scale=1.0),
            "interp",
            lambda: np.interp(a, alphas, powers),
            lambda: np.interp(a, alphas, betas),
        ),
        "RandomizedResponse": (
            lambda: dl.RandomizedResponse(epsilon=1.0, categories=2),
            "interp",
            lambda: np.interp(a, [0.0, 1.0 - truth, 1.0], [0.0, truth, 1.0]),
            lambda: np.interp(a, [0.0, 1.0 - truth, 1.0], [1.0, 1.0 - truth, 0.0]),
        ),
    }
    group = "One million alphas in one call"
    for name, (mechanism, functions, power, beta) in bare.items():
        yield Case(
            group=group,
            name=f"{name}: f.power(alpha)",
            baseline=functions,
            build=lambda make=mechanism, bare=power: (bind_power(make()), bare),
            limit=5.0,
        )
        yield Case(
            group=group,
            name=f"{name}: f(alpha)",
            baseline=functions,
            build=lambda make=mechanism, bare=beta: (bind_beta(make()), bare),
            rtol=1e-8,  # the baselines lose digits where beta is small
            limit=5.0,
        )


def logistic() -> Any:
    """Logistic noise through the door for any scipy distribution."""
    from scipy import stats

    return dl.AdditiveNoise(noise=stats.logistic(), sensitivity=1.0)


def bind_power(mechanism: Any) -> Call:
    """The power of a mechanism's curve at all alphas."""
    curve = mechanism.tradeoff()
    return lambda: curve.power(ALPHAS)


def bind_beta(mechanism: Any) -> Call:
    """The curve itself at all alphas."""
    curve = mechanism.tradeoff()
    return lambda: curve(ALPHAS)


def gaussian_delta() -> tuple[Call, Call]:
    """Mechanism to number, both sides from scratch."""
    from dp_accounting.pld import privacy_loss_mechanism as plm

    return (
        lambda: dl.Gaussian(sigma=1.0).tradeoff().delta(1.0),
        lambda: plm.GaussianPrivacyLoss(standard_deviation=1.0).get_delta_for_epsilon(1.0),
    )


def gaussian_epsilon() -> tuple[Call, Call]:
    """The peer's analytic Gaussian solver."""
    import dp_accounting

    return (
        lambda: dl.Gaussian(sigma=1.0).tradeoff().epsilon(1e-5),
        lambda: dp_accounting.get_epsilon_gaussian(1.0, 1e-5),
    )


def gaussian_epsilon_grid() -> tuple[Call, Call]:
    """The peer's general route, a discretised privacy-loss distribution."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    return (
        lambda: dl.Gaussian(sigma=1.0).tradeoff().epsilon(1e-5),
        lambda: pld.from_gaussian_mechanism(1.0).get_epsilon_for_delta(1e-5),
    )


def laplace_delta() -> tuple[Call, Call]:
    """Mechanism to number, both sides from scratch."""
    from dp_accounting.pld import privacy_loss_mechanism as plm

    return (
        lambda: dl.Laplace(scale=1.0).tradeoff().delta(0.5),
        lambda: plm.LaplacePrivacyLoss(1.0).get_delta_for_epsilon(0.5),
    )


def laplace_epsilon_grid() -> tuple[Call, Call]:
    """The peer has no closed inverse here, so its grid answers."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    return (
        lambda: dl.Laplace(scale=1.0).tradeoff().epsilon(1e-5),
        lambda: pld.from_laplace_mechanism(1.0).get_epsilon_for_delta(1e-5),
    )


def gaussian_curve_riskcal() -> tuple[Call, Call]:
    """A thousand points of the Gaussian curve, from its parameter."""
    from riskcal import analysis

    alphas = np.linspace(0.001, 0.999, 1000)
    return lambda: dl.Gaussian(sigma=1.0).tradeoff()(alphas), lambda: analysis.get_beta_from_gdp(1.0, alphas)


SINGLE = "One release, from its parameters to one number"

CASES: list[Case] = [
    *curve_cases(),
    Case(group=SINGLE, name="Gaussian: delta(1)", baseline="dp-accounting, closed form", build=gaussian_delta),
    Case(
        group=SINGLE,
        name="Gaussian: epsilon(1e-5)",
        baseline="dp-accounting, analytic",
        build=gaussian_epsilon,
        rtol=1e-6,
    ),
    Case(
        group=SINGLE,
        name="Gaussian: epsilon(1e-5)",
        baseline="dp-accounting, grid 1e-4",
        build=gaussian_epsilon_grid,
        rtol=1e-4,
    ),
    Case(group=SINGLE, name="Laplace: delta(0.5)", baseline="dp-accounting, closed form", build=laplace_delta),
    Case(
        group=SINGLE,
        name="Laplace: epsilon(1e-5)",
        baseline="dp-accounting, grid 1e-4",
        build=laplace_epsilon_grid,
        rtol=1e-3,
    ),
    Case(
        group=SINGLE,
        name="Gaussian: 1000 alphas",
        baseline="riskcal, closed form",
        build=gaussian_curve_riskcal,
        rtol=1e-9,
    ),
]
