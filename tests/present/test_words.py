"""Words: every number errs towards more risk, and every sentence says what it is about."""

import json
import math
import os
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import dplens as dl
from dplens.present.card import RiskCard
from dplens.present.rounding import given as written
from dplens.present.words import say
from dplens.present.words.counts import odds, pair
from dplens.present.words.language import language
from dplens.present.words.say import Voice
from dplens.present.words.sections import published_sentences
from dplens.telling import LANGUAGES
from tests.examples import EXAMPLES, assessed
from tests.present.reports import Page

SNAPSHOTS = Path(__file__).parents[1] / "snapshots" / "words"
COUPLE = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_the_words_of_the_examples_are_as_they_were_read_and_approved(path):
    """After a change that is meant: DPLENS_UPDATE_SNAPSHOTS=1, and read what changed."""
    told = assessed(path).words() + "\n"
    kept = SNAPSHOTS / f"{path.stem}.txt"
    if os.environ.get("DPLENS_UPDATE_SNAPSHOTS"):
        kept.write_text(told, encoding="utf-8")
    assert told == kept.read_text(encoding="utf-8")


# ---- counting people -----------------------------------------------------------------------------------------

shares = st.floats(1e-6, 1 - 1e-6)


@given(before=shares, more=shares)
def test_a_change_is_never_understated(before, more):
    after = before + (1 - before) * more
    first, second, out_of = pair(before, after)
    assert first <= before * out_of * (1 + 1e-9) + 1e-9
    assert second >= after * out_of * (1 - 1e-9) - 1e-9
    assert 0 <= first <= second <= out_of
    assert out_of in [10**k for k in range(2, 16)]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (0.1, 0.24, (10, 24, 100)),
        (0.1, 0.240001, (10, 25, 100)),
        (0.1, 0.105, (100, 105, 1000)),  # 100 would hide the change
        (0.01, 0.022, (10, 22, 1000)),  # 3 of 100 would exaggerate it
        (0.015, 0.2, (15, 200, 1000)),  # 100 would hide the baseline
        (0.5, 0.5, (50, 50, 100)),
        (1e-5, 1e-4, (1, 10, 100_000)),
        (0.5, 1.0, (50, 100, 100)),
    ],
)
def test_pairs_stand_over_one_denominator(before, after, shown):
    assert pair(before, after) == shown


@given(share=shares)
def test_odds_are_rounded_apart(share):
    for risky in (False, True):
        kind, ratio = odds(share, risky=risky)
        against = number(ratio) if kind == "against" else 1 / number(ratio)
        exact = (1 - share) / share
        assert against <= exact * (1 + 1e-9) if risky else against >= exact * (1 - 1e-9)


# ---- numbers in sentences --------------------------------------------------------------------------------------

RELEASES = [
    dl.Gaussian(sigma=2.0),
    dl.Laplace(scale=0.7),
    dl.Laplace(scale=60.0),
    dl.UniformSampling(mu=1.0, n=1000),
    dl.DPSGD(noise_multiplier=0.8, sample_rate=0.004, steps=1000),
    dl.Gaussian(sigma=0.05),
    dl.Gaussian(sigma=1.0, neighbours="replace").subsample(0.1, "without_replacement"),
    dl.RandomizedResponse(epsilon=1.0),
    dl.ApproximateDP(epsilon=0.0, delta=0.0),
]


def number(text: str) -> float:
    return math.inf if text == "∞" else float(text.replace(",", ""))


def epsilon_line(words, delta: float) -> str:
    """The sentence about epsilon at a delta, which may be about two of them."""
    shown = re.escape(language().figure(written(delta)))
    named = re.compile(rf"[Aa]t delta {shown}[ ,]")
    return next(line for line in words["epsilon"] if named.search(line))


