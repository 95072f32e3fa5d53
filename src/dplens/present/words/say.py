"""An assessment in sentences, section by section, the most important first."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dplens.assessment.assess import standard_questions
from dplens.assessment.records import STATEMENTS
from dplens.assessment.result import checked_assessment
from dplens.assessment.structure import guaranteed, records_each, responding
from dplens.assessment.warnings import uncounted
from dplens.present.rounding import belief, given, number, one_in, percent, share
from dplens.present.visible import visible
from dplens.present.words.answers import answer_words, blind, limit_sentence, question_words
from dplens.present.words.counts import ceil, odds, pair, short_of_all
from dplens.present.words.epsilon import epsilon_sentences
from dplens.present.words.language import DEFAULT, language
from dplens.present.words.next import exposed_first, next_sentences
from dplens.present.words.sections import (
    analyst_sentences,
    audit_sentences,
    published_sentences,
    related_factor,
    related_first,
    related_sentences,
)
from dplens.registry import Presented
from dplens.risk.bayes import FScore, MaxPosterior, Posterior, PosteriorAfterNegative
from dplens.risk.disclosure import FailureMode, RelativeRisk
from dplens.risk.inference import AttributeInference, InferenceAdvantage, Reconstruction
from dplens.risk.rates import Advantage, AttackPower
from dplens.telling import Figure

if TYPE_CHECKING:
    from dplens.assessment.records import Attacker
    from dplens.assessment.result import Assessment
    from dplens.estimate import Estimate
    from dplens.risk.base import Question


@dataclass(frozen=True)
class Section(Presented):
    """Sentences that belong together, under a heading."""

    key: str
    heading: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Words(Presented):
    """An assessment in sentences; ``str()`` gives them all, one per line under each heading.

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
        # the summary, which comes first, needs no heading
        first = "\n".join(self.sections[0].sentences)
        return visible("\n\n".join([*([self.title] if self.title else []), first, *blocks[1:]]))


def say(assessment: Assessment, language: str = DEFAULT) -> Words:
    """The assessment in sentences of a language."""
    voice = Voice(assessment, language)
    made = {
        "summary": voice.summary(),
        "limits": [*(limit_sentence(v, voice) for v in assessment.limits), *voice.blind_limits()],
        "next": next_sentences(assessment, voice),
        "learning": voice.learning(),
        "finding": voice.finding(),
        "absence": voice.absence(),
        "you": voice.you(),
        "asked": voice.asked(),
        "related": related_sentences(assessment, voice),
        "analyst": analyst_sentences(assessment, voice) or [voice("no-accuracy")],
        "audit": audit_sentences(assessment, voice),
        "warnings": voice.warnings(),
        "published": [*published_sentences(assessment, voice), *voice.recipients()],
        "assumptions": voice.assumptions(),
        "not_covered": voice.not_covered(),
        "declared": voice.declared(),
        "epsilon": epsilon_sentences(assessment, voice),
    }
    return Words(
        visible(assessment.title),
        tuple(Section(key, voice.text(f"heading-{key}"), tuple(lines)) for key, lines in made.items() if lines),
    )


