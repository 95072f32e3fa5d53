"""Pairs of densities, enclosed by two polygons.

May import ``curves.finite``, ``curves.readings`` and ``numerics.laws``. The only module is ``ratio.py``; it uses the
cells of ``numerics/laws/cells.py``.
"""
