"""Checks that the models, views and searches share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from dplens import _validate


def listed(name: str, values: Any, rule: str, remedy: str = "") -> list[Any]:
    """What a list, an array or another collection holds; a text or a single thing is none."""
    single = isinstance(values, (str, bytes)) or (isinstance(values, np.ndarray) and not values.ndim)
    if single or isinstance(values, type) or not isinstance(values, Iterable):
        raise _validate.reject_type(name, rule, values, remedy)
    return list(values)


def index(name: str, value: Any, rule: str) -> int:
    """A whole number by which something is named."""
    if not _validate.is_integer(value):
        raise _validate.reject_type(name, rule, value)
    return int(value)
