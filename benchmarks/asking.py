"""Survey worker: reads requests and writes replies, one line of JSON each.

Running in a separate interpreter lets the parent process stop a question that takes too long, even in compiled code.
"""

from __future__ import annotations

import json
import math
import resource
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import dplens as dl
from benchmarks import peers, work
from benchmarks.memory import forget_peak, import_whole, resident
from benchmarks.releases import Part, Setting
from benchmarks.settings import settings
from benchmarks.timing import forget

FPR = 0.01
QUESTIONS = ("epsilon", "power", "curve", "auc", "assess")
# peer and question, in the order they are asked
OTHERS = (("dp-accounting", "epsilon"), ("prv-accountant", "epsilon"), ("riskcal", "power"), ("riskcal", "curve"))
STEADY = 0.2  # seconds for which quick questions are repeated, up to five times
MEMORY = 8 << 30  # bytes that a process may hold

# asked before anything is timed, so that what is imported on first use is there
THROWAWAYS = (
    Setting("warm-up", "training", (Part("training", 2.0, 100, 0.05),)),
    Setting("warm-up", "counts", (Part("discrete gaussian", 3.0), Part("laplace", 4.0), Part("geometric", 4.0))),
    Setting("warm-up", "Student noise", (Part("student", 9.0, 2, more=5),)),
)


def answer(setting: Setting, question: str) -> Any:
    """Answer from dplens for a newly built mechanism. For the question "curve", also return the curve."""
    mechanism = setting.mechanism()
    match question:
        case "epsilon":
            return dl.Epsilon(delta=setting.delta).of(mechanism)
        case "power":
            return dl.AttackPower(fpr=FPR).of(mechanism)
        case "curve":
            curve = mechanism.tradeoff()
            return curve, curve(work.CURVE_ALPHAS)
        case "auc":
            return dl.AUC().of(mechanism)
        case "assess":
            return dl.assess(mechanism, delta=setting.delta, setting="local" if setting.local else "central")
    raise ValueError(f"no question {question!r}")


def peer_answer(setting: Setting, who: str, question: str) -> Any:
    """Answer from a peer: an epsilon, a power, or the false-negative rates of a curve."""
    match who, question:
        case "dp-accounting", _:
            return peers.accounting_epsilon(setting)
        case "prv-accountant", _:
            return peers.prv_epsilon(setting)
        case "riskcal", "power":
            return 1 - float(np.ravel(peers.riskcal_betas(setting, np.array([FPR])))[0])
        case "riskcal", "curve":
            return np.asarray(peers.riskcal_betas(setting, work.CURVE_ALPHAS), float)
    raise ValueError(f"{who} is not asked for {question}")


# ---- how wide a bracket is ------------------------------------------------------------------------------------------


def relative_width(low: float, high: float, probability: bool) -> float:
    """Width relative to the value, or to min(x, 1 − x) for a probability. Ignores two units in the last place."""
    if low == high:
        return 0.0
    least = min(high, 1 - low) if probability else high
    return max(high - low - 2 * math.ulp(high), 0.0) / least if math.isfinite(high) and least > 0 else 1.0


def curve_width(curve: Any) -> tuple[float, list[float]]:
    """Largest relative width over the points of the curve, and the upper bounds of beta."""
    alphas = work.CURVE_ALPHAS
    power, beta = curve.both_bounds(alphas, 1 - alphas)
    widths = []
    for found, other in ((power, beta), (beta, power)):
        low, high = np.asarray(found.lo, float), np.asarray(found.hi, float)
        seen = (high <= np.asarray(other.hi, float)) & (high > 0)
        loose = np.maximum(high[seen] - low[seen] - 2 * np.spacing(high[seen]), 0.0) / high[seen]
        widths.append(float(loose.max(initial=0.0)))
    return max(widths), np.asarray(beta.hi, float).tolist()


# ---- requests and replies -------------------------------------------------------------------------------------------


def reply(setting: Setting, who: str, question: str) -> dict[str, Any]:
    """Time and answer, or the reason why there is no answer."""
    try:
        if who == "ours":
            return _our_reply(setting, question)
        seconds, found = _timed(lambda: peer_answer(setting, who, question))
        return {"seconds": seconds, "value": found.tolist() if isinstance(found, np.ndarray) else float(found)}
    except peers.Inexpressible as error:
        return {"unable": str(error)}
    except MemoryError:
        return {"failed": f"needs more than {MEMORY >> 30} GiB"}
    except Exception as error:  # a failure is a result: of a peer, or of ours
        text = str(error).strip() or "no message"
        return {"failed": f"{type(error).__name__}: {text.splitlines()[0][:160]}"}


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Median time of up to five runs, and the last answer.

    Uses processor time: all questions run in one thread, and other load on the machine affects the result less.
    """
    found = None
    samples: list[float] = []
    while not samples or (sum(samples) < STEADY and len(samples) < 5):
        forget()
        start = time.process_time()
        found = call()
        samples.append(time.process_time() - start)
    return statistics.median(samples), found


def _our_reply(setting: Setting, question: str) -> dict[str, Any]:
    held = resident("VmRSS")
    forget_peak()
    seconds, found = _timed(lambda: answer(setting, question))
    out: dict[str, Any] = {"seconds": seconds, "above": max(resident("VmHWM") - held, 0)}
    if question == "curve":
        curve, betas = found
        width, highest = curve_width(curve)
        return out | {"width": width, "low": betas.tolist(), "high": highest}
    if question == "assess":
        return out
    width = relative_width(found.low, found.high, question != "epsilon")
    route = found.certificate.route if found.certificate else ""
    return out | {"low": found.low, "high": found.high, "width": width, "route": route}


def main() -> None:
    """Warm up for dplens or for the peers, then answer requests until input ends."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    lines, sys.stdout = sys.stdout, sys.stderr  # a peer that prints does not disturb the replies
    known = {setting.name: setting for setting in settings()}
    if sys.argv[1] == "ours":
        import_whole("dplens")
        for setting in THROWAWAYS:
            for question in QUESTIONS:
                answer(setting, question)
    else:
        for who, question in OTHERS:
            reply(THROWAWAYS[0], who, question)
    print(json.dumps({"ready": True}), file=lines, flush=True)
    for line in sys.stdin:
        name, who, question = json.loads(line)
        print(json.dumps(reply(known[name], who, question)), file=lines, flush=True)


if __name__ == "__main__":
    main()
