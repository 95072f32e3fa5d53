"""The parts of a reproduction: pictures as data, printed numbers beside ours, and claims with their outcome."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from dplens.registry import Presented


class Outcome(enum.Enum):
    """The outcome of checking a figure, number or claim of a paper, from best to worst."""

    MATCHES = "matches"
    CORRECTED = "matches after correcting a misprint"
    CONDITION = "holds with a condition"
    FAILS = "does not hold"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A parameter that a paper leaves unstated, as we chose it; ``says`` is its caption."""

    value: tuple[float, ...]
    says: str

    @property
    def one(self) -> float:
        """The only value."""
        (value,) = self.value
        return value


@dataclass(frozen=True)
class Printed:
    """A number as a paper prints it, beside ours.

    correction: the misprint, where the number belongs to another setting than the paper says, or is itself wrong;
    ``corrected`` is then the number as it should have been printed (default: the printed one). decimals: how many
    digits after the point are meant, where the paper drops zeros at the end.
    """

    what: str
    printed: str
    ours: float
    correction: str = ""
    corrected: str = ""
    decimals: int | None = None

    @property
    def expected(self) -> str:
        """The number as it should stand in the paper."""
        return self.corrected or self.printed

    @property
    def difference(self) -> float:
        """Ours minus the printed number."""
        return self.ours - float(self.printed)

    @property
    def reading(self) -> str:
        """How ours becomes the expected digits: ``rounded``, ``cut`` (digits dropped) or ``differs``."""
        shown = -int(Decimal(self.expected).as_tuple().exponent)
        unit = 10.0 ** -(shown if self.decimals is None else self.decimals)
        distance = self.ours - float(self.expected)
        slack = 1e-12 * max(1.0, abs(self.ours))
        if abs(distance) <= unit / 2 + slack:
            return "rounded"
        return "cut" if -slack <= distance < unit else "differs"

    @property
    def verdict(self) -> Outcome:
        if self.reading == "differs":
            return Outcome.FAILS
        return Outcome.CORRECTED if self.correction else Outcome.MATCHES


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A sentence of a paper and what came out: ``holds`` is computed, ``found`` says with which numbers.

    correction: the misprint without which the sentence holds; ``holds`` is then about the corrected sentence.
    condition: what must be added to the sentence, where it fails without; ``holds`` is then about both together.
    """

    says: str
    holds: bool
    found: str
    correction: str = ""
    condition: str = ""

    @property
    def verdict(self) -> Outcome:
        if not self.holds:
            return Outcome.FAILS
        if self.condition:
            return Outcome.CONDITION
        return Outcome.CORRECTED if self.correction else Outcome.MATCHES


@dataclass(frozen=True)
class Scale:
    """An axis: its title and its ends."""

    title: str
    low: float = 0.0
    high: float = 1.0
    log: bool = False


@dataclass(frozen=True)
class Line:
    """Points in order of x; ``series`` sets colour and dashes, ``bound`` draws thin dashes in the same colour.

    spread: half-widths of a band around y. label: at the line's right end.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    label: str = ""
    series: int = 0
    bound: bool = False
    points: bool = False
    spread: tuple[float, ...] = ()

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]], x: str, y: str, weight: float = 1.0, **more: Any) -> Line:
        """Two columns of a frame as a line, the second times a weight."""
        points = [(row[x], weight * row[y]) for row in rows]
        return cls(x=tuple(a for a, _ in points), y=tuple(b for _, b in points), **more)


def labelled(x: Iterable[float], ys: Mapping[str, Iterable[float]], **more: Any) -> tuple[Line, ...]:
    """Lines over the same places by their labels, each in its own style."""
    xs = tuple(map(float, x))
    return tuple(
        Line(xs, tuple(map(float, y)), label=label, series=k, **more) for k, (label, y) in enumerate(ys.items())
    )


@dataclass(frozen=True)
class Area:
    """A surface between a line and 0, with the name of what it stands for."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    label: str
    series: int = 0


@dataclass(frozen=True)
class Note:
    """Words at a place of a picture; ``marked``: with a point there."""

    x: float
    y: float
    text: str = ""
    marked: bool = False
    align: str = "left"


@dataclass(frozen=True)
class Panel:
    """One picture: axes, lines, areas, notes and upright lines."""

    title: str
    x: Scale
    y: Scale
    lines: tuple[Line, ...] = ()
    areas: tuple[Area, ...] = ()
    notes: tuple[Note, ...] = ()
    uprights: tuple[float, ...] = ()

    @property
    def alt(self) -> str:
        """The picture in words, with the ends of its lines."""
        ends = []
        for line in self.lines:
            if line.label and line.x:
                first, last = (f"({line.x[k]:.3g}, {line.y[k]:.3g})" for k in (0, -1))
                ends.append(f"{line.label}: from {first} to {last}.")
        areas = [f"Area: {area.label}." for area in self.areas if area.label]
        notes = [f"{note.text}." for note in self.notes if note.text]
        return " ".join([f"{self.title}. {self.y.title} against {self.x.title}.", *ends, *areas, *notes])


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of texts."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Figure(Presented):
    """One figure, table or theorem of a paper, done again.

    supports: the claim it stands for, in our words. choices: parameters the paper leaves unstated. learned: what one
    sees here and not in the paper. columns: how many pictures stand side by side.
    """

    key: str
    name: str
    title: str
    supports: str
    panels: tuple[Panel, ...] = ()
    columns: int = 2
    tables: tuple[Table, ...] = ()
    printed: tuple[Printed, ...] = ()
    claims: tuple[Claim, ...] = ()
    choices: tuple[Choice, ...] = ()
    learned: tuple[str, ...] = ()

    @property
    def verdict(self) -> Outcome:
        """The least favourable outcome among its numbers and claims."""
        found = {part.verdict for part in (*self.printed, *self.claims)}
        return next((v for v in reversed(Outcome) if v in found), Outcome.MATCHES)

    @property
    def corrections(self) -> tuple[str, ...]:
        """The misprints that had to be corrected, each once."""
        return tuple(dict.fromkeys(part.correction for part in (*self.printed, *self.claims) if part.correction))

    @property
    def conditions(self) -> tuple[str, ...]:
        """What its claims need in order to hold, each once."""
        return tuple(dict.fromkeys(claim.condition for claim in self.claims if claim.condition))


@dataclass(frozen=True, kw_only=True)
class Erratum:
    """A place where a paper errs, or where what it says holds with a condition only.

    printed: what stands there. correct: what should. why: a short proof. numbers: computed when the page is made.
    kind: ``theorem`` (a result does not hold), ``statement`` (a sentence does not), ``misprint``; and ``condition``
    (right as it is meant, with something to keep in mind), which is not counted as an error.
    """

    key: str
    paper: str
    place: str
    kind: str
    printed: str
    correct: str
    why: str
    numbers: tuple[tuple[str, float], ...] = ()

    @property
    def errs(self) -> bool:
        """Whether the place is wrong as printed."""
        return self.kind != "condition"
