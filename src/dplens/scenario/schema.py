"""The one schema of scenario files, made from the library's own classes: new mechanisms are in it at once."""

# pyright: reportInvalidTypeForm=false
# The types here are made at run time.

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from datetime import date
from functools import cache
from typing import Annotated, Any, ForwardRef, Literal, Union

from dplens.assessment.records import SETTINGS, Declaration, Signatory
from dplens.describe import questions, releases
from dplens.describe.values import read
from dplens.errors import MissingExtra
from dplens.mechanisms.base import NEIGHBOURS
from dplens.mechanisms.composed import SCHEMES
from dplens.registry import MECHANISMS, MODELS, QUESTIONS, TESTS, load_plugins
from dplens.telling import LANGUAGES

try:
    from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, create_model
except ImportError:
    raise MissingExtra("Scenario files need pydantic. Install it with: pip install 'dplens[cli]'") from None

__all__ = ["questions"]  # imported so that they are known


def one_of(values: Iterable[str]) -> Any:
    """One of these texts."""
    return Literal[tuple(values)]  # pyright: ignore[reportReturnType]


def or_nothing(kind: Any) -> Any:
    """A kind of value, or none."""
    return Union[kind, None]  # noqa: UP007


def _keyed(value: Any) -> Any:
    """Mappings from indices, which JSON and TOML write as texts."""
    if not isinstance(value, dict):
        return value
    return {int(k) if isinstance(k, str) and k.lstrip("-").isdigit() else k: v for k, v in value.items()}


Names = frozenset[str] | None
_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)
Number: Any = Annotated[float, BeforeValidator(read)]  # "inf" is a number too
_Known: Any = Annotated[Union[list[int], dict[int, Number]], BeforeValidator(_keyed)]  # noqa: UP007
_Day: Any = Annotated[str, BeforeValidator(lambda value: value.isoformat() if isinstance(value, date) else value)]
Neighbours, Scheme = one_of(NEIGHBOURS), one_of(SCHEMES)
MaybeNumber, _MaybeScheme = or_nothing(Number), or_nothing(Scheme)
AnyRelease: Any = ForwardRef("AnyRelease")

TYPES: dict[str, Any] = {
    "float": Number,
    "int": int,
    "str": str,
    "bool": bool,
    "float | None": MaybeNumber,
    "int | None": int | None,
    "str | None": str | None,
    "Sequence[float]": list[Number],
    "Sequence[float] | None": or_nothing(list[Number]),
}
_ABOUT = {
    "neighbours": "Which data sets are compared: one record added or removed, or one replaced.",
    "sensitivity": "The most that one record can change the released number (L1 for Laplace, L2 for Gaussian noise).",
    "sigma": "Standard deviation of the noise.",
    "scale": "Scale of the noise.",
    "fpr": "False-positive rate of the attacker.",
    "prior": "What the attacker believes beforehand.",
}


class Part(BaseModel):
    """A mapping of a file: no key but those it names, no value of another kind."""

    model_config = _STRICT


class _Law(Part):
    """A distribution of scipy.stats with its parameters."""

    law: str
    shapes: list[Number] = []
    loc: Number = 0.0
    scale: Number = 1.0


class Release(Part):
    """What every release may say: it is sampled, then repeated, then may fail, and is then seen by a group."""

    name: str = Field("", description="What it is called in the report.")
    repeat: int = Field(1, description="How often it is released, with fresh noise each time.")
    fails_with: MaybeNumber = Field(None, description="Probability with which it reveals the secret outright.")
    group: int | None = Field(None, description="How many records one person may have.")


class Sampled(Release):
    """A release that may look at a random part of the records."""

    sample_rate: MaybeNumber = Field(None, description="Each record's chance of taking part.")
    sampling: _MaybeScheme = Field(None, description="How samples are drawn.")


class Adversary(Part):
    """Someone who may want to know: by their prior, or by Liu's coefficients of what they know."""

    name: str = ""
    prior: MaybeNumber = Field(None, description="How likely they think beforehand that the target is in the data.")
    coefficients: _Coefficients | None = None


class _Coefficients(Part):
    """Liu's coefficients of prior knowledge, record correlation and temporal correlation."""

    prior: Number = 0.0
    record: Number = 0.0
    temporal: Number = 0.0


class RelatedAttacker(Part):
    """An attacker on related records."""

    name: str = ""
    target: int = Field(description="The tuple they want to know about, counted from 0.")
    known: _Known = Field([], description="Tuples they know: indices, or a mapping from index to value.")


