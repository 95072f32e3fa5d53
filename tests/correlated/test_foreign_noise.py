"""A noise class of one's own, in the rooms that need to know more about noise than its curve."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

import dplens as dl
from dplens.mechanisms.experiment import Noisy

TUPLES = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]], values=[[0, 1], [0, 1]])


@dataclass(frozen=True, kw_only=True)
class Triangular(dl.Mechanism, Noisy):
    """Triangular noise between −half and half."""

    half: float = 3.0
    sensitivity: float = 1.0

    @property
    def known(self):
        noise = stats.triang(0.5, loc=-self.half, scale=2 * self.half)
        return dl.AdditiveNoise(noise=noise, sensitivity=self.sensitivity)

    def noise_law(self):
        return self.known.noise_law()

    def _forward(self):
        return self.known._forward()


FOREIGN = Triangular()
REFUSED = {
    "worst attacker": lambda noise: TUPLES.worst(noise),
    "one attacker": lambda noise: TUPLES.view(noise, target=0),
    "data of a release": lambda noise: dl.assess(noise, data=TUPLES),
    "hypothesis on a value": lambda noise: dl.Advantage().of(dl.ValueAbove(mechanism=noise, values=[0, 1, 2], gamma=1)),
    "error": dl.noise_error,
}


@pytest.mark.parametrize("room", REFUSED)
def test_noise_of_an_unknown_family_is_refused_with_the_true_reason(room):
    with pytest.raises(dl.DplensError, match=r"dplens\.AdditiveNoise") as caught:
        REFUSED[room](FOREIGN)
    assert "does not add noise" not in str(caught.value)
    REFUSED[room](FOREIGN.known)  # the remedy works


def test_a_ranking_keeps_the_fit_and_says_why_there_is_no_error():
    (entry,) = dl.rank({"own": lambda x: Triangular(half=x)}, meet=dl.Advantage().at_most(0.3)).entries
    assert entry.fit is not None
    assert "dplens.AdditiveNoise" in entry.why


def test_the_analyst_needs_the_law_only():
    test = dl.MeanTest(n=100, sd=1.0, effect=0.5)
    own, same = test.power(FOREIGN), test.power(FOREIGN.known)
    assert own.low <= same.high
    assert same.low <= own.high
    observed = np.linspace(-1.0, 1.0, 5)
    assert [float(test.p_value(x, FOREIGN)) for x in observed] == pytest.approx(
        [float(test.p_value(x, FOREIGN.known)) for x in observed], rel=1e-6
    )
