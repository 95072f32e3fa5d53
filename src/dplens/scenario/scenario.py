"""A scenario: what is released, who may attack, what is declared, and what must be kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from dplens import _validate
from dplens.adversary import Adversary
from dplens.assessment.assess import assess, chosen_delta, given_limits
from dplens.assessment.records import SETTINGS, Declaration, Signatory
from dplens.assessment.result import Assessment
from dplens.assessment.structure import records_of, responding
from dplens.correlated.value_above import ValueAbove
from dplens.describe.names import unknown
from dplens.describe.questions import read_question, read_requirement, sensible
from dplens.describe.releases import EXTRAS, release_from, with_responses
from dplens.describe.values import written
from dplens.errors import DplensError
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.composed import compose
from dplens.numerics.sharing import Shared, cached_property
from dplens.registry import Presented
from dplens.risk.base import Question, Requirement
from dplens.scenario.source import Located, Path, ScenarioError

if TYPE_CHECKING:
    from dplens.assessment.analyst import Analysis
    from dplens.assessment.related import Knowing, RelatedData

_PLAIN = ("title", "unit", "n", "delta", "setting", "fpr", "language")  # keys that are arguments of assess as they are


@dataclass(frozen=True, eq=False)
class Scenario(Presented, Shared):
    """What a scenario file says, checked against the schema; ``assess()`` computes what it means.

    Made by :func:`load_scenario` from a file, or by ``Scenario.of`` from plain values.

    >>> import dplens as dl
    >>> s = dl.Scenario.of({"unit": "resident", "n": 48200,
    ...                     "releases": [{"mechanism": "gaussian", "sigma": 1.6}],
    ...                     "limits": [{"question": "advantage", "at_most": 0.3}]})
    >>> s.assess().passed
    True
    """

    found: Located

    @classmethod
    def of(cls, content: Mapping[str, Any], source: str = "") -> Scenario:
        """A scenario from plain values."""
        _validate.instance("content", content, Mapping, "to be a mapping with keys such as releases")
        try:
            return cls._checked(Located(dict(content), _validate.text("source", source)))
        except RecursionError:
            raise _validate.reject("content", "to be of moderate depth", _validate.Shown("lists in lists")) from None

    @classmethod
    def _checked(cls, found: Located) -> Scenario:
        from dplens.scenario.check import checked

        if isinstance(found.data, dict):
            found = Located(_validate.current(found.data, accusing_at="fpr"), found.source, found.lines)
        made = cls(Located(checked(found), found.source, found.lines))
        _ = made.mechanism, made.delta, made._arguments  # errors that the schema cannot see are raised now
        return made

    @property
    def content(self) -> dict[str, Any]:
        """What the file says, as plain values."""
        return self.found.data

    @cached_property
    def mechanism(self) -> Any:
        """All releases together."""
        self._require_unique_names("releases")
        made = _in_setting(self.found, self._each("releases", release_from))
        if len(made) == 1:
            return made[0]
        above = [i for i, m in enumerate(made) if isinstance(m, ValueAbove)]
        if above:
            raise self.found.error("Expected a hypothesis about a value to stand alone.", ("releases", above[0]))
        other = [i for i, m in enumerate(made) if m.neighbours != made[0].neighbours]
        if other:
            message = (
                f"Expected all releases to have the same neighbours, got {made[other[0]].neighbours!r} here and "
                f"{made[0].neighbours!r} in the first. State each for the same, with the sensitivity that goes with it."
            )
            raise self.found.error(message, ("releases", other[0]))
        return compose(*made)

    @cached_property
    def _arguments(self) -> dict[str, Any]:
        """The arguments of ``assess`` other than the mechanism."""
        content = self.content
        out: dict[str, Any] = {key: content[key] for key in _PLAIN if content.get(key) is not None}
        self._require_unique_names("adversaries")
        adversaries = self._each("adversaries", _adversary)
        if any(name for name, _ in adversaries):  # those without a name are called by their number
            out["adversary"] = {name or f"adversary {i + 1}": who for i, (name, who) in enumerate(adversaries)}
        else:
            out["adversary"] = [who for _, who in adversaries]
        out["questions"] = self._each("questions", lambda data: read_question(self._at_delta(data)))
        out["limits"] = self._each("limits", lambda data: _limit(self._at_delta(data)))
        out["data"] = self._data()
        if content.get("analyst"):
            out["analyst"] = self._each("analyst", self._analysis)
        if content.get("audits"):
            out["audit"] = self._audits()
        if content.get("declared"):
            out["declared"] = _declared(content["declared"])
        return out

    def _at_delta(self, data: dict[str, Any]) -> dict[str, Any]:
        """Give an epsilon without a delta the delta of the assessment."""
        if data.get("question") != "epsilon" or data.get("delta") is not None:
            return data
        return {**data, "delta": self.delta}

    @property
    def delta(self) -> float:
        """The delta of the quoted epsilon: given, or chosen from the number of records."""
        try:
            return chosen_delta(self.content.get("delta"), records_of(self.mechanism, self.content.get("n")))[0]
        except DplensError as error:
            raise self.found.at(error, ()) from None

    def _require_unique_names(self, key: str) -> None:
        """Refuse two entries of the same name: readers and tests refer to them by name."""
        seen: set[str] = set()
        for i, data in enumerate(self.content.get(key) or []):
            name = data.get("name", "")
            if name and name in seen:
                raise self.found.error(
                    f"Expected each of the {key} to have its own name, got {name!r} twice.", (key, i, "name")
                )
            seen.add(name)

    @property
    def questions(self) -> list[Question]:
        """The questions in addition to the standard ones."""
        return self._arguments["questions"]

    @property
    def related(self) -> RelatedData | None:
        """The data model, if the file has one."""
        return self._arguments["data"]

    def _each(self, key: str, made: Any) -> list[Any]:
        out = []
        for i, data in enumerate(self.content.get(key) or []):
            try:
                out.append(made(data))
            except ScenarioError:  # it already says where
                raise
            except DplensError as error:
                raise self.found.at(error, (key, i)) from None
        return out

    def _analysis(self, data: dict[str, Any]) -> Analysis:
        from dplens.assessment.analyst import Analysis, read_by_default
        from dplens.describe.analyses import read_test

        extras = ("name", "release", "min_power")
        test = read_test({k: v for k, v in data.items() if k not in extras})
        released = {r.get("name", ""): r for r in self.content["releases"]}
        if data.get("release") is not None:
            if data["release"] not in released:
                raise unknown("release", data["release"], [name for name in released if name])
            noise = read_by_default(release_from(released[data["release"]]))
        else:
            noise = read_by_default(self.mechanism)
        return Analysis(test=test, mechanism=noise, name=data.get("name", ""), min_power=data.get("min_power"))

    def _audits(self) -> dict[str, Any]:
        from dplens.scenario.audits import read_audit

        self._require_unique_names("audits")
        made = self._each("audits", lambda data: (data, read_audit(data, self.found.source)))
        return {data.get("name") or (f"audit {i + 1}" if len(made) > 1 else ""): a for i, (data, a) in enumerate(made)}

    @property
    def analyst(self) -> list[Analysis]:
        """The analyst's tests, if the file has any."""
        return self._arguments.get("analyst", [])

    def _data(self) -> RelatedData | None:
        data = self.content.get("data")
        if not data:
            return None
        from dplens.assessment.related import RelatedData
        from dplens.describe.models import model_keys, read_model

        _beside_model(self.found)
        try:
            own = {k: v for k, v in data.items() if k in ("model", *model_keys(data["model"]))}
            return RelatedData(
                model=read_model(own),
                weights=data.get("weights"),
                method=data.get("method"),
                attackers=tuple(_knowing(who) for who in data.get("attackers") or []),
            )
        except DplensError as error:
            raise self.found.at(error, ("data",)) from None

    def assess(self, **changed: Any) -> Assessment:
        """What the scenario means. Arguments of :func:`assess` may be given to override what the file says.

        Limits are added to those of the file. The assessment keeps the scenario that reproduces it.
        """
        changed = _validate.current(changed, accusing_at="fpr")
        added = given_limits(changed.pop("limits", ()))
        if changed.get("setting") is not None:
            _validate.one_of("setting", changed["setting"], SETTINGS)
        plain = {key: changed.pop(key) for key in _PLAIN if key in changed}
        if plain:
            return Scenario(Located({**self.content, **plain}, self.found.source, self.found.lines)).assess(
                limits=added, **changed
            )
        limits = [*self._arguments["limits"], *added]
        try:
            made = assess(self.mechanism, **{**self._arguments, "limits": limits, **changed})
        except DplensError as error:
            raise self.found.error(str(error), self._place(error)) from None
        # the file does not hold the changes; the scenario is then made from the result
        return made if changed or added else replace(made, scenario=json.dumps(written(self.content)))

    def _place(self, error: DplensError) -> Path:
        """The place in the file that an error of the assessment is about."""
        message = str(error)
        sampled = (("releases", i, "sample_rate") for i, r in enumerate(self.content["releases"]) if "sample_rate" in r)
        places = [*((key,) for key in ("data", *_PLAIN) if key in self.content), *sampled]
        places += [("data", key) for key in self.content.get("data") or ()]
        rest: Path = (error.argument,) if error.argument in self.content else ()
        if "Expected setting " in message:  # which the releases make necessary
            rest = ("releases",)
        return next((path for path in places if f"Expected {path[-1]} " in message), rest)

    def to_dict(self) -> dict[str, Any]:
        """What the file says, as plain values that JSON knows."""
        return written(self.content)

    def to_yaml(self) -> str:
        """The scenario as a YAML file."""
        from dplens.scenario.written import as_yaml

        return as_yaml(self.content)


