"""Related records and prior knowledge: which two output laws the attacker compares.

``models`` describe the data, ``views`` are single attackers, ``search`` finds the worst one and ``chains`` does so in
long Markov chains. May import ``attack``, ``risk`` and everything below. Start with ``models/discrete.py``.
"""
