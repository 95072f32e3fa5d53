"""Numerical tools without any notion of privacy.

Enclosures and outward rounding, root finding, quadrature, normal tails, divergences of finite laws, noise laws
(``laws/``), and thread-safe caching. May import ``estimate``, ``errors`` and ``_validate``. Start with
``enclosure.py``.
"""
