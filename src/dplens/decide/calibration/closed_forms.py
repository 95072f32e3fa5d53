"""Parameters from requirements in closed form, correct to rounding; ``calibrate`` gives certified ones."""

from __future__ import annotations

import math
import warnings

import numpy as np
from scipy.special import erfinv, ndtri

from dplens import _validate
from dplens.decide.calibration.calibrate import calibrate
from dplens.errors import DplensWarning
from dplens.mechanisms.additive import Gaussian
from dplens.mechanisms.base import NEIGHBOURS
from dplens.mechanisms.guarantees import GaussianDP
from dplens.numerics.quadrature import unit_nodes
from dplens.risk.conversions import Delta


def mu_from_power(power: float, *, fpr: float) -> float:
    """The mu at which the attacker's power at false-positive rate ``fpr`` is ``power``: Φ⁻¹(1 − fpr) − Φ⁻¹(1 − power).

    Fondeville §5.1, with beta0 = 1 − power at level alpha0 = fpr.

    >>> round(mu_from_power(0.8, fpr=0.01), 6)
    3.167969
    """
    alpha = _validate.open_probability("fpr", fpr)
    rule = f"in [fpr, 1) = [{alpha:g}, 1)"
    remedy = "Guessing already reaches fpr; only a release of everything reaches 1."
    wanted = _validate.real("power", power, rule, lambda x: alpha <= x < 1, remedy)
    return _quantile_difference(alpha, wanted, wanted - alpha)


def mu_from_relative_risk(risk: float, *, fpr: float) -> float:
    """The mu at which the relative disclosure risk at false-positive rates ≥ ``fpr`` is ``risk``.

    Φ⁻¹(1 − fpr) − Φ⁻¹(1 − risk·fpr) (Fondeville §5.1, rho at alpha0 = fpr).

    >>> round(mu_from_relative_risk(5.0, fpr=0.01), 6)
    0.681494
    """
    alpha = _validate.open_probability("fpr", fpr)
    rule = f"in [1, 1/fpr) = [1, {1 / alpha:g})"
    wanted = _validate.real("risk", risk, rule, lambda x: 1 <= x < 1 / alpha, "No test is better than power 1.")
    return _quantile_difference(alpha, wanted * alpha, (wanted - 1) * alpha)


def _quantile_difference(low: float, high: float, gap: float) -> float:
    """Φ⁻¹(high) − Φ⁻¹(low) for high = low + gap, accurate even if the two are close."""
    start = float(ndtri(low))
    mu = float(ndtri(high)) - start
    if mu > 0.1 or low < 1e-290:
        return mu
    nodes, weights = unit_nodes(12)
    wanted = gap * math.sqrt(2 * math.pi) * math.exp(start * start / 2)  # in heights of the density at the start
    mu = mu if mu > 1e-8 else wanted
    for _ in range(4):  # Newton's method for the area from start to start + mu
        t = mu * nodes
        inside = mu * float(weights @ np.exp(-start * t - t * t / 2))
        mu += (wanted - inside) * math.exp(start * mu + mu * mu / 2)
    return mu


def mu_from_auc(auc: float) -> float:
    """The mu of a Gaussian release whose ROC curve has area ``auc``: √2·Φ⁻¹(auc) (Kaissis et al., §3).

    >>> round(mu_from_auc(0.76), 6)
    0.998863
    """
    return math.sqrt(2) * float(ndtri(_validate.real("auc", auc, "in [0.5, 1)", lambda x: 0.5 <= x < 1)))


def mu_from_advantage(advantage: float) -> float:
    """The mu of a Gaussian release with that ``advantage``: 2Φ⁻¹((1 + advantage)/2) (Dong, Roth & Su 2022).

    >>> round(mu_from_advantage(0.1), 6)
    0.251323
    """
    value = _validate.real("advantage", advantage, "in [0, 1)", lambda x: 0 <= x < 1)
    return 2 * math.sqrt(2) * float(erfinv(value))


