"""What a private n was read from is part of what an attacker sees."""

import json
import math

import pytest

import dplens as dl
from dplens.describe.analyses import read_test, write_test

COUNT = dl.Gaussian(sigma=6.3)
N = dl.private_n(205.3, COUNT, confidence=0.99)
TEST = dl.MeanTest(n=N, effect=0.15, bounds=(0, 1))


def first(limit, test=TEST, sure=True, **more):
    return dl.privacy_first(blatant_ok=False, high_confidence_ok=sure, limit=limit, analyst=test, **more)


def test_the_limit_is_kept_together_with_the_release_of_n():
    found = first(dl.Mu().at_most(0.5), families="gaussian")
    # squares of mu add up (Dong, Roth & Su 2022, Corollary 3.3)
    assert math.hypot(found.mechanism.mu, 1 / 6.3) == pytest.approx(0.5, rel=1e-8)
    assert found.recommended.risk(dl.Mu) == pytest.approx(0.5, rel=1e-8)
    assert float(found.recommended.power) == float(TEST.power(found.mechanism))
    assert "With this publication and the release of n" in found.recommended.attacker
    assert any("release of n gave away" in said and "sigma=6.3" in said for said in found.assumptions)
    pure = dl.MeanTest(n=dl.private_n(205.3, dl.Laplace(scale=4.0)), effect=0.15, bounds=(0, 1))
    found = first(dl.Epsilon().at_most(1.0), pure, sure=False, families="laplace")
    assert found.mechanism.epsilon == pytest.approx(0.75, rel=1e-8)  # epsilons add up
    assert found.recommended.failure is dl.FailureMode.NONE


def test_how_the_release_of_n_fails_is_how_everything_fails():
    found = first(dl.Epsilon(delta=1e-6).at_most(1.0), sure=False)
    assert found.recommended is None
    assert all("Together with the release of n, an attacker can become" in o.why for o in found.options)
    assert any("whatever noise is chosen" in said for said in found.reasons)
    found = first(dl.Mu().at_most(0.1))
    assert all("release of n alone breaks the limit" in o.why and "0.159, not 0.1," in o.why for o in found.options)
    with pytest.raises(dl.DplensError, match="release of n alone breaks the limit"):
        dl.split_budget([TEST], dl.Mu().at_most(0.1))


def test_the_risk_to_be_accepted_holds_the_release_of_n():
    found = dl.utility_first(TEST, family="gaussian", min_power=0.7)
    assert found.recommended.risk(dl.Mu) == pytest.approx(math.hypot(found.mechanism.mu, 1 / 6.3), rel=1e-8)
    assert "Together with the release of n, the risk to accept is mu = 0.182" in str(found)
    near = dl.utility_first(TEST, family="gaussian", min_power=0.99, limit=dl.Mu().at_most(0.4))
    (loose,) = (c.needed for c in near.concessions if c.what == "limit")
    assert loose == pytest.approx(math.hypot(near.options[0].mechanism.mu, 1 / 6.3), rel=1e-8)


@pytest.mark.parametrize("share", [0.0, 0.1])
def test_a_split_counts_the_count_once(share):
    split = dl.split_budget([TEST, TEST.with_(effect=0.3)], dl.Mu().at_most(0.5), count_share=share)
    assert split.count == COUNT
    assert math.hypot(*(m.mu for m in split.mechanisms), 1 / 6.3) == pytest.approx(0.5, rel=1e-8)
    twice = TEST.with_(n=dl.private_n(205.3, COUNT, confidence=0.99))  # another release, as it happens of the same size
    split = dl.split_budget([TEST, twice], dl.Mu().at_most(0.5))
    assert math.hypot(*(m.mu for m in split.mechanisms), 1 / 6.3, 1 / 6.3) == pytest.approx(0.5, rel=1e-8)


def test_neighbours_of_what_is_spent():
    for own, chosen in (("replace", "add_remove"), ("add_remove", "replace")):
        sd = dl.PlanningValue(
            value=0.4, source="private_estimate", release=dl.Gaussian(sigma=8.0, sensitivity=1.0, neighbours=own)
        )
        test = dl.MeanTest(n=100, sd=sd, effect=0.15, bounds=(0, 1))
        if own == "replace":
            with pytest.raises(dl.DplensError, match="'replace', as for the release of sd"):
                first(dl.Mu().at_most(0.5), test, neighbours=chosen)
            continue
        found = first(dl.Mu().at_most(0.5), test, neighbours=chosen, families="gaussian")
        assert math.hypot(found.mechanism.mu, 2 / 8) == pytest.approx(0.5, rel=1e-8)


