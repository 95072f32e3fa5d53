"""The risk card: its order, its rounding, its words."""

import re
from pathlib import Path

import pytest

import dplens as dl
from dplens.cli.main import main

ROOT = Path(__file__).parents[2]


def test_the_demo_reads_in_the_right_order(capsys):
    makefile = (ROOT / "Makefile").read_text()
    example = re.search(r"dplens assess (\S+)", makefile).group(1)
    assert main(["assess", str(ROOT / example)]) == 0
    shown = capsys.readouterr().out
    places = [
        shown.index(text)
        for text in (
            "We have proved that both limits are met.",
            "a 10 % chance of being in the data. Of 100 patients they name, 10 would be correct by chance.",
            "Whatever is published, no one's odds of being in the data can change by more than a factor of 2.23.",
            "Met: ",
            "At a chance of 1 %:",
            "At a chance of 50 %:",
            "With 1 % false alarms",
            "With 0.1 % false alarms",
            "What is published",
            "What is protected: one patient.",
            "We quote epsilon at a delta of",
            "What this does not cover",
            "epsilon is",
        )
    ]
    assert places == sorted(places)


def test_counts_are_rounded_towards_more_risk():
    card = dl.risk_card(dl.Gaussian(sigma=1.6), delta=1e-6)
    for prior, before, after, out_of in card.pairs:
        truth = dl.Posterior(prior=prior, fpr=0.01).of(dl.Gaussian(sigma=1.6)) * out_of
        assert before == pytest.approx(prior * out_of)
        assert truth <= after < truth + 1
    assert float(card.epsilon_sentence().partition("at most ")[2].split()[0].rstrip(".")) >= card.epsilon


def test_the_main_pair_names_its_rate_of_false_alarms():
    assert (
        "(They wrongly name 2 % of the people"
        in dl.risk_card(dl.Gaussian(sigma=1.6), delta=1e-6, fpr=0.02).learning()[0]
    )


def test_the_former_name_of_the_rate_is_accepted(tmp_path, capsys):
    from dplens.cli.main import main

    (tmp_path / "old.yaml").write_text("accusing_at: 0.02\nreleases: [{mechanism: gaussian, sigma: 1.6}]\n")
    assert main(["assess", str(tmp_path / "old.yaml")]) == 0
    shown = capsys.readouterr()
    assert "They wrongly name 2 % of the people" in shown.out
    assert shown.err == "dplens: note: accusing_at is now called fpr.\n"
    with pytest.warns(DeprecationWarning, match="accusing_at is now called fpr"):
        card = dl.risk_card(dl.Gaussian(sigma=1.6), delta=1e-6, accusing_at=0.02)
    assert card.assessment.assumptions.fpr == 0.02
    with pytest.warns(DeprecationWarning, match="accusing_at is now called fpr"):
        assert dl.assess(dl.Gaussian(sigma=1.6), accusing_at=0.02).assumptions.fpr == 0.02
    with pytest.warns(DeprecationWarning, match="accusing_at is now called fpr"):
        scenario = dl.Scenario.of({"accusing_at": 0.02, "releases": [{"mechanism": "gaussian", "sigma": 1.6}]})
    assert scenario.assess().assumptions.fpr == 0.02
    with pytest.warns(DeprecationWarning, match="accusing_at is now called fpr"):
        assert card.assessment.assumptions.accusing_at == 0.02
    old = card.assessment.assumptions.to_dict()
    old["accusing_at"] = old.pop("fpr")
    assert type(card.assessment.assumptions).from_dict(old) == card.assessment.assumptions


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (
            dl.Gaussian(sigma=1.6),
            "An attacker who names fewer can be right more often, and almost certain about very few.",
        ),
        # Pr(H1 | output) is at most p·e/(1 − p + p·e): 2.7 %, 23.2 % and 73.1 %
        (
            dl.Laplace(scale=1.0),
            "the share that is correct is at most: 3 of 100 (from 1 %), 24 of 100 (from 10 %)",
        ),
        (dl.UniformSampling(mu=1.0, n=1000), "When a result is proof, the attacker is certain."),
    ],
)
def test_the_card_says_whether_the_pairs_are_a_limit(mechanism, words):
    assert words in dl.risk_card(mechanism, delta=1e-6).learning()[-1]


def test_a_hypothesis_about_a_value_has_a_card():
    h = dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2, 3], gamma=1.5)
    shown = str(dl.risk_card(h, delta=1e-6, unit="patient"))
    assert "no one's odds of a value above 1.5 can change by more than a factor of 7.39" in shown
    assert "With 1 % false alarms, the best attack identifies at most" in shown
    assert "We compare values of one patient: those above 1.5 with the others" in shown
    assert "in the data" not in shown


def test_a_small_change_is_shown_out_of_a_thousand():
    pairs = dl.risk_card(dl.Laplace(scale=50.0), delta=1e-6).pairs
    assert {out_of for *_, out_of in pairs} == {1000}
    assert all(after > before for _, before, after, _ in pairs)


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (
            dl.Laplace(scale=1.0),
            "no one's odds of being in the data can change by more than a factor of 2.72.",
        ),
        (dl.Gaussian(sigma=1.0), "No published result can prove that someone is in the data."),
        (dl.UniformSampling(mu=1.0, n=1000), "With a probability of up to 1 in 1,580, a published result proves"),
        (
            dl.ApproximateDP(epsilon=1.0, delta=1e-3),
            "With a probability of up to 1 in 1,000, a published result proves",
        ),
    ],
)
def test_the_worst_case_follows_the_verdict_and_the_main_pair(mechanism, words):
    card = dl.risk_card(mechanism, delta=1e-6)
    assert words in card.failure
    # the chance of a proof is the first line, before the verdict
    first = 3 if dl.failure_mode(mechanism) is dl.FailureMode.CATASTROPHIC else 2
    assert card.sentences()[first] == card.failure


def test_a_catastrophic_release_with_auc_near_one_half_is_named_so():
    release = dl.UniformSampling(mu=1.0, n=50, neighbours="replace")
    assert dl.AUC().of(release) < 0.52
    assert dl.failure_mode(release) is dl.FailureMode.CATASTROPHIC
    assert "a published result proves that a particular person is in the data" in str(dl.risk_card(release, delta=1e-6))


@pytest.mark.parametrize(
    "bad",
    [
        {"delta": 2},
        {"delta": 1e-6, "unit": ""},
        {"delta": 1e-6, "fpr": 0},
        {"delta": 1e-6, "title": 3},
        {"delta": 1e-6, "language": "tlh"},
    ],
)
def test_bad_arguments_are_named(bad):
    with pytest.raises(dl.DplensError, match=r"delta|unit|fpr|title|language"):
        dl.risk_card(dl.Gaussian(sigma=1.0), **bad)
