"""The worst attacker in long Markov chains, run by run. Start with ``long_runs.py``."""
