"""Where in a file something stands: paths such as ``releases[0].sigma`` and their lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dplens.errors import DplensError, InvalidValue

Path = tuple[Any, ...]


class ScenarioError(InvalidValue):
    """A scenario cannot be used; the message names the file, the line where that is known, the place and the rule."""


class Located:
    """Plain values with the lines of their places."""

    def __init__(self, data: Any, source: str = "", lines: dict[Path, int] | None = None) -> None:
        self.data = data
        self.source = source
        self.lines = lines or {}

    def line(self, path: Path) -> int | None:
        """The line of a place, or of the nearest one around it."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return None

    def error(self, message: str, path: Path = ()) -> ScenarioError:
        """The error at a place (raise what this returns)."""
        line = self.line(path)
        where = [self.source or "scenario", *([f"line {line}"] if line else []), *([shown(path)] if path else [])]
        return ScenarioError(f"{', '.join(where)}: {message}")

    def at(self, error: DplensError, path: Path) -> ScenarioError:
        """An error of the library with the place of what caused it; the key it speaks of, where it does."""
        message = str(error)
        inner = self.value(path)
        words = message.split()
        named = words[1].rstrip(".,:") if len(words) > 1 and words[0] == "Expected" else ""
        named = named.split("[")[0]
        if isinstance(inner, dict) and named in inner:
            path = (*path, named)
        return self.error(message, path)

    def value(self, path: Sequence[Any]) -> Any:
        """What stands at a place; None where there is none."""
        current = self.data
        for key in path:
            try:
                current = current[key]
            except (KeyError, IndexError, TypeError):
                return None
        return current


def shown(path: Path) -> str:
    """A place as one would write it."""
    out = ""
    for key in path:
        out += f"[{key}]" if isinstance(key, int) else f".{key}" if out else str(key)
    return out
