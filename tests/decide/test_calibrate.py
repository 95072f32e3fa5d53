"""Calibration: several requirements, domains, whole numbers, what cannot be met, families that misbehave."""

import gc
import json
import math
import pickle
import weakref
from dataclasses import dataclass

import pytest

import dplens as dl
from dplens.errors import Undefined
from dplens.risk.base import Question


def training(sigma):
    return dl.Gaussian(sigma=sigma).subsample(0.01).repeat(1000)


TRAINING = [
    (dl.Advantage().at_most(0.1), 1.42244023),
    (dl.AttackPower(fpr=0.01).at_most(0.05), 0.777740986),
    (dl.Epsilon(delta=1e-5).at_most(1.0), 1.41461941),
]


@pytest.mark.parametrize(("requirement", "rough"), TRAINING, ids=str)
def test_many_steps_take_few_evaluations(requirement, rough):
    fit = dl.calibrate(training, meet=[requirement])
    assert fit.achieved[0].high <= requirement.bound
    assert not requirement.met_by(training(fit.neighbour))
    assert 0 < 1 - fit.neighbour / fit.value <= 1e-9
    assert fit.value == pytest.approx(rough, rel=1e-8)
    assert fit.evaluations <= 10


def test_the_answer_is_the_same_from_any_start():
    values = [dl.calibrate(training, meet=[TRAINING[0][0]], start=s).value for s in (0.7, 1.4, 30.0, 1e4)]
    assert max(values) / min(values) - 1 <= 1e-9


def test_several_requirements_are_all_met_and_one_binds():
    meet = [dl.Advantage().at_most(0.2), dl.MinFPR(fnr=0.1).at_least(0.8), dl.Epsilon(delta=1e-6).at_most(5.0)]
    fit = dl.calibrate(lambda s: dl.Gaussian(sigma=s), meet=meet)
    assert fit.binding == meet[1]
    assert fit.meet == tuple(meet)
    assert all(r.met_by(fit.mechanism) for r in meet)
    assert fit.slack[0] == pytest.approx(0.2 - fit.achieved[0])
    assert fit.slack[1] == pytest.approx(fit.achieved[1] - 0.8)
    assert 0 <= fit.slack[1] < 1e-8 < fit.slack[0]
    alone = [dl.calibrate(lambda s: dl.Gaussian(sigma=s), meet=[r]).value for r in meet]
    assert fit.value == pytest.approx(max(alone), rel=1e-9)
    assert fit.value == pytest.approx(alone[1], rel=1e-9)


def test_one_requirement_needs_no_list():
    one = dl.Advantage().at_most(0.1)
    assert dl.calibrate(lambda s: dl.Gaussian(sigma=s), meet=one) == dl.calibrate(dl_gaussian, meet=[one])


def dl_gaussian(sigma):
    return dl.Gaussian(sigma=sigma)


def test_whole_numbers_end_where_the_next_fails():
    limit = dl.Epsilon(delta=1e-5).at_most(2.0)
    fit = dl.calibrate(lambda n: dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=n), meet=[limit], integer=True)
    assert isinstance(fit.value, int)
    assert (fit.value, fit.neighbour) == (1202, 1203)
    assert limit.met_by(fit.mechanism)
    assert not limit.met_by(dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=1203))


def test_whole_numbers_that_must_not_be_too_small():
    fit = dl.calibrate(
        lambda n: dl.UniformSampling(mu=1.0, n=n), meet=[dl.AttackPower(fpr=0.0).at_most(1e-3)], integer=True
    )
    exposed = -math.expm1(-1.0)
    assert fit.value == math.ceil(exposed / 1e-3)
    assert fit.neighbour == fit.value - 1


def test_no_step_at_all_can_be_the_answer():
    fit = dl.calibrate(lambda n: dl.Gaussian(sigma=0.1).repeat(n), meet=[dl.Advantage().at_most(0.01)], integer=True)
    assert fit.value == 0
    assert fit.achieved[0] == 0


def test_the_end_of_the_domain_is_an_answer():
    fit = dl.calibrate(
        lambda rate: dl.DPSGD(noise_multiplier=100.0, sample_rate=rate, steps=10),
        meet=[dl.Epsilon(delta=1e-5).at_most(2.0)],
    )
    assert fit.value == 1.0
    assert fit.binding is None
    assert fit.neighbour is None
    assert "in (0, 1]" in str(fit.refused)


