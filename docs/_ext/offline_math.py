"""Formulas as MathML, written when the documents are built: no script, no network, readable aloud."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx


def _written(formula: str, display: str) -> str:
    """The converter sets no space between log and its argument, so that log 2α would read as a logarithm to base 2."""
    return re.sub(
        r"<mi>log</mi>(?=<(?:mi|mn|mfrac)>)",
        '<mi>log</mi><mspace width="0.167em" />',
        convert(formula, display=display),
    )


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(_written(node.astext(), "inline"))
    raise nodes.SkipNode


def _display(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="formula">{_written(node.astext().strip(), "block")}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the renderer under the name ``mathml``."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