class Voice:
    """An assessment with the texts of a language; fills in its sentences."""

    def __init__(self, assessment: Assessment, code: str = DEFAULT) -> None:
        self.assessment = checked_assessment(assessment)
        self.language = code
        self.text = language(code)
        assumed = assessment.assumptions
        self.about = {"": "value", "local": "answer"}.get(assumed.told_apart, "membership")
        self.fpr = assumed.fpr
        several = records_each(assessment.mechanism)
        self.filled: dict[str, Any] = {
            "unit": assumed.unit,
            "gamma": given(assessment.release.get("gamma", 0)) if self.about == "value" else "",
            "apart": assumed.told_apart or "value",
            "setting": assumed.setting,
            "several": yes(several > 1),
            "size": several,
            "mildest": yes(assessment.mildest),
            "refuted": yes(assessment.refuted),
            "fpr": share(self.fpr),
            "known": _known(assessment.mechanism),
        }

    def __call__(self, key: str, **more: Any) -> str:
        return self.text(key, **{**self.filled, "about": self.about, **more})

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

    # ---- summary ---------------------------------------------------------------------------------------------

    def summary(self) -> list[str]:
        """The verdict, the main pair of numbers, and the worst case."""
        return [*self.verdict(), self.pair(self.main), *self.worst()]

    def verdict(self) -> list[str]:
        """Whether the limits are met, after anything that is worse than a broken limit."""
        made, bad = self.assessment, []
        if made.refuted:
            bad.append(self("verdict-refuted"))
        if made.mildest:
            bad.append(self("verdict-mildest"))
        broken = sum(not (v.met or v.open) for v in made.limits)
        unproved = sum(v.open for v in made.limits)
        needed = [a.met for a in made.analyst if a.min_power is not None]
        if broken:
            bad.append(self("verdict-exceeded", count=len(made.limits), exceeded=broken))
        if unproved:
            bad.append(self("verdict-open", count=len(made.limits), exceeded=unproved))
        if not all(needed):
            bad.append(self("verdict-power", missed=needed.count(False)))
        if self.unprotected:
            bad.append(self("verdict-unprotected", advantage=percent(made.answer(Advantage()).high, 3)))
        bad += exposed_first(made, self)
        bad += related_first(made, self)
        if made.mildest or made.refuted or broken or unproved or not all(needed):
            return bad
        if not made.limits:
            return [*bad, self("verdict-none"), *([self("verdict-power-kept")] if needed else [])]
        stated = "-stated" if "guarantee_only" in made.warnings else ""
        kept = self(f"verdict-kept{stated if made.related is None else '-related'}", count=len(made.limits))
        # bad news that no limit forbids comes first all the same
        return [*bad, kept, *([self("verdict-power-kept")] if needed else [])]

    @property
    def unprotected(self) -> bool:
        """Whether hardly anything is left to protect."""
        return self.assessment.answer(Advantage()).high >= 0.99

    def worst(self) -> list[str]:
        """Whether a result can prove something; nothing soothing of what hides nothing or is not as described."""
        made, key = self.assessment, self.assessment.failure.value
        if key in ("none", "graceful") and (self.unprotected or made.refuted):
            return []
        ratio = made.answer(RelativeRisk(fpr=0.0)).high
        factor = number(ratio) if ratio < 1e300 else self("factor-huge")
        large = "-large" if key == "none" and (ratio > _NO_PROOF or made.mildest) else ""
        alone = "-alone" if key == "none" and "related_worse" in made.warnings else large
        proof = made.answer(AttackPower(fpr=0.0)).high
        said = self(f"worst-{key}{alone}", factor=factor, chance=percent(proof, 3), one_in=one_in(proof))
        return [f"{said} {self._certain(ratio)}"] if key == "none" else [said]

    def _certain(self, ratio: float) -> str:
        """What a chance of 50 % can become where the odds have a limit: the most there is of evidence."""
        made = self.assessment
        key = "mildest" if made.mildest else "proof" if ratio <= _NO_PROOF else "near"
        if "related_worse" in made.warnings:
            ratio, key = related_factor(made), "related"
        return "" if math.isinf(ratio) else self(f"worst-none-{key}", certain=percent(ratio / (1 + ratio), 3))

    def pair_of(self, who: Attacker) -> tuple[int, int, int]:
        """(right by chance, right with the publication, of how many named)."""
        return pair(who.prior, self.assessment.answer(Posterior(prior=who.prior, fpr=self.fpr)).high)

    def pair(self, who: Attacker, key: str = "pair", counts: tuple[int, int, int] | None = None) -> str:
        """A pair of counts in a sentence."""
        before, after, out_of = counts or self.pair_of(who)
        more = {"named": yes(who.name), "name": who.name, "prior": belief(who.prior)}
        return self(key, before=before, after=after, out_of=out_of, **more)

    # ---- sections --------------------------------------------------------------------------------------------

    def learning(self) -> list[str]:
        """The pairs of the other attackers, the odds of the main one, and whether these numbers are limits."""
        out = [self("learning-alone")] if "related_worse" in self.assessment.warnings else []
        limits, sure = [], self.assessment.failure is FailureMode.NONE
        for who in self.assessment.attackers:
            counts = self.pair_of(who)
            if who != self.main:
                out.append(self.pair(who, "pair-other", counts))
            most = self.assessment.answer(MaxPosterior(prior=who.prior)).high
            out_of = short_of_all(most, counts[2])
            limit = min(ceil(most * out_of), out_of)
            sure = sure and limit == out_of
            limits.append(self("one-of", prior=belief(who.prior), count=limit, out_of=out_of))
        # a limit of 100 % says nothing
        key = f"caution-{self.assessment.failure.value}{'-sure' if sure else ''}"
        return [*out, self._odds(), self(key, limits=limits)]

    def _odds(self) -> str:
        who = self.main
        after = self.assessment.answer(Posterior(prior=who.prior, fpr=self.fpr)).high
        kinds = [odds(who.prior, risky=False), odds(after, risky=after > who.prior * (1 + 1e-9))]
        (first, before), (second, then) = (("even", "") if ratio == "1" else (kind, ratio) for kind, ratio in kinds)
        more = {"before_kind": first, "before": before, "after_kind": second, "after": then}
        return self("odds", prior=belief(who.prior), **more)

    def absence(self) -> list[str]:
        """Certainty that someone is *not* in the data: for the user's attackers, or the main one, and no opinion."""
        shown = dict.fromkeys([self.main, *(a for a in self.assessment.attackers if a.own or a.prior == 0.5)])
        out = []
        for who in shown:
            left = self.assessment.answer(PosteriorAfterNegative(prior=who.prior, fpr=1 - self.fpr)).low
            out.append(self.pair(who, "pair-other" if out else "absence", pair(1 - who.prior, 1 - left)))
        return out

    def finding(self) -> list[str]:
        """The attacker's power at each rate of false alarms, and the factor on the odds."""
        rates = sorted({a.question.fpr for a in self.assessment.answers if type(a.question) is AttackPower} - {0.0})
        powers = [(fpr, self.assessment.answer(AttackPower(fpr=fpr)).high) for fpr in reversed(rates)]
        out = [self("finding", rate=share(fpr), power=percent(power, 3)) for fpr, power in powers]
        factor = self.assessment.answer(RelativeRisk(fpr=self.fpr)).high
        out.insert(rates[::-1].index(self.fpr) + 1, self("relative", factor=number(factor)))
        points = percent(self.assessment.answer(Advantage()).high, 3).removesuffix(" %")
        return [*out, self("advantage", advantage=Figure(points))]

    def asked(self) -> list[str]:
        """Answers to additional questions that no other sentence reports."""
        made = self.assessment
        told = {*standard_questions(made.attackers, made.assumptions, made.related)}
        told |= {verdict.requirement.question for verdict in made.limits}
        others = [a for a in made.answers if a.question not in told and type(a.question) is not AttackPower]
        out = [self._answered(a.question, a.estimate, "asked") for a in others]
        asked, other = {a.question for a in others}, self.on_related()
        for a in made.related.worst.answers if made.related else ():
            if a.question in asked:
                out.append(other._answered(a.question, a.estimate, "asked-related"))
        return out + self._blind([a.question for a in others])

    def _answered(self, question: Question, answer: Estimate, key: str) -> str:
        words = question_words(question, self)
        told = {"question": words[:1].upper() + words[1:], "more": yes(question.more_is_riskier)}
        if not math.isinf(answer.high):
            return self(key, answer=answer_words(question, answer, self), **told)
        if math.isinf(answer.low):
            return self("asked-infinite", **told)
        return self("asked-unknown", low=number(answer.low, more_is_riskier=False), **told)

    def blind_limits(self) -> list[str]:
        """What limits on an F-score cannot see."""
        return self._blind([v.requirement.question for v in self.assessment.limits])

    def _blind(self, questions: list[Question]) -> list[str]:
        scores = dict.fromkeys(q for q in questions if type(q) is FScore)
        return [self("warning-f_score_blind", weight=given(q.weight), blind=blind(q)) for q in scores]

    def you(self) -> list[str]:
        """The person's view: how much more likely taking part makes any harm."""
        harm = 0.1
        first = self("you", before=share(harm), after=percent(self.assessment.answer(AttackPower(fpr=harm)).high, 3))
        return [first, *([self("you-still")] if self.about != "value" else [])]

    def warnings(self) -> list[str]:
        """Sentences for the warnings of the assessment."""
        assumed = self.assessment.assumptions
        rough = [question_words(a.question, self) for a in self.assessment.answers if a.rough]
        proof = self.assessment.answer(AttackPower(fpr=0.0)).high
        chance = percent(proof, 3)
        more = {"delta": given(assumed.delta), "n": assumed.n or 0, "rough": "; ".join(rough), "chance": chance}
        more["planned"] = uncounted(self.assessment)
        more["broken"] = sum(not (v.met or v.open) for v in self.assessment.limits)
        more["stated"] = yes("guarantee_only" in self.assessment.warnings)
        more["openly"] = yes((assumed.n or 0) * proof >= self.filled["size"])
        return [self(f"warning-{code}", **more) for code in self.assessment.warnings]

    def assumptions(self) -> list[str]:
        """Protected unit, neighbours, sampling, setting, attacker, priors, delta."""
        assumed = self.assessment.assumptions
        sampling = [self(f"sampling-{scheme}") for scheme in assumed.sampling or ("none",)]
        return [
            self("unit-protected", n=assumed.n or 0),
            self("neighbours"),
            *([self("answers-apart")] if self.assessment.answers_apart else []),
            self("setting"),
            *(sampling if self.about == "membership" else []),
            self("attacker"),
            self.priors(),
            self(f"delta-{assumed.delta_source}", delta=given(assumed.delta)),
        ]

    def priors(self) -> str:
        """The chances that are shown, with the names of their attackers."""
        named = ((belief(a.prior), a.name) for a in self.assessment.attackers)
        return self("priors", priors=[self("prior-named", prior=p, name=name) if name else p for p, name in named])

    def not_covered(self) -> list[str]:
        """Limits of what the numbers cover."""
        made, kinds = self.assessment, ["singling"]
        asked = {type(a.question) for a in made.answers}
        if asked & {Reconstruction, AttributeInference, InferenceAdvantage}:
            kinds.append("baseline")
        if not asked & {Reconstruction, InferenceAdvantage}:
            kinds.append("reconstruction")
        # where the answer is the secret, the other numbers are about it
        if self.about == "membership" and not asked & {AttributeInference, InferenceAdvantage}:
            kinds.append("attributes" if made.related is None else "details")
        kinds += ["unrelated" if made.related is None else "related", "several", "others"]
        kinds += ["implementation", *(["floating"] if self.filled["known"] == "noise" else [])]
        owned = yes(self.filled["unit"].rpartition(" ")[2].lower().removesuffix("s") in _OWNED)
        return [self(f"not-covered-{kind}", owned=owned) for kind in kinds]

    def recipients(self) -> list[str]:
        """For whom it is published."""
        whom = self.assessment.declared.recipients if self.assessment.declared else ""
        named = self("declared-said", name=self("declared-recipients"), value=whom)
        return [named if whom else self("declared-no-recipients")]

    def declared(self) -> list[str]:
        """Declared statements under their names, and the missing ones."""
        found = dict(self.assessment.declared.items()) if self.assessment.declared else {}
        if not found:
            return [self("declared-nothing")]
        names = {key: self(f"declared-{key}") for key in STATEMENTS}
        missing = "; ".join(name for key, name in names.items() if key not in found)
        lines = [self("declared-said", name=names[key], value=value) for key, value in found.items()]
        return [*lines, *([self("declared-missing", missing=missing)] if missing else [])]


def _known(release: Any) -> str:
    """What is known of the protection: "guarantee" if no mechanism is, "answers" if all are random, or "noise"."""
    if guaranteed(release) == "all":
        return "guarantee"
    return "answers" if responding(release) == "all" else "noise"


# Units of which a person may have several; those in which a person is found.
_OWNED = frozenset(
    [
        *("document", "event", "example", "image", "measurement", "message", "photo", "purchase", "record"),
        *("session", "stay", "transaction", "trip", "visit"),
    ]
)
_NO_PROOF = 19.0  # a factor on even odds that leaves 95 %


def yes(condition: object) -> str:
    """A condition as texts ask for it: "yes" or "no"."""
    return "yes" if condition else "no"
