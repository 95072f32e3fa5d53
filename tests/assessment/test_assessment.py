"""The assessment: every answer with its certificate, lossless round trips, what changed."""

import dataclasses
import itertools
import json
import math

import numpy as np
import pytest
import scipy.stats

import dplens as dl
from dplens.describe.analyses import read_test
from dplens.describe.models import read_model, write_model
from dplens.describe.releases import read_release, write_release
from dplens.errors import InvalidValue
from dplens.present.card import RiskCard
from dplens.present.report import write_report
from dplens.telling import LANGUAGES

COUPLE = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]])
RELEASES = [
    dl.Gaussian(sigma=2.0),
    dl.Laplace(scale=1.0, sensitivity=0.3, neighbours="replace"),
    dl.Geometric(scale=2.0, sensitivity=2),
    dl.DiscreteGaussian(sigma=2.0),
    dl.Staircase(epsilon=1.0),
    dl.RandomizedResponse(epsilon=1.0, categories=4),
    dl.Exponential(epsilon=0.7),
    dl.UniformSampling(mu=1.0, n=777),
    dl.FinitePair(p=[0.7, 0.2, 0.1], q=[0.1, 0.2, 0.7]),
    dl.AdditiveNoise(noise=scipy.stats.t(df=3, scale=2.0)),
    dl.ContinuousPair(p=scipy.stats.norm(), q=scipy.stats.norm(1, 1.5)),
    dl.ApproximateDP(epsilon=1.0, delta=1e-6),
    dl.GaussianDP(mu=0.5),
    dl.RenyiDP(orders=[2.0, math.inf], epsilons=[0.3, math.inf]),
    dl.ZeroConcentratedDP(rho=0.1),
    dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=1000),
    dl.Gaussian(sigma=1.0).subsample(0.1).repeat(20).group(2).fails_with(1e-6),
    dl.compose(dl.Gaussian(sigma=2.0), dl.Laplace(scale=3.0).repeat(4)),
    dl.Gaussian(sigma=1.0).as_replace(),
    dl.Laplace(scale=1.0).repeat(0),
    dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2, 3], gamma=1.5),
]


@pytest.mark.parametrize("release", RELEASES, ids=repr)
def test_a_release_survives_the_way_through_json(release):
    assert read_release(json.loads(json.dumps(write_release(release)))) == release


def test_epochs_become_the_rate_and_the_steps_they_stand_for():
    with pytest.warns(dl.DplensWarning, match="Poisson"):
        training = dl.DPSGD(noise_multiplier=1.0, epochs=5, batch_size=10, n=1000)
    again = read_release(write_release(training))
    assert (again.sample_rate, again.steps) == (0.01, 500)
    assert dl.assess(training).assumptions.n == 1000


@pytest.mark.parametrize("i", [0, 1, 5, 7, 12, 15, 17, 19])
def test_an_assessment_round_trips_without_loss(i):
    made = dl.assess(RELEASES[i], adversary={"a neighbour": dl.Adversary(prior=0.2)}, n=777, title="ü")
    again = dl.Assessment.from_json(made.to_json())
    assert again == made
    assert again.to_json() == made.to_json()
    assert again.words() == made.words()
    assert [a.estimate.certificate for a in again.answers] == [a.estimate.certificate for a in made.answers]
    assert dl.Advantage().of(again.mechanism) == dl.Advantage().of(RELEASES[i])


def test_related_records_round_trip():
    data = dl.RelatedData(
        model=COUPLE, weights=[1.0, 2.0], attackers=[dl.Knowing(target=0, known={1: 1.0}, name="a spouse")]
    )
    made = dl.assess(dl.Laplace(scale=1.0), data=data, limits=[dl.Epsilon(delta=0.0).at_most(3.0)])
    assert dl.Assessment.from_json(made.to_json()) == made
    assert made.related.attackers[0].known == ((1, 1.0),)
    assert {v.about for v in made.limits} == {"release", "related", "a spouse"}
    view = COUPLE.view(dl.Laplace(scale=1.0), target=0, known={1: 1.0}, weights=[1.0, 2.0])
    assert made.related.attackers[0].leakage == view.leakage()


