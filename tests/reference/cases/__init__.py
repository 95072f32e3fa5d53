"""What is compared: for each mechanism its oracle, its construction through the public API, and the arguments."""

from tests.reference.cases import derived, exact, noise
from tests.reference.cases.base import Case, compute

CASES: dict[str, Case] = exact.CASES | noise.CASES | derived.CASES

__all__ = ["CASES", "Case", "compute"]
