"""Li et al. 2019: examples of leakage, the theorems about it, and the simulations of Section VII.

Uses public names only. Start with ``examples``.
"""