@pytest.mark.parametrize("release", RELEASES, ids=repr)
def test_no_number_in_words_is_below_its_estimate(release):
    made = dl.assess(release, adversary=dl.Adversary(prior=0.03))
    words = say(made)
    full = r"a ([\d.]+) % chance.* Of (?:every )?([\d,]+) .* up to ([\d,]+)\. \("
    short = r"At a chance of ([\d.]+) %: [\d,]+ of ([\d,]+) by chance, up to ([\d,]+) with"
    for sentence in [*words["summary"], *words["learning"]]:
        if found := re.search(f"{full}|{short}", sentence):
            prior, out_of, after = (x for x in found.groups() if x is not None)
            estimate = made.answer(dl.Posterior(prior=float(prior) / 100, fpr=0.01))
            assert number(after) / number(out_of) >= min(estimate.high, 1.0) * (1 - 1e-9)
    for sentence in words["absence"]:
        found = re.search(f"{full}|{short}", sentence)
        prior, out_of, after = (x for x in found.groups() if x is not None)
        left = made.answer(dl.PosteriorAfterNegative(prior=float(prior) / 100, fpr=0.99)).low
        assert number(after) / number(out_of) >= (1 - left) * (1 - 1e-9)
    for sentence in words["finding"]:
        found = re.search(r"With ([\d.]+) % false alarms, .* at most ([\d.e-]+) %", sentence)
        if found:
            estimate = made.answer(dl.AttackPower(fpr=float(found.group(1)) / 100))
            assert float(found.group(2)) / 100 >= estimate.high * (1 - 1e-9)
    factor = re.search(r"multiplied by at most (\S+)\.(?: |$)", " ".join(words["finding"])).group(1)
    assert number(factor) >= made.answer(dl.RelativeRisk(fpr=0.01)).high * (1 - 1e-9)
    risk = re.search(r"is at most ([\d.]+) %\.$", words["you"][0]).group(1)
    assert number(risk) / 100 >= made.answer(dl.AttackPower(fpr=0.1)).high * (1 - 1e-9)
    for delta in (made.assumptions.delta, 0.0):
        exact = made.answer(dl.Epsilon(delta=delta)).high
        found = re.search(r"epsilon is at most (\S+)\.(?: |$)", epsilon_line(words, delta))
        assert number(found.group(1)) >= exact * (1 - 1e-9) if found else math.isinf(exact)


@pytest.mark.parametrize("bound", [0.1974, 0.19741, 0.198, 0.1974126513, 0.5])
def test_a_verdict_shows_as_many_digits_as_it_takes(bound):
    made = dl.assess(dl.Gaussian(sigma=2.0), limits=[dl.Advantage().at_most(bound)])
    sentence = say(made)["limits"][0]
    limit, answer = (float(x) for x in re.search(r"at most ([\d.]+) %; result: ([\d.]+) %", sentence).groups())
    assert (answer <= limit) == made.limits[0].met
    assert sentence.startswith("Met" if made.limits[0].met else "Broken")


# ---- what sentences are about ---------------------------------------------------------------------------------


@pytest.mark.parametrize("release", RELEASES, ids=repr)
def test_the_summary_tells_the_worst_case(release):
    summary = dl.assess(release).words().split("\n\n")[0]
    plain = {
        "none": "no one's odds|No response changes the odds",
        "graceful": r"No (published result|response) (can prove|gives complete certainty)",
        "catastrophic": "With a probability of up to",
    }
    if float(dl.Advantage().of(release)) >= 0.99:  # what hides nothing needs no soothing
        assert summary.startswith("There is almost no protection")
        assert not re.search(plain["none"] + "|" + plain["graceful"], summary)
    else:
        assert re.search(plain[dl.failure_mode(release).value], summary)


