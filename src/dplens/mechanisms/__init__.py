"""Mechanisms: frozen descriptions of what was released, each with its trade-off curve.

May import ``composition``, ``losses``, ``curves`` and everything below them. Start with ``base.py``, then
``guarantees.py`` for the simplest mechanisms; ``composed.py`` holds compositions and samples.
"""