@pytest.mark.parametrize(
    "model",
    [
        COUPLE,
        dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.3, 0.7]], length=5, values=[1.0, 3.0]),
        dl.GaussianData(covariance=[[1.0, 0.5], [0.5, 1.0]], width=2.0),
        dl.GaussianChain.ar1(correlation=0.5, length=5),
    ],
    ids=repr,
)
def test_data_models_round_trip(model):
    again = read_model(json.loads(json.dumps(write_model(model))))
    assert write_model(again) == write_model(model)
    assert again.worst(dl.Laplace(scale=1.0)).leakage == model.worst(dl.Laplace(scale=1.0)).leakage


def test_the_worst_attacker_is_that_of_the_model():
    made = dl.assess(dl.Laplace(scale=1.0), data=COUPLE)
    assert made.related.worst.leakage == COUPLE.worst(dl.Laplace(scale=1.0)).leakage
    assert dl.Assessment.from_json(made.to_json()) == made


def test_every_answer_is_what_the_question_says_and_has_a_certificate():
    release = dl.compose(dl.Gaussian(sigma=2.0), dl.Laplace(scale=3.0))
    made = dl.assess(release, questions=[dl.FScore(prior=0.3)])
    for a in made.answers:
        direct = a.question.of(release)
        assert (float(a.estimate), a.estimate.low, a.estimate.high) == (float(direct), direct.low, direct.high)
        assert a.route
        assert a.width >= 0
    assert dl.FScore(prior=0.3) in {a.question for a in made.answers}


@pytest.mark.parametrize(
    ("n", "delta"), [(1, 1e-1), (9, 1e-2), (10, 1e-2), (500, 1e-4), (1000, 1e-4), (48_200, 1e-6), (10**9, 1e-10)]
)
def test_delta_is_chosen_at_or_below_a_tenth_of_one_in_n(n, delta):
    assumed = dl.assess(dl.Laplace(scale=1.0), n=n).assumptions
    assert (assumed.delta, assumed.delta_source) == (delta, "from_n")
    assert delta <= 1 / (10 * n) < 10 * delta * (1 + 1e-9)


@pytest.mark.parametrize(
    "release",
    [
        dl.UniformSampling(mu=1.0, n=60_000),
        dl.UniformSampling(mu=1.0, n=60_000).repeat(3),
        dl.compose(dl.UniformSampling(mu=1.0, n=60_000), dl.UniformSampling(mu=1.0, n=600)),
    ],
)
def test_a_number_of_records_that_contradicts_the_release_is_refused(release):
    with pytest.raises(InvalidValue, match=r"^Expected n to be what the release says, which has n=60000, got 600\."):
        dl.assess(release, n=600)
    content = {"n": 600, "releases": [{"mechanism": "uniform_sampling", "mu": 1.0, "n": 60_000}]}
    with pytest.raises(InvalidValue, match=r"^scenario, n: Expected n to be what the release says"):
        dl.Scenario.of(content)
    assert dl.Scenario.of({**content, "n": 60_000}).assess().assumptions.n == 60_000


def test_who_has_only_epsilon_at_hand_is_told_what_to_give():
    with pytest.raises(InvalidValue, match=r"scale is sensitivity/epsilon\. .* that is approximate_dp\."):
        read_release({"mechanism": "laplace", "epsilon": 1.0})


