"""The one schema of scenario files, made from the library's own classes: new mechanisms are in it at once."""

# pyright: reportInvalidTypeForm=false
# The types here are made at run time.

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, fields
from functools import cache
from typing import Annotated, Any, ForwardRef, Literal, Union

from dplens.assessment.records import SETTINGS, Declaration
from dplens.describe.questions import QUESTIONS
from dplens.describe.releases import LAWS, MECHANISMS
from dplens.describe.values import read
from dplens.errors import MissingExtra
from dplens.mechanisms.base import NEIGHBOURS
from dplens.mechanisms.composed import SCHEMES

try:
    from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, create_model
except ImportError:
    raise MissingExtra("Scenario files need pydantic. Install it with: pip install 'dplens[cli]'") from None


def _one_of(values: Iterable[str]) -> Any:
    return Literal[tuple(values)]  # pyright: ignore[reportReturnType]


def _or_nothing(kind: Any) -> Any:
    return Union[kind, None]  # noqa: UP007


def _keyed(value: Any) -> Any:
    """Mappings from indices, which JSON and TOML write as texts."""
    return {_index(k): v for k, v in value.items()} if isinstance(value, dict) else value


def _index(key: Any) -> Any:
    return int(key) if isinstance(key, str) and key.lstrip("-").isdigit() else key


Names = frozenset[str] | None
COMBINED = frozenset(f"mechanism:{name}" for name in ("subsampled", "grouped", "failing", "composed", "value_above"))
_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)
Number: Any = Annotated[float, BeforeValidator(read)]  # "inf" is a number too
_Known: Any = Annotated[Union[list[int], dict[int, Number]], BeforeValidator(_keyed)]  # noqa: UP007
_Neighbours, _Scheme = _one_of(NEIGHBOURS), _one_of(SCHEMES)
_MaybeNumber, _MaybeScheme = _or_nothing(Number), _or_nothing(_Scheme)
_AnyRelease: Any = ForwardRef("AnyRelease")

_TYPES: dict[str, Any] = {
    "float": Number,
    "int": int,
    "str": str,
    "bool": bool,
    "float | None": _MaybeNumber,
    "int | None": int | None,
    "str | None": str | None,
    "Sequence[float]": list[Number],
    "Sequence[float] | None": _or_nothing(list[Number]),
}
_ABOUT = {
    "neighbours": "Which data sets are compared: one record added or removed, or one replaced.",
    "sensitivity": "The most that one record can change the released number (L1 for Laplace, L2 for Gaussian noise).",
    "sigma": "Standard deviation of the noise.",
    "scale": "Scale of the noise.",
    "fpr": "False-positive rate of the attacker.",
    "prior": "What the attacker believes beforehand.",
}


class _Part(BaseModel):
    model_config = _STRICT


class _Law(_Part):
    """A distribution of scipy.stats with its parameters."""

    law: str
    shapes: list[Number] = []
    loc: Number = 0.0
    scale: Number = 1.0


class _Release(_Part):
    """What every release may say: it is sampled, then repeated, then may fail, and is then seen by a group."""

    name: str = Field("", description="What it is called in the report.")
    repeat: int = Field(1, description="How often it is released, with fresh noise each time.")
    fails_with: _MaybeNumber = Field(None, description="Probability with which it reveals the secret outright.")
    group: int | None = Field(None, description="How many records one person may have.")


class _Sampled(_Release):
    sample_rate: _MaybeNumber = Field(None, description="Each record's chance of taking part.")
    sampling: _MaybeScheme = Field(None, description="How samples are drawn.")


class Adversary(_Part):
    """Someone who may want to know: by his prior, or by Liu's coefficients of what he knows."""

    name: str = ""
    prior: _MaybeNumber = Field(None, description="Pr(the target is in the data), in his eyes, beforehand.")
    coefficients: _Coefficients | None = None


class _Coefficients(_Part):
    """Liu's coefficients of prior knowledge, record correlation and temporal correlation."""

    prior: Number = 0.0
    record: Number = 0.0
    temporal: Number = 0.0


class RelatedAttacker(_Part):
    """An attacker on related records."""

    name: str = ""
    target: int = Field(description="The tuple he wants to know about, counted from 0.")
    known: _Known = Field([], description="Tuples he knows: indices, or a mapping from index to value.")


