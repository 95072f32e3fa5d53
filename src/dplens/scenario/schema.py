"""The one schema of scenario files, made from the library's own classes: new mechanisms are in it at once."""

# pyright: reportInvalidTypeForm=false
# The types here are made at run time.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import cache
from typing import Any

from dplens.assessment.records import SETTINGS, Declaration
from dplens.describe import questions, releases
from dplens.registry import MECHANISMS, MODELS, QUESTIONS, TESTS, load_plugins
from dplens.scenario.schema_parts import (
    Adversary,
    AnyRelease,
    BaseModel,
    Field,
    MaybeNumber,
    MeasuredAttack,
    Names,
    Neighbours,
    Number,
    Part,
    RelatedAttacker,
    Release,
    Sampled,
    Scheme,
    create_model,
    fields_of,
    one_of,
    or_nothing,
    planned,
    text_of,
    union,
)
from dplens.telling import LANGUAGES

__all__ = ["questions", "releases"]  # imported so that what they describe is known

_REGISTRIES = {"mechanism": MECHANISMS, "question": QUESTIONS, "model": MODELS, "test": TESTS}
COMBINED = frozenset(f"mechanism:{name}" for name in ("subsampled", "grouped", "failing", "composed", "value_above"))


def _tagged(key: str, name: str, text: str, own: dict[str, Any], base: Any = Part, prefix: str = "") -> Any:
    """The model of one alternative, identified by a key that holds its name."""
    return create_model(f"{prefix}{name}", __base__=base, __doc__=text, **{key: (one_of([name]), ...)}, **own)


def _releases(wanted: Names) -> list[Any]:
    made: list[Any] = [
        _tagged(
            *("mechanism", name, text_of(kind), fields_of(kind)),
            base=Release if "sample_rate" in {f.name for f in fields(kind)} else Sampled,
        )
        for name, kind in MECHANISMS.items()
        if wanted is None or f"mechanism:{name}" in wanted
    ]
    if wanted is not None and not wanted & COMBINED:
        return made
    neighbours = (or_nothing(Neighbours), None)
    part = create_model("part", __base__=Part, times=(int, 1), of=(AnyRelease, ...))
    combined: dict[str, dict[str, Any]] = {
        "subsampled": {"of": (AnyRelease, ...), "rate": (Number, ...), "scheme": (Scheme, "poisson")},
        "grouped": {"of": (AnyRelease, ...), "size": (int, ...)},
        "failing": {"of": (AnyRelease, ...), "probability": (Number, ...)},
        "composed": {"parts": (list[part], ...)},
    }
    for name, own in combined.items():
        own = {"neighbours": neighbours, **own}
        made.append(_tagged("mechanism", name, "A release made of others.", own, base=Release))
    above = {"values": (list[Number], ...), "gamma": (Number, ...), "weights": (or_nothing(list[Number]), None)}
    text = "Not a release but a hypothesis: the value is above gamma."
    return [*made, _tagged("mechanism", "value_above", text, {"of": (AnyRelease, ...), **above}), part]


def _alternatives(key: str, wanted: Names, own: Callable[[str, type], dict[str, Any]], prefix: str) -> Any:
    """One of the registered classes, identified by a key that holds its name; ``own``: the fields of each."""
    made = [
        _tagged(key, name, text_of(kind), own(name, kind), prefix=prefix)
        for name, kind in _REGISTRIES[key].items()
        if wanted is None or f"{key}:{name}" in wanted
    ]
    return union(made, key)


def _questions(wanted: Names, **more: Any) -> Any:
    return _alternatives("question", wanted, lambda name, kind: fields_of(kind) | more, "question_")


def _data(wanted: Names) -> Any:
    if wanted is not None and not any(name.startswith("model:") for name in wanted):
        return union([], "model")
    from dplens.describe.models import model_keys

    more = {
        "weights": (or_nothing(list[Number]), Field(None, description="Of the released sum; all 1 by default.")),
        "method": (str | None, Field(None, description="How the worst attacker is searched for.")),
        "attackers": (list[RelatedAttacker], Field([], description="Attackers looked at beside the worst.")),
    }

    def own(name: str, kind: type) -> dict[str, Any]:
        return {k: v for k, v in fields_of(kind).items() if k in model_keys(name)} | more

    return _alternatives("model", wanted, own, "data_")


