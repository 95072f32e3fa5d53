"""The worst attacker over all targets and knowledge sets, and curves that hold against all of them.

``worst.py`` checks the arguments and chooses the search; ``discrete.py`` and ``gaussian.py`` compare attackers one by
one or many at once. May import ``models``, ``views`` and ``chains``. Start with ``worst.py``.
"""
