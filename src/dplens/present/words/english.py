"""Every text of the product in English. Another language is another file with the same names.

Braces hold what is filled in; numbers arrive as texts, already rounded towards more risk.
"""

from __future__ import annotations

HEADINGS = {
    "failure": "How it fails",
    "learning": "What an attacker learns about a suspect",
    "absence": "Whom he can rule out",
    "finding": "Whom he finds",
    "you": "With or without you",
    "related": "If records are related",
    "analyst": "What the analyst still sees",
    "limits": "Limits",
    "warnings": "Mind",
    "assumptions": "What this assumes",
    "epsilon": "Epsilon",
    "not_covered": "What this does not cover",
    "declared": "What was declared",
}

# ---- whom the sentences are about: membership of the data, a person's own answer, or a value -------------------

ABOUT = {
    "membership": {
        "absent": "those who are not in the data",
        "present": "those who are",
        "accused": "accused of being in the data",
        "cleared": "cleared of being in the data",
        "claim": "{a_unit} is, or is not, in the data",
        "secret": "whether {a_unit} is in the data (membership)",
        "without": "without the release",
        "with": "with it",
        "are_out": "are not in the data",
    },
    "answer": {
        "absent": "those whose true answer is another",
        "present": "those whose true answer it is",
        "accused": "suspected of one particular answer",
        "cleared": "cleared of one particular answer",
        "claim": "{possessive} true answer is, or is not, a particular one",
        "secret": "which of two answers is {possessive} true one",
        "without": "without their response",
        "with": "with it",
        "are_out": "have another true answer",
    },
    "value": {
        "absent": "those whose value is at most {gamma}",
        "present": "those whose value is above it",
        "accused": "suspected of a value above {gamma}",
        "cleared": "cleared of a value above {gamma}",
        "claim": "a value is, or is not, above {gamma}",
        "secret": "whether {possessive} value is above {gamma}",
        "without": "without the release",
        "with": "with it",
        "are_out": "have a value of at most {gamma}",
    },
}

# ---- how it fails ----------------------------------------------------------------------------------------------

FAILURE = {
    "none": "It does not fail: no output, however unlucky, multiplies an attacker's odds by more than {factor}.",
    "graceful": (
        "It fails gracefully: telling outputs are possible, and the more an output tells the rarer it is; none is proof."
    ),
    "catastrophic": "It can fail catastrophically: with probability up to {chance} an output proves that {claim}.",
    "undetermined": "How it fails is not known: what is known of the noise does not settle it.",
}
UNPROTECTED = (
    "It protects next to nothing: the best attack tells the two worlds apart almost always (advantage {advantage})."
)
FACTOR_HUGE = "a very large number"

# ---- what an attacker learns -----------------------------------------------------------------------------------

PAIR = (
    "Of {out_of} {units} {accused} on a suspicion of {prior}{name}, the attacker is right about {before} {without}, "
    "about {after} {with}, if he accuses {fpr} of {absent}."
)
PAIR_NAME = " ({name})"
ODDS = "As odds, for the suspicion of {prior}: {before} {without}, {after} {with}."
ODDS_FOR, ODDS_AGAINST, ODDS_SURE = "{x} to 1 for", "{x} to 1 against", "certainty"
# What the pairs leave open: an attacker may accuse fewer, and then be surer.
CAUTION = {
    "none": "However few he accuses, he is right about no more than {limits}.",
    "graceful": (
        "That is no upper limit: the fewer he accuses, the surer he can be, up to near certainty about very few."
    ),
    "catastrophic": "That is no upper limit: about those whom an output gives away he is certain.",
    "undetermined": "That is no upper limit: how sure he can be when he accuses fewer is not known.",
}
ONE_OF = "{count} of {out_of}"

ABSENCE = (
    "Of {out_of} {units} {cleared} on a suspicion of {prior}{name}, {before} {are_out} {without}, up to {after} "
    "{with}, if he clears {fpr} of {absent}."
)
FINDING = "Accusing {fpr} of {absent}, he finds at most {power} of {present}."
RELATIVE = "His odds that he accuses rightly grow by a factor of at most {factor} if he accuses no fewer than that."

# ---- the person's own view: with or without you ----------------------------------------------------------------

