"""Texts of others on a terminal: what would steer it is shown, not done."""

from __future__ import annotations

import unicodedata

# letters that turn the direction of what follows, by which a text can be made to look like another
_TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    r"""The text with control characters written out; line ends and tabs stay.

    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if text.isprintable():
        return text
    return "".join(_written(c) if c not in "\n\t" and _steers(c) else c for c in text)


def _steers(letter: str) -> bool:
    return letter in _TURNS or unicodedata.category(letter) in ("Cc", "Cs")


def _written(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")
