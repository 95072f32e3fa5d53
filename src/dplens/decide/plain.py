"""Results as plain, JSON-compatible values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from dplens.estimate import Estimate
from dplens.mechanisms.base import Mechanism
from dplens.registry import Result
from dplens.risk.base import Question, Requirement


def plain(value: Any) -> Any:
    """Dataclasses as dictionaries, sequences as lists, infinities as the strings "inf" and "-inf"."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Estimate):
        return {name: plain(part) for name, part in value.to_dict().items()}
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Requirement):
        limit = "at_most" if value.question.more_is_riskier else "at_least"
        return {**plain(value.question), limit: plain(value.bound)}
    if isinstance(value, Question):
        return {"question": type(value).__name__, **{f.name: plain(getattr(value, f.name)) for f in fields(value)}}
    if isinstance(value, Mechanism):
        return repr(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, Sequence):
        return [plain(v) for v in value]
    return repr(value)


class Plain(Result):
    """Base of results that convert to plain values."""

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; mechanisms in words."""
        return plain(self)
