"""Finite laws with many outcomes whose losses go beyond what e^loss can say, against sums in high precision."""

import mpmath as mp
import numpy as np
import pytest

from dplens.curves.finite.piecewise import PiecewiseCurve


@pytest.mark.parametrize("span", [5.0, 600.0, 3000.0])
def test_profile_from_the_table_of_vertices(span: float):
    rng = np.random.default_rng(20)
    loss = np.sort(rng.uniform(-2.0, span, 3000))[::-1]
    q = rng.random(3000) ** 4
    q /= q.sum()
    loss += np.log(np.sum(q * np.exp(-loss)))  # so that the masses under H0 add up to 1, too
    curve = PiecewiseCurve(q * np.exp(-loss), q, loss)
    epsilon = np.concatenate([rng.uniform(0, span, 90), [0.0, loss[0], loss[700], 0.3]])
    low, high = curve.profile_bounds(epsilon)
    at_once = np.concatenate([curve.profile_bounds(e[None]).hi for e in epsilon])
    for i in (0, 30, 60, *range(90, 94)):
        e = mp.mpf(float(epsilon[i]))
        terms = (mp.mpf(float(m)) * -mp.expm1(e - mp.mpf(float(x))) for m, x in zip(q, loss) if x > e)
        true = mp.fsum(terms)
        assert low[i] <= true <= high[i]
        assert high[i] - low[i] <= 1e-13 * true
    np.testing.assert_allclose(at_once, high, rtol=1e-13, atol=0)
