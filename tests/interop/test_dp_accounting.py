"""Events and distributions of dp-accounting: the same epsilon to the library's own accuracy, and back without loss."""

import math

import dp_accounting as dpa
import numpy as np
import pytest
from dp_accounting import dp_event as ev
from dp_accounting.pld import PLDAccountant
from dp_accounting.pld import privacy_loss_distribution as pld
from dp_accounting.rdp import RdpAccountant

import dplens as dl

G, L = ev.GaussianDpEvent, ev.LaplaceDpEvent
RELATIONS = {
    "add_remove": dpa.NeighboringRelation.ADD_OR_REMOVE_ONE,
    "replace": dpa.NeighboringRelation.REPLACE_ONE,
    "replace_special": dpa.NeighboringRelation.REPLACE_SPECIAL,
}
# event, neighbours, kind of release it becomes, how much larger the library's epsilon may be (its rounding upwards)
EXACT = {
    "gaussian": (G(1.5), "add_remove", dl.Gaussian, 1e-6),
    "gaussian, replaced": (G(3.0), "replace", dl.Gaussian, 1e-6),
    "laplace": (L(2.0), "add_remove", dl.Laplace, 1e-6),
    "discrete laplace": (ev.DiscreteLaplaceDpEvent(0.5, 2), "add_remove", dl.Geometric, 1e-6),
    "laplace off the grid": (L(0.7), "add_remove", dl.Laplace, 1e-4),
    "discrete laplace off the grid": (ev.DiscreteLaplaceDpEvent(1 / 7, 2), "add_remove", dl.Geometric, 1e-4),
    "randomised response": (ev.RandomizedResponseDpEvent(0.5, 4), "replace", dl.RandomizedResponse, 1e-4),
    "an answer at random": (ev.RandomizedResponseDpEvent(0.3, 4), "replace_special", dl.FinitePair, 1e-4),
    "poisson laplace": (ev.PoissonSampledDpEvent(0.1, L(1.0)), "add_remove", dl.Mechanism, 1e-4),
    "dp-sgd": (ev.SelfComposedDpEvent(ev.PoissonSampledDpEvent(0.1, G(2.0)), 30), "add_remove", dl.Mechanism, 1e-4),
    "many poisson laplace": (
        ev.SelfComposedDpEvent(ev.PoissonSampledDpEvent(0.001, L(0.5)), 5000),
        "add_remove",
        dl.Mechanism,
        3e-4,
    ),
    "many off the grid": (
        ev.SelfComposedDpEvent(ev.DiscreteLaplaceDpEvent(1 / 7, 2), 50),
        "add_remove",
        dl.Mechanism,
        50 * 1e-4,
    ),
    "composed": (
        ev.ComposedDpEvent([G(2.0), L(3.0), ev.SelfComposedDpEvent(G(4.0), 3)]),
        "add_remove",
        dl.Mechanism,
        1e-5,
    ),
    "mixture of two": (ev.MixtureOfGaussiansDpEvent(2.0, [0.0, 1.0], [0.9, 0.1]), "add_remove", dl.Mechanism, 2e-3),
}


@pytest.mark.parametrize("name", EXACT)
def test_exact_events_have_the_epsilon_of_the_library(name):
    event, neighbours, kind, rounding = EXACT[name]
    made = dl.from_dp_event(event, neighbours=neighbours)
    coarse = 5e-3 if name == "mixture of two" else 1e-4  # the library is slow with a finer grid there
    accountant = PLDAccountant(RELATIONS[neighbours], value_discretization_interval=coarse)
    accountant.compose(event)
    theirs, ours = accountant.get_epsilon(1e-5), made.tradeoff().epsilon(1e-5)
    assert isinstance(made, kind)
    assert made.neighbours == {"replace_special": "add_remove"}.get(neighbours, neighbours)
    assert theirs - rounding <= ours <= theirs + 1e-9


def test_repeated_randomised_response_is_counted():
    answer, accountant = ev.RandomizedResponseDpEvent(0.5, 4), PLDAccountant(RELATIONS["replace"])
    for _ in range(20):  # the accountant takes a self-composed event for one answer
        accountant.compose(answer)
    theirs = accountant.get_epsilon(1e-5)
    ours = dl.from_dp_event(ev.SelfComposedDpEvent(answer, 20), neighbours="replace").tradeoff().epsilon(1e-5)
    assert theirs - 20 * 1e-4 <= ours <= theirs


