"""Tidy tables, one for each chart, with every number that the chart or its table shows.

Asks curves, tests and decisions for these numbers, and draws nothing. Start with ``base``, then ``kinds``, which lists
the frames by name.
"""
