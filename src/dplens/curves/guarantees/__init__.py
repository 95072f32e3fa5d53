"""The worst curve that a guarantee allows: Rényi and concentrated guarantees, and the best of several.

May import ``curves.base``, ``curves.finite``, ``curves.readings`` and ``numerics``. Start with ``renyi.py``;
``coins.py`` holds the divergences between two coins on which it rests.
"""