ATTACKED = dl.audit_points([0.01], [0.9], n_in=2000, n_out=2000)
SAMPLED = dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=100)
BAD = {
    "hides nothing": (dl.assess(dl.Laplace(scale=0.05)), "almost no protection"),
    "hides nothing, gracefully": (dl.assess(dl.Gaussian(sigma=0.05)), "almost no protection"),
    "limit exceeded": (dl.assess(dl.Laplace(scale=1.0), limits=[dl.Advantage().at_most(0.1)]), "The limit is broken."),
    "limit open": (
        dl.assess(SAMPLED, limits=[dl.AUC().at_most(dl.AUC().of(SAMPLED).low)]),
        "We could not prove that the limit is met.",
    ),
    "refuted": (
        dl.assess(dl.Laplace(scale=1.0), audit=ATTACKED),
        "A measured attack proves that the description is wrong",
    ),
    "refuted, limit kept": (
        dl.assess(dl.Laplace(scale=1.0), audit=ATTACKED, limits=[dl.Advantage().at_most(0.9)]),
        "A measured attack proves that the description is wrong",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_news_comes_first_and_nothing_speaks_against_it(case, tmp_path):
    made, news = BAD[case]
    made.report(tmp_path / "report.html")
    made.report(tmp_path / "report.md")
    made.report(tmp_path / "report.json")
    page = Page((tmp_path / "report.html").read_text())
    state, *told = page.sentences["summary"]
    assert state not in ("Limits met", "Limits met, with reservations")
    card = (tmp_path / "report.md").read_text().partition("\n# ")[2].partition("\n\n")[2]
    data = json.loads((tmp_path / "report.json").read_text())
    shown = {
        "words": made.words(),
        "card": str(RiskCard(made)).partition("\n\n")[2],
        "html": "\n".join([*told, *page.sentences.get("summary-worst", [])]),
        "markdown": card,
        "json": "\n".join(data["words"]["summary"]),
    }
    for where, text in shown.items():
        assert news in text.splitlines()[0], where
        assert "We have proved" not in text, where
        if made.refuted or made.limits == ():
            assert "no one's odds" not in text.partition("\n\n")[0], where
            assert "No published result can prove" not in text.partition("\n\n")[0], where


def test_central_sentences_speak_of_membership_and_local_ones_of_answers():
    central, local = dl.assess(dl.Gaussian(sigma=1.0)), dl.assess(dl.RandomizedResponse(epsilon=1.0))
    assert "They want to find out whether a person is in the data." in central.words()
    assert "The data holder sees the true records." in central.words()
    assert "in the data" not in local.words()
    assert "may be changed by chance before it is sent. No one else sees the true answer." in local.words()
    above = dl.assess(dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2, 3], gamma=1.5))
    assert "in the data" not in above.words()
    assert "whether a person has a value above 1.5" in above.words()


def test_with_or_without_the_publication_is_not_with_or_without_you():
    words = say(dl.assess(dl.Gaussian(sigma=1.0)))
    assert all("by chance" in s and "with this publication" in s for s in words["learning"][:3])
    assert "without your data. With your data" in words["you"][0]
    replaced = say(dl.assess(dl.Gaussian(sigma=1.0, neighbours="replace")))
    assert "with someone else's data in place of yours" in replaced["you"][0]


def test_related_records_speak_of_values_and_name_the_attacker():
    data = dl.RelatedData(model=COUPLE, attackers=[dl.Knowing(target=0, known=[1], name="A spouse")])
    words = say(dl.assess(dl.Laplace(scale=1.0), data=data))
    assert 'the chance that this record has the value called "1" is 50 %.' in words["related"][2]
    assert "up to 82.8 %" in words["related"][2]  # 50 %, as the model says, and odds times e^1.5694
    assert any(
        s.startswith('"A spouse" attacks the record of the 1st person and knows every other') for s in words["related"]
    )


def test_what_was_asked_is_answered_in_a_sentence():
    asked = [dl.FScore(prior=0.1), dl.AUC(), dl.Cost(prior=0.3), dl.Epsilon(delta=1e-9), dl.AttackPower(fpr=0.05)]
    words = say(dl.assess(dl.Gaussian(sigma=2.0), questions=[*asked, dl.Advantage()]))
    alpha = np.linspace(1e-6, 1, 200_001)
    power = norm.sf(norm.isf(alpha) - 0.5)
    score = (2 * 0.1 * power / (0.1 + 0.1 * power + 0.9 * alpha)).max()
    cost = (0.7 * alpha + 0.3 * (1 - power)).min()
    *answers, seen = words["asked"]
    assert seen.startswith(
        "An F-score (weight 1) cannot show differences between releases with an epsilon below 0.105."
    )
    told = {s.split(": ")[0]: float(s.rstrip(".").split(" ")[-1]) for s in answers}
    assert len(told) == 4  # the advantage, and the power at 5 %, have sentences of their own
    assert "With 5 % false alarms" in " ".join(words["finding"])
    assert 0 <= told["The attacker's best F-score (weight 1, at a chance of 10 %)"] - score < 1e-3
    assert 0 <= told["The area under the attacker's ROC curve"] - norm.cdf(0.5 / 2**0.5) < 1e-3
    assert 0 <= cost - told["The attacker's least expected cost (at a chance of 30 %)"] < 1e-3
    local = dl.assess(dl.RandomizedResponse(epsilon=1.0), questions=dl.Precision(recall=0.5, prior=0.1))
    assert "member" not in " ".join(say(local)["asked"])
    related = say(dl.assess(dl.Laplace(scale=2.0), data=COUPLE, questions=dl.FScore(prior=0.2)))["asked"]
    assert related[1].startswith(
        "The attacker's best F-score (weight 1, at a chance of 20 %), for the worst attacker on"
    )
    assert float(related[1].split(" ")[-1][:-1]) > float(related[0].split(" ")[-1][:-1])
    endless = dl.assess(dl.ApproximateDP(epsilon=1.0, delta=1e-5), questions=dl.Mu())
    assert say(endless)["asked"] == ("The smallest mu of Gaussian differential privacy: infinite.",)


