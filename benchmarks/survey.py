"""Ask dplens and its peers every question about every setting, and write survey.tsv and the end of RESULTS.md.

Run with `make survey`. `--ours` skips the peers and `--family` selects families; with either, the only file written is
the one given by `--rows`.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import select
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.asking import OTHERS, QUESTIONS
from benchmarks.releases import Setting
from benchmarks.settings import settings
from benchmarks.timing import Footprint, footprint

HERE = Path(__file__).parent
CAP = 10.0  # seconds of processor time for one question, ours or a peer's
START = 60.0  # until an interpreter must be ready
HEAVIEST = 6  # settings whose memory is measured in interpreters of their own
AGREE = 1e-9  # by which a peer's answer may lie beyond our bracket, for rounding


@dataclass(frozen=True)
class Found:
    """An answer with its time. ``stopped``: the cap was reached. ``note``: why there is no answer."""

    seconds: float | None = None
    stopped: bool = False
    note: str = ""
    said: dict[str, Any] = field(default_factory=dict)

    @property
    def width(self) -> float | None:
        """Relative width of our enclosure."""
        return self.said.get("width")


@dataclass(frozen=True)
class Compared:
    """Results for one setting: ours by question, the peers' by name and question."""

    setting: Setting
    ours: dict[str, Found]
    theirs: dict[tuple[str, str], Found]

    def fastest(self, question: str, among: str = "") -> tuple[str, Found] | None:
        """The fastest peer for a question. ``among`` restricts the choice to one peer."""
        asked = [(who, found) for (who, what), found in self.theirs.items() if what == question]
        able = [(who, found) for who, found in asked if found.seconds and among in ("", who)]
        return min(able, key=lambda pair: pair[1].seconds or 0.0, default=None)

    def ratio(self, question: str, among: str = "") -> float | None:
        """Speedup over the fastest peer: a lower bound if the peer was stopped, an upper bound if ours was."""
        other, own = self.fastest(question, among), self.ours[question]
        if other is None or other[1].seconds is None or not own.seconds:
            return None
        return None if other[1].stopped and own.stopped else other[1].seconds / own.seconds

    def disagreement(self, who: str, question: str) -> str:
        """How a peer's answer understates the certified risk; empty if it does not."""
        own, other = self.ours[question].said, self.theirs[who, question].said
        if "low" not in own or "value" not in other:
            return ""
        if question == "curve":
            over = np.asarray(other["value"]) - np.asarray(own["high"])
            optimistic = int((over > AGREE).sum())
            return f"beta too large at {optimistic} of {len(over)} points, by {over.max():.1e}" if optimistic else ""
        short = own["low"] - other["value"]
        return f"{short:.1e} below our lower bound" if short > AGREE * max(own["low"], 1e-3) else ""


