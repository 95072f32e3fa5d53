"""Run every measurement once and write `benchmarks/RESULTS.md`."""

import os
import platform
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np

from benchmarks.cases import CASES, IMPORTS, Call, Case

RESULTS = Path(__file__).with_name("RESULTS.md")
IMPORT_RUNS = 9
IMPORT_LIMIT = 0.25  # seconds
SECONDS_PER_CALL = 0.6
PEERS = ("dp-accounting", "riskcal")


@dataclass(frozen=True)
class Row:
    """A measured case, ready to print; times in seconds."""

    case: Case
    ours: float | None = None
    baseline: float | None = None
    difference: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Time of ours over time of the baseline."""
        return self.ours / self.baseline if self.ours and self.baseline else None

    @property
    def verdict(self) -> str:
        """What is not as it should be, in words."""
        complaints = [self.note] if self.note else []
        if self.difference is not None and not self.difference <= self.case.rtol:
            complaints.append("answers differ")
        if self.ratio is not None and self.case.limit is not None and self.ratio > self.case.limit:
            complaints.append(f"slower than {self.case.limit:g}×")
        return ", ".join(complaints) or "ok"


def importable(statement: str) -> float | None:
    """Seconds that `statement` takes in a fresh interpreter, or None if it fails."""
    code = f"from time import perf_counter as t\ns = t()\n{statement}\nprint(t() - s)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return float(run.stdout.split()[-1]) if run.returncode == 0 else None


def time_imports() -> dict[str, float | None]:
    """Median import times; the modules take turns, so a slow moment hits all alike."""
    samples: dict[str, list[float | None]] = {name: [] for name in IMPORTS}
    for turn in range(IMPORT_RUNS + 1):
        for name, statement in IMPORTS.items():
            seconds = importable(statement)
            if turn:  # the first turn only warms the file cache
                samples[name].append(seconds)
    return {
        name: statistics.median(times) if (times := [s for s in seconds if s is not None]) else None
        for name, seconds in samples.items()
    }


def seconds_per_call(pair: tuple[Call, Call]) -> tuple[float, float]:
    """Median time of each callable, taking turns."""
    loops = [max(1, int(0.02 / max(once(call, 1), 1e-9))) for call in pair]
    samples: tuple[list[float], list[float]] = ([], [])
    stop = time.perf_counter() + 2 * SECONDS_PER_CALL
    while len(samples[0]) < 5 or time.perf_counter() < stop:
        for call, loop, sample in zip(pair, loops, samples, strict=True):
            sample.append(once(call, loop))
    return statistics.median(samples[0]), statistics.median(samples[1])


def once(call: Call, loops: int) -> float:
    """Mean time of a call over `loops` calls in a row."""
    start = time.perf_counter()
    for _ in range(loops):
        call()
    return (time.perf_counter() - start) / loops


def relative_difference(ours: object, baseline: object) -> float:
    """Largest relative difference of two answers, where both can be told from zero."""
    x, y = np.asarray(ours, dtype=float), np.asarray(baseline, dtype=float)
    scale = np.maximum(np.abs(y), 1e-300)
    return float(np.max(np.abs(x - y) / scale))


def measure(case: Case) -> Row:
    """Time one case; what cannot be run is noted, never fatal."""
    try:
        pair = case.build()
        difference = relative_difference(pair[0](), pair[1]())
    except ImportError as error:
        return Row(case, note=f"not installed: {error.name}")
    except Exception as error:
        return Row(case, note=f"{type(error).__name__}: {error}")
    ours, baseline = seconds_per_call(pair)
    return Row(case, ours, baseline, difference)


def pretty(seconds: float | None) -> str:
    """A duration with three digits and a unit that suits it."""
    if seconds is None:
        return "–"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def version(package: str) -> str:
    """Installed version, or the plain statement that there is none."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def document(imports: dict[str, float | None], rows: list[Row]) -> str:
    """The results as Markdown."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("dplens", "numpy", "scipy", *PEERS))
    machine = f"Python {platform.python_version()} on {platform.machine()}, {os.cpu_count()} cores"
    slow = imports["dplens"] is None or imports["dplens"] > IMPORT_LIMIT
    lines = [
        "# Results",
        "",
        "Written by `make bench` in one run; do not edit. Medians; both sides of a row take turns.",
        f"{machine}; {packages}.",
        "",
        "## Import, in a fresh interpreter",
        "",
        f"`import dplens` should stay below {IMPORT_LIMIT} s: {'**it does not**' if slow else 'it does'}.",
        "",
        "| what | time |",
        "|---|---:|",
        *(f"| {name} | {pretty(s) if s is not None else 'not importable'} |" for name, s in imports.items()),
    ]
    for group in dict.fromkeys(row.case.group for row in rows):
        lines += ["", f"## {group}", "", "| case | baseline | ours | baseline | ratio | difference | |"]
        lines += ["|---|---|---:|---:|---:|---:|---|"]
        for row in (r for r in rows if r.case.group == group):
            ratio = "–" if row.ratio is None else f"{row.ratio:.2g}"
            gap = "–" if row.difference is None else f"{row.difference:.0e}"
            lines.append(
                f"| {row.case.name} | {row.case.baseline} | {pretty(row.ours)} | {pretty(row.baseline)} "
                f"| {ratio} | {gap} | {row.verdict} |"
            )
    lines += ["", "Ratio is ours over baseline: below 1 is faster. Difference is the largest relative one."]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print, write."""
    print("Timing imports …", flush=True)
    imports = time_imports()
    rows: list[Row] = []
    for case in CASES:
        print(f"{case.name} against {case.baseline} …", flush=True)
        rows.append(measure(case))
    text = document(imports, rows)
    RESULTS.write_text(text, encoding="utf-8")
    print("\n" + text)


if __name__ == "__main__":
    main()
