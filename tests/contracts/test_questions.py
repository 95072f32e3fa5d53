"""What every question must answer, of every mechanism and curve."""

import math
import pickle
from dataclasses import dataclass, fields, replace

import numpy as np
import pytest
from scipy.special import ndtri

import dplens as dl
from tests.contracts.catalogue import (
    FAMILIES,
    LABORIOUS,
    PROBABILITIES,
    QUESTIONS,
    SEARCHED,
    UNBOUNDED,
    at_most,
    curve_of,
    slack,
)

QUICK = [dl.Advantage(), dl.AttackPower(fpr=0.01), dl.Posterior(prior=0.01, fpr=1e-3), dl.MinFPR(fnr=0.2)]
ONE_OF_EACH = [next(q for q in QUESTIONS if type(q) is kind) for kind in dict.fromkeys(map(type, QUESTIONS))]

every_family = pytest.mark.parametrize("family", FAMILIES, ids=str)
every_question = pytest.mark.parametrize("question", QUESTIONS, ids=repr)


def asked(family):
    """The questions to put to a family: fewer where an answer takes long."""
    if family.name in SEARCHED:
        return [*QUICK, dl.MaxPosterior(prior=0.01), dl.Renyi(order=2.0), dl.PosteriorAfterNegative(prior=0.9, fpr=0.1)]
    return ONE_OF_EACH if family.slow else QUESTIONS


def public(kind):
    """The public concrete classes of a kind."""
    found = (getattr(dl, name) for name in dl.__all__)
    return {c for c in found if isinstance(c, type) and issubclass(c, kind) and not c.__abstractmethods__}


def test_every_question_is_in_the_catalogue():
    assert public(dl.Question) == {type(q) for q in QUESTIONS}


def test_every_mechanism_is_in_the_catalogue():
    assert public(dl.Mechanism) <= {type(family.example) for family in FAMILIES}


# ---- the answer ----------------------------------------------------------------------------------------


@every_family
def test_an_answer_is_a_bracket_with_its_risky_end_in_front(family):
    def check(**arguments):
        subject = family.build(**arguments)
        for question in asked(family):
            answer = question.of(subject)
            assert isinstance(answer, dl.Estimate), question
            assert not math.isnan(answer), question
            assert answer.low <= float(answer) <= answer.high, (question, answer)
            assert float(answer) == (answer.high if question.more_is_riskier else answer.low), (question, answer)
            assert math.isfinite(answer) or isinstance(question, UNBOUNDED), (question, answer)
            assert answer.low >= 0, (question, answer)
            if isinstance(question, PROBABILITIES):
                assert answer.high <= 1, (question, answer)
            assert answer.certificate == curve_of(subject).certificate

    family.run(check)


@every_family
def test_the_bracket_is_narrow(family):
    f = curve_of(family.example)
    for question in asked(family):
        answer = question.of(f)
        if isinstance(question, dl.Mu) or math.isinf(answer.high):
            continue  # what cannot be told from infinite is said to be
        assert answer.high - answer.low <= 1e-6 * answer.high, (question, answer)


@every_family
def test_a_curve_and_its_mechanism_answer_alike(family):
    class Release:
        def tradeoff(self):
            return curve_of(family.example)

    for question in QUICK:
        assert question.of(family.example) == question.of(curve_of(family.example)) == question.of(Release())


# ---- each question by its definition, on a grid of attacks ---------------------------------------------

_LOGITS = np.concatenate([np.linspace(-690, -40, 120), np.linspace(-39, 36, 1200)])
GRID = np.concatenate([[0.0], 1 / (1 + np.exp(-_LOGITS)), [1.0]])
FEW = np.concatenate([[0.0], 1 / (1 + np.exp(-np.linspace(-39, 36, 301))), [1.0]])


