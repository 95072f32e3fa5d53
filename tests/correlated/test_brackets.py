"""Brackets of views of Gaussian tuples hold the truth to the last digit: against 50 digits."""

import math

import mpmath as mp
import numpy as np
import pytest

import dplens as dl

DIGITS = 50


def conditional(covariance, target, known):
    """Unknown tuples, how they follow the target, and what is left of their covariance, given what is known."""
    n = len(covariance)
    unknown = [j for j in range(n) if j != target and j not in known]
    inside = [*unknown, target]
    m = mp.matrix(len(inside), len(inside))
    cross = mp.matrix(len(known), len(inside))
    for a, i in enumerate(inside):
        for b, j in enumerate(inside):
            m[a, b] = mp.mpf(float(covariance[i, j]))
        for b, j in enumerate(known):
            cross[b, a] = mp.mpf(float(covariance[j, i]))
    if known:
        inner = mp.matrix([[mp.mpf(float(covariance[i, j])) for j in known] for i in known])
        m = m - cross.T * mp.inverse(inner) * cross
    last = len(inside) - 1
    slope = [m[a, last] / m[last, last] for a in range(last)]
    rest = [[m[a, b] - slope[a] * slope[b] * m[last, last] for b in range(last)] for a in range(last)]
    return unknown, slope, rest


def query(weights, target, law):
    """How a query follows the target, and its covariance with another."""
    unknown, slope, _ = law
    return mp.mpf(float(weights[target])) + mp.fsum(mp.mpf(float(weights[j])) * s for j, s in zip(unknown, slope))


def together(first, second, law):
    unknown, _, rest = law
    return mp.fsum(
        mp.mpf(float(first[i])) * rest[a][b] * mp.mpf(float(second[j]))
        for a, i in enumerate(unknown)
        for b, j in enumerate(unknown)
    )


def normal(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def normal_laplace(x, sd, b):
    """P(N(0, sd²) + Laplace > x)."""
    if sd == 0:
        return mp.exp(-x / b) / 2 if x >= 0 else 1 - mp.exp(x / b) / 2
    z, h = x / sd, sd / b
    return normal(-z) + (mp.exp(h * h / 2 - x / b) * normal(z - h) - mp.exp(h * h / 2 + x / b) * normal(-z - h)) / 2


def quantile(tail, level):
    low, high = mp.mpf(-1), mp.mpf(1)
    while tail(high) > level:
        high *= 2
    while tail(low) < level:
        low *= 2
    for _ in range(180):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle) > level else (low, middle)
    return low


def drawn(rng):
    n = int(rng.integers(1, 6))
    a = rng.normal(size=(n, n))
    if rng.random() < 0.4:
        a = a @ np.diag(10.0 ** rng.uniform(-2, 2, n))
    covariance = a @ a.T + 10 ** rng.uniform(-4, 0) * np.eye(n)
    target = int(rng.integers(n))
    known = [j for j in range(n) if j != target and rng.random() < 0.4]
    data = dl.GaussianData(
        covariance=(covariance + covariance.T) / 2, width=float(np.round(10 ** rng.uniform(-1, 1), 6))
    )
    weights = np.round(rng.normal(size=(2, n)) * 10 ** rng.uniform(-1, 1), 2)
    weights[:, target] = np.where(weights[:, target] == 0, 1.0, weights[:, target])
    sizes = [float(np.round(10 ** rng.uniform(-2, 1.5), 6)) for _ in range(2)]
    return data, target, known, weights, sizes, float(10 ** rng.uniform(-8, -0.01))


def held(question, view, truth):
    found = question.of(view)
    assert mp.mpf(found.low) <= truth <= mp.mpf(found.high), (question, found, mp.nstr(truth, 25))
    return (found.high - found.low) / max(found.high, 1e-300)


