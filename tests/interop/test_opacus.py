"""Opacus accountants. Where Opacus (with PyTorch) is installed the real ones are asked, else only what they keep."""

import math
import warnings
from collections import OrderedDict

import pytest

import dplens as dl


class Accountant:
    """What every Opacus accountant has: its history."""

    def __init__(self, *history):
        self.history = list(history)


class Engine:
    """What a PrivacyEngine has: its accountant."""

    def __init__(self, *history):
        self.accountant = Accountant(*history)


def test_a_history_in_every_wrapping():
    same = dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=1000)
    step = (1.0, 0.01, 1000)
    state = OrderedDict(history=[step], mechanism="prv")
    saved = {"module_state_dict": {}, "privacy_accountant_state_dict": state}
    for source in (Accountant(step), Engine(step), [step], state, saved):
        assert dl.from_opacus(source) == same
    assert dl.from_opacus([]).tradeoff().epsilon(1e-5) == 0
    assert dl.from_opacus([(0.0, 0.1, 1), step]).tradeoff().epsilon(1e-5) == math.inf


def test_phases_are_composed():
    made = dl.from_opacus(Accountant((1.1, 0.01, 500), (0.9, 0.02, 200)))
    # PRVAccountant of Opacus 1.6.0 on this history: 2.6013881876632 at 1e-5, an upper bound with an error of 0.01
    assert 2.6013881876632 - 0.0105 < made.tradeoff().epsilon(1e-5) < 2.6013881876632
    assert made.neighbours == "add_remove"
    assert "poisson" in dl.assess(made).assumptions.sampling


def test_bad_input():
    for source in (3, "prv", {"steps": 3}, object()):
        with pytest.raises(dl.DplensError, match="Opacus accountant"):
            dl.from_opacus(source)
    with pytest.raises(dl.DplensError, match="at place 1"):
        dl.from_opacus([(1.0, 0.1, 2), (1.0, 0.1)])
    with pytest.raises(dl.DplensError, match="sample rate"):
        dl.from_opacus([(1.0, 1.1, 2)])
    with pytest.raises(dl.DplensError, match="noise multiplier"):
        dl.from_opacus([(-1.0, 0.1, 2)])


def test_real_accountants():
    accountants = pytest.importorskip("opacus.accountants")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind in (accountants.RDPAccountant, accountants.PRVAccountant):
            accountant = kind()
            for _ in range(300):
                accountant.step(noise_multiplier=1.1, sample_rate=0.01)
            for _ in range(100):
                accountant.step(noise_multiplier=0.9, sample_rate=0.02)
            ours = dl.from_opacus(accountant).tradeoff().epsilon(1e-5)
            assert ours <= accountant.get_epsilon(1e-5)
            if kind is accountants.PRVAccountant:
                assert ours > accountant.get_epsilon(1e-5) - 0.0105