def _analyst(wanted: Names) -> Any:
    if wanted is not None and not any(name.startswith("test:") for name in wanted):
        return union([], "test")
    from dplens.describe.analyses import test_keys

    more = {
        "name": (str, Field("", description="What the analysis is called.")),
        "release": (or_nothing(str), Field(None, description="Name of the release whose number the test reads.")),
        "min_power": (MaybeNumber, Field(None, description="The power that the analyst needs.")),
    }

    def own(name: str, kind: type) -> dict[str, Any]:
        return {
            key: (planned(f), ... if f.default is MISSING else f.default) for key, f in test_keys(name).items()
        } | more

    return _alternatives("test", wanted, own, "test_")


def scenario_model(wanted: Names = None) -> type[BaseModel]:
    """The schema as a Pydantic model, made from the classes that are registered by now.

    wanted: the names that a file uses, as ``mechanism:gaussian``, ``question:advantage``, ``model:markov``,
    ``test:mean``. The schema of those alone accepts it if and only if the whole one does, and is made much faster.
    """
    known = COMBINED | {f"{key}:{name}" for key, registry in _REGISTRIES.items() for name in registry}
    if wanted is None or not wanted <= known:
        load_plugins()
    return _model(wanted, tuple(kind for registry in _REGISTRIES.values() for kind in registry.values()))


@cache
def _model(wanted: Names, registered: tuple[type, ...]) -> type[BaseModel]:
    kinds = _releases(wanted)
    release = union([kind for kind in kinds if kind.__name__ != "part"], "mechanism")
    for kind in kinds:
        kind.model_rebuild(_types_namespace={"AnyRelease": release}, force=True)
    Adversary.model_rebuild()
    bounds = {
        "at_most": (MaybeNumber, Field(None, description="The limit, where more is riskier.")),
        "at_least": (MaybeNumber, Field(None, description="The limit, where less is riskier.")),
    }
    declared = create_model("declared", __base__=Part, __doc__=text_of(Declaration), **fields_of(Declaration))

    def described(kind: Any, default: Any, text: str) -> Any:
        return (kind, Field(default, description=text))

    return create_model(
        "Scenario",
        __base__=Part,
        __doc__="A release, who may attack it, what is declared about it, and the limits it must keep.",
        title=described(str, "", "One line that says what is released."),
        unit=described(str, "person", "What one record stands for, in the singular."),
        n=described(int | None, None, "How many records there are, if that is no secret."),
        delta=described(MaybeNumber, None, "At which epsilon is quoted; by default well below 1/n."),
        setting=described(
            or_nothing(one_of(SETTINGS)), None, "Who adds the noise: the holder of the data, or each person."
        ),
        fpr=described(Number, 0.01, "False-positive rate of the attacker in pairs of numbers."),
        language=described(one_of(LANGUAGES), LANGUAGES[0], "In which the assessment is put into words."),
        releases=(
            list[release],
            Field(min_length=1, description="Everything that is published about the same people."),
        ),
        adversaries=described(list[Adversary], [], "Attackers whose priors are shown."),
        questions=described(list[_questions(wanted)], [], "Asked beside those that always are."),
        limits=described(list[_questions(wanted, **bounds)], [], "What must be kept."),
        analyst=described(list[_analyst(wanted)], [], "Tests that a released number must still serve."),
        audits=described(list[MeasuredAttack], [], "Measured attacks that the description is held against."),
        data=described(or_nothing(_data(wanted)), None, "How records are related, and who knows what."),
        declared=described(or_nothing(declared), None, "What no computation can know (Fondeville, Section 5)."),
    )


def json_schema() -> dict[str, Any]:
    """The schema as JSON Schema."""
    made = scenario_model().model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}
