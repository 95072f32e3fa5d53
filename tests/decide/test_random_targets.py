"""Five hundred targets over all questions and families: met by proof, and no better parameter is to be had."""

import collections

import pytest

import dplens as dl
from tests.decide.drawn import FAMILIES, targets

DRAWN = targets(20240914, 500)
WITHIN = 1e-9


def holds(family, requirement, x):
    try:
        return requirement.met_by(family(x))
    except ValueError:  # outside the family's domain
        return False


def naive(family, requirement, good, rising, whole):
    """The riskiest parameter that meets the requirement, by doubling and halving from one that does."""
    factor = 1.1 if rising else 1 / 1.1
    bad = good
    for _ in range(200):
        good, bad = bad, max(round(bad * factor), bad + 1) if whole else bad * factor
        if not holds(family, requirement, bad):
            break
    else:
        return good
    while abs(bad - good) > (1 if whole else 1e-10 * abs(good)):
        middle = (good + bad) // 2 if whole else (good + bad) / 2
        good, bad = (middle, bad) if holds(family, requirement, middle) else (good, middle)
    return good


@pytest.mark.verify
@pytest.mark.parametrize("name", FAMILIES)
def test_targets_are_met_and_nothing_better_is(name):
    family, _, whole = FAMILIES[name]
    for drawn, requirement, x in DRAWN:
        if drawn != name:
            continue
        fit = dl.calibrate(family, meet=[requirement], integer=whole)
        where = f"{requirement}, drawn at {x!r}, found {fit.value!r}"
        answer = fit.achieved[0]
        if requirement.question.more_is_riskier:
            assert float(answer) == answer.high <= requirement.bound, where
        else:
            assert float(answer) == answer.low >= requirement.bound, where
        assert requirement.met_by(family(fit.value)), where
        assert fit.slack[0] >= 0, where
        if fit.neighbour is None:  # the family ends there
            assert fit.binding is None, where
            continue
        assert not requirement.met_by(family(fit.neighbour)), where
        assert fit.binding == requirement, where
        assert abs(fit.neighbour - fit.value) <= (1 if whole else WITHIN * fit.value), where
        assert (fit.neighbour > fit.value) == fit.more_is_riskier, where
        best = naive(family, requirement, x, fit.more_is_riskier, whole)
        assert abs(fit.value - best) <= (0 if whole else WITHIN * best), f"{where}, but {best!r} does it too"


def test_the_draw_covers_all_questions_and_families():
    assert len(DRAWN) == 500
    assert {name for name, _, _ in DRAWN} == set(FAMILIES)
    asked = collections.Counter(type(r.question) for _, r, _ in DRAWN)
    assert len(asked) == 16
    assert min(asked.values()) >= 5
