"""Curves made from other curves: hulls, groups of records, failures and Poisson samples.

May import every other part of ``curves``. Start with ``groups.py``; ``hull.py`` combines the two directions of a
mechanism.
"""
