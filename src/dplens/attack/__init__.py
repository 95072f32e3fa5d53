"""The attacker's optimal test, the plausible deniability of an output, and the distribution of the privacy loss.

May import ``adversary``, ``mechanisms`` and everything below them, but not ``risk``. Start with ``attacker.py``.
"""