YOU = {
    "add_remove": (
        "If the release leads to something bad for you in {before} of {out_of} cases without your record in the data, "
        "it does so in at most {after} of {out_of} with your record in them."
    ),
    "replace": (
        "If the release leads to something bad for you in {before} of {out_of} cases with another's record in the "
        "place of yours, it does so in at most {after} of {out_of} with your own."
    ),
    "local": (
        "If your response leads to something bad for you in {before} of {out_of} cases when your true answer is one thing, "
        "it does so in at most {after} of {out_of} when it is another."
    ),
    "": (
        "If the release leads to something bad in {before} of {out_of} cases for those whose value is at most {gamma}, "
        "it does so in at most {after} of {out_of} for those whose value is above."
    ),
}
YOU_STILL = {
    "central": (
        "What the release teaches about everyone, it teaches about you too, with or without your record; that is not "
        "counted here."
    ),
    "local": "What the responses of all teach about people like you, they teach with or without yours; that is not counted here.",
}

# ---- assumptions -----------------------------------------------------------------------------------------------

NEIGHBOURS = {
    "add_remove": "Neighbours are data sets that differ by one {unit} being added or removed.",
    "replace": "Neighbours are data sets that differ by one {unit} being replaced by another.",
    "local": "Neighbours are two true answers of one {unit}.",
    "": "Neighbours are not data sets here but possible values of one {unit}, those above {gamma} against the others.",
}
UNIT = "The privacy unit is one {unit}{count}."
UNIT_COUNT = "; there are {n}"
DELTA = {
    "given": "Delta is {delta}, as given.",
    "from_n": "Delta is {delta}, chosen as the power of ten at or below one in ten times the number of {units}.",
    "default": (
        "Delta is {delta}, chosen by default: the number of {units} is not stated, so it was not checked that delta "
        "lies below one in that number."
    ),
}
SAMPLING = {
    "poisson": "Samples: each {unit} joins each sample by chance, independently of all others (Poisson sampling).",
    "without_replacement": "Samples: each has a fixed number of {units}, drawn anew and at random, all sets alike.",
}
NO_SAMPLING = "Samples: none; every {unit} takes part in every release."
SETTING = {
    "central": (
        "The setting is central: whoever holds the data sees the true records, and the noise protects what leaves him."
    ),
    "local": (
        "The setting is local: each {unit} randomises the answer before it leaves their hands, and nobody else holds "
        "the true one."
    ),
}
ATTACKER = {
    "membership": (
        "The attacker is any attacker: he may know every other record and the law of the noise, and compute without "
        "limit. He is asked {secret}."
    ),
    "answer": (
        "The attacker is any attacker: he may know everything but the true answer and the chance that hid it. He is asked "
        "{secret}."
    ),
    "value": (
        "The attacker may know the law of the noise and how likely each value was beforehand, and compute without "
        "limit. He is asked {secret}."
    ),
}
PRIORS = "Suspicions (priors) shown: {priors}. They are choices for display, not findings about anyone."
EPSILON = "At delta {delta} epsilon is {epsilon}."
EPSILON_INFINITE = "infinite: there is none"
EPSILON_PURE = "At delta 0 epsilon is {epsilon}."
ADVANTAGE = "Over all attacks the advantage over guessing is at most {advantage} (0 % is none, 100 % is certainty)."

# ---- warnings --------------------------------------------------------------------------------------------------

WARNINGS = {
    "limit_exceeded": "A limit is exceeded; see the limits.",
    "power_missed": "The noise leaves the analyst less power than is needed; see what the analyst still sees.",
    "catastrophic": (
        "Catastrophic failure means blatant disclosure of a few, however small the averages look. Where recipients are "
        "not bound to secrecy, choose a mechanism without it."
    ),
    "undetermined": "Treat the failure mode as catastrophic until it is settled.",
    "delta_not_below_one_in_n": (
        "Delta {delta} is not below one in {n}, the number of {units}: at such a delta, publishing the record of one of "
        "them in clear would pass. Choose a smaller delta."
    ),
    "poisson_batches": (
        "If batches are made by shuffling the data and cutting it into pieces of fixed size, they are not Poisson samples "
        "and these numbers do not hold."
    ),
    "uniform_batches": (
        "If samples are made by shuffling once and going through the data in order, they are not drawn anew each time and "
        "these numbers do not hold."
    ),
    "related_worse": (
        "Records are related, and an attacker who knows how learns more than the release by itself allows; the section on "
        "related records has his numbers."
    ),
    "search_not_exhaustive": (
        "The search for the worst attacker on related records was not exhaustive: others may learn more, up to the bound."
    ),
    "relations_not_modelled": (
        "If records depend on each other (families, places, time), one record tells about others, and an attacker may "
        "learn more about a {unit} than stated here; no model of that was given."
    ),
    "guarantee_only": (
        "Only a guarantee is known here, not the mechanism: the numbers are the worst that the guarantee allows."
    ),
    "roughly_known": "Known only within a wide bracket: {rough}.",
}

