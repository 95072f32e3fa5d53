"""Questions about the structure of a release: its parts, sampling and records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dplens import _validate
from dplens.mechanisms.combined import Grouped
from dplens.mechanisms.composed import DPSGD, Composed, Subsampled
from dplens.mechanisms.finite import RandomizedResponse, UniformSampling
from dplens.mechanisms.guarantees import (
    ApproximateDP,
    GaussianDP,
    PrivacyProfile,
    RenyiDP,
    TradeOffPoints,
    ZeroConcentratedDP,
)

GUARANTEES = (ApproximateDP, GaussianDP, PrivacyProfile, RenyiDP, TradeOffPoints, ZeroConcentratedDP)


def inside(release: Any) -> Iterator[Any]:
    """The release and all its parts, recursively."""
    yield release
    for part, _ in release.parts if isinstance(release, Composed) else ():
        yield from inside(part)
    inner = getattr(release, "mechanism", None)
    if inner is not None:
        yield from inside(inner)


def leaves(release: Any) -> list[Any]:
    """The single mechanisms at the bottom."""
    return [m for m in inside(release) if not (isinstance(m, Composed) or getattr(m, "mechanism", None) is not None)]


def sampling_schemes(release: Any) -> tuple[str, ...]:
    """The schemes by which parts of the release sample records."""
    found = {m.scheme for m in inside(release) if isinstance(m, Subsampled)}
    found |= {m.samples for m in leaves(release) if isinstance(m, PrivacyProfile) and m.samples}
    if any(isinstance(m, DPSGD) for m in inside(release)):
        found.add("poisson")
    if any(isinstance(m, UniformSampling) for m in leaves(release)):
        found.add("one_in_clear")
    return tuple(sorted(found))


def sampling_unknown(release: Any) -> bool:
    """Whether part of it is a bare guarantee, which may rely on sampling that is not stated."""
    if isinstance(release, Composed):
        return any(sampling_unknown(part) for part, _ in release.parts)
    if isinstance(release, (Subsampled, DPSGD)):
        return False
    inner = getattr(release, "mechanism", None)
    if inner is not None:
        return sampling_unknown(inner)
    return is_mildest(release) or (isinstance(release, GUARANTEES) and not getattr(release, "samples", ""))


def records_each(release: Any) -> int:
    """How many records one unit may have, by stated groups; a replaced record counts as one."""
    if isinstance(release, Composed):
        return max((records_each(part) for part, _ in release.parts), default=1)
    inner = getattr(release, "mechanism", None)
    if inner is None:
        return 1
    own = release.size if isinstance(release, Grouped) and release.neighbours == inner.neighbours else 1
    return own * records_each(inner)


def is_mildest(release: Any) -> bool:
    """Whether part of it is only the mildest release that explains a measured attack (``Audit.least``)."""
    return any(getattr(m, "_mildest", False) for m in inside(release))


def responding(release: Any) -> str:
    """How much of it consists of answers that each person randomises: all, part or none."""
    return _share(release, (RandomizedResponse,))


def guaranteed(release: Any) -> str:
    """How much of it is a bare guarantee rather than a mechanism: all, part or none."""
    return _share(release, GUARANTEES)


def _share(release: Any, kinds: tuple[type, ...]) -> str:
    found = {isinstance(m, kinds) for m in leaves(release)}
    return "none" if True not in found else "part" if False in found else "all"


def records_of(release: Any, declared: Any = None) -> int | None:
    """The number of records: as declared, if the release does not contradict it, or as the release says."""
    counts = {m.n for m in leaves(release) if isinstance(getattr(m, "n", None), int)}
    if declared is None:
        return counts.pop() if len(counts) == 1 else None
    n = _validate.count("n", declared)
    if counts - {n}:
        # fewer records than the release counts on would be sampled at a higher rate
        said = " and ".join(f"n={other}" for other in sorted(counts - {n}))
        remedy = "Correct the one that is wrong."
        raise _validate.reject("n", f"to be what the release says, which has {said}", n, remedy)
    return n
