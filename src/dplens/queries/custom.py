"""A query whose sensitivity the user has derived."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dplens import _validate
from dplens.queries.base import Query
from dplens.queries.counts import number_of_cells
from dplens.queries.norms import Norms, number_above, root_above
from dplens.registry import register

_UNKNOWN = Fraction(2) ** 1100  # beyond all floats


@register
@dataclass(frozen=True, kw_only=True)
class Custom(Query):
    """A result whose sensitivity you have derived yourself.

    l1, l2, linf: its norms for the stated ``neighbours``; at least one of them. Missing ones are filled in with upper
    bounds: L∞ ≤ L2 ≤ L1 always, L1 ≤ √size·L2 and L2 ≤ √size·L∞ if ``size``, the number of numbers, is known, and
    infinity otherwise. Replacing is removing and adding, so ``as_replace`` doubles the norms; there is no way back.
    whole: whether the numbers are whole.

    Use it for what has no class of its own, such as sums of vectors clipped to a length: ``Custom(l2=1.0, size=10)``.

    >>> import dplens as dl
    >>> gradient = dl.Custom(l2=1.0, size=100)
    >>> gradient.release(dl.Gaussian, sigma=2.0).mu, gradient.l1
    (0.5, 10.0)
    """

    l1: Any = None  # pyright: ignore[reportIncompatibleMethodOverride]
    l2: Any = None  # pyright: ignore[reportIncompatibleMethodOverride]
    linf: Any = None  # pyright: ignore[reportIncompatibleMethodOverride]
    size: Any = None  # pyright: ignore[reportIncompatibleMethodOverride]
    whole: bool = False

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in ("l1", "l2", "linf")}
        remedy = "It is the most that one unit changes the result; leave out what you do not know."
        checked = {k: self._checked(k, v, remedy) for k, v in given.items() if v is not None}
        if all(not math.isfinite(v) for v in checked.values()):
            raise _validate.reject("l1", "to be given, or l2 or linf", None, "They say how much one unit can change.")
        if self.size is not None:
            object.__setattr__(self, "size", number_of_cells("size", self.size))
        object.__setattr__(self, "whole", _validate.flag("whole", self.whole))
        for small, large in (("linf", "l2"), ("l2", "l1"), ("linf", "l1")):
            if small in checked and large in checked and checked[small] > checked[large] * (1 + 1e-12):
                rule = f"to be at most {large} = {checked[large]!r}, as for every vector"
                raise _validate.reject(small, rule, checked[small])
        for name, norm in self._filled(checked).items():
            object.__setattr__(self, name, norm)
        super().__post_init__()

    def _checked(self, name: str, value: Any, remedy: str) -> float:
        number = _validate.real(name, value, "> 0", lambda x: x > 0, remedy)
        if self.whole is True and math.isfinite(number) and name != "l2" and number != math.floor(number):
            raise _validate.reject(name, "to be whole, as the query is", value, remedy)
        return number

    def _filled(self, given: dict[str, float]) -> dict[str, float]:
        """All three norms, rounded up."""
        size = None if self.size is None else Fraction(self.size)

        def up(name: str) -> float:
            return given.get(name, math.inf)

        def grown(x: float) -> float:
            return root_above(Fraction(x) ** 2 * size) if size is not None and math.isfinite(x) else math.inf

        l2 = min(up("l2"), up("l1"), grown(up("linf")))
        whole = math.floor if self.whole is True else lambda x: x  # the sum of whole changes is whole
        l1 = up("l1") if "l1" in given else grown(l2)
        if math.isfinite(up("linf")) and size is not None:
            l1 = min(l1, number_above(Fraction(given["linf"]) * size))
        linf = min(up("linf"), l2)
        return {"l1": whole(l1) if math.isfinite(l1) else l1, "l2": l2, "linf": float(whole(linf))}

    @property
    def is_whole(self) -> bool:
        return self.whole

    def as_replace(self) -> Custom:
        """The same result for replaced units: as one removed and one added, at most twice the norms."""
        if self.neighbours == "replace":
            return self
        return replace(self, l1=2 * self.l1, l2=2 * self.l2, linf=2 * self.linf, neighbours="replace")

    def _norms(self, neighbours: str) -> Norms:
        if (self.neighbours, neighbours) == ("replace", "add_remove"):
            remedy = "State the norms for add_remove; those for replace follow from them."
            raise _validate.reject("neighbours", "to be 'replace', for which the norms are stated", neighbours, remedy)
        l1, l2, linf = (Fraction(x) if math.isfinite(x) else _UNKNOWN for x in (self.l1, self.l2, self.linf))
        norms = Norms(l1, l2 * l2, linf, sharp=False)
        return norms if neighbours == self.neighbours else norms.times(2)