class MeasuredAttack(_Part):
    """A measured attack: two files of scores, counts, published points, or guesses about canaries of one run."""

    name: str = ""
    confidence: Number = Field(0.95, description="With this probability every bound holds.")
    scores_in: str | None = Field(None, description="CSV or Parquet file of scores with the target, beside this file.")
    scores_out: str | None = Field(None, description="The same without the target.")
    column: str | None = Field(None, description="The column that holds the scores; score by default.")
    members: _or_nothing(Literal["higher", "lower", "either"]) = Field(None, description="Which end is for membership.")
    true_positives: int | None = Field(None, description="Members accused, at a threshold fixed beforehand.")
    false_positives: int | None = Field(None, description="Others accused, at the same threshold.")
    n_in: int | None = Field(None, description="Scores with the target.")
    n_out: int | None = Field(None, description="Scores without the target.")
    fpr: _or_nothing(list[Number]) = Field(None, description="Published false-positive rates.")
    tpr: _or_nothing(list[Number]) = Field(None, description="The true-positive rates that go with them.")
    precision: _or_nothing(list[Number]) = Field(None, description="Published precisions.")
    recall: _or_nothing(list[Number]) = Field(None, description="The recalls that go with them.")
    prior: _MaybeNumber = Field(None, description="Share of members for which precisions hold.")
    fixed_beforehand: bool | None = Field(None, description="Whether thresholds were fixed before scores were seen.")
    digits: int | None = Field(None, description="Decimals to which published rates were rounded.")
    correct: int | None = Field(None, description="Right guesses about canaries of one run.")
    guesses: int | None = Field(None, description="Guesses made.")
    canaries: int | None = Field(None, description="Canaries in all.")


def _fields_of(kind: type, skip: tuple[str, ...] = ()) -> dict[str, Any]:
    """Field definitions from the dataclass fields of a class."""
    out: dict[str, Any] = {}
    for f in fields(kind):
        if f.name in skip or not f.init:
            continue
        default = ... if f.default is MISSING else f.default
        made: Any = _TYPES.get(str(f.type), Any)
        if f.name == "neighbours":
            made = _Neighbours
        elif f.name in LAWS and str(f.type) == "Any":
            made = _Law
        out[f.name] = (made, Field(default, description=_ABOUT.get(f.name)))
    return out


