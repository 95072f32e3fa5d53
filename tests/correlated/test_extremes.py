"""Rare values, far values and tiny units: what is rare or small can still tell most."""

import math
import time
import warnings
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.stats import norm, t, uniform

import dplens as dl
from dplens.errors import InvalidType, InvalidValue

LAPLACE = dl.Laplace(scale=1.0)


def test_rare_values_count_in_the_curve() -> None:
    rare = dl.DiscreteData(joint=[[0.5, 0], [0.5, 1e-17]], values=[[0, 1], [0, 200]])
    view = rare.view(LAPLACE, target=0, weights=[0, 1])
    truth = math.log(2e-17) + 200
    assert view.leakage() == pytest.approx(truth, rel=1e-9)
    assert view.tradeoff().epsilon(0.0) == pytest.approx(truth, rel=1e-9)
    assert 0 < view.tradeoff().delta(1.0) == pytest.approx(2e-17, rel=1e-6)


def test_cases_that_differ_in_rare_values_are_all_compared() -> None:
    joint = np.zeros((2, 2, 2))
    joint[:, 0, :] = 0.25
    joint[1, 1] = 3e-16, 1e-15
    data = dl.DiscreteData(joint=joint / joint.sum(), values=[[0, 1], [0, 200], [0, 1]])
    view = data.view(LAPLACE, target=0, known=[2], weights=[0, 1, 0])
    assert view.tradeoff().epsilon(0.0) >= view.leakage() - 1e-9
    assert view.leakage() == pytest.approx(math.log(4e-15) + 200, abs=1e-9)


def test_units_make_no_difference() -> None:
    data = dl.DiscreteData(joint=np.full((3, 2), 1 / 6), values=[[0, 1, 4], [0, 1]])
    curve = data.view(LAPLACE, target=0).tradeoff()
    tiny = data.view(dl.Laplace(scale=1e-16), target=0, weights=[1e-16, 1e-16]).tradeoff()
    assert tiny.epsilon(0.0) == pytest.approx(curve.epsilon(0.0), rel=1e-9) == pytest.approx(4.0)


def test_rare_states_do_not_underflow_in_the_search() -> None:
    joint = np.ones(())
    for _ in range(6):
        joint = np.multiply.outer(joint, [1e-60, 1 - 1e-60])
    joint[0, 0, 0, 0, 0, 1] = 0.0
    data = dl.DiscreteData(joint=joint / joint.sum(), values=[[0, 90]] * 6)
    assert data.worst(LAPLACE).by_known == pytest.approx([90.0] * 6)


def test_long_chains_with_all_values_known() -> None:
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.3, 0.7], [0.7, 0.3]], length=1500)
    view = chain.view(LAPLACE, target=5, known={j: 0.0 for j in range(1500) if j != 5})
    assert view.leakage() == pytest.approx(1.0)


def test_queries_too_large_for_floats_are_refused() -> None:
    data = dl.DiscreteData(joint=np.full((2, 2), 0.25), values=[[0, 1], [0, 1e15]])
    for more in ({}, {"query": sum}):
        with pytest.raises(InvalidValue, match="times the spread of the noise, got 1000000000000001"):
            data.view(LAPLACE, target=0, **more).leakage()


@pytest.mark.parametrize("length", [3, 30, 100])
@pytest.mark.parametrize("scale", [1e-307, 1e-308, 1e-310])
def test_chains_under_next_to_no_noise_are_refused_in_words(length: int, scale: float) -> None:
    chain = dl.MarkovData(
        initial=[0.2, 0.3, 0.5], transition=[[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]], length=length
    )
    with pytest.raises(InvalidValue, match="times the spread of the noise"):
        chain.worst(dl.Laplace(scale=scale))


