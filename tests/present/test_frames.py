"""Frames: their numbers against independent formulas, and the two ends of every bracket."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

import dplens as dl
from dplens.decide.comparison.noise_error import scaled_noise
from dplens.present.frames.kinds import FRAMES
from dplens.present.frames.noise import noise_parameter
from tests import effort

SIGMA = 2.0
GAUSSIAN = dl.Gaussian(sigma=SIGMA)
RELEASES = {
    "gaussian": GAUSSIAN,
    "laplace": dl.Laplace(scale=1.0),
    "many": dl.Laplace(scale=20.0).repeat(50),
    "dpsgd": dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=500),
    "little": dl.Laplace(scale=1000.0),
    "much": dl.Laplace(scale=0.02),
    "failing": dl.ApproximateDP(epsilon=1.0, delta=0.01),
    "hardly_failing": dl.ApproximateDP(epsilon=1.0, delta=1e-30),
    "revealing": dl.UniformSampling(mu=1.0, n=5),
    "answers": dl.RandomizedResponse(epsilon=1.0, categories=3),
    "counts": dl.Geometric(scale=3.0),
    "wide_counts": dl.DiscreteGaussian(sigma=300.0),
    "loose": dl.ZeroConcentratedDP(rho=0.1),
    "nothing": dl.Laplace(scale=1.0).repeat(0),
    "everything": dl.ApproximateDP(epsilon=0.0, delta=1.0),
    "hypothesis": dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2, 3], gamma=1.5),
}
SEARCHING = effort.SEARCHING
# What is asked by default; the search asks everything of everyone.
SOME = ("laplace", "dpsgd", "failing", "hardly_failing", "revealing", "answers", "counts", "nothing", "everything")
FEW = {
    "fscore": ("laplace", "revealing", "nothing", "everything"),
    "output_laws": tuple(r for r in SOME if r != "dpsgd"),
}
OF_A_RELEASE = [
    kind
    for kind in FRAMES
    if kind not in ("leakage", "power_noise", "analyst_power", "feasible", "audit", "comparison")
]


def power(alpha, mu=1 / SIGMA):
    """The textbook formula for the Gaussian mechanism."""
    return stats.norm.sf(stats.norm.isf(alpha) - mu)


def numbers(frame):
    for row in frame.rows:
        yield from (v for v in row.values() if isinstance(v, float))


@pytest.mark.parametrize(
    ("kind", "release"),
    [(k, r) for k in OF_A_RELEASE for r in (RELEASES if SEARCHING else FEW.get(k, SOME))],
)
def test_every_frame_of_every_release_has_sound_numbers(kind, release):
    frame = dl.frame(kind, RELEASES[release])
    assert frame.rows
    assert frame.certificate.route
    assert all(math.isfinite(x) for x in numbers(frame))
    for row in frame.rows:
        for name in [name for name in row if name.endswith("_low")]:
            assert row[name] <= row[name.removesuffix("_low")]
        for name in [name for name in row if name.endswith("_high")]:
            assert row[name] >= row[name.removesuffix("_high")]


def test_two_errors_of_gaussian_noise():
    frame = dl.frame("roc", GAUSSIAN, fpr=0.02)
    alpha = np.array(frame.column("alpha"))
    assert frame.column("power")[1:-1] == pytest.approx(power(alpha[1:-1]), rel=1e-12)
    assert frame.column("beta")[1:-1] == pytest.approx(1 - power(alpha[1:-1]), rel=1e-9)
    assert alpha[0] == 0
    assert alpha[-1] == 1
    assert float(frame.facts["power"]) == pytest.approx(power(0.02), rel=1e-12)
    assert float(frame.facts["advantage"]) == pytest.approx(2 * stats.norm.cdf(0.25) - 1, rel=1e-12)


def test_listed_rows_are_the_answers_to_questions():
    m = RELEASES["dpsgd"]
    for row in dl.frame("roc", m, fpr=0.02).listed():
        answer = dl.AttackPower(fpr=row["alpha"]).of(m)
        assert (row["power"], row["power_low"]) == (answer.high, answer.low)
    for row in dl.frame("posterior", m, fpr=0.02, priors=[0.03, 0.5]).listed():
        assert row["posterior"] == dl.Posterior(prior=row["prior"], fpr=0.02).of(m)
        assert row["negative"] == dl.PosteriorAfterNegative(prior=row["prior"], fpr=0.98).of(m)
    for row in dl.frame("relative_risk", m).listed():
        assert row["ratio"] == dl.RelativeRisk(fpr=row["alpha"]).of(m)
    for row in dl.frame("precision_recall", m).listed():
        assert row["precision"] == dl.Precision(recall=row["recall"], prior=row["prior"]).of(m)
    for row in dl.frame("profile", m, delta=1e-5).listed():
        assert row["delta"] == pytest.approx(dl.Delta(epsilon=row["epsilon"]).of(m), rel=1e-8)


def test_precision_and_posterior_follow_from_the_two_errors():
    frame = dl.frame("precision_recall", GAUSSIAN, priors=[0.2])
    recall = np.array(frame.column("recall"))[:-1]
    accused = stats.norm.sf(stats.norm.isf(recall) + 1 / SIGMA)  # the false-positive rate with that power
    expected = 0.2 * recall / (0.2 * recall + 0.8 * accused)
    assert frame.column("precision")[:-1] == pytest.approx(expected, rel=1e-10)

    frame = dl.frame("posterior", GAUSSIAN, fpr=0.05)
    p = np.array(frame.column("prior"))
    assert frame.column("posterior") == pytest.approx(p * power(0.05) / (p * power(0.05) + (1 - p) * 0.05), rel=1e-12)
    left = stats.norm.cdf(stats.norm.isf(0.95) - 1 / SIGMA)  # missed when only 5 % of the absent are ruled out
    assert frame.column("negative") == pytest.approx(p * left / (p * left + (1 - p) * 0.05), rel=1e-10)
    assert frame.column("most") == pytest.approx(np.ones_like(p))  # Gaussian noise has no limit

    frame = dl.frame("posterior", dl.Laplace(scale=0.5))
    p = np.array(frame.column("prior"))
    assert frame.column("most") == pytest.approx(p * math.e**2 / (p * math.e**2 + 1 - p), rel=1e-12)


def test_relative_risk_and_its_limit():
    frame = dl.frame("relative_risk", GAUSSIAN)
    alpha = np.array(frame.column("alpha"))
    assert frame.column("ratio")[:-1] == pytest.approx(power(alpha[:-1]) / alpha[:-1], rel=1e-12)
    assert math.isinf(frame.facts["limit"])
    assert float(dl.frame("relative_risk", dl.Laplace(scale=0.5)).facts["limit"]) == pytest.approx(math.e**2)


def test_profile_of_gaussian_noise():
    frame = dl.frame("profile", GAUSSIAN, delta=1e-5)
    e, mu = np.array(frame.column("epsilon")), 1 / SIGMA
    expected = stats.norm.cdf(-e / mu + mu / 2) - np.exp(e) * stats.norm.cdf(-e / mu - mu / 2)
    assert frame.column("delta") == pytest.approx(expected, rel=1e-6)
    assert min(frame.column("delta")) == pytest.approx(1e-8, rel=1e-6)  # a thousandth of the delta in use
    assert sorted(frame.column("epsilon")) == frame.column("epsilon")


def test_profiles_that_end_and_profiles_that_never_reach_zero():
    pure = dl.frame("profile", dl.Laplace(scale=0.5))
    assert float(pure.facts["ends_at"]) == pytest.approx(2.0)
    assert max(pure.column("epsilon")) == pytest.approx(2.0)
    failing = dl.frame("profile", RELEASES["failing"])
    assert failing.facts["ends_at"] is None
    assert min(failing.column("delta")) >= 0.01
    assert math.isinf(failing.facts["epsilon"])


def test_fscore_by_brute_force():
    frame = dl.frame("fscore", GAUSSIAN, weight=0.5, prior=0.3, delta=1e-5)
    alpha = np.concatenate([np.geomspace(1e-9, 1e-2, 20_001), np.linspace(0.01, 1 - 1e-9, 200_001)])
    for row in frame.rows:
        if row["series"] != "release":
            continue
        found = power(alpha, row["factor"] ** -1 / SIGMA)
        best = np.max(1.25 * 0.3 * found / (0.25 * 0.3 + 0.3 * found + 0.7 * alpha))
        assert row["fscore"] == pytest.approx(best, rel=1e-6)
    now = next(r for r in frame.rows if r["series"] == "release" and r["factor"] == 1)
    assert now["fscore"] == frame.facts["score"]
    assert now["epsilon"] == frame.facts["epsilon"]
    for row in frame.rows:  # what epsilon and delta allow is at least what the release does
        if row["series"] == "guarantee" and row["factor"] == 1:
            assert row["fscore"] >= now["fscore"]


def test_power_against_noise():
    frame = dl.frame("power_noise", GAUSSIAN, fprs=[0.01])
    noise = np.array(frame.column("noise"))
    assert frame.column("power") == pytest.approx(power(0.01, 1 / noise), rel=1e-12)
    assert frame.facts["parameter"] == "sigma"
    assert [row["noise"] for row in frame.listed()] == [1.0, 2.0, 4.0]
    with pytest.raises(dl.DplensError, match="no noise whose size"):
        dl.frame("power_noise", RELEASES["answers"])


def test_noise_of_everything_made_of_noise():
    m = dl.compose(dl.Gaussian(sigma=1.0).subsample(0.1).repeat(5), dl.Gaussian(sigma=1.0).repeat(2))
    assert scaled_noise(m)(3.0) == dl.compose(
        dl.Gaussian(sigma=3.0).subsample(0.1).repeat(5), dl.Gaussian(sigma=3.0).repeat(2)
    )
    assert noise_parameter(m) == ("sigma", 1.0)
    assert noise_parameter(dl.compose(dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=2.0))) is None
    assert scaled_noise(dl.compose(dl.Gaussian(sigma=1.0), dl.RandomizedResponse(epsilon=1.0))) is None
    failing = dl.Laplace(scale=1.0).group(3).fails_with(0.01)
    assert scaled_noise(failing)(2.0) == dl.Laplace(scale=2.0).group(3).fails_with(0.01)


def test_output_laws_of_continuous_noise():
    frame = dl.frame("output_laws", dl.Laplace(scale=2.0, sensitivity=3.0), fpr=0.1)
    for world, shift in (("absent", 0.0), ("present", 3.0)):
        rows = [r for r in frame.rows if r["world"] == world]
        x = np.array([r["output"] for r in rows])
        assert [r["probability"] for r in rows] == pytest.approx(stats.laplace.pdf(x, shift, 2.0), rel=1e-10)
    assert frame.facts["threshold"] == pytest.approx(stats.laplace.isf(0.1, 0, 2.0))
    assert float(frame.facts["power"]) == pytest.approx(stats.laplace.sf(stats.laplace.isf(0.1, 0, 2.0), 3.0, 2.0))


@pytest.mark.parametrize("release", ["counts", "wide_counts", "answers", "revealing", "dpsgd", "many", "nothing"])
def test_probabilities_of_outputs_add_up(release):
    frame = dl.frame("output_laws", RELEASES[release])
    for world in ("absent", "present"):
        total = math.fsum(r["probability"] for r in frame.rows if r["world"] == world)
        # what lies outside the picture, and what proves a world
        assert 1 - 3e-3 <= total <= 1 + 1e-9


def test_bars_of_whole_numbers():
    frame = dl.frame("output_laws", dl.Geometric(scale=3.0))
    a = math.exp(-1 / 3)
    for row in frame.rows:
        k = row["output"] - (row["world"] == "present")
        assert row["probability"] == pytest.approx((1 - a) / (1 + a) * a ** abs(k), rel=1e-9)


@pytest.mark.parametrize(("scale", "shift"), [(333.0, 20), (30.0, 100), (2.0, 900)])
def test_bars_that_whole_numbers_share_show_one_shape_twice(scale, shift):
    frame = dl.frame("output_laws", dl.Geometric(scale=scale, sensitivity=shift))
    a = math.exp(-1 / scale)
    shape = []
    for world, moved in (("absent", 0), ("present", shift)):
        rows = [r for r in frame.rows if r["world"] == world]
        assert [r["start"] for r in rows[1:]] == [r["end"] for r in rows[:-1]]
        for row in rows:
            held = np.arange(math.ceil(row["start"]), math.floor(row["end"]) + 1) - moved
            expected = math.fsum((1 - a) / (1 + a) * a ** np.abs(held))
            assert row["probability"] == pytest.approx(expected, rel=1e-9, abs=1e-300)
        shape.append({row["output"] - moved: row["probability"] for row in rows})
    common = shape[0].keys() & shape[1].keys()
    assert 0 in common
    assert all(shape[0][x] == shape[1][x] for x in common)
    assert max(shape[0].values()) == max(shape[1].values()) == shape[0][0]


def test_bars_of_whole_numbers_beyond_any_integer_type():
    rows = dl.frame("output_laws", dl.Geometric(scale=1e300)).rows
    assert math.fsum(row["probability"] for row in rows) == pytest.approx(2.0, abs=3e-3)


def drawn(release, world):
    """The bars of a picture of losses: their middles and heights."""
    rows = [row for row in dl.frame("output_laws", release).rows if row["world"] == world]
    assert all(row["start"] < row["output"] < row["end"] for row in rows)
    return np.array([row["output"] for row in rows]), np.array([row["probability"] for row in rows])


def test_two_discrete_gaussians_are_drawn_on_their_lattice():
    release = dl.compose(dl.DiscreteGaussian(sigma=2.0), dl.DiscreteGaussian(sigma=4.0))
    k = np.arange(-80, 81)
    for world, moved in (("absent", 0), ("present", 1)):
        laws = [np.exp(-((k - moved) ** 2) / (2 * s * s)) for s in (2.0, 4.0)]
        masses = np.outer(*(law / law.sum() for law in laws)).ravel()
        losses = np.add.outer((k - 0.5) / 4, (k - 0.5) / 16).ravel()
        output, probability = drawn(release, world)
        assert np.diff(output) == pytest.approx(1 / 16)
        expected = [masses[np.abs(losses - x) < 1e-9].sum() for x in output]
        assert probability == pytest.approx(expected, rel=1e-9)


TWO = dl.compose(dl.DiscreteGaussian(sigma=2.0), dl.DiscreteGaussian(sigma=4.0))
ANSWERS_AND_LAPLACE = dl.compose(dl.RandomizedResponse(epsilon=0.5).repeat(20), dl.Laplace(scale=5.0))
SMOOTH = {
    "two": TWO,
    "many": dl.DiscreteGaussian(sigma=20.0).repeat(50),
    "wide": dl.compose(dl.DiscreteGaussian(sigma=100.0), dl.DiscreteGaussian(sigma=100.0)),
    "answers": dl.RandomizedResponse(epsilon=0.1).repeat(1000),
    # two lattices that interleave without a common one
    "interleaved": dl.compose(dl.DiscreteGaussian(sigma=30.0), dl.RandomizedResponse(epsilon=1e-3 * math.sqrt(2))),
    # laws whose losses no curve lists
    "group": TWO.group(2),
    "replaced": TWO.as_replace(),
    "both directions": TWO.group(2).tradeoff(),
    "sampled": dl.DiscreteGaussian(sigma=4.0).subsample(0.3),
    "beside little Gaussian noise": dl.compose(TWO, dl.Gaussian(sigma=200.0)),
    "beside Laplace noise": ANSWERS_AND_LAPLACE,
    "fewer answers": dl.compose(dl.RandomizedResponse(epsilon=0.5).repeat(12), dl.Laplace(scale=3.0)),
    # lattices that all but coincide
    "near": dl.compose(dl.DiscreteGaussian(sigma=4.0), dl.DiscreteGaussian(sigma=4.0001)),
    "near answers": dl.compose(*(dl.Geometric(scale=s).repeat(20) for s in (2.0, 2.0000001))),
    "less near": dl.compose(*(dl.Geometric(scale=s).repeat(20) for s in (2.0, 2.001))),
}


@pytest.mark.verify
@pytest.mark.parametrize("release", SMOOTH)
@pytest.mark.parametrize("world", ["absent", "present"])
def test_a_law_with_one_peak_is_drawn_with_one(release, world):
    probability = drawn(SMOOTH[release], world)[1]
    assert math.fsum(probability) == pytest.approx(1.0, abs=3e-3)
    top, flat = int(np.argmax(probability)), 1e-3 * probability.max()
    assert (np.diff(probability[: top + 1]) > -flat).all()
    assert (np.diff(probability[top:]) < flat).all()


@pytest.mark.parametrize("world", ["absent", "present"])
def test_clusters_of_losses_are_all_cut_alike(world):
    """Twenty answers, whose losses are 1 apart, and Laplace noise, which spreads each over 0.4: one bar a cluster."""
    rows = [row for row in dl.frame("output_laws", ANSWERS_AND_LAPLACE).rows if row["world"] == world]
    start, end, probability = (np.array([row[key] for row in rows]) for key in ("start", "end", "probability"))
    truth, moved = (1 / (1 + math.exp(-0.5)), 1.0) if world == "present" else (1 / (1 + math.exp(0.5)), 0.0)
    yes = np.arange(21)

    def cdf(x):
        loss = x[:, None] - (yes - 10)
        noise = np.where(loss < 0.2, stats.laplace.cdf((1 + 5 * loss) / 2, moved, 5.0), 1.0)
        return np.where(loss < -0.2, 0.0, noise) @ stats.binom.pmf(yes, 20, truth)

    assert end - start == pytest.approx(1.0, rel=2e-3)
    assert start[1:] == pytest.approx(end[:-1])
    assert (np.abs(start - np.round(start)) > 0.25).all()  # in the gaps
    assert probability == pytest.approx(cdf(end) - cdf(start), abs=1e-9)
    assert math.fsum(probability) == pytest.approx(float(cdf(end[-1:])[0]), abs=1e-9)


def test_losses_of_a_sample_are_drawn_where_they_are():
    k = np.arange(-60, 61)
    absent, present = (np.exp(-((k - moved) ** 2) / 32) for moved in (0, 1))
    absent, present = absent / absent.sum(), 0.7 * absent / absent.sum() + 0.3 * present / present.sum()
    loss = np.log(present / absent)
    for world, law in (("absent", absent), ("present", present)):
        output, probability = drawn(dl.DiscreteGaussian(sigma=4.0).subsample(0.3), world)
        at = np.searchsorted(loss, output - 1e-9)
        assert (np.diff(at) == 1).all()
        assert output == pytest.approx(loss[at], abs=1e-9)
        assert probability == pytest.approx(law[at], abs=1e-9)


def test_losses_too_close_to_be_told_apart_are_one():
    near = dl.compose(dl.Geometric(scale=2.0), dl.Geometric(scale=2.0000001))
    output, probability = drawn(near, "absent")
    likely = 1 / (1 + math.exp(-1 / 2))
    assert output == pytest.approx([-1.0, 0.0, 1.0], abs=1e-6)
    assert probability == pytest.approx([likely**2, 2 * likely * (1 - likely), (1 - likely) ** 2], rel=1e-6)


def test_atoms_beside_a_density_stand_out_by_their_mass():
    """Five Laplace releases: losses of -5, -3, ... have a probability of their own, other losses a density."""
    output, probability = drawn(dl.Laplace(scale=1.0).repeat(5), "absent")
    assert math.fsum(probability) == pytest.approx(1.0, abs=1e-9)
    low = (1 - math.exp(-1)) / 2  # an output between 0 and 1; one below has 1/2, one above exp(-1)/2
    assert low + 1 / 2 + math.exp(-1) / 2 == 1
    for ones in (1, 2):
        atom = stats.binom.pmf(ones, 5, math.exp(-1) / (1 + math.exp(-1))) * (1 - low) ** 5
        i = int(np.argmin(np.abs(output - (2 * ones - 5))))
        beside = (probability[i - 1] + probability[i + 1]) / 2
        assert probability[i] - beside == pytest.approx(atom, rel=0.15)


def test_few_losses_are_drawn_where_they_are():
    output, probability = drawn(dl.Geometric(scale=2.0).repeat(2), "absent")
    a = math.exp(-1 / 2)
    likely = 1 / (1 + a)  # an output that speaks for absence
    assert output == pytest.approx([-1.0, 0.0, 1.0])
    assert probability == pytest.approx([likely**2, 2 * likely * (1 - likely), (1 - likely) ** 2])
    failing, kept = drawn(dl.Geometric(scale=2.0).fails_with(0.1), "absent")
    assert failing == pytest.approx([-0.5, 0.5])
    assert kept == pytest.approx([0.9 * likely, 0.9 * (1 - likely)])


def test_every_answer_of_a_randomised_response_is_an_outcome():
    rows = dl.frame("output_laws", dl.RandomizedResponse(epsilon=1.0, categories=4)).rows
    truth, other = np.exp(1) / (np.exp(1) + 3), 1 / (np.exp(1) + 3)
    shares = [row["probability"] for row in rows if row["world"] == "absent"]
    assert shares == pytest.approx([truth, other, other, other])
    assert dl.frame("output_laws", dl.RandomizedResponse(epsilon=1.0, categories=500)).facts["scale"] == "loss"


def test_icons_are_grouped_paired_and_in_one_order():
    frame = dl.frame("icons", dl.Laplace(scale=1.0), prior=0.1, fpr=0.01)
    counts = {p: [r["person"] for r in frame.rows if r["panel"] == p] for p in ("without", "with")}
    assert counts["without"] == ["right"] * 10 + ["wrong"] * 90
    assert counts["with"] == ["right"] * 10 + ["added"] * 14 + ["wrong"] * 76
    assert (frame.facts["before"], frame.facts["after"], frame.facts["out_of"]) == (10, 24, 100)
    assert [r["index"] for r in frame.rows] == [*range(100), *range(100)]


def test_icons_of_a_thousand_where_a_hundred_hides_the_change():
    facts = dl.frame("icons", dl.Laplace(scale=100.0), prior=0.1).facts
    assert facts["out_of"] == 1000
    assert facts["after"] >= 1000 * float(facts["posterior"]) > facts["after"] - 1


def test_leakage_by_knowledge():
    independent = dl.DiscreteData(joint=[[0.25, 0.25], [0.25, 0.25]], values=[[0, 1], [0, 1]])
    frame = dl.frame("leakage", independent.worst(dl.Laplace(scale=1.0)))
    assert frame.column("known") == [0, 1]
    assert max(frame.column("epsilon")) == pytest.approx(frame.facts["unrelated"])
    same = dl.DiscreteData(joint=[[0.5, 0.0], [0.0, 0.5]], values=[[0, 1], [0, 1]])
    frame = dl.frame("leakage", same.worst(dl.Laplace(scale=1.0)))
    assert float(frame.facts["leakage"]) == pytest.approx(2.0)  # both move together: twice the sensitivity


def test_a_frame_is_plain_values():
    frame = dl.frame("relative_risk", GAUSSIAN)
    data = frame.to_dict()
    assert data["facts"]["limit"]["value"] == "inf"
    assert data["certificate"]["route"] == "exact"
    head, first, *_ = frame.to_csv().splitlines()
    assert head == "alpha,ratio,ratio_low,listed"
    assert float(first.split(",")[1]) == frame.rows[0]["ratio"]


@pytest.mark.parametrize(
    ("kind", "target", "settings", "message"),
    [
        ("pie", GAUSSIAN, {}, "Expected kind to be 'roc'"),
        ("roc", "gaussian", {}, "Expected target to be a mechanism"),
        ("roc", GAUSSIAN, {"frp": 0.1}, "Expected a setting of roc to be 'fpr' or 'smallest', got 'frp'"),
        ("roc", GAUSSIAN, {"fpr": 0.0}, r"Expected fpr in the open interval \(0, 1\)"),
        ("roc", GAUSSIAN, {"smallest": 0.5}, r"Expected smallest in \(0, 0.01\)"),
        ("posterior", GAUSSIAN, {"priors": []}, "Expected priors to be a non-empty list"),
        ("posterior", GAUSSIAN, {"priors": [0.1, 1.0]}, "Expected prior in the open interval"),
        ("profile", GAUSSIAN, {"delta": 2}, r"Expected delta in \[0, 1\]"),
        ("power_noise", GAUSSIAN, {"factors": [0.0]}, "Expected factors > 0"),
        ("leakage", GAUSSIAN, {}, "Expected worst to be a worst attacker"),
    ],
)
def test_bad_requests_are_named(kind, target, settings, message):
    with pytest.raises(dl.DplensError, match=message):
        dl.frame(kind, target, **settings)


class ZTest:
    """A one-sided z-test of a mean under Gaussian noise, by the textbook."""

    effect, level = 0.2, 0.05

    def power(self, mechanism=None, *, effect=None):
        sd = math.hypot(0.25 / math.sqrt(25), mechanism.sigma if mechanism else 0.0)
        return stats.norm.sf(stats.norm.isf(self.level) - (self.effect if effect is None else effect) / sd)


def test_power_of_the_analyst():
    frame = dl.frame("analyst_power", ZTest(), mechanism=dl.Gaussian(sigma=0.1))
    assert list(dict.fromkeys(frame.column("series"))) == ["none", "noise", "twice"]
    sigmas = {"none": 0.0, "noise": 0.1, "twice": 0.2}
    for row in frame.rows:
        sd = math.hypot(0.05, sigmas[row["series"]])
        assert row["power"] == pytest.approx(stats.norm.sf(stats.norm.isf(0.05) - row["effect"] / sd))
    assert [row["effect"] for row in frame.listed()] == [0.2] * 3
    assert frame.facts["power_none"] > frame.facts["power_noise"] > frame.facts["power_twice"]
    with pytest.raises(dl.DplensError, match="Expected test to be a test of the analyst"):
        dl.frame("analyst_power", GAUSSIAN)


def decision(*ranges):
    """What the two doors return, as far as a picture reads it."""
    options = [
        SimpleNamespace(
            family=name,
            admissible=True,
            noise=low,
            feasible=SimpleNamespace(parameter="sigma", low=low, high=high, empty=low > high),
        )
        for name, low, high in ranges
    ]
    return SimpleNamespace(options=options, recommended=next((o for o in options if not o.feasible.empty), None))


def test_ranges_of_noise():
    frame = dl.frame("feasible", decision(("gaussian", 1.0, 3.0), ("laplace", 2.0, 1.0), ("other", 0.5, math.inf)))
    assert [(r["low"], r["high"], r["empty"]) for r in frame.rows] == [
        (1.0, 3.0, False),
        (2.0, 1.0, True),
        (0.5, None, False),
    ]
    assert frame.facts["recommended"] == "gaussian"
    assert not frame.facts["empty"]
    assert dl.frame("feasible", decision(("laplace", 2.0, 1.0))).facts["empty"]
    with pytest.raises(dl.DplensError, match="No family of noise has a range"):
        dl.frame("feasible", decision())
    with pytest.raises(dl.DplensError, match="Expected decision to be a decision"):
        dl.frame("feasible", GAUSSIAN)


def test_numbers_of_known_records_that_were_not_compared_are_left_out():
    worst = dl.GaussianData(covariance=np.eye(6)).worst(dl.Laplace(scale=1.0), "greedy")
    frame = dl.frame("leakage", worst)
    assert 0.0 in worst.by_known  # not looked at: a climb ends soon
    assert 0.0 not in frame.column("epsilon")
    assert frame.facts["skipped"] == worst.by_known.count(0.0)
    assert "others may learn more, up to an epsilon of 1." in dl.chart("leakage", worst).alt
    assert max(frame.column("epsilon")) == pytest.approx(float(worst.leakage), rel=1e-9)


def test_a_profile_is_drawn_past_where_only_proofs_are_left():
    """Beyond epsilon the delta of an (epsilon, delta) guarantee stays what it is, and the picture shows that."""
    rows = dl.frame("profile", dl.ApproximateDP(epsilon=1.0, delta=1e-5)).rows
    beyond = [row["delta"] for row in rows if row["epsilon"] > 1.001]
    assert len(beyond) > 5
    assert beyond == pytest.approx([1e-5] * len(beyond))


@pytest.mark.parametrize("release", [dl.Geometric(scale=2.0).repeat(5), dl.RandomizedResponse(epsilon=1.0).repeat(3)])
def test_lines_through_the_points_are_the_curve_where_it_has_corners(release):
    """Between the points of a frame, straight lines are exact: no corner is cut."""
    rows = [row for row in dl.frame("roc", release).rows if row["alpha"] > 0]
    alpha, power = (np.array([row[name] for row in rows]) for name in ("alpha", "power"))
    between = np.linspace(0.001, 0.999, 2001)
    _, exact = release.tradeoff().power_bounds(between, 1 - between)
    assert np.max(np.abs(np.interp(between, alpha, power) - exact)) < 1e-9


def test_delta_is_drawn_down_to_where_it_vanishes():
    rows = dl.frame("profile", dl.Laplace(scale=2.0), delta=1e-6).rows
    deltas = [row["delta"] for row in rows if row["delta"] > 1e-8]
    assert all(a < 10 * b for a, b in itertools.pairwise(deltas))  # on a logarithmic axis no stretch is long