def load_scenario(path: str | PathLike[str]) -> Scenario:
    """The scenario in a YAML, TOML or JSON file; an error names the place in one line.

    >>> import dplens as dl
    >>> import tempfile
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp()) / "survey.json"
    >>> _ = file.write_text('{"releases": [{"mechanism": "randomized_response", "epsilon": 1.1, "categories": 2}]}')
    >>> print(f"{dl.load_scenario(file).assess().mechanism.tradeoff().epsilon(0.0):.4f}")
    1.1000
    """
    from dplens.scenario.source import read_source

    if not isinstance(path, (str, PathLike)) or isinstance(fspath(path), bytes):
        raise _validate.reject_type("path", "to be the name of a file", path)
    return Scenario._checked(read_source(path))


def scenario_schema() -> dict[str, Any]:
    """The JSON Schema of scenario files, for editors and other programs.

    >>> import dplens as dl
    >>> sorted(dl.scenario_schema()["properties"])[:3]
    ['adversaries', 'analyst', 'audits']
    """
    from dplens.scenario.schema import json_schema

    return json_schema()


def _adversary(data: dict[str, Any]) -> tuple[str, Adversary]:
    given = [key for key in ("prior", "coefficients") if data.get(key) is not None]
    if len(given) != 1:
        raise _validate.reject("adversary", "to be given a prior or coefficients, one of them", sorted(data))
    made = (
        Adversary(prior=data["prior"])
        if given[0] == "prior"
        else Adversary.from_coefficients(**{k: float(v) for k, v in data["coefficients"].items()})
    )
    return data.get("name", ""), made