@pytest.mark.parametrize(("scale", "value", "why"), [(1e200, 1, "below 1e-140"), (1e100, 10**15, "at most 1e+15")])
def test_an_end_that_is_the_librarys_own_is_told(scale, value, why):
    fit = dl.calibrate(lambda n: dl.Laplace(scale=scale).repeat(n), meet=dl.AUC().at_most(0.6), integer=True)
    assert fit.value == value
    assert why in str(fit.refused)
    assert fit.evaluations < 20
    assert dl.calibrate(lambda n: dl.Laplace(scale=9.0).repeat(n), meet=fit.meet, integer=True).refused is None


def test_counts_that_are_refused_only_where_they_are_asked_are_not_taken_for_multiples():
    class Coarse(dl.AUC):
        def _read(self, curve):
            if 0.51 < (area := super()._read(curve)) < 0.9:
                raise Undefined("Too much.")
            return area

    fit = dl.calibrate(lambda n: dl.Laplace(scale=1e3).repeat(n), meet=Coarse().at_most(0.6), integer=True)
    assert fit.achieved[0] < 0.51 < dl.AUC().of(dl.Laplace(scale=1e3).repeat(fit.value + 1))
    assert fit.refused == "Too much."


def test_a_domain_that_ends_anywhere():
    def family(x):
        if x > 0.7123:
            raise ValueError("too much")
        return dl.GaussianDP(mu=x)

    fit = dl.calibrate(family, meet=[dl.Advantage().at_most(0.9)])
    assert 0 <= 1 - fit.value / 0.7123 <= 1e-9
    inside = dl.calibrate(family, meet=[dl.Advantage().at_most(0.1)])
    assert inside.value == pytest.approx(0.2513226938, rel=1e-9)


def test_a_bracket_is_not_left():
    seen = []

    def family(x):
        seen.append(x)
        return dl.GaussianDP(mu=x)

    wide = dl.calibrate(family, meet=[dl.Advantage().at_most(0.1)], bracket=(0.0, 5.0))
    assert wide.value == pytest.approx(0.2513226938, rel=1e-9)
    assert min(seen) >= 0
    assert max(seen) <= 5
    low = dl.calibrate(family, meet=[dl.Advantage().at_most(0.1)], bracket=(0.01, 0.2))
    assert low.value == 0.2
    assert low.binding is None
    with pytest.raises(dl.Unreachable) as caught:
        dl.calibrate(family, meet=[dl.Advantage().at_most(0.1)], bracket=(0.5, 2.0))
    assert caught.value.value == 0.5


def test_zero_is_tried_when_nothing_else_will_do():
    fit = dl.calibrate(lambda e: dl.ApproximateDP(epsilon=e), meet=[dl.Advantage().at_most(0.0)])
    assert fit.value == 0.0


@pytest.mark.parametrize(
    ("family", "question", "at_zero"),
    [
        (lambda k: dl.Laplace(scale=1.0).fails_with(k), dl.RelativeRisk(), math.e),
        (lambda d: dl.ApproximateDP(epsilon=1.0, delta=d), dl.Epsilon(), 1.0),
    ],
)
def test_zero_is_tried_where_all_other_answers_are_infinite(family, question, at_zero):
    fit = dl.calibrate(family, meet=[question.at_most(at_zero * (1 + 1e-12))])
    assert (fit.value, fit.neighbour, fit.more_is_riskier) == (0.0, 1e-300, True)
    assert fit.achieved[0] == pytest.approx(at_zero, rel=1e-12)
    with pytest.raises(dl.Unreachable) as caught:
        dl.calibrate(family, meet=[question.at_most(at_zero * 0.9)])
    assert caught.value.value == 0.0
    assert caught.value.nearest == pytest.approx(at_zero, rel=1e-12)


def test_a_bracket_from_zero_reaches_any_size():
    fit = dl.calibrate(lambda mu: dl.GaussianDP(mu=mu), dl.Mu().at_most(1e-100), bracket=(0, 1))
    assert 1e-100 * (1 - 1e-9) <= fit.value <= 1e-100


@pytest.mark.parametrize("bound", [1.0, 2.0])
def test_zero_may_be_the_riskiest_of_a_bracket(bound):
    fit = dl.calibrate(lambda x: dl.GaussianDP(mu=1 / (1 + x)), dl.Mu().at_most(bound), bracket=(0, 5))
    assert (fit.value, fit.neighbour) == (0.0, None)


