"""Numbers as metrics: safe names and finite floats, for experiment trackers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from dplens.describe.questions import question_name
from dplens.present.rounding import given
from dplens.risk.base import Question


def safe(name: str) -> str:
    """A name of lower-case letters, digits and underscores.

    >>> safe("Mean length of stay (days)"), safe("1e-5"), safe("日本")
    ('mean_length_of_stay_days', '1e_5', '')
    """
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:100]


def key_of(question: Question) -> str:
    """The name of a question as a metric: ``attack_power_fpr_0_01``."""
    values = ((f.name, getattr(question, f.name)) for f in fields(question) if not f.name.startswith("_"))
    told = [f"{name}_{given(value) if isinstance(value, float) else value}" for name, value in values]
    if not isinstance(question, Question) or len("_".join(told)) > 80:
        told = []
    return "_".join(safe(part) for part in (question_name(question), *told) if safe(part))


def metrics_of(named: Iterable[tuple[str, Any]]) -> dict[str, float]:
    """Names and numbers as metrics; of an infinite number its name with ``_infinite``, of a missing one nothing."""
    made: dict[str, float] = {}
    for name, value in named:
        if value is None or isinstance(value, str) or math.isnan(value):
            continue
        finite = math.isfinite(value)
        key = _free(safe(name) if finite else f"{safe(name)}_infinite", made)
        made[key] = float(value) if finite else math.copysign(1.0, value)
    return made


def _free(key: str, taken: dict[str, float]) -> str:
    """The name, with a number where it is taken."""
    key, count = key or "value", 2
    free = key
    while free in taken:
        free, count = f"{key}_{count}", count + 1
    return free
