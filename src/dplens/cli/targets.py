"""Targets of commands: a short spec, a scenario file or a saved assessment."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dplens.adversary import Adversary
from dplens.assessment.assess import assess, chosen_delta
from dplens.assessment.result import FORMAT, Assessment
from dplens.assessment.structure import records_of
from dplens.describe.shorthand import question_of, release_of, requirement_of
from dplens.errors import DplensError, InvalidValue
from dplens.risk.base import Question, Requirement
from dplens.risk.conversions import Epsilon

FILES = (".yaml", ".yml", ".toml", ".json")
REPORTS = (".html", ".pdf", ".md", ".json")


class Target:
    """A spec that a user typed, as a scenario, a saved assessment or a release."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self.saved: Assessment | None = None
        self.scenario: Any = None
        self._release: Any = None
        if is_file(spec):
            self._load(Path(spec))
        else:
            self._release = release_of(spec)

    def _load(self, path: Path) -> None:
        if path.suffix.lower() == ".json":
            try:
                data = json.loads(path.read_text(encoding="utf-8-sig"))
            except (OSError, ValueError, RecursionError):
                data = None  # reading it as a scenario reports the error
            if isinstance(data, dict) and str(data.get("format")).startswith(FORMAT.rpartition(" ")[0]):
                try:
                    self.saved = Assessment.from_dict(data)
                except DplensError as error:
                    raise InvalidValue(f"{self.spec}: {error}") from None
                return
        from dplens.scenario.scenario import load_scenario

        self.scenario = load_scenario(path)

    @property
    def release(self) -> Any:
        """The mechanism."""
        if self.saved is not None:
            return self.saved.mechanism
        return self.scenario.mechanism if self.scenario is not None else self._release

    def assess(
        self,
        *,
        prior: Sequence[float] | None = None,
        ask: Sequence[str] | None = None,
        fail_above: Sequence[str] | None = None,
        **given: Any,
    ) -> Assessment:
        """The assessment; what is given overrides the file: flags, or other arguments of ``assess``."""
        changed: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        if prior:
            changed["adversary"] = [Adversary(prior=p) for p in prior]
        if self.saved is not None and "data" not in changed:
            if changed or ask or fail_above:
                raise InvalidValue(
                    f"{self.spec} is a saved assessment and is shown as it is. Assess its scenario anew."
                )
            return self.saved
        at = self.delta({key: value for key, value in changed.items() if key in ("delta", "n")})
        questions, limits = [asked(q, at) for q in ask or ()], [limit(r, at) for r in fail_above or ()]
        if self.scenario is not None:
            if questions:
                changed["questions"] = [*self.scenario.questions, *questions]
            return self.scenario.assess(limits=limits, **changed)
        return assess(self.release, questions=questions, limits=limits, **changed)

    def delta(self, changed: dict[str, Any]) -> float:
        """The delta of the quoted epsilon; flags override the file."""
        if self.scenario is not None and not changed:
            return self.scenario.delta
        content = {**(self.scenario.content if self.scenario is not None else {}), **changed}
        return chosen_delta(content.get("delta"), records_of(self.release, content.get("n")))[0]


def is_file(spec: str) -> bool:
    """Whether a spec names a file rather than a mechanism."""
    if spec.lower().endswith(FILES):
        return True
    try:
        return ":" not in spec and ("/" in spec or Path(spec).is_file())
    except (OSError, ValueError):  # no name that a file can have
        return False


def asked(text: str, delta: float) -> Question:
    """A question; epsilon without a delta takes that of the assessment."""
    question = question_of(text)
    return Epsilon(delta=delta) if isinstance(question, Epsilon) and "delta" not in text else question


def limit(text: str, delta: float) -> Requirement:
    """A limit; epsilon without a delta takes that of the assessment."""
    made = requirement_of(text)
    if isinstance(made.question, Epsilon) and "delta" not in text:
        return Requirement(question=Epsilon(delta=delta), bound=made.bound)
    return made


def check_output(path: Path | None, suffixes: tuple[str, ...], flag: str = "--output", spec: str | None = None) -> None:
    """Refuse an output that cannot be written, before any work is done."""
    if path is None:
        return
    if path.suffix.lower() not in suffixes:
        raise InvalidValue(f"Expected the name of {flag} to end in {' or '.join(suffixes)}, got {str(path)!r}.")
    if spec is not None and is_file(spec) and os.path.realpath(spec) == os.path.realpath(path):
        raise InvalidValue(f"Expected {flag} to be another file than {str(path)!r}, which is read.")
    if path.is_dir():
        raise InvalidValue(f"Expected {flag} to be a file, got the directory {str(path)!r}.")
    if not path.parent.is_dir():
        raise InvalidValue(f"Cannot write {path}: there is no directory {str(path.parent)!r}.")
