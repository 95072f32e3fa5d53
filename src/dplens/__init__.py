"""dplens: what a differential-privacy guarantee means to the attacker, the person in the data and the analyst."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

# Public names and their modules stand in the stub alone; a module is loaded when one of its names is first used.
_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_HOME_OF = {name: home for home, name in re.findall(r"^from (\S+) import (\w+) as \2$", _STUB, re.MULTILINE)}

__all__ = sorted(_HOME_OF)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("dplens")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'dplens' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