class MeasuredAttack(Part):
    """A measured attack: files of scores, counts, published points, or guesses or scores of canaries of one run."""

    name: str = ""
    confidence: Number = Field(0.95, description="With this probability every bound holds.")
    scores_in: str | None = Field(None, description="Scores with the target: a CSV, JSONL or Parquet file.")
    scores_out: str | None = Field(None, description="The same without the target.")
    scores: str | None = Field(None, description="One file with both, told apart by its column label.")
    label: str | None = Field(None, description="The column that is 1 with the target and 0 without.")
    column: str | None = Field(None, description="The column that holds the scores; score by default.")
    members: or_nothing(Literal["higher", "lower", "either"]) = Field(None, description="Which end is for membership.")
    true_positives: int | None = Field(None, description="Members named, at a threshold fixed beforehand.")
    false_positives: int | None = Field(None, description="Others named, at the same threshold.")
    n_in: int | None = Field(None, description="Scores with the target.")
    n_out: int | None = Field(None, description="Scores without the target.")
    fpr: or_nothing(list[Number]) = Field(None, description="Published false-positive rates.")
    tpr: or_nothing(list[Number]) = Field(None, description="The true-positive rates that go with them.")
    precision: or_nothing(list[Number]) = Field(None, description="Published precisions.")
    recall: or_nothing(list[Number]) = Field(None, description="The recalls that go with them.")
    prior: MaybeNumber = Field(None, description="Share of members for which precisions hold.")
    fixed_beforehand: bool | None = Field(None, description="Whether thresholds were fixed before scores were seen.")
    digits: int | None = Field(None, description="Decimals to which published rates were rounded.")
    correct: int | None = Field(None, description="Right guesses about canaries of one run.")
    guesses: int | None = Field(None, description="Guesses made.")
    canaries: int | None = Field(None, description="Canaries in all.")
    canary_scores: str | None = Field(None, description="CSV, JSONL or Parquet file, a row for each canary of a run.")
    included: str | None = Field(None, description="Its column that says who was put in; included by default.")
    guess: or_nothing(int | list[int]) = Field(None, description="Guesses at each end, or at both, fixed beforehand.")


def fields_of(kind: type) -> dict[str, Any]:
    """Field definitions from the dataclass fields of a class."""
    out: dict[str, Any] = {}
    for f in fields(kind):
        if not f.init:
            continue
        default = ... if f.default is MISSING else f.default
        made: Any = TYPES.get(str(f.type), Any)
        if f.name == "neighbours":
            made = Neighbours
        elif f.name in releases.LAWS and str(f.type) == "Any":
            made = _Law
        out[f.name] = (made, Field(default, description=_ABOUT.get(f.name)))
    return out


def text_of(kind: type) -> str:
    """The first line of what a class says about itself."""
    return (kind.__doc__ or "").strip().splitlines()[0]


class _Planning(Part):
    """A number of a plan, with its source."""

    value: Number
    source: Literal["public", "worst_case", "private_estimate", "not_stated"] = "not_stated"
    note: str = ""
    confidence: float = 1.0
    release: dict[str, Any] | None = Field(None, description="The mechanism that an estimate was released with.")


def planned(field: Any) -> Any:
    """The type of a test's argument; numbers may carry their source."""
    written = str(field.type)
    if written in ("int", "float", "float | None"):
        number = int if written == "int" else Number
        made: Any = Annotated[
            Union[Annotated[number, Tag("number")], Annotated[_Planning, Tag("planning")]],  # noqa: UP007
            Discriminator(lambda v: "planning" if isinstance(v, (dict, _Planning)) else "number"),
        ]
    else:
        made = list[Number] if written.startswith("tuple[float, float]") else TYPES.get(written, Any)
    return or_nothing(made) if written.endswith("| None") else made


def union(kinds: list[Any], key: str) -> Any:
    """One of several, identified by a key; without alternatives, no value is accepted."""
    return Annotated[Union[tuple(kinds)], Field(discriminator=key)] if kinds else one_of(["-"])  # noqa: UP007


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
    declared = _declared()

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
        analyst=described(list[_analyst(wanted)], [], "Tests that a released number must still support."),
        audits=described(list[MeasuredAttack], [], "Measured attacks that the description is held against."),
        data=described(or_nothing(_data(wanted)), None, "How records are related, and who knows what."),
        declared=described(or_nothing(declared), None, "What no computation can know (Fondeville, Section 5)."),
    )


def _declared() -> Any:
    """What those responsible declare, with those who sign."""
    signatory = create_model("signatory", __base__=Part, __doc__=text_of(Signatory), **fields_of(Signatory))
    own = fields_of(Declaration)
    own["signatories"] = (list[signatory], Field([], description="Who signs the report."))
    own["date"] = (_Day, Field("", description="The date on the report, as it should be printed."))
    return create_model("declared", __base__=Part, __doc__=text_of(Declaration), **own)


def json_schema() -> dict[str, Any]:
    """The schema as JSON Schema."""
    made = scenario_model().model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}
