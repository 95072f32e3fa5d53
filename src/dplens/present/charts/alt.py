"""Alternative texts: what a picture shows, as sentences with its numbers."""

from __future__ import annotations

import math
import string
from collections.abc import Callable
from typing import Any

from dplens.present.frames.base import ChartFrame, Row
from dplens.present.rounding import belief, exceeding, given, number, percent, share, times

# How texts say that a number is to be printed: {power:percent} on its risky side, {fpr:share} as it was put in.
_PRINTED: dict[str, Callable[[Any], str]] = {
    "share": share,
    "belief": belief,
    "given": given,
    "number": number,
    "times": times,
    "percent": lambda x: percent(x, 3),
    "at_least": lambda x: percent(x, 3, more_is_riskier=False),
    "rate": lambda x: percent(x, 4),
    "chance": percent,
    "points": lambda x: number(100 * float(x)),
    "confidence": lambda x: f"{100 * x:.6g} %",
    "size": lambda x: number(x) if math.isfinite(x) else "infinite",
}


class _Teller(string.Formatter):
    """Fills in numbers as a text asks for them."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return _PRINTED[format_spec](value) if format_spec in _PRINTED else super().format_field(value, format_spec)


Tell = Callable[..., str]


def alt_text(frame: ChartFrame, kind: str, about: dict[str, str], words: Any) -> str:
    """A description of a picture with the numbers that matter in it."""

    def tell(key: str, **more: Any) -> str:
        return _Teller().format(words.ALT[key], **{**frame.facts, **about, **more})

    return _ALT[kind](frame, tell)


def _each(tell: Tell, key: str, rows: list[Row]) -> str:
    """The first four rows, a sentence each."""
    return " ".join(tell(key, **row) for row in rows[:4])


def _proof(frame: ChartFrame, tell: Tell) -> str:
    return "" if float(frame.facts["proof"]) == 0 else tell("proof")


def _tradeoff(frame: ChartFrame, tell: Tell) -> str:
    fpr = frame.facts["fpr"]
    beta = next(row["beta"] for row in frame.rows if math.isclose(row["alpha"], fpr, rel_tol=1e-12))
    return tell("tradeoff", beta=beta, miss=1 - fpr) + _proof(frame, tell)


def _precision_recall(frame: ChartFrame, tell: Tell) -> str:
    half = [row for row in frame.listed() if math.isclose(row["recall"], 0.5)]
    return tell("precision_recall", sentences=_each(tell, "precision_at", half))


def _relative_risk(frame: ChartFrame, tell: Tell) -> str:
    endless = "undetermined" if frame.facts["failure"] == "undetermined" else "none"
    return tell("relative_risk", limit=tell(f"limit_{'finite' if math.isfinite(frame.facts['limit']) else endless}"))


def _profile(frame: ChartFrame, tell: Tell) -> str:
    f, tail = frame.facts, ""
    if f["ends_at"] is not None:
        tail = tell("profile_ends")
    elif float(f["proof"]) > 0:
        tail = tell("profile_proof")
    known = tell("profile_at" if math.isfinite(f["epsilon"]) else "profile_none")
    return tell("profile", at_delta=known, advantage=frame.rows[0]["delta"], tail=tail)


def _power_noise(frame: ChartFrame, tell: Tell) -> str:
    noise = frame.column("noise")
    at = [{"fpr": fpr, "power": power} for fpr, power in zip(frame.facts["fprs"], frame.facts["powers"])]
    return tell("power_noise", least=min(noise), most=max(noise), sentences=_each(tell, "power_noise_at", at))


def _leakage(frame: ChartFrame, tell: Tell) -> str:
    f = frame.facts
    said = tell("leakage", unrelated="" if f["unrelated"] is None else tell("leakage_unrelated"))
    if not f["exhaustive"]:
        return said + tell("leakage_unsure")
    return said + (tell("leakage_skipped") if f["skipped"] else "")


def _analyst_power(frame: ChartFrame, tell: Tell) -> str:
    powers = {name: frame.facts.get(f"power_{name}") for name in ("none", "noise", "twice")}
    said = (tell(f"analyst_{name}", power=power) for name, power in powers.items() if power is not None)
    return tell("analyst_power", said=" ".join(said))


def _feasible(frame: ChartFrame, tell: Tell) -> str:
    said = []
    for row in frame.rows:
        key = "feasible_empty" if row["empty"] else "feasible_range"
        if row["low"] == math.inf:
            key = "feasible_unmet"
        elif row["high"] is None:
            key = "feasible_open" if row["unbounded"] else "feasible_never"
        # inwards: every amount between the ends as printed serves
        ends = {k: "0" if row[k] is None else number(row[k], more_is_riskier=k == "low") for k in ("low", "high")}
        said.append(tell(key, **{**row, **ends}))
    return tell("feasible", said=" ".join(said))


def _audit(frame: ChartFrame, tell: Tell) -> str:
    f = frame.facts
    verdict = tell("audit_not_refuted")
    if f["verdict"] == "refuted":
        measured, claimed = exceeding(f["measured"], f["claimed"])
        verdict = tell("audit_refuted", measured=measured, claimed=claimed)
    return tell("audit", verdict=verdict, said=" ".join(tell("audit_at", **row) for row in frame.listed()))


_SCALES = {"outcomes": "what_outcome", "loss": "what_loss"}
_ALT: dict[str, Callable[[ChartFrame, Tell], str]] = {
    "roc": lambda frame, tell: tell("roc") + _proof(frame, tell),
    "roc_log": lambda frame, tell: tell("roc") + _proof(frame, tell),
    "tradeoff": _tradeoff,
    "precision_recall": _precision_recall,
    "posterior": lambda frame, tell: tell("posterior", sentences=_each(tell, "posterior_at", frame.listed())),
    "relative_risk": _relative_risk,
    "profile": _profile,
    "fscore": lambda frame, tell: tell(
        "fscore", epsilon=tell("fscore_epsilon" if math.isfinite(frame.facts["epsilon"]) else "fscore_none")
    ),
    "power_noise": _power_noise,
    "output_laws": lambda frame, tell: tell("output_laws", what=tell(_SCALES.get(frame.facts["scale"], "what_output"))),
    "icons": lambda frame, tell: tell("icons", added=frame.facts["after"] - frame.facts["before"]),
    "leakage": _leakage,
    "analyst_power": _analyst_power,
    "feasible": _feasible,
    "audit": _audit,
}
