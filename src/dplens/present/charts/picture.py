"""The picture: a frame, its drawing, its description, and its files."""

from __future__ import annotations

import os
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Any

from dplens import _validate
from dplens.numerics.sharing import Shared, cached_property, process_lock
from dplens.present.charts import draw, draw_more, export
from dplens.present.charts.alt import alt_text
from dplens.present.charts.theme import CONFIG
from dplens.present.frames import kinds
from dplens.present.frames.base import ChartFrame
from dplens.present.words.language import DEFAULT, language, number_signs
from dplens.registry import Discreet, Presented

# Which frame a picture is drawn from; the drawings of one frame differ only in what they enlarge.
_DRAWINGS: dict[str, tuple[str, Callable[..., Any]]] = {
    "roc": ("roc", draw.roc),
    "roc_log": ("roc", partial(draw.roc, log=True)),
    "tradeoff": ("roc", partial(draw.roc, column="beta")),
    "precision_recall": ("precision_recall", draw.precision_recall),
    "posterior": ("posterior", draw.posterior),
    "relative_risk": ("relative_risk", draw.relative_risk),
    "profile": ("profile", draw.profile),
    "fscore": ("fscore", draw.fscore),
    "power_noise": ("power_noise", draw.power_noise),
    "output_laws": ("output_laws", draw_more.output_laws),
    "icons": ("icons", draw_more.icons),
    "leakage": ("leakage", draw_more.leakage),
    "analyst_power": ("analyst_power", draw_more.analyst_power),
    "feasible": ("feasible", draw_more.feasible),
    "audit": ("audit", draw_more.audit),
    "comparison": ("comparison", draw_more.comparison),
}
CHARTS = tuple(_DRAWINGS)
ABOUT = ("membership", "value", "answer", "related", "analyst", "replaced")
# a reader's font may be wider than the one that labels were measured with
_PADDING = {"left": 5, "top": 5, "bottom": 5, "right": 30}
_DRAWING: dict[int, Any] = {}  # Altair has process-wide switches, which two threads would confuse
_LETTERS = {"icons": 40, "": 58}  # of a title in one line, where sans-serif is a wide font


