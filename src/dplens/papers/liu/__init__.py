"""Liu et al. 2019, reproduced."""
