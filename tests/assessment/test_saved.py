"""Saved assessments that somebody changed: read as what they are, or refused in dplens's own words."""

import json
import math
from copy import deepcopy

import numpy as np
import pytest

import dplens as dl
from dplens.present.report.write import report_markdown
from dplens.present.words.say import say
from tests.examples import EXAMPLES

COUPLE = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]])
GONE = object()
PUT = [None, "text", [], [1], {}, -1, 0.25, 1e300, True, math.nan, 10**400, GONE]


def measured():
    rng = np.random.default_rng(0)
    scores = dl.audit(rng.normal(1, 1, 50), rng.normal(0, 1, 50))
    return {"shadow": scores, "run": dl.audit_one_run(correct=9, guesses=10)}


def example(name):
    return dl.load_scenario(next(path for path in EXAMPLES if path.stem == name)).assess()


MADE = {
    "plain": lambda: dl.assess(dl.Gaussian(sigma=2.0), n=1000, limits=[dl.AttackPower(fpr=0.01).at_most(0.05)]),
    "related": lambda: dl.assess(
        dl.Laplace(scale=2.0, neighbours="replace"),
        data=dl.RelatedData(model=COUPLE, attackers=[dl.Knowing(target=0, known=[1], name="inf")]),
        audit=measured(),
        declared=dl.Declaration(purpose="nan"),
    ),
    "value": lambda: dl.assess(dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2], gamma=1.5)),
    "analyst": lambda: example("hospital-mean"),
}


def places(value, place=()):
    """Where something can be put: every key, and the first and last of each list."""
    yield place
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*place, key))
    elif isinstance(value, list):
        for i in dict.fromkeys([0, len(value) - 1] if value else []):
            yield from places(value[i], (*place, i))


def changed(data, place, new):
    if not place:
        return new
    out = deepcopy(data)
    inner = out
    for key in place[:-1]:
        inner = inner[key]
    if new is GONE:
        del inner[place[-1]]
    else:
        inner[place[-1]] = new
    return out


def told(made, before):
    """Everything that is said of an assessment."""
    yield lambda: made.words()
    yield lambda: str(made.changes_since(before))
    yield lambda: str(before.changes_since(made))
    if made.related is None and not made.scenario:  # which take their time
        yield lambda: report_markdown(made, charts=[])


@pytest.mark.verify
@pytest.mark.parametrize("kind", MADE)
def test_what_was_changed_is_read_as_it_is_or_refused(kind):
    before = MADE[kind]()
    data = json.loads(before.to_json())
    read = 0
    for place in places(data):
        for new in (PUT if kind == "plain" else PUT[::3])[: None if place else -1]:
            given = changed(data, place, new)
            try:
                made = dl.Assessment.from_dict(given)
            except dl.DplensError:
                continue
            read += 1
            again = json.loads(made.to_json())
            assert {k: v for k, v in again.items() if k in given} == {k: v for k, v in given.items() if k in again}
            for tell in told(made, before):
                assert isinstance(tell(), str)
    assert read  # titles, answers within their range


@pytest.mark.parametrize("place", [("n",), ("releases", 0, "mechanism"), ("releases", 0, "scale"), ("releases", 0)])
def test_an_edited_scenario_is_refused(place):
    data = json.loads(MADE["analyst"]().to_json())
    for new in ({}, "text", [1]):
        given = changed(data, ("scenario", *place), new)
        with pytest.raises(dl.DplensError, match="Expected scenario to be as saved"):
            dl.Assessment.from_dict(given)


@pytest.mark.parametrize("kind", MADE)
def test_parts_that_no_longer_belong_together_are_refused_by_name(kind):
    made = MADE[kind]()
    data, other = json.loads(made.to_json()), dl.assess(dl.Gaussian(sigma=7.0), n=77, limits=[dl.Mu().at_most(0.01)])
    assert {"release", "answers", "limits"} <= set(data["digests"])
    for part, value in {**other.to_dict(), "related": 1, "analyst": 1, "audits": 1, "scenario": 1}.items():
        if part in data["digests"] and value != data[part]:
            with pytest.raises(dl.DplensError, match=f"Expected {part} to be as saved.*assess the release again"):
                dl.Assessment.from_dict({**data, part: value})
    for wrong in (None, {}, [], "text", {"release": 1}, {**data["digests"], "title": 0}):
        with pytest.raises(dl.DplensError):
            dl.Assessment.from_dict({**data, "digests": wrong})


