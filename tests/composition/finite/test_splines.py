"""Few steps with atoms and level densities, against sums over their knots in mpmath."""

import itertools
import math
import pickle
import warnings

import numpy as np
import pytest
from mpmath import mp, mpf

import dplens as dl
from dplens.composition.contour.curve import ContourCurve
from dplens.composition.grid.connect_the_dots import connected
from dplens.composition.routes import composed
from dplens.composition.spline.curve import SplineCurve
from dplens.composition.spline.steps import splined
from dplens.composition.spline.sums import Spline, spline_power
from dplens.composition.steps import Steps
from dplens.curves.closed.bounded import LaplaceCurve, LogisticCurve
from tests.composition.oracles import Conditioned, Reference, Residues, approximate_dp, randomized_response

WIDTH = 1e-10


class Signs(Reference):
    """Steps of any scales. ν of a step is e^{−a/2}·(u·δ_a + u·δ_{−a} + v·{θ(a − l) − θ(−a − l)}), θ the unit step.

    Each choice of signs gives a knot, and the product of (u ± v·y) there; y^k stands for (knot − l)₊^{k−1}/(k − 1)!.
    """

    def __init__(self, laplace=(), bounded_range=()):
        parts = [(mpf(a), mpf(1) / 2, mpf(1) / 4) for a in laplace]
        parts += [(mpf(a), mpf(0), 1 / (2 * -mp.expm1(-mpf(a)))) for a in bounded_range]
        self.top = mp.fsum(a for a, _, _ in parts)
        self.knots = []
        with mp.workdps(90):
            for signs in itertools.product((1, -1), repeat=len(parts)):
                series = [mpf(1)]
                for sign, (_, u, v) in zip(signs, parts):
                    series = [u * x + sign * v * y for x, y in zip([*series, 0], [0, *series])]
                self.knots.append((mp.fsum(s * a for s, (a, _, _) in zip(signs, parts)), series))

    def _sum(self, e, rates):
        """Σ over knots above e of ∫ Σ weight·e^{rate·(l − knot)} dν."""
        total = mpf(0)
        for knot, series in self.knots:
            room = knot - e
            if room <= 0:
                continue
            for rate, weight in rates(knot):
                part, power = mpf(1), 1 / room  # ∫ e^{−rate·t}·t^{k−1}/(k − 1)! dt, by parts
                value = series[0]
                shrink = mp.exp(-rate * room)
                for k in range(1, len(series)):
                    power *= room / max(k - 1, 1)
                    part = (part - shrink * (power if k > 1 else 1)) / rate
                    value += series[k] * part
                total += weight * value
        return total

    def call(self, e):
        with mp.workdps(90):
            half = mpf(1) / 2
            scale = mp.exp(-self.top / 2)
            return scale * self._sum(e, lambda a: ((half, mp.exp(a / 2)), (-half, -mp.exp(e - a / 2))))

    def tail(self, e):
        with mp.workdps(90):
            return self._sum(e, lambda a: ((-mpf(1) / 2, mp.exp(-(a + self.top) / 2)),))

    def mirror(self):
        return self


def laplace(*epsilons):
    return composed([(LaplaceCurve(e), 1) for e in epsilons])


def holds(low, truth, high, gap=math.inf):
    width = WIDTH + 5e-15 / gap  # an epsilon is a quotient, which counts next to the largest loss
    assert mpf(low) <= truth * (1 + mpf(10) ** -25)
    assert truth * (1 - mpf(10) ** -25) <= mpf(high)
    assert high - low <= width * high + 1e-300


def agrees(curve, truth, epsilons=(), deltas=(), alphas=(), betas=()):
    assert curve.certificate.route == "spline"
    for e in epsilons:
        ends = [float(end[0]) for end in curve.profile_bounds(np.array([e]))]
        holds(ends[0], truth.delta(e), ends[1], float(1 - e / truth.top))
    for d in deltas:
        ends = [float(end[0]) for end in curve.epsilon_bounds(np.array([d]))]
        holds(ends[0], truth.epsilon(d), ends[1])
    for a in alphas:
        low, high = (float(end[0]) for end in curve.power_bounds(np.array([a]), 1 - np.array([a])))
        holds(low, truth.power(a), high)
    for a in betas:
        low, high = (float(end[0]) for end in curve.beta_bounds(np.array([a]), 1 - np.array([a])))
        holds(low, truth.beta(a), high)


