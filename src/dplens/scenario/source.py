"""Reading YAML, TOML and JSON: plain values, each with its place (``releases[0].sigma``) and its line."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path as File
from typing import Any

from dplens._validate import has_lone_surrogates
from dplens.errors import DplensError, InvalidValue, MissingExtra, required

SUFFIXES = {".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".json": "json"}
_DEEPEST, _MOST = 40, 300_000  # levels, values
NUMBER = re.compile(r"[-+]?(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)([eE][-+]?\d+)?\Z")
_NAMED = {".inf": float("inf"), "+.inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan")}
_ENDLESS = "Expected a scenario of moderate size and depth, got one that is nested or repeated without end."
_WORDS = {"": None, "null": None, "~": None, "true": True, "false": False}


Path = tuple[Any, ...]


class ScenarioError(InvalidValue):
    """A scenario is invalid; the message names the file, the line if known, the place and the rule."""


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
        name = self.source if len(self.source) <= 300 else f"…{self.source[-300:]}"
        where = [name or "scenario", *([f"line {line}"] if line else []), *([shown(path)] if path else [])]
        return ScenarioError(f"{', '.join(where)}: {message}")

    def at(self, error: DplensError, path: Path) -> ScenarioError:
        """An error of the library at a place, or at the key in it that the message names."""
        message = str(error)
        inner = self.value(path)
        words = message.split()
        named = words[1].rstrip(".,:") if len(words) > 1 and words[0] == "Expected" else ""
        named = named.split("[")[0]
        if isinstance(inner, dict) and named in inner:
            path = (*path, named)
        return self.error(message, path)

    def value(self, path: Sequence[Any]) -> Any:
        """The value at a place, or None."""
        current = self.data
        for key in path:
            try:
                current = current[key]
            except (KeyError, IndexError, TypeError):
                return None
        return current


def shown(path: Path) -> str:
    """A place in dotted notation."""
    out = ""
    for key in path:
        out += f"[{key}]" if isinstance(key, int) else f".{key}" if out else str(key)
    return out


def read_source(path: str | os.PathLike[str]) -> Located:
    """The values of a file with their lines, if the format provides them."""
    file = File(path)
    if len(str(file)) > 1000:
        raise ScenarioError(f"{str(file)[:60]}...: Expected a path of at most 1000 characters.")
    kind = SUFFIXES.get(file.suffix.lower())
    if kind is None:
        raise ScenarioError(f"{file}: Expected the name of a scenario to end in {', '.join(SUFFIXES)}.")
    try:
        size = file.stat().st_size
        text = file.read_bytes().decode("utf-8-sig") if size <= 5_000_000 else ""
    except UnicodeDecodeError as error:
        raise ScenarioError(f"{file}: Expected text in UTF-8, got other bytes at position {error.start}.") from None
    except (OSError, ValueError) as error:
        raise ScenarioError(f"{file}: Cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if size > 5_000_000:
        raise ScenarioError(f"{file}: Expected at most 5,000,000 bytes, got {size:,}.")
    return parse(text, kind, str(file))


def parse(text: str, kind: str, source: str = "") -> Located:
    """The values of a text in one of the formats."""
    try:
        found = {"yaml": _yaml, "toml": _toml, "json": _json}[kind](text, source)
    except RecursionError:  # such as a mapping that holds itself
        raise Located(None, source).error(_ENDLESS) from None
    if not isinstance(found.data, dict):
        kind = {type(None): "nothing", list: "a list"}.get(type(found.data), "a single value")
        raise found.error(f"Expected a mapping with keys such as releases, got {kind}.")
    if has_lone_surrogates(found.data):
        raise found.error("Expected text of whole characters, got half of one (such as \\ud800).")
    return found


def _yaml(text: str, source: str) -> Located:
    yaml = yaml_library()
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node = yaml.compose(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise ScenarioError(f"{source or 'scenario'}{line}: Not readable as YAML: {problem}.") from None
    out = Located(None, source)
    out.data = _value(node, (), out, [_MOST], yaml)
    return out


def _value(node: Any, path: Path, out: Located, budget: list[int], yaml: Any) -> Any:
    """The value of a node; stores the lines of its keys and items."""
    budget[0] -= 1
    if budget[0] < 0 or len(path) > _DEEPEST:
        raise out.error(_ENDLESS)
    if node is None:
        return None
    out.lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        made: dict[Any, Any] = {}
        shared: dict[Any, Any] = {}  # merged with "<<"; the mapping's own keys take precedence
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise out.error(f"Expected a name as key, in line {key_node.start_mark.line + 1}.", path)
            if key_node.value == "<<" and key_node.style not in ("'", '"'):
                for one in _shared(value_node, path, out, yaml):
                    shared = {**_value(one, path, out, budget, yaml), **shared}
                continue
            # keys are text, even "true"; only integers are numbers
            key = int(key_node.value) if re.fullmatch(r"-?\d{1,9}", key_node.value) else key_node.value
            place = (*path, key)
            out.lines[place] = key_node.start_mark.line + 1
            if key in made:
                raise out.error(f"Expected each key once, got {key!r} twice.", place)
            made[key] = _value(value_node, place, out, budget, yaml)
        return {**shared, **made}
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, (*path, i), out, budget, yaml) for i, item in enumerate(node.value)]
    return _scalar(node)


def _shared(node: Any, path: Path, out: Located, yaml: Any) -> list[Any]:
    """The mappings to merge by a key "<<"; earlier ones take precedence."""
    several = node.value if isinstance(node, yaml.SequenceNode) else [node]
    if not all(isinstance(one, yaml.MappingNode) for one in several):
        raise out.error(f"Expected << to name a mapping, or several, in line {node.start_mark.line + 1}.", path)
    return several


def _scalar(node: Any) -> Any:
    """Numbers as people write them (also 1e-6), truth values, null; everything else is text."""
    text = node.value
    if node.style in ("'", '"', "|", ">"):
        return text
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if text.lower() in _NAMED:
        return _NAMED[text.lower()]
    if NUMBER.match(text):
        plain = text.replace("_", "")
        # turn longer integers into floats, so that the usual rules refuse them
        return int(plain) if re.fullmatch(r"[-+]?\d{1,400}", plain) else float(plain)
    return text


def yaml_library() -> Any:
    """PyYAML, or the command that installs it."""
    return required("yaml", "YAML files need pyyaml", "cli")


def _json(text: str, source: str) -> Located:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise ScenarioError(f"{source or 'scenario'}: Expected each key once, got {twice!r} twice.")
        return made

    try:
        data = json.loads(text, object_pairs_hook=unique, parse_int=lambda x: (int if len(x) <= 400 else float)(x))
    except ScenarioError:
        _yaml(text.expandtabs(), source)  # says the same with the line
        raise
    except json.JSONDecodeError as error:
        place = f"{source or 'scenario'}, line {error.lineno}"
        raise ScenarioError(f"{place}: Not readable as JSON: {error.msg}.") from None
    try:  # JSON is YAML but for tabs, so its lines can be found in the same way
        lines = _yaml(text.expandtabs(), source).lines
    except (ScenarioError, MissingExtra):
        lines = {}
    return Located(data, source, lines)


def _toml(text: str, source: str) -> Located:
    try:
        import tomllib  # pyright: ignore[reportMissingImports]
    except ImportError:  # before Python 3.11
        tomllib = required("tomli", "TOML files need tomli", "cli")
    try:
        data = tomllib.loads(text)
    except ValueError as error:
        raise ScenarioError(f"{source or 'scenario'}: Not readable as TOML: {error}.") from None
    return Located(data, source, _toml_lines(text, data))


def _toml_lines(text: str, data: dict[str, Any]) -> dict[Path, int]:
    """Lines of tables and of keys at the start of a line; nested values have the line of their key."""
    lines: dict[Path, int] = {}
    table: Path = ()
    counts: dict[Path, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*(\[\[?)\s*([\w\-.\" ]+?)\s*\]\]?\s*(#.*)?$", line)
        key = re.match(r"\s*([\w\-.\"]+)\s*=", line)
        if header:
            table = _toml_table(header.group(2), header.group(1) == "[[", counts)
            lines.setdefault(table, number)
        elif key:
            lines.setdefault((*table, *_parts(key.group(1))), number)
    known = Located(data)
    return {path: number for path, number in lines.items() if known.value(path) is not None}


def _toml_table(name: str, many: bool, counts: dict[Path, int]) -> Path:
    """The path of a table, with the index of each array of tables on the way."""
    path: Path = ()
    parts = _parts(name)
    for i, part in enumerate(parts):
        path = (*path, part)
        if many and i == len(parts) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _parts(name: str) -> list[str]:
    return [part.strip().strip('"') for part in name.split(".")]