@dataclass(frozen=True, kw_only=True)
class Picture(Presented, Discreet, Shared):
    """A picture of a release, drawn from its ``frame``; Altair draws it when it is asked for.

    about: whom the test tells apart: ``"membership"``, ``"replaced"`` (membership, with someone else instead),
    ``"value"``, ``"answer"``, ``"related"`` or ``"analyst"``. unit: what one record stands for. In a notebook it shows
    itself. ``save`` writes SVG, PNG, HTML, the Vega-Lite specification (JSON) or the table (CSV), without a network.

    >>> import dplens as dl
    >>> picture = dl.chart("roc", dl.Gaussian(sigma=2.0), fpr=0.01)
    >>> picture.alt.split(". ")[3]
    'With 1 % false alarms, it identifies at most 3.39 %'
    """

    _hooks = ("converter",)
    kind: str
    frame: ChartFrame
    about: str = "membership"
    unit: str = "person"
    language: str = DEFAULT
    mildest: bool = False  # shown is the mildest release that explains a measured attack, and no upper limit

    def __post_init__(self) -> None:
        _validate.one_of("kind", self.kind, CHARTS)
        _validate.one_of("about", self.about, ABOUT)
        language(self.language)
        if not isinstance(self.unit, str) or not self.unit.strip():
            raise _validate.reject_type("unit", "to be a word for what one record stands for", self.unit)
        _validate.instance("frame", self.frame, ChartFrame, "to be a frame", "Pass dplens.frame(kind, mechanism).")
        needed = _DRAWINGS[self.kind][0]
        if self.frame.kind != needed:
            raise _validate.reject("frame", f"to be of kind {needed!r} for the chart {self.kind!r}", self.frame.kind)

    @cached_property
    def _words(self) -> Callable[..., str]:
        """The texts of the picture's language, for what it is about."""
        return partial(language(self.language), about=self.about, unit=self.unit)

    @property
    def title(self) -> str:
        """What the picture is about, in one line; with the name of what it shows, where that has one."""
        facts = {k: v for k, v in self.frame.facts.items() if type(v) is int}
        title, name = self._words(f"title-{self.kind}", **facts), self.frame.facts.get("name")
        return self._words("title-named", title=title, name=name) if name else title

    @property
    def alt(self) -> str:
        """What the picture shows, in sentences with its numbers."""
        said = alt_text(self.frame, self.kind, self._words)
        return f"{self._words('pic-mildest')} {said}" if self.mildest else said

    def altair(self, *, titled: bool = True) -> Any:
        """The Altair chart, to be changed or put beside others; without its title if it has one elsewhere.

        How it looks is set on the outermost chart: ``(p.altair() | q.altair()).configure(**p.config)``.
        """
        with process_lock(_DRAWING):
            return self._drawn(_validate.flag("titled", titled))

    def _drawn(self, titled: bool) -> Any:
        alt = export.altair()
        # ``spec`` validates the whole chart; validating each part too takes longer than drawing
        with alt.utils.schemapi.debug_mode(False):
            chart = _DRAWINGS[self.kind][1](self.frame, self._words)
        more: dict[str, Any] = {"description": self.alt}
        if titled:
            subtitle = self._words("subtitle", route=self.frame.certificate.route)
            lines = wrap(self.title, _LETTERS.get(self.kind, _LETTERS[""]))
            more["title"] = alt.TitleParams(text=lines if len(lines) > 1 else self.title, subtitle=subtitle)
        return chart.properties(**more)

    @property
    def config(self) -> dict[str, Any]:
        """Colours, fonts and margins, for ``configure`` of an Altair chart that pictures are put together in."""
        signs = {} if self.language == DEFAULT else {"locale": {"number": number_signs(self.language)}}
        return deepcopy({**CONFIG, "padding": _PADDING, **signs})

    @cached_property
    def spec(self) -> dict[str, Any]:
        """The Vega-Lite specification, title included."""
        with process_lock(_DRAWING):
            return self.altair().configure(**self.config).to_dict()

    def svg(self, *, titled: bool = True, prefix: str = "") -> str:
        """The picture as SVG text with a transparent ground; ``prefix`` keeps the ids of several apart."""
        return self.converter(titled=titled, prefix=prefix)()

    def converter(self, *, titled: bool = False, prefix: str = "") -> Callable[[], str]:
        """The picture put together; what is returned converts it to SVG text, in another thread if need be."""
        _validate.text("prefix", prefix)
        if _validate.flag("titled", titled):
            spec = self.spec
        else:
            with process_lock(_DRAWING):
                spec = self.altair(titled=False).configure(**self.config).to_dict(validate=False)
        return partial(export.svg, spec, prefix)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the picture, whole or not at all; the suffix decides: .svg, .png, .html, .json or .csv."""
        _validate.instance("path", path, (str, os.PathLike), "to be the name of a file")
        suffix = Path(path).suffix.lower()
        _validate.one_of("the suffix of path", suffix, export.FORMATS)
        if suffix == ".csv":
            return export.write_whole(path, self.frame.to_csv().encode())
        return export.write_whole(path, export.as_bytes(self.spec, suffix, self.alt, self.title))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        # on white, since a notebook may be dark and shows it as an image
        return {"image/svg+xml": export.svg({**self.spec, "background": "white"}), "text/plain": self.alt}


def chart(
    kind: str, target: Any, *, about: str | None = None, unit: str = "person", language: str = DEFAULT, **settings: Any
) -> Picture:
    """A picture of a mechanism or curve: ``chart("roc", mechanism, fpr=0.01).save("roc.svg")``.

    kind: ``roc``, ``roc_log``, ``tradeoff``, ``precision_recall``, ``posterior``, ``relative_risk``, ``profile``,
    ``fscore``, ``power_noise``, ``output_laws``, ``icons``, ``leakage``, ``analyst_power``, ``feasible``, ``audit``,
    ``comparison``. target: also an assessment, or releases by name: ``chart("roc", {"A": a, "B": b})``.
    language: of the words. settings: those of :func:`dplens.frame`.

    >>> import dplens as dl
    >>> picture = dl.chart("roc", dl.Laplace(scale=1.0), fpr=0.01)
    >>> print(picture.alt.split(". ")[3])
    With 1 % false alarms, it identifies at most 2.72 %
    """
    _validate.one_of("kind", kind, CHARTS)
    return Picture(
        kind=kind,
        frame=kinds.frame(_DRAWINGS[kind][0], target, **settings),
        about=kinds.about(target) if about is None else about,
        unit=unit,
        language=language,
    )
