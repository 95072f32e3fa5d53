"""The survey's settings are sound: many, different, and all of them can be built. Nothing here is timed."""

import dataclasses
import math
from collections import Counter

import numpy as np
import pytest

import dplens as dl
from benchmarks import peers
from benchmarks.asking import relative_width
from benchmarks.releases import Part, Setting
from benchmarks.settings import settings
from benchmarks.survey import Compared, Found, table_rows
from benchmarks.survey_report import HEADING, survey_lines, survey_section, with_survey

SETTINGS = settings()


def test_there_are_many_and_no_two_are_the_same():
    assert len(SETTINGS) >= 150
    assert len({setting.name for setting in SETTINGS}) == len(SETTINGS)
    released = {dataclasses.replace(setting, family="", name="") for setting in SETTINGS}
    assert len(released) == len(SETTINGS)


def test_every_kind_of_deployment_is_there():
    families = Counter(setting.family for setting in SETTINGS)
    assert len(families) == 11
    assert min(families.values()) >= 10
    training = [part for setting in SETTINGS for part in setting.parts if part.kind == "training"]
    assert min(part.rate for part in training) <= 1e-7
    assert max(part.rate for part in training) >= 0.5
    assert min(part.size for part in training) <= 0.3
    assert max(part.size for part in training) >= 20
    assert min(part.count for part in training) <= 10
    assert max(part.count for part in training) >= 10**6
    levels = [len(setting.parts) for setting in SETTINGS if setting.family == "census tables"]
    assert min(levels) <= 5
    assert max(levels) >= 60


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_can_be_built(setting):
    assert isinstance(setting.mechanism(), dl.Mechanism)
    assert 0 < setting.delta < 1
    assert "\t" not in setting.name
    assert not (setting.local and any(part.rate < 1 for part in setting.parts))
    assert "|" not in setting.name


@pytest.mark.parametrize(
    "part",
    [
        Part("gaussian", 2.0, 3, sensitivity=2),
        Part("laplace", 2.0, 2, 0.5),
        Part("geometric", 2.0, sensitivity=3),
        Part("discrete gaussian", 1.5),
        Part("response", 1.0, 2, more=4),
        Part("guarantee", 0.5, more=1e-7),
        Part("gdp", 0.5),
        Part("training", 2.0, 5, 0.2),
    ],
    ids=lambda part: part.kind,
)
def test_dplens_and_dp_accounting_are_asked_about_the_same(part):
    pytest.importorskip("dp_accounting")
    setting = Setting("", "", (part,), 1e-4)
    ours = dl.Epsilon(delta=setting.delta).of(setting.mechanism())
    theirs = peers.accounting_epsilon(setting)
    assert ours.low - 1e-9 <= theirs <= ours.high + 0.02


def test_what_a_peer_cannot_say_is_said():
    pytest.importorskip("dp_accounting")
    for setting in (
        Setting("", "", (Part("student", 2.0, more=3),)),
        Setting("", "", (Part("training", 2.0, 10, 0.1),), group=2),
        Setting("", "", (Part("training", 2.0, 10, 0.1),), as_replace=True),
        Setting("", "", (Part("gaussian", 2.0, 10, 0.1),), neighbours="replace"),
    ):
        with pytest.raises(peers.Inexpressible):
            peers.accounting_epsilon(setting)


def test_widths_are_relative_to_the_lesser_side():
    assert relative_width(1.0, 1.0, True) == 0
    assert relative_width(2.0, 2.002, False) == pytest.approx(1e-3, rel=0.01)
    assert relative_width(0.01, 0.011, True) == pytest.approx(0.001 / 0.011)
    assert relative_width(0.989, 0.99, True) == pytest.approx(0.001 / 0.011)
    assert relative_width(1.0, math.inf, False) == 1


def compared(setting, seconds, low, high, peer_seconds, value):
    """A row as a run would have it."""
    curve = {"low": [low] * 3, "high": [high] * 3, "width": 0.0}
    said = {"low": low, "high": high, "width": relative_width(low, high, True)}
    ours = dict.fromkeys(("epsilon", "power", "auc"), Found(seconds, said=said))
    ours |= {"curve": Found(seconds, said=curve), "assess": Found(seconds)}
    theirs = {
        ("dp-accounting", "epsilon"): Found(peer_seconds, said={"value": value}),
        ("prv-accountant", "epsilon"): Found(note="cannot say laplace"),
        ("riskcal", "power"): Found(20.0, stopped=True),
        ("riskcal", "curve"): Found(peer_seconds, said={"value": [value] * 3}),
    }
    return Compared(setting, ours, theirs)


def test_rows_are_compared_with_the_fastest_peer_and_checked():
    row = compared(SETTINGS[0], 0.1, 0.5, 0.50001, 0.2, 0.4)
    assert row.ratio("epsilon") == 2
    assert row.ratio("power") == 200
    assert row.ratio("epsilon", "prv-accountant") is None
    assert row.ratio("auc") is None
    assert "below" in row.disagreement("dp-accounting", "epsilon")  # more privacy than there is
    assert row.disagreement("riskcal", "curve") == ""  # a lower beta is on the safe side
    assert row.disagreement("riskcal", "power") == ""  # nothing was answered
    risky = compared(SETTINGS[0], 0.1, 0.5, 0.50001, 0.2, 0.6)
    assert risky.disagreement("dp-accounting", "epsilon") == ""
    assert "at 3 of 3 points" in risky.disagreement("riskcal", "curve")


def test_the_report_tells_the_worst_and_replaces_its_section_only():
    rows = [compared(SETTINGS[i], 0.01 * 2**i, 0.5, 0.5 + 1e-5, 0.2, 0.6) for i in range(12)]
    lines = survey_lines(rows, {SETTINGS[0].name: "no such file"})
    text = "\n".join(lines)
    assert SETTINGS[11].name in text
    assert "0.0098×" in text
    document = with_survey("# Results\n\n## Before\n", lines)
    assert document.startswith("# Results\n\n## Before\n\n## Survey\n")
    assert document.count(HEADING) == 1
    assert with_survey(document, lines) == document
    assert "# Results\n\n## Before\n" + survey_section(document) == document
    assert len(table_rows(rows).splitlines()) == 1 + 12 * 9
    assert np.all([line.count("\t") == 8 for line in table_rows(rows).splitlines()])