def spread(release):
    return dl.PlanningValue(value=0.4, source="private_estimate", release=release)


@pytest.mark.parametrize("weights", [None, "weakest"])
def test_the_release_of_a_spread_is_not_the_count(weights):
    told = spread(dl.Gaussian(sigma=0.05, sensitivity=0.01))
    tests = [dl.MeanTest(n=200, sd=told, effect=effect, bounds=(0, 1)) for effect in (0.1, 0.12)]
    split = dl.split_budget(tests, dl.Mu().at_most(0.5), count_share=0.1, weights=weights)
    assert split.count.sensitivity == 1
    assert split.spent == told.release
    left = 0.5**2 - 0.2**2  # squares of mu add up, and the weights are shares of what the spread left of them
    assert split.count.mu**2 == pytest.approx(0.1 * left, rel=1e-7)
    assert [m.mu**2 for m in split.mechanisms] == pytest.approx([w * left for w in split.weights], rel=1e-7)
    n = dl.private_n(215.0, split.count)
    again = dl.split_budget([t.with_(n=n) for t in tests], dl.Mu().at_most(0.5), count_share=0.1, weights=split.weights)
    assert (again.count, again.spent) == (split.count, split.spent)
    assert sum(again.weights) == pytest.approx(1)
    assert [m.mu for m in again.mechanisms] == pytest.approx([m.mu for m in split.mechanisms], rel=1e-7)


def test_a_familys_own_neighbours_do_not_decide_how_an_earlier_release_is_counted():
    test = dl.MeanTest(n=100, sd=spread(dl.Gaussian(sigma=8.0)), effect=0.15, bounds=(0, 1))
    refused, said = (lambda x: dl.Gaussian(sigma=x, sensitivity=0.01)), "Pass neighbours='replace' to the mechanism"
    assert said in first(dl.Mu().at_most(0.5), test, families=refused).options[0].why
    assert said in dl.utility_first(test, min_power=0.9, family=refused).options[0].why
    with pytest.raises(dl.DplensError, match=said):
        dl.split_budget([test.with_(sd=0.5), test], dl.Mu().at_most(0.5), family=refused)

    def fits(x):
        return dl.Gaussian(sigma=x, sensitivity=0.01, neighbours="replace")

    for found in (
        first(dl.Mu().at_most(0.5), test, families=fits),
        dl.utility_first(test, min_power=0.9, family=fits),
    ):  # one record replaced moves the earlier release by twice its sensitivity
        assert found.recommended.risk(dl.Mu) == pytest.approx(math.hypot(0.01 / found.mechanism.sigma, 2 / 8), rel=1e-8)


def test_one_table_in_two_tests_is_one_release():
    third = 1 / 3 + 1e-11  # sums to 1 but for rounding
    told = dl.PlanningValue(
        value=[[third, 1 / 6], [1 / 6, third]], source="private_estimate", release=dl.Gaussian(sigma=5.0)
    )
    tests = [dl.ContingencyTest(n=n, probabilities=told, draws=200, rng=1) for n in (300, 400)]
    split = dl.split_budget([*tests, tests[0].with_(n=500)], dl.Mu().at_most(0.5))
    assert math.hypot(*(m.mu for m in split.mechanisms), 1 / 5) == pytest.approx(0.5, rel=1e-8)


def test_what_is_not_told_is_said_to_come_on_top():
    n = dl.PlanningValue(value=191, source="private_estimate")
    said = first(dl.Mu().at_most(0.5), TEST.with_(n=n), families="gaussian").assumptions[0]
    assert "release of n gave away comes on top" in said
    assert "count_share" in said
    with pytest.raises(dl.DplensError, match="release to be left out"):
        dl.PlanningValue(value=191, release=COUNT)
    with pytest.raises(dl.DplensError, match="release to be the mechanism"):
        dl.PlanningValue(value=191, source="private_estimate", release=6.3)
    with pytest.raises(dl.DplensError, match="sensitivity of at least 1"):
        dl.private_n(205.3, dl.Gaussian(sigma=6.3, sensitivity=0.1))