def test_limits_are_judged_on_the_safe_side():
    release = dl.Gaussian(sigma=2.0)
    exact = dl.Advantage().of(release)
    kept = dl.assess(release, limits=[dl.Advantage().at_most(exact.high)])
    broken = dl.assess(
        release, limits=[dl.Advantage().at_most(exact.low * (1 - 1e-12)), dl.MinFPR(fnr=0.5).at_least(0.9)]
    )
    assert kept.passed
    assert "limit_exceeded" not in kept.warnings
    assert not broken.passed
    assert [v.met for v in broken.limits] == [False, False]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"mechanism": dl.Gaussian(sigma=1.0), "delta": 1e-3, "n": 1000}, "delta_not_below_one_in_n"),
        ({"mechanism": dl.ApproximateDP(epsilon=1.0, delta=1e-3), "n": 1000}, "proof_not_below_one_in_n"),
        ({"mechanism": dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=1000)}, "poisson_batches"),
        (
            {"mechanism": dl.Gaussian(sigma=1.0, neighbours="replace").subsample(0.1, "without_replacement")},
            "uniform_batches",
        ),
        ({"mechanism": dl.Gaussian(sigma=1.0)}, "relations_not_modelled"),
        ({"mechanism": dl.Laplace(scale=1.0), "data": COUPLE}, "related_worse"),
        ({"mechanism": dl.ApproximateDP(epsilon=1.0)}, "guarantee_only"),
        ({"mechanism": dl.compose(dl.GaussianDP(mu=1.0), dl.Gaussian(sigma=2.0))}, "guarantee_in_part"),
        ({"mechanism": dl.UniformSampling(mu=1.0, n=100)}, "catastrophic"),
    ],
)
def test_what_users_overlook_is_warned_of(arguments, code):
    release = arguments.pop("mechanism")
    made = dl.assess(release, **arguments)
    assert code in made.warnings
    assert dl.assess(dl.Laplace(scale=1.0), delta=1e-6, n=1000).warnings == ("relations_not_modelled",)


def test_independent_records_are_no_reason_to_warn():
    apart = dl.DiscreteData.independent(marginals=[[0.5, 0.5], [0.3, 0.7]])
    assert "related_worse" not in dl.assess(dl.Laplace(scale=1.0), data=apart).warnings


def test_another_attacker_than_the_worst_by_epsilon_is_warned_of():
    """Of four days, who knows nothing has the larger advantage (half the distance of two mixtures, summed here)."""
    days = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.2, 0.8]], length=4)
    release = dl.Gaussian(sigma=2.0, sensitivity=2.05)
    made = dl.assess(release, data=days)
    own, by_epsilon = (
        {a.question: a.estimate for a in answers} for answers in (made.answers, made.related.worst.answers)
    )
    assert all(e.low <= own[q].high for q, e in by_epsilon.items() if q in own)
    x, laws = np.linspace(-16.0, 20.0, 20_001), np.zeros((2, 20_001))
    for path in itertools.product((0, 1), repeat=4):
        chance = np.prod([0.8 if a == b else 0.2 for a, b in itertools.pairwise(path)])
        laws[path[1]] += chance * np.exp(-0.5 * ((x - sum(path)) / 2) ** 2)
    laws /= laws.sum(axis=1, keepdims=True)
    advantage = 0.5 * np.abs(laws[0] - laws[1]).sum()
    of_all = next(a.estimate for a in made.related.everyone if a.question == dl.Advantage())
    assert own[dl.Advantage()].high < advantage < of_all.high + 1e-6
    assert "related_worse" in made.warnings
    assert dl.Assessment.from_json(made.to_json()).related == made.related


def test_a_limit_within_a_wide_bracket_is_neither_kept_nor_exceeded(tmp_path):
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.2, 0.8]], length=30)
    made = dl.assess(dl.Laplace(scale=2.0), data=chain, limits=[dl.Advantage().at_most(0.5)])
    assert [(v.met, v.open) for v in made.limits] == [(True, False), (False, True)]
    assert not made.passed
    assert "limit_open" in made.warnings
    assert "limit_exceeded" not in made.warnings
    page = write_report(made, tmp_path / "open.md", charts=[])
    assert "We could not prove that 1 of 2 limits are met." in page.read_text()
    said = str(made.words())
    assert "A limit is neither proved nor broken" in said
    assert "another attacker may be surer, but none reaches more than 40." in said or "none reaches more than" in said


@pytest.mark.parametrize(
    "model",
    [
        COUPLE,
        dl.GaussianData(covariance=[[1.0, 0.5], [0.5, 1.0]]),
        dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.2, 0.8]], length=2),
    ],
)
def test_a_model_whose_tuples_change_more_than_was_declared_is_refused(model):
    """Each tuple moves the sum by 1: noise made for 0.4 would be said to protect two and a half times better."""
    for release in (
        dl.Laplace(scale=1.0, sensitivity=0.4),
        dl.Laplace(scale=1.0, sensitivity=0.9, neighbours="replace"),
    ):
        with pytest.raises(InvalidValue, match=r"up to 1 by tuple 0\. .*weights"):
            dl.assess(release, data=model)
    assert dl.assess(release, data=dl.RelatedData(model=model, weights=[0.4, 0.4])).related is not None