@pytest.mark.parametrize("end", [2.37, 0.41, 123.456])
def test_the_last_number_of_a_domain_may_be_the_only_one_that_will_do(end):
    def family(sigma):
        if sigma > end:
            raise ValueError("too much noise")
        return dl.Gaussian(sigma=sigma)

    bound = float(dl.Advantage().of(dl.Gaussian(sigma=end)))
    assert dl.calibrate(family, dl.Advantage().at_most(bound)).value == end


def test_steps_in_a_family_are_bisected():
    fit = dl.calibrate(lambda x: dl.GaussianDP(mu=math.ceil(x)), meet=[dl.Advantage().at_most(0.8)])
    assert 0 <= 1 - fit.value / 2 <= 1e-9


def test_curves_are_as_good_as_mechanisms():
    fit = dl.calibrate(
        lambda m: dl.infimum(dl.GaussianDP(mu=m), dl.Laplace(scale=10.0)), meet=[dl.Advantage().at_most(0.1)]
    )
    assert fit.value == pytest.approx(0.2513226938, rel=1e-9)


def test_results_serialise():
    fit = dl.calibrate(dl_gaussian, meet=[dl.AttackPower(fpr=0.01).at_most(0.05), dl.MinFPR(fnr=0.1).at_least(0.1)])
    data = json.loads(json.dumps(fit.to_dict(), allow_nan=False))
    assert data["value"] == fit.value
    assert data["achieved"][0]["high"] == fit.achieved[0].high
    assert data["meet"][0] == {"question": "AttackPower", "fpr": 0.01, "at_most": 0.05}
    assert data["meet"][1]["at_least"] == 0.1
    assert pickle.loads(pickle.dumps(fit)) == fit


# ---- what cannot be met -----------------------------------------------------------------------------------


@pytest.mark.parametrize("prior", [0.75, 0.9, 0.2, 0.6])
def test_no_better_than_guessing_can_be_asked_for(prior):
    """The best decision stays the same until a ratio e^epsilon outweighs the odds."""
    odds = abs(math.log(prior / (1 - prior)))
    for family, value in (
        (lambda s: dl.Laplace(scale=s), 1 / odds),
        (lambda e: dl.RandomizedResponse(epsilon=e), odds),
        (lambda s: dl.Laplace(scale=s).repeat(2), 2 / odds),
    ):
        fit = dl.calibrate(family, meet=[dl.Accuracy(prior=prior).at_most(max(prior, 1 - prior))])
        assert fit.value == pytest.approx(value, rel=2e-9)
        assert fit.achieved[0].low == fit.achieved[0].high == max(prior, 1 - prior)
        assert not fit.binding.met_by(family(fit.neighbour))


def test_unbounded_evidence_always_improves_on_a_guess():
    with pytest.raises(dl.Unreachable, match=r"Guessing alone reaches that bound.*leave some room\.$"):
        dl.calibrate(lambda s: dl.Gaussian(sigma=s), meet=[dl.Accuracy(prior=0.75).at_most(0.75)])


RARE = [
    (dl.MaxPosterior(prior=0.01).at_most(0.05), "ask Posterior at a false-positive rate above"),
    (dl.RelativeRisk(prior=0.01).at_most(5.0), "ask at a false-positive rate or a delta above"),
    (dl.Posterior(prior=0.01, fpr=0.0).at_most(0.05), "ask at a false-positive rate or a delta above"),
    (dl.Precision(recall=0.0, prior=0.01).at_most(0.05), "ask at a recall above"),
    (dl.PosteriorAfterNegative(prior=0.9, fpr=1.0).at_least(0.5), "ask with 1 − fpr above"),
]


@pytest.mark.parametrize(("requirement", "remedy"), RARE, ids=str)
def test_rare_evidence_is_named_where_it_decides(requirement, remedy):
    with pytest.raises(dl.Unreachable, match=f"Arbitrarily strong evidence is possible, if rare: {remedy} 0"):
        dl.calibrate(lambda s: dl.Gaussian(sigma=s), meet=[requirement])
    with pytest.raises(dl.Unreachable, match=f"probability 1e-06 an output proves.*{remedy[3:]} that"):
        dl.calibrate(lambda e: dl.ApproximateDP(epsilon=e, delta=1e-6), meet=[requirement])


