"""Time the cases, alternating between dplens and the baseline."""

import statistics
import time
from dataclasses import dataclass

import numpy as np

from benchmarks.cases import Case
from benchmarks.timing import Call


@dataclass(frozen=True)
class Row:
    """Measurement of one case, with times in seconds."""

    case: Case
    ours: float | None = None
    baseline: float | None = None
    difference: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Our time divided by the time of the baseline."""
        return self.ours / self.baseline if self.ours and self.baseline else None

    @property
    def verdict(self) -> str:
        """What failed, or "ok"."""
        complaints = [self.note] if self.note else []
        if self.difference is not None and not self.difference <= self.case.rtol:
            complaints.append("answers differ")
        if self.ratio is not None and self.case.limit is not None and self.ratio > self.case.limit:
            complaints.append(f"slower than {self.case.limit:g}×")
        return ", ".join(complaints) or "ok"


def seconds_per_call(pair: tuple[Call, Call], seconds: float) -> tuple[float, float]:
    """Median time of each callable, alternating between them."""
    loops = [max(1, int(0.02 / max(repeated(call, 1), 1e-9))) for call in pair]
    samples: tuple[list[float], list[float]] = ([], [])
    stop = time.perf_counter() + seconds
    while len(samples[0]) < 5 or time.perf_counter() < stop:
        for call, loop, sample in zip(pair, loops, samples, strict=True):
            sample.append(repeated(call, loop))
    return statistics.median(samples[0]), statistics.median(samples[1])


def repeated(call: Call, loops: int) -> float:
    """Mean time per call over `loops` consecutive calls."""
    start = time.perf_counter()
    for _ in range(loops):
        call()
    return (time.perf_counter() - start) / loops


def relative_difference(ours: object, baseline: object) -> float:
    """Largest relative difference between two answers; magnitudes below 1e-300 count as 1e-300."""
    x, y = np.asarray(ours, dtype=float), np.asarray(baseline, dtype=float)
    scale = np.maximum(np.abs(y), 1e-300)
    return float(np.max(np.abs(x - y) / scale))


def measure(case: Case, seconds: float) -> Row:
    """Time one case. If it cannot run, record the reason."""
    try:
        pair = case.build()
        difference = relative_difference(pair[0](), pair[1]())
    except ImportError as error:
        return Row(case, note=f"not installed: {error.name}")
    except Exception as error:
        return Row(case, note=f"{type(error).__name__}: {error}")
    ours, baseline = seconds_per_call(pair, seconds)
    return Row(case, ours, baseline, difference)