# ---- one scale ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "count"), [(1.0, 2), (1e-4, 3), (50.0, 2), (0.3, 7)])
@pytest.mark.parametrize(("kind", "curve"), [("laplace", LaplaceCurve), ("range", LogisticCurve)])
def test_one_scale(kind, curve, epsilon, count):
    truth, top = Residues(epsilon, count, kind), epsilon * count
    found = composed([(curve(epsilon), count)])
    agrees(found, truth, epsilons=[0.0, 0.3 * top, 0.9 * top, 0.999999 * top], deltas=[1e-12, 1e-30])
    agrees(found, truth, alphas=[1e-12] if count > 3 else [1e-12, 0.3], betas=[0.7] if count > 3 else [0.01, 1 - 1e-6])


@pytest.mark.parametrize("count", [30, 60])
def test_many_of_one_scale(count):
    truth = Residues(1.0, count)
    agrees(composed([(LaplaceCurve(1.0), count)]), truth, epsilons=[0.0, 0.4 * count, 0.95 * count])


@pytest.mark.parametrize(("epsilon", "count", "shares"), [(0.1, 150, [0.3, 0.95]), (0.02, 250, [0.95, 0.999])])
def test_small_steps_of_which_few_fall_between(epsilon, count, shares):
    truth = Residues(epsilon, count)
    agrees(composed([(LaplaceCurve(epsilon), count)]), truth, epsilons=[x * epsilon * count for x in shares])


def test_many_small_steps_by_sums_over_points():
    """A box of M points instead of a level one: at a knot the error is a series in M^−2, which is extrapolated."""
    a, count, e = 0.011, 2330, 184 * 0.011
    tilt = e / (count * a * a)  # so that the losses near e are the likely ones

    def call(points):
        turn = -2j * np.pi * np.fft.fftfreq(8 * points * 512)
        inner = np.arange(1 - points, points, 2)
        place = np.append(inner, [-points, points])
        mass = np.append(np.full(points, a / 2 / points), [0.5, 0.5]) * np.exp(tilt * place * a / points)
        transform = np.exp(np.multiply.outer(turn, place)) @ (mass / mass.sum())
        law = np.fft.ifft(transform**count).real
        loss = np.arange(184 * points, 184 * points + 500 * points) * (a / points)
        weight = np.exp(count * (np.log(mass.sum()) - a / 2) - tilt * loss + e / 2)
        return np.sum(2 * np.sinh((loss - e) / 2) * law[np.rint(loss * points / a).astype(int)] * weight)

    rows = [[call(m) for m in (4, 8, 16)]]
    for order in (1, 2):
        rows.append([(4**order * fine - rough) / (4**order - 1) for rough, fine in itertools.pairwise(rows[-1])])
    found = composed([(LaplaceCurve(a), count)])
    assert found.delta(e) == pytest.approx(rows[-1][0], rel=1e-10)


def test_few_boxes_are_as_good_as_all():
    """Against one step after the other."""
    plain = Spline.of_atoms(np.zeros(1, dtype=np.int64), np.ones(1))
    for _ in range(120):
        plain = plain.times(2**40, 0.5, 0.02)
    found, left_out = spline_power(0.04, 2**40, 120)
    assert found.masses.shape[1] < plain.masses.shape[1] / 2
    assert (found.knots == plain.knots).all()
    assert np.max(np.abs(found.atoms / plain.atoms - 1)) < 1e-13
    ends = np.cumsum(found.masses.sum(axis=1)), np.cumsum(plain.masses.sum(axis=1))
    assert np.max(np.abs(ends[0] / ends[1] - 1)) < 1e-13 + left_out