def test_too_little_noise_is_not_called_rare_evidence():
    with pytest.raises(dl.Unreachable, match=r"at the parameter 0\.0001\.$"):
        dl.calibrate(lambda s: dl.Gaussian(sigma=s), meet=[dl.Advantage().at_most(0.1)], bracket=(1e-5, 1e-3))


def test_what_the_parameter_does_not_change_is_named():
    with pytest.raises(dl.Unreachable, match=r"does not depend on the parameter.*sigma=1\.0\) alone gives 0\.3829"):
        dl.calibrate(
            lambda s: dl.compose(dl.Gaussian(sigma=s), dl.Gaussian(sigma=1.0)), meet=[dl.Advantage().at_most(0.1)]
        )


def test_a_bound_below_what_guessing_reaches():
    with pytest.raises(dl.Unreachable, match="reveals nothing") as caught:
        dl.calibrate(lambda e: dl.Laplace(scale=1 / e), meet=[dl.FScore(weight=2.0).at_most(0.83)])
    assert caught.value.nearest == pytest.approx(5 / 6)
    assert caught.value.value is None
    assert pickle.loads(pickle.dumps(caught.value)).nearest == caught.value.nearest


@pytest.mark.parametrize(
    "requirement",
    [dl.Advantage().at_most(-0.1), dl.MinFPR(fnr=0.1).at_least(0.95), dl.Cost().at_least(0.6), dl.AUC().at_most(0.4)],
)
def test_impossible_bounds(requirement):
    with pytest.raises(dl.Unreachable, match="nearest"):
        dl.calibrate(dl_gaussian, meet=[requirement])


def test_a_bound_next_to_what_is_reached_is_told_apart():
    with pytest.raises(
        dl.Unreachable, match=r"<= 0\.6666666666666666\. The nearest that was reached is 0\.66666666666666\d+,"
    ):
        dl.calibrate(lambda s: dl.Gaussian(sigma=s), meet=[dl.FScore().at_most(2 / 3)])


def test_catastrophic_failure_is_the_reason():
    family = lambda s: dl.Gaussian(sigma=s).fails_with(1e-3)  # noqa: E731
    with pytest.raises(dl.Unreachable, match=r"can prove something: with probability 0\.001"):
        dl.calibrate(family, meet=[dl.RelativeRisk().at_most(10.0)])
    with pytest.raises(dl.Unreachable, match="an output proves who is in the data") as caught:
        dl.calibrate(family, meet=[dl.AttackPower(fpr=0.01).at_most(0.0105)])
    assert caught.value.nearest == pytest.approx(0.001 + 0.999 * 0.01 / 0.999, rel=1e-6)


def test_failure_is_not_the_reason_where_it_is_not():
    with pytest.raises(dl.Unreachable) as caught:  # epsilon = 1 alone is too much, whatever delta is
        dl.calibrate(lambda d: dl.ApproximateDP(epsilon=1.0, delta=d), meet=[dl.Advantage().at_most(0.1)])
    assert "catastrophic" not in str(caught.value)
    assert caught.value.nearest == pytest.approx(math.tanh(0.5))


def test_unbounded_ratios_are_the_reason():
    with pytest.raises(dl.Unreachable, match="false-positive rate or a delta above 0") as caught:
        dl.calibrate(dl_gaussian, meet=[dl.Epsilon().at_most(1.0)])
    assert math.isinf(caught.value.nearest)


@pytest.mark.parametrize(("sigma", "kind"), [(1.0, dl.Unreachable), (100.0, Undefined)])
def test_a_parameter_without_effect_is_told(sigma, kind):
    with pytest.raises(kind, match="does the family use its parameter"):
        dl.calibrate(lambda s: dl.Gaussian(sigma=sigma), meet=[dl.Advantage().at_most(0.1)])


def test_a_family_that_turns_far_from_its_border_is_noticed():
    with pytest.raises(dl.FamilyError, match="not monotone"):
        dl.calibrate(lambda s: dl.Gaussian(sigma=abs(math.log(s) - 1) + 0.1), meet=[dl.Advantage().at_most(0.1)])


def test_requirements_that_restrict_nothing():
    with pytest.raises(ValueError, match="restricts something"):
        dl.calibrate(dl_gaussian, meet=[dl.Advantage().at_most(1.0)])
    with pytest.raises(ValueError, match="no riskiest"):
        dl.calibrate(lambda p: dl.GaussianDP(mu=p / (1 + p)), meet=[dl.Advantage().at_most(0.5)])