def test_bounds_by_renyi_divergences_are_no_better():
    cases = [
        (ev.ZCDpEvent(0.2), "add_remove"),
        (ev.SingleEpochTreeAggregationDpEvent(5.0, [10, 20]), "replace_special"),
    ]
    for event, neighbours in cases:
        accountant = RdpAccountant(neighboring_relation=RELATIONS[neighbours])
        accountant.compose(event)
        theirs, ours = (
            accountant.get_epsilon(1e-5),
            dl.from_dp_event(event, neighbours=neighbours).tradeoff().epsilon(1e-5),
        )
        assert 0.9 * theirs < ours < theirs


def test_pessimistic_bounds_say_so():
    cut = ev.TruncatedSubsampledGaussianDpEvent(100, 0.05, 8, 2.0)
    truncated = dl.from_dp_event(cut)
    accountant = PLDAccountant(value_discretization_interval=1e-3)
    accountant.compose(cut)
    assert truncated.tradeoff().epsilon(1e-5) == pytest.approx(accountant.get_epsilon(1e-5), abs=1e-6)
    assert "pessimistic bound" in truncated.tradeoff().certificate.note
    assert truncated.tradeoff().certificate.route == "imported"
    accountant.compose(cut, 29)  # each direction by itself: both merged in every step would be 1.339
    many = dl.from_dp_event(ev.SelfComposedDpEvent(cut, 30)).tradeoff()
    assert many.epsilon(1e-5) == pytest.approx(accountant.get_epsilon(1e-5), abs=1e-5)
    assert "pessimistic bound" in many.certificate.note
    selected = dl.from_dp_event(ev.RepeatAndSelectDpEvent(G(5.0), 3, 1))
    moments = RdpAccountant()
    moments.compose(ev.RepeatAndSelectDpEvent(G(5.0), 3, 1))
    assert isinstance(selected, dl.RenyiDP)
    assert selected.tradeoff().epsilon(1e-5) <= moments.get_epsilon(1e-5) + 1e-9
    swapped = dl.from_dp_event(ev.PoissonSampledDpEvent(0.1, G(2.0)), neighbours="replace")
    assert swapped.neighbours == "replace"
    for made in (swapped, swapped.fails_with(0.1), swapped.group(2), truncated.subsample(0.1)):
        assert "pessimistic" in made.tradeoff().certificate.note
    for guarantee in (selected, dl.ApproximateDP(epsilon=1.0), dl.ApproximateDP(epsilon=1.0).repeat(3)):
        assert "the worst that the guarantee allows" in guarantee.tradeoff().certificate.note


def test_sampling_without_replacement_is_for_replaced_records():
    event = ev.SampledWithoutReplacementDpEvent(1000, 10, G(2.0))
    made = dl.from_dp_event(event, neighbours="replace")
    same = dl.Gaussian(sigma=2.0, sensitivity=2.0, neighbours="replace").subsample(0.01, scheme="without_replacement")
    assert made == same
    with pytest.raises(dl.DplensError, match="neighbours='replace'"):
        dl.from_dp_event(event)


def test_events_that_tell_all_or_nothing():
    assert dl.from_dp_event(ev.NoOpDpEvent()).tradeoff().delta(0.0) == pytest.approx(0, abs=1e-12)
    for event in (ev.NonPrivateDpEvent(), G(0.0), L(0.0)):
        assert dl.from_dp_event(event).tradeoff().epsilon(1e-5) == math.inf
    assert dl.from_dp_event(ev.ComposedDpEvent([])).tradeoff().epsilon(1e-5) == 0
    shifted = dl.from_dp_event(ev.ZCDpEvent(0.2, 0.1))
    assert shifted.tradeoff().epsilon(1e-5) > dl.ZeroConcentratedDP(rho=0.2).tradeoff().epsilon(1e-5)


def test_events_without_noise_protect_nothing():
    # the library's accountants note such events and add no loss to their distributions
    bare = dl.from_dp_event(ev.TruncatedSubsampledGaussianDpEvent(1000, 0.01, 20, 0.0))
    assert bare.tradeoff().delta(50.0) == 1.0
    for sensitivities, chances in (([0.0, 1.0], [0.7, 0.3]), ([0.0, 1.0, 2.0], [0.7, 0.1, 0.2])):
        sampled = dl.from_dp_event(ev.MixtureOfGaussiansDpEvent(0.0, sensitivities, chances))
        assert sampled.tradeoff().delta(50.0) == pytest.approx(0.3)


