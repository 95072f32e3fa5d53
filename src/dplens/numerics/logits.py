"""Probabilities from logits, accurate at both ends."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from dplens.numerics.enclosure import Floats

# From the smallest float to 1 minus it: fine where curves bend, coarse in the tails.
GRID: Floats = np.concatenate(
    [
        np.linspace(-744, -40, 353),
        np.linspace(-39.5, -6, 202),
        np.linspace(-5.9, 5.9, 237),
        np.linspace(6, 39.5, 202),
        np.linspace(40, 744, 353),
    ]
)


def from_logit(logit: Floats) -> tuple[Floats, Floats]:
    """(p, 1 − p), each to full relative accuracy."""
    return expit(logit), expit(-logit)


def to_logit(p: Floats, co: Floats) -> Floats:
    """log p/(1 − p) from p and 1 − p."""
    with np.errstate(divide="ignore"):
        return np.log(p) - np.log(co)
