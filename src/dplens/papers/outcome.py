"""Results of a reproduction: computed, written as plain values, read back, and merged with an existing gallery."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dplens.errors import CannotWrite
from dplens.papers.catalogue import ENTRIES, PAPERS, Entry, Paper
from dplens.papers.errata import errata_of
from dplens.papers.records import Erratum, Figure

FILE = "figures.json"


@dataclass(frozen=True)
class Made:
    """What was reproduced: figures in order, and the errata of their papers."""

    figures: tuple[Figure, ...]
    errata: tuple[Erratum, ...]

    @property
    def papers(self) -> tuple[Paper, ...]:
        """The papers the figures belong to."""
        wanted = {figure.key.split("-")[0] for figure in self.figures}
        return tuple(paper for key, paper in PAPERS.items() if key in wanted)

    def of(self, paper: Paper) -> tuple[Figure, ...]:
        """The figures of a paper."""
        return tuple(figure for figure in self.figures if figure.key.split("-")[0] == paper.key)

    def joined(self, held: Made) -> Made:
        """These results, with those of ``held`` that were not computed again."""
        known = {figure.key: figure for figure in (*held.figures, *self.figures)}
        order = [entry.key for entry in ENTRIES]
        keys = sorted(known, key=lambda key: order.index(key) if key in order else len(order))
        again = {erratum.paper for erratum in self.errata}
        errata = (*self.errata, *(erratum for erratum in held.errata if erratum.paper not in again))
        return Made(
            tuple(known[key] for key in keys),
            tuple(sorted(errata, key=lambda erratum: list(PAPERS).index(erratum.paper))),
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: verdicts, numbers, claims, the data of all pictures."""
        return {
            "version": version("dplens"),
            "figures": [_plain(figure) for figure in self.figures],
            "errata": [asdict(erratum) for erratum in self.errata],
        }


def _plain(figure: Figure) -> dict[str, Any]:
    out = asdict(figure)
    out["verdict"] = figure.verdict.value
    for record, number in zip(out["printed"], figure.printed):
        record.update(difference=number.difference, reading=number.reading, verdict=number.verdict.value)
    for record, claim in zip(out["claims"], figure.claims):
        record["verdict"] = claim.verdict.value
    return out


def made(
    entries: Sequence[Entry], tick: Callable[[], None] | None = None, told: Callable[[str], None] | None = None
) -> Made:
    """The figures and the errata of their papers; ``tick`` after each step, ``told`` before each figure."""
    figures = []
    for entry in entries:
        if told is not None:
            told(entry.key)
        figures.append(entry.made(tick))
    wanted = dict.fromkeys(entry.paper for entry in entries)
    if told is not None:
        told("errata")
    return Made(tuple(figures), tuple(erratum for paper in wanted for erratum in errata_of(paper)))


def held(directory: Path, *, whole: bool = False) -> Made | None:
    """The gallery that a directory holds already, None if it holds none or all of it is made again (``whole``).

    A part is added to a gallery of the same version only, and a page of someone else's is never written over.
    """
    file = directory / FILE
    if not file.exists():
        if (directory / "index.html").exists():
            raise CannotWrite(
                f"Cannot write {directory}: it holds an index.html that is no gallery of dplens. Name another directory."
            )
        return None
    if whole:
        return None
    from pydantic import TypeAdapter

    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        made_by = data["version"]
        if made_by == version("dplens"):
            return TypeAdapter(Made).validate_python(data)  # verdicts and differences are worked out again
    except OSError as error:
        raise CannotWrite(f"Cannot read {file}: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        made_by = "an unknown version"
    raise CannotWrite(
        f"Cannot add to {directory}: its gallery was made by {made_by} of dplens. Name another directory, or reproduce "
        "everything."
    )
