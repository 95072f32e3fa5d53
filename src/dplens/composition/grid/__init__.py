"""Compositions of any steps on a lattice of losses, by connect-the-dots and Fourier transforms.

Imports ``losses``, ``curves`` and ``numerics``, but no other route. Start with ``connect_the_dots.py``, which states
and proves the bounds; ``tilted_sum.py`` computes them.
"""
