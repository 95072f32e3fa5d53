"""Naive high-precision oracles: each reading is taken from the two output laws, with no closed form of a curve.

No speed, no cleverness, no edge cases. Every oracle answers the same few questions (`Curve`), so that two of them
can be held against each other, and against the closed forms in the literature.
"""