def test_where_no_epsilon_goes_with_delta_it_is_said_which_would():
    release = dl.ApproximateDP(epsilon=1.0, delta=1e-5)
    *_, told = say(dl.assess(release))["epsilon"]
    assert told.startswith("Below delta 0.00001 no epsilon can be given")
    assert told.endswith("At delta 0.00001, epsilon is at most 1.")
    for fine in (dl.assess(release, delta=1e-5), dl.assess(release, delta=0.0), dl.assess(dl.Gaussian(sigma=1.0))):
        assert not any("no epsilon can be given" in s for s in say(fine)["epsilon"])


def test_delta_neighbours_unit_and_sampling_are_always_there():
    for release in RELEASES:
        assumed = " ".join(say(dl.assess(release, unit="household"))["assumptions"])
        for word in (
            "We quote epsilon at a delta of",
            "We compare",
            "What is protected: one household",
            "may be changed by chance|The data holder",
        ):
            assert re.search(word, assumed)
    training = say(dl.assess(RELEASES[4]))
    assert "Poisson sampling" in " ".join(training["assumptions"])
    assert "whether it takes part (Poisson sampling)" in " ".join(training["warnings"])


def test_a_small_epsilon_is_no_reason_to_warn():
    assert dl.assess(dl.Laplace(scale=1e6)).warnings == ("relations_not_modelled",)


def test_the_analyst_is_not_promised_too_much():
    test = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01)
    made = dl.assess(dl.Gaussian(sigma=0.05), analyst={"the trial": dl.Analysis(test=test, min_power=0.9)})
    first, second, third = say(made)["analyst"]
    out_of, after, before = re.search(r"of (\d+) studies .* at least (\d+) find .* noise, (\d+) would", first).groups()
    assert int(after) / int(out_of) <= made.analyst[0].power.low
    assert int(before) / int(out_of) >= made.analyst[0].power_without_noise.high
    assert second == "That is not enough: the required power is 90 %."
    assert "n = 100, standard deviation = 0.25 and effect = 0.2 (source not stated)" in third


@pytest.mark.parametrize("planned", [0.25, dl.PlanningValue(value=0.25)])
def test_a_plan_without_a_source_says_so(planned):
    test = dl.MeanTest(n=100, sd=planned, effect=0.2)
    told = say(dl.assess(dl.Gaussian(sigma=0.05), analyst=test))["analyst"][-1]
    assert "standard deviation = 0.25 and effect = 0.2 (source not stated)" in told
    assert test.sources()["sd"].sentence("sd") == "Planned: standard deviation = 0.25 – source not stated."


@pytest.mark.parametrize(
    ("unit", "many", "one"),
    [
        ("person", "people", "a person"),
        ("household", "households", "a household"),
        ("entry", "entries", "an entry"),
        ("training example", "training examples", "a training example"),
        ("hour", "hours", "an hour"),
        ("user", "users", "a user"),
        ("address", "addresses", "an address"),
        ("bus", "buses", "a bus"),
        ("Child", "Children", "a Child"),
        ("mouse", "mice", "a mouse"),
        ("patients", "patients", "a patients"),  # somebody wrote several
    ],
)
def test_units_have_their_plural_and_article(unit, many, one):
    assert (language()("unit-many", unit=unit), language()("unit-a", unit=unit)) == (many, one)


