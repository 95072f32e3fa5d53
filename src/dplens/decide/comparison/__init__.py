"""Mechanisms and privacy notions side by side: dominance, errors of noise, conversions.

May import ``calibration`` and everything below ``decide``. Start with ``compare.py``.
"""
