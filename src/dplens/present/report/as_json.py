"""Documents as JSON: the result itself with its front matter, its words and the frames of its pictures."""

from __future__ import annotations

import json
from dataclasses import asdict

from dplens.present.report.document import Document


def render(document: Document) -> str:
    """The result as plain values that can be read back, with what was made of it."""
    pictures = [figure.picture for figure in document.figures()]
    front = {key: value for key, value in asdict(document.front).items() if key != "fields"}
    whole = {
        **document.data,
        "front": front,
        "words": dict(document.words),
        "frames": [p.frame.to_dict() | {"chart": p.kind, "title": p.title, "alt": p.alt} for p in pictures],
    }
    return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
