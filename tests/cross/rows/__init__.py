"""The list: every comparison, by family of mechanisms, and every mechanism that no peer knows."""

from tests.cross.rows import additive, calibration, finite, guarantees, integer

COMPARISONS = [*additive.ROWS, *integer.ROWS, *finite.ROWS, *guarantees.ROWS, *calibration.ROWS]

NO_PEER = {
    "BoundedNoise": "a FinitePair for each shift, which is compared; hulls are held against enumeration",
    "DPSGD": "the peers' grids are 1e-4 off; compositions are held against mpmath in tests/composition",
    "Exponential": "neither peer has bounded range; the curve over all pairs is held against mpmath only",
    "PrivacyProfile": "made from the peers' own objects; held against them in tests/interop",
    "Staircase": "neither peer has staircase noise; held against mpmath only",
    "TradeOffPoints": "made from the peers' own arrays; held against them in tests/interop",
}
