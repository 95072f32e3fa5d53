"""Assess a release: validate the inputs, ask all questions and judge the limits."""

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
    LimitVerdict,
    Related,
    by_name,
)
from dplens.assessment.result import Assessment, installed_version
from dplens.assessment.structure import is_mildest, records_of, responding, sampling_schemes, sampling_unknown
from dplens.correlated.value_above import ValueAbove
from dplens.describe.releases import write_release
from dplens.errors import DplensError, Undefined
from dplens.mechanisms.base import Mechanism
from dplens.risk.base import Question, Requirement
from dplens.risk.bayes import MaxPosterior, Posterior, PosteriorAfterNegative
from dplens.risk.conversions import Epsilon
from dplens.risk.disclosure import FailureMode, RelativeRisk, failure_mode
from dplens.risk.rates import Advantage, AttackPower
from dplens.telling import LANGUAGES

if TYPE_CHECKING:
    from dplens.assessment.audited import Audited

PRIORS = (0.01, 0.10, 0.50)
FALSE_POSITIVE_RATES = (0.1, 0.01, 0.001)


@_validate.renamed(accusing_at="fpr")
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
    fpr: float = 0.01,
    setting: str | None = None,
    title: str = "",
    declared: Declaration | None = None,
    language: str = LANGUAGES[0],
) -> Assessment:
    """What a release means: to the attacker, to the person in the data and to the analyst.

    mechanism: what was released, or a :class:`ValueAbove`. adversary: one or several, or a mapping from names to them,
    whose priors are shown beside 1 %, 10 % and 50 %. analyst: tests that the released number must still support, or
    :class:`Analysis` objects, or a mapping from names to either. data: a model of related records, or a
    :class:`RelatedData`. audit: measured attacks (what :func:`audit` and its kin found), one, several or by name, to
    hold against the release; for ``found.least(…).mechanism`` the assessment says that the true risk may be higher.
    questions: asked besides the standard ones. limits: requirements to judge. delta: where epsilon is quoted; by
    default the power of ten at or below 1/(10·n), or 1e-6 without n. n: the number of records, as in the release.
    unit: what one record stands for. fpr: the attacker's false-positive rate in pairs of numbers. setting:
    ``"central"`` or ``"local"``; by default local for randomised response, required where that stands beside other
    releases. declared: what those responsible declare. language: that of the words.

    >>> import dplens as dl
    >>> a = dl.assess(dl.Laplace(scale=1.0), n=48_200, limits=[dl.Advantage().at_most(0.3)])
    >>> a.assumptions.delta, a.passed
    (1e-06, False)
    """
    _check_inputs(mechanism, title, declared)
    attackers = _attackers(adversary)
    assumptions = _assumptions(mechanism, n, delta, unit, fpr, setting)
    asked, required = _questions(questions, "questions", Question), _judgeable(given_limits(limits), mechanism)
    asked += tuple(requirement.question for requirement in required)
    analysed = _analysed(analyst, mechanism)
    related, judged = _related(data, mechanism, [*related_questions(attackers, assumptions), *asked], assumptions)
    answers = _answers(mechanism, [*standard_questions(attackers, assumptions, related), *asked])
    return Assessment(
        title=title,
        described=json.dumps(write_release(mechanism)),
        attackers=attackers,
        assumptions=assumptions,
        # a measured attack shows only what is the least
        failure=FailureMode.UNDETERMINED if is_mildest(mechanism) else failure_mode(mechanism),
        answers=answers,
        limits=_verdicts(required, answers, judged),
        related=related,
        analyst=analysed,
        audits=_audited(audit, mechanism, assumptions.delta),
        mildest=is_mildest(mechanism),
        declared=declared,
        language=language,
        version=installed_version(),
        _original=mechanism,
    )


