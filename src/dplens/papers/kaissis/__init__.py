"""Kaissis et al. 2022, reproduced."""
