"""Composition: from the curves of single steps to the certified curve of the whole release.

``routes.py`` chooses among closed forms, enumeration and exact lattices (``finite.py``), splines (``spline``), contour
integrals (``contour``) and connect-the-dots (``grid``). This package may import ``losses``, ``curves`` and
``numerics``. Start with ``steps.py`` and ``routes.py``.
"""
