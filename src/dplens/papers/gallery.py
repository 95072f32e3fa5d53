"""The gallery: an index, a page for each paper, a page of errata and all numbers as JSON, in one directory."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dplens import _validate
from dplens.errors import CannotWrite
from dplens.papers.catalogue import ENTRIES, PAPERS, Entry, Paper
from dplens.papers.draw import picture
from dplens.papers.errata import errata_of
from dplens.papers.records import Erratum, Figure, Outcome
from dplens.papers.texts import digits, texts
from dplens.present.charts.export import converter, write_whole
from dplens.present.report.html import stylesheet, template_environment

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

    def only(self, entries: Sequence[Entry]) -> Made:
        """Some of the figures, with the errata of their papers."""
        keys, papers = {entry.key for entry in entries}, {entry.paper for entry in entries}
        return Made(
            tuple(figure for figure in self.figures if figure.key in keys),
            tuple(erratum for erratum in self.errata if erratum.paper in papers),
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
    entries: Sequence[Entry], tick: Callable[[], None] = lambda: None, told: Callable[[str], None] = lambda key: None
) -> Made:
    """The figures and the errata of their papers; ``tick`` after each step, ``told`` before each figure."""
    figures = []
    for entry in entries:
        told(entry.key)
        figures.append(entry.made(tick))
    wanted = dict.fromkeys(entry.paper for entry in entries)
    told("errata")
    return Made(tuple(figures), tuple(erratum for paper in wanted for erratum in errata_of(paper)))


def held(directory: Path) -> tuple[Entry, ...]:
    """The figures in the gallery that a directory holds; a page of someone else's is never written over."""
    file = directory / FILE
    if not file.exists():
        if (directory / "index.html").exists():
            raise CannotWrite(
                f"Cannot write {directory}: it holds an index.html that dplens did not write. Name another directory."
            )
        return ()
    try:
        keys = {figure["key"] for figure in json.loads(file.read_text(encoding="utf-8"))["figures"]}
    except OSError as error:
        raise CannotWrite(f"Cannot read {file}: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise CannotWrite(
            f"Cannot add to {directory}: its {FILE} is not of a gallery of dplens. Name another directory."
        ) from None
    return tuple(entry for entry in ENTRIES if entry.key in keys)


def check_directory(output: str | os.PathLike[str]) -> Path:
    """The directory, if a gallery can be put there; asked before a minute of work."""
    if not str(output).strip():
        remedy = "A dot means the one you are in."
        raise _validate.reject("output", "to be the name of a directory", str(output), remedy)
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
    held(target)
    _environment()
    converter()
    return target


def write_gallery(
    found: Made, output: str | os.PathLike[str], *, command: str = "", tick: Callable[[], None] = lambda: None
) -> Path:
    """Writes the gallery and returns the path of its index. Every page is made before the first is written."""
    target = check_directory(output)
    pages = _pages(found, command, tick)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _validate.unwritable(target, error) from None
    for name, content in pages.items():  # the index comes last, so that its links work
        write_whole(target / name, content.encode())
    return target / "index.html"


def _pages(found: Made, command: str, tick: Callable[[], None]) -> dict[str, str]:
    environment = _environment()
    links = [{"file": "index.html", "title": "All papers"}]
    links += [{"file": f"{paper.key}.html", "title": paper.short} for paper in found.papers]
    links.append({"file": "errata.html", "title": "Where the papers err"})
    common: dict[str, Any] = {
        "version": version("dplens"),
        "style": stylesheet("style.css"),
        "more": environment.loader.get_source(environment, "papers.css")[0],
        "pages": links,
        "papers": found.papers,
        "marks": texts()["marks"],
        "command": "" if len(found.papers) > 1 else command,
    }

    def page(template: str, file: str, title: str, **more: Any) -> str:
        return environment.get_template(template).render(**{**common, "file": file, "title": title, **more})

    out = {}
    for paper in found.papers:
        figures = list(found.of(paper))
        drawn: dict[str, list[str]] = {}
        for figure in figures:
            panels = enumerate(figure.panels)
            drawn[figure.key] = [picture(panel, figure.columns, f"{figure.key}-{k}-") for k, panel in panels]
            tick()
        name = f"{paper.key}.html"
        out[name] = page(
            "papers_paper.html", name, paper.short, paper=paper, figures=figures, drawn=drawn,
            count=sum(erratum.paper == paper.key and erratum.errs for erratum in found.errata),
            command=f" {paper.key if len(figures) > 1 else figures[-1].key}",
        )  # fmt: skip
    out["errata.html"] = page(
        "papers_errata.html", "errata.html", "Where the papers err", errata=found.errata, kinds=texts()["kinds"]
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
    environment.filters.update(
        six=partial(digits, places=6), signed=_signed, capital=lambda text: text[:1].upper() + text[1:], maths=_maths
    )
    return environment


_RAISED = re.compile(r"\^(?:\(([^()]*)\)|([−\w]+))")
_LOWERED = re.compile(r"(?<=[^\W_])_(?:\{([^{}]*)\}|(\w+))")


def _maths(text: str) -> Any:
    """A sentence with its powers raised and its indices lowered: e^−ε, ε_DP. What was text stays text."""
    from markupsafe import Markup, escape

    safe = str(escape(text))
    safe = _RAISED.sub(lambda m: f"<sup>{m[1] or m[2]}</sup>", safe)
    return Markup(_LOWERED.sub(lambda m: f"<sub>{m[1] or m[2]}</sub>", safe))


def _signed(value: float) -> str:
    """A difference; what is left by rounding in the last digits counts as none."""
    return "0" if abs(value) < 1e-9 else f"{value:+.2g}".replace("-", "−")
