"""The oracles against each other and against closed forms of the literature: no number of the package is used."""

import pytest

from tests.reference.cases import CASES, compute, pairs
from tests.reference.cases.base import ALPHAS, PARAMETERS
from tests.reference.cases.exact import DYADIC
from tests.reference.checks import VALUES, true_values
from tests.reference.make_values import FILE, digest, kept
from tests.reference.oracles import continuous as co
from tests.reference.oracles import discrete as di
from tests.reference.oracles.curve import Both, gaussian_distance
from tests.reference.oracles.numerics import digits, inf, mp, mpf, ncdf, quantile
from tests.reference.oracles.readings import read

TINY = mpf(10) ** -27


def same(got, expected, tolerance=TINY):
    if expected == inf or got == inf:
        return got == expected
    return abs(got - expected) <= tolerance * max(abs(expected), mpf(10) ** -320)


def asked(name, question, **arguments):
    """A stored answer."""
    return true_values(name, "questions")[CASES[name].questions.index((question, arguments))]


def test_every_case_is_stored_with_its_present_arguments():
    asked_for = {name: digest(case) for name, case in kept().items()}
    assert {name: values["requests"] for name, values in VALUES.items()} == asked_for
    assert FILE.stat().st_size < 200_000


@pytest.mark.parametrize("name", [name for name, case in kept().items() if case.live])
def test_stored_values_are_what_the_oracle_says_now(name):
    case = CASES[name]
    picks = {len(name) % len(case.alphas), len(name) * 5 % len(case.alphas)}
    with digits(case.dps):
        curve = case.oracle()
        for i in picks:
            assert same(curve.power(mpf(case.alphas[i])), true_values(name, "power")[i])
            assert same(curve.beta(mpf(case.alphas[i])), true_values(name, "beta")[i])


def test_some_cases_are_recomputed_in_full():
    for name in ("geometric 1.0 4", "discrete gaussian 2 5", "uniform 0.25"):
        for quantity, found in compute(CASES[name]).items():
            assert all(map(same, found, true_values(name, quantity))), quantity


@pytest.mark.parametrize("m", PARAMETERS)
def test_gaussian_closed_forms(m):
    """Dong, Roth and Su 2022; Balle and Wang 2018, Theorem 8."""
    name, mu = f"gaussian {m}", mpf(m)
    for alpha, power in zip(ALPHAS, true_values(name, "power")):
        a = mpf(alpha)
        z = quantile(a, 1 - a)
        assert same(power, ncdf(z + mu))
    for epsilon, delta in zip(CASES[name].epsilons, true_values(name, "delta")):
        e = mpf(epsilon)
        with digits(90):
            closed = ncdf(mu / 2 - e / mu) - mp.exp(e) * ncdf(-mu / 2 - e / mu)
        assert same(delta, closed)
    assert same(asked(name, "Advantage"), 2 * ncdf(mu / 2) - 1)
    assert same(asked(name, "AUC"), ncdf(mu / mp.sqrt(2)))
    assert same(asked(name, "Mu"), mu)
    if m <= 10:
        assert same(asked(name, "Renyi", order=8.5), mpf("8.5") * mu**2 / 2)


@pytest.mark.parametrize("m", PARAMETERS)
def test_laplace_closed_forms(m):
    name, e = f"laplace {m}", mpf(m)
    for alpha, beta, power in zip(ALPHAS, true_values(name, "beta"), true_values(name, "power")):
        a = mpf(alpha)
        if a < mp.exp(-e) / 2:
            assert same(power, mp.exp(e) * a)
        else:
            assert same(beta, mp.exp(-e) / (4 * a) if a <= 0.5 else mp.exp(-e) * (1 - a))
    for epsilon, delta in zip(CASES[name].epsilons, true_values(name, "delta")):
        assert same(delta, max(mpf(0), -mp.expm1((mpf(epsilon) - e) / 2)))
    assert same(asked(name, "AUC"), 1 - mp.exp(-e) * (2 + e) / 4)
    assert same(asked(name, "Mu"), -2 * quantile(mp.exp(-e / 2) / 2, 1 - mp.exp(-e / 2) / 2))
    for order in (2.0, 8.5):
        a = mpf(order)
        total = a / (2 * a - 1) * mp.exp((a - 1) * e) + (a - 1) / (2 * a - 1) * mp.exp(-a * e)
        assert same(asked(name, "Renyi", order=order), mp.log(total) / (a - 1))
    for weight, prior in ((1.0, 0.5), (0.5, 0.1), (2.0, 0.01)):
        assert same(asked(name, "FScore", weight=weight, prior=prior), laplace_f_score(e, weight, prior))


