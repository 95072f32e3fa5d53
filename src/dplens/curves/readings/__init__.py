"""Algorithms that work for any curve: profile, epsilon, area, mu and Rényi divergence from power and beta alone.

A curve overrides a reading where it has a closed form. May import ``curves.base``, ``curves.finite`` (areas
only) and ``numerics``. Start with ``profile.py``.
"""
