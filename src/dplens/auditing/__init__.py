"""Audits: lower bounds on leakage, measured by attacks.

Scores, counts, published points, guesses about canaries or runs of a mechanism become confidence bands, and these become
bounds and verdicts on claims. May import everything below ``auditing`` in the map except ``interop``. Start with
``scores.py``, then ``measured.py``; see ``docs/decisions/0013`` for the proofs.
"""