# ---- limits ----------------------------------------------------------------------------------------------------

LIMIT = {
    True: "Kept{about}: {question} is to be {sign} {bound} and is {answer}.",
    False: "Exceeded{about}: {question} is to be {sign} {bound} and is {answer}.",
}
AT_MOST, AT_LEAST = "at most", "at least"
ABOUT_WHOM = {"release": "", "related": ", against the worst attacker on related records", "other": ", against {name}"}

QUESTIONS = {
    "accuracy": "how often the best attacker decides rightly at a prior of {prior}",
    "advantage": "the attacker's advantage over guessing",
    "attack_power": "the share of members found at a false-positive rate of {fpr}",
    "auc": "the area under the attacker's ROC curve",
    "cost": "the attacker's least expected cost at a prior of {prior}",
    "delta": "delta at epsilon {epsilon}",
    "epsilon": "epsilon at delta {delta}",
    "f_score": "the attacker's best F-score (weight {weight}) at a prior of {prior}",
    "max_posterior": "the highest certainty of membership from a prior of {prior}",
    "min_fpr": "the least false-positive rate that misses at most {fnr} of members",
    "mu": "the tightest mu of Gaussian differential privacy",
    "posterior": "the certainty of membership after an accusation at a false-positive rate of {fpr}, from {prior}",
    "posterior_after_negative": (
        "the chance of membership left after an acquittal at a false-positive rate of {fpr}, from {prior}"
    ),
    "precision": "the share of right accusations when {recall} of members are found, at a prior of {prior}",
    "relative_risk": "the factor by which the odds of membership can grow at false-positive rates from {fpr}",
    "renyi": "the Rényi divergence of order {order}",
}
# The same words where the question is not about membership.
NOT_MEMBERSHIP = (
    ("certainty of membership", "certainty"),
    ("chance of membership", "chance"),
    ("odds of membership", "odds"),
    ("of members", "of those it is true of"),  # last: it begins "of membership" too
)

# ---- the analyst -----------------------------------------------------------------------------------------------

ANALYST = (
    "{who}: of {out_of} studies of this plan in which the effect is {effect}, at least {after} find it through the noise; "
    "without noise {before} would. Where there is no effect, at most {level} of studies claim one."
)
ANALYST_WHO = "The test"
ANALYST_NEEDED = {
    True: "That keeps the power that is needed, {needed}.",
    False: "That misses the power that is needed, {needed}.",
}
ANALYST_PLAN = "The plan rests on {values}."
ANALYST_VALUE = "{name} = {value} ({source}{note})"
SOURCES = {
    "public": "public knowledge",
    "worst_case": "the worst case, whatever the data",
    "private_estimate": "a noisy release of its own",
    "": "as declared",
}

# ---- related records -------------------------------------------------------------------------------------------

MODEL = {
    "discrete": "Records are taken to be related as a table of {n} tuples says.",
    "markov": "Records are taken to be a chain of {n} tuples, each of which depends on the one before.",
    "gaussian": "Records are taken to be {n} related normal numbers.",
    "gaussian_chain": "Records are taken to be a chain of {n} normal numbers, each of which depends on the one before.",
}
KNOWS = {
    "none": "knows no other tuple",
    "some": "knows tuples {known}",
    "many": "knows {count} other tuples",
    "all": "knows every other tuple",
}
RELATED_WHO = {
    "named": "{name}, who attacks tuple {target} and {knows},",
    "unnamed": "An attacker on tuple {target} who {knows}",
    "worst": "The worst attacker found, who attacks tuple {target} and {knows},",
}
RELATED_DETERMINED = "{who} knows its value already; the release adds nothing."
RELATED_PAIR = (
    "{who} decides between two values of it (not membership): of {out_of} suspicions of {prior} he is right about "
    "{before} without the release, about {after} with it, at a false-positive rate of {fpr}; by the release alone it "
    "would be {alone}."
)
RELATED_ODDS = (
    "He can multiply his odds between two values by at most {factor}; the release by itself promises {alone}."
)
RELATED_UNBOUNDED = "There is no limit to how strong his evidence can be, if rarely."
RELATED_FIRST = (
    "But records are related: an attacker who knows how can multiply his odds between two values of one record by up to "
    "{factor}."
)
RELATED_FIRST_UNBOUNDED = (
    "And records are related: an attacker who knows how learns more about the values of one record than the release by "
    "itself allows."
)
RELATED_SURE = {
    True: "Of {compared} attackers compared he learns most, and no other can learn more.",
    False: "Of {compared} attackers compared he learns most; the leakage (log-ratio) of no other exceeds {bound}.",
}
NO_LIMIT = "no limit"

