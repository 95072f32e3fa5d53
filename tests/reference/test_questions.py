"""Every question of every mechanism against the stored oracle values: error, bracket, and the risky side."""

from functools import cache

import pytest

import dplens as dl
from tests.reference.cases import CASES
from tests.reference.checks import check, complaints, on_side, true_values
from tests.reference.oracles.numerics import mp
from tests.reference.oracles.readings import LOW_IS_RISKY

ASKED = sorted({question for case in CASES.values() for question, _ in case.questions})


@cache
def subject(name):
    """The mechanism itself, or its curve in one direction."""
    case = CASES[name]
    mechanism = case.make(dl)
    return mechanism if case.direction == "both" else mechanism.tradeoff(direction=case.direction)


def answers(question):
    """(where, estimate or exception, truth, tolerance) for every case that has this question."""
    found = []
    for name, case in CASES.items():
        for (asked, arguments), truth in zip(case.questions, true_values(name, "questions")):
            if asked != question:
                continue
            try:
                got = getattr(dl, question)(**arguments).of(subject(name))
            except Exception as problem:
                got = problem
            tolerance = case.delta_tolerance if question == "Delta" else case.tolerance
            found.append((f"{name}: {question}{arguments}", got, truth, tolerance))
    return found


@pytest.mark.parametrize("question", ASKED)
def test_answers_are_accurate_enclose_the_truth_and_are_the_risky_end(question):
    side = "low" if question in LOW_IS_RISKY else "high"
    bad = []
    for where, got, truth, tolerance in answers(question):
        if isinstance(got, Exception):
            bad.append(f"{where}: {got!r}")
            continue
        # the tightest mu is a difference of two normal quantiles, each with an absolute rounding error
        forgiven = question == "Mu" and abs(float(got) - truth) <= 2e-14
        bad += [] if forgiven else complaints([(where, got, truth)], tolerance)
        # what guessing alone reaches is known exactly: then the answer is the float next to it
        guessed = got.low == got.high == float(truth)
        if not (guessed or (on_side(got.low, truth, "low") and on_side(got.high, truth, "high"))):
            bad.append(f"{where}: [{got.low!r}, {got.high!r}] misses {mp.nstr(truth, 25)}")
        if float(got) != getattr(got, side):
            bad.append(f"{where}: {float(got)!r} is not the {side} end of [{got.low!r}, {got.high!r}]")
    assert not bad, f"{len(bad)} complaints\n" + "\n".join(bad)


def test_a_question_takes_a_curve_as_well_as_a_mechanism():
    m = dl.Laplace(scale=1.0, sensitivity=1.0)
    truth = true_values("laplace 1.0", "questions")
    for (question, arguments), true in zip(CASES["laplace 1.0"].questions, truth):
        side = "low" if question in LOW_IS_RISKY else "high"
        asked = getattr(dl, question)(**arguments)
        check([(question, asked.of(m.tradeoff()), true)], 1e-10, side)
        assert asked.of(m.tradeoff()) == asked.of(m)
