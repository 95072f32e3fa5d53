"""What cannot be composed or sampled is refused by a dplens error that names the argument."""

import math
import warnings

import numpy as np
import pytest

import dplens as dl
from dplens.errors import DplensError, InvalidType, InvalidValue, Undefined

GAUSSIAN = dl.Gaussian(sigma=1.0)
REPLACE = dl.Gaussian(sigma=1.0, neighbours="replace")


def refused(kind, names, call):
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, DplensError)
    for name in [names] if isinstance(names, str) else names:
        assert name in str(caught.value)


RATES = [0, 0.0, -0.1, 1.0000001, 2, math.nan, math.inf, -math.inf]


@pytest.mark.parametrize("rate", RATES)
def test_rate_outside_its_range(rate):
    refused(InvalidValue, "rate", lambda: GAUSSIAN.subsample(rate))
    refused(InvalidValue, "rate", lambda: REPLACE.subsample(rate, scheme="without_replacement"))
    refused(InvalidValue, "sample_rate", lambda: dl.DPSGD(noise_multiplier=1.0, sample_rate=rate, steps=10))


@pytest.mark.parametrize("rate", ["0.1", None, [0.1], 1j])
def test_rate_that_is_no_number(rate):
    refused(DplensError, "rate", lambda: GAUSSIAN.subsample(rate))


def test_a_list_of_releases():
    refused(InvalidType, ["mechanisms[0]", "compose(*releases)"], lambda: dl.compose([GAUSSIAN, GAUSSIAN]))


@pytest.mark.parametrize("steps", [-1, -(10**9), 1.5, math.nan, math.inf, "10", None, [3], 2 + 0j])
def test_steps_that_are_no_count(steps):
    refused(DplensError, "count", lambda: GAUSSIAN.repeat(steps))
    if steps is not None:
        refused(DplensError, "steps", lambda: dl.DPSGD(noise_multiplier=1.0, sample_rate=0.1, steps=steps))


@pytest.mark.parametrize("steps", [np.int64(3), 3])
def test_integers_of_any_make(steps):
    assert dl.Epsilon(delta=1e-5).of(GAUSSIAN.repeat(steps)) == dl.Epsilon(delta=1e-5).of(GAUSSIAN.repeat(3))


def test_nothing_to_compose():
    refused(InvalidValue, "mechanisms", dl.compose)


@pytest.mark.parametrize("other", [1.0, None, "gaussian", [GAUSSIAN], GAUSSIAN.tradeoff(), dl.Gaussian])
def test_things_that_are_no_mechanisms(other):
    refused(InvalidType, "mechanisms[1]", lambda: dl.compose(GAUSSIAN, other))


def test_mixed_neighbours():
    refused(InvalidValue, ["mechanisms", "add_remove", "replace"], lambda: dl.compose(GAUSSIAN, REPLACE))
    refused(InvalidValue, "neighbours", lambda: dl.compose(dl.compose(GAUSSIAN, GAUSSIAN), REPLACE.repeat(3)))
    assert dl.compose(GAUSSIAN.as_replace(), REPLACE).neighbours == "replace"


def test_scheme_that_does_not_fit():
    refused(InvalidValue, ["scheme", "poisson"], lambda: GAUSSIAN.subsample(0.1, scheme="without_replacement"))
    refused(InvalidValue, ["scheme", "without_replacement"], lambda: REPLACE.subsample(0.1))
    refused(InvalidValue, "scheme", lambda: GAUSSIAN.subsample(0.1, scheme="shuffle"))
    refused(DplensError, "scheme", lambda: GAUSSIAN.subsample(0.1, scheme=None))  # pyright: ignore[reportArgumentType]


GUARANTEES = [
    dl.RenyiDP(orders=[2.0, 4.0], epsilons=[0.1, 0.3]),
    dl.ZeroConcentratedDP(rho=0.1),
    dl.ZeroConcentratedDP(rho=0.1).repeat(3),
    dl.compose(dl.ZeroConcentratedDP(rho=0.1), GAUSSIAN),
    dl.ZeroConcentratedDP(rho=0.1).group(2),
    dl.RenyiDP(orders=[2.0], epsilons=[0.1]).fails_with(0.1),
]


