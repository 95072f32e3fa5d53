"""Mechanisms as plain values, without loss: nested mappings whose key ``mechanism`` names the kind."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from dplens import _validate, mechanisms
from dplens.correlated.value_above import ValueAbove
from dplens.curves.base import TradeOff
from dplens.describe.names import check_keys, known, needed, tagged, unknown, unknown_key
from dplens.describe.values import read, written
from dplens.errors import Undefined
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.combined import Failing, Grouped
from dplens.mechanisms.composed import DPSGD, Composed, Subsampled
from dplens.mechanisms.noise import AdditiveNoise, ContinuousPair
from dplens.numerics.laws.facts import family
from dplens.registry import MECHANISMS, import_all

import_all(mechanisms)

# Mechanisms made of others: the name in files, the class, and the keys beside ``of``.
_MADE: dict[str, tuple[Any, tuple[str, ...]]] = {
    "subsampled": (Subsampled, ("rate", "scheme")),
    "grouped": (Grouped, ("size",)),
    "failing": (Failing, ("probability",)),
}
# What a release in a file may add to its mechanism.
EXTRAS = ("sample_rate", "sampling", "repeat", "fails_with", "group")
NAMED = (*_MADE, "composed", "value_above")  # releases that are no registered mechanism
LAWS = ("noise", "p", "q")  # arguments that hold a distribution


@dataclass(frozen=True, kw_only=True)
class Opaque:
    """The description of a release that files cannot hold."""

    shown: str
    neighbours: str = "add_remove"

    def tradeoff(self) -> TradeOff:
        """There is none."""
        raise Undefined(
            f"The release {self.shown} cannot be rebuilt from a file, so its curve cannot be asked. "
            "Assess it again from its own object."
        )


def write_release(release: Any) -> dict[str, Any]:
    """A mechanism (or hypothesis about a value) as nested plain values; other kinds by their ``repr``."""
    if isinstance(release, Opaque):
        return {"mechanism": "opaque", "shown": release.shown, "neighbours": release.neighbours}
    if type(release) is Composed:
        parts = [{"times": count, "of": write_release(m)} for m, count in release.parts]
        forced = {} if release.route is None else {"route": release.route}
        return {"mechanism": "composed", "parts": parts, "neighbours": release.neighbours, **forced}
    for name, (kind, keys) in _MADE.items():
        if type(release) is kind:
            own = {key: written(getattr(release, key)) for key in keys}
            of = write_release(release.mechanism)  # pyright: ignore[reportAttributeAccessIssue]
            return {"mechanism": name, "of": of, **own, "neighbours": release.neighbours}
    if type(release) is ValueAbove:
        own = {key: written(getattr(release, key)) for key in ("values", "gamma", "weights")}
        return {"mechanism": "value_above", "of": write_release(release.mechanism), **own}
    name = MECHANISMS.name_of(type(release))
    if name is None:
        return _opaque(release)
    out: dict[str, Any] = {"mechanism": name}
    for f in fields(release):
        value = getattr(release, f.name)
        if f.name in LAWS and isinstance(release, (AdditiveNoise, ContinuousPair)):
            law = family(value)
            if law is None:
                return _opaque(release)
            value = {"law": law[0], "shapes": list(law[1]), "loc": law[2], "scale": law[3]}
        if value is not None:
            out[f.name] = written(value)
    if isinstance(release, DPSGD) and release.n is not None:
        # epochs were converted to a rate and a number of steps; writing both would contradict
        out = {k: v for k, v in out.items() if k not in ("epochs", "batch_size", "n")}
    return out


def short_form(release: dict[str, Any]) -> dict[str, Any]:
    """A written release with the rate of its sample beside its own keys, as in files, if that means the same."""
    if release["mechanism"] == "subsampled" and not {"sample_rate", "of"} & release["of"].keys():
        return {**release["of"], "sample_rate": release["rate"], "sampling": release["scheme"]}
    return dict(release)


def _opaque(release: Any) -> dict[str, Any]:
    return {"mechanism": "opaque", "shown": repr(release), "neighbours": getattr(release, "neighbours", "add_remove")}


def read_release(data: Any) -> Any:
    """The mechanism that plain values describe; an unknown name or key raises an error that suggests the closest."""
    name, given = tagged("release", data, "mechanism")
    if name == "opaque":
        return Opaque(**given)
    if name == "composed":
        return _composed(given)
    if name == "value_above":
        check_keys(name, given, ("of", "values", "gamma", "weights"), ("of", "values", "gamma"))
        own = {k: read(v) for k, v in given.items() if k != "of" and v is not None}
        return ValueAbove(mechanism=read_release(given["of"]), **own)
    if isinstance(name, str) and name in _MADE:
        kind, keys = _MADE[name]
        check_keys(name, given, ("of", *keys, "neighbours"), ("of", *keys[:1]))
        of = read_release(given["of"])
        own = {"neighbours": of.neighbours} | {k: read(v) for k, v in given.items() if k != "of"}
        return kind(mechanism=of, **own)
    return _single(name, given)


def release_from(data: dict[str, Any]) -> Any:
    """A release as files write it: a mechanism, ``sample_rate``, ``sampling``, ``repeat``, ``fails_with``, ``group``.

    They apply in this order: it is sampled, then repeated, then may fail, and is then seen by a group.
    """
    kind = MECHANISMS.get(data.get("mechanism", ""))
    own = {f.name for f in fields(kind)} if kind else set()
    extras = {k: data[k] for k in EXTRAS if data.get(k) is not None and k not in own}
    empty = [k for k in EXTRAS if k in data and data[k] is None]
    made = read_release({k: v for k, v in data.items() if k not in extras and k not in ("name", *empty)})
    if isinstance(made, ValueAbove):
        if extras:
            raise unknown_key(next(iter(extras)), ("of", "values", "gamma", "weights"), "value_above")
        return made
    if "sampling" in extras and "sample_rate" not in extras:
        raise _validate.reject("sampling", "only with a sample_rate", extras["sampling"])
    if "sample_rate" in extras:
        scheme = extras.get("sampling") or ("poisson" if made.neighbours == "add_remove" else "without_replacement")
        rate = read(extras["sample_rate"])
        made = made.subsample(_validate.real("sample_rate", rate, "in (0, 1]", lambda x: 0 < x <= 1), scheme)
    if "repeat" in extras:
        made = made.repeat(_validate.count("repeat", extras["repeat"], minimum=0))
    if "fails_with" in extras:
        made = made.fails_with(_validate.probability("fails_with", read(extras["fails_with"])))
    return made.group(_validate.count("group", extras["group"])) if "group" in extras else made


def with_responses(listed: list[dict[str, Any]], made: list[Any]) -> list[Any]:
    """The releases, where responses without stated neighbours take those of the others.

    A randomised response is the same pair of laws under either kind.
    """
    silent = [data["mechanism"] == "randomized_response" and data.get("neighbours") is None for data in listed]
    rest = {getattr(m, "neighbours", "") for m, is_silent in zip(made, silent) if not is_silent}
    if len(rest) != 1 or not any(silent):
        return made
    kind = rest.pop()
    return [
        release_from({**data, "neighbours": kind}) if is_silent and m.neighbours != kind else m
        for data, m, is_silent in zip(listed, made, silent)
    ]


def _composed(given: dict[str, Any]) -> Mechanism:
    check_keys("composed", given, ("parts", "neighbours", "route"), ("parts",))
    parts = []
    for part in given["parts"]:
        check_keys("a part of composed", part, ("times", "of"), ("of",))
        parts.append((read_release(part["of"]), _validate.count("times", part.get("times", 1), 0)))
    kinds = {m.neighbours for m, _ in parts} or {"add_remove"}
    neighbours = given.get("neighbours") or kinds.pop()
    if any(m.neighbours != neighbours for m, _ in parts):
        raise _validate.reject("parts", f"to have the neighbours {neighbours!r} throughout", sorted(kinds))
    return Composed(parts=tuple(parts), neighbours=neighbours, route=given.get("route"))


def _single(name: str, given: dict[str, Any]) -> Mechanism:
    kind = known("mechanism", name, MECHANISMS, NAMED)
    own = {f.name: f for f in fields(kind)}
    if "epsilon" in given and "epsilon" not in own:
        # the parameter that most people have at hand
        scale = "Its scale is sensitivity/epsilon. " if name == "laplace" else ""
        remedy = f"{scale}It has {', '.join(sorted(own))}; where only a guarantee is known, that is approximate_dp."
        raise _validate.reject(f"a key of {name}", "to be a known name", "epsilon", remedy)
    check_keys(name, given, own, needed(own))
    arguments = {k: read(v) for k, v in given.items()}
    if kind in (AdditiveNoise, ContinuousPair):
        arguments = {k: _law(k, v) if k in LAWS else v for k, v in arguments.items()}
    return kind(**arguments)


def _law(name: str, data: Any) -> Any:
    """A frozen distribution from its name and parameters."""
    from scipy import stats

    _validate.instance(name, data, dict, "to be a mapping with law, shapes, loc and scale")
    check_keys(name, data, ("law", "shapes", "loc", "scale"), ("law",))
    kinds = [n for n in dir(stats) if isinstance(getattr(stats, n), stats.rv_continuous)]
    if data["law"] not in kinds:
        raise unknown(f"{name}.law", data["law"], kinds)
    law, shapes = getattr(stats, data["law"]), _validate.as_array(f"{name}.shapes", data.get("shapes", ()))
    if shapes.ndim != 1:
        raise _validate.reject(f"{name}.shapes", "to be a list of numbers", data["shapes"])
    wanted = law.shapes or ""
    if len(shapes) != len(wanted.split()):
        takes = f"to hold the shape parameters of {data['law']}: {wanted}"
        rule = takes if wanted else f"to be left out for {data['law']}"
        raise _validate.reject(f"{name}.shapes", rule, shapes.tolist())
    loc, scale = (
        _validate.real(f"{name}.{key}", data.get(key, default), "to be a finite number", math.isfinite)
        for key, default in (("loc", 0.0), ("scale", 1.0))
    )
    return law(*shapes, loc=loc, scale=scale)
