"""Tables of reports without a picture: pairs, answers, limits, the analyst's tests; and how numbers are known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dplens.assessment.assess import standard_questions
from dplens.assessment.records import Answer
from dplens.estimate import Estimate
from dplens.present.report.document import Cell, Mark, Table
from dplens.present.report.tables import estimate_cell, written
from dplens.present.rounding import belief, given, percent, share
from dplens.present.words.answers import answer_words, bound_words, question_words, verdict_key
from dplens.present.words.say import Voice
from dplens.risk.bayes import Posterior
from dplens.risk.conversions import Delta, Epsilon, Mu, Renyi
from dplens.risk.rates import Advantage, AttackPower

if TYPE_CHECKING:
    from dplens.assessment.result import Assessment

_OTHER_NOTIONS = (Delta, Epsilon, Mu, Renyi)  # less accurate than shares of people, or possibly infinite


MARKS = {"none": Mark.NONE, "kept": Mark.MET, "exceeded": Mark.BROKEN, "open": Mark.OPEN, "refuted": Mark.BROKEN}


def _table(voice: Voice, key: str, caption: str, heads: str, rows: Iterable[Sequence[Cell]]) -> Table:
    """A table with its heads by their keys."""
    titles = tuple(voice(f"head-{head}") for head in heads.split())
    return Table(key=key, caption=caption, heads=titles, rows=written(rows, voice))


def pairs(assessment: Assessment, voice: Voice) -> Table:
    """The pairs of numbers for every attacker, with the exact belief behind each."""
    rows = []
    for who in assessment.attackers:
        answer = assessment.answer(Posterior(prior=who.prior, fpr=voice.fpr))
        before, after, out_of = voice.pair_of(who)
        cell = estimate_cell(percent(answer.high, 3), answer)
        counted = Cell(voice.text.count(after), cell.low, cell.high, cell.route, cell.exact, of=out_of)
        plain = [Cell(belief(who.prior)), Cell(who.name or "–"), Cell(voice.text.count(before))]
        rows.append((*plain, counted, Cell(voice.text.count(out_of)), cell))
    caption = voice("table-pairs")
    caption = caption[:1].upper() + caption[1:]
    return _table(voice, "pairs", caption, "prior attacker before after out_of posterior", rows)


def related_tables(assessment: Assessment, voice: Voice) -> tuple[Table, ...]:
    """What was asked about the worst attacker on related records, and about each whom the user named."""
    if assessment.related is None:
        return ()
    # they decide between two values, not about membership
    other = voice.on_related()
    named = [
        (voice("table-related-named" if who.name else "table-related-unnamed", name=who.name), who.answers)
        for who in assessment.related.attackers
    ]
    everyone = [(voice("table-related"), assessment.related.worst.answers), *named]
    return tuple(_answers(f"related_{i}", caption, answers, other) for i, (caption, answers) in enumerate(everyone))


def analyst_tables(assessment: Assessment, voice: Voice) -> tuple[Table, ...]:
    """Each test of the analyst with its power, with and without the noise."""
    if not assessment.analyst:
        return ()
    rows = []
    for i, a in enumerate(assessment.analyst):
        powers = [estimate_cell(percent(p, 3, more_is_riskier=False), p) for p in (a.power, a.power_without_noise)]
        rows.append(
            (
                Cell(a.name or voice("test-number", number=i + 1)),
                Cell(given(a.effect)),
                Cell(share(a.level)),
                *powers,
                Cell("–" if a.min_power is None else share(a.min_power)),
            )
        )
    heads = "test effect level with_noise without_noise needed"
    return (_table(voice, "analyst", voice("table-analyst"), heads, rows),)


def certificates(assessment: Assessment, voice: Voice) -> dict[str, str]:
    """How the numbers about the release, about related records and about the analyst are known."""
    everyone = (assessment.related.worst, *assessment.related.attackers) if assessment.related else ()
    related = [a for who in everyone for a in who.answers]
    powers = [p for a in assessment.analyst for p in (a.power, a.power_without_noise)]
    own = {
        section: [
            a.estimate for a in assessment.answers if isinstance(a.question, _OTHER_NOTIONS) == (section != "release")
        ]
        for section in ("release", "epsilon")
    }
    return {
        "release": _certificate(own["release"], voice),
        "epsilon": _certificate(own["epsilon"], voice),
        "related": _certificate([a.estimate for a in related], voice),
        "analyst": _certificate(powers, voice),
        "audit": voice("certificate-audit") if assessment.audits else "",
    }


def _certificate(answers: Sequence[Estimate], voice: Voice) -> str:
    """How the numbers of a section are known, and how wide their brackets are at most."""
    if not answers:
        return ""
    routes = dict.fromkeys(a.route for a in answers)
    shown = "; ".join(voice(f"route-{route}") if f"route-{route}" in voice.text else route for route in routes)
    widest = max(_width(a) for a in answers)
    if widest > 0.01:  # worth pointing out
        return voice("certificate-wide", routes=shown)
    # the least power of ten that is no smaller: nobody needs more digits of a width
    power = 10.0 ** math.ceil(math.log10(max(widest, 1e-16)) - 1e-9)
    return voice("certificate", routes=shown, width=given(power))


def _width(answer: Estimate) -> float:
    """Of a bracket, as a share of its larger end; infinite where one end is."""
    if answer.low == answer.high:
        return 0.0
    largest = max(abs(answer.low), abs(answer.high))
    return math.inf if math.isinf(largest) else (answer.high - answer.low) / largest


def limits(assessment: Assessment, voice: Voice) -> Table | None:
    """Every limit and every power that is needed, each with its answer and verdict; None where nothing was required."""
    needed = [(i, a) for i, a in enumerate(assessment.analyst) if a.min_power is not None]
    if not (assessment.limits or needed):
        return None
    other = voice.on_related()
    rows = []
    for v in assessment.limits:
        question, bound = v.requirement.question, v.requirement.bound
        more, about = "yes" if question.more_is_riskier else "no", v.about
        answer = estimate_cell(answer_words(question, v.estimate, voice), v.estimate)
        rows.append(
            (
                Cell(question_words(question, voice if v.about == "release" else other)),
                Cell(voice(f"about-{about}") if about in ("release", "related") else about),
                Cell(voice("limit-bound", more=more, bound=bound_words(question, bound))),
                answer,
                verdict_cell(verdict_key(v, voice), voice),
            )
        )
    for i, a in needed:
        answer = estimate_cell(percent(a.power, 3, more_is_riskier=False), a.power)
        name = a.name or voice("test-number", number=i + 1)
        limit = voice("limit-bound", more="no", bound=share(a.min_power or 0.0))
        plain = [
            Cell(voice("power-of", name=name)),
            Cell(voice("about-analyst")),
            Cell(limit),
        ]
        rows.append((*plain, answer, verdict_cell("kept" if a.met else "exceeded", voice)))
    rows.sort(key=lambda row: row[-1].mark is Mark.MET)  # what is not met comes first
    return _table(voice, "limits", voice("table-limits"), "question about limit answer verdict", rows)


def short_limits(assessment: Assessment, voice: Voice, most: int = 4) -> Table | None:
    """The first limits, what is not met before the rest, without the column that says whom they are about."""
    whole = limits(assessment, voice)
    if whole is None:
        return None
    several = any(row[1].text != voice("about-release") and row[1].text != voice("about-analyst") for row in whole.rows)
    keep = [i for i in range(len(whole.heads)) if i != 1 or several]
    # the accuracy says whether tests have the power that they need: here stand as many rows as the verdict counts
    own = [row for row in whole.rows if row[1].text != voice("about-analyst")]
    if not own:
        return None
    rows = tuple(tuple(row[i] for i in keep) for row in own[:most])
    return Table(key="limits-short", caption=whole.caption, heads=tuple(whole.heads[i] for i in keep), rows=rows)


def main_numbers(assessment: Assessment, voice: Voice) -> Table:
    """The few answers by which a release is known, and the first of those that were asked for beside the usual ones."""
    asked = (
        Posterior(prior=voice.main.prior, fpr=voice.fpr),
        AttackPower(fpr=voice.fpr),
        Advantage(),
        Epsilon(delta=assessment.assumptions.delta),
    )
    usual = {*standard_questions(assessment.attackers, assessment.assumptions, assessment.related)}
    usual |= {v.requirement.question for v in assessment.limits}
    own = [a for a in assessment.answers if a.question not in usual]
    found = (*(Answer(question=q, estimate=assessment.answer(q)) for q in asked), *own[:3])
    return _answers("main", voice("table-answers"), found, voice)


def analyst_answers(assessment: Assessment, voice: Voice) -> tuple[Table, ...]:
    """The power of each of the analyst's tests, with and without the noise, one in a row."""
    rows = []
    for i, a in enumerate(assessment.analyst):
        name = a.name or voice("test-number", number=i + 1)
        for key, power in (("with_noise", a.power), ("without_noise", a.power_without_noise)):
            cell = estimate_cell(percent(power, 3, more_is_riskier=False), power)
            rows.append((Cell(f"{name}: {voice(f'head-{key}')}"), cell))
    return (_table(voice, "analyst-answers", voice("table-analyst"), "question answer", rows),) if rows else ()


def verdict_cell(key: str, voice: Voice) -> Cell:
    """A verdict in a table, in a word and a shape."""
    return Cell(voice(f"verdict-word-{key}"), mark=MARKS[key])


def all_numbers(assessment: Assessment, voice: Voice) -> tuple[Table, ...]:
    """Every answer about the release."""
    return (_answers("answers", voice("table-answers"), assessment.answers, voice),)


def _answers(key: str, caption: str, answers: tuple[Answer, ...], voice: Voice) -> Table:
    rows = []
    for a in answers:
        words = question_words(a.question, voice)
        cell = estimate_cell(answer_words(a.question, a.estimate, voice), a.estimate)
        rows.append((Cell(words[0].upper() + words[1:]), cell))
    return _table(voice, key, caption, "question answer", rows)
