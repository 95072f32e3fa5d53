"""Queries: what is published, with the sensitivity that follows from declared facts, and the proof beside it.

A query says what is computed and how much one unit can contribute to it; ``release`` adds noise and returns a
mechanism. May import ``mechanisms`` and everything below them. Start with ``base.py``, then ``counts.py`` for the
simplest queries; ``norms.py`` holds the arithmetic and ``releases.py`` what each kind of noise needs.
"""
