"""An assessment in sentences, section by section, the most important first."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dplens.assessment.assess import standard_questions
from dplens.assessment.result import checked_assessment
from dplens.assessment.structure import records_each
from dplens.assessment.warnings import uncounted
from dplens.present.rounding import belief, given, number, percent, share
from dplens.present.visible import visible
from dplens.present.words.answers import answer_words, limit_sentence, question_words
from dplens.present.words.counts import ceil, odds, pair
from dplens.present.words.language import DEFAULT, texts
from dplens.present.words.sections import analyst_sentences, audit_sentences, related_first, related_sentences
from dplens.risk.bayes import MaxPosterior, Posterior, PosteriorAfterNegative
from dplens.risk.conversions import Epsilon
from dplens.risk.disclosure import FailureMode, RelativeRisk
from dplens.risk.rates import Advantage, AttackPower

if TYPE_CHECKING:
    from dplens.assessment.records import Attacker
    from dplens.assessment.result import Assessment
    from dplens.estimate import Estimate
    from dplens.risk.base import Question


@dataclass(frozen=True)
class Section:
    """Sentences that belong together, under a heading."""

    key: str
    heading: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Words:
    """An assessment in sentences; ``str()`` gives them all, one a line under each heading.

    title: of the assessment. sections: in the order in which they should be read; ``words["learning"]`` has the
    sentences of one, none if it does not apply.
    """

    title: str
    sections: tuple[Section, ...]

    def only(self, *keys: str) -> Words:
        """The sections with these keys."""
        return Words(self.title, tuple(s for s in self.sections if s.key in keys))

    def __getitem__(self, key: str) -> tuple[str, ...]:
        return next((s.sentences for s in self.sections if s.key == key), ())

    def sentences(self) -> tuple[str, ...]:
        """All sentences in order."""
        return tuple(sentence for s in self.sections for sentence in s.sentences)

    def __str__(self) -> str:
        blocks = ["\n".join([s.heading, *(f"  {sentence}" for sentence in s.sentences)]) for s in self.sections]
        # the first lines, bad news or the failure mode, have no heading
        first = "\n".join(self.sections[0].sentences)
        return visible("\n\n".join([*([self.title] if self.title else []), first, *blocks[1:]]))


def say(assessment: Assessment, language: str = DEFAULT) -> Words:
    """The assessment in sentences of a language."""
    voice = Voice(assessment, language)
    made = {
        "failure": voice.headline(),
        "learning": voice.learning(),
        "absence": voice.absence(),
        "finding": voice.finding(),
        "asked": voice.asked(),
        "you": voice.you(),
        "related": related_sentences(assessment, voice),
        "analyst": analyst_sentences(assessment, voice),
        "audit": audit_sentences(assessment, voice),
        "warnings": voice.warnings(),
        "assumptions": voice.assumptions(),
        "limits": [limit_sentence(v, voice) for v in assessment.limits],
        "epsilon": voice.epsilon(),
        "not_covered": voice.not_covered(),
        "declared": voice.declared(),
    }
    sections = [Section(key, voice.text.HEADINGS[key], tuple(lines)) for key, lines in made.items() if lines]
    return Words(assessment.title, tuple(sections))


class Voice:
    """An assessment with the texts of a language; fills in its sentences."""

    def __init__(self, assessment: Assessment, language: str = DEFAULT) -> None:
        self.assessment = checked_assessment(assessment)
        self.language = language
        self.text = text = texts(language)
        assumed = assessment.assumptions
        about = {"": "value", "local": "answer"}
        self.about = about.get(assumed.told_apart, "membership")
        self.filled: dict[str, str] = {
            "unit": assumed.unit,
            "units": text.plural(assumed.unit),
            "a_unit": text.with_article(assumed.unit),
            "possessive": text.possessive(assumed.unit),
            "gamma": given(assessment.release.get("gamma", 0)) if self.about == "value" else "",
        }
        several = records_each(assessment.mechanism)
        one, many = text.RECORDS if several > 1 else (self.filled["unit"], self.filled["units"])
        each, counted = (text.EACH.format(size=f"{several:,}"), text.COUNTED) if several > 1 else ("", "")
        self.filled |= {"record": one, "records": many, "each": each, "counted": counted}
        self.filled["several"] = text.SEVERAL[several > 1].format(unit=assumed.unit)
        self.filled |= {key: words.format(**self.filled) for key, words in text.ABOUT[self.about].items()}
        self.fpr = assumed.accusing_at

    def __call__(self, template: str, **more: Any) -> str:
        for limit, instead in self.text.MILDEST_WORDS if self.assessment.mildest else ():
            template = template.replace(limit, instead)
        return template.format(**{**self.filled, **more})

    @property
    def report(self) -> Any:
        """The texts that only reports have."""
        return self.text.Report

    def on_related(self) -> Voice:
        """The voice for related records, where attackers decide between two values, not about membership."""
        other = copy(self)
        other.about = "related"
        return other

    @property
    def main(self) -> Attacker:
        """The attacker in sentences about a single one: the user's first, or else the one with 10 %."""
        everyone = self.assessment.attackers
        own = [a for a in everyone if a.own]
        return own[0] if own else min(everyone, key=lambda a: abs(a.prior - 0.1))

    def name(self, who: Attacker) -> str:
        """The attacker's name in brackets, if he has one."""
        return self.text.PAIR_NAME.format(name=who.name) if who.name else ""

    # ---- sections --------------------------------------------------------------------------------------------

    def headline(self) -> list[str]:
        """The first lines: bad news if there is any, then the failure mode."""
        made, text, bad = self.assessment, self.text, []
        if made.mildest:
            bad.append(text.MILDEST)
        if made.refuted:
            bad.append(self.report.STANDING["refuted"])
        if not all(self.required):
            bad.append(self.standing())
        advantage = made.answer(Advantage()).high
        unprotected = advantage >= 0.99  # hardly anything is left to fail
        if unprotected:
            bad.append(self(text.UNPROTECTED, advantage=percent(advantage, 3)))
        related = related_first(made, self)
        kind = made.failure.value
        plain = text.FAILURE_PLAIN if bad or related else {}
        # do not praise the failure mode of a release that hides nothing or is not as described
        fails = [] if kind in plain and (unprotected or made.refuted) else [plain.get(kind, text.FAILURE[kind])]
        ratio = made.answer(RelativeRisk(fpr=0.0)).high
        factor = number(ratio) if ratio < 1e300 else text.FACTOR_HUGE
        chance = percent(made.answer(AttackPower(fpr=0.0)).high, 3)
        return [*bad, *related, *(self(one, factor=factor, chance=chance) for one in fails)]

    @property
    def required(self) -> list[bool]:
        """Whether each limit and each required power of the analyst is provably kept."""
        made = self.assessment
        return [v.met for v in made.limits] + [a.met for a in made.analyst if a.min_power is not None]

    def standing(self) -> str:
        """Whether the release as described meets all requirements."""
        made, required = self.assessment, self.required
        count, exceeded = len(required), required.count(False)
        key = "none" if not count else "exceeded" if exceeded else "kept"
        if exceeded and exceeded == sum(v.open for v in made.limits):
            key = "open"
        if key == "kept" and made.limits and made.related is not None:
            key = "kept_related"
        return self.report.STANDING[key].format(count=count, exceeded=exceeded)

    def pair_of(self, who: Attacker) -> tuple[int, int, int]:
        """(right without the release, with it, of how many accused)."""
        return pair(who.prior, self.assessment.answer(Posterior(prior=who.prior, fpr=self.fpr)).high)

    def _counted(self, template: str, who: Attacker, counts: tuple[int, int, int]) -> str:
        """A pair of counts in a sentence."""
        before, after, out_of = (f"{count:,}" for count in counts)
        told = {"prior": belief(who.prior), "name": self.name(who), "fpr": share(self.fpr)}
        return self(template, before=before, after=after, out_of=out_of, **told)

    def learning(self) -> list[str]:
        """The value of an accusation without and with the release for each prior, and whether it is limited."""
        out, limits, sure = [], [], self.assessment.failure is FailureMode.NONE
        for who in self.assessment.attackers:
            counts = self.pair_of(who)
            out.append(self._counted(self.text.PAIR, who, counts))
            most = self.assessment.answer(MaxPosterior(prior=who.prior)).high
            limit = min(ceil(most * counts[2]), counts[2])
            sure = sure and limit == counts[2]
            limits.append(self(self.text.ONE_OF, count=f"{limit:,}", out_of=f"{counts[2]:,}"))
        kind = self.assessment.failure.value
        if sure:  # a limit of 100 % says nothing
            kind += "_sure"
        caution = self(self.text.CAUTION[kind], limits=self.text.listed(limits))
        return [*out, self._odds(), caution]

    def _odds(self) -> str:
        who = self.main
        after = self.assessment.answer(Posterior(prior=who.prior, fpr=self.fpr)).high
        moved = after > who.prior * (1 + 1e-9)
        before_words, after_words = self._odds_words(who.prior, False), self._odds_words(after, moved)
        return self(self.text.ODDS, prior=belief(who.prior), before=before_words, after=after_words)

    def _odds_words(self, share: float, risky: bool) -> str:
        kind, ratio = odds(share, risky=risky)
        if kind == "sure":
            return self.text.ODDS_SURE
        if ratio == "1":
            return self.text.ODDS_EVEN
        return (self.text.ODDS_FOR if kind == "for" else self.text.ODDS_AGAINST).format(x=ratio)

    def absence(self) -> list[str]:
        """Certainty that someone is *not* in the data: for the user's attackers, or the main one, and no opinion."""
        shown = dict.fromkeys([self.main, *(a for a in self.assessment.attackers if a.own or a.prior == 0.5)])
        out = []
        for who in shown:
            left = self.assessment.answer(PosteriorAfterNegative(prior=who.prior, fpr=1 - self.fpr)).low
            out.append(self._counted(self.text.ABSENCE, who, pair(1 - who.prior, 1 - left)))
        return out

    def finding(self) -> list[str]:
        """The attacker's power at each false-positive rate, and the factor on his odds."""
        rates = sorted({a.question.fpr for a in self.assessment.answers if type(a.question) is AttackPower} - {0.0})
        powers = [(fpr, self.assessment.answer(AttackPower(fpr=fpr)).high) for fpr in reversed(rates)]
        out = [self(self.text.FINDING, fpr=share(fpr), power=percent(power, 3)) for fpr, power in powers]
        factor = self.assessment.answer(RelativeRisk(fpr=self.fpr)).high
        at = rates[::-1].index(self.fpr) + 1
        out.insert(at, self(self.text.RELATIVE, factor=number(factor)))
        return [*out, self(self.text.ADVANTAGE, advantage=percent(self.assessment.answer(Advantage()).high, 3))]

    def asked(self) -> list[str]:
        """Answers to additional questions that no other sentence reports."""
        made = self.assessment
        told = {*standard_questions(made.attackers, made.assumptions, made.related)}
        told |= {verdict.requirement.question for verdict in made.limits}
        others = [a for a in made.answers if a.question not in told and type(a.question) is not AttackPower]
        out = [self._answered(a.question, a.estimate, question_words(a.question, self)) for a in others]
        asked, other = {a.question for a in others}, self.on_related()
        for a in made.related.worst.answers if made.related else ():
            if a.question in asked:
                words = self.text.ASKED_RELATED.format(question=question_words(a.question, other))
                out.append(self._answered(a.question, a.estimate, words))
        return out

    def _answered(self, question: Question, answer: Estimate, words: str) -> str:
        words = words[:1].upper() + words[1:]
        if math.isinf(answer.high):
            return self(self.text.ASKED_ENDLESS, question=words, answer=self._endless(answer, self.text.ENDLESS))
        template = self.text.ASKED[question.more_is_riskier]
        return self(template, question=words, answer=answer_words(question, answer))

    def you(self) -> list[str]:
        """The person's view: how much likelier any harm becomes by taking part."""
        assumed = self.assessment.assumptions
        share = 0.1
        before, after, out_of = pair(share, self.assessment.answer(AttackPower(fpr=share)).high)
        first = self(self.text.YOU[assumed.told_apart], before=f"{before:,}", after=f"{after:,}", out_of=f"{out_of:,}")
        return [first, *([self(self.text.YOU_STILL[assumed.setting])] if self.about != "value" else [])]

    def warnings(self) -> list[str]:
        """Sentences for the warnings of the assessment."""
        assumed = self.assessment.assumptions
        rough = [question_words(a.question, self) for a in self.assessment.answers if a.rough]
        chance = percent(self.assessment.answer(AttackPower(fpr=0.0)).high, 3)
        more = {"delta": given(assumed.delta), "n": f"{assumed.n or 0:,}", "rough": "; ".join(rough), "chance": chance}
        if planned := uncounted(self.assessment):
            more["planned"] = self.text.listed(planned)
        return [self(self.text.WARNINGS[code], **more) for code in self.assessment.warnings]

    def assumptions(self) -> list[str]:
        """Neighbours, privacy unit, delta, sampling, setting, attacker, priors."""
        assumed = self.assessment.assumptions
        count = self(self.text.UNIT_COUNT[assumed.n == 1], n=f"{assumed.n:,}") if assumed.n else ""
        sampling = [self(self.text.SAMPLING[scheme]) for scheme in assumed.sampling]
        priors = self.text.listed([belief(a.prior) + self.name(a) for a in self.assessment.attackers])
        return [
            self(self.text.DELTA[assumed.delta_source], delta=given(assumed.delta)),
            self(self.text.NEIGHBOURS[assumed.told_apart]),
            *([self(self.text.ANSWERS_APART)] if self.assessment.answers_apart else []),
            self(self.text.UNIT, count=count),
            *(sampling or [self(self.text.NO_SAMPLING)] if self.about == "membership" else []),
            self(self.text.SETTING[assumed.setting]),
            self(self.text.ATTACKER[self.about]),
            self(self.text.PRIORS, priors=priors),
        ]

    def epsilon(self) -> list[str]:
        """Epsilon, which comes last."""
        delta = self.assessment.assumptions.delta
        asked = {self.text.EPSILON: delta, self.text.EPSILON_PURE: 0.0} if delta > 0 else {self.text.EPSILON_PURE: 0.0}
        answers = {template: self.assessment.answer(Epsilon(delta=at)) for template, at in asked.items()}
        shown = {
            template: number(a.high) if math.isfinite(a.high) else self._endless(a, self.text.EPSILON_INFINITE)
            for template, a in answers.items()
        }
        out = [self(template, delta=given(delta), epsilon=epsilon) for template, epsilon in shown.items()]
        proof = self.assessment.answer(AttackPower(fpr=0.0)).high
        if 0 < delta <= proof and math.isinf(self.assessment.answer(Epsilon(delta=delta)).high):
            out.append(self(self.text.EPSILON_DELTA, chance=number(proof)))
        return out

    def _endless(self, answer: Estimate, infinite: str) -> str:
        """An answer without an upper end: infinite, or not known to be finite."""
        least = number(answer.low, more_is_riskier=False)
        return infinite if math.isinf(answer.low) else self.text.EPSILON_UNKNOWN.format(low=least)

    def not_covered(self) -> list[str]:
        """Limits of what the numbers cover."""
        related = self.text.NOT_COVERED_RELATED[0 if self.assessment.related is None else 1]
        return [*(self(line) for line in self.text.NOT_COVERED), related]

    def declared(self) -> list[str]:
        """Declared statements under their names, and the missing ones."""
        found = dict(self.assessment.declared.items()) if self.assessment.declared else {}
        if not found:
            return [self.text.NOTHING_DECLARED]
        missing = "; ".join(name for key, name in self.text.DECLARED.items() if key not in found)
        lines = [f"{self.text.DECLARED[key]}: {value}" for key, value in found.items()]
        return [*lines, *([self.text.NOT_DECLARED.format(missing=missing)] if missing else [])]