@pytest.mark.parametrize("guarantee", GUARANTEES)
def test_moments_cannot_be_sampled(guarantee):
    refused(Undefined, ["zCDP", "ubsampl"], lambda: guarantee.subsample(0.1))


def test_renyi_without_a_common_order():
    a, b = dl.RenyiDP(orders=[2.0], epsilons=[0.1]), dl.RenyiDP(orders=[3.0], epsilons=[0.1])
    refused(Undefined, "order", lambda: dl.compose(a, b).tradeoff())


DPSGD = [
    {},
    {"sample_rate": 0.1},
    {"steps": 10},
    {"epochs": 1, "batch_size": 10},
    {"epochs": 1, "n": 100},
    {"batch_size": 10, "n": 100},
    {"sample_rate": 0.1, "steps": 10, "epochs": 1},
    {"sample_rate": 0.1, "batch_size": 10, "n": 100},
    {"steps": 10, "batch_size": 10, "n": 100},
    {"sample_rate": 0.1, "steps": 10, "epochs": 1, "batch_size": 10, "n": 100},
]


@pytest.mark.parametrize("arguments", DPSGD)
def test_figures_of_a_training_run_that_do_not_fit(arguments):
    refused(InvalidValue, ["sample_rate", "steps", "epochs", "batch_size"], lambda: _run(**arguments))


def _run(**arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dl.DplensWarning)
        return dl.DPSGD(noise_multiplier=1.0, **arguments)


BAD = [
    ("batch_size", {"epochs": 1, "batch_size": 101, "n": 100}),
    ("batch_size", {"epochs": 1, "batch_size": 0, "n": 100}),
    ("batch_size", {"epochs": 1, "batch_size": 2.5, "n": 100}),
    ("n", {"epochs": 1, "batch_size": 1, "n": 0}),
    ("epochs", {"epochs": -1, "batch_size": 10, "n": 100}),
    ("epochs", {"epochs": math.nan, "batch_size": 10, "n": 100}),
    ("epochs", {"epochs": math.inf, "batch_size": 10, "n": 100}),
    ("noise_multiplier", {"noise_multiplier": 0, "sample_rate": 0.1, "steps": 1}),
    ("noise_multiplier", {"noise_multiplier": -1.0, "sample_rate": 0.1, "steps": 1}),
    ("noise_multiplier", {"noise_multiplier": math.nan, "sample_rate": 0.1, "steps": 1}),
    ("neighbours", {"neighbours": "replace", "sample_rate": 0.1, "steps": 1}),
]


@pytest.mark.parametrize(("name", "arguments"), BAD)
def test_bad_figures_of_a_training_run(name, arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dl.DplensWarning)
        refused(DplensError, name, lambda: dl.DPSGD(**({"noise_multiplier": 1.0} | arguments)))


def test_epochs_warn_of_shuffled_batches():
    with pytest.warns(dl.DplensWarning, match="Poisson") as caught:
        m = dl.DPSGD(noise_multiplier=1.0, epochs=2, batch_size=30, n=1000)
    assert caught[0].filename == __file__
    assert m.sample_rate == 0.03
    assert m.steps == 67  # a broken epoch is rounded up


def test_rate_and_steps_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dl.DPSGD(noise_multiplier=1.0, sample_rate=0.1, steps=3).tradeoff()


def test_no_questions_are_answered_for_bad_arguments():
    m = GAUSSIAN.subsample(0.1).repeat(100)
    for delta in (-0.1, 1.1, math.nan):
        refused(InvalidValue, "delta", lambda delta=delta: dl.Epsilon(delta=delta).of(m))
    for alpha in (-0.1, 1.1, math.nan):
        refused(InvalidValue, "fpr", lambda alpha=alpha: dl.AttackPower(fpr=alpha).of(m))