# ---- what is not covered ---------------------------------------------------------------------------------------

NOT_COVERED = (
    "Reconstruction: the numbers are about deciding between two worlds; how much of a record can be rebuilt is a different question.",
    "Other releases about the same {units}: risks add up over everything that is published; include them as releases.",
    "Implementation: a mechanism built differently from its description, a sensitivity stated too small, a weak generator of noise.",
    "Floating point: noise drawn as ordinary floating-point numbers can leak through their last digits.",
    "More than one {unit}: a family, or one person's several records, is a group and has a larger risk.",
)
NOT_COVERED_RELATED = (
    "Related records: no model of how records depend on each other was given.",
    "Related records beyond the model: the numbers hold if records are related as the model says.",
)

DECLARED = {
    "purpose": "Purpose",
    "benefits": "Expected benefits",
    "nature": "Nature of the data",
    "recipients": "Recipients",
    "decided_by": "Who decides",
    "reasons": "Why",
}
NOTHING_DECLARED = "Nothing was declared about purpose, nature of the data, recipients, and who decides and why."

# ---- changes ---------------------------------------------------------------------------------------------------

CHANGED_RISK = {
    "higher": "The risk is higher than before.",
    "lower": "The risk is lower than before.",
    "same": "The risk is the same as before.",
    "mixed": "The risk is higher by some measures and lower by others.",
}
CHANGED_FAILURE = "How it fails changed: {before} before, {after} now."
CHANGED_INPUT = "Changed: {place}, from {before} to {after}."
CHANGED_NEW = "New: {place}, {after}."
CHANGED_GONE = "Gone: {place}, which was {before}."
CHANGED_ANSWER = "{question}: {before} before, {after} now."
CHANGED_LIMIT = {
    True: "A limit that was exceeded is now kept: {question}, {sign} {bound}.",
    False: "A limit that was kept is now exceeded: {question}, {sign} {bound}.",
}
CHANGED_NOTHING = "Nothing changed."

RELATION = {
    "safer": "{a} protects better than {b} at every false-positive rate.",
    "riskier": "{b} protects better than {a} at every false-positive rate.",
    "equal": "{a} and {b} protect alike: no difference between them is provable.",
    "crossing": "Neither protects better throughout: the curves of {a} and {b} cross{where}.",
}
CROSSING_AT = " at false-positive rates of {rates}"

GLOSSARY = (
    ("Accuse, clear", "What an attacker does who decides that someone is, or is not, in the data."),
    (
        "Prior, suspicion",
        "How likely the attacker thought it beforehand. Shown for several values, since nobody knows it.",
    ),
    ("False-positive rate (alpha)", "The share of those not in the data whom an attacker accuses wrongly."),
    ("Power", "The share of those in the data whom he finds."),
    (
        "Trade-off curve",
        "For every false-positive rate the least share of members that any attack must miss; everything here is read from it.",
    ),
    ("Advantage", "The largest difference between power and false-positive rate, over all attacks."),
    ("Epsilon, delta", "The usual statement of differential privacy; one point read from the curve."),
    ("Neighbours", "Which two data sets an attacker must tell apart: one record added or removed, or replaced."),
    ("Privacy unit", "What one record stands for: a person, a household, a visit."),
    ("Certificate", "How a number is known, and the bracket in which the exact value lies."),
    (
        "AUC",
        "The area under the attacker's curve. Never to be read alone: it can look harmless for a release that gives a few people away.",
    ),
)

_PLURALS = {"person": "people", "child": "children", "man": "men", "woman": "women", "datum": "data"}


def plural(unit: str) -> str:
    """The plural of a unit: people, residents, households, entries."""
    if " of " in unit:  # hours of occupancy
        counted, _, rest = unit.partition(" of ")
        return f"{plural(counted)} of {rest}"
    head, _, last = unit.rpartition(" ")
    if last in _PLURALS:
        many = _PLURALS[last]
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        many = last[:-1] + "ies"
    else:
        many = last + ("es" if last.endswith(("s", "x", "ch", "sh")) else "s")
    return f"{head} {many}".strip()


def with_article(unit: str) -> str:
    """A unit with its article: a person, an employee."""
    silent = unit.lower().startswith(("hour", "honest", "heir"))
    vowel = unit[:1].lower() in "aeiou" and not unit.lower().startswith(("uni", "use", "euro", "one"))
    return f"{'an' if vowel or silent else 'a'} {unit}"


def possessive(unit: str) -> str:
    """A person's, an employee's."""
    return f"{with_article(unit)}'s"


def listed(parts: list[str]) -> str:
    """a, b and c."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + f" and {parts[-1]}"
