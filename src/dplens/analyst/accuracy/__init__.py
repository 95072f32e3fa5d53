"""Accuracy as a requirement: how far a published number may be from the true one, and how surely.

Each requirement names a query, what is promised and with which probability; ``of`` answers for a mechanism, ``met_by``
decides. May import ``analyst.laws``, ``queries`` and everything below them. Start with ``base.py``, then ``within.py``.
"""
