"""What a picture shows, as sentences with its numbers, for those who do not see it."""

from __future__ import annotations

import math
from typing import Any

from dplens.present.frames.base import ChartFrame
from dplens.present.rounding import belief, exceeding, given, number, percent, share, times

_MOST_LISTED = 4
_ENDS = ("low", "high")


def alt_text(frame: ChartFrame, kind: str, about: dict[str, str], words: Any) -> str:
    """A description of a picture with the numbers that matter in it."""
    return _ALT[kind](frame, about, words)


def _roc(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    f = frame.facts
    said = words.ALT["roc"].format(
        **about,
        fpr=share(f["fpr"]),
        power=percent(f["power"], 3),
        guess=share(f["fpr"]),
        advantage=number(100 * float(f["advantage"])),
    )
    return said + _proof(f, about, words)


def _tradeoff(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    f = frame.facts
    beta = next(row["beta"] for row in frame.rows if math.isclose(row["alpha"], f["fpr"], rel_tol=1e-12))
    missed = {"beta": percent(beta, 3, more_is_riskier=False), "miss": share(1 - f["fpr"])}
    return words.ALT["tradeoff"].format(**about, fpr=share(f["fpr"]), **missed) + _proof(f, about, words)


def _proof(facts: dict[str, Any], about: dict[str, str], words: Any) -> str:
    if float(facts["proof"]) == 0:
        return ""
    return words.ALT["proof"].format(proof=percent(facts["proof"]), proves=about["proves"])


def _precision_recall(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    said = [
        words.ALT["precision_at"].format(prior=belief(row["prior"]), precision=percent(row["precision"], 3))
        for row in frame.listed()
        if math.isclose(row["recall"], 0.5)
    ]
    return words.ALT["precision_recall"].format(**about, sentences=" ".join(said[:_MOST_LISTED]))


def _posterior(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    said = [
        words.ALT["posterior_at"].format(
            prior=belief(row["prior"]),
            posterior=percent(row["posterior"], 3),
            negative=percent(row["negative"], 3, more_is_riskier=False),
        )
        for row in frame.listed()
    ]
    return words.ALT["posterior"].format(
        **about, fpr=share(frame.facts["fpr"]), sentences=" ".join(said[:_MOST_LISTED])
    )


def _relative_risk(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    f = frame.facts
    if math.isfinite(f["limit"]):
        limit = words.ALT["limit_finite"].format(limit=times(f["limit"]))
    else:
        limit = words.ALT["limit_undetermined" if f["failure"] == "undetermined" else "limit_none"]
    return words.ALT["relative_risk"].format(**about, fpr=share(f["fpr"]), ratio=times(f["ratio"]), limit=limit)


def _profile(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    f = frame.facts
    tail = ""
    if f["ends_at"] is not None:
        tail = words.ALT["profile_ends"].format(ends_at=number(f["ends_at"]))
    elif float(f["proof"]) > 0:
        tail = words.ALT["profile_proof"].format(proof=number(f["proof"]), proves=about["proves"])
    known = words.ALT["profile_at" if math.isfinite(f["epsilon"]) else "profile_none"]
    return words.ALT["profile"].format(
        at_delta=known.format(delta=given(f["delta"]), epsilon=number(f["epsilon"])),
        advantage=number(frame.rows[0]["delta"]),
        tail=tail,
    )


def _finite(x: float) -> str:
    return number(x) if math.isfinite(x) else "infinite"


def _fscore(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    f = frame.facts
    return words.ALT["fscore"].format(
        weight=given(f["weight"]),
        prior=belief(f["prior"]),
        delta=given(f["delta"]),
        epsilon=words.ALT["fscore_epsilon" if math.isfinite(f["epsilon"]) else "fscore_none"].format(
            epsilon=number(f["epsilon"])
        ),
        score=number(f["score"]),
        everyone=number(f["everyone"]),
    )


def _power_noise(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    f = frame.facts
    said = [
        words.ALT["power_noise_at"].format(fpr=share(fpr), power=percent(power, 3))
        for fpr, power in zip(f["fprs"], f["powers"])
    ]
    noise = frame.column("noise")
    return words.ALT["power_noise"].format(
        **about, least=f"{min(noise):.4g}", most=f"{max(noise):.4g}", sentences=" ".join(said[:_MOST_LISTED])
    )


def _output_laws(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    f = frame.facts
    what = words.ALT[{"outcomes": "what_outcome", "loss": "what_loss"}.get(f["scale"], "what_output")]
    return words.ALT["output_laws"].format(**about, what=what, fpr=share(f["fpr"]), power=percent(f["power"], 3))


def _icons(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    f = frame.facts
    return words.ALT["icons"].format(
        **about,
        out_of=f"{f['out_of']:,}",
        before=f"{f['before']:,}",
        after=f"{f['after']:,}",
        added=f["after"] - f["before"],
        prior=belief(f["prior"]),
        fpr=share(f["fpr"]),
    )


def _leakage(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    f = frame.facts
    alone = "" if f["unrelated"] is None else words.ALT["leakage_unrelated"].format(unrelated=number(f["unrelated"]))
    said = words.ALT["leakage"].format(
        delta=given(f["delta"]), known=f["known"], epsilon=_finite(f["epsilon"]), unrelated=alone
    )
    if not f["exhaustive"]:
        return said + words.ALT["leakage_unsure"].format(bound=_finite(f["bound"]))
    return said + (words.ALT["leakage_skipped"].format(skipped=f["skipped"]) if f["skipped"] else "")


def _analyst_power(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    f = frame.facts
    said = [
        words.ALT[f"analyst_{name}"].format(power=percent(f[f"power_{name}"], 3, more_is_riskier=False))
        for name in ("none", "noise", "twice")
        if f"power_{name}" in f
    ]
    return words.ALT["analyst_power"].format(level=share(f["level"]), effect=given(f["effect"]), said=" ".join(said))


def _range_key(row: Any) -> str:
    if row["low"] == math.inf:
        return "feasible_unmet"
    if row["high"] is None:
        return "feasible_open" if row["unbounded"] else "feasible_never"
    return "feasible_empty" if row["empty"] else "feasible_range"


def _feasible(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    said = []
    for row in frame.rows:
        # inwards: every amount between the ends as printed serves
        ends = {end: "0" if row[end] is None else number(row[end], more_is_riskier=end == "low") for end in _ENDS}
        said.append(words.ALT[_range_key(row)].format(family=row["family"], parameter=row["parameter"], **ends))
    return words.ALT["feasible"].format(said=" ".join(said))


def _audit(frame: ChartFrame, about: dict[str, str], words: Any) -> str:
    f = frame.facts
    told = {"confidence": f"{100 * f['confidence']:.6g} %", "fpr": percent(f["fpr"], 3)}
    refuted = f["verdict"] == "refuted"
    told |= dict(zip(("measured", "claimed"), exceeding(f["measured"], f["claimed"]) if refuted else ("", "")))
    verdict = words.ALT["audit_refuted" if refuted else "audit_not_refuted"].format(**told)
    said = [
        words.ALT["audit_at"].format(
            alpha=percent(row["alpha"], 4),
            power=percent(row["power"], 3),
            measured=percent(row["measured"], 3, more_is_riskier=False),
        )
        for row in frame.listed()
    ]
    return words.ALT["audit"].format(**about, verdict=verdict, said=" ".join(said))


_ALT = {
    "roc": _roc,
    "roc_log": _roc,
    "tradeoff": _tradeoff,
    "precision_recall": _precision_recall,
    "posterior": _posterior,
    "relative_risk": _relative_risk,
    "profile": _profile,
    "fscore": _fscore,
    "power_noise": _power_noise,
    "output_laws": _output_laws,
    "icons": _icons,
    "leakage": _leakage,
    "analyst_power": _analyst_power,
    "feasible": _feasible,
    "audit": _audit,
}
