"""Figures and errata, worked out once for all tests that look at them."""

import pytest

from dplens.papers import catalogue, errata

QUICK = {  # smaller, not other: what is left out is said in the figures' own parameters
    "li-4": {"n": 6},
    "li-5": {"n": 5, "repetitions": 4},
    "li-chain-rule": {"tables": 250},
    "liu-3": {"points": 15},
    "liu-8": {"points": 15},
    "kaissis-theorem": {"draws": 8},
    "blog-envelope": {"pairs": 161},
}


class Figures(dict):
    """Every figure by its name, made when it is first asked for."""

    def __missing__(self, key):
        (entry,) = catalogue.asked(key)
        self[key] = entry.make(**QUICK.get(key, {}))
        return self[key]


@pytest.fixture(scope="session")
def figures():
    return Figures()


@pytest.fixture(scope="session")
def every_erratum():
    return errata.errata()
