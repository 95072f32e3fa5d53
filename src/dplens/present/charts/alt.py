"""Alternative texts: what a picture shows, as sentences with its numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dplens.present.frames.base import ChartFrame, Row
from dplens.present.rounding import exceeding, number
from dplens.present.words.answers import blind
from dplens.risk.bayes import FScore

Tell = Callable[..., str]


def alt_text(frame: ChartFrame, kind: str, words: Callable[..., str]) -> str:
    """A description of a picture with the numbers that matter in it."""
    facts = {name: fact for name, fact in frame.facts.items() if isinstance(fact, (str, float, int))}

    def tell(key: str, **more: Any) -> str:
        return words(f"alt-{key}", **{**facts, **more})

    if "releases" in frame.facts:
        each = [{**(one.listed() or [{}])[0], **one.facts, "name": name} for name, one in frame.releases().items()]
        told = [{k: fact for k, fact in one.items() if isinstance(fact, (str, float, int))} for one in each]
        return tell("overlay", count=len(told), said=" ".join(words(f"alt-overlay_{kind}", **one) for one in told))
    return _ALT[kind](frame, tell).strip()


def _each(tell: Tell, key: str, rows: list[Row]) -> str:
    """The first four rows, a sentence each."""
    return " ".join(tell(key, **row) for row in rows[:4])


def _proof(frame: ChartFrame, tell: Tell) -> str:
    return "" if float(frame.facts["proof"]) == 0 else f" {tell('proof')}"


def _tradeoff(frame: ChartFrame, tell: Tell) -> str:
    return tell("tradeoff", miss=1 - frame.facts["fpr"]) + _proof(frame, tell)


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
    more = [] if f["unrelated"] is None else [tell("leakage_unrelated")]
    if not f["exhaustive"]:
        more.append(tell("leakage_unsure"))
    elif f["skipped"]:
        more.append(tell("leakage_skipped"))
    return tell("leakage", more=" ".join(more))


def _fscore(frame: ChartFrame, tell: Tell) -> str:
    f = frame.facts
    epsilon = tell("fscore_epsilon" if math.isfinite(f["epsilon"]) else "fscore_none")
    return tell("fscore", epsilon=epsilon, unseen=blind(FScore(weight=f["weight"], prior=f["prior"])))


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


def _comparison(frame: ChartFrame, tell: Tell) -> str:
    said = (tell("overlay_comparison", name=row["release"], power=row["power"]) for row in frame.rows)
    return tell("comparison", said=" ".join(said))


_ALT: dict[str, Callable[[ChartFrame, Tell], str]] = {
    "roc": lambda frame, tell: tell("roc") + _proof(frame, tell),
    "roc_log": lambda frame, tell: tell("roc") + _proof(frame, tell),
    "tradeoff": _tradeoff,
    "precision_recall": _precision_recall,
    "posterior": lambda frame, tell: tell("posterior", sentences=_each(tell, "posterior_at", frame.listed())),
    "relative_risk": _relative_risk,
    "profile": _profile,
    "fscore": _fscore,
    "power_noise": _power_noise,
    "output_laws": lambda frame, tell: tell("output_laws"),
    "icons": lambda frame, tell: tell("icons", added=frame.facts["after"] - frame.facts["before"]),
    "leakage": _leakage,
    "analyst_power": _analyst_power,
    "feasible": _feasible,
    "audit": _audit,
    "comparison": _comparison,
}
