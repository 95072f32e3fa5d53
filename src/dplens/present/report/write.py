"""Writes reports as HTML, Markdown or JSON, completely or not at all."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dplens import _validate
from dplens.assessment.result import checked_assessment
from dplens.errors import required
from dplens.present.charts.export import converter, write_whole
from dplens.present.charts.picture import CHARTS
from dplens.present.report.content import Content, content_of
from dplens.present.report.figures import ALL, STANDARD

if TYPE_CHECKING:
    from dplens.assessment.result import Assessment

BLOCKS = ["computed", "declared", "combined", "not_covered", "glossary", "numbers", "reproduce"]
_FIXED = {  # what reports say in every language
    "blocks": BLOCKS,
    "command": "dplens report scenario.yaml --output report.html",
    "python": 'import dplens as dl\ndl.load_scenario("scenario.yaml").assess().report("report.html")',
}
SUFFIXES = (".html", ".md", ".json")


def write_report(
    assessment: Assessment,
    path: str | os.PathLike[str],
    *,
    charts: str | Sequence[str] = "standard",
    language: str | None = None,
) -> Path:
    """Writes the report of an assessment; the suffix decides: ``.html``, ``.md`` or ``.json``. Whole, or not at all.

    charts: ``"standard"``, ``"all"``, or the names of the pictures that are wanted, none for an empty
    list. language: of the texts; by default that of the assessment.
    """
    _validate.instance("path", path, (str, os.PathLike), "to be the name of a file")
    suffix = Path(path).suffix.lower()
    _validate.one_of("the suffix of path", suffix, SUFFIXES)
    made = {".html": report_html, ".md": report_markdown, ".json": report_json}[suffix]
    return write_whole(path, made(assessment, charts=charts, language=language).encode())


def report_html(
    assessment: Assessment, *, charts: str | Sequence[str] = "standard", language: str | None = None
) -> str:
    """The report as one HTML page that holds everything it shows."""
    wanted = _wanted(charts)
    environment = _environment(escape=True)
    with ThreadPoolExecutor(1) as pool:
        ready = pool.submit(_warm) if wanted else None  # the converter starts up while the numbers are worked out
        content = content_of(assessment, wanted, _chosen(assessment, language))
        drawn = _drawings(content, ready, pool)
    return environment.get_template("report.html").render(
        content=content,
        drawn=drawn,
        **_FIXED,
        data=_embedded(assessment),
        style=environment.loader.get_source(environment, "style.css")[0],
    )


def report_markdown(
    assessment: Assessment, *, charts: str | Sequence[str] = "standard", language: str | None = None
) -> str:
    """The report as Markdown for a model card: words and tables under one second-level heading."""
    content = content_of(assessment, _wanted(charts), _chosen(assessment, language))
    text = _environment(escape=False).get_template("report.md").render(content=content, **_FIXED)
    return _tidy(text)


def report_json(
    assessment: Assessment, *, charts: str | Sequence[str] = "standard", language: str | None = None
) -> str:
    """The assessment as JSON, with its words and the frames of its pictures; ``Assessment.from_json`` reads it."""
    content = content_of(assessment, _wanted(charts), _chosen(assessment, language))
    whole = assessment.to_dict()
    whole["words"] = {s.key: list(s.sentences) for s in content.words.sections}
    pictures = [figure.picture for figure in content.figures()]
    whole["frames"] = [p.frame.to_dict() | {"chart": p.kind, "title": p.title, "alt": p.alt} for p in pictures]
    return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _chosen(assessment: Any, language: str | None) -> str:
    return checked_assessment(assessment).language if language is None else language


def _wanted(charts: Any) -> tuple[str, ...]:
    if isinstance(charts, str):
        return {"standard": STANDARD, "all": ALL}[_validate.one_of("charts", charts, ("standard", "all"))]
    _validate.instance("charts", charts, Sequence, "to be 'standard', 'all' or a list of names")
    return tuple(_validate.one_of("charts", kind, CHARTS) for kind in charts)


def _warm() -> None:
    """Starts the converter, which takes most of a second once."""
    converter().vegalite_to_svg({"mark": "point", "data": {"values": []}}, allowed_base_urls=[])


def _drawings(content: Content, ready: Future[None] | None, pool: ThreadPoolExecutor) -> dict[str, str]:
    """Every picture as SVG; one is converted while the next is put together."""
    if ready is None:
        return {}
    ready.result()  # raises before any drawing if the converter is missing
    waiting = {f.key: pool.submit(f.picture.converter(prefix=f"{f.key}-")) for f in content.figures()}
    return {key: drawing.result() for key, drawing in waiting.items()}


def template_environment(what: str, *folders: Path, escape: bool) -> Any:
    """Jinja's environment for the templates of reports and of further folders; ``what`` needs it."""
    jinja2 = required("jinja2", f"{what} jinja2", "report")
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, Path(__file__).parent.parent / "templates"]),
        autoescape=escape,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


def _environment(*, escape: bool) -> Any:
    environment = template_environment("Reports need", escape=escape)
    environment.filters.update(nb=_unbroken, md=_markdown, cell=_markdown, fenced=_fenced)
    return environment


def _embedded(assessment: Assessment) -> str:
    """The assessment as JSON for embedding in HTML: no character can end the element."""
    text = json.dumps(assessment.to_dict(), ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


_TINY = re.compile(r"\d[\d.]*e-\d+")
_SPECIAL = str.maketrans({c: f"\\{c}" for c in "\\`*_{}[]<>#|~"} | {"\r": " "})


def _unbroken(text: Any) -> Any:
    """Text in which no line ends between a number and its percent sign, or inside 1e-14."""
    from markupsafe import Markup, escape

    whole = _TINY.sub(r'<span class="u">\g<0></span>', str(escape(text)))
    return Markup(re.sub(r"(?<=\d)-(?=[a-zF])", "\u2011", whole.replace(" %", "\u00a0%")))


def _markdown(text: Any) -> str:
    """Text with all Markdown characters escaped, on one line."""
    return " ".join(str(text).translate(_SPECIAL).split())


def _fenced(text: Any, language: str = "yaml") -> str:
    """A block of code whose fence is longer than any in it."""
    body = str(text).rstrip("\n")
    fence = "```"
    while fence in body:
        fence += "`"
    return f"{fence}{language}\n{body}\n{fence}"


def _tidy(text: str) -> str:
    """One empty line at most between blocks, one line end at the end."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines).rstrip("\n") + "\n"
