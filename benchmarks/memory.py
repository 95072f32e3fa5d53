"""Run one job and measure its peak memory above the imports: python -m benchmarks.memory <job>.

A job is one of `JOBS`, or `survey:` followed by the name of a setting, which asks every survey question about it.
"""

import importlib
import json
import pkgutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import work

LAST = work.TRAININGS[-1]
# job: (modules to import first, the work: a function of `benchmarks.peers` and its argument)
JOBS: dict[str, tuple[str, str, Any]] = {
    "training ours": ("dplens", "our_training", LAST),
    "training dp-accounting": ("dp_accounting.pld.privacy_loss_distribution", "accounting_training", LAST),
    "training prv-accountant": ("prv_accountant", "prv_training", LAST),
    "curve ours": ("dplens", "our_curve", LAST),
    "curve riskcal": ("riskcal", "riskcal_curve", LAST),
    "mixed ours": ("dplens", "our_mixed", 200),
    "mixed dp-accounting": ("dp_accounting.pld.privacy_loss_distribution", "accounting_mixed", 200),
    "laplace ours": ("dplens", "our_laplace", work.LAPLACE_COUNTS[-1]),
    "laplace dp-accounting": (
        "dp_accounting.pld.privacy_loss_distribution",
        "accounting_laplace",
        work.LAPLACE_COUNTS[-1],
    ),
}
DELTAS = {"our_training": work.TRAINING_DELTA, "our_mixed": work.MIXED_DELTA, "our_laplace": work.LAPLACE_DELTA}


def resident(field: str) -> int:
    """Current (VmRSS) or peak (VmHWM) resident bytes. Unlike ru_maxrss, VmHWM does not include the parent process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    raise OSError(f"/proc/self/status has no {field}")


def forget_peak() -> None:
    """Reset VmHWM to the current resident size."""
    Path("/proc/self/clear_refs").write_text("5")


def import_whole(name: str) -> None:
    """Import a package. For dplens, import all modules, since it would otherwise load them during the job."""
    package = importlib.import_module(name)
    if name == "dplens":
        for module in pkgutil.walk_packages(package.__path__, "dplens."):
            importlib.import_module(module.name)


def answer(function: Callable[[Any], Any], argument: Any) -> float:
    """The job's answer: epsilon with both bounds for our mechanisms, one value for a curve."""
    import numpy as np

    found = function(argument)
    delta = DELTAS.get(function.__name__)
    if delta is not None:
        import dplens as dl

        return float(dl.Epsilon(delta=delta).of(found))
    return float(np.ravel(found)[0])


def survey_job(name: str) -> Callable[[], float]:
    """Ask every survey question about one setting, after a warm-up with another. The answer is its epsilon."""
    from benchmarks import asking
    from benchmarks.settings import settings

    import_whole("dplens")
    for question in asking.QUESTIONS:
        asking.answer(asking.THROWAWAYS[0], question)
    setting = next(setting for setting in settings() if setting.name == name)

    def ask() -> float:
        answers = [asking.answer(setting, question) for question in asking.QUESTIONS]
        return float(answers[0])

    return ask


def job_of(name: str) -> Callable[[], float]:
    """The job as a callable, with its imports already done."""
    kind, _, rest = name.partition(":")
    if kind == "survey":
        return survey_job(rest)
    from benchmarks import peers

    module, function, argument = JOBS[name]
    import_whole(module)
    return lambda: answer(getattr(peers, function), argument)


def main() -> None:
    """Import, record the memory, run the job, and record the peak."""
    job = job_of(sys.argv[1])
    imported = resident("VmRSS")
    forget_peak()
    start = time.perf_counter()
    value = job()
    seconds = time.perf_counter() - start
    above = max(resident("VmHWM") - imported, 0)
    print(json.dumps({"imported": imported, "above": above, "seconds": seconds, "answer": value}))


if __name__ == "__main__":
    main()
