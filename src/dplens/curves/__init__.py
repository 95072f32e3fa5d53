"""Trade-off curves: all of the probability theory.

``base.py`` defines :class:`~dplens.curves.base.TradeOff`; start there. ``closed/`` holds families with formulas,
``finite/`` laws with finitely many outcomes and polygons around pairs of densities, ``guarantees/`` what stated
guarantees allow, ``derived/`` hulls, groups and samples of other curves, and ``readings/`` the generic algorithms. May
import ``numerics``, ``estimate``, ``errors`` and ``_validate``.
"""
