"""Models of related records: discrete, Markov, Gaussian; fitting them to data. Start with ``discrete.py``."""
