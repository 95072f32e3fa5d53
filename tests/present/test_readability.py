"""Texts that anyone can read, in all languages alike, and nowhere but in present/words."""

import ast as python
import re
from pathlib import Path

import pytest

import dplens as dl
from dplens.present.words import say
from dplens.present.words.language import language
from dplens.telling import LANGUAGES
from tests.examples import EXAMPLES, assessed
from tests.present.readable import every_text, flesch, parsed, sentences, variables, words
from tests.present.reports import in_clear, office, survey, training

ENGLISH = parsed("en")
WORDS = Path(dl.__file__).parent / "present" / "words"
PARTS = ("unit-", "who-", "pic-")  # of other texts; a language may have others of these
FORBIDDEN = re.compile(r"\b(he|him|his|she|accus\w*|acquit\w*|clear\w*|catastroph\w*|graceful\w*)\b", re.IGNORECASE)


def test_there_is_a_folder_for_every_language():
    assert {folder.name for folder in WORDS.iterdir() if any(folder.glob("*.ftl"))} == set(LANGUAGES)


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_text_is_there_twice(code):
    keys = [
        key
        for file in (WORDS / code).glob("*.ftl")
        for key in re.findall(r"^(-?[a-zA-Z][\w-]*) *=", file.read_text(), re.M)
    ]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("code", LANGUAGES)
def test_all_languages_have_the_same_texts_with_the_same_variables(code):
    others = parsed(code)
    said, wanted = ({key for key in one if not key.startswith(PARTS)} for one in (others, ENGLISH))
    assert said - wanted == set()
    assert wanted - said == set()
    known = {*variables_of("card")}
    for key in wanted:
        more, less = variables(key, others), variables(key, ENGLISH)
        assert more - less <= known, key  # what every text may ask for
        assert less - more <= known, key


def variables_of(file):
    """The variables that the head of a file says are there in every message of it."""
    head = (WORDS / "en" / f"{file}.ftl").read_text().partition("\n\n")[0]
    return re.findall(r"^###   \$(\w+)", head, re.MULTILINE)


@pytest.mark.parametrize("key", sorted(key for key in ENGLISH if not key.startswith(PARTS)))
def test_every_english_sentence_is_short_and_easy(key):
    for text in every_text(key, ENGLISH):
        assert not FORBIDDEN.search(text), text
        for sentence in sentences(text):
            assert len(words(sentence)) <= 25, sentence
            if sentence.endswith((".", "?")) or len(words(sentence)) > 8:
                assert flesch(sentence) >= 40, (flesch(sentence), sentence)


MADE = {
    **{path.stem: path for path in EXAMPLES},
    **{one.__name__: one for one in (office, training, survey, in_clear)},
}


@pytest.mark.parametrize("name", MADE)
def test_every_card_is_easy_to_read(name):
    made = MADE[name]() if callable(MADE[name]) else assessed(MADE[name])
    found = say(made)
    told = [line for s in found.sections if s.key != "declared" for line in s.sentences]  # those are the user's words
    assert flesch(" ".join(told)) >= 60
    assert flesch(" ".join(found["summary"])) >= 60
    assert not FORBIDDEN.search(" ".join(told))


HOSTILE = (
    "<script>alert('x')</script> **bold** [a](javascript:b) \x1b[31mred\x07 \u2068\u2069\u202etxt { $unit } \u2028x"
)


def test_hostile_text_in_any_field_is_shown_as_text(tmp_path):
    """HTML, Markdown, terminal escapes, Fluent's syntax and its isolation characters."""
    made = dl.assess(
        dl.Laplace(scale=2.0),
        n=500,
        unit=f"person {HOSTILE}",
        title=HOSTILE,
        adversary={HOSTILE: dl.Adversary(prior=0.3)},
        data=dl.RelatedData(
            model=dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]]), attackers=[dl.Knowing(target=0, name=HOSTILE)]
        ),
        analyst={
            HOSTILE: dl.MeanTest(n=400, sd=dl.PlanningValue(value=20.0, source="public", note=HOSTILE), effect=5.0)
        },
        declared=dl.Declaration(purpose=HOSTILE, decided_by=HOSTILE),
    )
    text = made.words()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]", text)
    assert "{ $unit }" in text
    made.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert "<script>alert" not in page
    assert "\x1b" not in re.sub(r'<script type="application/json".*', "", page, flags=re.DOTALL)
    made.report(tmp_path / "r.md")
    markdown = re.sub(r"```.*?```", "", (tmp_path / "r.md").read_text(), flags=re.DOTALL)  # code is shown as it is
    assert "\x1b" not in markdown
    assert "](" not in markdown.replace("\\]", "")
    assert "<script>" not in markdown


# ---- no sentence for users outside present/words, except errors ----------------------------------------------------


def told(node):
    """The text of a string in code; what is filled in is a word."""
    if isinstance(node, python.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, python.JoinedStr):
        return "".join(v.value if isinstance(v, python.Constant) else "x" for v in node.values)
    return ""


SENTENCE = re.compile(r"^[A-Z][^\n]*[a-z]{2,} [^\n]*[a-z]{2,} [^\n]*[.?]$")


def test_the_command_line_and_reports_take_every_sentence_from_the_texts():
    source = WORDS.parents[1]
    folders = ("present", "cli/commands", "decide/doors", "auditing", "assessment")
    for path in (file for folder in folders for file in (source / folder).rglob("*.py")):
        if path.name in ("runs.py", "running.py"):  # what runs leave behind is told in errors
            continue
        tree = python.parse(path.read_text())
        errors = {
            id(part)
            for node in python.walk(tree)
            if isinstance(node, (python.Raise, python.AnnAssign))
            or (isinstance(node, python.Call) and "print" in python.dump(node.func))  # notes on the error stream
            or (
                isinstance(node, python.Call)
                and re.search("_validate|reject|option|Option|Argument", python.dump(node.func))
            )
            or (isinstance(node, python.Assign) and re.search("rule|remedy|_[A-Z]", python.dump(node.targets[0])))
            for part in python.walk(node)
        }
        documented = {
            id(node.body[0].value)
            for node in python.walk(tree)
            if isinstance(node, (python.Module, python.ClassDef, python.FunctionDef))
            and node.body
            and isinstance(node.body[0], python.Expr)
        }
        found = [
            told(node)
            for node in python.walk(tree)
            if id(node) not in errors | documented and SENTENCE.match(told(node))
        ]
        assert found == [], path


def test_the_texts_are_read_once_and_in_a_moment():
    import time

    made = dl.assess(dl.Gaussian(sigma=2.0))
    say(made)
    start = time.process_time()
    say(made)
    assert time.process_time() - start < 0.5
    assert language("en") is language("en")
