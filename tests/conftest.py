"""Settings shared by all tests."""

import os

from hypothesis import HealthCheck, settings

# Deadlines are off: the machine's mood is not a property of the code. Runs are reproducible by default;
# HYPOTHESIS_PROFILE=search explores with fresh seeds and many more examples.
settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=6,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("search", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_ignore_collect(collection_path, config):
    """Doctests are for the library: below tests/, only test files are collected, not the code they share."""
    if collection_path.suffix == ".py" and not collection_path.name.startswith("test_"):
        return True
    return None