def test_chances_that_underflow_are_not_taken_for_none():
    """Beyond 38 standard deviations the chances of coins are below the smallest float."""
    count, epsilon = 2330, 0.011
    f = composed([(LaplaceCurve(epsilon), count)])
    assert f.certificate.route == "spline"
    far = 40 * epsilon * math.sqrt(count)
    assert f.delta(far) > 0
    assert f.delta(count * epsilon) == 0
    assert f.epsilon(1e-310) == pytest.approx(count * epsilon, rel=1e-12)
    assert f.epsilon_bounds(np.array([1e-310])).lo[0] < far


def test_groups_of_many_small_steps_raise_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m = dl.Laplace(scale=50.0).fails_with(1e-6).repeat(2000)
        assert dl.Delta(epsilon=0.5).of(m) < dl.Delta(epsilon=0.5).of(m.group(2)) < 1


def test_the_chance_that_no_step_fails_is_not_a_power_of_rounded_numbers():
    kappa, count = 1.197e-9, 50_000
    lost = mpf(1) - mpf(kappa) - mpf(1 - kappa)
    plain, failing = (composed([(f, count)]) for f in (LaplaceCurve(1e-6), LaplaceCurve(1e-6).fails_with(kappa)))
    assert count * lost > 4 * failing.blur  # what such a power would be off by
    seen = mp.exp(count * mp.log1p(-mpf(kappa)))
    alpha = np.array([0.3])
    inner = alpha / float(seen)
    # beta of the whole is seen·f(alpha/seen)
    most = seen * mpf(float(plain.beta_bounds(inner, 1 - inner).hi[0]))
    least = seen * mpf(float(plain.beta_bounds(inner, 1 - inner).lo[0]))
    width = mpf(2e-15)  # of the inner rate
    assert mpf(float(failing.beta_bounds(alpha, 1 - alpha).lo[0])) <= most * (1 + width)
    assert mpf(float(failing.beta_bounds(alpha, 1 - alpha).hi[0])) >= least * (1 - width)


def test_agreement_with_lines_where_both_are_possible():
    steps = [(LaplaceCurve(0.0175), 3700)]
    laws = Steps(tuple(steps)).composition
    assert laws is not None
    spline, lines = splined(steps, laws), ContourCurve(laws, tuple(steps))
    alpha = np.array([1e-9, 1e-3, 0.4, 0.99])
    for ours, theirs in zip(spline.both_bounds(alpha, 1 - alpha), lines.both_bounds(alpha, 1 - alpha)):
        for low, high in ((ours.lo, theirs.hi), (theirs.lo, ours.hi)):
            assert np.all(low <= high)
            assert np.max(np.abs(low / high - 1)) < 1e-9


def test_the_largest_loss_is_the_sum_of_all():
    assert laplace(1.0, 1.0, 1.0).epsilon(0.0) == 3.0
    assert laplace(0.1, 0.7).epsilon(0.0) == 0.8  # rounded down it would be less
    f = laplace(1.0, 0.5)
    assert f.epsilon(1e-300) <= 1.5
    assert f.delta(1.5) == 0.0
    assert f.inverse() is f


# ---- different scales ---------------------------------------------------------------------------------------

MIXED = {
    "two": ((1.0, 0.5), ()),
    "one of them small": ((3.0, 0.01), ()),
    "sums that differ by rounding": ((0.1, 0.2, 0.3), ()),
    "both kinds": ((1.0, 0.7), (0.4,)),
    "bounded range": ((), (1.0, 0.3, 0.11)),
}


@pytest.mark.parametrize("name", MIXED)
def test_different_scales(name):
    with_atoms, without = MIXED[name]
    truth = Signs(with_atoms, without)
    f = composed([(LaplaceCurve(e), 1) for e in with_atoms] + [(LogisticCurve(e), 1) for e in without])
    top = float(truth.top)
    agrees(f, truth, epsilons=[0.0, 0.5 * top, 0.99 * top, top - 1e-9], deltas=[1e-6, 1e-20], alphas=[1e-9, 0.2])
    agrees(f, truth, betas=[0.3, 1 - 1e-6])


def test_four_scales():
    scales = (1.0, 0.63, 0.41, 0.17)
    agrees(laplace(*scales), Signs(scales), epsilons=[0.0, 0.1, 0.7, 1.9, 2.2], deltas=[1e-4])


