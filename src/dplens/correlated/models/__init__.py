"""Models of related records: discrete tables, Markov chains, Gaussian tuples and chains; fitting them to data.

A model has ``view(…)`` for one attacker, ``worst(…)`` for the worst one, and ``bounds(…)`` that hold for all. Li's
graph of attackers is here too. May import ``views``, and ``search`` only inside functions. Start with ``discrete.py``.
"""
