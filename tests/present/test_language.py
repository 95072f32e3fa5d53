"""Another language is a folder of texts: whatever a reader is told comes from those of the language that was chosen."""

import re

import pytest

import dplens as dl
from dplens.cli.main import main
from dplens.errors import InvalidValue
from dplens.present.charts.picture import CHARTS, Picture
from dplens.present.report import report_html, report_markdown
from dplens.present.rounding import Figure
from dplens.present.words import language as languages
from dplens.present.words import say, say_changes
from dplens.telling import LANGUAGES
from tests.examples import EXAMPLES, assessed
from tests.present.reports import office

MARK = "¤"


class Foreign(languages.Language):
    """The English texts, each with a mark in it."""

    def __init__(self):
        super().__init__("en")
        self.code = "eo"  # Esperanto, whose numbers Babel knows

    def __call__(self, key, **values):
        return MARK + languages.language("en")(key, **values)

    def figure(self, value):
        return value


@pytest.fixture
def foreign(monkeypatch):
    """A language that is known only here."""
    known = languages._language
    made = Foreign()
    monkeypatch.setattr(languages, "_language", lambda code: made if code == "eo" else known(code))
    monkeypatch.setattr(languages, "LANGUAGES", ("en", "eo"))
    return "eo"


def test_every_sentence_is_in_the_language_that_was_chosen(foreign):
    assessment = office()
    words = say(assessment, foreign)
    assert all(MARK in s.heading for s in words.sections)
    assert all(MARK in sentence for sentence in words.sentences())
    assert assessment.words(language=foreign) == str(words)
    before = dl.assess(dl.Laplace(scale=4.0), n=48_200, unit="resident")
    changes = assessment.changes_since(before)
    assert all(MARK in line for line in say_changes(changes, foreign).splitlines())
    assert changes.words(language=foreign) == say_changes(changes, foreign)


def test_pictures_and_reports_are_in_it_too(foreign):
    frames = {"roc": dl.frame("roc", dl.Laplace(scale=1.0)), "icons": dl.frame("icons", dl.Laplace(scale=1.0))}
    for kind, frame in frames.items():
        assert kind in CHARTS
        picture = Picture(kind=kind, frame=frame, language=foreign)
        assert MARK in picture.title
        assert MARK in picture.alt
    assessment = office()
    html = report_html(assessment, charts=["posterior"], language=foreign)
    for told in ("Table 1. ", "Worst case", "Numbers and how they are known", "Glossary"):
        assert MARK + told in html
        assert f">{told}" not in html
    card = report_markdown(assessment, language=foreign).partition("\n# ")[2]
    headings = re.findall("^## (.*)$", card, re.MULTILINE)
    assert len(headings) >= 5
    assert all(heading.startswith(MARK) for heading in headings)


def test_a_text_that_a_language_lacks_is_taken_from_english(monkeypatch):
    made = languages.Language("en")
    made.code, made.entries = "eo", {}
    assert made("heading-limits") == "Limits"


def test_a_language_that_is_not_there_is_refused(capsys):
    for refused in (
        lambda: say(dl.assess(dl.Laplace(scale=1.0)), "tlh"),
        lambda: dl.assess(dl.Laplace(scale=1.0), language="tlh"),
        lambda: dl.assess(dl.Laplace(scale=1.0)).words(language="tlh"),
        lambda: dl.chart("roc", dl.Laplace(scale=1.0), language="tlh"),
        lambda: dl.Scenario.of({"language": "tlh", "releases": [{"mechanism": "laplace", "scale": 1.0}]}),
    ):
        with pytest.raises(InvalidValue, match=r"language.*'en'.*'tlh'"):
            refused()
    assert main(["assess", "laplace:scale=1", "--language", "tlh"]) == 2
    assert "Expected --language to be 'en' or 'de' or 'fr'" in capsys.readouterr().err


def test_figures_are_texts_that_other_languages_write_with_their_own_signs():
    assert languages.language("en").figure(Figure("1,234.5 %")) == "1,234.5 %"
    signs = languages._signs("de")
    assert "1,234.5 %".translate(signs) == "1.234,5\u00a0%"


def numbers(text, code):
    """All numbers of a text, as English writes them; a unit's name is no number."""
    plain = text.replace("\u00a0%", " %")
    if code != "en":
        signs = languages.number_signs(code)
        plain = plain.replace(signs["thousands"], "").replace(signs["decimal"], ".")
    else:
        plain = re.sub(r"(?<=\d),(?=\d{3})", "", plain)
    return sorted(re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", plain))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_every_language_says_the_same_numbers(path, code):
    made = assessed(path)
    here, there = say(made), say(made, code)
    assert [s.key for s in here.sections] == [s.key for s in there.sections]
    for one, other in zip(here.sections, there.sections):
        assert len(one.sentences) == len(other.sentences)
        if one.key not in ("declared", "related"):  # the user's words; German and French need fewer articles
            for said, meant in zip(one.sentences, other.sentences):
                assert numbers(said, "en") == numbers(meant, code), (said, meant)


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_reports_are_in_every_language(code):
    html = report_html(office(), charts=["icons", "roc"], language=code)
    assert f'<html lang="{code}">' in html
    for english in ("Risk to a person", "best attack", "false alarms", "Glossary"):
        assert english not in html.partition("<script type=")[0]
