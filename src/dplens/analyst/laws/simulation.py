"""Simulation in chunks: results do not depend on the number of workers and survive interruptions.

Chunk i of a stream has its own generator, spawned from the seed by (stream, i), and results are joined in order. An
answer thus depends only on the seed and the number of draws.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy.special import betaincinv

from dplens import _validate
from dplens._validate import Floats
from dplens.errors import MissingExtra
from dplens.estimate import Certificate, Estimate
from dplens.numerics.progress import tracked
from dplens.numerics.sharing import Memo, Shared, process_lock, remembered

Job = Callable[[np.random.Generator, int], Any]

CHUNK = 500  # draws with one generator; a different number gives different answers


class SimulationInterrupted(KeyboardInterrupt):
    """A simulation was interrupted; ``done`` of ``wanted`` draws are kept, and the same call continues from there."""

    def __init__(self, done: int, wanted: int) -> None:
        super().__init__(
            f"Stopped after {done} of {wanted} draws. They are kept: ask again and the simulation goes on from there."
        )
        self.done, self.wanted = done, wanted


class SimulatedEstimate(Estimate):
    """An estimate by simulation: its float is the safe end, ``point`` the observed share.

    draws: the number of draws. error: the standard error of ``point``. The interval from low to high misses the true
    value with probability at most 1/1000.
    """

    __slots__ = ("draws", "error", "point")
    draws: int
    error: float
    point: float

    def __new__(
        cls, value: float, *, low: float, high: float, point: float, draws: int, note: str = ""
    ) -> SimulatedEstimate:
        certificate = Certificate("simulation", high - low, note)
        self: Any = super().__new__(cls, value, low=low, high=high, certificate=certificate)
        variance = max(point * (1 - point), 1 / (draws + 2) * (1 - 1 / (draws + 2)))
        for name, given in (("point", point), ("draws", draws), ("error", math.sqrt(variance / draws))):
            object.__setattr__(self, name, given)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        note = self.certificate.note if self.certificate else ""
        ends = {"low": self.low, "high": self.high}
        return partial(SimulatedEstimate, float(self), **ends, point=self.point, draws=self.draws, note=note), ()

    def to_dict(self) -> dict[str, Any]:
        """The estimate as plain values, with its draws and standard error."""
        return {**super().to_dict(), "point": self.point, "draws": self.draws, "standard_error": self.error}


def share_bracket(hits: int, draws: int, error: float = 1e-3) -> tuple[float, float]:
    """The Clopper–Pearson interval for a share; it misses the truth with probability at most ``error``."""
    tail = error / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, draws - hits + 1, tail))
    high = 1.0 if hits == draws else float(betaincinv(hits + 1, draws - hits, 1 - tail))
    return low, high


def share_estimate(hits: int, draws: int) -> SimulatedEstimate:
    """A share with its bracket; the float is the lower end."""
    low, high = share_bracket(hits, draws)
    return SimulatedEstimate(low, low=low, high=high, point=hits / draws, draws=draws)


def seed_of(rng: Any) -> int:
    """The integer seed of all draws; a generator provides one and advances."""
    if isinstance(rng, np.random.Generator):
        return int.from_bytes(rng.bytes(16), "little")
    if isinstance(rng, np.random.SeedSequence):
        return int.from_bytes(rng.generate_state(4).tobytes(), "little")
    remedy = "Pass a seed such as 1, or a numpy Generator: the same seed gives the same answer."
    return _validate.count("rng", rng, 0, remedy)


def draws_of(draws: Any, name: str = "draws") -> int:
    """A number of simulated data sets, each of which keeps a number in memory."""
    return _validate.count(name, draws, 1, "Each draw takes time and memory.", most=10**9)


@dataclass(frozen=True, eq=False)
class Sampler(Shared):
    """Draws random numbers on demand and keeps those of the last 32 laws."""

    seed: int
    workers: int | None = None
    progress: bool | None = None
    _kept = Memo()
    _locks = Memo()

    def draw(self, key: Any, stream: int, job: Job, draws: int, what: str) -> Floats:
        """The first ``draws`` numbers of a job; ``key`` identifies job and stream."""
        chunks = math.ceil(draws / CHUNK)
        with process_lock(self._locks):  # two threads would mix their chunks
            kept = remembered(self._kept, key, list, most=32)
            todo = range(len(kept), chunks)
            try:
                kept.extend(tracked(self._results(job, stream, todo), len(todo), what, self.progress) if todo else ())
            except KeyboardInterrupt as stop:
                raise SimulationInterrupted(len(kept) * CHUNK, chunks * CHUNK) from stop
            return np.concatenate(kept[:chunks])[:draws]

    def _results(self, job: Job, stream: int, todo: range) -> Iterator[Floats]:
        if self.workers == 1 or (self.workers is None and len(todo) == 1):
            yield from (_chunk(job, self.seed, stream, i) for i in todo)
            return
        workers = self.workers
        if workers is None and not configured():
            start = time.perf_counter()
            yield _chunk(job, self.seed, stream, todo[0])
            todo = todo[1:]
            seconds = (time.perf_counter() - start) * len(todo)
            if seconds < 5 or find_spec("joblib") is None:  # starting processes takes seconds, too
                yield from (_chunk(job, self.seed, stream, i) for i in todo)
                return
            workers = -1
        pool, delayed = shared_pool(workers, "Simulations on several cores need joblib: pip install 'dplens[analyst]'")
        yield from pool(delayed(_chunk)(job, self.seed, stream, i) for i in todo)


def shared_pool(workers: int | None, missing: str) -> tuple[Any, Any]:
    """A joblib pool, with the backend chosen by joblib.parallel_config if there is one, and ``delayed``."""
    try:
        from joblib import Parallel, delayed
        from joblib.parallel import get_active_backend
    except ImportError:
        raise MissingExtra(missing) from None
    backend = get_active_backend()[0]
    if not getattr(backend, "supports_return_generator", True):
        remedy = "Choose 'loky', 'threading' or 'dask', or leave the backend to joblib."
        rule = "to be one that hands over each piece of work when it is done"
        raise _validate.reject("joblib.parallel_config(backend=…)", rule, type(backend).__name__, remedy)
    pool = Parallel(n_jobs=workers, return_as="generator") if workers else Parallel(return_as="generator")
    return pool, delayed


def configured() -> bool:
    """Whether joblib.parallel_config has chosen a backend, or a number of workers."""
    import sys

    if "joblib" not in sys.modules:
        return False
    from joblib.parallel import get_active_backend

    backend, workers = get_active_backend()
    return workers is not None or type(backend).__name__ not in ("LokyBackend", "SequentialBackend")


def _chunk(job: Job, seed: int, stream: int, index: int) -> Floats:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(stream, index)))
    found = np.asarray(job(rng, CHUNK))
    if found.shape != (CHUNK,) or found.dtype.kind not in "fiub":
        rule = "to give one number for each data set"
        raise _validate.reject_type("statistic", rule, _validate.Shown(f"an array of shape {found.shape}"))
    found = found.astype(float)
    if not np.isfinite(found).all():
        at = int(np.flatnonzero(~np.isfinite(found))[0])
        raise _validate.reject(
            "statistic",
            "to be a finite number for every data set",
            float(found[at]),
            f"It was not for draw {at} of chunk {index} (stream {stream}, seed {seed}). Decide what such data mean, "
            "for instance by returning the least extreme value; a test that drops them does not keep its level.",
        )
    return found
