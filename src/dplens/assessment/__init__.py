"""Everything there is to say about a release, as one immutable result without sentences.

``assess`` asks the questions, ``records`` and ``result`` hold the answers and write and read them as JSON, ``changes``
compares two results. May import ``describe`` and everything below it. Start with ``assess``.
"""
