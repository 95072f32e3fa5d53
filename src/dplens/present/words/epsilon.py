"""Epsilon and delta in words, which come last."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dplens.present.rounding import given, number
from dplens.risk.conversions import Epsilon
from dplens.risk.rates import AttackPower

if TYPE_CHECKING:
    from dplens.assessment.result import Assessment
    from dplens.estimate import Estimate

_SAME = 1.05  # epsilons whose ratio is smaller are told in one line
_PLAIN_EPSILON = 10.0  # e to a larger power is a number that tells nobody anything


def epsilon_sentences(assessment: Assessment, voice: Any) -> list[str]:
    """What epsilon is, its value at the assessment's delta and at 0, and which delta has an epsilon at all."""
    delta = assessment.assumptions.delta
    at_delta, pure = (assessment.answer(Epsilon(delta=at)).high for at in (delta, 0.0))
    same = delta > 0 and math.isfinite(pure) and pure <= _SAME * at_delta
    out = [voice("epsilon-explained")]
    out += [_explained(assessment, at, voice, same) for at in dict.fromkeys([0.0] if same else [delta, 0.0])]
    if "related_worse" in assessment.warnings:
        out.append(voice("epsilon-related"))
    proof = assessment.answer(AttackPower(fpr=0.0)).high
    if 0 < delta <= proof and math.isinf(assessment.answer(Epsilon(delta=delta)).high):
        out.append(voice("epsilon-delta", proof=number(proof), epsilon=_stated(assessment)))
    return out


def _explained(assessment: Assessment, delta: float, voice: Any, same: bool) -> str:
    """Epsilon at a delta, or the same at both, and what it means, unless nothing is claimed or the claim is refuted."""
    answer = assessment.answer(Epsilon(delta=delta))
    said = epsilon_sentence(delta, answer, voice)
    if same:
        said = voice("epsilon-both", delta=given(assessment.assumptions.delta), epsilon=number(answer.high))
    if answer.high > _PLAIN_EPSILON or assessment.mildest or assessment.refuted:
        return said
    alone = "yes" if "related_worse" in assessment.warnings else "no"  # those who know the relations learn more
    key = "epsilon-means" if delta > 0 else "epsilon-means-pure"
    return f"{said} {voice(key, factor=number(math.exp(answer.high)), alone=alone)}"


def _stated(assessment: Assessment) -> str:
    """The epsilon of a release of which only epsilon and delta are stated, or else "none"."""
    release = assessment.release
    known = release.get("mechanism") == "approximate_dp" and math.isfinite(release["epsilon"])
    return given(release["epsilon"]) if known else "none"


def epsilon_sentence(delta: float, answer: Estimate, voice: Any) -> str:
    """Epsilon at a delta: finite, infinite, or not known to be finite."""
    if math.isfinite(answer.high):
        return voice("epsilon", delta=given(delta), epsilon=number(answer.high))
    if math.isinf(answer.low):
        return voice("epsilon-infinite", delta=given(delta))
    return voice("epsilon-unknown", delta=given(delta), low=number(answer.low, more_is_riskier=False))