def definition(question, alpha, beta, power):
    """The risk of the attack at each alpha by the question's definition; None where it is no best of attacks."""
    q = question
    p = getattr(q, "prior", None)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        match q:
            case dl.Advantage():
                return power - alpha
            case dl.Delta():
                return power - np.where(alpha > 0, np.exp(q.epsilon) * alpha, 0.0)
            case dl.Accuracy():
                return 1 - (1 - p) * alpha - p * beta
            case dl.Cost():
                return (1 - p) * q.false_positive * alpha + p * q.false_negative * beta
            case dl.FScore():
                w = q.weight**2
                return (1 + w) * p * power / (w * p + p * power + (1 - p) * alpha)
            case dl.AttackPower():
                return np.where(alpha <= q.fpr, power, 0.0)
            case dl.Reconstruction() | dl.AttributeInference():
                return np.where(alpha <= q.baseline, power, 0.0)
            case dl.InferenceAdvantage():
                return np.where(alpha <= q.baseline, power, 0.0) - q.baseline
            case dl.MinFPR() if q.fnr > 0:
                return np.where(beta <= q.fnr, alpha, 1.0)
            case dl.Precision():
                return np.where(beta <= 1 - q.recall, p * power / ((1 - p) * alpha + p * power), 0.0)
            case dl.Posterior() | dl.MaxPosterior():
                fpr = getattr(q, "fpr", 0.0)
                return np.where(alpha >= fpr, p * power / ((1 - p) * alpha + p * power), 0.0)
            case dl.PosteriorAfterNegative():
                left = p * beta / ((1 - p) * (1 - alpha) + p * beta)
                return np.where(alpha <= q.fpr, left, 1.0)
            case dl.RelativeRisk():
                return np.where(alpha >= q.fpr, power / ((1 - p) * alpha + p * power), 0.0)
            case dl.Mu():
                return quantile(power, beta) - quantile(alpha, 1 - alpha)
            case dl.Renyi():
                # a test is a coin, and post-processing never raises a divergence
                return np.maximum(
                    coins(power, beta, alpha, 1 - alpha, q.order), coins(alpha, 1 - alpha, power, beta, q.order)
                )
    return None


def quantile(level, complement):
    return np.where(level < 0.5, ndtri(level), -ndtri(complement))


def coins(t, b, a, c, order):
    """Rényi divergence of the coin (t, b) from the coin (a, c)."""
    if order == math.inf:
        return np.maximum(np.log(t / a), np.log(b / c))
    if order == 1:
        return t * np.log(t / a) + b * np.log(b / c)
    return np.log(t**order * a ** (1 - order) + b**order * c ** (1 - order)) / (order - 1)


# of these an attack gives no bound; each has a test of its own below
WITHOUT_DEFINITION = (dl.AUC, dl.Epsilon)


@every_question
def test_every_question_is_defined_by_attacks_or_listed(question):
    if question == dl.MinFPR(fnr=0.0):
        return  # the first alpha at which beta is 0, which a grid misses
    alpha, beta = np.array([0.1, 0.2]), np.array([0.6, 0.5])
    found = definition(question, alpha, beta, 1 - beta)
    assert (found is None) == isinstance(question, WITHOUT_DEFINITION)


@every_family
def test_answers_are_the_best_of_all_attacks(family):
    def check(**arguments):
        f = curve_of(family.build(**arguments))
        alpha = FEW if family.slow else GRID
        beta, power = f(alpha), f.power(alpha)
        if f.inverse()(1e-300) > 0:  # a beta that underflows is not 0
            shown = (beta > 1e-290) | (alpha >= f.inverse()(0.0))
            alpha, beta, power = alpha[shown], beta[shown], power[shown]
        for question in asked(family):
            found = definition(question, alpha, beta, power)
            if found is None:
                continue
            found = found[~np.isnan(found)]
            if not len(found):
                continue
            answer = float(question.of(f))
            room = 1e-9 + 10 * slack(f)
            if question.more_is_riskier:
                best = float(found.max())
                assert best <= answer * (1 + room) + room, (question, best, answer)
            else:
                best = float(found.min())
                assert answer <= best * (1 + room) + room, (question, best, answer)
            # attained, as far as a grid can tell
            if isinstance(question, (dl.Advantage, dl.Accuracy, dl.Cost, dl.FScore)) and not family.slow:
                assert answer == pytest.approx(best, rel=0.03, abs=0.02), question

    family.run(check)


@every_family
def test_auc_is_the_area_under_the_power(family):
    if family.name in SEARCHED:
        pytest.skip("takes long, and the area is found as for other curves without closed form")
    f = curve_of(family.example)
    alpha = np.unique(np.concatenate([GRID, np.linspace(0, 1, 2001)]))
    power = f.power(alpha)
    # power is concave: trapezia lie below it, and rectangles above
    below = float(np.sum(np.diff(alpha) * (power[1:] + power[:-1]) / 2))
    above = float(np.sum(np.diff(alpha) * power[1:]))
    answer = dl.AUC().of(f)
    assert below - 1e-9 <= answer <= above + 1e-9


