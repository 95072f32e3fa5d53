"""The gallery: an index, a page for each paper, a page of errata and all numbers as JSON, in one directory."""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dplens import _validate
from dplens.errors import CannotWrite
from dplens.papers.catalogue import ENTRIES, Paper
from dplens.papers.draw import picture
from dplens.papers.outcome import FILE, Made, held, made
from dplens.papers.records import Outcome
from dplens.present.charts.export import converter, write_whole
from dplens.present.report.write import template_environment

__all__ = ["Made", "check_directory", "made", "write_gallery"]
MARKS = {"MATCHES": "✓", "CORRECTED": "✎", "CONDITION": "±", "FAILS": "✗"}
KINDS = {
    "theorem": "does not hold",
    "statement": "does not hold as said",
    "condition": "holds with a condition",
    "misprint": "misprint",
}


def check_directory(output: str | os.PathLike[str], *, whole: bool = False) -> Path:
    """The directory, if the gallery (``whole``) or a part of it can be put there; asked before a minute of work."""
    if not str(output).strip():
        raise _validate.reject(
            "output", "to be the name of a directory", str(output), "A dot means the one you are in."
        )
    target = Path(output)
    try:
        if target.exists() and not target.is_dir():
            raise _validate.reject("output", "to be the name of a directory", str(target), "A file has that name.")
        there = target
        while not there.exists():
            there = there.parent
    except OSError as error:
        raise _validate.unwritable(target, error) from None
    if not there.is_dir():
        raise CannotWrite(f"Cannot write {target}: {there} is a file.")
    try:  # try it, since permissions alone do not show whether writing works
        os.rmdir(tempfile.mkdtemp(prefix=".dplens-", dir=there))
    except OSError as error:
        raise _validate.unwritable(target, error) from None
    held(target, whole=whole)
    _environment()
    converter()
    return target


def write_gallery(
    found: Made, output: str | os.PathLike[str], *, command: str = "", tick: Callable[[], None] | None = None
) -> Path:
    """Writes the gallery and returns the path of its index. Every page is made before the first is written.

    A part of the papers is added to a gallery that stands there: its other figures stay, and index and errata name all.
    """
    whole = len(found.figures) >= len(ENTRIES)
    target = check_directory(output, whole=whole)
    before = held(target, whole=whole)
    every = found if before is None else found.joined(before)
    # pages link to each other, so a new paper changes all of them
    stay = before.papers if before is not None and before.papers == every.papers else ()
    kept = {paper.key for paper in stay if paper not in found.papers and (target / f"{paper.key}.html").is_file()}
    pages = _pages(every, [paper for paper in every.papers if paper.key not in kept], command, tick)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _validate.unwritable(target, error) from None
    for name, content in pages.items():  # the index comes last, so that its links work
        write_whole(target / name, content.encode())
    return target / "index.html"


def _pages(found: Made, drawn_again: list[Paper], command: str, tick: Callable[[], None] | None) -> dict[str, str]:
    environment = _environment()
    links = [{"file": "index.html", "title": "All papers"}]
    links += [{"file": f"{paper.key}.html", "title": paper.short} for paper in found.papers]
    links.append({"file": "errata.html", "title": "Where the papers err"})
    common: dict[str, Any] = {
        "version": version("dplens"),
        "style": environment.loader.get_source(environment, "style.css")[0],
        "more": environment.loader.get_source(environment, "papers.css")[0],
        "pages": links,
        "papers": found.papers,
        "marks": MARKS,
        "command": "" if len(found.papers) > 1 else command,
    }

    def page(template: str, file: str, title: str, **more: Any) -> str:
        return environment.get_template(template).render(**{**common, "file": file, "title": title, **more})

    out = {}
    for paper in drawn_again:
        figures = list(found.of(paper))
        drawn = {}
        for figure in figures:
            drawn[figure.key] = [
                picture(panel, figure.columns, f"{figure.key}-{k}-") for k, panel in enumerate(figure.panels)
            ]
            if tick is not None:
                tick()
        name = f"{paper.key}.html"
        out[name] = page(
            "papers_paper.html", name, paper.short, paper=paper, figures=figures, drawn=drawn,
            count=sum(erratum.paper == paper.key and erratum.errs for erratum in found.errata),
            command=f" {paper.key if len(figures) > 1 else figures[-1].key}",
        )  # fmt: skip
    out["errata.html"] = page(
        "papers_errata.html", "errata.html", "Where the papers err", errata=found.errata, kinds=KINDS
    )
    out[FILE] = json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False, default=str) + "\n"
    tally = Counter(figure.verdict.name for figure in found.figures)
    out["index.html"] = page(
        "papers_index.html", "index.html", "The papers, reproduced", figures=found.figures, errata=found.errata,
        tally=tally, verdicts=list(Outcome), printed=sum(len(figure.printed) for figure in found.figures),
    )  # fmt: skip
    return out


def _environment() -> Any:
    environment = template_environment("The gallery needs", Path(__file__).parent / "templates", escape=True)
    environment.filters.update(six=_six, signed=_signed, capital=lambda text: text[:1].upper() + text[1:], maths=_maths)
    return environment


_RAISED = re.compile(r"\^(?:\(([^()]*)\)|([−\w]+))")
_LOWERED = re.compile(r"(?<=[^\W_])_(?:\{([^{}]*)\}|(\w+))")


def _maths(text: str) -> Any:
    """A sentence with its powers raised and its indices lowered: e^−ε, ε_DP. What was text stays text."""
    from markupsafe import Markup, escape

    safe = str(escape(text))
    safe = _RAISED.sub(lambda m: f"<sup>{m[1] or m[2]}</sup>", safe)
    return Markup(_LOWERED.sub(lambda m: f"<sub>{m[1] or m[2]}</sub>", safe))


def _six(value: float) -> str:
    """Six significant digits; no more, the rest is in the JSON file."""
    return "∞" if math.isinf(value) else f"{value:.6g}".replace("-", "−")


def _signed(value: float) -> str:
    """A difference; what is left by rounding in the last digits counts as none."""
    return "0" if abs(value) < 1e-9 else f"{value:+.2g}".replace("-", "−")
