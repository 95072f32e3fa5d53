"""The worst curve that a guarantee allows: Rényi and zCDP guarantees, and the best of several.

May import ``curves.base``, ``curves.finite``, ``curves.readings`` and ``numerics``. Start with ``renyi.py``;
``coins.py`` computes the divergences between two coins, on which the curve is based.
"""
