"""reproduce: the figures, tables and theorems of the five papers, and where they err."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dplens.cli import options as o
from dplens.cli.show import (
    bar,
    decimal,
    said,
    show_json,
    show_lines,
    show_table,
)
from dplens.errors import InvalidValue


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="[PAPER|FIGURE]", help="liu, li-5, …; by default everything. See --list.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="DIR", help="Write the gallery into this directory; open index.html."),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="Only show what there is to reproduce.")] = False,
    json: o.Json = False,
) -> None:
    """Do the papers behind dplens again: each figure with its verdict, printed numbers beside ours.

    \b
    Examples:
    dplens reproduce --list
    dplens reproduce --output papers                 (everything, in about a minute)
    dplens reproduce kaissis --output kaissis
    dplens reproduce liu-table-1
    """
    from dplens.papers.catalogue import asked

    entries = asked(name)
    if list_:
        rows = [(entry.key, entry.what) for entry in entries]
        show_json([{"name": key, "what": what} for key, what in rows]) if json else show_table(
            _heads("name", "what"), rows
        )
        return
    from dplens.papers import gallery

    if output is not None and str(output).startswith("--"):
        raise InvalidValue(
            f"Expected --output to be given a directory, got {str(output)!r}, which looks like an option."
        )
    there = gallery.held(gallery.check_directory(output)) if output is not None else ()
    every = [entry for entry in asked(None) if entry in (*entries, *there)]  # a part is added to a gallery made anew
    steps = sum(entry.steps for entry in every) + (len(every) if output is not None else 0)
    index = Path()
    with bar(steps, "papers") as (tick, told):
        whole = gallery.made(every, tick, told)
        command = f" {name}" if name and len(entries) < len(asked(None)) else ""
        if output is not None:
            told("drawing")
            index = gallery.write_gallery(whole, output, command=command, tick=tick)
    found = whole.only(entries)
    if json:
        show_json(found.to_dict())
        return
    show_table(_heads("name", "place", "verdict"), [(one.key, one.name, _verdict(one)) for one in found.figures])
    one = len(entries) == 1
    for figure in () if one else found.figures:  # a verdict is the worst of its claims, so show which
        worst = [claim for claim in figure.claims if not claim.holds or claim.condition]
        show_lines([f"{figure.key}: {_verdict(claim)}: {claim.says}" for claim in worst])
    for figure in found.figures if one else ():
        for n in figure.printed:
            told = {"printed": decimal(n.printed), "ours": decimal(f"{n.ours:.6g}"), "reading": str(n.reading)}
            show_lines([said("reproduced-number", what=n.what, **told)])
        show_lines([f"{_capital(_verdict(claim))}: {claim.says} {claim.found}" for claim in figure.claims])
    if output is not None:
        places = sum(place.errs for place in whole.errata)
        show_lines([said("reproduced-errors", count=places, file=str(index.parent / "errata.html")), str(index)])


def _heads(*names: str) -> list[str]:
    return [said(f"reproduced-head-{name}") for name in names]


def _verdict(one: Any) -> str:
    """The verdict on a figure or a claim."""
    return said("reproduced-verdict", verdict=one.verdict.name)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
