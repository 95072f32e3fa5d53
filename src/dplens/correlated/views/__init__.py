"""One attacker: a target, a knowledge set, and the trade-off curve of the two output laws he compares.

``base.py`` defines what an attacker has, ``discrete.py`` and ``gaussian.py`` the two kinds. Below these are pairs of
mixtures, cells of their outputs with certified bounds, and the hull of several curves. May not import ``models``,
``search`` or ``chains``. Start with ``base.py``, then ``pairs.py``.
"""