def test_the_setting_is_local_for_randomised_response_and_asked_for_beside_other_releases():
    """A response shows who took part: membership is not said to be hidden unless someone says so."""
    coin = dl.RandomizedResponse(epsilon=1.0)
    assert dl.assess(coin.repeat(3)).assumptions.setting == "local"
    mixed = dl.compose(coin, dl.Laplace(scale=1.0))
    for ask in (dl.assess, lambda m: dl.risk_card(m, delta=1e-6)):
        with pytest.raises(InvalidValue, match=r"setting to be given, central or local"):
            ask(mixed)
    with pytest.raises(InvalidValue, match=r"about to be given"):
        dl.chart("roc", mixed)
    assert "in the data" not in dl.assess(mixed, setting="local").words()
    for central in (dl.assess(mixed, setting="central"), dl.assess(coin, setting="central")):
        assert "not that someone answered" in central.words()


def test_a_sensitivity_for_added_records_is_not_silently_one_for_two_answers():
    """Values in [-1, 1] change a sum by 1 when they are added and are 2 apart: said where nothing says replace."""
    added, replaced = dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=1.0, sensitivity=2.0, neighbours="replace")
    said = dl.assess(added, setting="local")
    assert "answers_apart" in said.warnings
    assert dl.Assessment.from_json(said.to_json()) == said
    assert "largest distance between two true answers of one person" in " ".join(RiskCard(said).assumptions())
    for stated in (replaced, added.as_replace(), dl.RandomizedResponse(epsilon=1.0)):
        assert "answers_apart" not in dl.assess(stated, setting="local").warnings
    power = dl.AttackPower(fpr=0.01)
    twice = dl.assess(added.as_replace(), setting="local").answer(power)
    assert twice == pytest.approx(dl.assess(replaced, setting="local").answer(power))
    assert "answers_apart" not in dl.assess(added).warnings
    # the model's two values are 1 apart, the two answers at most 0.5
    with pytest.raises(InvalidValue, match=r"data to change what is published by no more than declared"):
        dl.assess(dl.Laplace(scale=1.0, sensitivity=0.5), data=COUPLE, setting="local")


def test_many_related_releases_are_bounded_by_their_leakage():
    """Four Laplace releases of a couple's sum: a simulated best attack lies inside the bracket, named for it."""
    found = dl.assess(dl.Laplace(scale=1.0).repeat(4), data=COUPLE, limits=dl.Advantage().at_most(0.9)).related
    rng, sums = np.random.default_rng(5), np.arange(3.0)
    laws = np.array([[0.8, 0.2, 0.0], [0.0, 0.2, 0.8]])

    def ratios(law):
        seen = rng.choice(sums, 40_000, p=law)[:, None] + rng.laplace(size=(40_000, 4))
        densities = np.exp(-np.abs(seen[:, None, :] - sums[:, None]).sum(axis=2))
        return np.divide(*(laws[::-1] @ densities.T))

    without, with_ = map(ratios, laws)
    assert math.log(with_.max()) == pytest.approx(found.worst.leakage)
    for fpr in (0.1, 0.01):
        power = float((with_ > np.quantile(without, 1 - fpr)).mean())
        told = next(a for a in found.worst.answers if a.question == dl.AttackPower(fpr=fpr))
        assert told.estimate.low < power < told.estimate.high
        assert told.route == "leakage"


