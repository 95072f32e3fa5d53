"""Charts of frames, drawn with Altair and described in words; without mathematics or network access.

Imports ``present.frames``, ``present.words`` and ``present.rounding``. Start with ``picture``, then ``draw``.
"""