def _check_inputs(mechanism: Any, title: Any, declared: Any) -> None:
    remedy = "Pass for instance dplens.Gaussian(sigma=2.0)."
    if hasattr(mechanism, "refutes"):
        remedy = (
            "Pass what is claimed, and the audit as audit=. Where nothing is claimed, the mildest release of a "
            "family that explains it: assess(found.least('gaussian').mechanism, audit=found)."
        )
    _validate.instance("mechanism", mechanism, (Mechanism, ValueAbove), "to be a mechanism or a ValueAbove", remedy)
    _validate.text("title", title)
    _validate.instance("declared", declared, (Declaration, type(None)), "to be a dplens.Declaration")


def _assumptions(mechanism: Any, n: Any, delta: Any, unit: Any, fpr: Any, setting: str | None) -> Assumptions:
    fpr = _validate.open_probability("fpr", fpr)
    records = records_of(mechanism, n)
    at, source = chosen_delta(delta, records)
    where = _setting(setting, mechanism)
    if not _validate.text("unit", unit).strip():
        raise _validate.reject("unit", "to be a word for what one record stands for", unit)
    # in the local setting a sample protects no one who responds
    unknown = where == "central" and sampling_unknown(mechanism)
    return Assumptions(
        neighbours="" if isinstance(mechanism, ValueAbove) else mechanism.neighbours,
        unit=unit.strip(),
        n=records,
        delta=at,
        delta_source=source,
        sampling=sampling_schemes(mechanism) + (("unknown",) if unknown else ()),
        setting=where,
        fpr=fpr,
    )


def _judgeable(required: tuple[Requirement, ...], mechanism: Any) -> tuple[Requirement, ...]:
    if required and is_mildest(mechanism):
        remedy = "It explains what an attack achieved at least; no limit is kept by that. Judge what is claimed."
        shown = _validate.Shown(", ".join(map(str, required)))
        raise _validate.reject("limits", "to be left out for the mildest release that an audit allows", shown, remedy)
    return required


def _analysed(analyst: Any, mechanism: Any) -> tuple[AnalystAnswer, ...]:
    if analyst is None:
        return ()
    from dplens.assessment.analyst import analyse

    return analyse(analyst, mechanism)


def _audited(audit: Any, mechanism: Any, delta: float) -> tuple[Audited, ...]:
    if audit is None:
        return ()
    from dplens.assessment.audited import audited

    return audited(audit, mechanism, delta)


def _related(
    data: Any, mechanism: Any, questions: Sequence[Question], assumptions: Assumptions
) -> tuple[Related | None, list[tuple[str, Any]]]:
    """What attackers learn from related records, and the attackers that limits are judged by, with their names."""
    if data is None:
        return None, []
    from dplens.assessment.related import as_related, relate

    try:
        return relate(mechanism, as_related(data), dict.fromkeys(questions), assumptions)
    except DplensError as error:
        error.argument = "data"
        raise


def _answers(mechanism: Any, questions: Sequence[Question]) -> tuple[Answer, ...]:
    answers = tuple(Answer(question=q, estimate=q.of(mechanism)) for q in dict.fromkeys(questions))
    for a in answers:
        if math.isnan(a.estimate) or math.isnan(a.estimate.low) or math.isnan(a.estimate.high):
            raise Undefined(
                f"{a.question} has no answer in floating-point range for this release. Check its parameters: noise or "
                "sensitivity may be extreme."
            )
    return answers


def _verdicts(
    required: Sequence[Requirement], answers: Sequence[Answer], judged: Sequence[tuple[str, Any]]
) -> tuple[LimitVerdict, ...]:
    found = {a.question: a.estimate for a in answers}
    own = [LimitVerdict(requirement=r, estimate=found[r.question]) for r in required]
    others = [
        LimitVerdict(requirement=r, estimate=r.question.of(who), about=name) for name, who in judged for r in required
    ]
    return (*own, *others)


