"""Decisions: parameters from requirements, comparisons, and the two doors to a decision.

``calibration`` inverts questions, ``comparison`` compares mechanisms and privacy notions, ``doors`` goes from a limit
or a required power to a decision. May import ``analyst`` and everything below. Start with ``calibration/calibrate.py``.
"""