def _limit(data: dict[str, Any]) -> Requirement:
    given = {k: v for k, v in data.items() if v is not None}
    return sensible(read_requirement(given), "at_most" if "at_most" in given else "at_least")


def _declared(data: dict[str, Any]) -> Declaration:
    signing = [Signatory(**one) for one in data.get("signatories") or ()]
    return Declaration(**{**data, "signatories": tuple(signing)})


def _knowing(data: dict[str, Any]) -> Knowing:
    from dplens.assessment.related import Knowing

    known = data.get("known") or ()
    if isinstance(known, dict):
        known = {int(k): v for k, v in known.items()}
    return Knowing(target=data["target"], known=known, name=data.get("name", ""))


def _in_setting(found: Located, made: list[Any]) -> list[Any]:
    """The releases as the setting of the file reads them.

    In the local setting, the attacker tells two true answers of one person apart. Randomised responses then take the
    neighbours of the others, whatever they state. Noise does not: adding or removing a record changes half as much as
    replacing it, so no file may state add_remove and local together.
    """
    listed, setting = found.data["releases"], found.data.get("setting")
    own = [responding(m) == "all" for m in made]
    if not (setting == "local" or (setting is None and all(own))):
        return with_responses(listed, made)
    numbers = [m for m, is_response in zip(made, own) if not is_response and isinstance(m, Mechanism)]
    for i, (data, m) in enumerate(zip(listed, made)):
        stated = None if own[i] or getattr(m, "neighbours", "") != "add_remove" else _stated(data)
        if stated is not None:
            raise found.error(
                "Expected neighbours to be 'replace' in the local setting, got 'add_remove'. Nobody is added or "
                "removed there: the sensitivity has to be the largest distance between two true answers of one "
                "person, which is 2 for values from -1 to 1.",
                ("releases", i, *stated),
            )
    kind = (numbers or made)[0].neighbours if numbers or all(own) else ""
    return [
        release_from({**data, "neighbours": kind}) if is_response and kind and m.neighbours != kind else m
        for data, m, is_response in zip(listed, made, own)
    ]


def _stated(data: Any) -> Path | None:
    """The place where a release, or a part of it, states add_remove."""
    if isinstance(data, dict) and data.get("neighbours") == "add_remove":
        return ("neighbours",)
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found = ((name, _stated(part)) for name, part in inner)
    return next(((name, *path) for name, path in found if path is not None), None)


def _beside_model(found: Located) -> None:
    """Refuse releases that do not go with a model of related records, at the key that causes it."""
    from dplens.assessment.related import related_noises

    for i, data in enumerate(found.data["releases"]):
        try:
            related_noises(release_from(data))
        except DplensError as error:
            keys = [key for key in (*EXTRAS, "mechanism") if data.get(key) is not None]
            if keys[0] == "repeat" and "Expected" in str(error):
                keys = keys[1:]  # what is repeated is at fault
            raise found.error(str(error), ("releases", i, keys[0])) from None