def test_naming_an_attacker_does_not_loosen_a_limit():
    street = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.2, 0.8]], values=[0, 1], length=24)
    named = dl.RelatedData(model=street, attackers=[dl.Knowing(target=12, known=[11, 13], name="a neighbour")])
    limits = [dl.Epsilon(delta=0.0).at_most(0.35)]
    a = dl.assess(dl.Laplace(scale=10.0), data=named, limits=limits)
    assert [(v.about, v.met) for v in a.limits] == [("release", True), ("related", False), ("a neighbour", True)]
    assert a.limits[1].estimate == dl.assess(dl.Laplace(scale=10.0), data=street, limits=limits).limits[1].estimate
    assert not a.passed


def test_attackers_named_like_something_else_are_kept_apart():
    couple = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]])
    named = [dl.Knowing(target=0, name=name) for name in ("release", "related", "the analyst")]
    a = dl.assess(
        dl.Laplace(scale=1.0),
        data=dl.RelatedData(model=couple, attackers=named),
        limits=[dl.Advantage().at_most(0.45)],
    )
    assert [v.met for v in a.limits] == [True, False, False, False, False]
    said = a.words()
    for name in ('"release"', '"related"', "the analyst"):
        assert f'Broken, against "{name}": ' in said
    assert '\n  "The analyst" attacks the record of the 1st person' in said


def test_a_prior_from_a_formula_is_said_in_few_digits():
    spouse = dl.Adversary.from_coefficients(prior=0.5, record=0.2, temporal=0.1)
    said = dl.assess(dl.Gaussian(sigma=1.0), adversary={"spouse": spouse}).words()
    assert "Of every 1,000 people they name" in said
    assert 'an attacker ("spouse") gives each person a 92.6 % chance' in said
    assert "92.59" not in said


def test_every_question_and_warning_has_words():
    from dplens.assessment.warnings import CODES
    from dplens.describe.questions import QUESTIONS

    said = {key.partition("-")[2] for key in language().entries if key.startswith("question-")}
    assert said == set(QUESTIONS)
    assert {f"warning-{code}" for code in CODES} < set(language().entries)


# ---- claims no stronger than what is known, and in good English ------------------------------------------------------


def test_an_epsilon_that_is_not_known_to_be_finite_is_not_called_infinite():
    failing = say(dl.assess(dl.Laplace(scale=1.0).fails_with(1e-6), delta=1e-6))["epsilon"][1:]
    assert failing[0].startswith("At delta 0.000001, epsilon is at least ")
    assert failing[0].endswith(" It may be infinite.")
    assert failing[1] == "At delta 0, there is no finite epsilon: the odds can change without limit."


def test_what_was_put_in_is_not_rounded():
    told = str(say(dl.assess(dl.Gaussian(sigma=2.0), adversary=dl.Adversary(prior=0.12345), fpr=0.012345)))
    assert "gives each person a 12.345 % chance" in told
    assert "They wrongly name 1.2345 % of the people" in told
    picture = dl.chart("posterior", dl.Gaussian(sigma=2.0), fpr=0.012345, priors=[0.12345])
    assert "A belief of 12.345 % becomes" in picture.alt
    assert "rightly rules out, 1.2345 % of" in picture.alt


def test_one_release_writes_a_number_in_one_way():
    told = dl.assess(dl.Gaussian(sigma=2.0), n=48_200, limits=[dl.Epsilon(delta=1e-6).at_most(3.0)]).words()
    assert told.count("0.000001") >= 2
    assert "1e-" not in told


@pytest.mark.parametrize(
    ("release", "sentence"),
    [
        (
            dl.RandomizedResponse(epsilon=20.0),
            (
                "These counts hold on average when 1 % of the others are wrongly named. "
                "An attacker who names fewer can be almost certain."
            ),
        ),
        (
            dl.Laplace(scale=1.0),
            (
                "Even if they name very few, the share that is correct is at most: "
                "3 of 100 (from 1 %), 24 of 100 (from 10 %) and 74 of 100 (from 50 %)."
            ),
        ),
    ],
)
def test_a_limit_of_everyone_is_not_sold_as_a_limit(release, sentence):
    assert say(dl.assess(release))["learning"][-1] == sentence