@pytest.mark.parametrize("releases", [1, 2])
@pytest.mark.parametrize("seed", range(16))
def test_gaussian_noise(seed, releases):
    data, target, known, weights, sigmas, fpr = drawn(np.random.default_rng([seed, releases]))
    noises = [dl.Gaussian(sigma=s) for s in sigmas[:releases]]
    rows = weights[:releases]
    view = data.view(noises if releases > 1 else noises[0], target=target, known=known, weights=rows)
    with mp.workdps(DIGITS):
        law = conditional(data.covariance, target, known)
        shift = mp.matrix([query(w, target, law) * mp.mpf(float(data.width[target])) for w in rows])
        total = mp.matrix([[together(v, w, law) for w in rows] for v in rows])
        for i in range(releases):
            total[i, i] += mp.mpf(sigmas[i]) ** 2
        mu = mp.sqrt((shift.T * mp.inverse(total) * shift)[0])
        z = quantile(lambda x: normal(-x), mp.mpf(fpr))
        held(dl.AttackPower(fpr=fpr), view, normal(mu - z))
        held(dl.Mu(), view, mu)
        held(dl.Advantage(), view, 2 * normal(mu / 2) - 1)
        held(dl.Delta(epsilon=0.5), view, normal(mu / 2 - 0.5 / mu) - mp.exp(0.5) * normal(-mu / 2 - 0.5 / mu))


@pytest.mark.parametrize("seed", range(16))
def test_laplace_noise(seed):
    data, target, known, weights, scales, fpr = drawn(np.random.default_rng([seed, 3]))
    with mp.workdps(DIGITS):
        law, b = conditional(data.covariance, target, known), mp.mpf(scales[0])
        by = abs(query(weights[0], target, law)) * mp.mpf(float(data.width[target]))
        sd = mp.sqrt(together(weights[0], weights[0], law))
        b = max(b, mp.mpf(float(sd) / 8))  # e^(sd²/b²) costs this reference its digits
    view = data.view(dl.Laplace(scale=float(b)), target=target, known=known, weights=weights[0])
    with mp.workdps(DIGITS + 30):
        at = quantile(lambda x: normal_laplace(x, sd, b), mp.mpf(fpr))
        held(dl.AttackPower(fpr=fpr), view, normal_laplace(at - by, sd, b))
        held(dl.Advantage(), view, 1 - 2 * normal_laplace(by / 2, sd, b))
        held(dl.Epsilon(delta=0.0), view, by / b)


def test_the_last_digits_of_an_attackers_power():
    covariance = [[0.567, 0.056, 0.509], [0.056, 3.04, 1.541], [0.509, 1.541, 2.036]]
    view = dl.GaussianData(covariance=covariance, width=1.01545).view(
        dl.Gaussian(sigma=0.363074), target=1, known=[], weights=[1.4, 1.8, 1.2]
    )
    truth = mp.mpf("0.008098820603353691706")
    assert held(dl.AttackPower(fpr=0.0001933098275032013), view, truth) < 1e-12


def test_a_shift_that_needs_no_rounding_is_not_widened():
    data = dl.GaussianData(covariance=[[1.0, 0.5], [0.5, 1.0]], width=1.0)
    assert dl.Epsilon(delta=0.0).of(data.view(dl.Laplace(scale=1.0), target=0, known=[1])).high <= 1.0


def test_certificates_cover_the_brackets():
    view = dl.GaussianData(covariance=[[1.0, 0.9], [0.9, 1.0]], width=1.0).view(dl.Gaussian(sigma=1e-3), target=0)
    for fpr in (1e-300, 1e-6, 0.5):
        found = dl.AttackPower(fpr=fpr).of(view)
        assert (found.high - found.low) / 2 <= found.certificate.tolerance * found.high
    assert math.isfinite(view.tradeoff().certificate.tolerance)


def test_the_area_of_a_view_whose_shift_is_known_by_two_ends():
    data = dl.GaussianData(covariance=[[1.0, 0.05], [0.05, 1.0]], width=1.0)
    found = dl.AUC().of(data.view(dl.Gaussian(sigma=0.5), target=0, known=[]))
    with mp.workdps(30):
        assert mp.mpf(found.low) <= mp.mpf("0.7468926802025336894754") <= mp.mpf(found.high)


def test_divergences_of_gaussian_views_reach_down_to_the_truth():
    """The shift is known less well than to a unit; the truth was worked out with 50 digits."""
    data = dl.GaussianData(
        covariance=[
            [4.832616118411, -2.749068163399, 3.598080693964],
            [-2.749068163399, 9.474338686671, -2.312281617516],
            [3.598080693964, -2.312281617516, 2.687945862982],
        ],
        width=28.670257253586815,
    )
    view = data.view(dl.Gaussian(sigma=0.03397011251678439), target=0, known=[2], weights=[1.29, 1.07, -1.14])
    found = dl.Renyi(order=1.5).of(view)
    assert found.low <= 3017345.673051845053678 <= found.high
