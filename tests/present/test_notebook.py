"""Results in a notebook: a short repr, light HTML, metrics and data frames for everything that calls return."""

import dataclasses
import html
import inspect
import json
import math
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import dplens as dl
from dplens.errors import MissingExtra
from dplens.present.notebook import metrics as names
from dplens.present.notebook.outline import outline_of
from dplens.present.rounding import number
from dplens.registry import Presented, Result, Tabular
from dplens.telling import LANGUAGES
from tests.present.results import HOSTILE, results

# What users make themselves and pass on; everything else is a result.
INPUTS = (
    *(dl.Mechanism, dl.Question, dl.AnalystTest, dl.DPSGDLimit, dl.Requirement, dl.Adversary),
    *(dl.DiscreteData, dl.MarkovData, dl.GaussianData, dl.GaussianChain, dl.ValueAbove),
    *(dl.Analysis, dl.RelatedData, dl.Knowing, dl.Declaration, dl.Signatory, dl.MultipleTests, dl.PlanningValue),
    *(dl.Query, dl.Unit, dl.Processing, dl.AccuracyRequirement),
)
# Numbers and curves, which show themselves, and parts of them.
NUMBERS = (float, dl.TradeOff, dl.Certificate, dl.FailureMode, dl.Sensitivity)


def each(kind=Presented, without=()):
    """The examples of a kind by name; made with the first test, not when tests are collected."""
    return [(name, one) for name, one in results().items() if isinstance(one, kind) and name not in without]


def every_kind(base=Presented):
    for kind in base.__subclasses__():
        yield kind
        yield from every_kind(kind)