def test_even_odds_are_called_even():
    told = say(dl.assess(dl.Laplace(scale=1.0), adversary=dl.Adversary(prior=0.5)))["learning"]
    assert "As odds, for a chance of 50 %: even by chance, 2.72 to 1 with this publication." in told


def test_records_are_told_from_those_who_have_them():
    """Noise for one record, of which a person has up to three: the person is the unit, the sensitivity a record's."""
    release = dl.Laplace(scale=4.0).subsample(0.1).group(3)
    made = dl.assess(release, n=500)
    told = " ".join(say(made)["assumptions"])
    assert "with and without one person with up to 3 records" in told
    assert "There are 500 records" in told
    assert "Each record joins each sample" in told
    file = {"releases": [{"mechanism": "laplace", "scale": 4.0, "group": 3}, {"mechanism": "gaussian", "sigma": 3.0}]}
    grouped = dl.Scenario.of(file).assess()
    first, second = published_sentences(grouped, Voice(grouped))
    assert first.endswith("One record changes the result by at most 1; one person has up to 3 records.")
    assert second.endswith("One person changes the result by at most 1.")
    replaced = dl.assess(dl.FinitePair(p=[0.6, 0.4], q=[0.4, 0.6]).as_replace())
    assert "with up to" not in replaced.words()
    assert "leaves and another comes" in published_sentences(replaced, Voice(replaced))[0]


def test_every_attacker_of_the_user_is_told_whom_they_can_rule_out():
    own = {"a clerk": dl.Adversary(prior=0.2), "a neighbour": dl.Adversary(prior=0.3)}
    told = say(dl.assess(dl.Laplace(scale=1.0), adversary=own))["absence"]
    assert [name in " ".join(told) for name in own] == [True, True]


def test_one_is_singular():
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.2, 0.8]], values=[0, 1], length=3)
    data = dl.RelatedData(model=chain, attackers=[dl.Knowing(target=0, known=[2], name="A friend")])
    told = str(say(dl.assess(dl.Laplace(scale=1.0), data=data, n=1)))
    assert "knows the record of the 3rd." in told
    assert "There is one." in told
    assert "1 people" not in told


def test_a_record_shown_in_clear_is_named_as_a_sample():
    told = say(dl.assess(dl.UniformSampling(mu=1.0, n=5)))["assumptions"]
    assert "The record of one person, drawn at random, is shown openly, or none is." in told
    assert not any("every person takes part" in sentence for sentence in told)


@pytest.mark.parametrize(
    ("unit", "one", "many"),
    [
        ("uninsured person", "an uninsured person", "uninsured people"),
        ("MRI scan", "an MRI scan", "MRI scans"),
        ("GP visit", "a GP visit", "GP visits"),
        ("diagnosis", "a diagnosis", "diagnoses"),
        ("unit", "a unit", "units"),
    ],
)
def test_units_of_all_kinds_are_written_as_one_would(unit, one, many):
    assert (language()("unit-a", unit=unit), language()("unit-many", unit=unit)) == (one, many)


def test_beliefs_about_related_records_come_from_the_model():
    """Bayes' rule by hand: both others are 1 as x0 is with a chance of 0.8 each, so the odds are 16 to 1."""
    joint = [
        [[0.5 * (0.8 if a == b else 0.2) * (0.8 if a == c else 0.2) for c in (0, 1)] for b in (0, 1)] for a in (0, 1)
    ]
    model = dl.DiscreteData(joint=joint)
    named = [
        dl.Knowing(target=0, known={1: 1, 2: 1}, name="A spouse"),
        dl.Knowing(target=0, known=[1, 2], name="A colleague"),
    ]
    data = dl.RelatedData(model=model, attackers=named)
    made = dl.assess(dl.Laplace(scale=1.0), data=data, adversary=dl.Adversary(prior=0.02))
    spouse, colleague = made.related.attackers
    view = model.view(dl.Laplace(scale=1.0), target=0, known={1: 1, 2: 1}, pair=(0, 1))
    assert spouse.belief == pytest.approx(16 / 17, rel=1e-12) == view.prior
    assert (spouse.value, colleague.belief, made.related.worst.belief) == (1.0, None, 0.5)
    words = say(made)
    told = words["related"]
    said = told[next(i for i, s in enumerate(told) if s.startswith('"A spouse"')) + 1]
    assert 'By the model, the chance that this record has the value called "1" is 94.1 %.' in said
    after = {a.question: a.estimate for a in spouse.answers}[dl.Posterior(prior=spouse.belief, fpr=0.01)]
    assert after == pytest.approx(16 * math.e / (16 * math.e + 1), rel=1e-9)  # Laplace noise: odds times e at most
    assert f"up to {math.ceil(1000 * after) / 10:g} %" in said
    # where the model says nothing, the declared suspicion holds; and it holds for all sentences about membership
    assert "one of two values a 2 % chance" in told[[s.startswith('"A colleague"') for s in told].index(True) + 1]
    assert not any("94" in s for key in ("learning", "absence", "asked") for s in words[key])
    assert dl.Assessment.from_json(made.to_json()) == made
    assert made.words() == dl.Assessment.from_json(made.to_json()).words()


