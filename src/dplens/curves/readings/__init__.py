"""Readings that any curve has: profile, epsilon, area, mu and divergences, from its power and beta alone.

A kind of curve overrides a reading where it has a closed form. May import ``curves.base`` and ``numerics``; start with
``profile.py``.
"""
