"""Planning: unknown design parameters, tolerable noise, planning values with their sources, several tests at once.

May import the other parts of ``analyst`` and everything below it. Start with ``solving.py``.
"""
