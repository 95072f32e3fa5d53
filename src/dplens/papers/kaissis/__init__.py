"""Kaissis et al. 2022: the Gaussian mechanism described by psi = sensitivity/sigma.

Uses public names only. Start with ``psi``, which has Figures 1, 2, 3 and 5 and the helpers of the other modules.
"""