def test_scales_that_nearly_coincide():
    a, b = 1.0, 1.0 + 4e-16
    agrees(laplace(a, b), Signs((a, b)), epsilons=[0.0, 1.0, 1.99], alphas=[0.01, 0.4])


def test_the_oracle_agrees_with_residues():
    for kind, steps in (("laplace", ((0.7,) * 3, ())), ("range", ((), (0.7,) * 3))):
        one, other = Signs(*steps), Residues(0.7, 3, kind)
        for e in (0.0, 0.5, 1.9):
            assert abs(one.call(mpf(e)) / other.call(mpf(e)) - 1) < mpf(10) ** -30
            assert abs(one.tail(mpf(e)) / other.tail(mpf(e)) - 1) < mpf(10) ** -30


# ---- beside finite steps ------------------------------------------------------------------------------------


def test_randomized_response_and_laplace():
    for epsilon in (0.8, 7.0):  # overlapping, and apart
        truth = Conditioned(randomized_response(epsilon), Signs((1.0, 0.5)))
        f = dl.compose(dl.RandomizedResponse(epsilon=epsilon), dl.Laplace(scale=1.0), dl.Laplace(scale=2.0)).tradeoff()
        agrees(f, truth, epsilons=[0.0, 0.5, 1.9], deltas=[1e-9], alphas=[1e-6, 0.1])


def test_proofs():
    truth = Conditioned(approximate_dp(0.5, 1e-3), Signs((1.0,)))
    f = dl.compose(dl.ApproximateDP(epsilon=0.5, delta=1e-3), dl.Laplace(scale=1.0)).tradeoff()
    agrees(f, truth, epsilons=[0.0, 0.5, 1.4], deltas=[1e-2], alphas=[1e-6, 0.1], betas=[0.3, 0.9])
    assert f.epsilon(9e-4) == math.inf
    assert f.power(0.0) == pytest.approx(1e-3, rel=1e-14)
    failing = composed([(LaplaceCurve(1.0).fails_with(0.25), 2)])
    plain = laplace(1.0, 1.0)
    seen = 0.75**2
    assert failing.certificate.route == "spline"
    assert failing.delta(0.7) == pytest.approx(1 - seen + seen * plain.delta(0.7), rel=1e-13)
    assert failing.power(0.01) == pytest.approx(1 - seen + seen * plain.power(0.01 / seen), rel=1e-13)


def test_two_directions():
    pair = dl.FinitePair(p=[0.6, 0.3, 0.1], q=[0.2, 0.3, 0.5])
    rows = [(mpf(0.6), mpf(0.2)), (mpf(0.3), mpf(0.3)), (mpf(0.1), mpf(0.5))]
    truth = Conditioned(rows, Signs((1.0,)))
    f = composed([(pair.tradeoff("add"), 1), (LaplaceCurve(1.0), 1)])
    for curve, reference in ((f, truth), (f.inverse(), truth.mirror())):
        if curve.delta(0.5) != pytest.approx(float(reference.delta(0.5)), rel=1e-9):
            reference = reference.mirror()  # which of the two is "add" is not the point here
        agrees(curve, reference, epsilons=[0.0, 1.3, 2.0], alphas=[0.05])
    assert f.inverse().inverse() is f


def test_outcomes_with_one_loss():
    parts = ([0.25, 0.25, 0.5], [0.125, 0.125, 0.75]), ([0.5, 0.5], [0.25, 0.75])
    curves = [composed([(dl.FinitePair(p=p, q=q).tradeoff("add"), 1), (LaplaceCurve(0.3), 1)]) for p, q in parts]
    assert [f.certificate.route for f in curves] == ["spline"] * 2
    assert curves[0].delta(0.2) == pytest.approx(curves[1].delta(0.2), rel=1e-13)


# ---- beside other routes ------------------------------------------------------------------------------------


