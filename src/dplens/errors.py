"""The errors dplens raises: one tree, each also the builtin error a caller would expect."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class DplensError(Exception):
    """Base of every error dplens raises on purpose."""

    argument: str = ""  # of the public function, when the error was raised deeper inside


class InvalidValue(DplensError, ValueError):
    """An argument has a value outside its rule; the message names argument, value, rule and remedy."""


class InvalidType(DplensError, TypeError):
    """An argument is not the kind of thing that is expected."""


class Undefined(DplensError, ValueError):
    """The question is well posed but has no answer for this object (for instance no output threshold)."""


class ToleranceNotMet(DplensError, ArithmeticError):
    """A reading is not known as closely as was asked for; ``width`` says how closely it is."""

    def __init__(self, message: str, width: float) -> None:
        super().__init__(message)
        self.width = width

    def __reduce__(self):
        return type(self), (self.args[0], self.width)


class CannotWrite(DplensError, OSError):
    """A file cannot be written where it was asked for; nothing was left behind."""


class MissingExtra(DplensError, ImportError):
    """An optional dependency is needed; the message holds the install command."""


def required(module: str, what: str, extra: str) -> Any:
    """An optional module; if it is missing, an error says what needs it and how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(f"{what}. Install it with: pip install 'dplens[{extra}]'") from error


class DplensWarning(UserWarning):
    """The answer holds under an assumption that is often overlooked; the message says which."""