def test_a_sample_protects_no_one_who_is_seen_to_respond():
    """Whoever sees a response knows that its person was asked: his odds grow by the response's own factor."""
    rate, epsilon = 0.1, 1.0
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    seen = [[1 - rate, rate * share, rate * (1 - share)] for share in (truth, 1 - truth)]  # silent, yes, no
    sampled = dl.RandomizedResponse(epsilon=epsilon).subsample(rate)
    odds = max(p / q for p, q in zip(*seen, strict=True))
    assert odds > 2 * dl.RelativeRisk().of(sampled)
    assert dl.RelativeRisk().of(dl.RandomizedResponse(epsilon=epsilon)) == pytest.approx(odds)
    for setting in (None, "local"):
        with pytest.raises(InvalidValue, match="sample_rate to be left out in the local setting"):
            dl.assess(sampled, setting=setting)
    central = dl.assess(sampled, setting="central")  # where the holder of the data keeps secret who was asked
    assert (central.assumptions.setting, central.assumptions.sampling) == ("central", ("poisson",))


def test_changes_are_told_and_only_those():
    before, after = dl.assess(dl.Gaussian(sigma=1.0), n=500), dl.assess(dl.Gaussian(sigma=2.0), n=500)
    changed = after.changes_since(before)
    assert [(c.place, c.before, c.after) for c in changed.inputs] == [("release.sigma", 1.0, 2.0)]
    assert changed.risk == "lower"
    assert before.changes_since(after).risk == "higher"
    assert before.changes_since(before).risk == "same"
    assert "The risk is lower than before." in str(changed)
    assert str(before.changes_since(before)) == "Nothing changed."
    assert dl.assess(dl.Laplace(scale=1.0)).changes_since(dl.assess(dl.Gaussian(sigma=1.0))).risk == "mixed"
    json.dumps(changed.to_dict(), allow_nan=False)


def test_a_limit_that_breaks_is_among_the_changes():
    limit = dl.Advantage().at_most(0.3)
    before, after = (dl.assess(dl.Gaussian(sigma=s), limits=[limit]) for s in (2.0, 1.0))
    assert "no longer prove a limit that we proved before: the attacker's advantage over guessing, at most 30 %" in str(
        after.changes_since(before)
    )


MEAN = dl.MeanTest(
    n=100, sd=dl.PlanningValue(value=0.25, source="worst_case", note="values in [0, 0.5]"), effect=0.2, level=0.01
)


@pytest.mark.parametrize(
    "test",
    [
        MEAN,
        dl.MeanTest(n=100, bounds=(0, 1), effect=-0.2, alternative="smaller", null=0.5),
        dl.TwoMeansTest(n=50, sd=1.0, effect=0.5, alternative="two-sided"),
        dl.ProportionTest(n=50, null=0.3, effect=0.2),
        dl.TwoProportionsTest(n=40, baseline=0.3, effect=0.2),
    ],
    ids=repr,
)
def test_tests_of_the_analyst_round_trip(test):
    noise = dl.Laplace(scale=0.05)
    made = dl.assess(noise, analyst=test)
    assert dl.Assessment.from_json(made.to_json()) == made
    assert read_test(json.loads(made.analyst[0].test)) == test
    assert (made.analyst[0].power, made.analyst[0].power_without_noise) == (test.power(noise), test.power())


def test_the_analyst_reads_one_number_and_may_need_a_power():
    noise = dl.Gaussian(sigma=0.05, sensitivity=0.01)
    made = dl.assess(noise.repeat(4), analyst={"a": dl.Analysis(test=MEAN, min_power=0.8), "b": MEAN})
    assert [a.name for a in made.analyst] == ["a", "b"]
    assert made.analyst[0].power == MEAN.power(noise)
    assert made.passed
    missed = dl.assess(noise, analyst=dl.Analysis(test=MEAN, min_power=0.9))
    assert not missed.passed
    assert "power_missed" in missed.warnings
    several = dl.compose(noise, dl.Laplace(scale=1.0))
    with pytest.raises(dl.DplensError, match="several parts"):
        dl.assess(several, analyst=MEAN)
    assert dl.assess(several, analyst=dl.Analysis(test=MEAN, mechanism=noise)).analyst[0].power == MEAN.power(noise)


class Homemade(dl.Laplace):
    """A release that files cannot hold."""


def test_a_release_that_files_cannot_hold_keeps_its_answers():
    made = dl.assess(Homemade(scale=1.0))
    again = dl.Assessment.from_json(made.to_json())
    assert again == made
    with pytest.raises(dl.DplensError, match="cannot be rebuilt"):
        dl.Advantage().of(again.mechanism)


