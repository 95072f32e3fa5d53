"""Pairs of densities, enclosed by two polygons.

May import ``curves.finite``, ``curves.readings`` and ``numerics.laws``. ``ratio.py`` is all there is; the cells it
works on are in ``numerics/laws/cells.py``.
"""