def test_more_than_two_values_have_no_single_belief():
    model = dl.DiscreteData(joint=[[0.2, 0.1], [0.1, 0.3], [0.2, 0.1]], values=[[0, 1, 2], [0, 1]])
    made = dl.assess(
        dl.Laplace(scale=2.0, sensitivity=2.0), data=dl.RelatedData(model=model, attackers=[dl.Knowing(target=0)])
    )
    assert made.related.attackers[0].belief is None
    chain = dl.GaussianChain.ar1(correlation=0.5, length=3)
    assert dl.assess(dl.Laplace(scale=2.0), data=chain).related.worst.belief is None


# ---- what is not covered ---------------------------------------------------------------------------------------------


def test_what_is_not_covered_follows_from_what_was_asked():
    def uncovered(*questions, **more):
        return " ".join(say(dl.assess(dl.Laplace(scale=1.0), questions=questions, **more))["not_covered"])

    plain = uncovered()
    for topic in ("Singling out anyone", "Reconstruction", "Details", "Related people", "Other publications", "Faults"):
        assert topic in plain
    assert "as stated" not in plain
    rebuilt = uncovered(dl.Reconstruction(baseline=1e-6))
    assert "Reconstruction" not in rebuilt
    assert "Details" in rebuilt
    assert "We cannot check it." in rebuilt
    guessed = uncovered(dl.AttributeInference(baseline=0.2))
    assert "Details" not in guessed
    assert "Reconstruction" in guessed
    gained = uncovered(dl.InferenceAdvantage(baseline=0.2))
    assert "Details" not in gained
    assert "Reconstruction" not in gained
    limited = uncovered(limits=[dl.Reconstruction(baseline=1e-6).at_most(0.1)])
    assert "Reconstruction" not in limited


def test_a_guess_is_shown_beside_the_one_without_the_record():
    questions = [dl.Reconstruction(baseline=1e-6), dl.AttributeInference(baseline=0.2), dl.Accuracy(prior=0.1)]
    asked = say(dl.assess(dl.Gaussian(sigma=1.0), questions=questions))["asked"]
    assert asked[0] == "The chance of rebuilding someone's whole record (0.0001 % without it): at most 0.00873 %."
    assert asked[1] == "The chance of guessing a detail about someone (20 % without their record): at most 56.3 %."
    assert "(90 % by blind guessing, at a chance of 10 %)" in asked[2]


def test_a_limit_of_the_odds_says_what_an_even_chance_can_become():
    def worst(mechanism):
        return Voice(dl.assess(mechanism), "en").worst()[0]

    # e/(1 + e) = 73.1 % and e^5/(1 + e^5) = 99.33 %
    assert worst(dl.Laplace(scale=1.0)).endswith(
        "No result is proof: if the chance was 50 % before, it is at most 73.2 % afterwards."
    )
    assert worst(dl.Laplace(scale=0.2)).endswith(
        "by a factor of up to 149. A 50 % chance can become 99.4 %. That is not proof, but it can come close."
    )
    assert "50 %" not in worst(dl.Gaussian(sigma=1.0))


