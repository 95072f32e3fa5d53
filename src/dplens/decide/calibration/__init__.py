"""Calibration: the parameter of a family that meets all requirements, by a search or in closed form.

May import ``decide.plain`` and everything below ``decide``. Start with ``calibrate.py``.
"""
