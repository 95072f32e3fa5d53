"""The map of the house in CONTRIBUTING.md, made from the docstrings of the packages.

``python -m tests.house_map`` writes it; ``test_house.py`` checks that it is up to date.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "dplens"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
BEGIN, END = "<!-- map: made by `make map` from the packages' docstrings -->\n", "<!-- end of map -->\n"


def layers() -> list[str]:
    """The modules and packages of dplens, highest first, as import-linter lists them."""
    text = (ROOT / "pyproject.toml").read_text()
    listed = re.search(r"^layers = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert listed is not None
    return [name for line in re.findall(r'"(.+?)"', listed[1]) for name in line.split(" | ")]


def description(path: Path) -> str:
    """The docstring of a module on one line, in Markdown."""
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    return re.sub(r":\w+:`(.+?)`", r"`\1`", re.sub(r"``(.+?)``", r"`\1`", " ".join(text.split())))


def rows() -> Iterator[tuple[str, str]]:
    """Each module or package with its description, each followed by its sub-packages."""
    for name in layers():
        place = SOURCE / name
        if not place.is_dir():
            yield f"{name}.py", description(SOURCE / f"{name}.py")
            continue
        for start in sorted(place.rglob("__init__.py"), key=lambda p: (len(p.parts) > len(place.parts) + 1, p)):
            yield f"{start.parent.relative_to(SOURCE)}/", description(start)


def table() -> str:
    """The map in Markdown."""
    lines = [f"| `{name}` | {text} |" for name, text in rows()]
    return "\n".join(["", "| room | what it holds |", "|---|---|", *lines, "", ""])


def with_map(text: str) -> str:
    """CONTRIBUTING with the map as it should be."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


if __name__ == "__main__":
    CONTRIBUTING.write_text(with_map(CONTRIBUTING.read_text()))
    sys.exit(0)
