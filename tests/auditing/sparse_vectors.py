"""The six sparse-vector variants of Lyu, Su & Li (2017, Figure 1), many runs at once: 1 for above, 0 for below.

Algorithm 1 is private. 3 publishes the noisy answer, 4 does not scale its noise with the number of positives, 5 adds no
noise to the queries, 6 neither scales nor stops: they do not keep epsilon. (2 is private, with more noise.)
After the last allowed positive, outputs are 0.
"""

import numpy as np


def answers(variant, queries, epsilon, positives, rng, size):
    queries = np.asarray(queries, float)
    threshold, noise = {
        1: (2 / epsilon, 4 * positives / epsilon),
        3: (2 / epsilon, 2 * positives / epsilon),
        4: (4 / epsilon, 4 / (3 * epsilon)),
        5: (2 / epsilon, 0.0),
        6: (2 / epsilon, 2 / epsilon),
    }[variant]
    bar = rng.laplace(0, threshold, (size, 1))
    noisy = queries + (rng.laplace(0, noise, (size, len(queries))) if noise else 0.0)
    above = noisy >= bar
    if variant in (1, 3, 4):
        above &= np.cumsum(above, axis=1) <= positives
    return np.where(above, noisy, -np.inf) if variant == 3 else above.astype(float)
