"""The attacker's optimal test, the plausible deniability of an output, and the law of the privacy loss, also in bars.

May import ``adversary``, ``mechanisms`` and everything below them, but not ``risk``. Start with ``attacker.py``.
"""