def test_equal_parts_of_a_mixture_are_one():
    whole = dl.from_dp_event(ev.MixtureOfGaussiansDpEvent(1.0, [1.0, 1.0], [0.5, 0.5]))
    assert whole.tradeoff().epsilon(1e-5) == pytest.approx(dl.Gaussian(sigma=1.0).tradeoff().epsilon(1e-5))
    parts = dl.from_dp_event(ev.MixtureOfGaussiansDpEvent(1.0, [0.0, 2.0, 0.0, 2.0], [0.5, 0.1, 0.2, 0.2]))
    assert parts == dl.Gaussian(sigma=1.0, sensitivity=2.0).subsample(0.1 + 0.2)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (ev.DiscreteLaplaceDpEvent(1.0, 1.5), "sensitivity"),  # type: ignore[arg-type]
        (ev.RandomizedResponseDpEvent(1.5, 4), "noise_parameter"),
        (ev.MixtureOfGaussiansDpEvent(1.0, [0.0, 1.0], [0.9, 0.3]), "sum to 1"),
        (ev.MixtureOfGaussiansDpEvent(1.0, [0.0, 1.0, 2.0], [0.9, 0.1]), "one value for each"),
        (ev.MixtureOfGaussiansDpEvent(1.0, [-1.0, 1.0], [0.5, 0.5]), "sensitivities"),
        (ev.RepeatAndSelectDpEvent(G(1.0), -3, 1), "RepeatAndSelectDpEvent"),
    ],
    ids=repr,
)
def test_events_with_bad_parameters_are_refused(event, said):
    with pytest.raises(dl.DplensError, match=said):
        dl.from_dp_event(event, neighbours="replace" if "Response" in repr(event) else "add_remove")


def test_what_is_not_supported_is_named():
    for event in (ev.UnsupportedDpEvent(), ev.SampledWithReplacementDpEvent(10, 3, G(1.0))):
        with pytest.raises(dl.DplensError, match=f"{type(event).__name__} cannot be converted"):
            dl.from_dp_event(event)
        with pytest.raises(dl.DplensError, match=type(event).__name__):  # also deep inside
            dl.from_dp_event(ev.ComposedDpEvent([G(1.0), ev.SelfComposedDpEvent(event, 2)]))
    with pytest.raises(dl.DplensError, match="exchanged"):
        dl.from_dp_event(ev.RandomizedResponseDpEvent(0.5, 4))
    with pytest.raises(dl.DplensError, match="DpEvent of dp-accounting"):
        dl.from_dp_event(3)
    with pytest.raises(dl.DplensError, match="neighbours"):
        dl.from_dp_event(G(1.0), neighbours="swap")


def test_every_event_of_the_library_has_an_answer():
    """A new kind of event in a later release of dp-accounting must be looked at here."""
    from dplens.interop.dp_events import _KINDS

    kinds = {name for name in dir(ev) if name.endswith("DpEvent") and name != "DpEvent"}
    assert kinds - set(_KINDS) == {"SampledWithReplacementDpEvent"}


BACK = [
    dl.Gaussian(sigma=2.0, sensitivity=0.5),
    dl.Gaussian(sigma=2.0, sensitivity=0.5, neighbours="replace"),
    dl.GaussianDP(mu=0.7),
    dl.Laplace(scale=2.0, sensitivity=3.0),
    dl.Geometric(scale=2.0, sensitivity=3),
    dl.RandomizedResponse(epsilon=1.0, categories=3, neighbours="replace"),
    dl.ZeroConcentratedDP(rho=0.1),
    dl.ApproximateDP(epsilon=0.0),
    dl.ApproximateDP(epsilon=math.inf),
    dl.DPSGD(noise_multiplier=0.8, sample_rate=0.004, steps=100),
    dl.compose(dl.Laplace(scale=2.0), dl.Gaussian(sigma=3.0), dl.Laplace(scale=2.0)),
    dl.Gaussian(sigma=1.0).subsample(0.1),
]


@pytest.mark.parametrize("mechanism", BACK, ids=repr)
def test_there_and_back(mechanism):
    event = dl.to_dp_event(mechanism)
    again = dl.from_dp_event(event, neighbours=mechanism.neighbours)
    assert again.neighbours == mechanism.neighbours
    assert again.tradeoff().epsilon(1e-3) == pytest.approx(mechanism.tradeoff().epsilon(1e-3), rel=1e-12)


@pytest.mark.parametrize(
    "mechanism",
    [
        dl.ApproximateDP(epsilon=1.0),
        dl.Gaussian(sigma=1.0).group(3),
        dl.Staircase(epsilon=1.0),
        dl.RandomizedResponse(epsilon=1.0),
        dl.Gaussian(sigma=1.0, neighbours="replace").subsample(0.1, scheme="without_replacement"),
    ],
    ids=repr,
)
def test_what_would_be_lost_is_said(mechanism):
    with pytest.raises(dl.DplensError, match="has no equivalent event"):
        dl.to_dp_event(mechanism)


