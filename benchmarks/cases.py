"""Single releases compared with the functions they are built on and with peers. To add a measurement, add a `Case`.

A case builds two callables that answer the same question, ours and a baseline. Building is not timed and may import
modules that only the baseline needs. If a peer is not installed, its row says so and the others still run.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

import dplens as dl
from benchmarks.timing import Call

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One comparison. `build()` returns (ours, baseline), whose answers must agree to `rtol`."""

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
    "prv_accountant": "import prv_accountant",
}


def million_alphas() -> Floats:
    """One million rates: half uniform on (0, 1), half log-uniform over 300 decades."""
    rng = np.random.default_rng(20)
    half = 500_000
    return np.concatenate([rng.uniform(size=half), 10.0 ** rng.uniform(-300.0, 0.0, size=half)])


ALPHAS = million_alphas()


def vertices(p: Floats, q: Floats) -> tuple[Floats, Floats, Floats]:
    """False-positive rate, power and beta at the vertices, for finite distributions with increasing ratio q/p."""
    alpha, power = (np.append(0.0, np.cumsum(law[::-1])) for law in (p, q))
    return alpha, power, np.append(np.cumsum(q)[::-1], 0.0)


def geometric_laws(scale: float, reach: int = 200) -> tuple[Floats, Floats]:
    """The two-sided geometric distribution and its shift by one, truncated where the mass is negligible."""
    k = np.arange(-reach, reach + 1)
    mass = np.tanh(0.5 / scale)
    return mass * np.exp(-np.abs(k) / scale), mass * np.exp(-np.abs(k - 1) / scale)


def discrete_gaussian_laws(sigma: float) -> tuple[Floats, Floats]:
    """The discrete normal distribution and its shift by one, down to masses of 1e-308."""
    k = np.arange(-int(37.6 * sigma), int(37.6 * sigma) + 2)
    p, q = np.exp(-0.5 * (k / sigma) ** 2), np.exp(-0.5 * ((k - 1) / sigma) ** 2)
    return p / p.sum(), q / q.sum()


def laplace_beta(alpha: Floats, epsilon: float = 1.0) -> Floats:
    """The textbook formula of the Laplace curve, with three branches."""
    shrink = np.exp(-epsilon)
    lower = np.where(alpha <= 0.5, shrink / (4.0 * np.maximum(alpha, 0.1 * shrink)), shrink * (1.0 - alpha))
    return np.where(alpha < 0.5 * shrink, 1.0 - alpha / shrink, lower)


def laplace_power(alpha: Floats, epsilon: float = 1.0) -> Floats:
    """Power of the Laplace curve; uses one minus beta only where that loses no accuracy."""
    steep = alpha < 0.5 * np.exp(-epsilon)
    return np.where(steep, alpha * np.exp(epsilon), 1.0 - laplace_beta(alpha, epsilon))


def correct(formula: Callable[[Floats, Floats], Floats], power: bool) -> Call:
    """Wrap a formula in the minimum that any correct implementation needs.

    Check the rates, compute 1 − alpha for the end where alpha has no digits left, round the value to the safe side, and
    clip it to the range of a trade-off curve.
    """

    def call() -> Floats:
        a = ALPHAS
        if not (a.min() >= 0.0 and a.max() <= 1.0):
            raise ValueError("alpha")
        co = 1.0 - a
        value = formula(a, co)
        return np.clip(value * (1 + 2e-15), a, 1.0) if power else np.clip(value * (1 - 2e-15), 0.0, co)

    return call


def interpolated(p: Floats, q: Floats) -> tuple[Callable[..., Floats], Callable[..., Floats]]:
    """Power and beta for two finite distributions, each interpolated from the end where it is small."""
    alpha, power, beta = vertices(p, q)
    co = np.append(np.cumsum(p)[::-1], 0.0)[::-1].copy()
    rising = beta[::-1].copy()
    return lambda a, _: np.interp(a, alpha, power), lambda _, c: np.interp(c, co, rising)


