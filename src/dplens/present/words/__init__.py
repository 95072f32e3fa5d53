"""Sentences from an assessment: pure functions of its estimates. All texts of a language are in one file."""

from __future__ import annotations

from dplens.present.words.changes import say_changes
from dplens.present.words.say import Section, Words, say

__all__ = ["Section", "Words", "say", "say_changes"]
