"""Questions about a curve: small classes, each answered at both ends of the curve's enclosure.

May import ``adversary``, ``mechanisms`` and everything below them, but not ``attack``. Start with ``base.py``, then
``rates.py``.
"""