def curve_cases() -> Iterator[Case]:
    """Evaluate every curve with a closed form or finitely many vertices at one million alphas."""
    e, d = np.e, 1e-5
    truth = e / (1.0 + e)
    # name: mechanism, the functions it needs, power and beta as functions of (alpha, 1 − alpha)
    bare: dict[str, tuple[Callable[[], Any], str, Callable[..., Floats], Callable[..., Floats]]] = {
        "Gaussian": (
            lambda: dl.Gaussian(sigma=1.0),
            "ndtri, ndtr",
            lambda a, _: special.ndtr(special.ndtri(a) + 1.0),
            lambda a, _: special.ndtr(-special.ndtri(a) - 1.0),
        ),
        "AdditiveNoise, logistic": (
            logistic,
            "logit, expit",
            lambda a, _: special.expit(special.logit(a) + 1.0),
            lambda a, _: special.expit(-special.logit(a) - 1.0),
        ),
        "AdditiveNoise, Cauchy": (
            cauchy,
            "scipy's isf, sf",
            lambda a, _: cauchy_rate(a, 1.0 / CAUCHY_RATIO),
            lambda _, co: cauchy_rate(co, CAUCHY_RATIO),
        ),
        "Laplace": (
            lambda: dl.Laplace(scale=1.0),
            "where",
            lambda a, _: laplace_power(a),
            lambda a, _: laplace_beta(a),
        ),
        "ApproximateDP": (
            lambda: dl.ApproximateDP(epsilon=1.0, delta=d),
            "minimum",
            lambda a, co: np.minimum(np.minimum(1.0, d + e * a), 1.0 - (co - d) / e),
            lambda a, co: np.maximum(np.maximum(0.0, 1.0 - d - e * a), (co - d) / e),
        ),
        "Exponential": (
            lambda: dl.Exponential(epsilon=1.0),
            "one division",
            lambda a, _: e * a / (1.0 + (e - 1.0) * a),
            lambda a, co: co / (1.0 + (e - 1.0) * a),
        ),
        "Geometric": (lambda: dl.Geometric(scale=1.0), "interp", *interpolated(*geometric_laws(1.0))),
        "DiscreteGaussian, sigma 300": (
            lambda: dl.DiscreteGaussian(sigma=300.0),
            "interp",
            *interpolated(*discrete_gaussian_laws(300.0)),
        ),
        "RandomizedResponse": (
            lambda: dl.RandomizedResponse(epsilon=1.0, categories=2),
            "interp",
            *interpolated(np.array([truth, 1.0 - truth]), np.array([1.0 - truth, truth])),
        ),
    }
    group = "One million alphas in one call"
    for name, (mechanism, functions, power, beta) in bare.items():
        bare_power, bare_beta = correct(power, power=True), correct(beta, power=False)
        yield Case(
            group=group,
            name=f"{name}: f.power(alpha)",
            baseline=functions,
            build=lambda make=mechanism, bare=bare_power: (bind_power(make()), bare),
            limit=5.0,
        )
        yield Case(
            group=group,
            name=f"{name}: f(alpha)",
            baseline=functions,
            build=lambda make=mechanism, bare=bare_beta: (bind_beta(make()), bare),
            rtol=1e-8,  # the baselines lose digits where beta is small
            limit=5.0,
        )


CAUCHY_RATIO = (3.0 + np.sqrt(5.0)) / 2.0  # the largest likelihood ratio of Cauchy noise moved by its scale


def cauchy_rate(rate: Floats, squeeze: float) -> Floats:
    """The Cauchy curve: shifts are Möbius maps of a circle, so tan(pi/2·power) = ratio·tan(pi/2·alpha)."""
    from scipy import stats

    return 2.0 * stats.cauchy.sf(stats.cauchy.isf(rate / 2.0) * squeeze)


def cauchy() -> Any:
    """Cauchy noise as a scipy distribution; its likelihood ratio is not monotone and must be sorted."""
    from scipy import stats

    return dl.AdditiveNoise(noise=stats.cauchy(), sensitivity=1.0)


def logistic() -> Any:
    """Logistic noise as a scipy distribution."""
    from scipy import stats

    return dl.AdditiveNoise(noise=stats.logistic(), sensitivity=1.0)


def bind_power(mechanism: Any) -> Call:
    """A call that evaluates the power at all alphas."""
    curve = mechanism.tradeoff()
    return lambda: curve.power(ALPHAS)


def bind_beta(mechanism: Any) -> Call:
    """A call that evaluates the curve at all alphas."""
    curve = mechanism.tradeoff()
    return lambda: curve(ALPHAS)


def gaussian_delta() -> tuple[Call, Call]:
    """From mechanism to number, both starting from scratch."""
    from dp_accounting.pld import privacy_loss_mechanism as plm

    return (
        lambda: dl.Gaussian(sigma=1.0).tradeoff().delta(1.0),
        lambda: plm.GaussianPrivacyLoss(standard_deviation=1.0).get_delta_for_epsilon(1.0),
    )


def gaussian_epsilon() -> tuple[Call, Call]:
    """The peer's analytic solver for Gaussian noise."""
    import dp_accounting

    return (
        lambda: dl.Gaussian(sigma=1.0).tradeoff().epsilon(1e-5),
        lambda: dp_accounting.get_epsilon_gaussian(1.0, 1e-5),
    )


def gaussian_epsilon_grid() -> tuple[Call, Call]:
    """The peer's general method, a discretised privacy-loss distribution."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    return (
        lambda: dl.Gaussian(sigma=1.0).tradeoff().epsilon(1e-5),
        lambda: pld.from_gaussian_mechanism(1.0).get_epsilon_for_delta(1e-5),
    )


def laplace_delta() -> tuple[Call, Call]:
    """From mechanism to number, both starting from scratch."""
    from dp_accounting.pld import privacy_loss_mechanism as plm

    return (
        lambda: dl.Laplace(scale=1.0).tradeoff().delta(0.5),
        lambda: plm.LaplacePrivacyLoss(1.0).get_delta_for_epsilon(0.5),
    )


def laplace_epsilon_grid() -> tuple[Call, Call]:
    """The peer has no closed-form inverse here, so it uses its grid."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    return (
        lambda: dl.Laplace(scale=1.0).tradeoff().epsilon(1e-5),
        lambda: pld.from_laplace_mechanism(1.0).get_epsilon_for_delta(1e-5),
    )


def gaussian_curve_riskcal() -> tuple[Call, Call]:
    """A thousand points of the Gaussian curve, computed from its parameter."""
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
