"""Makes control characters in foreign texts visible, so that they cannot steer a terminal."""

from __future__ import annotations

import unicodedata

# marks of text direction, which can make one text look like another, and of lines
_TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")


def visible(text: str) -> str:
    r"""The text with control characters written out; line ends and tabs stay.

    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if text.isprintable():
        return text
    steering = {c for c in set(text) - set("\n\t") if c in _TURNS or unicodedata.category(c) in ("Cc", "Cs")}
    return "".join(c.encode("unicode_escape").decode("ascii") if c in steering else c for c in text)