def epsilon_from_relative_risk(risk: float) -> float:
    """The epsilon of Laplace noise whose relative disclosure risk is ``risk``: log(risk) (Fondeville §5.1).

    >>> round(epsilon_from_relative_risk(5.0), 6)
    1.609438
    """
    return math.log(_validate.real("risk", risk, ">= 1 and finite", lambda x: 1 <= x < math.inf))


def epsilon_from_fscore(fscore: float, *, weight: float = 1.0, prior: float = 0.5) -> float:
    """The largest epsilon of Laplace noise under which no attack has an F-score above ``fscore``.

    With w = weight, c = (1 − prior)/prior and s − 1 = 2w²·fscore/((1 + w²)(1 − fscore)) it is log{c(s² − 1)/(4w²)}:
    Liu et al. 2019, Equation 12 (Equation 24 with coefficients), solved for epsilon. A bound below
    (1 + w²)/(1 + w² + c), which naming everyone reaches, cannot be met.

    >>> round(epsilon_from_fscore(0.76), 3)
    1.409
    """
    w, p = min(_validate.positive("weight", weight), 1e150), _validate.prior(prior)  # its square must not overflow
    c = (1 - p) / p
    floor = (1 + w * w) / (1 + w * w + c)
    rule = f"in [{floor:.6g}, 1)"
    remedy = "Naming everyone already reaches the lower end, whatever epsilon is."
    f = _validate.real("fscore", fscore, rule, lambda x: floor * (1 - 1e-15) <= x < 1, remedy)
    above = 2 * f / ((1 + w * w) * (1 - f))  # (s − 1)/w²
    return math.log(c * above / 2) + math.log1p(above * w * w / 2)


def gaussian_sigma(
    *, epsilon: float, delta: float, sensitivity: float = 1.0, method: str = "analytic", neighbours: str = "add_remove"
) -> float:
    """The sigma of a Gaussian release that is (``epsilon``, ``delta``)-DP.

    method ``"analytic"``: the smallest sigma, from delta(epsilon) = Φ(mu/2 − epsilon/mu) − e^epsilon·Φ(−mu/2 −
    epsilon/mu) with mu = sensitivity/sigma, certified (Balle & Wang 2018, Theorem 8).
    method ``"classical"``: √(2·log(1.25/delta))·sensitivity/epsilon, which holds for epsilon < 1 only and warns
    elsewhere (Dwork & Roth 2014, Theorem A.1).

    >>> round(gaussian_sigma(epsilon=0.5, delta=1e-5), 4), round(gaussian_sigma(epsilon=0.5, delta=1e-5,
    ...                                                                         method="classical"), 4)
    (7.0318, 9.6896)
    """
    e = _validate.positive("epsilon", epsilon)
    d = _validate.open_probability("delta", delta)
    size = _validate.positive("sensitivity", sensitivity)
    _validate.one_of("method", method, ("analytic", "classical"))
    _validate.one_of("neighbours", neighbours, NEIGHBOURS)
    if method == "classical":
        sigma = math.sqrt(2 * math.log(1.25 / d)) * size / e
        if e >= 1:
            truth = float(Delta(epsilon=e).of(GaussianDP(mu=size / sigma)))
            verdict = "more than was asked for" if truth > d else "which happens to be enough"
            warnings.warn(
                f"The classical formula is proven for epsilon < 1 only. At epsilon = {e:g} its sigma = {sigma:.6g} "
                f"gives delta = {truth:.3g}, {verdict}. Use method='analytic'.",
                DplensWarning,
                stacklevel=2,
            )
        return sigma
    # for sensitivity 1, so that the search does not depend on the unit
    fit = calibrate(lambda s: Gaussian(sigma=s, neighbours=neighbours), meet=[Delta(epsilon=e).at_most(d)])
    return float(fit.value) * (1 + 1e-15) * size  # rounded up: quotients of the two are rounded too
