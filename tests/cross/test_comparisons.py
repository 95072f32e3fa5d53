"""Every comparison on the list agrees within its stated tolerance and on its stated side."""

from importlib.metadata import version

import pytest
from packaging.version import Version

import dplens as dl
from tests.cross.rows import COMPARISONS, NO_PEER
from tests.cross.table import DP_ACCOUNTING


def test_names_are_distinct():
    names = [row.name for row in COMPARISONS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("row", COMPARISONS, ids=lambda row: row.name)
def test_agrees(row):
    if row.since and Version(version(row.since.split()[0])) < Version(row.since.split()[1]):
        pytest.skip(f"needs {row.since}")
    bad = row.complaints()
    assert not bad, f"tolerance: {row.tolerance} ({row.tolerance.reason})\n" + "\n".join(bad)


def test_every_mechanism_has_a_peer_or_a_reason():
    """A mechanism added later is compared, or its lack of a peer is written down."""
    public = {name for name in dl.__all__ if isinstance(getattr(dl, name), type)}
    mechanisms = {n for n in public if issubclass(getattr(dl, n), dl.Mechanism)} - {"Mechanism"}
    compared = {type(row.mechanism).__name__ for row in COMPARISONS}
    assert mechanisms - compared == set(NO_PEER), f"neither compared nor excused; peers are {DP_ACCOUNTING} and riskcal"