@pytest.mark.parametrize("scale", [1e-3, 1e-6, 1e-22])
def test_noise_that_hides_nothing_is_refused_in_words(scale):
    refused(Undefined, "hide almost nothing", lambda: dl.Advantage().of(dl.Laplace(scale=scale).repeat(4)))
    assert dl.Advantage().of(dl.Laplace(scale=0.01).repeat(4)) == 1.0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "release", [dl.Laplace(scale=0.3, sensitivity=1e308), dl.ApproximateDP(epsilon=1e308, delta=0.1)]
)
def test_losses_whose_sum_is_no_float_are_refused_in_words(release):
    for together in (release.repeat(4), dl.compose(release.repeat(4), GAUSSIAN), release.repeat(10**15)):
        refused(Undefined, "hide almost nothing", lambda m=together: dl.Advantage().of(m))


@pytest.mark.parametrize("sigma", [0.01, 0.025])
def test_whole_number_noise_that_hides_nothing_is_refused_in_words(sigma):
    release = dl.compose(dl.DiscreteGaussian(sigma=sigma), dl.Gaussian(sigma=1.0))
    refused(Undefined, "hide almost nothing", lambda: dl.Advantage().of(release))


WITHOUT_NOISE = [
    dl.Geometric(scale=0.001).fails_with(0.1).repeat(2),
    dl.Geometric(scale=1e-155).fails_with(0.1).repeat(2),
    dl.compose(dl.Geometric(scale=0.001).fails_with(0.1), dl.RandomizedResponse(epsilon=0.1)),
    dl.DiscreteGaussian(sigma=0.025).fails_with(0.1).repeat(2),
    dl.DiscreteGaussian(sigma=1e-155).fails_with(1e-6).repeat(2),
    dl.DiscreteGaussian(sigma=1e-160).repeat(2),
    dl.Gaussian(sigma=1e-200).fails_with(0.1).repeat(2),
    dl.FinitePair(p=[1e-320, 1], q=[1, 0]).repeat(2),
    dl.FinitePair(p=[1e-320, 1], q=[1, 0]).fails_with(0.1).repeat(2),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("release", WITHOUT_NOISE, ids=repr)
def test_releases_with_next_to_no_noise_reveal_everything_or_are_refused(release):
    try:
        found = [dl.Advantage().of(release), dl.Delta(epsilon=1.0).of(release)]
    except dl.DplensError:
        return
    assert min(found) > 0.999


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_samples_of_releases_with_next_to_no_noise_reveal_who_takes_part(rate):
    for sigma in (1e-160, 1e-100, 0.025):
        release = dl.DiscreteGaussian(sigma=sigma).subsample(rate).repeat(3)
        try:
            found = dl.Advantage().of(release)
        except dl.DplensError:
            continue
        assert found.low <= 1 - (1 - rate) ** 3 <= found.high
    for kind in (dl.RandomizedResponse, dl.Staircase):
        assert 0.3 <= dl.Advantage().of(kind(epsilon=1e308).subsample(0.3).group(2)) <= 1


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_groups_beside_other_releases():
    """Groups of (epsilon, delta) guarantees that reveal all, of noise that may fail, of losses beyond all floats."""
    pure = dl.ApproximateDP(epsilon=2.0, delta=0.01)
    for size in (6, 40, 10**308):
        assert dl.Advantage().of(dl.compose(pure.group(size), dl.Laplace(scale=1.0))) > 0.9
        assert dl.Advantage().of(pure.group(size).repeat(2)) > 0.9
    failing = dl.Gaussian(sigma=2.5).fails_with(0.001).group(2)
    alone, beside = dl.Advantage().of(failing), dl.Advantage().of(dl.compose(failing, dl.Laplace(scale=4.0)))
    assert alone.low < beside.low <= beside.high < alone.high + dl.Advantage().of(dl.Laplace(scale=4.0)).high
    tiny = dl.ApproximateDP(epsilon=1e-320, delta=1e-17).subsample(0.001).repeat(2)
    assert 0 <= dl.Advantage().of(tiny) < 0.0021
