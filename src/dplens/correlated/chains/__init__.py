"""The worst attacker in a long homogeneous Markov chain, where only the length of the unknown run matters.

``long_runs.py`` searches rectangles of lengths; ``one_side.py`` bounds them by their two sides; ``lattice_noise.py``
evaluates a run. May import ``models``, ``views`` and ``search.knowledge_sets``. Start with ``long_runs.py``.
"""