def test_a_refuted_description_promises_nothing():
    for code, said in (
        ("en", "By the refuted description"),
        ("de", "Nach der widerlegten"),
        ("fr", "réfutée, jusqu’à"),
    ):
        words = say(BAD["refuted"][0], code)
        assert said in words["summary"][1]
    assert not any("So the share" in line or "So no result" in line for line in say(BAD["refuted"][0])["epsilon"])


@pytest.mark.parametrize(
    "mechanism", [dl.Laplace(scale=0.7), dl.Gaussian(sigma=2.0), dl.RandomizedResponse(epsilon=1.0)]
)
def test_what_epsilon_means_is_never_too_mild(mechanism):
    made = dl.assess(mechanism)
    for delta in (made.assumptions.delta, 0.0):
        answer, line = made.answer(dl.Epsilon(delta=delta)).high, epsilon_line(say(made), delta)
        found = re.search(r"at most ([\d.]+) times its|more than a factor of ([\d.]+)\.$", line)
        if found:
            assert float(found[1] or found[2]) >= math.exp(answer) * (1 - 1e-9)
        else:
            assert math.isinf(answer)


def test_what_is_asked_is_not_said_to_be_left_open():
    bare = " ".join(say(dl.assess(dl.Laplace(scale=1.0)))["not_covered"])
    assert "Reconstruction:" in bare
    limits = [dl.Reconstruction(baseline=0.01).at_most(0.1)]
    asked = dl.assess(dl.Laplace(scale=1.0), limits=limits, analyst=dl.MeanTest(n=100, sd=0.25, effect=0.2))
    told = " ".join(say(asked)["not_covered"])
    assert "Reconstruction:" not in told


def test_epsilons_that_hardly_differ_are_told_in_one_line():
    merged = say(dl.assess(dl.RandomizedResponse(epsilon=1.0)))["epsilon"]
    assert merged[1].startswith("At delta 0.000001 and at delta 0, epsilon is at most 1. So no result")
    assert len(say(dl.assess(dl.Gaussian(sigma=2.0)))["epsilon"]) == 3


# ---- what comes next, and bad news first -----------------------------------------------------------------------------


def test_a_release_that_can_expose_people_says_so_first():
    stated = dl.assess(dl.ApproximateDP(epsilon=1.0, delta=1e-3), n=2000, limits=dl.AttackPower(fpr=0.01).at_most(0.1))
    words = say(stated)
    first, kept, *_ = words["summary"]
    assert first == (
        "A few people can be fully exposed: for each person, the chance is up to 1 in 1,000. "
        "Among 2,000 people, that can be 2 on average."
    )
    assert kept == "If the stated guarantee holds, the limit is met."
    assert "shown openly" in " ".join(words["warnings"])
    # a random record of 500 is shown with a chance of 1 in 500, more than the guarantee allows
    few = say(dl.assess(dl.ApproximateDP(epsilon=1.0, delta=1e-3), n=500))
    assert "shown openly" not in " ".join(few["warnings"])
    assert "on average" not in few["summary"][1]
    for code in LANGUAGES:
        assert len(say(stated, code)["summary"]) == len(words["summary"])


def test_the_next_step_follows_from_the_verdict():
    loud = dl.Laplace(scale=0.5)
    for made, step in (
        (dl.assess(loud), "Set limits"),
        (dl.assess(loud, limits=dl.Advantage().at_most(0.9)), "Before publishing"),
        (dl.assess(loud, limits=dl.Advantage().at_most(0.1)), "Do not publish as planned."),
        (dl.assess(dl.ApproximateDP(epsilon=1.0, delta=1e-3)), "Decide whether a few people may be exposed."),
        (BAD["refuted"][0], "Do not publish."),
    ):
        first, who = say(made)["next"]
        assert first.startswith(step)
        assert who == "Who decides: not stated."
    decided = dl.assess(loud, declared=dl.Declaration(decided_by="The board"))
    assert say(decided)["next"][-1] == 'Who decides: "The board"'


def test_near_certainty_is_not_rounded_to_proof():
    """Odds of 122 on even odds leave 99.19 %, of which 100 of 100 would be proof."""
    told = say(dl.assess(dl.Laplace(scale=1 / math.log(122))))
    assert "992 of 1,000 (from 50 %)" in told["learning"][-1]
    assert not any("100 of 100" in line or "up to 100." in line for line in told.sentences())
