"""The worst attacker over all targets and knowledge sets, and curves that hold against all of them.

``worst.py`` checks the arguments and chooses the search; ``discrete.py`` and ``gaussian.py`` compare attackers one by
one or many at once. In long homogeneous Markov chains, where only the length of the unknown run matters,
``long_runs.py`` searches rectangles of lengths and ``one_side.py`` bounds them by their two sides. May import
``models`` and ``views``. Start with ``worst.py``.
"""
