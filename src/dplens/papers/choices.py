"""Parameters that the papers do not state, by name; figures print them as "our choice".

They stand in ``choices.json``: ``choices.LIU_EPSILONS`` has its values and its caption.
"""

from __future__ import annotations

from dplens.papers.records import Choice, choice


def __getattr__(name: str) -> Choice:
    try:
        return choice(name)
    except KeyError:
        raise AttributeError(f"choices.json has no {name}") from None
