"""Arguments of the wrong kind: what presents, reads and audits refuses them in dplens's own words."""

import math

import numpy as np
import pytest

import dplens as dl

JUNK = [
    None, "text", "", b"x", [], [1], [[1]], ["a"], {}, {"a": 1}, 0, -1, 2.5, 1e-300, 1e300, True, math.nan, math.inf,
    10**400, 2**63, object(), 1j, np.array(0.1), np.array([]), np.array([0.1, np.nan]), np.array([[0.1]]), dl.Gaussian,
    range(3),
]  # fmt: skip
GAUSSIAN = dl.Gaussian(sigma=2.0)
COUPLE = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]])
SCENARIO = dl.Scenario.of({"releases": [{"mechanism": "gaussian", "sigma": 1.6}]})
RNG = np.random.default_rng(0)
SIDES = RNG.normal(1, 1, 40).tolist(), RNG.normal(0, 1, 40).tolist()
FOUND = dl.audit(*SIDES)
RATES = {"n_in": 100, "n_out": 100}


def noisy(data, rng):
    return data + rng.normal()


def related(**given):
    return dl.assess(dl.Laplace(scale=2.0, neighbours="replace"), data=dl.RelatedData(model=COUPLE, **given))


# A function, and arguments with which it works; each of them in turn becomes something else.
CALLS = {
    "power_noise": (lambda **k: dl.frame("power_noise", GAUSSIAN, **k), {"fprs": [0.01], "factors": [1.0]}),
    "fscore": (lambda **k: dl.frame("fscore", GAUSSIAN, **k), {"weight": 1.0, "factors": [1.0]}),
    "audit frame": (lambda **k: dl.frame("audit", FOUND, **k), {"claim": GAUSSIAN}),
    "chart": (lambda **k: dl.chart("roc", GAUSSIAN, **k), {"about": "membership", "unit": "person"}),
    "card": (lambda **k: str(dl.RiskCard(**k)), {"assessment": dl.assess(GAUSSIAN)}),
    "scenario file": (dl.load_scenario, {"path": "no.yaml"}),
    "scenario": (SCENARIO.assess, {"limits": [], "setting": "central", "n": 100, "questions": []}),
    "attackers": (lambda **k: related(attackers=[dl.Knowing(**k)]), {"target": 0, "known": [1], "name": "x"}),
    "related": (related, {"weights": [1.0, 1.0], "attackers": []}),
    "counts": (dl.audit_counts, {"true_positives": 60, "false_positives": 20, **RATES}),
    "points": (dl.audit_points, {"fpr": [0.1], "tpr": [0.5], "fixed_beforehand": False, "digits": None, **RATES}),
    "precision": (dl.audit_precision_recall, {"precision": [0.9], "recall": [0.5], **RATES}),
    "least": (FOUND.least, {"family": "gaussian"}),
    "scores": (dl.audit, {"scores_in": SIDES[0], "scores_out": SIDES[1], "column": "score", "label": ""}),
    "black box": (
        lambda **k: dl.audit_mechanism(noisy, 0.0, 1.0, n=40, **k),
        {"score": "raw", "vectorized": False, "checkpoint": None},
    ),
}


@pytest.mark.filterwarnings("ignore::dplens.DplensWarning")
@pytest.mark.parametrize("name", CALLS)
def test_what_cannot_be_meant_is_refused_in_our_own_words(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, given = CALLS[name]
    refused = 0
    for key in given:
        for junk in JUNK:
            try:
                call(**{**given, key: junk})
            except dl.DplensError:
                refused += 1
    assert refused


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("\0.{}", "such as NUL"),
        ("\ud800.{}", "Leave out the characters"),
        ("x" * 300 + ".{}", "choose a shorter name"),
        ("a/" * 3000 + "x.{}", "choose a shorter name"),
    ],
)
def test_names_that_no_file_can_have_are_refused(tmp_path, monkeypatch, name, remedy):
    monkeypatch.chdir(tmp_path)
    rule = f"(?s)Expected path to be the name of a file, got .*{remedy}"
    with pytest.raises(dl.DplensError, match=rule):
        dl.assess(GAUSSIAN).report(name.format("md"))
    with pytest.raises(dl.DplensError, match=rule):
        dl.chart("roc", GAUSSIAN).save(name.format("csv"))
    assert list(tmp_path.iterdir()) == []


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path):
    assert dl.assess(GAUSSIAN).report(tmp_path / f"{'x' * 252}.md").is_file()
    assert [path.suffix for path in tmp_path.iterdir()] == [".md"]


def test_one_rate_is_as_good_as_a_list_of_one():
    for fpr in (0.01, 1e-300):
        assert dl.frame("power_noise", GAUSSIAN, fprs=fpr).rows == dl.frame("power_noise", GAUSSIAN, fprs=[fpr]).rows


def test_a_frame_that_needs_more_says_what():
    with pytest.raises(dl.DplensError, match="claim to be given for audit"):
        dl.frame("audit", FOUND)


def test_a_family_is_a_function_of_its_parameter():
    with pytest.raises(dl.DplensError, match="lambda x"):
        FOUND.least(dl.Gaussian)


def test_one_limit_is_added_to_those_of_a_scenario():
    assert len(SCENARIO.assess(limits=dl.Advantage().at_most(0.5)).limits) == 1


@pytest.mark.parametrize("target", [dl.Gaussian, None, 3, "gaussian"])
def test_noise_is_that_of_a_mechanism(target):
    with pytest.raises(dl.DplensError, match=r"^Expected mechanism to be a mechanism or a trade-off curve, got"):
        dl.frame("power_noise", target)