class Page(HTMLParser):
    """The tags, attributes and text of a piece of HTML; every tag must be closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], set(), [], ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("name", [n for n in dl.__all__ if inspect.isclass(getattr(dl, n))])
def test_every_public_class_is_an_input_or_shows_itself(name):
    kind = getattr(dl, name)
    assert issubclass(kind, (*INPUTS, *NUMBERS, BaseException, Presented))


def test_every_kind_of_result_has_an_example():
    made = {type(one) for one in results().values()}
    own = {kind for kind in every_kind() if kind.__module__.startswith("dplens.") and not inspect.isabstract(kind)}
    bases = {kind for kind in own if kind.__subclasses__()}
    assert not own - bases - made


def test_repr_is_one_short_line():
    for name, one in each():
        shown = repr(one)
        assert re.fullmatch(rf"<{type(one).__name__}\b.*>", shown)
        assert len(shown) <= 200, name
        assert shown.isprintable(), name


def test_repr_says_what_it_is_and_its_main_number():
    known = {
        "mixed": "<Assessment 'Residents by street': 2 of 3 limits met, epsilon 0.5 at delta 1e-6>",
        "comparison": "<Comparison: 3 mechanisms, advantage 0.383, 0.394, 0.198>",
        "one run": "<OneRunAudit: epsilon at least 2.37 at confidence 0.95, 930 of 1000 guesses right>",
        "range": "<NoiseRange: scale 0.00121 to ∞>",
        "view": "<DiscreteView: target 0, known [1], Laplace(scale=1.0)>",
        "noise": "<NoiseError: variance 2, mean_absolute 1, interval 3>",
        "attack": "<Attack 'Laplace(scale=1.0)': power 13.6 %, fpr 5 %>",
    }
    assert {name: repr(results()[name]) for name in known} == known


@pytest.mark.parametrize(
    "one",
    [
        dl.FinitePair(p=[1e-4] * 10_000, q=[1e-4] * 10_000),
        dl.RenyiDP(orders=range(2, 500), epsilons=range(2, 500)),
        dl.DiscreteData(joint=np.full((10, 10, 10), 1e-3)),
        dl.MarkovData(initial=[0.5, 0.5], transition=np.full((2000, 2, 2), 0.5)),
        dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=range(1000), gamma=10),
        dl.compose(*(dl.Gaussian(sigma=1.0 + i) for i in range(100))),
    ],
    ids=lambda one: type(one).__name__,
)
def test_inputs_abbreviate_long_columns(one):
    assert len(repr(one)) <= 200


def test_short_inputs_can_be_evaluated():
    for one in (dl.FinitePair(p=[0.5, 0.5], q=[0.2, 0.8]), dl.RenyiDP(orders=[2.0], epsilons=[1.0]), dl.AUC()):
        assert eval(repr(one), vars(dl) | {type(one).__name__: type(one)}) == one


def test_html_is_light_safe_and_takes_the_colours_of_the_page():
    for _, one in each(without=["picture"]):
        text = one._repr_html_()
        page = Page(text)
        assert page.tags <= {"div", "span", "table", "caption", "thead", "tbody", "tr", "th", "td"}
        assert {key for key, _ in page.attributes} <= {"style", "lang", "dir", "scope"}
        assert "alert(" not in text or "&lt;script&gt;" in text
        styles = " ".join(value for key, value in page.attributes if key == "style")
        assert not re.search(r"url|http|@import|#[0-9a-f]{3}|white(?!-space)|black|background:(?!none)", styles)
        assert len(text) < 40_000
        assert page.text.replace("\n", "").isprintable() or "\u00a0" in page.text
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_a_picture_stands_on_its_own_ground_in_dark_notebooks():
    bundle = results()["picture"]._repr_mimebundle_()
    assert 'fill="white"' in bundle["image/svg+xml"]
    assert "identifies" in bundle["text/plain"]


def test_the_verdict_comes_first_by_word_and_by_shape():
    for name, said in (("mixed", "✗\u00a01 of 2 limits is broken."), ("refuted", "✗\u00a0A measured attack proves")):
        text = Page(results()[name]._repr_html_()).text
        assert text.partition(said)[1]
        assert not re.search(r"\d %", text.partition(said)[0].replace(HOSTILE, ""))
    assert "✓\u00a0Wir haben bewiesen" in Page(results()["german"]._repr_html_()).text


def test_html_is_in_the_language_of_the_result():
    assert 'lang="de"' in results()["german"]._repr_html_()
    assert "Vorteil des Angriffs" in results()["german"]._repr_html_()
    assert "Évaluation" in results()["french"]._repr_html_()
    assert "16,2\u00a0%" in results()["german"]._repr_html_()
    assert "Risikokarte" in results()["German card"]._repr_html_()


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_outline_can_be_read_in_every_language(code):
    for _, one in each():
        outline = outline_of(one, code)
        kinds = [row.label for row in outline.numbers()] + [head for table in outline.tables() for head in table.heads]
        assert all(kinds)
        assert all(sentence for _, sentence in outline.verdicts())


def test_metrics_are_finite_floats_by_safe_names():
    for name, one in each(Result):
        found = one.metrics()
        assert found or name in ("unranked",)
        for key, value in found.items():
            assert re.fullmatch(r"[a-z0-9_]{1,250}", key)
            assert type(value) is float
            assert math.isfinite(value)
        assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_metrics_are_the_numbers_of_the_card_and_of_json():
    made = results()["mixed"]
    found = made.metrics()
    epsilon = made.answer(dl.Epsilon(delta=made.assumptions.delta))
    assert found["epsilon"] == float(epsilon) == epsilon.high
    assert found["advantage"] == made.answer(dl.Advantage())
    assert (found["limits_count"], found["limits_met_count"]) == (3.0, 2.0)  # a power that the analyst needs is one
    assert (found["limits_met"], found["passed"]) == (0.0, 0.0)
    written = {names.key_of(a.question): a.to_dict()["value"] for a in made.answers}
    assert {key: found[key] for key in written} == written
    assert str(number(epsilon)) in repr(made)
    assert html.escape(made.words().splitlines()[2]).replace(" %", "\u00a0%") in made._repr_html_()


def test_limits_are_met_only_if_all_are_and_no_audit_refutes_the_description():
    release, limit = dl.Laplace(scale=8.0), dl.Advantage().at_most(0.5)
    assert dl.assess(release, limits=[limit]).metrics()["limits_met"] == 1.0
    attack = dl.audit_counts(true_positives=900, n_in=1000, false_positives=10, n_out=1000)
    found = dl.assess(release, limits=[limit], audit=attack).metrics()
    assert (found["refuted"], found["limits_met"], found["limits_met_count"]) == (1.0, 0.0, 1.0)
    assert "limits_met" not in dl.assess(release).metrics()


def test_an_infinite_number_is_said_in_words_of_its_own():
    found = results()["open to proof"].metrics()
    assert found["epsilon_infinite"] == 1.0
    assert "epsilon" not in found


def test_names_of_metrics_stay_apart():
    assert names.metrics_of([("a b", 1.0), ("a-b", 2.0), ("日本", True), ("x", None), ("y", math.nan)]) == {
        "a_b": 1.0,
        "a_b_2": 2.0,
        "value": 1.0,
    }
    asked = [dl.AttackPower(fpr=x) for x in (0.1, 0.01, 1e-5, 1e-15)] + [dl.Epsilon(delta=1e-6), dl.AUC()]
    assert len({names.key_of(question) for question in asked}) == len(asked)
    assert names.key_of(asked[1]) == "attack_power_fpr_0_01"


def test_tables_become_data_frames():
    for _, one in each(Tabular):
        here, there = one.to_pandas(), one.to_polars()
        columns = outline_of(one).columns()
        assert list(here.columns) == there.columns == list(columns)
        assert here.shape == there.shape
        for key, values in columns.items():
            for value, first, second in zip(values, here[key], there[key]):
                if value is None or (isinstance(value, float) and math.isnan(value)):
                    assert second is None or math.isnan(second)
                elif isinstance(value, (int, float, str)):
                    assert first == value == second


def test_data_frames_of_a_picture_are_its_rows():
    frame = results()["frame roc"]
    assert frame.to_pandas()["power"].tolist() == frame.column("power")
    assert frame.to_polars()["power"].to_list() == frame.column("power")


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_package_that_is_missing_is_answered_with_the_command(package, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'dplens\[{package}\]'"):
        getattr(results()["frame roc"], f"to_{package}")()


@pytest.mark.parametrize(
    ("one", "hidden", "shown"),
    [
        (dl.Laplace(scale=1.0), "noise_law log_concave registry", "tradeoff repeat scale as_replace"),
        (dl.AUC(), "ceiling is_share arithmetic registry", "of at_most at_least"),
        (dl.DiscreteData(joint=[[0.5, 0.5]]), "blocks index_of sizes", "view worst graph joint"),
        (dl.MeanTest(n=100, sd=0.25, effect=0.2), "simulated registry", "power p_value interval decide"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_completion_offers_what_users_need(one, hidden, shown):
    assert not set(hidden.split()) & set(dir(one))
    assert set(shown.split()) <= set(dir(one))


def test_a_class_of_ones_own_shows_its_fields():
    @dataclasses.dataclass(frozen=True)
    class Found(Result):
        share: float
        word: str = "<b>"

    one = Found(0.25)
    assert repr(one) == "<Found: share 0.25>"
    assert "&lt;b&gt;" in one._repr_html_()
    assert one.metrics() == {"share": 0.25}