class Interpreter:
    """A process that answers requests (`benchmarks.asking`), restarted after it had to be stopped."""

    def __init__(self, who: str) -> None:
        self.who = who
        self.process: subprocess.Popen[str] | None = None

    def ask(self, setting: Setting, who: str, question: str) -> Found:
        """Ask one question, and stop the process if it exceeds the cap."""
        if self.process is None:
            command = [sys.executable, "-m", "benchmarks.asking", self.who]
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            if self._read(START) is None:
                raise RuntimeError(f"the interpreter for {self.who} does not start")
        if self.process.stdin is None:
            raise RuntimeError("an interpreter without a way in")
        print(json.dumps([setting.name, who, question]), file=self.process.stdin, flush=True)
        # the ends of our curves are read after the clock has stopped, which may take as long again
        said = self._read(2 * CAP if (who, question) == ("ours", "curve") else CAP)
        if said is None:
            self.close()
            return Found(CAP, stopped=True)
        if "seconds" not in said:
            return Found(note=said.get("failed") or f"cannot say {said['unable']}")
        late = said["seconds"] > CAP
        return Found(CAP if late else said["seconds"], stopped=late, said=said)

    def _read(self, seconds: float) -> dict[str, Any] | None:
        """The next reply, or None if it takes more processor time than `seconds`."""
        if self.process is None or self.process.stdout is None:
            return None
        stop = self._used() + seconds
        while not select.select([self.process.stdout], [], [], 0.2)[0]:
            if self._used() > stop:
                return None
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def _used(self) -> float:
        """Processor time used so far, in seconds."""
        if self.process is None:
            return 0.0
        figures = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(figures[11]) + int(figures[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """Stop the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def compare(asked: list[Setting], with_peers: bool, workers: int = 1) -> list[Compared]:
    """Ask all questions about all settings, with `workers` pairs of interpreters in parallel."""
    start = time.perf_counter()
    waiting = queue.SimpleQueue[int]()
    rows: dict[int, Compared] = {}
    for i in range(len(asked)):
        waiting.put(i)

    def work_off() -> None:
        ours, others = Interpreter("ours"), Interpreter("others")
        try:
            while True:
                try:
                    i = waiting.get_nowait()
                except queue.Empty:
                    return
                row = rows[i] = _compared(asked[i], ours, others, with_peers)
                spent = " ".join(_seconds(found) for found in [*row.ours.values(), *row.theirs.values()])
                print(
                    f"{time.perf_counter() - start:5.0f} s  {i + 1}/{len(asked)} {asked[i].name}: {spent}", flush=True
                )
        finally:
            ours.close()
            others.close()

    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(work_off) for _ in range(workers)]:
            done.result()
    return [rows[i] for i in range(len(asked))]


def _compared(setting: Setting, ours: Interpreter, others: Interpreter, with_peers: bool) -> Compared:
    own = {question: ours.ask(setting, "ours", question) for question in QUESTIONS}
    theirs: dict[tuple[str, str], Found] = {}
    for who, question in OTHERS if with_peers else ():
        same = theirs.get(("dp-accounting", "epsilon"))
        if who == "riskcal" and same is not None and same.stopped:
            theirs[who, question] = same  # it starts with the same distribution
        else:
            theirs[who, question] = others.ask(setting, who, question)
    return Compared(setting, own, theirs)


def heaviest(rows: list[Compared]) -> dict[str, Footprint | str]:
    """Memory of the settings that appeared to need most, each measured in its own interpreter."""

    def seen(row: Compared) -> float:
        return max(found.said.get("above", 0.0) for found in row.ours.values())

    names = [row.setting.name for row in sorted(rows, key=seen, reverse=True)[:HEAVIEST]]
    return {name: footprint(f"survey:{name}") for name in names}


# ---- rows as a table of their own -----------------------------------------------------------------------------------

COLUMNS = ("family", "setting", "question", "who", "seconds", "low", "high", "width", "note")


def table_rows(rows: list[Compared]) -> str:
    """Every answer with its time, as tab-separated values."""
    lines = ["\t".join(COLUMNS)]
    for row in rows:
        for question, found in row.ours.items():
            lines.append(_line(row, question, "dplens", found, found.note))
        for (who, question), found in row.theirs.items():
            lines.append(_line(row, question, who, found, found.note or row.disagreement(who, question)))
    return "\n".join(lines) + "\n"


def _line(row: Compared, question: str, who: str, found: Found, note: str) -> str:
    said = found.said
    ends = [said.get("value"), None] if "value" in said else [said.get("low"), said.get("high")]
    numbers = [f"{x:.12g}" if isinstance(x, float) else "" for x in ends]
    width = "" if found.width is None else f"{found.width:.2g}"
    return "\t".join([row.setting.family, row.setting.name, question, who, _seconds(found), *numbers, width, note])


def _seconds(found: Found) -> str:
    if found.seconds is None:
        return "-"
    return f"{'>' if found.stopped else ''}{found.seconds:.3g}"


def main() -> None:
    """Run the survey, write and print the results."""
    from benchmarks.survey_report import survey_lines, with_survey

    parser = argparse.ArgumentParser(prog="python -m benchmarks.survey", description=__doc__)
    parser.add_argument("--ours", action="store_true", help="skip the peers")
    parser.add_argument("--family", action="append", help="survey only this family; may be repeated")
    parser.add_argument("--rows", type=Path, help="where to write all answers, as tab-separated values")
    parser.add_argument(
        "--workers", type=int, default=1, help="settings in parallel; more than one distorts the times slightly"
    )
    options = parser.parse_args()
    asked = [setting for setting in settings() if not options.family or setting.family in options.family]
    rows = compare(asked, not options.ours, options.workers)
    whole = not options.ours and not options.family
    lines = survey_lines(rows, heaviest(rows), options.workers)
    if options.rows or whole:
        (options.rows or HERE / "survey.tsv").write_text(table_rows(rows), encoding="utf-8")
    if whole:
        results = HERE / "RESULTS.md"
        results.write_text(with_survey(results.read_text(encoding="utf-8"), lines), encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
