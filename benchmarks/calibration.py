"""Calibration benchmarks: find the DP-SGD noise for a requirement with dplens and with a peer, and check both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import dplens as dl
from benchmarks import work
from benchmarks.timing import TookTooLong, forget, once_within, take_turns

PATIENCE = 120.0  # seconds a slow peer may take before it is stopped


@dataclass(frozen=True)
class CalibrationGoal:
    """One requirement, and a peer that supports it."""

    name: str
    requirement: dl.Requirement
    peer: str
    theirs: Callable[[], float]
    faster: float = 100.0
    slow: bool = False  # the peer runs once, and no longer than our patience


@dataclass(frozen=True)
class CalibrationRow:
    """Measured times in seconds, and the answer that dplens certifies for the peer's sigma."""

    goal: CalibrationGoal
    ours: float
    fit: dl.Calibration
    theirs: float | None = None
    sigma: float | None = None
    answer: dl.Estimate | None = None
    note: str = ""
    stopped: bool = False  # the peer's time is a lower bound

    @property
    def ratio(self) -> float | None:
        """Speedup over the peer; a lower bound if the peer was stopped."""
        return self.theirs / self.ours if self.theirs else None

    @property
    def verdict(self) -> str:
        """Whether the target was met, and if not, why."""
        missing = []
        if not self.goal.requirement.met_by(training(self.fit.value)):
            missing.append("**target missed**")
        if self.fit.neighbour is None or not abs(self.fit.neighbour / self.fit.value - 1) <= 1e-9:
            missing.append("not the least noise")
        if self.ratio is None:
            missing.append(self.note or "not run")
        elif self.ratio < self.goal.faster:
            missing.append("not yet")
        return ", ".join(missing) or "ok"

    @property
    def peer_verdict(self) -> str:
        """Whether the peer's sigma meets the target according to our enclosure, and its excess noise."""
        if self.stopped:
            return "stopped without a result"
        if self.sigma is None or self.answer is None:
            return "–"
        bound = self.goal.requirement.bound
        if self.answer.low > bound:
            return f"missed: {float(self.answer):.6g} at sigma {self.sigma:.6g}"
        excess = self.sigma / self.fit.value - 1
        return f"met, with {100 * excess:.2g} % more noise" if self.answer.high <= bound else "met within the enclosure"


def training(sigma: float) -> dl.Mechanism:
    """DP-SGD with the given noise multiplier."""
    return dl.DPSGD(noise_multiplier=sigma, sample_rate=work.CALIBRATED_RATE, steps=work.CALIBRATED_STEPS)


def calibration_goals() -> Iterator[CalibrationGoal]:
    """Yield all calibration goals."""
    yield CalibrationGoal("advantage ≤ 0.1", dl.Advantage().at_most(0.1), "riskcal", riskcal_advantage, slow=True)
    power = dl.AttackPower(fpr=0.01).at_most(0.05)
    yield CalibrationGoal("power ≤ 0.05 at fpr 0.01", power, "riskcal", riskcal_power, slow=True)
    epsilon = dl.Epsilon(delta=1e-5).at_most(1.0)
    yield CalibrationGoal("epsilon ≤ 1 at delta 1e-5", epsilon, "dp-accounting", accounting_epsilon)


def riskcal_advantage() -> float:
    """riskcal's noise multiplier for an advantage, at its default tolerance."""
    from riskcal import calibration

    return float(
        calibration.find_noise_multiplier_for_advantage_dpsgd(
            advantage=0.1, sample_rate=work.CALIBRATED_RATE, num_steps=work.CALIBRATED_STEPS
        )
    )


def riskcal_power() -> float:
    """riskcal's noise multiplier for a pair of error rates, at its default tolerance."""
    from riskcal import calibration

    return float(
        calibration.find_noise_multiplier_for_err_rates_dpsgd(
            alpha=0.01, beta=0.95, sample_rate=work.CALIBRATED_RATE, num_steps=work.CALIBRATED_STEPS
        )
    )


def accounting_epsilon() -> float:
    """dp-accounting's noise multiplier for an epsilon, with its privacy-loss accountant."""
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    def event(sigma: float) -> dp_accounting.DpEvent:
        step = dp_accounting.PoissonSampledDpEvent(work.CALIBRATED_RATE, dp_accounting.GaussianDpEvent(sigma))
        return dp_accounting.SelfComposedDpEvent(step, work.CALIBRATED_STEPS)

    bracket = dp_accounting.LowerEndpointAndGuess(0, 1)
    return float(dp_accounting.calibrate_dp_mechanism(PLDAccountant, event, 1.0, 1e-5, bracket))


def measure_calibration(goal: CalibrationGoal, seconds: float) -> CalibrationRow:
    """Time dplens and the peer, alternating between them if the peer is fast enough."""

    def ours() -> dl.Calibration:
        return dl.calibrate(training, meet=[goal.requirement])

    forget()
    fit = ours()
    found: list[float] = []

    def theirs() -> None:
        found.append(goal.theirs())

    def alone() -> float:
        return take_turns([ours], lambda: None, seconds)[0][0]

    try:
        if goal.slow:
            peer_time, sigma = once_within(__name__, goal.theirs.__name__, PATIENCE)
            our_time = alone()
        else:
            (our_time,), peer_time = take_turns([ours], theirs, seconds)
            sigma = found[-1]
    except TookTooLong:
        return CalibrationRow(goal, alone(), fit, PATIENCE, stopped=True)
    except Exception as error:  # a peer's failure is a result, not ours
        return CalibrationRow(goal, alone(), fit, note=f"{goal.peer} does not run: {type(error).__name__}: {error}")
    return CalibrationRow(goal, our_time, fit, peer_time, sigma, goal.requirement.question.of(training(sigma)))
