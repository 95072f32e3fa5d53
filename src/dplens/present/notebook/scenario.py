"""The outline of a scenario: what its file says, briefly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dplens.present.notebook.names import brief
from dplens.present.notebook.outline import Outline, Row
from dplens.registry import presents
from dplens.scenario.scenario import Scenario


@presents(Scenario, "outline")
class ScenarioOutline(Outline):
    """The keys of the file: short values as they are, of long ones how many there are."""

    def __init__(self, result: Scenario, code: str | None = None) -> None:
        super().__init__(result, result.content.get("language") if code is None else code)

    def name(self) -> str:
        return str(self.result.content.get("title") or "")

    def short(self) -> str:
        counted = {k: v for k, v in self.result.content.items() if isinstance(v, list)}
        return ", ".join(f"{len(v)} {k[: -1 if len(v) == 1 and k.endswith('s') else None]}" for k, v in counted.items())

    def numbers(self) -> Sequence[Row]:
        content = {k: v for k, v in self.result.content.items() if k != "title" and v is not None}
        return [Row(key, _told(value)) for key, value in content.items()]


def _told(value: Any) -> str:
    """A short value as it is, of a long one how much there is."""
    if isinstance(value, (list, dict)):
        return str(len(value))
    return brief(value, 120)
