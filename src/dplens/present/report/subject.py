"""What a report is about: a result, with what those who are responsible state, which it lacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.assessment.records import Declaration
from dplens.present.words.language import DEFAULT


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A result with its front matter. title: instead of the result's own. claim: what an audit is held against."""

    result: Any
    declared: Declaration | None = None
    title: str = ""
    claim: Any = None

    def __post_init__(self) -> None:
        if self.declared is not None:
            remedy = "Write dplens.Declaration(author=…, purpose=…)."
            _validate.instance("declared", self.declared, Declaration, "to be a dplens.Declaration", remedy)

    @property
    def language(self) -> str:
        """The language of the result."""
        return getattr(self.result, "language", DEFAULT)