class Undetermined(dl.Question):
    """A question that floats cannot answer."""

    def _read(self, curve):
        return math.nan


def test_answers_that_are_no_numbers_are_refused():
    with pytest.raises(dl.DplensError, match="no answer in floating-point range"):
        dl.assess(dl.Laplace(scale=1.0), questions=[Undetermined()])


def test_it_is_frozen():
    made = dl.assess(dl.Laplace(scale=1.0))
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.title = "x"
    with pytest.raises(dl.DplensError, match="was not asked"):
        made.answer(dl.FScore(prior=0.123))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"mechanism": 3}, "mechanism"),
        ({"mechanism": dl.Gaussian}, "mechanism"),
        ({"adversary": 0.1}, "adversary"),
        ({"questions": [3]}, r"questions\[0\]"),
        ({"limits": [dl.Advantage()]}, r"limits\[0\]"),
        ({"limits": 3}, "limits"),
        ({"delta": 1.0}, "delta"),
        ({"n": 0}, "n "),
        ({"unit": " "}, "unit"),
        ({"fpr": 1}, "fpr"),
        ({"setting": "remote"}, "setting"),
        ({"data": 3}, "model"),
        ({"analyst": 3}, "test"),
        ({"mechanism": dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=1000), "analyst": MEAN}, "noise"),
        ({"declared": "x"}, "declared"),
        ({"mechanism": dl.Laplace(scale=1.0).repeat(50), "data": COUPLE}, "1 to 12"),
        ({"mechanism": dl.RandomizedResponse(epsilon=1.0), "data": COUPLE}, "mechanism"),
    ],
)
def test_bad_arguments_are_named(arguments, named):
    arguments = {"mechanism": dl.Gaussian(sigma=1.0), **arguments}
    with pytest.raises(dl.DplensError, match=named):
        dl.assess(arguments.pop("mechanism"), **arguments)


@pytest.mark.parametrize("text", ["", "{}", "[]", "3", '{"format": "dplens assessment 1"}', '{"format": "x"}'])
def test_what_is_no_assessment_is_refused(text):
    with pytest.raises(dl.DplensError, match="assessment"):
        dl.Assessment.from_json(text)


# ---- nothing that differs is passed over -----------------------------------------------------------------------------


def test_a_limit_a_test_or_a_question_that_differs_is_no_nothing():
    release = dl.Gaussian(sigma=2.0)
    before = dl.assess(release)
    for given, told in [
        ({"limits": [dl.Advantage().at_most(0.3)]}, "New: limits.advantage, 0.3."),
        ({"questions": [dl.AUC()]}, "Only asked now: the area under the attacker's ROC curve."),
        (
            {"analyst": {"growth": dl.MeanTest(n=100, sd=50.0, effect=20.0)}},
            "New: analyst.growth.n, 100.",
        ),
        ({"data": dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]])}, "New: data.model, discrete."),
    ]:
        if "data" in given:
            release = dl.Laplace(scale=2.0)
            before = dl.assess(release)
        after = dl.assess(release, **given)
        assert told in str(after.changes_since(before)).splitlines()
        assert str(after.changes_since(after)) == "Nothing changed."
    stricter = dl.assess(release, limits=[dl.AttackPower(fpr=0.01).at_most(0.2)])
    looser = dl.assess(release, limits=[dl.AttackPower(fpr=0.01).at_most(0.25)])
    assert "Changed: limits.attack_power(fpr=0.01), from 0.2 to 0.25." in str(looser.changes_since(stricter))


def test_what_attackers_on_related_records_learn_is_compared_too():
    release = dl.Laplace(scale=2.0)
    loose, tight = (dl.DiscreteData(joint=[[p, 0.5 - p], [0.5 - p, p]]) for p in (0.3, 0.45))
    changes = dl.assess(release, data=tight).changes_since(dl.assess(release, data=loose))
    assert {c.risk for c in changes.answers} == {"same"}
    assert changes.risk == "higher"
    assert "The risk is higher than before." in str(changes)
    assert "If people are related, the attacker's advantage over guessing: " in str(changes)
    assert changes.to_dict()["related"]