# ---- families that misbehave ------------------------------------------------------------------------------


def test_a_family_that_is_not_monotone():
    with pytest.raises(dl.FamilyError, match="not monotone"):
        dl.calibrate(lambda x: dl.GaussianDP(mu=1 / x + (0.5 if x > 3 else 0)), meet=[dl.Mu().at_most(0.3)])


def test_more_discrete_noise_may_hide_less():
    """At a fixed false-positive rate the power against discrete Gaussian noise does not fall steadily with sigma."""
    power = dl.AttackPower(fpr=0.00011282690026127198)
    less, more = dl.DiscreteGaussian(sigma=1.7667273915), dl.DiscreteGaussian(sigma=1.77311688944)
    assert power.of(more).low > power.of(less).high


def test_requirements_that_pull_apart():
    def family(x):  # a smaller epsilon at the price of a larger delta
        return dl.ApproximateDP(epsilon=1 / (1 + x), delta=min(0.01 * (1 + x), 1.0))

    meet = [dl.AttackPower(fpr=0.0).at_most(0.1), dl.Advantage().at_most(0.25)]
    with pytest.raises(dl.FamilyError, match="opposite directions"):
        dl.calibrate(family, meet=meet, bracket=(0.5, 20.0))


def test_a_family_without_curves():
    with pytest.raises(dl.FamilyError, match=r"At the parameter 1: .*trade-off curve") as caught:
        dl.calibrate(lambda x: x, meet=[dl.Advantage().at_most(0.1)])
    assert caught.value.value == 1.0


def test_a_family_with_a_mistake():
    def family(x):
        return dl.Gaussian(sigma=x) if x < 1.5 else dl.Gaussian(sigma="2")

    with pytest.raises(dl.FamilyError, match=r"raised InvalidType at the parameter \d"):
        dl.calibrate(family, meet=[dl.Advantage().at_most(0.1)])


@pytest.mark.parametrize(
    ("family", "bound", "start"),
    [
        (lambda k: dl.Gaussian(sigma=30.0).repeat(k), 0.1, None),  # ends at 2, to all appearances
        (lambda k: dl.Gaussian(sigma=30.0).repeat(k), 0.01, None),
        (lambda k: dl.Gaussian(sigma=30.0).repeat(k), 0.015, None),  # between 1 and 2
        (lambda k: dl.Gaussian(sigma=30.0).group(k), 0.1, 100.0),
        (lambda k: dl.RandomizedResponse(epsilon=1.0, categories=k), 0.2, None),
    ],
)
def test_a_family_of_whole_numbers_must_be_called_one(family, bound, start):
    with pytest.raises(dl.FamilyError, match=r"whole numbers only.*Pass integer=True"):
        dl.calibrate(family, meet=[dl.Advantage().at_most(bound)], start=start)


def test_a_family_that_always_raises():
    def family(x):
        raise ValueError("nothing here")

    alike = r"at all 17 parameters tried, from 1e-12 to 1e\+12, always the same \(ValueError: nothing here\)\.$"
    with pytest.raises(dl.FamilyError, match=alike):
        dl.calibrate(family, meet=[dl.Advantage().at_most(0.1)])
    with pytest.raises(dl.FamilyError, match=r"tried, at 1 \(InvalidValue: .* got -1\.0\.\)\. Pass a start"):
        dl.calibrate(lambda x: dl.Gaussian(sigma=-x), meet=[dl.Advantage().at_most(0.1)])


def test_a_family_that_raises_between_values_that_it_takes():
    calls = []

    def family(x):
        calls.append(x)
        if len(calls) > 12:
            raise ValueError("enough")
        return dl.GaussianDP(mu=math.ceil(x / 0.7))

    with pytest.raises(dl.FamilyError, match=r"between .* enough"):
        dl.calibrate(family, meet=[dl.Advantage().at_most(0.8)])


def holed(low, high):
    """Gaussian noise by sigma, but not between two of them."""
    return lambda sigma: dl.Gaussian(sigma=sigma) if not low <= sigma <= high else 1 / 0


@pytest.mark.parametrize(("hole", "bound"), [((2.0, 4.0), 0.05), ((0.2, 0.5), 0.9999)])
def test_a_family_goes_on_beyond_a_gap(hole, bound):
    fit = dl.calibrate(holed(*hole), meet=[dl.Advantage().at_most(bound)])
    assert fit.value == pytest.approx(1 / dl.mu_from_advantage(bound), rel=2e-9)
    assert fit.binding is not None


