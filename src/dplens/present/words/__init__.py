"""Sentences about results, as pure functions of their estimates; each language is a folder of Fluent files.

Imports results and ``present.rounding``, but neither frames nor charts. Start with ``say``, then ``language``.
"""

from __future__ import annotations

from dplens.present.words.changes import say_changes
from dplens.present.words.say import Section, Words, say

__all__ = ["Section", "Words", "say", "say_changes"]
