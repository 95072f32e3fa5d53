"""From a release to everything that has to be said about it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from dplens import _validate
from dplens.adversary import Adversary
from dplens.assessment.records import (
    SETTINGS,
    AnalystAnswer,
    Answer,
    Assumptions,
    Attacker,
    Declaration,
    Related,
    Verdict,
    by_name,
)
from dplens.assessment.result import Assessment, installed_version
from dplens.assessment.structure import is_mildest, records_of, responding, sampling_schemes, sampling_unknown
from dplens.attack.composite import ValueAbove
from dplens.describe.releases import write_release
from dplens.errors import DplensError, Undefined
from dplens.mechanisms.base import Mechanism
from dplens.risk.base import Question, Requirement
from dplens.risk.bayes import MaxPosterior, Posterior, PosteriorAfterNegative
from dplens.risk.conversions import Epsilon
from dplens.risk.disclosure import FailureMode, RelativeRisk, failure_mode
from dplens.risk.rates import Advantage, AttackPower

if TYPE_CHECKING:
    from dplens.assessment.audited import Audited

PRIORS = (0.01, 0.10, 0.50)
FALSE_POSITIVE_RATES = (0.1, 0.01, 0.001)
DEFAULT_DELTA = 1e-6


def assess(
    mechanism: Any,
    *,
    adversary: Adversary | Sequence[Adversary] | Mapping[str, Adversary] | None = None,
    analyst: Any = None,
    data: Any = None,
    audit: Any = None,
    questions: Sequence[Question] | Question = (),
    limits: Sequence[Requirement] | Requirement = (),
    delta: float | None = None,
    n: int | None = None,
    unit: str = "person",
    accusing_at: float = 0.01,
    setting: str | None = None,
    title: str = "",
    declared: Declaration | None = None,
) -> Assessment:
    """What a release means: to the attacker, to the person in the data and to the analyst.

    mechanism: what was released, or a :class:`ValueAbove`. adversary: whose prior is shown beside 1 %, 10 % and 50 %;
    several may be given, or a mapping from names to adversaries. analyst: tests that the released number must still
    serve, or :class:`Analysis` objects, or a mapping from names to either. data: a model of related records, or a
    :class:`RelatedData`. audit: measured attacks on the release (what :func:`audit` and its kin found), one, several
    or by name, that its description is held against; of ``found.least(…).mechanism`` it says that the true risk may be
    higher. questions: asked beside those that always are. limits:
    requirements to be judged. delta: at which epsilon is quoted; by default the power of ten at or below 1/(10·n), or
    1e-6 where ``n``, the number of records, is given neither here nor in the release (if in both, they must agree).
    unit: what one record stands for. accusing_at: the false-positive rate of the attacker in pairs of numbers.
    setting: ``"central"`` or ``"local"``; by default local for randomised response, and to be given where that stands
    beside other releases. declared: what those who are responsible declare.

    >>> import dplens as dl
    >>> a = dl.assess(dl.Laplace(scale=1.0), n=48_200, limits=[dl.Advantage().at_most(0.3)])
    >>> a.assumptions.delta, a.passed
    (1e-06, False)
    """
    if not isinstance(mechanism, (Mechanism, ValueAbove)):
        remedy = "Pass for instance dplens.Gaussian(sigma=2.0)."
        if hasattr(mechanism, "refutes"):
            remedy = (
                "Pass what is claimed, and the audit as audit=. Where nothing is claimed, the mildest release of a "
                "family that explains it: assess(found.least('gaussian').mechanism, audit=found)."
            )
        raise _validate.reject_type("mechanism", "to be a mechanism or a ValueAbove", mechanism, remedy)
    for name, text in (("unit", unit), ("title", title)):
        if not isinstance(text, str):
            raise _validate.reject_type(name, "to be a text", text)
    if not unit.strip():
        raise _validate.reject("unit", "to be a word for what one record stands for", unit)
    if declared is not None and not isinstance(declared, Declaration):
        raise _validate.reject_type("declared", "to be a dplens.Declaration", declared)
    attackers = _attackers(adversary)
    fpr = _validate.open_probability("accusing_at", accusing_at)
    records = records_of(mechanism, n)
    at, source = chosen_delta(delta, records)
    where = _setting(setting, mechanism)
    unknown = where == "central" and sampling_unknown(mechanism)  # no one who responds himself is protected by samples
    asked = _questions(questions, "questions", Question)
    required = given_limits(limits)
    mildest = is_mildest(mechanism)
    if mildest and required:
        remedy = "It explains what an attack achieved at least; no limit is kept by that. Judge what is claimed."
        shown = _validate.Shown(", ".join(map(str, required)))
        raise _validate.reject("limits", "to be left out for the mildest release that an audit allows", shown, remedy)
    analysed: tuple[AnalystAnswer, ...] = ()
    if analyst is not None:
        from dplens.assessment.analyst import analyse

        analysed = analyse(analyst, mechanism)
    related, judged = None, []
    if data is not None:  # first, since it refuses more
        from dplens.assessment.related import as_related, relate

        of_related = [*related_questions(attackers, fpr, at), *asked, *(r.question for r in required)]
        try:
            related, judged = relate(mechanism, as_related(data), _unique(of_related), fpr, where)
        except DplensError as error:
            error.argument = "data"
            raise
    measured: tuple[Audited, ...] = ()
    if audit is not None:
        from dplens.assessment.audited import audited

        measured = audited(audit, mechanism, at)
    standard = standard_questions(attackers, fpr, at, related)
    everything = _unique([*standard, *asked, *(r.question for r in required)])
    answers = tuple(Answer(question=q, estimate=q.of(mechanism)) for q in everything)
    for a in answers:
        if math.isnan(a.estimate) or math.isnan(a.estimate.low) or math.isnan(a.estimate.high):
            raise Undefined(
                f"{a.question} has no answer that floats can hold for this release. Check its parameters: noise or "
                "sensitivity may be extreme."
            )
    found = {a.question: a.estimate for a in answers}
    verdicts = [Verdict(requirement=r, estimate=found[r.question]) for r in required]
    verdicts += [
        Verdict(requirement=r, estimate=r.question.of(who), about=name) for name, who in judged for r in required
    ]
    return Assessment(
        title=title,
        described=json.dumps(write_release(mechanism)),
        attackers=attackers,
        assumptions=Assumptions(
            neighbours="" if isinstance(mechanism, ValueAbove) else mechanism.neighbours,
            unit=unit.strip(),
            n=records,
            delta=at,
            delta_source=source,
            sampling=sampling_schemes(mechanism) + (("unknown",) if unknown else ()),
            setting=where,
            accusing_at=fpr,
        ),
        failure=FailureMode.UNDETERMINED if mildest else failure_mode(mechanism),  # no measurement settles it
        answers=answers,
        limits=tuple(verdicts),
        related=related,
        analyst=analysed,
        audits=measured,
        mildest=mildest,
        declared=declared,
        version=installed_version(),
        _original=mechanism,
    )


def standard_questions(
    attackers: Sequence[Attacker], fpr: float, delta: float, related: Related | None
) -> list[Question]:
    """What is always asked of a release; ``related``: what is compared with it."""
    out: list[Question] = []
    for who in attackers:
        out += [
            Posterior(prior=who.prior, fpr=fpr),
            PosteriorAfterNegative(prior=who.prior, fpr=1 - fpr),
            MaxPosterior(prior=who.prior),
        ]
    rates = [fpr, *(a for a in FALSE_POSITIVE_RATES if a != fpr)]
    out += [AttackPower(fpr=a) for a in sorted(rates, reverse=True)]
    out += [AttackPower(fpr=0.0), RelativeRisk(fpr=0.0), RelativeRisk(fpr=fpr), Advantage()]
    out += [Epsilon(delta=delta), Epsilon(delta=0.0)]
    return out + [Posterior(prior=belief, fpr=fpr) for belief in (related.beliefs if related else ())]


def related_questions(attackers: Sequence[Attacker], fpr: float, delta: float) -> list[Question]:
    """What is asked of an attacker on related records, who decides between two values."""
    rates = [fpr, *(a for a in FALSE_POSITIVE_RATES if a != fpr)]
    posteriors = [Posterior(prior=who.prior, fpr=fpr) for who in attackers]
    powers = [AttackPower(fpr=a) for a in sorted(rates, reverse=True)]
    return [*posteriors, *powers, Advantage(), RelativeRisk(fpr=0.0), Epsilon(delta=delta)]


def _unique(questions: Sequence[Question]) -> tuple[Question, ...]:
    return tuple(dict.fromkeys(questions))


def _attackers(given: Any) -> tuple[Attacker, ...]:
    named = [] if given is None else by_name(given)
    for _, who in named:
        if not isinstance(who, Adversary):
            remedy = "Pass for instance dplens.Adversary(prior=0.1)."
            raise _validate.reject_type("adversary", "to be an Adversary, or several", who, remedy)
    own: dict[float, Attacker] = {}
    for name, who in named:
        known = own.get(who.prior)
        together = f"{known.name}, {name}" if known and known.name and name else name or (known.name if known else "")
        own[who.prior] = Attacker(prior=who.prior, name=together, own=True)
    shown = {p: Attacker(prior=p) for p in PRIORS} | own
    return tuple(shown[p] for p in sorted(shown))


def given_limits(limits: Any) -> tuple[Requirement, ...]:
    """One limit or several."""
    return _questions(limits, "limits", Requirement)


def _questions(given: Any, name: str, kind: type) -> tuple[Any, ...]:
    several = (given,) if isinstance(given, kind) else given
    if several is None:
        return ()
    if isinstance(several, (str, bytes)) or not isinstance(several, Sequence):
        raise _validate.reject_type(name, f"to be a list of {name}", given)
    for i, one in enumerate(several):
        if not isinstance(one, kind):
            example = "dplens.Advantage()" + ("" if kind is Question else ".at_most(0.1)")
            raise _validate.reject_type(
                f"{name}[{i}]", f"to be a {kind.__name__}", one, f"Pass for instance {example}."
            )
        _reject_unequal(f"{name}[{i}]", one.question if isinstance(one, Requirement) else one)
    return tuple(several)


def _reject_unequal(name: str, question: Question) -> None:
    """A question is told from others by its fields: what else it holds would be lost, and equal ones are asked once."""
    try:
        hash(question)
        lost = getattr(question, "__dict__", {}).keys() - {f.name for f in fields(question)}
    except TypeError:
        lost = True
    if lost:
        remedy = "Decorate its class with @dataclass(frozen=True, kw_only=True) and use tuples instead of lists."
        raise _validate.reject_type(name, "to be a frozen dataclass whose fields are hashable", question, remedy)


def chosen_delta(given: Any, n: int | None) -> tuple[float, str]:
    """Delta, and where it comes from: given, chosen from the number of records, or the default."""
    if given is not None:
        return _validate.real("delta", given, "in [0, 1)", lambda x: 0 <= x < 1), "given"
    if n is None:
        return DEFAULT_DELTA, "default"
    # the power of ten at or below 1/(10·n)
    digits = len(str(n)) - 1
    return float(f"1e-{digits + (1 if n == 10**digits else 2)}"), "from_n"


def _setting(given: str | None, mechanism: Any) -> str:
    own = responding(mechanism)
    if given is None and own == "part":
        # whoever sees a response sees who took part; whoever sees a noisy total does not: neither holds of both
        remedy = (
            "Say local if every release comes from the person's own hands, or if the question is which of two answers "
            "is true (sensitivities are then the distance between two answers); central only if nobody but the holder "
            "of the data sees whose a response is."
        )
        shown = _validate.Shown("a randomised response beside other releases")
        raise _validate.reject("setting", "to be given, central or local", shown, remedy)
    by_itself = "local" if own == "all" else "central"
    setting = by_itself if given is None else _validate.one_of("setting", given, SETTINGS)
    schemes = sampling_schemes(mechanism)
    if setting == "local" and schemes:
        # amplification needs a secret sample; whoever sees a response sees that its person was asked
        remedy = (
            "Whoever sees a response sees that its person was in the sample, so sampling protects no one who responds: "
            "leave it out, or say that the setting is central if the holder of the data keeps secret who was asked."
        )
        raise _validate.reject("sample_rate", "to be left out in the local setting", schemes[0], remedy)
    return setting
