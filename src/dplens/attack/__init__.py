"""The attacker's best test as a thing one can hold, and the hypotheses it can be put to."""
