"""Where dp-accounting is not to be compared with."""

from __future__ import annotations

import math

import dp_accounting as dpa

import dplens as dl
from tests.cross import peers
from tests.cross.exclusions.shared import laplace_renyi, lines_about
from tests.cross.peers import DOTS, DOWN, REPLACE, distribution, noise_parameter, rdp_of
from tests.cross.table import DP_ACCOUNTING
from tests.reference.cases.pairs import gaussian
from tests.reference.oracles import discrete
from tests.reference.oracles.numerics import mp, mpf

CUT = "the tail beyond a mass of e^-50 counts as infinite loss"
CUT_NOISE = "the noise is cut at 11.6 sigma and what lies outside counts as infinite loss"
REPLACED = "the Rényi accountant ignores the neighbouring relation: one record leaves, another comes, twice the shift"

line = lines_about(DP_ACCOUNTING)
LINES = [
    line(
        dl.Gaussian(sigma=1.0),
        "delta",
        "pld from_gaussian_mechanism",
        lambda e: distribution("from_gaussian_mechanism", 1.0, **DOTS).get_delta_for_epsilon(e),
        at=20.0,
        truth=lambda e: gaussian(1).delta(mpf(e)),
        digits=-62.5,
        errs="high",
        reason=CUT,
    ),
    line(
        dl.Gaussian(sigma=1.0),
        "epsilon",
        "pld from_gaussian_mechanism",
        lambda d: distribution("from_gaussian_mechanism", 1.0, **DOTS).get_epsilon_for_delta(d),
        at=1e-30,
        truth=lambda d: gaussian(1).epsilon(mpf(d)),
        gives=("inf",),
        errs="high",
        reason=f"{CUT}, so no finite epsilon is left",
    ),
    line(
        dl.Gaussian(sigma=1e8),
        "epsilon",
        "get_epsilon_gaussian",
        lambda d: dpa.get_epsilon_gaussian(1e8, d),
        at=(1e-10, 3e-11, 1e-11, 1e-12),
        truth=lambda d: gaussian(1 / mpf(1e8)).epsilon(mpf(d)),
        digits=5.6,
        reason="the root search stops at 1e-12 absolute, here a part in 1e5 of the answer",
    ),
    line(
        dl.Gaussian(sigma=1.0).as_replace(),
        "renyi",
        "RdpAccountant, replace one",
        rdp_of(dpa.GaussianDpEvent(1.0), REPLACE),
        at=2.0,
        truth=lambda order: mpf(order) * 4 / 2,
        digits=0.12,
        errs="low",
        reason=f"{REPLACED}. Its PLD accountant does not, and answers epsilon 9.997 where this one answers 4.729",
    ),
    line(
        dl.Laplace(scale=1.0).as_replace(),
        "renyi",
        "RdpAccountant, replace one",
        rdp_of(dpa.LaplaceDpEvent(1.0), REPLACE),
        at=2.0,
        truth=laplace_renyi(2),
        digits=0.21,
        errs="low",
        reason=REPLACED,
    ),
    line(
        dl.Laplace(scale=1.0).as_replace(),
        "epsilon",
        "PLDAccountant, replace one",
        lambda d: peers.pld_accountant(dpa.LaplaceDpEvent(1.0), REPLACE).get_epsilon(d),
        at=1e-5,
        truth=lambda d: 2 + 2 * mp.log1p(-mpf(d)),
        gives=("UnsupportedEventError",),
        reason="refuses the event",
    ),
    line(
        dl.Laplace(scale=10.0),
        "epsilon",
        "pld from_laplace_mechanism, connect the dots",
        lambda d: distribution(
            "from_laplace_mechanism", 10.0, value_discretization_interval=1e-4
        ).get_epsilon_for_delta(d),
        at=0.0,
        truth=lambda _: 1 / mpf(10),
        gives=("inf",),
        errs="high",
        reason="a last delta of 1e-17 instead of 0 is taken for infinite loss",
    ),
    line(
        dl.Laplace(scale=1.0),
        "renyi",
        "rdp LaplaceDpEvent",
        rdp_of(dpa.LaplaceDpEvent(1.0)),
        at=math.inf,
        truth=laplace_renyi(1),
        gives=("ValueError",),
        reason="refuses the order",
    ),
    line(
        dl.DiscreteGaussian(sigma=1.0),
        "delta",
        "pld from_discrete_gaussian_mechanism",
        lambda e: distribution("from_discrete_gaussian_mechanism", 1.0).get_delta_for_epsilon(e),
        at=20.0,
        truth=lambda e: discrete.discrete_gaussian(1, 1).delta(mpf(e)),
        digits=-56,
        errs="high",
        reason=CUT_NOISE,
    ),
    line(
        dl.DiscreteGaussian(sigma=20.0),
        "delta",
        "pld from_discrete_gaussian_mechanism, optimistic",
        lambda e: distribution("from_discrete_gaussian_mechanism", 20.0, **DOWN).get_delta_for_epsilon(e),
        at=1.0,
        truth=lambda e: discrete.discrete_gaussian(20, 1).delta(mpf(e)),
        digits=-60,
        errs="high",
        reason=f"{CUT_NOISE}, in the estimate from below too: it is no lower bound",
    ),
    line(
        dl.RandomizedResponse(epsilon=1e-4, categories=3, neighbours="replace"),
        "renyi",
        "rdp RandomizedResponseDpEvent",
        rdp_of(dpa.RandomizedResponseDpEvent(noise_parameter(1e-4, 3), 3), REPLACE),
        at=(1.02, 1.05, 1.5, 2.0),
        truth=lambda order: discrete.randomised_response(1e-4, 3).renyi(mpf(order)),
        digits=5.6,
        reason="the logarithm of a sum that differs from 1 by 1e-10",
    ),
    line(
        dl.RandomizedResponse(epsilon=1.0, neighbours="replace"),
        "renyi",
        "rdp RandomizedResponseDpEvent",
        rdp_of(dpa.RandomizedResponseDpEvent(noise_parameter(1.0, 2), 2), REPLACE),
        at=1.0,
        truth=lambda _: mp.tanh(mpf(1) / 2),
        gives=("ValueError",),
        reason="refuses order 1, Kullback–Leibler",
    ),
    line(
        dl.ApproximateDP(epsilon=800.0, delta=1e-5),
        "delta",
        "pld from_privacy_parameters",
        lambda e: peers.promised(800.0, 1e-5).get_delta_for_epsilon(e),
        at=1.0,
        truth=lambda e: discrete.approximate_dp(800, 1e-5).delta(mpf(e)),
        gives=("OverflowError",),
        reason="overflows",
    ),
]