@every_family
def test_answers_are_readings_of_the_curve(family):
    f = curve_of(family.example)
    for fpr in (0.0, 1e-6, 0.05, 1.0):
        assert dl.AttackPower(fpr=fpr).of(f) == f.power(fpr)
    for fnr in (0.0, 0.3, 1.0):
        assert dl.MinFPR(fnr=fnr).of(f) == pytest.approx(f.inverse()(fnr), rel=1e-12)
    for epsilon in (0.0, 0.7, math.inf):
        assert dl.Delta(epsilon=epsilon).of(f) == f.delta(epsilon)
    for delta in (0.0, 1e-3):
        assert dl.Epsilon(delta=delta).of(f) == f.epsilon(delta)
    assert dl.Advantage().of(f) == f.delta(0.0)
    room = 1e-9
    power, beta = f.power(0.01), f(0.01)
    assert dl.Posterior(prior=0.2, fpr=0.01).of(f) == pytest.approx(0.2 * power / (0.008 + 0.2 * power), rel=room)
    missed = 0.2 * beta
    assert dl.PosteriorAfterNegative(prior=0.2, fpr=0.01).of(f) == pytest.approx(missed / (0.792 + missed), rel=room)
    assert dl.Accuracy(prior=0.5).of(f) == pytest.approx((1 + f.delta(0.0)) / 2, rel=room)
    assert dl.Cost(prior=0.3).of(f) == pytest.approx(1 - dl.Accuracy(prior=0.3).of(f), rel=1e-6, abs=1e-9)
    assert dl.MaxPosterior(prior=0.2).of(f) == dl.Posterior(prior=0.2, fpr=0.0).of(f)
    risk = dl.RelativeRisk(fpr=0.01).of(f)
    assert risk == pytest.approx(power / 0.01, rel=room)
    posterior = dl.RelativeRisk(fpr=0.01, prior=0.2).of(f)
    assert posterior == pytest.approx(dl.Posterior(prior=0.2, fpr=0.01).of(f) / 0.2, rel=room)


# ---- riskier releases ----------------------------------------------------------------------------------


def no_safer(question, risky, mild):
    """The answer for ``risky`` shows no less risk; both brackets hold their truths, so this cannot fail by rounding."""
    r, m = question.of(risky), question.of(mild)
    if question.more_is_riskier:
        assert r.high >= m.low, (question, r, m)
    else:
        assert r.low <= m.high, (question, r, m)


@pytest.mark.parametrize("family", [f for f in FAMILIES if f.riskier], ids=str)
def test_a_riskier_release_never_gets_a_lower_risk(family):
    def check(**arguments):
        mild, risky = family.build(**arguments), family.build(**family.doubled(arguments))
        for question in QUICK if family.slow else QUESTIONS:
            no_safer(question, risky, mild)

    family.run(check)


@every_family
def test_failing_and_groups_never_lower_a_risk(family):
    subject = family.example
    for question in QUICK if family.slow else QUESTIONS:
        no_safer(question, subject.fails_with(0.03125), subject)
        if family.name not in SEARCHED and not isinstance(question, LABORIOUS):
            no_safer(question, subject.group(2), subject)


# ---- how a release fails -------------------------------------------------------------------------------

MODES = {
    "gaussian": "graceful",
    "laplace": "none",
    "geometric": "none",
    "discrete gaussian": "graceful",
    "staircase": "none",
    "cauchy noise": "none",
    "t3 noise": "none",
    "logistic noise": "none",
    "generalised normal noise": "graceful",
    "uniform noise": "catastrophic",
    "truncated normal noise": "catastrophic",
    "gumbel noise": "graceful",
    "randomized response": "none",
    "uniform sampling": "catastrophic",
    "uniform sampling, replace": "catastrophic",
    "two normals": "graceful",
    "exponential": "none",
    "gaussian dp": "graceful",
    "zcdp": "graceful",
    "group of laplace": "none",
    "randomized response as replace": "none",
    "geometric as replace": "none",
    # proof comes from the other guarantee's delta, evidence without limit from the Gaussian
    "best of two guarantees": "graceful",
    "worst of two finite pairs": "catastrophic",
    "worst of laplace and gaussian": "graceful",
}


@every_family
def test_failure_mode_follows_from_the_curve(family):
    def check(**arguments):
        f = curve_of(family.build(**arguments))
        mode = dl.failure_mode(f)
        assert mode is dl.failure_mode(f.inverse())
        proof = f.power(0.0) > 0 or f.inverse().power(0.0) > 0
        assert (mode is dl.FailureMode.CATASTROPHIC) == proof
        ratio = dl.RelativeRisk().of(f)
        if mode is dl.FailureMode.NONE:
            assert f.epsilon(0.0) < math.inf
        else:
            assert ratio == math.inf
        if mode in (dl.FailureMode.GRACEFUL, dl.FailureMode.CATASTROPHIC):
            assert f.epsilon(0.0) == math.inf
        if family.name in MODES and arguments == family.fixed:
            assert mode.value == MODES[family.name]

    family.run(check)


# ---- requirements --------------------------------------------------------------------------------------


