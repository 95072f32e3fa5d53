"""Audits: lower bounds on leakage, measured by attacks.

Turns scores, counts, published points, guesses about canaries or runs of a mechanism into confidence bands, bounds and
verdicts on claims. May import everything below ``auditing`` in the map except ``interop``. Start with
``scores.py``, then ``measured.py``; see ``docs/decisions/0013`` for the proofs.
"""
