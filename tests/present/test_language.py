"""Another language is one file: whatever a reader is told comes from the texts of the language that was chosen."""

import types

import pytest

import dplens as dl
from dplens.errors import InvalidValue
from dplens.present.charts.picture import CHARTS, Picture
from dplens.present.report import report_html, report_markdown
from dplens.present.words import language, say, say_changes
from tests.present.reports import office

MARK = "¤"


def marked(value):
    """The same texts, each with a mark in it; what they are looked up by stays."""
    if isinstance(value, str):
        return MARK + value
    if isinstance(value, dict):
        return {key: marked(inner) for key, inner in value.items()}
    return [marked(inner) for inner in value] if isinstance(value, list) else value


@pytest.fixture
def foreign(monkeypatch):
    english = language.texts("en")
    made = types.SimpleNamespace(**vars(english))
    for name, value in vars(english).items():
        if name.isupper() and name != "NOT_MEMBERSHIP":
            setattr(made, name, marked(value))
    for part in ("Pictures", "Report"):
        texts = {k: marked(v) for k, v in vars(getattr(english, part)).items() if k.isupper()}
        setattr(made, part, types.SimpleNamespace(**texts))
    monkeypatch.setitem(language.LANGUAGES, "xx", made)
    return "xx"


def test_every_sentence_is_in_the_language_that_was_chosen(foreign):
    assessment = office()
    words = say(assessment, foreign)
    assert all(MARK in s.heading for s in words.sections)
    assert all(MARK in sentence for sentence in words.sentences())
    before = dl.assess(dl.Laplace(scale=4.0), n=48_200, unit="resident")
    assert all(MARK in line for line in say_changes(assessment.changes_since(before), foreign).splitlines())


def test_pictures_and_reports_are_in_it_too(foreign):
    frames = {"roc": dl.frame("roc", dl.Laplace(scale=1.0)), "icons": dl.frame("icons", dl.Laplace(scale=1.0))}
    for kind, frame in frames.items():
        assert kind in CHARTS
        picture = Picture(kind=kind, frame=frame, language=foreign)
        assert MARK in picture.title
        assert MARK in picture.alt
        assert MARK in picture.svg()
    assessment = office()
    html = report_html(assessment, charts=["posterior"], language=foreign)
    for told in ("Belief before and after", "belief before the release (prior)", "What was computed", "All answers"):
        assert MARK + told in html
        assert f">{told}" not in html
    assert MARK + "What was declared" in report_markdown(assessment, charts=[], language=foreign)


def test_a_language_that_is_not_there_is_refused():
    with pytest.raises(InvalidValue, match="language"):
        say(dl.assess(dl.Laplace(scale=1.0)), "tlh")
