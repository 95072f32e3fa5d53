"""Every parameter that the papers leave unstated, by name; figures print them as "our choice".

They stand in ``choices.json``: ``choices.LIU_EPSILONS`` has its values and its caption.
"""

from __future__ import annotations

from dplens.papers.records import Choice, texts


def __getattr__(name: str) -> Choice:
    known = texts("choices.json")
    if name not in known:
        raise AttributeError(f"choices.json has no {name}")
    return Choice(value=tuple(known[name]["value"]), says=known[name]["says"])
