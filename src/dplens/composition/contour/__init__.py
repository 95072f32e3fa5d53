"""Compositions of steps with a known cgf, by contour integrals with error bounds.

Imports ``losses``, ``curves`` and ``numerics``, but no other route. Start with ``curve.py``; ``line_readings.py``
chooses a line for each threshold, and ``line.py`` integrates along it.
"""
