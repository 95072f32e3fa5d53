"""Liu et al. 2019: F-scores of attackers, and what prior knowledge and correlation add.

Uses public names only. Start with ``fscore``, which has the figures without prior knowledge.
"""