def test_views_of_long_gaussian_chains_take_seconds() -> None:
    chain = dl.GaussianChain.ar1(correlation=0.5, length=1200)
    start = time.process_time()
    found = dl.Mu().of(chain.view(dl.Gaussian(sigma=2.0), target=600, known=[]))
    assert time.process_time() - start < 5
    rho = mpmath.mpf(0.5)
    follow = 2 * sum(rho**k for k in range(1, 600)) + rho**600 + 1
    spread = sum((1200 - k) * (2 if k else 1) * rho**k for k in range(1200)) - follow**2
    truth = follow / mpmath.sqrt(spread + 4)
    assert found.low <= truth <= found.high <= truth * (1 + 1e-9)


def test_frameworks_name_bad_arguments() -> None:
    with pytest.raises(InvalidType, match="Expected model to be a data model"):
        dl.frameworks("couple", LAPLACE)
    with pytest.raises(InvalidType, match=r"Expected policy\[0\] to be a list of pairs"):
        dl.frameworks(dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]]), LAPLACE, policy={0: 5})  # pyright: ignore


def test_curves_of_noise_on_whole_numbers_bracket_the_truth() -> None:
    rng = np.random.default_rng(5)
    at = np.array([0.0, 1e-15, 0.2, 1.0, 2.5])
    for case in range(12):
        joint = rng.dirichlet(np.full(6, 0.5)).reshape(2, 3)
        scale = float(rng.choice([0.3, 0.7, 2.0]))
        data = dl.DiscreteData(joint=joint, values=[[0, 1], [0, 1, 4]])
        noise = dl.Geometric(scale=scale) if case % 2 else dl.DiscreteGaussian(sigma=scale)
        curve = data.view(noise, target=0).tradeoff()
        k = np.arange(-120.0, 121.0)
        mass = np.exp(-np.abs(k) / scale) if case % 2 else np.exp(-0.5 * (k / scale) ** 2)
        laws = []
        for v in (0, 1):
            law = np.zeros(300)
            for share, x in zip(joint[v] / joint[v].sum(), (0, 1, 4)):
                law[v + x : v + x + len(k)] += share * mass / mass.sum()
            laws.append(law)
        ways = ((laws[0], laws[1]), (laws[1], laws[0]))
        truth = np.max([[np.maximum(q - np.exp(e) * p, 0).sum() for e in at] for p, q in ways], axis=0)
        assert (curve.profile_bounds(at).hi >= truth - 1e-13).all()
        assert curve.profile_bounds(at).hi == pytest.approx(truth, abs=1e-9)
        assert curve.profile_bounds(at).lo == pytest.approx(truth, abs=1e-9)


def test_chains_answer_any_query() -> None:
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.6, 0.4], [0.3, 0.7]], length=3)
    found = chain.worst(LAPLACE, query=max)
    assert found.leakage == pytest.approx(float(chain.as_data().worst(LAPLACE, query=max).leakage))
    with pytest.raises(InvalidValue, match="use method='exact'"):
        chain.worst(LAPLACE, "runs", query=max)


def test_beliefs_need_what_is_possible() -> None:
    sure = dl.DiscreteData(joint=[[0.5, 0], [0.5, 0]])
    with pytest.raises(InvalidValue, match="Expected known to be possible"):
        _ = sure.view(LAPLACE, target=0, known={1: 1}).prior_law
    twins = dl.DiscreteData(joint=[[0.5, 0], [0, 0.5]])
    with pytest.raises(dl.errors.Undefined, match="leaves at most one"):
        dl.Attack(twins.view(LAPLACE, target=0, known={1: 1}, pair=(0, 1)))


