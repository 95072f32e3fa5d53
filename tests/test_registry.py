"""A question, a mechanism, a data model and a test of one's own are used like those that come with dplens."""

import inspect
import json
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import dplens as dl
from dplens import registry
from dplens.assessment.result import digests
from dplens.cli.main import main
from dplens.curves.base import TradeOff
from dplens.scenario.schema import json_schema


@pytest.fixture(autouse=True)
def only_here():
    kept = [dict(r._classes) for r in REGISTRIES]
    yield
    for r, classes in zip(REGISTRIES, kept):
        r._classes = classes


REGISTRIES = registry.MECHANISMS, registry.QUESTIONS, registry.QUERIES, registry.MODELS, registry.TESTS


def own_question():
    @dl.register
    @dataclass(frozen=True, kw_only=True)
    class HalfPower(dl.Question):
        """The share of targets found when a given share of the others is accused. More is said below."""

        accused: float = 0.5
        ceiling = 1.0
        is_share = True

        def _read(self, curve):
            return curve.power(self.accused)

    return HalfPower


def own_mechanism():
    @dl.register
    @dataclass(frozen=True, kw_only=True)
    class TriangularNoise(dl.Mechanism):
        """A number with triangular noise."""

        width: float
        sensitivity: float = 1.0

        def _forward(self) -> TradeOff:
            from scipy.stats import triang

            law = triang(0.5, loc=-self.width, scale=2 * self.width)
            return dl.AdditiveNoise(noise=law, sensitivity=self.sensitivity)._forward()

    return TriangularNoise


def test_a_question_and_a_mechanism_of_ones_own_go_everywhere(tmp_path, capsys):
    question, mechanism = own_question(), own_mechanism()
    release, asked = mechanism(width=5.0), question(accused=0.25)
    found = dl.assess(release, questions=[asked], limits=[asked.at_most(0.9)], title="Triangles")
    assert asked.of(release) == asked.of(release.tradeoff())

    words = found.words()
    assert "the share of targets found when a given share of the others is accused (accused 0.25)" in words
    assert " %" in next(line for line in words.splitlines() if "accused 0.25" in line)
    found.report(tmp_path / "report.html")
    assert "A number with triangular noise (width 5.0). One person changes" in (tmp_path / "report.html").read_text()

    again = dl.Assessment.from_json(found.to_json())
    assert again == found
    assert again.answer(asked) == found.answer(asked)
    written = json.loads(found.to_json())
    assert written["release"] == {
        "mechanism": "triangular_noise",
        "neighbours": "add_remove",
        "width": 5.0,
        "sensitivity": 1.0,
    }

    schema = json.dumps(json_schema())
    assert '"triangular_noise"' in schema
    assert '"half_power"' in schema

    scenario = tmp_path / "mine.yaml"
    scenario.write_text(
        "title: Triangles\nreleases:\n  - mechanism: triangular_noise\n    width: 5\n"
        "questions:\n  - question: half_power\n    accused: 0.25\n"
    )
    read = dl.load_scenario(scenario).assess()
    assert read.answer(asked) == asked.of(release)
    assert main(["assess", str(scenario)]) == 0
    assert main(["assess", "triangular_noise:width=5", "--fail-above", "half_power:accused=0.25=0.9"]) == 0
    assert main(["assess", "triangular_nois:width=5"]) == 2
    assert "Did you mean 'triangular_noise'?" in capsys.readouterr().err
    scenario.write_text("releases:\n  - mechanism: triangular_noise\n    widht: 5\n")
    assert main(["assess", str(scenario)]) == 2
    assert "width" in capsys.readouterr().err


def test_a_model_and_a_test_of_ones_own_are_written_and_read():
    @dl.register(name="couples")
    @dataclass(frozen=True, kw_only=True, eq=False)
    class CoupleData(dl.DiscreteData):
        """Two partners."""

    @dl.register
    @dataclass(frozen=True, kw_only=True)
    class QuickTest(dl.MeanTest):
        """A mean, quickly."""

    data = CoupleData(joint=[[0.4, 0.1], [0.1, 0.4]])
    found = dl.assess(dl.Laplace(scale=1.0), data=data, analyst=QuickTest(n=100, sd=0.2, effect=0.1))
    written = json.loads(found.to_json())
    assert written["related"]["model"]["model"] == "couples"
    assert "quick" in found.to_json()
    assert dl.Assessment.from_json(found.to_json()) == found


