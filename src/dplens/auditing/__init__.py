"""Measured attacks: from scores, counts, guesses or a running mechanism to lower bounds on what leaks."""
