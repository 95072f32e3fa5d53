"""Laws from SciPy's distribution objects, old and new."""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens.numerics.enclosure import Floats
from dplens.numerics.laws.base import Law, MixtureLaw
from dplens.numerics.laws.density import DensityLaw
from dplens.numerics.laws.facts import Family, family, is_scipys

_RARE = np.array([1e-18, 1e-30])  # levels p for which 1 − p rounds to 1


@dataclass(frozen=True, eq=False)
class ScipyLaw(Law):
    """A frozen ``scipy.stats`` distribution of the old or new kind (``norm(0, 1)`` or ``Normal(mu=0, sigma=1)``)."""

    source: Any
    corners: tuple[float, ...] = ()  # points where the density may have a corner, a cusp or a pole
    edges: tuple[float, ...] = ()  # the density is constant between these

    def __getstate__(self) -> dict[str, Any]:
        return {"source": pack(self.source), "corners": self.corners, "edges": self.edges}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in {**state, "source": unpack(state["source"])}.items():
            object.__setattr__(self, name, value)

    def __deepcopy__(self, memo: Any) -> ScipyLaw:
        return self  # it is immutable

    def _call(self, names: tuple[str, str], x: Floats) -> Floats:
        method = getattr(self.source, names[0], None) or getattr(self.source, names[1])
        with np.errstate(all="ignore"):
            return np.asarray(method(x), dtype=float)

    def logpdf(self, x: Floats) -> Floats:
        return self._call(("logpdf", "logpdf"), x)

    def cdf(self, x: Floats) -> Floats:
        return self._call(("cdf", "cdf"), x)

    def sf(self, x: Floats) -> Floats:
        return self._call(("sf", "ccdf"), x)

    def ppf(self, p: Floats) -> Floats:
        return self._call(("ppf", "icdf"), p)

    def isf(self, p: Floats) -> Floats:
        return self._call(("isf", "iccdf"), p)

    def support(self) -> tuple[float, float]:
        low, high = self.source.support()
        return float(low), float(high)

    def kinks(self) -> Floats:
        return np.array(self.corners, float)

    def jumps(self) -> Floats:
        return np.array(self.edges, float)

    def is_step(self) -> bool:
        return bool(self.edges)


def as_law(source: Any) -> Law | None:
    """The law of a frozen continuous SciPy distribution, else ``None``."""
    if isinstance(source, type) or any(c.__name__ == "DiscreteDistribution" for c in type(source).__mro__):
        return None
    if type(source).__name__ == "Mixture" and is_scipys(source):
        return _mixture(source)
    if hasattr(source, "dist"):  # the old kind, frozen
        return _first_generation(source) if hasattr(source.dist, "logpdf") else None
    if hasattr(source, "logpdf") and hasattr(source, "ccdf") and hasattr(source, "support"):
        known = family(source)
        return ScipyLaw(source, edges=_edges(source, known))
    return None


def _mixture(source: Any) -> Law | None:
    weights = np.asarray(source.weights, float)
    parts = [as_law(component) for component, weight in zip(source.components, weights) if weight > 0]
    known = [part for part in parts if part is not None]
    return MixtureLaw(known, weights[weights > 0]) if len(known) == len(parts) else None


def _first_generation(source: Any) -> Law:
    known = family(source)
    kinks = _kinks(*known) if known else ()
    plain = ScipyLaw(source, kinks, _edges(source, known))
    if plain.is_step():
        return plain
    if known is None or _loses_tails(plain):  # SciPy integrates the density of custom laws for every tail
        return _by_density(source, kinks) or plain
    return plain


def _loses_tails(law: ScipyLaw) -> bool:
    """Whether an unbounded tail or its quantiles are computed as differences from 1, which loses rare outputs."""
    ends = law.source.support()
    if any(np.ndim(end) for end in ends):  # not one law
        return False
    try:
        return any(
            np.isinf(end) and not (np.abs(tail(quantile(_RARE)) / _RARE - 1) < 1e-6).all()
            for end, tail, quantile in zip(ends, (law.cdf, law.sf), (law.ppf, law.isf))
        )
    except OverflowError:  # raised by some of SciPy's quantiles
        return True


def _kinks(name: str, shapes: tuple[float, ...], loc: float, scale: float) -> tuple[float, ...]:
    """Corners of the density: all SciPy families with a corner or cusp have it at loc, except the triangular law."""
    return (loc, loc + shapes[0] * scale) if name == "triang" else (loc,)


def _edges(source: Any, known: Family | None) -> tuple[float, ...]:
    """The edges between which the density of a uniform law or ``rv_histogram`` is constant; none for other laws."""
    if known is not None:
        return (known[2], known[2] + known[3]) if known[0] == "uniform" else ()
    dist = getattr(source, "dist", None)
    if type(dist).__name__ != "rv_histogram" or not is_scipys(dist):
        return ()
    try:
        _, loc, scale = dist._parse_args(*source.args, **source.kwds)  # pyright: ignore[reportOptionalMemberAccess]
        return tuple((loc + scale * np.asarray(dist._histogram[1], float)).tolist())  # pyright: ignore
    except (AttributeError, TypeError, ValueError):
        return ()


def _by_density(source: Any, kinks: tuple[float, ...]) -> Law | None:
    """A law from its density, or None if that does not integrate to 1."""
    try:
        _, loc, scale = source.dist._parse_args(*source.args, **source.kwds)
        low, high = (float(end) for end in source.support())
        law = DensityLaw(ScipyLaw(source), (low, high), float(loc), float(scale), kinks)
        return law if scale > 0 and low < high and abs(law.total - 1) < 1e-9 else None
    except (AttributeError, TypeError, ValueError):
        return None


# ---- pickling, for copies and other processes -----------------------------------------------------------------


class _Packer(pickle.Pickler):
    """Pickles SciPy's ``Normal`` by its parameters; by itself (as of SciPy 1.17) it unpickles as standard normal."""

    def reducer_override(self, obj: Any) -> Any:
        kind = type(obj)
        if kind.__name__ == "Normal" and kind.__module__.startswith("scipy.stats."):
            return _normal, (float(obj.mu), float(obj.sigma))
        return NotImplemented


class _Describer(_Packer):
    """Omits the state of random generators, which is not part of a law."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, (np.random.RandomState, np.random.Generator)):
            return _no_chance, ()
        return super().reducer_override(obj)


def _no_chance() -> None:
    return None


def _normal(mu: float, sigma: float) -> Any:
    from scipy.stats import Normal  # pyright: ignore[reportAttributeAccessIssue]

    return Normal(mu=mu, sigma=sigma)


def pack(distribution: Any, packer: type[_Packer] = _Packer) -> bytes:
    """The distribution as bytes, even if it contains a law that does not pickle correctly."""
    buffer = io.BytesIO()
    packer(buffer).dump(distribution)
    return buffer.getvalue()


def unpack(packed: bytes) -> Any:
    """The distribution from the bytes of ``pack``."""
    return pickle.loads(packed)


def fingerprint(distribution: Any) -> bytes | None:
    """Bytes that are equal for distributions created in the same way; ``None`` if that cannot be determined."""
    try:
        # pickle twice, so that strings shared with other objects do not matter
        return pack(unpack(pack(distribution, _Describer)), _Describer)
    except (AttributeError, TypeError, ValueError, pickle.PicklingError):
        return None
