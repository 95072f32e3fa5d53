"""De Fondeville 2026, reproduced."""
