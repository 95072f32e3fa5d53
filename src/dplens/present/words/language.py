"""Access to the texts of a language, for sentences, pictures and reports.

The texts of a language are one JSON file, its grammar is a module of the same name; another language is two more such
files. In the file, keys that begin with # are remarks, and ``true`` and ``false`` are truth values.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from dplens import _validate
from dplens.present.words import english


def _read(grammar: ModuleType) -> SimpleNamespace:
    """The texts beside a grammar, with its functions: sentences by their names, ``Pictures`` and ``Report``."""

    def entries(found: dict[str, Any]) -> dict[Any, Any]:
        keys: dict[str, Any] = {"true": True, "false": False}
        return {keys.get(key, key): value for key, value in found.items() if not key.startswith("#")}

    file = Path(grammar.__file__ or "").with_suffix(".json")
    told = json.loads(file.read_text(encoding="utf-8"), object_hook=entries)
    told |= {part: SimpleNamespace(**told[part]) for part in ("Pictures", "Report")}
    rules = {name: rule for name, rule in vars(grammar).items() if callable(rule)}
    return SimpleNamespace(**rules, **told)


LANGUAGES: dict[str, Any] = {"en": _read(english)}
DEFAULT = "en"


def texts(language: str = DEFAULT) -> Any:
    """Every text of a language: sentences by their names, ``Pictures`` and ``Report``."""
    return LANGUAGES[_validate.one_of("language", language, tuple(LANGUAGES))]
