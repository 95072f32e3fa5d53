"""Settings shared by all tests."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.effort import PROFILE

# No deadlines, because a busy machine is not a defect. Seeds are fixed, so that a landing is never a lottery;
# HYPOTHESIS_PROFILE=search and `make fuzz` draw anew.
FIXED = {"deadline": None, "derandomize": True, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", max_examples=10, **FIXED)
settings.register_profile("verify", max_examples=50, **FIXED)
settings.register_profile("search", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile(PROFILE)

HERE = Path(__file__).parent
FOR_VERIFY = ("browser", "cross", "frozen")  # folders that need a browser or other libraries, or take long
DRAWN = ("contracts", "properties")  # folders whose tests draw more in `make verify`


def pytest_collection_modifyitems(items):
    """Mark tests by their folder."""
    for item in items:
        folder = item.path.relative_to(HERE).parts[0] if item.path.is_relative_to(HERE) else ""
        if folder in FOR_VERIFY:
            item.add_marker(pytest.mark.verify)
        if folder in DRAWN:
            item.add_marker(pytest.mark.draws)


def pytest_ignore_collect(collection_path, config):
    """Doctests are for the library: below tests/, only test files are collected, not the code they share."""
    if collection_path.suffix == ".py" and not collection_path.name.startswith("test_"):
        return True
    return None