def test_files_that_hold_no_numbers_are_named(tmp_path) -> None:
    pytest.importorskip("duckdb")
    words = tmp_path / "words.csv"
    words.write_text("a,b\nx,1\ny,nan\nz,0.5\n")
    with pytest.raises(InvalidType, match="numbers in column 'a', got VARCHAR"):
        dl.fit_discrete(words, values={"a": [0, 1]})
    with pytest.raises(InvalidType, match="numbers in column 'a', got VARCHAR"):
        dl.fit_gaussian(words, ranges={"a": (0, 1)})
    gaps = tmp_path / "gaps.csv"
    gaps.write_text("b\n1\nnan\n0.5\n")
    with pytest.raises(InvalidValue, match="no gaps in column 'b'"):
        dl.fit_gaussian(gaps, ranges={"b": (0, 1)})
    broken = tmp_path / "broken.parquet"
    broken.write_text("hello")
    with pytest.raises(InvalidValue, match="that DuckDB can read"):
        dl.fit_discrete(broken, values={"a": [0, 1]})


def test_several_laplace_releases_on_gaussian_tuples() -> None:
    """The unknown tuple is shared: its law given the target is integrated out at outputs far out along the shift."""
    data = dl.GaussianData(covariance=[[1.0, 0.6], [0.6, 1.0]], width=1.0)
    releases, weights = [dl.Laplace(scale=1.0), dl.Laplace(scale=2.0)], np.array([[1.0, 1.0], [1.0, -2.0]])
    z, step = np.linspace(-8, 8, 4001, retstep=True)

    def density(x: float, r: tuple[float, float]) -> float:
        other = 0.6 * x + 0.8 * z
        away = sum(abs(r[k] - weights[k, 0] * x - weights[k, 1] * other) / m.scale for k, m in enumerate(releases))
        return float(np.exp(-away - z**2 / 2).sum() * step)

    grid = [(a, b) for a in np.linspace(-40, 40, 9) for b in np.linspace(-40, 40, 9)]
    truth = max(abs(math.log(density(1.0, r) / density(0.0, r))) for r in grid)
    assert data.view(releases, target=0, weights=weights).leakage() == pytest.approx(truth, rel=1e-9)
    assert data.worst(releases, weights=weights).exhaustive


def test_far_sums_do_not_underflow_to_no_leakage() -> None:
    """Who is sure of a far sum leaks all of it: one array of all attackers equals the view of one."""
    for far in (400, 500, 590):
        data = dl.DiscreteData(joint=[[0.5, 0], [0, 0.5]], values=[[0, 1], [0, far]])
        assert float(data.worst(dl.Laplace(scale=1.0)).leakage) == pytest.approx(far + 1, rel=1e-12)


def test_runs_stand_where_their_known_ends_are_possible() -> None:
    """Chains with zeros: a state that comes back every other day, one that is left at once, one never reached."""
    cases = [
        ([0.0, 1.0], [[0.13, 0.87], [1.0, 0.0]], 6),
        ([0.2, 0.8, 0.0], [[0.0, 0.998, 0.002], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]], 5),
        ([1.0, 0.0, 0.0], [[0.0, 0.7, 0.3], [0.0, 0.5, 0.5], [0.0, 1.0, 0.0]], 5),
    ]
    for initial, steps, length in cases:
        chain = dl.MarkovData(initial=initial, transition=steps, length=length)
        runs, everything = (chain.worst(dl.Laplace(scale=1.0), method=m) for m in ("runs", "exact"))
        assert float(runs.leakage) == pytest.approx(float(everything.leakage), abs=1e-10)
        assert max(runs.by_known) == pytest.approx(float(runs.leakage), abs=1e-10)


def test_unknown_records_that_dwarf_the_noise() -> None:
    """A total and the total of the others: their difference leaves the target, however large the others are."""
    for sd in (1e3, 1e6, 1e8):
        data = dl.GaussianData(covariance=np.diag([1.0, sd**2, 1.0]))
        noises = [dl.Gaussian(sigma=1.0)] * 2
        both = data.view(noises, target=0, known=[2], weights=[[1, 1, 1], [0, 1, 1]], pair=(0, 1))
        exact = math.sqrt((sd**2 + 1) / (2 * sd**2 + 1))
        assert both.tradeoff().mu() == pytest.approx(exact, rel=1e-13)
        # a known tuple hides nothing, however large
        one = data.view(noises[0], target=0, known=[1])
        assert one.tradeoff().mu() == pytest.approx(0.5**0.5, rel=1e-13)
        found = dl.GaussianData(covariance=data.covariance, width=[1, 1e-3, 1]).worst(noises[0])
        assert found.by_known[1] == pytest.approx(one.tradeoff().epsilon(1e-5), rel=1e-9)