def laplace_f_score(e, weight, prior):
    """Liu et al. 2019, Eq. 12, with a prior: c is the odds against membership."""
    w, c = mpf(weight) ** 2, (1 - mpf(prior)) / mpf(prior)
    if e < mp.log(1 + w / c):
        return (1 + w) / (1 + w + c)
    s = mp.sqrt(1 + 4 * w * mp.exp(e) / c)
    return (1 + w) * (s - 1) / ((1 + w) * s - 1 + w)


@pytest.mark.parametrize("m", PARAMETERS)
def test_bounded_range_closed_form(m):
    """The worst two-point pair in closed form (Dong, Durfee and Rogers 2020)."""
    name, e = f"exponential {m}", mpf(m)
    for alpha, beta in zip(ALPHAS, true_values(name, "beta")):
        assert same(beta, (1 - mpf(alpha)) / (1 + mp.expm1(e) * mpf(alpha)))
    assert same(asked(name, "Advantage"), mp.tanh(e / 4))


@pytest.mark.parametrize("m", PARAMETERS)
def test_approximate_dp_closed_form(m):
    """Kairouz, Oh and Viswanath 2017, Theorem 2.1, and Dong, Roth and Su 2022, Proposition 2.5."""
    name, e, d = f"approximate dp {m}", mpf(m), mpf(1e-5)
    for alpha, beta in zip(ALPHAS, true_values(name, "beta")):
        a = mpf(alpha)
        assert same(beta, max(0, 1 - d - mp.exp(e) * a, mp.exp(-e) * (1 - d - a)))
    assert same(asked(name, "Advantage"), (mp.expm1(e) + 2 * d) / (mp.exp(e) + 1))
    assert same(
        asked(f"randomised response {m}", "Mu"), -2 * quantile(1 / (1 + mp.exp(e)), mp.exp(e) / (1 + mp.exp(e)))
    )


@pytest.mark.parametrize("name", DYADIC)
def test_sorting_is_the_best_of_all_orders(name):
    p, q = DYADIC[name]
    curve = di.Atoms(p, q)
    for alpha in (0, 1e-12, 0.01, 0.125, 0.3, 0.5, 0.9, 1):
        assert same(curve.power(mpf(alpha)), di.best_power_by_enumeration(p, q, alpha))
        assert same(curve.mirror().power(mpf(alpha)), di.best_power_by_enumeration(q, p, alpha))


@pytest.mark.parametrize("name", DYADIC)
def test_the_hull_of_both_directions_by_conjugacy(name):
    """beta(alpha) = sup of 1 - delta(e) - e^e alpha, delta being the larger of both directions."""
    p, q = DYADIC[name]
    add = di.Atoms(p, q)
    hull = add.both()
    for alpha in (mpf(0.01), mpf(0.3), mpf(0.8)):
        lines = []
        for a, b in zip(hull.points, hull.points[1:]):
            width, height = di.masses(a, b)
            if width > 0 and height > 0:
                e = mp.log(height / width)
                lines.append(1 - max(add.delta(e), add.mirror().delta(e)) - mp.exp(e) * alpha)
        assert same(max([*lines, mpf(0)]), hull.beta(alpha))


@pytest.mark.parametrize(("scale", "d"), [(1.0, 1), (1.0, 4), (3.0, 2), (0.5, 12)])
def test_geometric_series_are_the_sums(scale, d):
    closed, summed = di.geometric(scale, d), di.geometric_summed(scale, d)
    for alpha in ALPHAS[:3] + ALPHAS[5:7] + ALPHAS[-1:]:
        assert same(closed.power(mpf(alpha)), summed.power(mpf(alpha)))
        assert same(closed.beta(mpf(alpha)), summed.beta(mpf(alpha)))


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_staircase_density_and_its_worst_shift(epsilon):
    """It has mass 1, its loss never exceeds epsilon, and no smaller shift is worse at any alpha."""
    full = di.staircase(epsilon)
    assert all(same(sum(law), mpf(1)) for law in (full.p, full.q))
    assert same(full.rho, mp.exp(mpf(epsilon)))
    for shift in (0.05, 0.2, 0.4, 0.5, 0.7, 0.95):
        smaller = di.staircase(epsilon, shift=shift)
        assert all(same(sum(law), mpf(1)) for law in (smaller.p, smaller.q))
        for alpha in (0.001, 0.1, 0.25, 0.5, 0.8):
            assert smaller.power(mpf(alpha)) <= full.power(mpf(alpha)) * (1 + TINY)


