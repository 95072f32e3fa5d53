"""Timing: alternating calls, cold caches, fresh interpreters, memory."""

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
    """Clear every dplens cache, so that the next call starts cold."""
    for name, module in list(sys.modules.items()):
        if name.startswith("dplens"):
            for thing in list(vars(module).values()):
                clear = getattr(thing, "cache_clear", None)
                if clear is not None:
                    clear()


def once(call: Call) -> float:
    """Time of one call, in seconds."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def cold(call: Call) -> float:
    """Time of one dplens call with empty caches, in seconds."""
    forget()
    return once(call)


def median_cold(call: Call, seconds: float) -> float:
    """Median over the cold calls that fit into `seconds`; slow calls get five times as long to reach three."""
    samples: list[float] = []
    start = time.perf_counter()
    while not samples or time.perf_counter() - start < (seconds if len(samples) >= 3 else 5 * seconds):
        samples.append(cold(call))
    return statistics.median(samples)


def take_turns(ours: list[Call], theirs: Call, seconds: float) -> tuple[list[float], float]:
    """Median times of our calls (cold) and of the peer's call, alternating until the time is up.

    Takes at least three rounds, or one if `seconds` is 0. Within a round, each of our calls is repeated for up to half
    of the peer's time, for a more stable median.
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
    """Time of `statement` in a fresh interpreter, in seconds, or None if it fails."""
    code = f"from time import perf_counter as t\ns = t()\n{statement}\nprint(t() - s)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return float(run.stdout.split()[-1]) if run.returncode == 0 else None


def import_times(statements: dict[str, str], runs: int) -> dict[str, float | None]:
    """Median import times. The modules alternate, so that a slow period affects all of them equally."""
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
    """Raised when a peer exceeds its time limit."""


def once_within(module: str, function: str, limit: float) -> tuple[float, float]:
    """Time and result of one call of a peer in a fresh interpreter; raises `TookTooLong`."""
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
    """One job in its own interpreter, with memory in bytes."""

    imported: int  # resident after the imports
    above: int  # peak during the work, above that
    seconds: float
    answer: float


def footprint(job: str) -> Footprint | str:
    """Run a job of `benchmarks.memory` in a fresh interpreter. If it fails, return the error message."""
    command = [sys.executable, "-m", "benchmarks.memory", job]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        return run.stderr.strip().splitlines()[-1] if run.stderr.strip() else f"ended with code {run.returncode}"
    return Footprint(**json.loads(run.stdout.splitlines()[-1]))
