"""Privacy first: from a tolerable risk to mechanisms and the power they leave."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dplens import _validate
from dplens.analyst.planning.noise_limits import NoiseFamily, Unsolvable, least_power, most_noise
from dplens.analyst.planning.protection import Sensitivity, refused
from dplens.analyst.tests.base import AnalystTest, checked_test
from dplens.decide.doors import shared as doors
from dplens.decide.doors.concessions import nearest
from dplens.decide.doors.decision import Decision, NoiseRange, Option, amount
from dplens.decide.doors.review import limit_words, needed_power, rounded_down
from dplens.risk.base import Requirement
from dplens.risk.disclosure import FailureMode, failure_mode
from dplens.telling import Figure, Told


def privacy_first(
    *,
    blatant_ok: bool,
    high_confidence_ok: bool,
    limit: Requirement | Any,
    families: Any = None,
    sensitivity: float | None = None,
    analyst: AnalystTest | None = None,
    min_power: float | None = None,
    neighbours: str | None = None,
    prior: float = 0.1,
    fpr: float = 0.01,
) -> Decision:
    """Fondeville's three questions (§5.1), answered by families of noise at the parameter that meets the limit.

    blatant_ok: may an output prove that someone is in the data? If not, families that allow a proof are out.
    high_confidence_ok: may an attacker become arbitrarily sure, however rarely? If not, only families with a bounded
    relative disclosure risk remain. limit: the tolerable risk, for instance ``RelativeRisk(fpr=0.01).at_most(5)`` or
    ``AttackPower(fpr=0.01).at_most(0.1)``. families: names (``"gaussian"``, ``"laplace"``, ``"staircase"``,
    ``"geometric"``, ``"discrete_gaussian"``), or a mapping from names to functions of an amount of noise; by default
    all that fit. sensitivity: of the published number, by default from the analyst's bounds, else 1. analyst: the test
    for which the number is published; min_power: the power it needs. neighbours: ``"replace"`` or ``"add_remove"``, the
    relation to which the sensitivity refers, by default the one that fits the test. prior, fpr: used in the sentence
    about the attacker.

    Each family gets the least noise that provably meets the limit. Of the families that leave ``min_power``, the one
    with the mildest failure mode is recommended (none, graceful, unknown, catastrophic), as in ``utility_first``.
    Within a mode the highest power wins; if powers agree to half a percentage point, or there is no analyst, the
    strongest guarantee (by the trade-off curve, then by the advantage).

    >>> import dplens as dl
    >>> t = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, bounds=(0, 1))
    >>> d = dl.privacy_first(blatant_ok=False, high_confidence_ok=True, analyst=t,
    ...                      limit=dl.RelativeRisk(fpr=0.01).at_most(5))
    >>> d.recommended.family, round(d.recommended.mechanism.epsilon, 4), round(d.recommended.power, 4)
    ('laplace', 1.6094, 1.0)
    """
    blatant_ok = _validate.flag("blatant_ok", blatant_ok)
    high_confidence_ok = _validate.flag("high_confidence_ok", high_confidence_ok)
    if analyst is not None:
        checked_test(analyst, "analyst")
    if min_power is not None and analyst is None:
        raise _validate.reject("analyst", "to be given with min_power", None)
    wanted = None if min_power is None or analyst is None else least_power(analyst, min_power)
    size = Sensitivity(analyst, sensitivity, doors.neighbours_of(analyst, neighbours))
    kinds = doors.families_of(families, analyst, size.in_norm(1))
    door = _PrivacyFirst(doors.limits_of(limit), size, wanted, prior, fpr, blatant_ok, high_confidence_ok)
    return door.decide(kinds)


@dataclass(frozen=True)
class _PrivacyFirst(doors.Door):
    """The three questions, applied to each family."""

    blatant_ok: bool
    high_confidence_ok: bool

    def at_limit(self, kind: NoiseFamily) -> Option:
        """A family at the least noise that meets the limit, or the reason why it is out."""
        why = refused(kind, self.size)
        if why is not None:
            return doors.left_out(kind, why)
        fit = self.least(kind)
        if isinstance(fit, str):
            mode = failure_mode(self.size.seen(kind, self.size.of(kind)))
            return doors.left_out(kind, self._forbidden(mode) or fit, failure=mode)
        mode, low = failure_mode(fit.mechanism), float(fit.value)
        if (why := self._forbidden(mode)) is not None:
            return doors.left_out(kind, why, failure=mode)
        found = self.option(kind, low, fit.mechanism)
        told = {"parameter": kind.parameter, "amount": Figure(amount(low, at_least=True)), **self.size.spent.told}
        why, most = Told("decide-met", **told), math.inf
        if found.power is not None:
            why = Told("decide-met-power", power=rounded_down(float(found.power)), **told)
            most = self._most(kind, low if self.wanted is not None and self._serves(found) else None)
        return replace(found, why=why, feasible=NoiseRange(parameter=kind.parameter, low=low, high=most))

    def _most(self, kind: NoiseFamily, start: float | None = None) -> float:
        """The most noise that leaves the required power; ``start`` is an amount that does."""
        if self.size.test is None or self.wanted is None:
            return math.inf
        try:
            return most_noise(self.size.test, lambda x: self.size.make(kind, x), self.wanted, start=start)
        except Unsolvable:
            return 0.0

    def _forbidden(self, mode: FailureMode) -> str | None:
        """Why a failure mode is not accepted, if it is not."""
        accepted = self.blatant_ok and self.high_confidence_ok
        why = {
            FailureMode.CATASTROPHIC: None if accepted else "decide-forbidden-proof",
            FailureMode.GRACEFUL: None if self.high_confidence_ok else "decide-forbidden-sure",
            FailureMode.UNDETERMINED: None if accepted else "decide-forbidden-unknown",
        }.get(mode)
        return why and Told(why, **self.size.spent.told)

    def _serves(self, option: Option) -> bool:
        return self.wanted is None or (option.power is not None and float(option.power) >= self.wanted)

    def decide(self, kinds: tuple[NoiseFamily, ...]) -> Decision:
        """The decision over all families."""
        options = [self.at_limit(kind) for kind in kinds]
        good = doors.ranked((o for o in options if o.admissible), by_power=True)
        out = [o for o in options if not o.admissible]
        best = next((o for o in good if self._serves(o)), None)
        reasons = [*self._answers(), *(Told("decide-reason", family=o.family, why=o.why) for o in (*good, *out))]
        named = {k.name: k for k in kinds}
        conceded: tuple[Any, ...] = ()
        shown = best
        if best is not None:
            reasons += self._recommended(best, [o for o in good if o is not best and self._serves(o)])
        elif good:
            most = max(good, key=lambda o: float(o.power or 0))  # not the first, if powers tie
            told = {"power": rounded_down(float(most.power or 0)), "needed": needed_power(self.wanted or 0)}
            reasons.append(Told("decide-none-serves-power", family=most.family, **told))
            ranges = [(named[o.family], o.feasible) for o in good if o.feasible is not None]
            conceded = self.concessions(ranges)
            shown = good[nearest(ranges, self.size, self.limits) or 0]
        else:
            reasons.append(Told("decide-none-admissible"))
            alone = self.size.spent.alone(self.size.neighbours)
            if alone is not None and (self.overspent or self._forbidden(failure_mode(alone))):
                reasons.append(Told("decide-excluded", **self.size.spent.told))
            # families excluded by the limit alone
            only = [named[o.family] for o in out if o.failure is not None and self._forbidden(o.failure) is None]
            ranges = [(k, NoiseRange(parameter=k.parameter, low=math.inf, high=self._most(k))) for k in only]
            conceded = self.concessions(ranges) if only else ()
        return self.decision(
            shown,
            door="privacy_first",
            options=tuple(([best] if best else []) + [o for o in good if o is not best] + out),
            recommended=best,
            reasons=tuple(reasons),
            concessions=conceded,
        )

    def _recommended(self, best: Option, others: list[Option]) -> Iterator[Told]:
        """Why an option is preferred to the others that serve both sides."""
        like = [o for o in others if doors.severity(o) == doors.severity(best)]
        if best.power is None:
            mildest = "no" if like == others else "yes"
            yield Told("decide-best-guarantee", family=best.family, mildest=mildest)
            return
        power = float(best.power)
        tied = [Told("family-name", family=o.family) for o in like if abs(float(o.power or 0) - power) < doors.TIE]
        case = "alone" if others and not like else "all" if like == others else "some"
        key = "decide-best-tied" if tied else "decide-best-power"
        yield Told(key, family=best.family, power=rounded_down(power), case=case, tied=tied)
        most = max((o for o in others if o not in like), key=lambda o: float(o.power or 0), default=None)
        if most is not None and float(most.power or 0) >= power + doors.TIE:
            yield Told("decide-more-power", family=most.family, power=rounded_down(float(most.power or 0)))

    def _answers(self) -> Iterator[Told]:
        """The answers to the three questions, as sentences."""
        yield Told("decide-blatant", ok="yes" if self.blatant_ok else "no")
        yield Told("decide-sure", ok="yes" if self.high_confidence_ok else "no")
        yield Told("decide-limit", limits=[limit_words(r) for r in self.limits])