@every_question
def test_a_requirement_is_met_up_to_its_bound(question):
    for m in (dl.Laplace(scale=1.0), dl.ApproximateDP(epsilon=1.0, delta=1e-3), dl.GaussianDP(mu=0.5)):
        answer = float(question.of(m))
        if question.more_is_riskier:
            requirement = question.at_most(answer)
            stricter = question.at_most(math.nextafter(answer, -math.inf))
            looser = question.at_most(min(answer + 1, question.ceiling))
            refused = question.at_least
        else:
            requirement = question.at_least(answer)
            stricter, looser = question.at_least(math.nextafter(answer, math.inf)), question.at_least(answer - 1)
            refused = question.at_most
        assert isinstance(requirement, dl.Requirement)
        assert requirement.question == question
        assert requirement.bound == answer
        assert requirement.met_by(m)
        assert requirement.met_by(m.tradeoff())
        assert looser.met_by(m)
        assert not stricter.met_by(m)
        with pytest.raises(ValueError, match=type(question).__name__):
            refused(0.1)


# ---- questions as descriptions -------------------------------------------------------------------------


@every_question
def test_questions_are_frozen_values(question):
    names = [field.name for field in fields(question)]
    for name in [*names, "something_new"]:
        with pytest.raises(AttributeError):
            setattr(question, name, 0.5)
    twin = type(question)(**{name: getattr(question, name) for name in names})
    assert twin == question
    assert hash(twin) == hash(question)
    assert replace(question) == question
    assert pickle.loads(pickle.dumps(question)) == question
    assert all(f"{name}=" in repr(question) for name in names)
    if names:
        with pytest.raises(TypeError):
            type(question)(0.5)


@dataclass(frozen=True, kw_only=True)
class TruePositivesPerThousand(dl.Question):
    """How many of a thousand targets an attack with the given false-positive rate finds."""

    fpr: float = 0.01

    def _read(self, curve):
        return 1000 * curve.power(self.fpr)


@dataclass(frozen=True, kw_only=True)
class EqualError(dl.Question):
    """The rate at which the attacker's two errors are equal. Less is riskier."""

    more_is_riskier = False

    def _read(self, curve):
        low, high = 0.0, 1.0
        while high - low > 1e-12:
            middle = (low + high) / 2
            low, high = (middle, high) if curve.beta(middle) > middle else (low, middle)
        return (low + high) / 2


def test_a_new_question_is_one_small_class():
    m = dl.Gaussian(sigma=1.0)
    answer = TruePositivesPerThousand(fpr=0.01).of(m)
    assert isinstance(answer, dl.Estimate)
    assert answer == 1000 * m.tradeoff().power(0.01)
    assert TruePositivesPerThousand().at_most(100).met_by(dl.Gaussian(sigma=2.0))
    assert not TruePositivesPerThousand().at_most(10).met_by(dl.Gaussian(sigma=2.0))
    assert EqualError().of(dl.Laplace(scale=1.0)) == pytest.approx(math.exp(-0.5) / 2, rel=1e-9)
    assert EqualError().at_least(0.3).met_by(dl.Laplace(scale=1.0))
    assert not EqualError().at_least(0.31).met_by(dl.Laplace(scale=1.0))
    for question in (TruePositivesPerThousand(), EqualError()):
        no_safer(question, dl.Laplace(scale=0.5), dl.Laplace(scale=1.0))
        assert question == type(question)()


def test_an_estimate_is_a_float_that_knows_its_ends():
    e = dl.Advantage().of(dl.Gaussian(sigma=1.0))
    assert isinstance(e, float)
    assert e + 0 == float(e)
    with pytest.raises(AttributeError):
        e.low = 0.0
    twin = pickle.loads(pickle.dumps(e))
    assert (twin, twin.low, twin.high, twin.certificate) == (e, e.low, e.high, e.certificate)
    at_most(e.low, e.high, 0.0)


def test_a_point_that_several_questions_ask_for_is_worked_out_once(monkeypatch):
    curve = dl.Gaussian(sigma=2.0).tradeoff()
    power = curve.power(0.01)
    asked = []
    kind = type(curve)
    original = kind.power_bounds

    def power_bounds(self, alpha, co):
        asked.append(float(alpha[0]))
        return original(self, alpha, co)

    monkeypatch.setattr(kind, "power_bounds", power_bounds)
    for prior in (0.1, 0.2, 0.3):
        right, wrong = prior * power, (1 - prior) * 0.01
        assert dl.Posterior(prior=prior, fpr=0.01).of(curve) == pytest.approx(right / (right + wrong), rel=1e-12)
    assert asked == [0.01]
