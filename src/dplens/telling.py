"""What results say to people: keys and numbers, which ``present.words`` puts into words of a language.

Imports nothing but the standard library; the texts are loaded with the first sentence. Start with :class:`Told`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

LANGUAGES = ("en", "de", "fr")  # of the words, the default first; each has a folder in present/words


class Figure(str):
    """A number as English prints it, already rounded; other languages put their own signs into it."""

    __slots__ = ()


class Told(str):
    """A sentence, given by its key and values; as a string, it is in English.

    values: numbers, :class:`Figure`, names, questions and limits, other sentences, or lists of these.

    >>> Told("heading-limits")
    'Limits'
    """

    key: str
    values: dict[str, Any]

    def __new__(cls, key: str, **values: Any) -> Told:
        made = super().__new__(cls, _in(LANGUAGES[0], key, values))
        made.key, made.values = key, values
        return made

    def words(self, language: str = LANGUAGES[0]) -> str:
        """The sentence in a language."""
        return _in(language, self.key, self.values)

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (str(self),)  # another version may not know the key


def _in(language: str, key: str, values: dict[str, Any]) -> str:
    return import_module("dplens.present.words.language").language(language)(key, **values)
