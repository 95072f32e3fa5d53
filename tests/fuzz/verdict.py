"""What a call may end in: an answer that makes sense, or a dplens error."""

from __future__ import annotations

import math
import signal
import traceback
import warnings
from typing import Any

import numpy as np

import dplens as dl
from dplens.errors import DplensWarning
from tests.fuzz.targets import Call

SECONDS = 20  # longer than this is a hang

# The least and the largest answer of each question.
RANGES = {
    **dict.fromkeys((dl.Advantage, dl.AttackPower, dl.MinFPR, dl.Delta, dl.Precision, dl.FScore), (0.0, 1.0)),
    **dict.fromkeys((dl.Posterior, dl.PosteriorAfterNegative, dl.MaxPosterior), (0.0, 1.0)),
    **dict.fromkeys((dl.Reconstruction, dl.AttributeInference, dl.InferenceAdvantage), (0.0, 1.0)),
    **dict.fromkeys((dl.AUC, dl.Accuracy), (0.5, 1.0)),
    **dict.fromkeys((dl.Epsilon, dl.Mu, dl.Renyi, dl.Cost), (0.0, math.inf)),
    dl.RelativeRisk: (1.0, math.inf),
}
_ASKED = (
    *(dl.AttackPower(fpr=0.01), dl.Advantage(), dl.Epsilon(delta=1e-5), dl.Delta(epsilon=1.0)),
    *(dl.Posterior(prior=0.1, fpr=0.01), dl.RelativeRisk(fpr=0.01), dl.MinFPR(fnr=0.1)),
)
# Fields that are NaN where they are not known, as their documentation says.
_MAY_BE_NAN = {"auc", "accuracy", "fpr"}


class TimedOut(BaseException):
    """Raised by the alarm."""


def _ring(*_: Any) -> None:
    raise TimedOut


def examine(call: Call, seconds: float = SECONDS) -> str | None:
    """Runs the call; None, or what is wrong with how it ended."""
    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", DplensWarning)
            warnings.simplefilter("ignore", UserWarning)
            return _nonsense(call.run(), call)
    except TimedOut:
        return f"took more than {seconds:g} s"
    except dl.DplensError as error:
        return _badly_said(str(error))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return None if _is_binding(error, call) else f"raised {type(error).__name__}{_where(error)}: {error!s:.200}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _badly_said(message: str) -> str | None:
    if not message or len(message) > 2000 or "\n\n" in message:
        return f"said {message!r:.200}"
    return None


def _where(error: BaseException) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "dplens" in f.filename]
    return f" in {'/'.join(frames[-1].filename.split('/')[-2:])}:{frames[-1].name}" if frames else ""


def _is_binding(error: BaseException, call: Call) -> bool:
    """Whether Python refused the arguments themselves (too few, unknown names), before any line of dplens ran."""
    if not isinstance(error, TypeError):
        return False
    inside = [f for f in traceback.extract_tb(error.__traceback__) if "/fuzz/" not in f.filename]
    return not inside


def _nonsense(result: Any, call: Call) -> str | None:
    """What is wrong with a result, if anything."""
    repr(result)
    if isinstance(result, dl.Estimate):
        question = getattr(call.function, "__self__", None)
        wrong = _no_bracket(result, *RANGES.get(type(question), (-math.inf, math.inf)))
        if wrong:
            return wrong
    if not call.label.startswith("Estimate"):
        wrong = _inside(result, call.label.rpartition(".")[2], depth=3)
        if wrong:
            return wrong
    if isinstance(result, (dl.Mechanism, dl.View, dl.TradeOff)):
        for question in _ASKED:
            try:
                answer = question.of(result)
            except dl.DplensError:  # a question may have no answer
                continue
            wrong = _no_bracket(answer, *RANGES[type(question)])
            if wrong:
                return f"{question}: {wrong}"
    if isinstance(result, dl.Assessment) and call.label != "saved assessment":
        result.words()
        if dl.Assessment.from_json(result.to_json()) != result:
            return "its JSON reads back as something else"
    return None


def _inside(value: Any, name: str, depth: int) -> str | None:
    """NaN, or an estimate that is no bracket, anywhere in a result."""
    if isinstance(value, dl.Estimate):
        return _no_bracket(value, -math.inf, math.inf)
    if isinstance(value, float) and math.isnan(value):
        return None if name in _MAY_BE_NAN else f"{name} is NaN"
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.isnan(value).any():
        return f"{name} holds NaN"
    if depth == 0 or isinstance(value, dl.TradeOff):
        return None
    parts: Any = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, (list, tuple)):
        parts = [(name, part) for part in value[:50]]
    elif hasattr(value, "__dataclass_fields__") and type(value).__module__.startswith("dplens"):
        parts = [(n, getattr(value, n, None)) for n in value.__dataclass_fields__ if not n.startswith("_")]
    return next((wrong for key, part in parts if (wrong := _inside(part, str(key), depth - 1))), None)


def _no_bracket(estimate: dl.Estimate, low: float, high: float) -> str | None:
    if low <= estimate.low <= float(estimate) <= estimate.high <= high:
        return None
    return f"returned {estimate!r}, not in [{low:g}, {high:g}]"
