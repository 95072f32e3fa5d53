"""Clocks: calls that take turns, cold caches, fresh interpreters, memory."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Call = Callable[[], Any]


def forget() -> None:
    """Empty every cache of dplens, so that the next call starts from nothing."""
    for name, module in list(sys.modules.items()):
        if name.startswith("dplens"):
            for thing in list(vars(module).values()):
                clear = getattr(thing, "cache_clear", None)
                if clear is not None:
                    clear()


def once(call: Call) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def cold(call: Call) -> float:
    """Seconds of one call of ours that finds no cache filled."""
    forget()
    return once(call)


def median_cold(call: Call, seconds: float) -> float:
    """Median over as many cold calls as fit; slow ones may take five times as long to be three."""
    samples: list[float] = []
    start = time.perf_counter()
    while not samples or time.perf_counter() - start < (seconds if len(samples) >= 3 else 5 * seconds):
        samples.append(cold(call))
    return statistics.median(samples)


def take_turns(ours: list[Call], theirs: Call, seconds: float) -> tuple[list[float], float]:
    """Median times of our calls (cold) and of the peer's, one after the other until the time is up.

    At least three turns (one, if there is no time at all); within a turn our calls are repeated while the peer would
    not be finished, for a steadier median.
    """
    our_samples: list[list[float]] = [[] for _ in ours]
    their_samples: list[float] = []
    stop = time.perf_counter() + seconds
    while len(their_samples) < (3 if seconds else 1) or (time.perf_counter() < stop and len(their_samples) < 25):
        their_samples.append(once(theirs))
        for call, samples in zip(ours, our_samples, strict=True):
            pause = time.perf_counter() + min(their_samples[-1] / 2, 0.3)
            samples.append(cold(call))
            while time.perf_counter() < pause:
                samples.append(cold(call))
    return [statistics.median(s) for s in our_samples], statistics.median(their_samples)


# ---- interpreters of their own --------------------------------------------------------------------------


def import_seconds(statement: str) -> float | None:
    """Seconds that `statement` takes in a fresh interpreter, or None if it fails."""
    code = f"from time import perf_counter as t\ns = t()\n{statement}\nprint(t() - s)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return float(run.stdout.split()[-1]) if run.returncode == 0 else None


def import_times(statements: dict[str, str], runs: int) -> dict[str, float | None]:
    """Median import times; the modules take turns, so a slow moment hits all alike."""
    samples: dict[str, list[float | None]] = {name: [] for name in statements}
    for turn in range(runs + 1):
        for name, statement in statements.items():
            seconds = import_seconds(statement)
            if turn:  # the first turn only warms the file cache
                samples[name].append(seconds)
    return {
        name: statistics.median(times) if (times := [s for s in seconds if s is not None]) else None
        for name, seconds in samples.items()
    }


class TookTooLong(Exception):
    """A peer that was stopped."""


def once_within(module: str, function: str, limit: float) -> tuple[float, float]:
    """Seconds and number of one call of a peer in a fresh interpreter, or `TookTooLong`."""
    code = (
        f"from time import perf_counter as t\nfrom {module} import {function} as call\n"
        "s = t()\nfound = call()\nprint(t() - s, repr(found))"
    )
    try:
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        raise TookTooLong from None
    if run.returncode:
        raise RuntimeError(run.stderr.strip().splitlines()[-1])
    seconds, found = run.stdout.split()[-2:]
    return float(seconds), float(found)


@dataclass(frozen=True)
class Footprint:
    """One piece of work in an interpreter of its own; memory in bytes."""

    imported: int  # resident after the imports
    above: int  # peak during the work, above that
    seconds: float
    answer: float


def footprint(job: str) -> Footprint | str:
    """Run a job of `benchmarks.memory` in a fresh interpreter; what went wrong, in words, if it fails."""
    command = [sys.executable, "-m", "benchmarks.memory", job]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        return run.stderr.strip().splitlines()[-1] if run.stderr.strip() else f"ended with code {run.returncode}"
    return Footprint(**json.loads(run.stdout.splitlines()[-1]))
