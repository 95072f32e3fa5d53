"""low ≤ truth ≤ high for random compositions whose true values are stored (tests/composition/make_values.py).

By default the cases that dplens answers quickly; HYPOTHESIS_PROFILE=search asks for all.
"""

import pytest

from tests.composition.releases import CASES, LATTICE_WIDTH, SEARCH, TIGHT, WIDTH, verdicts

# Families whose route takes long: so many of each are asked by default.
FEW = {
    "sampled_gaussian_twice": 1,
    "sampled_laplace": 1,
}
CHOSEN = [n for n in CASES if SEARCH or int(n.split()[1]) < FEW.get(n.split()[0], 1000)]


def test_enough_cases():
    assert len(CHOSEN) >= 300
    assert len({name.split()[0] for name in CASES}) >= 22


@pytest.mark.parametrize("name", CHOSEN)
def test_truth_lies_between_both_ends(name):
    found = verdicts(name)
    optimistic = [v for v in found if v.optimistic]
    assert not optimistic
    assert not [v for v in found if not v.holds]
    wide = [v for v in found if v.route in TIGHT and not v.width <= (LATTICE_WIDTH if v.route == "lattice" else WIDTH)]
    assert not wide