def test_digests_follow_content_alone():
    made = MADE["plain"]()
    data = json.loads(made.to_json())
    shuffled = json.loads(json.dumps(data, sort_keys=True, indent=7).replace('"sigma": 2.0', '"sigma": 2'))
    assert dl.Assessment.from_dict(shuffled) == made
    assert dl.Assessment.from_dict({**data, "title": "A new one"}).title == "A new one"


def test_without_digests_nothing_is_read():
    data = json.loads(MADE["plain"]().to_json())
    with pytest.raises(dl.DplensError, match="the key 'digests'"):
        dl.Assessment.from_dict({key: value for key, value in data.items() if key != "digests"})
    with pytest.raises(dl.DplensError, match="Expected answers to be as saved"):
        dl.Assessment.from_dict({**data, "digests": {k: v for k, v in data["digests"].items() if k != "answers"}})


@pytest.mark.parametrize("kind", MADE)
def test_what_was_cut_off_is_refused(kind):
    text = MADE[kind]().to_json()
    for end in np.random.default_rng(1).integers(0, len(text) - 1, 100):
        with pytest.raises(dl.DplensError, match="to be JSON"):
            dl.Assessment.from_json(text[:end])


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_json_does_not_know_is_refused(word):
    text = MADE["plain"]().to_json()
    with pytest.raises(dl.DplensError, match="is not a number in JSON"):
        dl.Assessment.from_json(text.replace('"n": 1000', f'"n": {word}'))


@pytest.mark.parametrize("text", [None, 5, {}, [], object()])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(dl.DplensError, match="to be JSON text"):
        dl.Assessment.from_json(text)


@pytest.mark.parametrize("text", ["", "[" * 100_000, b"\xff\xfe", "1" * 5000, '{"format": 3}', "[]", "null"])
def test_other_texts_are_refused(text):
    with pytest.raises(dl.DplensError, match="Expected assessment"):
        dl.Assessment.from_json(text)


@pytest.mark.parametrize("indent", ["x", -1, 1.5, 10**9, math.nan, [], object()])
def test_indents_are_small_whole_numbers(indent):
    with pytest.raises(dl.DplensError, match="indent"):
        MADE["plain"]().to_json(indent=indent)


def test_names_that_look_like_numbers_stay_names():
    made = MADE["related"]()
    again = dl.Assessment.from_json(made.to_json(indent=None))
    assert again == made
    assert (again.related.attackers[0].name, again.declared.purpose) == ("inf", "nan")


def test_records_are_read_from_what_they_wrote():
    for made in (make() for make in MADE.values()):
        for record in filter(None, (*made.answers, *made.limits, *made.analyst, *made.audits, made.related)):
            assert type(record).from_dict(json.loads(json.dumps(record.to_dict()))) == record


@pytest.mark.parametrize("new", [*PUT[:-1], object(), 1j, b"x"])
def test_answers_are_read_from_what_they_wrote(new):
    for record in MADE["related"]().answers[:1]:
        with pytest.raises(dl.DplensError):
            type(record).from_dict(new)
        data = record.to_dict()
        for key in data:
            try:
                again = type(record).from_dict({**data, key: new})
            except dl.DplensError:
                continue
            assert again.to_dict() == {k: v for k, v in {**data, key: new}.items() if (k, v) != ("certificate", None)}


@pytest.mark.parametrize("new", [None, 2, "text", [], dl.Gaussian(sigma=1.0)])
def test_only_an_assessment_is_presented(new):
    for present in (dl.RiskCard, say, report_markdown):
        with pytest.raises(dl.DplensError, match="to be an Assessment"):
            present(new)


def test_a_foreign_value_that_cannot_be_printed_is_refused():
    class Unprintable:
        def __repr__(self):
            raise RuntimeError("no repr")

    data = dl.assess(dl.Gaussian(sigma=0.1)).to_dict()
    assert data["warnings"]
    with pytest.raises(dl.DplensError):
        dl.Assessment.from_dict({**data, "warnings": [Unprintable()] * len(data["warnings"])})
    with pytest.raises(dl.DplensError):
        dl.Assessment.from_dict({**data, "answers": Unprintable()})


@pytest.mark.parametrize("data", [None, 3, "text", [2, 2], np.array([2, 2], dtype=np.uint8)])
def test_a_record_is_read_from_a_mapping(data):
    with pytest.raises(dl.DplensError, match=r"^Expected data to be a mapping, got"):
        dl.Declaration.from_dict(data)


def test_a_record_says_which_key_it_lacks():
    with pytest.raises(dl.DplensError, match=r"^Expected data to have the key 'purpose', got {}\. Pass what to_dict"):
        dl.Declaration.from_dict({})
