"""Run all benchmarks except the survey and write `benchmarks/RESULTS.md`. With `--quick`, print but write nothing."""

import argparse
import os
import time
from pathlib import Path

from benchmarks.analyst import analyst_goals, measure_analyst
from benchmarks.calibration import calibration_goals, measure_calibration
from benchmarks.cases import CASES, IMPORTS
from benchmarks.correlated import correlated_goals, measure_correlated
from benchmarks.goals import goals, measure_goal
from benchmarks.growth import growths, measure_growth
from benchmarks.memory import JOBS
from benchmarks.report import Measurements, document
from benchmarks.singles import measure
from benchmarks.survey_report import survey_section
from benchmarks.timing import Footprint, footprint, import_times

RESULTS = Path(__file__).with_name("RESULTS.md")


def measurements(quick: bool) -> Measurements:
    """Run all measurements in sequence."""
    start = time.perf_counter()

    def say(what: str) -> None:
        print(f"{time.perf_counter() - start:4.0f} s  {what}", flush=True)

    say("imports")
    imports = import_times(IMPORTS, runs=1 if quick else 7)
    footprints: dict[str, Footprint | str] = {}
    rows = []
    for goal in goals():
        if quick and goal.job:
            continue
        say(f"{goal.group}, {goal.name}, against {goal.peer}")
        rows.append(measure_goal(goal, 0.0 if quick else 4.0, footprints))
    calibrated = []
    for goal in calibration_goals():
        if quick and goal.slow:
            continue
        say(f"calibration to {goal.name}, against {goal.peer}")
        calibrated.append(measure_calibration(goal, 0.0 if quick else 4.0))
    related = []
    for goal in correlated_goals():
        if quick and goal.large:
            continue
        say(f"every attacker, {goal.job}")
        related.append(measure_correlated(goal))
    planned = []
    for goal in analyst_goals():
        if quick and goal.large:
            continue
        say(f"the analyst, {goal.job}")
        planned.append(measure_analyst(goal))
    for job in () if quick else JOBS:
        say(f"memory: {job}")
        footprints[job] = footprints.get(job) or footprint(job)
    grown = []
    for growth in growths():
        say(f"{growth.group}, {growth.size}")
        grown.append(measure_growth(growth, 0.0 if quick else 0.5))
    singles = []
    for case in CASES:
        say(f"{case.name} against {case.baseline}")
        singles.append(measure(case, 0.0 if quick else 1.0))
    kept = {job: footprints[job] for job in JOBS if job in footprints}
    return Measurements(imports, rows, calibrated, related, planned, kept, grown, singles)


def main() -> None:
    """Measure, print and write the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few repetitions, no large jobs, write nothing")
    quick = parser.parse_args().quick
    text = document(measurements(quick))
    if not quick:
        if RESULTS.exists():  # the survey takes much longer and is run by itself: what it found last stays
            text += survey_section(RESULTS.read_text(encoding="utf-8"))
        whole = RESULTS.with_suffix(".part")  # results are there whole or not at all
        whole.write_text(text, encoding="utf-8")
        os.replace(whole, RESULTS)
    print("\n" + text)


if __name__ == "__main__":
    main()
