"""Noise distributions with accurate tails: SciPy's, mixtures and shifts, and noise on the integers.

May import the rest of ``numerics``. Start with ``base.py``, the interface of a continuous law; ``geometric.py`` has the
one for the integers.
"""
