"""Privacy first and utility first: what is admissible, what is recommended, what would have to give."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import dplens as dl
from dplens.analyst.laws import two_counts as pair
from dplens.decide.doors.decision import amount
from dplens.decide.doors.review import towards_risk
from dplens.present.words.answers import question_words
from dplens.present.words.language import language

ANALYST = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, bounds=(0, 1))
UNIFORM = {"uniform": lambda w: dl.AdditiveNoise(noise=stats.uniform(-w, 2 * w), sensitivity=0.01)}


def options(decision):
    return {o.family: o for o in decision.options}


def first(**changes):
    given = {"blatant_ok": False, "high_confidence_ok": True, "limit": dl.RelativeRisk(fpr=0.01).at_most(5),
             "analyst": ANALYST, **changes}  # fmt: skip
    return dl.privacy_first(**given)


def test_fondevilles_parameters():
    found = options(first())
    assert found["laplace"].mechanism.epsilon == pytest.approx(math.log(5), rel=1e-8)
    assert found["gaussian"].mechanism.mu == pytest.approx(stats.norm.isf(0.01) - stats.norm.isf(0.05), rel=1e-8)
    by_power = options(first(limit=dl.AttackPower(fpr=0.01).at_most(0.3)))
    expected = stats.norm.isf(0.01) - stats.norm.isf(0.3)
    assert by_power["gaussian"].mechanism.mu == pytest.approx(expected, rel=1e-8)


def test_the_first_two_questions_exclude_families():
    strict = first(high_confidence_ok=False)
    assert not options(strict)["gaussian"].admissible
    assert "almost certain" in options(strict)["gaussian"].why
    assert options(strict)["laplace"].admissible
    limit = dl.AttackPower(fpr=0.01).at_most(0.2)
    kept_out = first(families=UNIFORM, limit=limit)
    assert kept_out.recommended is None
    assert "can prove that someone is in the data" in kept_out.options[0].why
    assert any("No family is left" in reason for reason in kept_out.reasons)
    let_in = first(families=UNIFORM, limit=limit, blatant_ok=True)
    assert let_in.recommended.failure is dl.FailureMode.CATASTROPHIC
    assert limit.met_by(let_in.mechanism)
    torn = first(families=UNIFORM, limit=limit, blatant_ok=True, high_confidence_ok=False)  # proof is certainty, too
    assert torn.recommended is None
    assert "can prove that someone is in the data" in torn.options[0].why


def test_a_limit_that_a_family_cannot_meet_is_a_reason():
    found = options(first(limit=dl.RelativeRisk().at_most(5)))
    assert not found["gaussian"].admissible
    assert found["laplace"].mechanism.epsilon == pytest.approx(math.log(5), rel=1e-8)


def test_among_families_that_fail_alike_power_decides_and_ties_go_to_the_stronger_guarantee():
    tied = first()
    assert tied.recommended.family == "laplace"  # all leave more than 99 %; this one does not fail
    assert "its guarantee is stronger" in " ".join(tied.reasons)
    alone = dl.privacy_first(blatant_ok=False, high_confidence_ok=True, limit=dl.Advantage().at_most(0.1))
    assert alone.recommended.power is None
    assert alone.recommended.failure is dl.FailureMode.NONE
    careless = {name: lambda b, size=size: dl.Laplace(scale=b, sensitivity=size)
                for name, size in (("careless", 0.02), ("careful", 0.01))}  # fmt: skip
    tight = first(limit=dl.Epsilon().at_most(0.5), families=careless)
    assert options(tight)["careful"].power > options(tight)["careless"].power + 0.005
    assert tight.recommended.family == "careful"
    assert "It leaves the analyst the most power" in tight.reasons[-1]
    for option in tight.options:
        assert option.power == ANALYST.power(option.mechanism)


def test_an_empty_range_says_what_would_have_to_give():
    limit = dl.RelativeRisk(fpr=0.01).at_most(1.2)
    decision = first(limit=limit, min_power=0.9, families=["gaussian", "laplace"])
    assert decision.recommended is None
    assert decision.feasible.empty
    given = {c.what: c for c in decision.concessions}
    best = decision.options[0]
    n = int(given["n"].needed)
    enough = ANALYST.with_(n=n)
    noise, more = (dl.Laplace(scale=best.noise * 100 / k, sensitivity=1 / k) for k in (n, n - 1))
    assert best.family == "laplace"
    assert enough.power(noise) >= 0.9 > ANALYST.with_(n=n - 1).power(more)
    assert limit.met_by(noise)
    assert ANALYST.with_(effect=given["effect"].needed).power(best.mechanism) >= 0.9
    looser = dl.RelativeRisk(fpr=0.01).at_most(given["limit"].needed * (1 + 1e-6))
    again = first(limit=looser, min_power=0.9)
    assert again.recommended is not None
    assert not again.feasible.empty
    assert again.recommended.noise in again.feasible
    assert str(n) in decision.concessions[0].sentence


@pytest.mark.parametrize("limit", [dl.Epsilon(delta=1e-6).at_most(0.05), dl.RelativeRisk().at_most(2)])
def test_what_gives_is_the_least_that_any_family_asks_for(limit):
    """Each family asked alone; the one with the least advantage, Gaussian noise, asks for most of all."""
    test = dl.MeanTest(n=100, sd=0.25, effect=0.1, bounds=(0, 1), alternative="two-sided")
    families = ["gaussian", "laplace"]
    alone = {f: dl.utility_first(test, family=f, max_power_loss=0.05, limit=limit) for f in families}
    together = dl.utility_first(test, family=families, max_power_loss=0.05, limit=limit)
    for what in ("n", "effect", "limit"):
        needed = {f: c.needed for f, d in alone.items() for c in d.concessions if c.what == what and c.needed}
        (found,) = (c for c in together.concessions if c.what == what)
        assert found.needed == min(needed.values()) == needed[found.family]
        assert f"ith {found.family} noise" in found.sentence.lower().replace("_", " ")
        assert found.family != "gaussian"
    assert together.feasible == alone[found.family].feasible  # nearest to the limit, the last that was looked at
    assert math.isfinite(together.feasible.low)


def test_an_effect_that_would_do_is_not_rounded_below_it():
    test = dl.MeanTest(n=100, sd=0.25, effect=-0.1, alternative="smaller")
    limit = dl.RelativeRisk().at_most(1.2)
    found = dl.utility_first(test, family="laplace", min_power=0.9, limit=limit, sensitivity=0.01)
    (effect,) = (c for c in found.concessions if c.what == "effect")
    said = float(effect.sentence.split("effect of ")[1].split()[0].replace("−", "-"))
    assert effect.needed * 1.001 < said <= effect.needed < 0


def test_utility_first_finds_the_least_mu():
    decision = dl.utility_first(ANALYST, family="gaussian", max_power_loss=0.01)
    assert decision.recommended.risk(dl.Mu) == pytest.approx(0.2860, abs=5e-5)
    assert decision.feasible.low == 0
    assert decision.feasible.high == decision.recommended.noise
    assert decision.recommended.power >= 0.99 * ANALYST.power() * (1 - 1e-12)
    worse = dl.Gaussian(sigma=decision.recommended.noise * (1 + 1e-6), sensitivity=0.01)
    assert ANALYST.power(worse) < 0.99 * ANALYST.power()


def test_utility_first_recommends_the_family_that_tells_least():
    decision = dl.utility_first(ANALYST, min_power=0.9)
    assert decision.recommended.failure is dl.FailureMode.NONE  # before any measure counts
    risks = {o.family: float(o.risk(dl.Advantage)) for o in decision.options if o.failure is dl.FailureMode.NONE}
    assert decision.recommended.family == min(risks, key=lambda name: risks[name])
    assert all(o.power >= 0.9 for o in decision.options)
    counts = dl.utility_first(dl.ProportionTest(n=50, null=0.3, effect=0.2), min_power=0.7)
    assert {o.family for o in counts.options} >= {"geometric", "discrete_gaussian", "gaussian"}
    assert all(o.power >= 0.7 for o in counts.options)


def test_both_doors_rank_by_the_failure_mode_first():
    ranks = {mode: i for i, mode in enumerate((dl.FailureMode.NONE, dl.FailureMode.GRACEFUL))}
    for families in (["gaussian", "laplace"], ["gaussian", "staircase"], ["gaussian", "laplace", "staircase"]):
        power = dl.utility_first(ANALYST, family=families, min_power=0.9)
        privacy = dl.privacy_first(
            blatant_ok=False, high_confidence_ok=True, limit=dl.Mu().at_most(0.5), families=families, sensitivity=1.0
        )
        for decision in (power, privacy):
            order = [ranks[o.failure] for o in decision.options]
            assert order == sorted(order)
        assert float(options(power)["gaussian"].risk(dl.Advantage)) < float(power.recommended.risk(dl.Advantage))


def test_both_doors_prefer_the_milder_failure_to_more_power_and_less_advantage():
    tight, families = dl.Advantage().at_most(0.05), ["gaussian", "laplace"]
    privacy = first(limit=tight, families=families)
    found = options(privacy)
    assert found["gaussian"].power > found["laplace"].power + 0.005  # by power alone the order would be the other one
    assert [o.family for o in privacy.options] == ["laplace", "gaussian"]
    assert privacy.recommended is found["laplace"]
    assert privacy.reasons[-2].startswith("Our choice is Laplace noise. Only it has the mildest worst case.")
    assert "is left by Gaussian noise, but its worst case is worse" in privacy.reasons[-1]
    utility = dl.utility_first(ANALYST, family=families, min_power=0.9)
    advantage = {name: float(o.risk(dl.Advantage)) for name, o in options(utility).items()}
    assert advantage["gaussian"] < advantage["laplace"]  # by advantage alone, too
    assert [o.family for o in utility.options] == ["laplace", "gaussian"]
    # what the analyst needs is a condition, not a rank
    between = (float(found["gaussian"].power) + float(found["laplace"].power)) / 2
    needed = first(limit=tight, families=families, min_power=between)
    assert needed.recommended.family == "gaussian"
    assert "Our choice is Gaussian noise. It leaves the analyst the most power" in needed.reasons[-1]


def test_a_catastrophic_failure_comes_last_whatever_power_it_leaves():
    mixed = UNIFORM | {"laplace": lambda b: dl.Laplace(scale=b, sensitivity=0.01)}
    decision = first(families=mixed, limit=dl.Advantage().at_most(0.05), blatant_ok=True)
    assert [o.failure for o in decision.options] == [dl.FailureMode.NONE, dl.FailureMode.CATASTROPHIC]
    assert decision.options[1].power > decision.options[0].power + 0.005


def test_values_without_a_source_are_said_to_have_none():
    decision = dl.utility_first(ANALYST.with_(sd=dl.PlanningValue(value=0.25, source="public")), min_power=0.9)
    assert "Planned: n = 100 – source not stated." in decision.sentences()
    assert "Planned: standard deviation = 0.25 – public knowledge." in decision.sentences()
    assert dl.PlanningValue(value=3.0).source == "not_stated"


@pytest.mark.verify
def test_utility_first_says_by_which_measure_it_prefers():
    said = dl.utility_first(ANALYST, family=["gaussian", "laplace"], min_power=0.9).reasons
    said = " ".join(said)
    sigma, scale = 0.0494796, 0.0327974  # the most noise that leaves 90 %, see the options
    advantage = 2 * stats.norm.cdf(0.01 / sigma / 2) - 1, -math.expm1(-0.01 / scale / 2)
    assert advantage[0] < advantage[1]  # the one that fails more mildly gives more
    assert "only it has the mildest worst case" in said
    assert "not the best by every measure" in said
    assert "By one, Gaussian noise does better" in said
    flat = {name: lambda b, df=df: dl.AdditiveNoise(noise=stats.t(df=df, scale=b), sensitivity=0.01)
            for name, df in (("t3", 3), ("t30", 30))}  # fmt: skip
    rivals = dl.utility_first(ANALYST, family=flat, min_power=0.9)
    assert len({o.failure for o in rivals.options}) == 1
    assert "Of those that leave this power, it gives the attacker" in " ".join(rivals.reasons)
    mixed = UNIFORM | {"laplace": lambda b: dl.Laplace(scale=b, sensitivity=0.01)}
    decision = dl.utility_first(ANALYST, family=mixed, min_power=0.9)
    assert float(options(decision)["uniform"].risk(dl.Advantage)) < float(decision.recommended.risk(dl.Advantage))
    assert decision.recommended.family == "laplace"
    assert "only it has the mildest worst case" in " ".join(decision.reasons)


def test_limits_of_every_kind_are_said_in_words():
    for question in (dl.Accuracy(), dl.PosteriorAfterNegative(), dl.Precision(), dl.FScore(), dl.Cost(), dl.MinFPR(),
                     dl.AUC(), dl.Renyi(), dl.RelativeRisk(prior=0.1), dl.MaxPosterior(), dl.Delta()):  # fmt: skip
        assert "=" not in question_words(question, language()), question
    left = dl.PosteriorAfterNegative(prior=0.1, fpr=0.1)
    assert towards_risk(left, 0.09396) == "9.39 %"  # less is riskier
    assert towards_risk(dl.Mu(), 0.09391) == "0.094"


def test_utility_first_under_a_limit():
    limit = dl.AttackPower(fpr=0.01).at_most(0.02)
    met = dl.utility_first(ANALYST, family=["gaussian", "laplace"], min_power=0.5, limit=limit)
    assert limit.met_by(met.mechanism)
    assert met.feasible.low < met.feasible.high
    for noise in (met.feasible.low, met.feasible.high):
        middle = dl.Gaussian(sigma=noise, sensitivity=0.01) if met.recommended.family == "gaussian" else dl.Laplace(
            scale=noise, sensitivity=0.01)  # fmt: skip
        assert limit.met_by(middle)
        assert ANALYST.power(middle) >= 0.5
    broken = dl.utility_first(ANALYST, family="gaussian", min_power=0.9, limit=dl.AttackPower(fpr=0.01).at_most(0.011))
    assert broken.recommended is None
    assert {c.what for c in broken.concessions} == {"n", "effect", "limit"}
    hopeless = dl.utility_first(dl.MeanTest(n=5, sd=0.25, effect=0.02, bounds=(0, 1)), min_power=0.7)
    assert hopeless.recommended is None
    assert {c.what: c.needed for c in hopeless.concessions}["n"] == 736


def test_whole_number_noise_on_a_mean_is_refused_with_the_reason():
    found = options(first(families=["laplace", "geometric"], sensitivity=1.0))
    assert "whole number" in found["geometric"].why
    assert not found["geometric"].admissible


def test_sentences_and_plain_values():
    decision = first(min_power=0.8)
    text = str(decision)
    for said in (
        "Of 100 people they name",
        "Of 100 studies",
        "one record is replaced by another",
        "standard deviation = 0.25",
        "not in the",
    ):
        assert said in text
    for option in decision.options:
        if option.admissible:
            assert option.attacker
            assert option.analyst
    plain = json.loads(json.dumps(decision.to_dict()))
    assert plain["recommended"] == decision.recommended.family
    assert plain["door"] == "privacy_first"
    assert plain["planning"]["sd"]["source"] == "not_stated"


@pytest.mark.parametrize(("changes", "match"), [
    ({"blatant_ok": 1}, "True or False"), ({"limit": 5}, "requirement"), ({"families": ["cauchy"]}, "family"),
    ({"analyst": "t"}, "test such as"), ({"min_power": 1.2}, "min_power"), ({"sensitivity": 0}, "sensitivity"),
    ({"neighbours": "swap"}, "neighbours"), ({"analyst": None, "min_power": 0.8}, "analyst"),
    ({"limit": dl.Advantage().at_most(0.1), "prior": 0}, "prior"),
])  # fmt: skip
def test_bad_input(changes, match):
    with pytest.raises(dl.DplensError, match=match):
        first(**changes)


def test_bad_utility():
    for given in ({}, {"min_power": 0.8, "max_power_loss": 0.1}, {"min_power": 0.0}, {"max_power_loss": 1.0}):
        with pytest.raises(ValueError, match=r"min_power|max_power_loss"):
            dl.utility_first(ANALYST, **given)
    with pytest.raises(ValueError, match="sensitivity"):
        dl.utility_first(dl.MeanTest(n=10, sd=1.0, effect=1.0), min_power=0.5)


def test_families_that_do_not_fit_are_named():
    test = dl.TwoProportionsTest(n=20, baseline=0.2, effect=0.6)
    left_out = options(first(analyst=test, limit=dl.Epsilon().at_most(2.0)))["staircase"]
    assert "published='difference'" in left_out.why
    test = test.with_(published="difference")
    served = first(analyst=test, families="staircase", limit=dl.Epsilon().at_most(2.0))
    assert served.recommended.power == test.power(served.mechanism) > 0.9
    assert "Whole-number noise" in options(first(families=["geometric", "laplace"]))["geometric"].why


def test_catastrophic_failure_comes_first():
    limit = dl.AttackPower(fpr=0.01).at_most(0.2)
    decision = first(families=UNIFORM, limit=limit, blatant_ok=True)
    assert decision.recommended.attacker.startswith("With some probability, a published result proves")


def staircase_loss(x, shift, epsilon, gamma):
    """log of the density at x over that at x − shift, steps of width 1 (Geng & Viswanath 2014)."""
    step = lambda y: math.floor(abs(y)) + (abs(y) - math.floor(abs(y)) >= gamma)  # noqa: E731
    return epsilon * (step(x - shift) - step(x))


def test_noise_that_protects_one_number_is_not_offered_for_several():
    gamma = 1 / (1 + math.exp(0.5))
    # moved by a quarter of the sensitivity, a staircase gives away all of epsilon: four numbers, four times epsilon
    assert staircase_loss(-gamma + 0.01, 0.25, 1.0, gamma) == 1.0
    sums = dl.SlopeTest(n=200, sd=0.2, effect=0.3, x_bounds=(0, 1), y_bounds=(0, 1), published="statistics", rng=1,
                        draws=200)  # fmt: skip
    limit = dl.Epsilon(delta=1e-6).at_most(2.0)
    found = options(first(analyst=sums, limit=limit))
    assert found["laplace"].admissible
    assert not found["staircase"].admissible
    assert "One record changes 4 published numbers" in found["staircase"].why
    with pytest.raises(dl.DplensError, match="One record changes 4"):
        dl.split_budget([sums], limit, family="staircase")
    several = dl.SimulatedTest(simulate=lambda rng, n, m: rng.normal(m, 1, n), statistic=lambda d: [d.sum(), d.max()],
                               score=lambda s: s[0], n=30, effect=0.5, draws=99, rng=1)  # fmt: skip
    assert not options(first(analyst=several, limit=limit, sensitivity=1.0))["staircase"].admissible


def test_sensitivities_belong_to_their_neighbours():
    table = dl.ContingencyTest(n=300, probabilities=[[0.3, 0.2], [0.2, 0.3]], draws=200, rng=1)
    limit = dl.Epsilon().at_most(1.0)
    added, replaced = (
        first(analyst=table, limit=limit, families="laplace", neighbours=k) for k in ("add_remove", "replace")
    )
    assert (added.mechanism.scale, replaced.mechanism.scale) == pytest.approx((1.0, 2.0), rel=1e-8)  # one cell, two
    total = dl.MeanTest(n=100, sd=0.25, effect=0.2, bounds=(10, 11), published="sum")
    scales = [first(analyst=total, limit=limit, families="laplace", neighbours=k).mechanism.scale
              for k in ("replace", "add_remove")]  # fmt: skip
    assert scales == pytest.approx([1.0, 11.0], rel=1e-8)  # one more record adds up to 11
    slope = dl.SlopeTest(n=50, sd=0.2, effect=0.3, x_bounds=(0, 1), y_bounds=(0, 1))
    with pytest.raises(dl.DplensError, match="Expected sensitivity to be given"):
        first(analyst=slope, limit=limit, neighbours="add_remove")
    mixed = dl.split_budget([total, table], limit, family="laplace")
    assert [m.sensitivity for m in mixed.mechanisms] == [11.0, 1.0]
    with pytest.raises(dl.DplensError, match=r"add_remove.*nothing would hide"):
        dl.split_budget([ANALYST], limit, family="laplace", count_share=0.1, neighbours="replace")


def test_more_records_than_can_be_looked_at_is_not_none(monkeypatch):
    tiny = first(limit=dl.Advantage().at_most(1e-9), min_power=0.5)
    records = next(c for c in tiny.concessions if c.what == "n")
    best = tiny.options[0]
    assert records.needed > 1e9
    effect = next(c for c in tiny.concessions if c.what == "effect")
    assert effect.needed is None  # a mean of values in [0, 1] has no larger effect
    assert ANALYST.power(best.mechanism, effect=1.0) < 0.5
    monkeypatch.setattr(pair, "_MOST_RECORDS", 150)
    two = dl.TwoProportionsTest(n=20, baseline=0.3, effect=0.05)
    for found in (dl.utility_first(two, family="laplace", min_power=0.9),
                  first(analyst=two, families="laplace", min_power=0.9)):  # fmt: skip
        said = next(c.sentence for c in found.concessions if c.what == "n")
        assert "did not find" in said
        assert "too many pairs" in said


def test_no_effect_outside_the_range_is_suggested():
    slope = dl.SlopeTest(n=30, sd=0.2, effect=0.1, x_bounds=(0, 1), y_bounds=(0, 1))
    narrow = dl.TwoProportionsTest(n=30, baseline=0.2, effect=0.1, common=(0.1, 0.4))
    for test, most in ((slope, 1 / (2 * slope.sd_x)), (narrow, 0.2)):
        assert test.largest_effect() == pytest.approx(most)
        with pytest.raises(dl.Unsolvable, match="No effect is large enough"):
            dl.solve(test, effect=None, power=0.9, noise=9.0, family="laplace")
        with pytest.raises(dl.DplensError, match="Expected effect"):
            test.with_(effect=1.01 * most)
    with pytest.raises(dl.DplensError, match="Expected baseline within common"):
        narrow.with_(baseline=0.5)
    found = first(analyst=slope, families="laplace", limit=dl.RelativeRisk(fpr=0.01).at_most(1.2), min_power=0.9)
    assert next(c for c in found.concessions if c.what == "effect").needed is None
    assert "Even the largest possible effect, 1.732, is not found often enough." in str(found)
    said = str(dl.utility_first(slope.with_(n=3, sd=0.5), family="laplace", min_power=0.9))
    assert "This is so even without noise. Even the largest possible effect" in said


def test_the_most_power_is_that_of_the_family_that_has_it_though_another_ties():
    test = dl.MeanTest(n=100, sd=0.25, null=0.5, effect=0.05, bounds=(0, 1))
    found = first(analyst=test, limit=dl.RelativeRisk(fpr=0.01).at_most(5), min_power=0.7)
    best = max(found.options, key=lambda o: o.power)
    assert best is not found.options[0]
    assert best.power == test.power(best.mechanism) > found.options[0].power
    assert f"the most power is 60 % ({best.family} noise)" in str(found)


def test_a_power_that_any_noise_leaves_is_no_demand():
    for ask in (lambda: dl.utility_first(ANALYST, min_power=0.01), lambda: first(min_power=0.005),
                lambda: dl.utility_first(ANALYST, max_power_loss=0.995)):  # fmt: skip
        with pytest.raises(dl.DplensError, match=r"above the level, 0\.01"):
            ask()


def test_families_are_named_once_and_a_hopeless_limit_says_how_far_it_is():
    for bad in ({}, {"a": 3}, ["gaussian", "gaussian"]):
        with pytest.raises(dl.DplensError, match="Expected families"):
            first(families=bad)
    nothing = first(limit=dl.Advantage().at_most(0.0), min_power=0.9)
    assert nothing.recommended is None
    (limit,) = nothing.concessions
    assert dl.utility_first(ANALYST, family="gaussian", min_power=0.9).recommended.risk(dl.Advantage) == pytest.approx(
        limit.needed, rel=1e-6
    )


def test_a_power_is_said_alike_in_words_and_tables():
    from dplens.decide.doors.review import rounded_down

    assert [rounded_down(0.99 - 1e-11), rounded_down(0.99 - 1e-11, 2)] == ["99 %", "99.00 %"]
    assert rounded_down(0.98999) == "98 %"
    assert rounded_down(1 - 1e-9) == "99.99 %"


def test_more_records_of_a_simulated_test_are_said_to_leave_the_sensitivity_as_it_is():
    test = dl.SimulatedTest(simulate=lambda rng, n, m, size: np.full(size, m), statistic=lambda x: x, batched=True,
                            n=50, effect=0.3, draws=199, rng=1, rises=True)  # fmt: skip
    found = dl.utility_first(test, family="laplace", min_power=0.5, sensitivity=1.0, limit=dl.Epsilon().at_most(0.5))
    (records,) = (c for c in found.concessions if c.what == "n")
    assert records.needed is None
    assert "This holds if one record changes the result by 1, whatever the number of records." in records.sentence


def test_the_power_without_noise_is_one_figure_throughout():
    test = dl.SimulatedTest(simulate=lambda rng, n, m, size: rng.normal(m, 5 / np.sqrt(n), size), statistic=lambda x: x,
                            batched=True, n=900, effect=0.55, draws=2000, rng=1)  # fmt: skip
    without = test.power()
    ends = f"{math.floor(100 * without.low)}–{math.ceil(100 * without.high)}"
    assert without.high - without.low > 0.01
    found = dl.utility_first(test, family="laplace", max_power_loss=0.1, sensitivity=0.05)
    assert found.reasons[0].endswith(f"Without noise it is {ends} %.")
    assert f"since 10 % of {100 * without.high:.4g} % may be lost." in found.reasons[0]
    assert f"Without noise, {ends} would." in found.recommended.analyst
    known = dl.MeanTest(n=100, sd=0.5, effect=0.16, bounds=(0, 1))  # a power of 0.94004
    found = dl.utility_first(known, family="laplace", max_power_loss=0.1)
    assert "84.6 %, since 10 % of 94.0 % may be lost. Without noise it is 94.0 %." in found.reasons[0]
    assert "Without noise, 94 would." in found.recommended.analyst


def test_what_a_search_leaves_beside_a_round_number_is_not_told():
    shown = [amount(x, at_least=least) for x in (2 * (1 + 3e-10), 2 * (1 - 3e-10)) for least in (True, False)]
    assert shown == ["2"] * 4
    assert [amount(2.00001, at_least=True), amount(1.99999, at_least=False)] == ["2.001", "1.999"]


def test_without_an_analyst_the_reason_names_the_failure_mode():
    decision = dl.privacy_first(blatant_ok=True, high_confidence_ok=True, limit=dl.Advantage().at_most(0.1))
    assert {str(o.failure) for o in decision.options} > {str(decision.recommended.failure)}
    assert any(
        "Of the families that meet the limit and have the mildest worst case" in said for said in decision.reasons
    )


def test_a_share_of_the_power_may_be_a_fraction():
    t = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, bounds=(0, 1))
    decision = dl.utility_first(t, family="gaussian", max_power_loss=Fraction(1, 4))
    assert "since 25 % of" in decision.reasons[0]


def test_the_prior_may_be_any_number():
    asked = {
        "blatant_ok": False,
        "high_confidence_ok": True,
        "limit": dl.Advantage().at_most(0.2),
        "families": "gaussian",
        "sensitivity": 1.0,
    }
    said = [dl.privacy_first(**asked, prior=prior).options[0].attacker for prior in (Fraction(1, 10), 0.1)]
    assert said[0] == said[1]


def test_a_family_of_ones_own_that_raises_is_refused_in_words():
    asked = {"blatant_ok": True, "high_confidence_ok": True, "limit": dl.Advantage().at_most(0.2)}
    found = dl.privacy_first(**asked, families={"mine": len}, sensitivity=1.0)
    assert found.recommended is None
    assert "Expected families['mine'] to make a mechanism" in str(found)
    assert "TypeError" in str(found)
