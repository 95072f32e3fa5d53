"""Questions about a curve: each a small class that is answered at both ends of the curve's enclosure.

May import ``adversary``, ``mechanisms`` and everything below them, but not ``attack``. Start with ``base.py``, then
``rates.py``.
"""
