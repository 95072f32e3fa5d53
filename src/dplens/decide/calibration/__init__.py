"""The parameter of a family that meets all requirements. Start with ``calibrate.py``."""
