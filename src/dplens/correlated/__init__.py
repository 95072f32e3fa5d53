"""Related records and what the attacker already knows: which two output laws he compares."""
