"""The one way to the texts of a language: sentences, pictures and reports all ask here."""

from __future__ import annotations

from typing import Any

from dplens import _validate
from dplens.present.words import english

LANGUAGES: dict[str, Any] = {"en": english}
DEFAULT = "en"


def texts(language: str = DEFAULT) -> Any:
    """Every text of a language: sentences by their names, ``Pictures`` and ``Report``."""
    return LANGUAGES[_validate.one_of("language", language, tuple(LANGUAGES))]
