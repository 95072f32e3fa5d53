"""Two doors to a decision: privacy first or utility first, and the split of a budget over several releases.

May import the other parts of ``decide`` and everything below it. Start with ``privacy_first.py``.
"""
