"""Releases, questions, data models and tests as plain values and back, also in one line.

Files, commands and saved assessments use these forms. May import the registry and the packages that hold mechanisms,
questions, models and tests, but no results. Start with ``releases``, then ``shorthand``.
"""
