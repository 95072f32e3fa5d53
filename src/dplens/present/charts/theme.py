"""The look of pictures: lines differ in dashes and direct labels first, in colour second.

The first colours are those of Okabe & Ito (2008), which readers with any colour vision tell apart; the last three were
searched for beside them, far from all others under every kind of colour blindness. Reports recolour them for dark
screens by these very values, so every colour that is drawn is one of this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

INK = "#1b1b1b"
MUTED = "#5c5c5c"
FAINT = "#d9d9d9"
BLUE = "#0072b2"
VERMILLION = "#d55e00"
GREEN = "#00785a"  # Okabe and Ito's bluish green, darkened until it can be read as text on white
PURPLE = "#a2527d"  # their reddish purple, likewise
VIOLET = "#7a2ff0"
WINE = "#8a0a14"
NAVY = "#002299"
PAPER = "#ffffff"
COLOURS = (INK, MUTED, FAINT, BLUE, VERMILLION, GREEN, PURPLE, VIOLET, WINE, NAVY, PAPER)

WIDTH, HEIGHT, SQUARE = 380, 240, 280
FONT = "IBM Plex Sans, sans-serif"
FONTS = Path(__file__).parent.parent / "fonts"  # the typeface of pictures and pages, with its licence


@dataclass(frozen=True)
class Style:
    """A line: its colour and its dashes."""

    colour: str
    dash: tuple[int, ...] = ()
    width: float = 2.2

    @property
    def stroke(self) -> dict[str, Any]:
        """In the form that Vega-Lite marks accept."""
        dashes = {"strokeDash": list(self.dash)} if self.dash else {}
        return {"color": self.colour, "strokeWidth": self.width, **dashes}


MAIN = Style(BLUE, (), 2.6)
GUESS = Style(MUTED, (2, 3), 1.4)
SERIES = (
    Style(BLUE, ()),
    Style(VERMILLION, (7, 3)),
    Style(GREEN, (2, 2)),
    Style(PURPLE, (9, 3, 2, 3)),
    Style(INK, (4, 4)),
    Style(VIOLET, (10, 2, 2, 2, 2, 2)),
    Style(WINE, (3, 1, 1, 1)),
    Style(NAVY, (1, 2)),
)

CONFIG: dict[str, Any] = {
    "font": FONT,
    "background": "transparent",  # the page's own, light or dark
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "titleFontWeight": "normal",
        "titleFontSize": 12,
        "labelFontSize": 11,
        "gridColor": FAINT,
        "gridWidth": 0.6,
        "domainColor": MUTED,
        "tickColor": MUTED,
        "titlePadding": 8,
    },
    "title": {
        "color": INK,
        "subtitleColor": MUTED,
        "fontSize": 14,
        "subtitleFontSize": 11,
        "anchor": "start",
        "offset": 10,
    },
    "text": {"fontSize": 11, "color": INK},
    "legend": {"disable": True},
}
