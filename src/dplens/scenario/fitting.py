"""What the schema cannot see: whether releases fit their setting and the model of related records."""

from __future__ import annotations

from typing import Any

from dplens.assessment.structure import responding
from dplens.describe.releases import EXTRAS, release_from, with_responses
from dplens.errors import DplensError
from dplens.mechanisms.base import Mechanism
from dplens.scenario.places import Located, Path


def in_setting(found: Located, made: list[Any]) -> list[Any]:
    """The releases as the file's setting reads them; in the local one two true answers of one person are told apart.

    Randomised responses then take the neighbours of the others, whatever they say. Noise does not: what adds or removes
    a record is half of what replaces it, so no file may say add_remove and local at once.
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
    """Where a release says add_remove, itself or in what it is made of."""
    if isinstance(data, dict) and data.get("neighbours") == "add_remove":
        return ("neighbours",)
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found = ((name, _stated(part)) for name, part in inner)
    return next(((name, *path) for name, path in found if path is not None), None)


def beside_model(found: Located) -> None:
    """Refuses releases that a model of related records cannot be laid beside, at the key that makes them so."""
    from dplens.assessment.related import related_noises

    for i, data in enumerate(found.data["releases"]):
        try:
            related_noises(release_from(data))
        except DplensError as error:
            keys = [key for key in (*EXTRAS, "mechanism") if data.get(key) is not None]
            if keys[0] == "repeat" and "Expected" in str(error):
                keys = keys[1:]  # what is repeated is at fault
            raise found.error(str(error), ("releases", i, keys[0])) from None
