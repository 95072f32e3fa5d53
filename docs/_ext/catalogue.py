"""The directive ``catalogue``: all registered classes of a kind, with their arguments and when to use them."""

import inspect
from dataclasses import MISSING, fields
from importlib import import_module

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

PACKAGES = {"mechanisms": "mechanisms", "questions": "risk"}


def entries(kind: str) -> dict[str, type]:
    """The registered classes of a kind, by the name that files use."""
    import dplens
    from dplens import registry

    registry.import_all(import_module(f"dplens.{PACKAGES[kind]}"))
    return {
        name: cls
        for name, cls in getattr(registry, kind.upper()).items()
        if getattr(dplens, cls.__name__, None) is cls  # not a class of a test
    }


def paragraphs(cls: type) -> list[str]:
    """The paragraphs of a docstring before its examples."""
    text = inspect.getdoc(cls) or ""
    return [" ".join(part.split()) for part in text.split(">>>")[0].split("\n\n") if part.strip()]


def use(cls: type) -> str:
    """When to use a class: the paragraph of its docstring that says so."""
    return next((part for part in paragraphs(cls) if part.startswith("Use it")), "")


def arguments(cls: type) -> list[str]:
    """The arguments of a class with their defaults, those without a default first."""
    shown = sorted(fields(cls), key=lambda f: (f.default is not MISSING, f.name == "neighbours"))
    return [f.name if f.default is MISSING else f"{f.name}={f.default!r}" for f in shown if f.init]


class Catalogue(SphinxDirective):
    """Lists every class with what it is, when to use it, and its arguments."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        lines = []
        for name, cls in entries(self.arguments[0]).items():
            listed = ", ".join(f"`{argument}`" for argument in arguments(cls)) or "none"
            lines += [
                f"{{py:class}}`~dplens.{cls.__name__}`",
                f": {paragraphs(cls)[0]} {use(cls)}",
                f"  In files: `{name}`. Arguments: {listed}.",
                "",
            ]
        return self.parse_text_to_nodes("\n".join(lines))


def setup(app):
    app.add_directive("catalogue", Catalogue)
    return {"parallel_read_safe": True}