def test_several_releases_that_do_not_follow_the_target() -> None:
    data = dl.GaussianData(covariance=np.eye(2))
    for noise in (dl.Gaussian(sigma=1.0), dl.Laplace(scale=1.0)):
        view = data.view([noise] * 2, target=0, weights=[[0, 1], [0, 1]], pair=(0, 1))
        assert dl.Attack(view, prior=0.3).posterior([1.0, 2.0]) == pytest.approx(0.3)


def test_gaussian_tuples_in_small_units_still_leak() -> None:
    data = dl.GaussianData(covariance=[[1, 0.5e-14], [0.5e-14, 1e-28]])
    assert float(data.view(dl.Laplace(scale=1e-15), target=0, weights=[0, 1]).leakage()) == pytest.approx(5)


def test_one_unbounded_release_among_several() -> None:
    """Laplace noise first: attackers are still compared at a delta, as the Gaussian release leaks without bound."""
    data = dl.GaussianData(covariance=[[1, 0.5], [0.5, 1]])
    found = data.worst([dl.Laplace(scale=1.0), dl.Gaussian(sigma=1.0)])
    assert found.delta == 1e-5
    assert np.isfinite(float(found.epsilon))
    assert found.leakage.low == np.inf


def test_too_many_runs_are_refused_before_they_are_listed() -> None:
    steps = np.full((999, 2, 2), 0.5)
    steps[500] = [[0.6, 0.4], [0.5, 0.5]]  # it changes with time
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=steps)
    with pytest.raises(dl.DplensError, match="change with time"):
        chain.worst(LAPLACE)


def test_values_far_from_zero_leak_as_they_do_near_it() -> None:
    """Rounding is a few units of the last place, and many sums that close to each other are not one."""
    near = dl.DiscreteData(joint=[[0.5, 0], [0, 0.5]], values=[[0, 2.0**-13]] * 2)
    far = dl.DiscreteData(joint=near.joint, values=[[2.0**30, 2.0**30 + 2.0**-13]] * 2)
    for data in (near, far):
        assert float(data.view(LAPLACE, target=0).leakage()) == pytest.approx(2.0**-12)
        assert data.view(LAPLACE, target=0).tradeoff().epsilon(0.0) == pytest.approx(2.0**-12)
    steps = np.arange(512) * 2.0**-12
    joint = np.zeros((2, 512, 2))
    joint[0, :256], joint[1, 256:] = 1 / 1024, 1 / 1024
    data = dl.DiscreteData(joint=joint, values=[[0, 1], steps, [0, 2.0**33]])
    view = data.view(LAPLACE, target=0, weights=[0, 1, 1])
    assert view.leakage().low < 256 * 2.0**-12 <= view.leakage() == pytest.approx(256 * 2.0**-12, rel=1e-2)


def test_large_unknown_gaussian_tuples_do_not_hide_that_a_small_one_counts() -> None:
    data = dl.GaussianData(covariance=np.diag([1e-14, 1e14]), width=[1e-7, 1.0])
    assert float(data.view(dl.Laplace(scale=1e-7), target=0).leakage()) == pytest.approx(1.0)


