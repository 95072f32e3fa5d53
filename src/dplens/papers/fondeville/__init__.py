"""De Fondeville 2026: what the attacker gains, how mechanisms fail, and what the analyst keeps.

Uses public names only. Start with ``attacker``, which has Figures 1 to 4.
"""