@pytest.mark.parametrize(
    ("made", "directions"),
    [
        (lambda: pld.from_laplace_mechanism(1.0), 1),
        (
            lambda: pld.from_gaussian_mechanism(
                2.0, sampling_prob=0.05, value_discretization_interval=1e-3
            ).self_compose(20),
            2,
        ),
        (lambda: pld.from_randomized_response(0.5, 3), 1),
    ],
)
def test_distributions_of_losses(made, directions):
    theirs = made()
    ours = dl.from_pld(theirs).tradeoff()
    for delta in (1e-2, 1e-5, 1e-8):
        assert ours.epsilon(delta) == pytest.approx(theirs.get_epsilon_for_delta(delta), abs=1e-6)
    for epsilon in (0.0, 0.3, 0.9):
        assert ours.delta(epsilon) == pytest.approx(theirs.get_delta_for_epsilon(epsilon), rel=1e-5, abs=1e-12)
    assert "pessimistic bound" in ours.certificate.note
    assert "dp-accounting" in ours.certificate.note
    assert ours.inverse() is ours


def test_profiles_of_two_directions_give_back_the_pair():
    alpha, rng = np.linspace(0, 1, 301), np.random.default_rng(1)
    for i in range(12):
        p, q = rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(5))
        if i % 3 == 0:  # proofs of either world
            p, q = np.append(p * 0.9, [0.1, 0]), np.append(q * 0.8, [0, 0.2])
        with np.errstate(divide="ignore"):
            losses = np.abs(np.log(q) - np.log(p))
        eps = np.append(0.0, losses[np.isfinite(losses)])
        there, back = (np.maximum(a - np.exp(eps)[:, None] * b, 0).sum(axis=1) for a, b in ((q, p), (p, q)))
        made, pair = dl.PrivacyProfile(epsilons=eps, deltas=there, deltas_back=back), dl.FinitePair(p=p, q=q)
        for direction in ("add", "remove", "both"):
            found = made.tradeoff(direction)(alpha)
            assert (found <= pair.tradeoff(direction)(alpha) + 1e-13).all()
            if direction != "both":
                assert found == pytest.approx(pair.tradeoff(direction)(alpha), abs=1e-13)
        assert made.repeat(3).tradeoff().epsilon(0.3) == pytest.approx(pair.repeat(3).tradeoff().epsilon(0.3), abs=1e-9)
    with pytest.raises(dl.DplensError, match="deltas_back to have one value per epsilon"):
        dl.PrivacyProfile(epsilons=[0.0, 1.0], deltas=[0.4, 0.1], deltas_back=[0.4])


def test_an_optimistic_distribution_is_no_guarantee():
    with pytest.raises(dl.DplensError, match="no guarantee"):
        dl.from_pld(pld.from_laplace_mechanism(1.0, pessimistic_estimate=False, use_connect_dots=False))
    with pytest.raises(dl.DplensError, match="PrivacyLossDistribution"):
        dl.from_pld(np.ones(3))


def test_samples_are_told_or_said_to_be_unknown():
    sampled = dpa.SelfComposedDpEvent(dpa.PoissonSampledDpEvent(0.01, dpa.GaussianDpEvent(1.0)), 10)
    truncated = ev.TruncatedSubsampledGaussianDpEvent(1000, 0.01, 20, 1.0)
    for event, held in ((sampled, "add_remove"), (sampled, "replace"), (truncated, "replace_special")):
        made = dl.assess(dl.from_dp_event(event, neighbours=held))
        assert made.assumptions.sampling == ("poisson",)
        assert "poisson_batches" in made.warnings
        assert dl.Assessment.from_json(made.to_json()).mechanism == made.mechanism
    chosen = ev.RepeatAndSelectDpEvent(dpa.GaussianDpEvent(1.0), 1, 1)
    for release in (dl.from_dp_event(chosen), dl.from_frame({"epsilon": [0.0, 1.0], "delta": [0.4, 0.1]})):
        made = dl.assess(release)
        assert made.assumptions.sampling == ("unknown",)
        assert "unknown_batches" in made.warnings
        assert "We do not know whether samples were drawn." in made.words()
        assert "The numbers are the worst that it allows." in made.words()
    stated = dl.ApproximateDP(epsilon=1.0)
    assert dl.assess(stated.subsample(0.1)).assumptions.sampling == ("poisson",)  # of what was sampled it is known
    assert dl.assess(stated, setting="local").assumptions.sampling == ()
    assert dl.to_dp_event(dl.RandomizedResponse(epsilon=800.0, neighbours="replace")).noise_parameter == 0
