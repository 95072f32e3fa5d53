"""Texts of every language, from Project Fluent files: a directory for each language, all its ``.ftl`` files together.

A text is found by its key and filled with numbers and names: ``language("de")("epsilon", delta=…, epsilon=…)``. A text
that a language lacks is taken from English. Functions that only one language needs are in a module of its name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from dplens import _validate
from dplens.present.rounding import belief, given, number, percent, share, times
from dplens.present.visible import visible
from dplens.risk.base import Question
from dplens.telling import LANGUAGES, Figure, Told

DEFAULT = LANGUAGES[0]
_HERE = Path(__file__).parent
_ENTRY = re.compile(r"^(-?[a-zA-Z][\w-]*) *=", re.MULTILINE)
_REMARK = re.compile(r"^#.*\n", re.MULTILINE)
_SMALL = re.compile(r"\b\d(\.\d+)?e-[1-7](?!\d)")  # any smaller number is easier to read as a power
_MINUS = re.compile(r"(?<![\w.])-(?=\d)")
_BREAK = "\u2028"  # a line end that is meant, as in a label


class Language:
    """The texts of one language; call it with a key and what is to be filled in.

    Numbers are ``Figure``s, which are already rounded, or integers; lists are joined. Everything else is foreign text.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self.entries: dict[str, str] = {}
        for file in sorted((_HERE / code).glob("*.ftl")):
            text = _REMARK.sub("", file.read_text(encoding="utf-8"))
            starts = [(match.start(), match[1]) for match in _ENTRY.finditer(text)]
            ends = [start for start, _ in starts[1:]] + [len(text)]
            self.entries |= {key: text[start:end] for (start, key), end in zip(starts, ends)}

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def __call__(self, key: str, **values: Any) -> str:
        if key.partition(".")[0] not in self.entries and self.code != DEFAULT:
            return language(DEFAULT)(key, **values)
        filled = {name: self.shown(value) for name, value in values.items()}
        # Fluent refuses long values: put them in afterwards
        long = {f"\ue000{name}\ue001": x for name, x in filled.items() if isinstance(x, str) and len(x) > 900}
        filled |= {mark[1:-1]: mark for mark in long}
        name, _, attribute = key.partition(".")
        message = self._bundle.get_message(name)
        text, errors = self._bundle.format_pattern(
            message.attributes[attribute] if attribute else message.value, filled
        )
        if errors:
            if self.code != DEFAULT:
                return language(DEFAULT)(key, **values)
            raise errors[0]
        for mark, value in long.items():
            text = str(text).replace(mark, value)
        return str(text).replace("\n", " ").replace(_BREAK, "\n")

    def shown(self, value: Any) -> Any:
        """A value as this language writes it."""
        if isinstance(value, Figure):
            return self.figure(value)
        if isinstance(value, Told):
            return value.words(self.code)
        if isinstance(value, Question):
            from dplens.present.words.answers import question_words

            return question_words(value, self)
        if isinstance(value, (list, tuple)):
            return self.listed(value)
        if isinstance(value, int) and abs(value) >= 10**15:  # more digits than Fluent prints
            return self.count(value)
        return visible(value) if isinstance(value, str) else value

    def listed(self, values: Sequence[Any]) -> str:
        """a, b and c."""
        parts = [str(self.shown(value)) for value in values]
        if len(parts) < 2:
            return "".join(parts)
        if parts[0].rstrip(")").endswith("."):  # sentences
            return " ".join(parts)
        return self("list-last", first=", ".join(parts[:-1]), last=parts[-1])

    def count(self, value: int) -> str:
        """A whole number with this language's grouping signs."""
        return self.figure(f"{value:,}")

    def figure(self, value: str) -> str:
        """A number with the decimal and grouping signs of this language: 0.000001 and −1.5, not 1e-6 and -1.5."""
        value = _SMALL.sub(lambda found: _unpowered(found[0]), value) if "e-" in value else value
        value = _MINUS.sub("−", value)
        return value.translate(self._signs) if self._signs else str(value)

    @property
    def _signs(self) -> dict[int, str]:
        return _signs(self.code) if self.code != DEFAULT else {}

    @property
    def _bundle(self) -> Any:
        return _bundle(self.code)


def _unpowered(number: str) -> str:
    """0.000001 for 1e-6."""
    return f"{Decimal(number):f}"


@lru_cache
def number_signs(code: str) -> dict[str, Any]:
    """The signs of numbers in a language, as Vega-Lite wants to know them."""
    from babel.numbers import get_decimal_symbol, get_group_symbol

    signs = {"decimal": get_decimal_symbol(code), "thousands": get_group_symbol(code)}
    return {**signs, "grouping": [3], "currency": ["", ""]}


@lru_cache
def _signs(code: str) -> dict[int, str]:
    signs = number_signs(code)
    return str.maketrans({".": signs["decimal"], ",": signs["thousands"], " ": "\u00a0"})


@lru_cache
def _bundle(code: str) -> Any:
    """The texts as Fluent evaluates them; each is parsed when it is used first, since few of them are."""
    from fluent.runtime import FluentBundle, FluentResource

    entries = language(code).entries

    class Bundle(FluentBundle):
        def _lookup(self, entry_id: str, term: bool = False) -> Any:
            key = f"-{entry_id}" if term else entry_id
            if key not in self._compiled:
                self.add_resource(FluentResource(entries[key]))
            return super()._lookup(entry_id, term)

    return Bundle([code], functions=_functions(code), use_isolating=False)


# Functions by which texts print numbers that arrive as they are.
_PRINTED: dict[str, Callable[[float], str]] = {
    "SHARE": share,
    "BELIEF": belief,
    "GIVEN": given,
    "NUMBER": number,
    "TIMES": times,
    "PERCENT": lambda x: percent(x, 3),
    "PERCENT2": percent,
    "ATLEAST": lambda x: percent(x, 3, more_is_riskier=False),
    "RATE": lambda x: percent(x, 4),
    "CHANCE": percent,
    "POINTS": lambda x: number(100 * float(x)),
    "SHORT": lambda x: Figure(f"{x:.4g}"),
}


def _functions(code: str) -> dict[str, Callable[..., Any]]:
    """Functions in capitals that the texts call: those that print numbers, and those of the language's grammar."""
    said = language(code)
    known: dict[str, Callable[..., Any]] = {
        name: lambda x, printed=printed: said.figure(printed(x)) for name, printed in _PRINTED.items()
    }
    known["CAPITAL"] = lambda text: str(text)[:1].upper() + str(text)[1:]
    known["SIZE"] = lambda x: said.figure(number(x)) if math.isfinite(x) else said("size-infinite")
    try:
        grammar = import_module(f"dplens.present.words.{code}.grammar")
    except ModuleNotFoundError:
        return known
    return {**known, **grammar.FUNCTIONS}


@lru_cache
def _language(code: str) -> Language:
    return Language(code)


def language(code: str = DEFAULT) -> Language:
    """The texts of a language, by its code: ``"en"``, ``"de"``."""
    return _language(_validate.one_of("language", code, LANGUAGES))
