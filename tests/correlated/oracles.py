"""Naive references: sums over all combinations, dense grids of outputs, simulated attacks."""

from __future__ import annotations

import itertools
import math

import numpy as np


def laws(joint, values, weights, target, known):
    """For each possible combination of known values: {target index: (sums, conditional masses)}, one by one."""
    n = joint.ndim
    unknown = [j for j in range(n) if j != target and j not in known]
    for at in itertools.product(*(range(joint.shape[j]) for j in known)):
        found = {}
        for v in range(joint.shape[target]):
            sums, masses = [], []
            for rest in itertools.product(*(range(joint.shape[j]) for j in unknown)):
                index = [0] * n
                for j, x in zip((*known, target, *unknown), (*at, v, *rest)):
                    index[j] = x
                sums.append(sum(weights[j] * values[j][index[j]] for j in range(n)))
                masses.append(joint[tuple(index)])
            total = math.fsum(masses)
            if total > 0:
                found[v] = np.array(sums), np.array(masses) / total
        if found:
            yield found


def brute_leakage(joint, values, weights, scale, target, known, points=4001):
    """sup of the log-ratio on a dense grid of outputs, at all sums, and far out in both tails."""
    best = 0.0
    for found in laws(joint, values, weights, target, known):
        sums = np.concatenate([s for s, _ in found.values()])
        low, high = sums.min(), sums.max()
        grid = np.concatenate([np.linspace(low - 3 * scale, high + 3 * scale, points), sums, [low - 40, high + 40]])
        logs = []
        for s, m in found.values():
            exponent = -np.abs(grid[:, None] - s) / scale
            top = exponent.max(axis=1)
            logs.append(top + np.log(np.exp(exponent - top[:, None]) @ m))
        logs = np.array(logs)
        best = max(best, float((logs.max(axis=0) - logs.min(axis=0)).max()))
    return best


def knowledge_sets(n):
    """All (target, known)."""
    for i in range(n):
        others = [j for j in range(n) if j != i]
        for size in range(n):
            for known in itertools.combinations(others, size):
                yield i, known
