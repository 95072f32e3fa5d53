"""Related records and prior knowledge: the two output laws between which an attacker decides, and the worst attacker.

``models`` describe the data; a ``view`` is a single attacker on a model; ``search`` finds the worst one.
``frameworks.py`` compares notions of privacy on a model, ``value_above.py`` hypotheses about one value. The package may
import ``attack``, ``risk`` and everything below. Start with ``models/discrete.py``, then ``views/base.py``.
"""