def test_agreement_with_the_grid():
    steps = [(dl.RandomizedResponse(epsilon=1.0).tradeoff(), 1), (LaplaceCurve(1.0), 1)]
    f, grid = composed(steps), connected(steps)
    for e in (0.0, 0.5, 1.5):
        low, high = (end[0] for end in grid.profile_bounds(np.array([e])))
        assert low <= f.delta(e) * (1 + 1e-12)
        assert f.delta(e) <= high
    for a in (0.01, 0.4):
        assert grid.power(a) >= f.power(a) * (1 - 1e-12)


@pytest.mark.parametrize("steps", [[(LogisticCurve(1.0), 20)], [(LaplaceCurve(2.0), 20), (LogisticCurve(0.5), 12)]])
def test_agreement_with_lines(steps):
    f = composed(steps)
    assert f.certificate.route == "spline"
    laws = Steps(tuple(steps)).composition
    assert laws is not None
    lines = ContourCurve(laws, tuple(steps))
    e, alpha = np.array([0.0, 1.0, 5.0]), np.array([1e-6, 0.01, 0.3])
    np.testing.assert_allclose(f.delta(e), lines.delta(e), rtol=1e-10)
    np.testing.assert_allclose(f.power(alpha), lines.power(alpha), rtol=1e-9)
    assert f.renyi(3.0) == pytest.approx(lines.renyi(3.0), rel=1e-13)


def test_more_steps_tell_more():
    steps = [1, 2, 3, 5, 9, 20, 64, 65, 110]
    curves = [dl.Laplace(scale=2.0).repeat(n).tradeoff() for n in steps]
    for less, more in itertools.pairwise(curves):
        assert more.delta(0.3) >= less.delta(0.3)
        assert more.power(0.05) >= less.power(0.05)
        assert more.epsilon(1e-9) >= less.epsilon(1e-9)


def test_which_way_is_taken():
    routes = {
        "spline": [laplace(1.0, 1.0), laplace(*np.linspace(0.1, 1.0, 10)), composed([(LaplaceCurve(0.1), 100)])],
        "contour": [composed([(LaplaceCurve(1.0), 100)]), composed([(LogisticCurve(0.1), 100)])],
    }
    for route, curves in routes.items():
        assert [f.certificate.route for f in curves] == [route] * len(curves)
    many = [(LaplaceCurve(e), 3) for e in np.sqrt(np.arange(1.0, 12.0))]  # far too many knots
    assert not isinstance(composed(many), SplineCurve)


# ---- the curve as a whole -----------------------------------------------------------------------------------


def test_sums_of_sums():
    inner = laplace(1.0, 0.5)
    f, g = composed([(inner, 2)]), composed([(LaplaceCurve(1.0), 2), (LaplaceCurve(0.5), 2)])
    assert f.certificate.route == "spline"
    assert f.delta(0.9) == g.delta(0.9)


def test_summaries():
    f = laplace(1.0, 0.5)
    alphas = np.linspace(0.0, 1.0, 20_001)
    assert dl.AUC().of(f) == pytest.approx(np.trapezoid(f.power(alphas), alphas), abs=1e-7)
    assert f._expect(lambda x: x, True) == pytest.approx(f.renyi_bounds(1.0).mid, rel=1e-13)
    assert f._expect(lambda x: x, False) == pytest.approx(-f.renyi_bounds(1.0).mid, rel=1e-13)
    low, high = f._mu()
    assert high - low < 1e-10
    assert high <= math.hypot(*(LaplaceCurve(e).mu() for e in (1.0, 0.5)))


def test_arrays_and_copies():
    f = dl.Laplace(scale=1.0).repeat(10).tradeoff()
    alphas = np.concatenate([[0.0], np.geomspace(1e-300, 1.0, 400)]).reshape(-1, 1)
    powers = f.power(alphas)
    assert powers.shape == alphas.shape
    assert (np.diff(powers[:, 0]) >= 0).all()
    np.testing.assert_allclose(powers[::50, 0], [f.power(float(a)) for a in alphas[::50, 0]], rtol=1e-12)
    np.testing.assert_allclose(powers[:, 0] + f(alphas)[:, 0], 1.0, atol=1e-11)
    copy = pickle.loads(pickle.dumps(f))
    assert copy.power(0.01) == f.power(0.01)
