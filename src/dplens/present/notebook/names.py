"""Objects of the user on one short line: releases as code, texts cut to a length, long tables thinned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.composed import Composed, Subsampled
from dplens.present.visible import visible
from dplens.telling import Figure

Row = TypeVar("Row")


def release_name(release: Any) -> str:
    """A release as code without its default values; a curve by its class.

    >>> import dplens as dl
    >>> release_name(dl.compose(dl.Gaussian(sigma=2.0).subsample(0.1).repeat(10), dl.Laplace(scale=1.0)))
    'compose(Gaussian(sigma=2.0).subsample(0.1).repeat(10), Laplace(scale=1.0))'
    """
    if isinstance(release, Composed):
        parts = [release_name(part) + (f".repeat({count})" if count > 1 else "") for part, count in release.parts]
        return parts[0] if len(parts) == 1 else f"compose({fitted(parts, ', ', 100)})"
    if isinstance(release, Subsampled):
        return f"{release_name(release.mechanism)}.subsample({release.rate})"
    if not (isinstance(release, Mechanism) and is_dataclass(release)):
        return type(release).__name__
    said = {f.name: getattr(release, f.name) for f in fields(release) if f.repr}
    said = {f.name: said[f.name] for f in fields(release) if f.name in said and said[f.name] != f.default}
    if not all(isinstance(value, (bool, int, float, str)) for value in said.values()):
        return brief(repr(release), 90)  # which knows how to show laws and long columns
    return f"{type(release).__name__}({', '.join(f'{name}={value!r}' for name, value in said.items())})"


def brief(value: Any, most: int = 400) -> str:
    """An object on one line of moderate length; a number for a language as it is."""
    if isinstance(value, Figure):
        return value
    text = " ".join((value if isinstance(value, str) else repr(value)).split())
    return visible(text if len(text) <= most else text[: most - 1] + "…")


def exact(value: float) -> Figure:
    """A number with all its digits, where a rounded one would mean something else."""
    return Figure(repr(value if isinstance(value, int) else float(value)))


def capitalised(text: str) -> str:
    """The text with a capital letter at its start."""
    return text[:1].upper() + text[1:]


def several(rows: Sequence[Row], most: int) -> tuple[Row, ...]:
    """Representative rows of a long table: evenly spaced, including both ends."""
    if len(rows) <= most:
        return tuple(rows)
    return tuple(rows[round(i * (len(rows) - 1) / (most - 1))] for i in range(most))


def fitted(parts: Sequence[str], between: str, most: int) -> str:
    """As many parts as fit, and how many are left out.

    >>> fitted(["one", "two", "three"], ", ", 9)
    'one, two and 1 more'
    """
    kept = len(parts)
    while kept > 1 and len(between.join(parts[:kept])) > most:
        kept -= 1
    left = f" and {len(parts) - kept} more" if kept < len(parts) else ""
    return brief(between.join(parts[:kept]), most) + left
