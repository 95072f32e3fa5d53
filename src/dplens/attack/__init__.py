"""The attacker's optimal test as an object, the hypotheses it decides between, and the law of the privacy loss.

May import ``adversary``, ``mechanisms`` and everything below them, but not ``risk``. Start with ``attacker.py``.
"""
