"""Piecewise linear curves: finite laws, noise on the integers, and polygons around other curves.

May import ``curves.base``, ``curves.readings`` and ``numerics``. Start with ``piecewise.py``, the Neyman–Pearson curve
of a finite pair; ``polygons.py`` builds such pairs from a privacy profile (connect the dots), and ``ratio.py`` from two
densities.
"""
