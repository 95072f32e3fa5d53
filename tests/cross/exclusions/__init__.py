"""The other half of the list: where a peer's number is wrong, missing or only a floor, and by how many digits.

``digits`` is what the peer gets right (−log10 of its relative error, worst over the arguments); the true value comes
from the oracles of ``tests/reference`` or a formula written out in mpmath, never from the library. The versions are
those that were looked at: under another one the peer's side is not asserted.
"""

from tests.cross.exclusions import accounting, risk

EXCLUSIONS = [*accounting.LINES, *risk.LINES]