def standard_questions(
    attackers: Sequence[Attacker], assumptions: Assumptions, related: Related | None
) -> list[Question]:
    """The questions that every assessment answers; beliefs of ``related`` data models are added for comparison."""
    fpr, delta = assumptions.fpr, assumptions.delta
    out: list[Question] = []
    for who in attackers:
        out += [
            Posterior(prior=who.prior, fpr=fpr),
            PosteriorAfterNegative(prior=who.prior, fpr=1 - fpr),
            MaxPosterior(prior=who.prior),
        ]
    out += [*_powers(fpr), AttackPower(fpr=0.0), RelativeRisk(fpr=0.0), RelativeRisk(fpr=fpr), Advantage()]
    out += [Epsilon(delta=delta), Epsilon(delta=0.0)]
    return out + [Posterior(prior=belief, fpr=fpr) for belief in (related.beliefs if related else ())]


def related_questions(attackers: Sequence[Attacker], assumptions: Assumptions) -> list[Question]:
    """The standard questions about an attacker on related records, who decides between two values."""
    fpr, delta = assumptions.fpr, assumptions.delta
    posteriors = [Posterior(prior=who.prior, fpr=fpr) for who in attackers]
    return [*posteriors, *_powers(fpr), Advantage(), RelativeRisk(fpr=0.0), Epsilon(delta=delta)]


def _powers(fpr: float) -> list[AttackPower]:
    return [AttackPower(fpr=a) for a in sorted({fpr, *FALSE_POSITIVE_RATES}, reverse=True)]


def _attackers(given: Any) -> tuple[Attacker, ...]:
    named = [] if given is None else by_name(given)
    for _, who in named:
        remedy = "Pass for instance dplens.Adversary(prior=0.1)."
        _validate.instance("adversary", who, Adversary, "to be an Adversary, or several", remedy)
    own: dict[float, Attacker] = {}
    for name, who in named:
        known = own[who.prior].name if who.prior in own else ""
        own[who.prior] = Attacker(prior=who.prior, name=", ".join(filter(None, (known, name))), own=True)
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
        example = "dplens.Advantage()" + ("" if kind is Question else ".at_most(0.1)")
        _validate.instance(f"{name}[{i}]", one, kind, f"to be a {kind.__name__}", f"Pass for instance {example}.")
        _reject_unequal(f"{name}[{i}]", one.question if isinstance(one, Requirement) else one)
    return tuple(several)


def _reject_unequal(name: str, question: Question) -> None:
    """Refuse questions that hold more than their fields: equal ones are asked once, so the rest would be lost."""
    try:
        hash(question)
        lost = getattr(question, "__dict__", {}).keys() - {f.name for f in fields(question)}
    except TypeError:
        lost = True
    if lost:
        remedy = "Decorate its class with @dataclass(frozen=True, kw_only=True) and use tuples instead of lists."
        raise _validate.reject_type(name, "to be a frozen dataclass whose fields are hashable", question, remedy)


def chosen_delta(given: Any, n: int | None) -> tuple[float, str]:
    """Delta and its source: given, chosen from the number of records, or the default."""
    if given is not None:
        return _validate.real("delta", given, "in [0, 1)", lambda x: 0 <= x < 1), "given"
    if n is None:
        return 1e-6, "default"
    # the power of ten at or below 1/(10·n)
    digits = len(str(n)) - 1
    return float(f"1e-{digits + (1 if n == 10**digits else 2)}"), "from_n"


def _setting(given: str | None, mechanism: Any) -> str:
    own = responding(mechanism)
    if given is None and own == "part":
        # a response shows who took part and a noisy total does not, so neither setting fits both
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
        # amplification needs a secret sample, but a response shows that its person was sampled
        remedy = (
            "Whoever sees a response sees that its person was in the sample, so sampling protects no one who responds: "
            "leave it out, or say that the setting is central if the holder of the data keeps secret who was asked."
        )
        raise _validate.reject("sample_rate", "to be left out in the local setting", schemes[0], remedy)
    return setting
