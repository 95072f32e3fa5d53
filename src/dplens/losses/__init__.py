"""Distributions of the privacy loss: finitely many losses, or cumulant generating functions with error bounds.

May import ``curves`` and ``numerics``; ``composition`` and ``attack`` build on it. Start with ``base.py`` (one step),
``total.py`` (the sum of all steps) and ``atoms.py`` (finitely many losses).
"""
