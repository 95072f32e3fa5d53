"""Planning: unknown design parameters, bearable noise, planning values and their sources. Start with ``solving.py``."""
