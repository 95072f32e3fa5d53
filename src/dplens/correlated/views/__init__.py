"""One attacker: a target, a knowledge set and the curve of the two output laws. Start with ``base.py``."""