def test_laplace_masses_are_integrals_of_the_density():
    pair = pairs.laplace(1.0)
    with digits(30):
        for x in (mpf(-2), mpf("0.3"), mpf(4)):
            grid = sorted({x, mpf(0), mpf(1), mpf(60)} - {k for k in (mpf(0), mpf(1)) if k < x})
            assert same(pair.masses(x)[0], mp.quad(pair.p.pdf, grid), mpf(10) ** -24)
            assert same(pair.masses(x)[1], mp.quad(pair.q.pdf, grid), mpf(10) ** -24)


@pytest.mark.parametrize(
    "law",
    [co.logistic(), co.cauchy(), co.student3(), co.generalised_normal(1.5), co.gumbel(), co.truncated_normal(-1, 3)],
    ids=["logistic", "cauchy", "student3", "gennorm", "gumbel", "truncnorm"],
)
def test_densities_fit_their_tails(law):
    with digits(30):
        for a, b in ((mpf("-0.9"), mpf("-0.2")), (mpf("0.1"), mpf(2))):
            mass = mp.quad(law.pdf, [a, b])
            assert same(law.cdf(b) - law.cdf(a), mass, mpf(10) ** -24)
            assert same(law.sf(a) - law.sf(b), mass, mpf(10) ** -24)


@pytest.mark.parametrize("pair", [pairs.cauchy(1.0), pairs.student3(1.0)], ids=["cauchy", "student3"])
def test_solved_regions_are_the_searched_ones(pair):
    searched = co.Sorted(pair.p, pair.q, pair.breaks, pair.rho, pair.low, pair.high)
    for t in (mpf("-0.8"), mpf("-0.1"), mpf(0), mpf("0.1"), mpf("0.8")):
        assert all(map(same, pair.masses(t), searched.masses(t)))


@pytest.mark.parametrize(
    "pair",
    [pairs.gaussian(0.3), pairs.truncated(-1, 3, 0.5, False), pairs.gumbel(1.0)],
    ids=["gaussian", "truncnorm", "gumbel"],
)
def test_solved_thresholds_are_the_searched_ones(pair):
    for side in (pair, pair.mirror()):
        for e in (mpf("-0.6"), mpf("0.1"), mpf("0.9")):
            assert abs(side.cut(e) - side.searched_cut(e)) < mpf(10) ** -40


@pytest.mark.parametrize("shifted", [pairs.cauchy, pairs.student3], ids=["cauchy", "student3"])
def test_for_cauchy_and_student_the_largest_shift_is_the_worst(shifted):
    """By its delta at every epsilon, which says the same as the curve. Not so for every noise."""
    with digits(25):
        for e in (mpf(0), mpf("0.1"), mpf("0.4"), mpf("0.8")):
            full = shifted(1.0).delta(e)
            assert all(shifted(d).delta(e) < full for d in (0.1, 0.5, 0.9, 0.99))


def test_where_no_gaussian_dominates_the_distance_grows_without_end():
    for pair, depths in ((pairs.gumbel(1.0).mirror(), (4, 6, 8)), (pairs.unequal_normals(1, 2), (20, 200, 1800))):
        distances = [gaussian_distance(pair.masses(mpf(t))) for t in depths]
        assert distances == sorted(distances)
        assert distances[-1] > 15


def test_both_directions_of_a_symmetric_pair_change_nothing():
    pair = pairs.gaussian(1.0)
    with digits(30):
        for alpha in (mpf(10) ** -12, mpf("0.7")):
            assert same(Both(pair).power(alpha), pair.power(alpha), mpf(10) ** -25)
            assert same(Both(pair).beta(alpha), pair.beta(alpha), mpf(10) ** -25)


def test_renyi_curves_lie_under_the_gaussian_that_implies_them():
    """A Gaussian with mu has Rényi divergences order mu^2/2: they allow more than it does, and not everything."""
    for mu, parameter in ((0.3, 0.045), (1.0, 0.5), (3.0, 4.5)):
        gaussian, allowed = true_values(f"gaussian {mu}", "power"), true_values(f"zcdp {parameter}", "power")
        assert all(g < a < 1 for a, g in zip(allowed, gaussian))


def test_published_reference_values():
    gaussian = pairs.gaussian(1.0)
    for delta, epsilon in (("1e-5", "4.3771780956812"), ("1e-15", "8.16557969550425"), ("1e-30", "11.7438830252317")):
        assert same(read(gaussian, "Epsilon", {"delta": float(delta)}), mpf(epsilon), mpf(10) ** -13)
