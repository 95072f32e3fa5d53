"""Documents as tagged PDF (PDF/UA-1) on A4, laid out by Typst.

The template reads the document as data, so nothing that a user wrote is ever read as Typst's own language.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from itertools import chain
from typing import Any

from dplens import _validate
from dplens.errors import InvalidValue, required
from dplens.present.charts.picture import Picture
from dplens.present.charts.theme import FONTS, INK
from dplens.present.report.build import FIELDS
from dplens.present.report.document import Document, Table
from dplens.present.report.drawings import Draw
from dplens.present.report.html import TEMPLATES

_STANDARD = "ua-1"
_NO_TEXT = re.compile(r"[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)" viewBox="0 0 [\d.]+ [\d.]+"')
_SPARE = 22  # pixels on the right that pictures keep for readers with a wider font, of whom there are none here
_BOLD = re.compile(r'font-family="IBM Plex Sans[^"]*"( font-size="[^"]*")? font-weight="bold"')
_RING = re.compile(r"(?P<before><text [^>]*?)translate\((?P<x>[-\d.]+),(?P<y>[-\d.]+)\)(?P<after>[^>]*>)○\s*")
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")
_MISSING = re.compile(r"the text `\"(.*?)\"` could not be displayed")


def render(document: Document, draw: Draw) -> bytes:
    """The pages; draw: makes their pictures. Refuses text for which no font has the letters."""
    typst = required("typst", "Reports as PDF need typst", "report")
    files = source(document, draw(document))
    settings = {"font_paths": [str(FONTS)], "format": "pdf", "pdf_standards": [_STANDARD]}
    turning = _turning(files["document.json"].decode())
    settings |= {"sys_inputs": {"turning": "yes"}} if turning else {}
    missing = ""
    # fonts of the system only if they are needed: they take time, and pages should look alike everywhere
    for alone in (False,) if turning else (True, False):
        try:
            return typst.compile(files, ignore_system_fonts=alone, **settings)
        except typst.TypstError as error:
            found = _ESCAPED.sub(lambda c: chr(int(c[1], 16)), "".join(_MISSING.findall(error.diagnostic)))
            missing = "".join(dict.fromkeys(found))
            if not missing:
                raise
    raise _refused(document, missing)


def _turning(text: str) -> bool:
    """Whether any letter is written from right to left; the fonts that come with Typst have such, but ugly ones."""
    return any(unicodedata.bidirectional(c) in ("R", "AL") for c in set(text))


def source(document: Document, drawn: Mapping[str, str]) -> dict[str, bytes]:
    """What Typst reads: the template, the document as JSON, and the pictures; drawn: as SVG by their keys."""
    pictures = {key: _picture(svg) for key, svg in drawn.items()}
    data = _plain(
        {
            "front": document.front,
            "labels": document.labels,
            "summary": document.summary,
            "sections": document.sections,
            "annexes": document.annexes,
            "tags": list(document.metadata.get("tags", ())),
            "date": _day(document.front.date),
            "sizes": {key: _size(svg) for key, svg in pictures.items()},
        }
    )
    return {
        "main.typ": (TEMPLATES / "report.typ").read_bytes(),
        "document.json": json.dumps(data, ensure_ascii=False).encode(),
        "result.json": json.dumps(document.data, allow_nan=False).encode(),
        **{f"{key}.svg": svg.encode() for key, svg in pictures.items()},
    }


def _plain(value: Any) -> Any:
    """A part of a document as JSON has it; blocks say what they are."""
    if isinstance(value, str):
        return _NO_TEXT.sub("\ufffd", value)
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, Picture):
        return {"alt": _plain(value.alt)}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if is_dataclass(value):
        made = {field.name: _plain(getattr(value, field.name)) for field in fields(value) if field.name != "exact"}
        if isinstance(value, Table):
            made["numeric"] = list(value.numeric)
        return {"is": type(value).__name__, **made}
    return value


def _picture(svg: str) -> str:
    """A picture as Typst takes it: rings are drawn, since one sign from another font changes all of its label."""
    width, height = _size(svg)
    narrow = width - _SPARE
    svg = _SIZE.sub(f'width="{narrow:g}" height="{height:g}" viewBox="0 0 {narrow:g} {height:g}"', svg, count=1)
    heavy = _BOLD.sub(r'font-family="IBM Plex Sans SmBld"\1', svg)  # what Typst calls this cut of the typeface
    # in later lines of a label nothing can be drawn: a dot, which the typeface has
    return _RING.sub(_ringed, _NO_TEXT.sub("\ufffd", heavy)).replace("○", "•")


def _ringed(label: re.Match[str]) -> str:
    """A label behind its ring; where it ends at a given place, before it."""
    before, x, y, after = label["before"], float(label["x"]), float(label["y"]), label["after"]
    step = -1 if 'text-anchor="end"' in before + after else 1
    ring = f'<circle cx="{x + 4 * step}" cy="{y - 4}" r="3.2" fill="none" stroke="{INK}"/>'
    return f"{ring}{before}translate({x + 11 * step},{y}){after}"


def _size(svg: str) -> tuple[float, float]:
    """Width and height of a picture, in its pixels."""
    found = _SIZE.search(svg)
    if found is None:
        raise ValueError("an SVG without width and height")
    return float(found[1]), float(found[2])


def _day(text: str) -> list[int] | None:
    """A declared date as numbers, if it is written as one."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return [day.year, day.month, day.day]


def _refused(document: Document, missing: str) -> InvalidValue:
    """Why there can be no PDF: which letters are missing, where they stand, and what to do."""
    front, letters = document.front, set(missing)
    where = [name for name in FIELDS if letters & set(getattr(front, name))]
    where += ["signatories"] if letters & set("".join(chain(*front.signatories))) else []
    where = ["title", *where] if letters & set(front.title) else where
    if not where:
        known = {section.heading: section for section in (*document.sections, *document.annexes)}
        where = [
            f"the text of {head!r}"
            for head, s in known.items()
            if letters & set(json.dumps(_plain(s), ensure_ascii=False))
        ]
    return _validate.reject(
        " and ".join(where[:3]) or "the text of pictures",
        "to have only letters that some font has, for a report as PDF",
        missing if len(missing) <= 20 else f"{missing[:20]}…",
        "Install a font with these letters, such as Noto Sans or Noto Sans CJK, or write the report as .html.",
    )
