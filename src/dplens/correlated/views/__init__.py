"""One attacker: a target, a knowledge set, and the trade-off curve between two output laws.

``base.py`` defines the attacker, ``discrete.py`` and ``gaussian.py`` the two kinds. Below these are pairs of
mixtures, cells of their outputs with certified bounds, and the hull of several curves. May not import ``models``
or ``search``. Start with ``base.py``, then ``pairs.py``.
"""