def test_a_model_of_ones_own_has_words():
    @dl.register
    @dataclass(frozen=True)
    class SharedFlat(dl.DiscreteData):
        """Two people who share a flat."""

    data = SharedFlat(joint=[[0.4, 0.1], [0.1, 0.4]])
    assert "Two people who share a flat" in dl.assess(dl.Laplace(scale=1.0), data=data).words()


def test_generated_phrases_have_neither_code_marks_nor_arrays():
    @dataclass(frozen=True, eq=False)
    class Exchangeable:
        """Exchangeable tuples, of which ``counts`` says how many are alike. More follows."""

        counts: Any
        width: float = 1.5

    found = registry.docstring_phrase(Exchangeable(np.array([[1, 2], [3, 4]])))
    assert found == "exchangeable tuples, of which counts says how many are alike (counts [[1, 2], [3, 4]], width 1.5)"


def test_names_are_checked_and_taken_once():
    bad: Any
    for bad in (3, "Two Words", "Gaussian", ""):
        with pytest.raises(dl.DplensError, match="Expected name"):
            dl.register(name=bad)(own_question())
    with pytest.raises(dl.DplensError, match="AttackPower has it"):
        dl.register(name="attack_power")(own_question())
    assert registry.QUESTIONS["half_power"].__name__ == own_question().__name__  # a cell may be run again
    for bad in (int, 3, dl.Gaussian(sigma=1.0), lambda: 0):
        with pytest.raises(dl.DplensError, match="Expected cls to be a dataclass derived from"):
            dl.register(bad)


def test_plug_ins_are_imported_when_a_name_is_not_known(monkeypatch):
    class Point:
        value = "somewhere"

        def load(self):
            own_question()

    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [Point()] if group == "dplens" else [])
    monkeypatch.setattr(registry, "_loaded", [])
    from dplens.describe.shorthand import question_of

    assert "half_power" not in registry.QUESTIONS
    assert question_of("attack_power:fpr=0.1") == dl.AttackPower(fpr=0.1)
    assert "half_power" not in registry.QUESTIONS
    assert repr(question_of("half_power:accused=0.1")).endswith("HalfPower(accused=0.1)")


@pytest.mark.parametrize(
    ("base", "name"), [(dl.Mechanism, "mechanism"), (dl.Mechanism, "repeat"), (dl.Question, "low")]
)
def test_fields_that_files_use_otherwise_are_refused(base, name):
    methods = {"_forward": lambda self: None, "_read": lambda self, curve: 0.0}
    kind = dataclass(frozen=True, kw_only=True)(
        type("Odd", (base,), {"__annotations__": {name: float}, name: 1.0, **methods})
    )
    with pytest.raises(dl.DplensError, match=f"no field {name!r}"):
        dl.register(kind)


def test_what_is_left_abstract_or_makes_no_curve_is_refused():
    @dataclass(frozen=True, kw_only=True)
    class Nothing(dl.Mechanism):
        """No curve."""

    with pytest.raises(dl.DplensError, match="nothing left abstract"):
        dl.register(Nothing)
    made = type("Made", (Nothing,), {"_forward": lambda self: None})()
    with pytest.raises(dl.DplensError, match="Expected _forward to return a trade-off curve for Made"):
        dl.Advantage().of(made)


def test_saved_assessments_say_that_classes_must_be_imported():
    saved = json.loads(dl.assess(own_mechanism()(width=5.0)).to_json().replace("triangular_noise", "forgotten_noise"))
    saved["digests"] = digests(saved)  # which tell of the change before the class is looked for
    with pytest.raises(dl.DplensError, match="once the module that registers them is imported"):
        dl.Assessment.from_json(json.dumps(saved))


def test_every_class_says_when_to_use_it():
    kinds = ("mechanisms", registry.MECHANISMS), ("risk", registry.QUESTIONS), ("queries", registry.QUERIES)
    for package, kind in kinds:
        registry.import_all(import_module(f"dplens.{package}"))
        for name, cls in kind.items():
            if cls.__module__.startswith("dplens."):
                assert "\n\nUse it " in inspect.getdoc(cls), name