def _text(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _releases(wanted: Names) -> list[Any]:
    made: list[Any] = [
        create_model(
            name,
            __base__=_Release if "sample_rate" in {f.name for f in fields(kind)} else _Sampled,
            __doc__=_text(kind),
            mechanism=(_one_of([name]), ...),
            **_fields_of(kind),
        )
        for name, kind in MECHANISMS.items()
        if wanted is None or f"mechanism:{name}" in wanted
    ]
    if wanted is not None and not wanted & COMBINED:
        return made
    neighbours = (_or_nothing(_Neighbours), None)
    part = create_model("part", __base__=_Part, times=(int, 1), of=(_AnyRelease, ...))
    combined: dict[str, dict[str, Any]] = {
        "subsampled": {"of": (_AnyRelease, ...), "rate": (Number, ...), "scheme": (_Scheme, "poisson")},
        "grouped": {"of": (_AnyRelease, ...), "size": (int, ...)},
        "failing": {"of": (_AnyRelease, ...), "probability": (Number, ...)},
        "composed": {"parts": (list[part], ...)},
    }
    for name, own in combined.items():
        made.append(
            create_model(
                name,
                __base__=_Release,
                __doc__="A release made of others.",
                mechanism=(_one_of([name]), ...),
                neighbours=neighbours,
                **own,
            )
        )
    above = {"values": (list[Number], ...), "gamma": (Number, ...), "weights": (_or_nothing(list[Number]), None)}
    of = {"of": (_AnyRelease, ...), **above}
    text = "Not a release but a hypothesis: the value is above gamma."
    made.append(
        create_model("value_above", __base__=_Part, __doc__=text, mechanism=(_one_of(["value_above"]), ...), **of)
    )
    return [*made, part]


def _tagged(wanted: Names, **more: Any) -> Any:
    """Questions, told apart by their names."""
    made = [
        create_model(
            f"question_{name}",
            __base__=_Part,
            __doc__=_text(kind),
            question=(_one_of([name]), ...),
            **_fields_of(kind),
            **more,
        )
        for name, kind in QUESTIONS.items()
        if wanted is None or f"question:{name}" in wanted
    ]
    return _union(made, "question")


def _data(wanted: Names) -> Any:
    if wanted is not None and not any(name.startswith("model:") for name in wanted):
        return _union([], "model")
    from dplens.describe.models import MODELS, model_keys

    more = {
        "weights": (_or_nothing(list[Number]), Field(None, description="Of the released sum; all 1 by default.")),
        "method": (str | None, Field(None, description="How the worst attacker is searched for.")),
        "attackers": (list[RelatedAttacker], Field([], description="Attackers looked at beside the worst.")),
    }
    made = []
    for name, kind in MODELS.items():
        if wanted is not None and f"model:{name}" not in wanted:
            continue
        own = {k: v for k, v in _fields_of(kind).items() if k in model_keys(name)}
        made.append(
            create_model(
                f"data_{name}", __base__=_Part, __doc__=_text(kind), model=(_one_of([name]), ...), **own, **more
            )
        )
    return _union(made, "model")


class _Planning(_Part):
    """A number of a plan, with where it comes from."""

    value: Number
    source: Literal["public", "worst_case", "private_estimate"] = "public"
    note: str = ""


def _analyst(wanted: Names) -> Any:
    """Tests of the analyst, told apart by their names."""
    if wanted is not None and not any(name.startswith("test:") for name in wanted):
        return _union([], "test")
    from dplens.describe.analyses import TESTS, test_keys

    more = {
        "name": (str, Field("", description="What the analysis is called.")),
        "release": (_or_nothing(str), Field(None, description="Name of the release whose number the test reads.")),
        "min_power": (_MaybeNumber, Field(None, description="The power that the analyst needs.")),
    }
    made = []
    for name, kind in TESTS.items():
        if wanted is not None and f"test:{name}" not in wanted:
            continue
        own = {key: (_planned(f), ... if f.default is MISSING else f.default) for key, f in test_keys(name).items()}
        made.append(
            create_model(
                f"test_{name}", __base__=_Part, __doc__=_text(kind), test=(_one_of([name]), ...), **own, **more
            )
        )
    return _union(made, "test")


def _planned(field: Any) -> Any:
    """The type of a test's argument; numbers may carry their source."""
    written = str(field.type)
    if written in ("int", "float", "float | None"):
        number = int if written == "int" else Number
        made: Any = Annotated[
            Union[Annotated[number, Tag("number")], Annotated[_Planning, Tag("planning")]],  # noqa: UP007
            Discriminator(lambda v: "planning" if isinstance(v, (dict, _Planning)) else "number"),
        ]
    else:
        made = list[Number] if written.startswith("tuple[float, float]") else _TYPES.get(written, Any)
    return _or_nothing(made) if written.endswith("| None") else made


def _union(kinds: list[Any], key: str) -> Any:
    """One of several, told apart by a key; with none to choose from, nothing is accepted."""
    return Annotated[Union[tuple(kinds)], Field(discriminator=key)] if kinds else _one_of(["-"])  # noqa: UP007


@cache
def scenario_model(wanted: Names = None) -> type[BaseModel]:
    """The schema as a Pydantic model.

    wanted: the names that a file uses, as ``mechanism:gaussian``, ``question:advantage``, ``model:markov``,
    ``test:mean``. The schema of those alone accepts it if and only if the whole one does, and is made much faster.
    """
    kinds = _releases(wanted)
    release = _union([kind for kind in kinds if kind.__name__ != "part"], "mechanism")
    for kind in kinds:
        kind.model_rebuild(_types_namespace={"AnyRelease": release}, force=True)
    Adversary.model_rebuild()
    bounds = {
        "at_most": (_MaybeNumber, Field(None, description="The limit, where more is riskier.")),
        "at_least": (_MaybeNumber, Field(None, description="The limit, where less is riskier.")),
    }
    declared = create_model("declared", __base__=_Part, __doc__=_text(Declaration), **_fields_of(Declaration))

    def described(kind: Any, default: Any, text: str) -> Any:
        return (kind, Field(default, description=text))

    return create_model(
        "Scenario",
        __base__=_Part,
        __doc__="A release, who may attack it, what is declared about it, and the limits it must keep.",
        title=described(str, "", "One line that says what is released."),
        unit=described(str, "person", "What one record stands for, in the singular."),
        n=described(int | None, None, "How many records there are, if that is no secret."),
        delta=described(_MaybeNumber, None, "At which epsilon is quoted; by default well below 1/n."),
        setting=described(
            _or_nothing(_one_of(SETTINGS)), None, "Who adds the noise: the holder of the data, or each person."
        ),
        accusing_at=described(Number, 0.01, "False-positive rate of the attacker in pairs of numbers."),
        releases=(
            list[release],
            Field(min_length=1, description="Everything that is published about the same people."),
        ),
        adversaries=described(list[Adversary], [], "Attackers whose priors are shown."),
        questions=described(list[_tagged(wanted)], [], "Asked beside those that always are."),
        limits=described(list[_tagged(wanted, **bounds)], [], "What must be kept."),
        analyst=described(list[_analyst(wanted)], [], "Tests that a released number must still serve."),
        audits=described(list[MeasuredAttack], [], "Measured attacks that the description is held against."),
        data=described(_or_nothing(_data(wanted)), None, "How records are related, and who knows what."),
        declared=described(_or_nothing(declared), None, "What no computation can know (Fondeville, Section 5)."),
    )


def json_schema() -> dict[str, Any]:
    """The schema as JSON Schema."""
    made = scenario_model().model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def keys_at(loc: tuple[Any, ...]) -> list[str]:
    """The keys that are known at a place of a file, given as the schema's own path."""
    schema = scenario_model().model_json_schema()
    here: Any = schema
    for key in loc:
        here = _resolved(here, schema)
        if isinstance(key, int):
            here = here.get("items", here)
        elif key in here.get("properties", {}):
            here = here["properties"][key]
        else:  # an alternative by its tag
            mapping = here.get("discriminator", {}).get("mapping", {})
            here = {"$ref": mapping[key]} if key in mapping else here
    return sorted(_resolved(here, schema).get("properties", {}))


def _resolved(here: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Past references, and past "or nothing" and "or a number"."""
    while True:
        if "$ref" in here:
            here = schema["$defs"][here["$ref"].rsplit("/", 1)[1]]
        elif "anyOf" in here:
            here = next((a for a in here["anyOf"] if a.get("type") != "null"), {})
        elif "oneOf" in here and "discriminator" not in here:  # a number, or a mapping with its source
            here = next((a for a in here["oneOf"] if "$ref" in a), {})
        else:
            return here
