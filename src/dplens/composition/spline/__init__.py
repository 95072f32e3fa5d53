"""Compositions of few Laplace, bounded-range and finite steps, as atoms and piecewise polynomial densities.

Imports ``losses``, ``curves`` and ``numerics``, but no other route. Start with ``sums.py``, which composes a step, then
``steps.py`` and ``curve.py``.
"""