def test_files_and_assessments_keep_it():
    assert read_test(json.loads(json.dumps(write_test(TEST)))) == TEST
    noise = first(dl.Mu().at_most(0.5), families="gaussian").mechanism
    read = dl.Analysis(test=TEST, mechanism=noise)
    for release, counted in (
        (noise, False),
        (dl.compose(noise, COUNT), True),
        (dl.compose(noise, COUNT).as_replace(), True),
        (dl.compose(noise.as_replace(), COUNT.as_replace()), True),
    ):
        found = dl.assess(release, analyst=[read, read])
        assert ("plan_not_counted" in found.warnings) != counted
        assert dl.Assessment.from_dict(found.to_dict()).warnings == found.warnings
    assert "from a noisy release that is not counted here" in str(dl.assess(noise, analyst=read).words())


def test_a_spread_that_stands_for_both_groups_is_one_release():
    sd = dl.PlanningValue(value=0.4, source="private_estimate", release=dl.Gaussian(sigma=0.05, sensitivity=0.01))
    test = dl.TwoMeansTest(n=100, sd=sd, effect=0.3, bounds=(0, 1))
    again = read_test(json.loads(json.dumps(write_test(test))))
    assert again == test
    for one in (test, again):
        found = first(dl.Mu().at_most(0.5), one, families="gaussian", neighbours="add_remove")
        assert math.hypot(found.mechanism.mu, 0.2) == pytest.approx(0.5, rel=1e-8)


EARLIER = {
    "gaussian": dl.Gaussian(sigma=3.0).repeat(9),
    "laplace": dl.Laplace(scale=1.0),
    "dpsgd": dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=100),
}
NEXT = {
    "gaussian": lambda x: dl.Gaussian(sigma=x),
    "laplace": lambda x: dl.Laplace(scale=x),
    "dpsgd": lambda x: dl.DPSGD(noise_multiplier=x, sample_rate=0.01, steps=100),
    "mu": lambda x: dl.GaussianDP(mu=x),
    "rate": lambda x: dl.Laplace(scale=1.0).subsample(x),
}
LIMITED = [dl.Mu(), dl.Advantage(), dl.Epsilon(delta=1e-5), dl.AttackPower(fpr=0.01), dl.AUC()]


@pytest.mark.verify
@pytest.mark.parametrize("question", LIMITED, ids=str)
@pytest.mark.parametrize("following", NEXT)
@pytest.mark.parametrize("before", EARLIER)
def test_earlier_releases_that_use_the_limit_exactly_leave_nothing(before, following, question):
    alone = float(question.of(EARLIER[before]))
    calls = []

    def family(x):
        calls.append(x)
        return dl.compose(EARLIER[before], NEXT[following](x))

    for bound in (alone, 0.99 * alone):  # exactly, and more than that
        with pytest.raises(dl.Unreachable, match="has used it up") as caught:
            dl.calibrate(family, meet=question.at_most(bound))
        assert caught.value.nearest == pytest.approx(alone, rel=1e-6)
        assert caught.value.value is None
    assert len(set(calls)) < (
        30 if following != "rate" else 100
    )  # sampled Laplace noise beside others is known less well


def test_what_earlier_releases_leave_is_found():
    left = dl.calibrate(lambda x: dl.compose(dl.Gaussian(sigma=1.0), dl.Gaussian(sigma=x)), meet=dl.Mu().at_most(1.01))
    assert left.value == pytest.approx(1 / math.sqrt(1.01**2 - 1), rel=1e-8)
    none = dl.calibrate(
        lambda n: dl.compose(dl.Laplace(scale=1.0), dl.Laplace(scale=3.0).repeat(n)),
        meet=dl.Epsilon().at_most(1.3),
        integer=True,
    )
    assert none.value == 0


def test_the_doors_say_that_the_limit_is_used_up():
    plan = dl.MeanTest(n=dl.private_n(205.3, dl.Gaussian(sigma=2.0)), effect=0.15, bounds=(0, 1))
    found = first(dl.Mu().at_most(0.5), plan)
    assert found.recommended is None
    assert all("has used it up" in o.why for o in found.options)
    with pytest.raises(dl.Unreachable, match="has used it up"):
        dl.split_budget([plan], dl.Mu().at_most(0.5))
