"""Documents as one HTML page that holds everything it shows: pictures, letters and the result itself."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

from dplens.errors import required
from dplens.present.charts.theme import FONTS
from dplens.present.report.document import Document
from dplens.present.report.drawings import Draw

TEMPLATES = Path(__file__).parent.parent / "templates"
_WEIGHTS = {"Regular": 400, "SemiBold": 600}
# which characters the parts of the typeface have, as its makers cut them
_RANGES = {
    "Latin1": "U+20-7E,U+A0-FF,U+131,U+152-153,U+2C6,U+2DA,U+2DC,U+2013-2014,U+2018-201A,U+201C-201E,U+2020-2022,"
    "U+2026,U+2030,U+2039-203A,U+2044,U+20AC,U+2122,U+2212,U+FB01-FB02",
    "Latin2": "U+100-101,U+104-130,U+132-151,U+154-17F,U+18F,U+192,U+1A0-1A1,U+1AF-1B0,U+218-21B,U+259,U+1E80-1E85",
    "Pi": "U+2000-200D,U+2015,U+202F,U+2032-2033,U+2070,U+2074-2079,U+2080-2089,U+2190-2199,U+2202,U+2206,U+2211,"
    "U+221A,U+221E,U+2248,U+2260,U+2264-2265,U+2713",
}


def render(document: Document, draw: Draw) -> str:
    """The page; draw: makes its pictures."""
    environment = template_environment("Reports need", escape=True)
    environment.filters["nb"] = unbroken
    return environment.get_template("report.html").render(
        document=document,
        drawn={key: _ROLES.sub("", svg) for key, svg in draw(document).items()},
        data=_embedded(document.data),
        style=stylesheet("style.css", "report.css"),
        running=quoted(document.front.title),
    )


def template_environment(what: str, *folders: Path, escape: bool) -> Any:
    """Jinja's environment for the templates of reports and of further folders; ``what`` needs it."""
    jinja2 = required("jinja2", f"{what} jinja2", "report")
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, TEMPLATES]),
        autoescape=escape,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


@cache
def stylesheet(*names: str) -> str:
    """Style sheets together, with the letters that they need."""
    return "\n".join([_faces(), *((TEMPLATES / name).read_text(encoding="utf-8") for name in names)])


def _faces() -> str:
    faces = []
    for weight, value in _WEIGHTS.items():
        for part, characters in _RANGES.items():
            letters = b64encode((FONTS / f"IBMPlexSans-{weight}-{part}.woff2").read_bytes()).decode()
            faces.append(
                f'@font-face {{ font-family: "IBM Plex Sans"; font-weight: {value}; unicode-range: {characters}; '
                f'src: url("data:font/woff2;base64,{letters}") format("woff2"); }}'
            )
    return "\n".join(faces)


def quoted(text: str, most: int = 90) -> str:
    """A text as a string of a style sheet, in which every character that is no letter is written by its number."""
    short = text if len(text) <= most else f"{text[: most - 1]}…"
    return '"' + "".join(c if c.isalnum() else f"\\{ord(c):06x}" for c in short) + '"'


def _embedded(data: Any) -> str:
    """Plain values as JSON for embedding in HTML: no character can end the element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


# of the parts of a picture: it is described as a whole
_ROLES = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"(?=[^<]*>)')
_TINY = re.compile(r"\d[\d.,]*e-\d+")


def unbroken(text: Any) -> Any:
    """Text in which no line ends between a number and its percent sign, or inside 1e-14."""
    from markupsafe import Markup, escape

    whole = _TINY.sub(r'<span class="u">\g<0></span>', str(escape(text)))
    return Markup(re.sub(r"(?<=\d)-(?=[a-zF])", "\u2011", whole.replace(" %", "\u00a0%")))