def test_the_power_of_the_analyst_is_compared():
    study = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01)
    before, after = (
        dl.assess(dl.Gaussian(sigma=sigma, sensitivity=0.01), analyst={"a mean": study}) for sigma in (0.05, 0.1)
    )
    name, old, new = after.changes_since(before).powers[0]
    assert (name, new.high < old.low) == ("a mean", True)
    assert 'Power of the analysis "a mean": 89.45 % before, 34.9' in str(after.changes_since(before))


def test_a_change_beyond_the_sixth_digit_is_seen():
    before, after = (dl.assess(dl.Gaussian(sigma=sigma)) for sigma in (2.0, 2.0000001))
    assert "from 2 to 2.0000001." in str(after.changes_since(before))


def test_a_failure_that_became_worse_is_not_called_a_lower_risk():
    before, after = dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=3.0).fails_with(1e-9)
    changed = dl.assess(after).changes_since(dl.assess(before))
    assert changed.risk == "mixed"
    was = "Worst case before: no result could prove anything, but the odds had no limit."
    assert str(changed).splitlines()[:2] == [
        "The risk is higher by some measures and lower by others.",
        f"{was} Worst case now: a result can prove something.",
    ]
    assert dl.assess(before).changes_since(dl.assess(after)).risk == "mixed"


def test_the_risk_is_the_same_only_if_nothing_speaks_against_it():
    attack = dl.audit_counts(true_positives=100, n_in=100, false_positives=0, n_out=100)
    tight = dl.DiscreteData(joint=[[0.45, 0.05], [0.05, 0.45]])
    limit = dl.AttackPower(fpr=0.01).at_most(0.05)

    def made(**more):
        return dl.assess(dl.Gaussian(sigma=2.0), delta=1e-6, limits=[limit], **more)

    plain, refuted, related = made(), made(audit=attack), made(data=tight)
    looser = dataclasses.replace(related, related=dataclasses.replace(related.related, bound=9.0))
    alone = "By the descriptions alone, the risk is the same."
    cases = [
        (plain, refuted, ["A measured attack shows that the risk is now higher than stated.", alone]),
        (refuted, plain, ["A measured attack shows that the risk before was higher than stated.", alone]),
        (related, looser, ["What related records can give away has changed.", alone]),
        (related, plain, ["Only the old numbers count what related records give away.", alone]),
        (plain, made(unit="household"), [alone, "But the protected unit or the comparison changed"]),
    ]
    for before, after, said in cases:
        changed = after.changes_since(before)
        told = str(changed).splitlines()
        assert [line[: len(start)] for line, start in zip(told, said)] == said
        assert changed.to_dict()["reservations"]
        for code in LANGUAGES:
            assert changed.words(language=code).count("\n") == str(changed).count("\n")
    assert str(refuted.changes_since(refuted)) == "Nothing changed."
    assert str(made(title="Other").changes_since(plain)).startswith("The risk is the same as before.")
    assert "We cannot prove a limit that is checked only now" in str(related.changes_since(plain))


def test_what_changed_is_told_in_clean_sentences():
    released = {"sigma": 2.0, "sensitivity": 1.0}
    before = dl.assess(dl.Gaussian(**released), delta=1e-6, declared=dl.Declaration(purpose="Planning."))
    after = dl.assess(
        dl.Gaussian(**released, neighbours="replace").subsample(0.5, scheme="without_replacement"),
        delta=1e-5,
        declared=dl.Declaration(purpose="Research."),
    )
    told = str(after.changes_since(before)).splitlines()
    assert told[1].startswith("But the protected unit or the comparison changed")
    answers = dl.assess(dl.Gaussian(**released), setting="local")  # two answers of one person, not membership
    assert "But the protected unit or the comparison changed" in str(answers.changes_since(before))
    assert "Changed: declared.purpose, from Planning to Research." in told
    assert "Changed: assumptions.delta, from 0.000001 to 0.00001." in told
    assert "Changed: assumptions.sampling, from none to without_replacement." in told