@pytest.mark.parametrize(
    ("hole", "bound", "error"),
    [
        ((2.0, 4.0), 0.15, dl.FamilyError),  # the border lies in the gap
        ((0.2, 0.5), 0.97, dl.FamilyError),
        ((2.0, 4e4), 0.05, dl.Unreachable),  # too wide to be looked across
    ],
)
def test_what_a_family_raised_in_a_gap_is_said(hole, bound, error):
    with pytest.raises(error, match=r"family raised at .* \(ZeroDivisionError: division by zero\)"):
        dl.calibrate(holed(*hole), meet=[dl.Advantage().at_most(bound)])


@pytest.mark.parametrize(("step", "bound"), [(2, 0.1), (2, 0.01), (5, 0.01), (5, 0.1), (10, 0.01), (50, 0.1)])
def test_a_family_of_multiples_says_so(step, bound):
    def family(n):
        if n % step:
            raise ValueError(f"{n} is no multiple.")
        return dl.Gaussian(sigma=300.0).repeat(n)

    with pytest.raises(dl.FamilyError, match=r"some whole numbers only.* is no multiple"):
        dl.calibrate(family, meet=[dl.Advantage().at_most(bound)], integer=True)


@pytest.mark.parametrize("upper", [True, False])
def test_what_is_not_a_number_meets_nothing(upper):
    @dataclass(frozen=True, kw_only=True)
    class Broken(Question):
        def _read(self, curve):
            mu = float(curve.mu())
            return math.nan if curve.upper == upper and 0.2 < mu < 0.9 else mu

    with pytest.raises(Undefined, match="floating-point range for this GaussianDP"):
        Broken().of(dl.GaussianDP(mu=0.5))
    with pytest.raises(dl.FamilyError, match="no answer"):
        dl.calibrate(lambda mu: dl.GaussianDP(mu=mu), meet=[Broken().at_most(0.5)])


def test_a_family_of_one_number_says_so():
    def family(n):
        if n != 100:
            raise ValueError(f"not {n}")
        return dl.Gaussian(sigma=300.0).repeat(n)

    for bound in (0.1, 0.001):
        with pytest.raises(Undefined, match=r"at 99 \(ValueError: not 99\) and at 101 \(ValueError: not 101\)"):
            dl.calibrate(family, meet=[dl.Advantage().at_most(bound)], integer=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"family": 3, "meet": [dl.Advantage().at_most(0.1)]}, "family"),
        ({"family": dl.Gaussian, "meet": [dl.Advantage().at_most(0.1)]}, "lambda sigma"),
        ({"family": dl_gaussian, "meet": []}, "at least one"),
        ({"family": dl_gaussian, "meet": 0.1}, "list of requirements"),
        ({"family": dl_gaussian, "meet": "advantage"}, "list of requirements"),
        ({"family": dl_gaussian, "meet": [dl.Advantage()]}, r"meet\[0\]"),
        ({"family": dl_gaussian, "meet": [dl.Advantage().at_most(0.1)], "bracket": 3}, "bracket"),
        ({"family": dl_gaussian, "meet": [dl.Advantage().at_most(0.1)], "bracket": (2.0, 1.0)}, "bracket"),
        ({"family": dl_gaussian, "meet": [dl.Advantage().at_most(0.1)], "start": -1.0}, "start"),
        ({"family": dl_gaussian, "meet": [dl.Advantage().at_most(0.1)], "start": math.nan}, "start"),
        ({"family": dl_gaussian, "meet": [dl.Advantage().at_most(0.1)], "integer": "yes"}, "integer"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(dl.DplensError, match=message):
        dl.calibrate(**arguments)


@pytest.mark.verify
def test_few_curves_stay_in_memory():
    """The curve of a composition may take hundreds of megabytes."""
    made = weakref.WeakSet()

    class Release:
        def __init__(self, sigma):
            self.release = dl.compose(dl.Gaussian(sigma=sigma), dl.Laplace(scale=2.0))

        def tradeoff(self):
            gc.collect()  # curves and their mirror images know each other
            assert len(made) <= 4
            made.add(curve := self.release.tradeoff())
            return curve

    assert dl.calibrate(Release, meet=dl.Advantage().at_most(0.5), start=1e9).evaluations > 10
