"""Answers of an earlier state of the library, which every later one must agree with."""

import pytest

from tests.frozen.__main__ import measured
from tests.frozen.cases import names
from tests.frozen.gate import Row, fault, stored


def test_every_case_is_stored():
    assert [row.name for row in stored()] == names()


@pytest.mark.parametrize("row", stored(), ids=lambda row: row.name)
@pytest.mark.filterwarnings("ignore::dplens.DplensWarning")
def test_the_answer_passes_the_gate(row):
    assert fault(row, measured(row.name)) is None


@pytest.mark.parametrize(
    ("old", "new", "passes"),
    [
        ((0.2, 0.3), (0.25, 0.26), True),
        ((0.2, 0.3), (0.31, 0.32), False),
        ((0.2, 0.2), (0.2, 0.2 + 1e-8), True),
        ((0.2, 0.2), (0.2, 0.2001), False),
        ((1 - 1e-9, 1 - 0.9e-9), (1 - 1.05e-9, 1 - 0.95e-9), True),
    ],
)
def test_the_gate(old, new, passes):
    assert (fault(Row("x", *old, 0.0), Row("x", *new, 0.0)) is None) is passes
