"""The worst attacker over targets and knowledge sets. Start with ``worst.py``."""
