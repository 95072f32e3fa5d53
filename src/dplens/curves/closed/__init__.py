"""Curves with closed forms: Gaussian, Laplace and logistic noise.

May import ``curves.base`` and ``numerics``. Start with ``bounded.py``; ``gaussian.py`` shows how a curve bounds its own
rounding.
"""
