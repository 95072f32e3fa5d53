"""Performance goals: ask dplens and a peer the same question, and check both answers against a reference.

References are published values, or come from `benchmarks.make_references`.
"""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import dplens as dl
from benchmarks import peers, work
from benchmarks.timing import Call, Footprint, footprint, forget, take_turns

REFERENCES = json.loads(Path(__file__).with_name("references.json").read_text(encoding="utf-8"))
LAPLACE_PRINTED = {100: "71.5460036596749", 1000: "486.297509443425", 10_000: "4060.82248896158"}
WIDTH = 1e-9  # certified error that is allowed


@dataclass(frozen=True)
class Judgement:
    """Accuracy of the two answers."""

    right: bool  # our bracket holds the reference
    width: float  # of our bracket
    peer_error: str


@dataclass(frozen=True, kw_only=True)
class Goal:
    """One row. Our calls rebuild everything; the first returns both bounds, an optional second only the safe one."""

    group: str
    name: str
    peer: str
    faster: float | None  # how many times faster we should be, where that is a goal
    ours: tuple[Call, ...]
    theirs: Call
    judge: Callable[[Any, Any], Judgement]
    job: str = ""  # the peer is so slow or large that it runs once, in an interpreter of its own


@dataclass(frozen=True)
class GoalRow:
    """Measurement of one goal, with times in seconds."""

    goal: Goal
    ours: tuple[float, ...] = ()
    theirs: float | None = None
    judgement: Judgement | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Speedup over the peer."""
        return self.theirs / self.ours[0] if self.ours and self.theirs else None

    @property
    def verdict(self) -> str:
        """Whether the goal was met, and if not, why."""
        if self.judgement is None or self.ratio is None:
            return self.note or "not run"
        missing = []
        if not self.judgement.right:
            missing.append("**wrong**")
        if not self.judgement.width <= WIDTH:
            missing.append(f"wider than {WIDTH:g}")
        if self.goal.faster is not None and self.ratio < self.goal.faster:
            missing.append("not yet")
        return ", ".join(missing) or "ok"


def epsilon_goal(make: Call, delta: float, truth: str, **row: Any) -> Goal:
    """A goal for the epsilon of the mechanism that `make` returns. `truth` has all known digits."""
    value = float(truth)
    unsure = 0.5 * 10.0 ** -len(truth.partition(".")[2]) + math.ulp(value)

    def judge(ours: dl.Estimate, theirs: float) -> Judgement:
        right = ours.low - unsure <= value <= ours.high + unsure
        return Judgement(right, ours.high - ours.low, f"{theirs - value:+.1e}")

    def both_ends() -> dl.Estimate:
        return dl.Epsilon(delta=delta).of(make())

    def safe_side() -> float:
        return make().tradeoff().epsilon(delta)

    return Goal(ours=(both_ends, safe_side), judge=judge, **row)


def curve_goal(run: work.Training) -> Goal:
    """A thousand points of a trade-off curve."""
    references = REFERENCES["training"][str(run)]["beta"]
    alphas = work.CURVE_ALPHAS

    def judge(ours: np.ndarray, theirs: np.ndarray) -> Judgement:
        curve = peers.our_training(run).tradeoff()
        highest = curve.beta_bounds(alphas, 1 - alphas).hi
        truth = {int(i): float(beta) for i, beta in references.items()}
        right = all(ours[i] <= beta * (1 + 1e-15) and beta <= highest[i] * (1 + 1e-15) for i, beta in truth.items())
        return Judgement(right, float(np.max(highest - ours)), optimism(theirs, ours, highest))

    return Goal(
        group="Trade-off curve at 1000 alphas, DP-SGD",
        name=str(run),
        peer="riskcal",
        faster=100,
        ours=(lambda: peers.our_curve(run),),
        theirs=lambda: peers.riskcal_curve(run),
        judge=judge,
    )


def optimism(theirs: np.ndarray, lowest: np.ndarray, highest: np.ndarray) -> str:
    """Describe where a peer's beta exceeds our enclosure, which overstates the privacy."""
    optimistic = theirs > highest + WIDTH
    if not optimistic.any():
        return f"never optimistic, beta down to {np.min(theirs - lowest):+.1e}"
    # power is what an attacker gains; alphas below that are left to the count
    seen = np.flatnonzero(work.CURVE_ALPHAS >= 1e-4)
    worst = seen[np.argmax((1 - lowest[seen]) / np.maximum(1 - theirs[seen], 1e-12))]
    return (
        f"optimistic at {int(optimistic.sum())} of {len(theirs)} alphas, beta up to {np.max(theirs - highest):+.1e}; "
        f"at alpha {work.CURVE_ALPHAS[worst]:.1e}, power {1 - theirs[worst]:.1e} instead of {1 - highest[worst]:.1e}"
    )


def goals() -> Iterator[Goal]:
    """Yield all goals."""
    for run in work.TRAININGS:
        others = (("dp-accounting", 100, peers.accounting_training), ("prv-accountant", None, peers.prv_training))
        for peer, faster, theirs in others:
            yield epsilon_goal(
                lambda run=run: peers.our_training(run),
                work.TRAINING_DELTA,
                REFERENCES["training"][str(run)]["epsilon"],
                group=f"epsilon({work.TRAINING_DELTA:g}) of DP-SGD",
                name=str(run),
                peer=peer,
                faster=faster,
                theirs=lambda run=run, theirs=theirs: theirs(run),
            )
    for run in work.TRAININGS:
        yield curve_goal(run)
    yield epsilon_goal(
        lambda: peers.our_mixed(200),
        work.MIXED_DELTA,
        REFERENCES["mixed"]["200"],
        group=f"epsilon({work.MIXED_DELTA:g}) of alternating Gaussian, Laplace and randomised-response releases",
        name="200 releases",
        peer="dp-accounting",
        faster=200,
        theirs=lambda: peers.accounting_mixed(200),
    )
    for count, printed in LAPLACE_PRINTED.items():
        yield epsilon_goal(
            lambda count=count: peers.our_laplace(count),
            work.LAPLACE_DELTA,
            printed,
            group=f"epsilon({work.LAPLACE_DELTA:g}) of repeated Laplace releases, scale 1",
            name=f"× {count}",
            peer="dp-accounting",
            faster=100,
            theirs=lambda count=count: peers.accounting_laplace(count),
            job="laplace dp-accounting" if count == max(LAPLACE_PRINTED) else "",
        )


def measure_goal(goal: Goal, seconds: float, footprints: dict[str, Footprint | str]) -> GoalRow:
    """Compare both answers, then time both. If the peer fails, only this row is lost."""
    forget()
    our_answer = goal.ours[0]()
    if goal.job:
        run = footprints.get(goal.job) or footprint(goal.job)
        footprints[goal.job] = run
        if isinstance(run, str):
            return GoalRow(goal, note=f"{goal.peer} does not run: {run}")
        ours, _ = take_turns(list(goal.ours), lambda: None, seconds)
        return GoalRow(goal, tuple(ours), run.seconds, goal.judge(our_answer, run.answer), "once")
    try:
        their_answer = goal.theirs()
    except ImportError as error:
        return GoalRow(goal, note=f"{goal.peer} is not installed ({error.name})")
    except Exception as error:  # a peer's failure is a result, not ours
        return GoalRow(goal, note=f"{goal.peer} does not run: {type(error).__name__}: {error}")
    judgement = goal.judge(our_answer, their_answer)
    ours, theirs = take_turns(list(goal.ours), goal.theirs, seconds)
    return GoalRow(goal, tuple(ours), theirs, judgement)