@pytest.mark.parametrize("close", [-16, -30])
def test_gaussian_tuples_that_nearly_determine_each_other(close: int) -> None:
    """Each the sum of others but for a little: by fractions, which have no rounding."""
    rng = np.random.default_rng(7)
    loads = rng.integers(-512, 512, size=(5, 5)) / 512
    loads[3], loads[4] = loads[0] + loads[1], loads[2] - loads[1]
    covariance = loads @ loads.T + np.eye(5) * 2.0**close
    data, weights = dl.GaussianData(covariance=covariance), [1.0, 0.5, -2.0, 0.0, -0.75]
    for i, *known in ((0, 1, 3), (1, 0, 2, 4), (2, 1), (3, 0, 2), (4, 0, 1, 3)):
        given = [[Fraction(x) for x in row] for row in covariance.tolist()]
        for k in known:
            given = [[x - row[k] * y / given[k][k] for x, y in zip(row, given[k])] for row in given]
        truth = abs(sum((Fraction(w) * x for w, x in zip(weights, given[i])), Fraction(0)) / given[i][i])
        found = data.view(LAPLACE, target=i, known=known, weights=weights).leakage()
        assert Fraction(found.low) <= truth <= Fraction(found.high)
        assert found.high - found.low <= 1e-6 * found


@pytest.mark.parametrize(("half", "power"), [(1.0, dl.AttackPower(fpr=0.05)), (0.01, dl.AttackPower(fpr=0.3))])
def test_noise_that_ends_on_partly_unknown_gaussian_tuples(half: float, power: dl.AttackPower) -> None:
    sd, shift = 0.8, 1.6  # of the second tuple given the first, and how far both move

    def tail(x: mpmath.mpf) -> mpmath.mpf:
        """P(uniform noise + normal > x), in closed form."""
        ends = [(x - end) / sd for end in (half, -half)]
        first, last = (mpmath.npdf(z) - z * mpmath.erfc(z / mpmath.sqrt(2)) / 2 for z in ends)
        return sd * (first - last) / (2 * half)

    with mpmath.workdps(40):
        threshold = mpmath.findroot(lambda x: tail(x) - power.fpr, (0, 3), solver="anderson", tol=1e-30)
        exact = float(tail(threshold - shift))
    data = dl.GaussianData(covariance=[[1.0, 0.6], [0.6, 1.0]])
    view = data.view(dl.AdditiveNoise(noise=uniform(-half, 2 * half)), target=0)
    found = power.of(view)
    assert found.low <= exact <= found.high
    assert view.leakage() == np.inf
    twice = data.view([view.mechanism, view.mechanism], target=0)
    assert twice.leakage() == np.inf
    assert power.of(twice).high >= exact  # two releases tell no less than one


def test_noise_that_is_not_log_concave_on_gaussian_tuples_is_enclosed() -> None:
    data = dl.GaussianData(covariance=[[1.0, 0.6], [0.6, 1.0]])
    noise = dl.AdditiveNoise(noise=t(df=3))
    x = np.arange(-60, 60, 0.01)
    density = 0.01 * np.convolve(t(df=3).pdf(x), norm(scale=0.8).pdf(np.arange(-800, 801) * 0.01), "same")
    truth = 0.5 * np.sum(np.abs(density[160:] - density[:-160])) * 0.01  # two values move the sum by 1.6
    found = dl.Advantage().of(data.view(noise, target=0))
    assert found.low <= truth <= found.high < dl.Advantage().of(dl.AdditiveNoise(noise=t(df=3), sensitivity=1.61))
    both = data.view([noise, dl.Laplace(scale=1.0)], target=0).leakage()
    assert both.low == 0  # where it falls like a power, nothing says that the largest ratio is attained


def test_noise_next_to_the_ends_of_floats_is_told_without_warnings():
    huge = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]]).view(dl.Laplace(scale=1e308), target=0)
    chain = dl.GaussianChain.ar1(correlation=0.9, length=12, width=1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        with pytest.raises(dl.DplensError, match="so much hides everything"):
            dl.AttackPower(fpr=0.01).of(huge)
        chain.worst(dl.Gaussian(sigma=1e-320))
        with pytest.raises(dl.DplensError, match="no answer in floating-point range"):
            dl.AttackPower(fpr=0.01).of(chain.view(dl.Gaussian(sigma=1e-320), target=5, known=[4, 6]))
