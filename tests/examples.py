"""The example scenarios, each assessed once for all tests."""

from functools import cache
from pathlib import Path

import dplens as dl

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted(p for p in (ROOT / "examples").iterdir() if p.suffix in (".yaml", ".toml", ".json"))


@cache
def assessed(path: Path) -> dl.Assessment:
    return dl.load_scenario(path).assess()
