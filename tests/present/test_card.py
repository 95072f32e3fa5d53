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
            "fails gracefully",
            "suspicion of 1 %",
            "suspicion of 10 %",
            "suspicion of 50 %",
            "Accusing 1 %",
            "Accusing 0.1 %",
            "Delta is",
            "Neighbours are",
            "privacy unit",
            "epsilon is",
        )
    ]
    assert shown.index("Of 100") < shown.index("Accusing")
    assert places[:6] == sorted(places[:6])
    assert places[6:9] == sorted(places[6:9])


def test_counts_are_rounded_towards_more_risk():
    card = dl.risk_card(dl.Gaussian(sigma=1.6), delta=1e-6)
    for prior, before, after, out_of in card.pairs:
        truth = dl.Posterior(prior=prior, fpr=0.01).of(dl.Gaussian(sigma=1.6)) * out_of
        assert before == pytest.approx(prior * out_of)
        assert truth <= after < truth + 1
    assert float(card.sentences()[-1].split()[-1].rstrip(".")) >= card.epsilon


def test_every_pair_names_its_false_positive_rate():
    for sentence in dl.risk_card(dl.Gaussian(sigma=1.6), delta=1e-6, accusing_at=0.02).learning()[:3]:
        assert "if he accuses 2 % of those who are not in the data" in sentence


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (dl.Gaussian(sigma=1.6), "no upper limit: the fewer he accuses, the surer he can be"),
        # Pr(H1 | output) is at most p·e/(1 − p + p·e): 2.7 %, 23.2 % and 73.1 %
        (dl.Laplace(scale=1.0), "However few he accuses, he is right about no more than 3 of 100, 24 of 100 and 74"),
        (dl.UniformSampling(mu=1.0, n=1000), "no upper limit: about those whom an output gives away he is certain"),
    ],
)
def test_the_card_says_whether_the_pairs_are_a_limit(mechanism, words):
    assert words in dl.risk_card(mechanism, delta=1e-6).learning()[-1]


def test_a_hypothesis_about_a_value_has_a_card():
    h = dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2, 3], gamma=1.5)
    shown = str(dl.risk_card(h, delta=1e-6, unit="patient"))
    assert "does not fail: no output, however unlucky, multiplies an attacker's odds by more than 7.39" in shown
    assert "1 % of those whose value is at most 1.5, he finds at most" in shown
    assert "Neighbours are not data sets here but possible values of one patient" in shown
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
            "does not fail: no output, however unlucky, multiplies an attacker's odds by more than 2.72",
        ),
        (dl.Gaussian(sigma=1.0), "fails gracefully"),
        (dl.UniformSampling(mu=1.0, n=1000), "catastrophically: with probability up to 0.0633 %"),
        (dl.ApproximateDP(epsilon=1.0, delta=1e-3), "catastrophically: with probability up to 0.1 %"),
    ],
)
def test_failure_is_named_in_words_on_the_first_line(mechanism, words):
    assert words in dl.risk_card(mechanism, delta=1e-6).sentences()[0]


def test_a_catastrophic_release_with_auc_near_one_half_is_named_so():
    release = dl.UniformSampling(mu=1.0, n=50, neighbours="replace")
    assert dl.AUC().of(release) < 0.52
    assert dl.failure_mode(release) is dl.FailureMode.CATASTROPHIC
    assert "catastrophically" in str(dl.risk_card(release, delta=1e-6))


@pytest.mark.parametrize(
    "bad",
    [{"delta": 2}, {"delta": 1e-6, "unit": ""}, {"delta": 1e-6, "accusing_at": 0}, {"delta": 1e-6, "title": 3}],
)
def test_bad_arguments_are_named(bad):
    with pytest.raises(dl.DplensError, match=r"delta|unit|accusing_at|title"):
        dl.risk_card(dl.Gaussian(sigma=1.0), **bad)
