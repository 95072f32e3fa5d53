"""Every text of the product in English. Another language is another file with the same names.

Braces hold what is filled in; numbers arrive as texts, already rounded towards more risk.
"""

from __future__ import annotations

HEADINGS = {
    "failure": "How it fails",
    "learning": "What an attacker learns about a suspect",
    "absence": "Whom he can rule out",
    "finding": "Whom he finds",
    "asked": "What else was asked",
    "you": "With or without you",
    "related": "If records are related",
    "analyst": "What the analyst still sees",
    "audit": "What a measured attack shows",
    "warnings": "Mind",
    "assumptions": "What this assumes",
    "limits": "Limits",
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
# Of a release by itself, below bad news: what is so, without a judgement.
FAILURE_PLAIN = {
    "none": "The release by itself multiplies an attacker's odds by at most {factor}, whatever the output.",
    "graceful": "The more an output tells the rarer it is; none is proof.",
}
# Where nothing is claimed, and only the mildest release is known that explains a measured attack.
MILDEST = (
    "This does not describe the release but the mildest of its kind that explains a measured attack: the true risk may be "
    "higher, and no number here is an upper limit."
)
MILDEST_RELEASE = "Nothing is claimed of it. The numbers are those of the mildest of its kind that explains the attack:"
MILDEST_WORDS = (
    ("finds at most", "finds"),
    ("of at most {", "of {"),
    ("in at most {", "in {"),
    ("advantage over guessing is at most", "advantage over guessing is"),
    (", up to {", ", {"),
    ("(at most, each)", "(each)"),
    (": at most {", ": {"),
    (": at least {", ": {"),
    ("epsilon is {", "the mildest epsilon is {"),
)
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
ODDS_FOR, ODDS_AGAINST, ODDS_EVEN, ODDS_SURE = "{x} to 1 for", "{x} to 1 against", "even", "certainty"
# What the pairs leave open: an attacker may accuse fewer, and then be surer.
CAUTION = {
    "none": "However few he accuses, he is right about no more than {limits}.",
    "none_sure": "That is no upper limit: if he accuses fewer, he can be next to certain.",
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
ASKED = {True: "{question}: at most {answer}.", False: "{question}: at least {answer}."}  # by whether more is riskier
ASKED_ENDLESS = "{question}: {answer}."
ASKED_RELATED = "{question}, for the worst attacker found on related records"
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
    "add_remove": "Neighbours are data sets that differ by one {unit}{each} being added or removed.",
    "replace": "Neighbours are data sets that differ by one {unit}{each} being replaced by another.",
    "local": "Neighbours are two true answers of one {unit}{each}.",
    "": "Neighbours are not data sets here but possible values of one {unit}, those above {gamma} against the others.",
}
ANSWERS_APART = (
    "The sensitivity as it is stated is taken as the largest distance between two true answers of one {unit}, and a "
    "guarantee as one for any two of them."
)
# What one record is called, in the singular and the plural, where a unit may have several; how many, and how they count.
RECORDS = ("record", "records")
EACH, COUNTED = " with up to {size} records", " records"
SEVERAL = {False: "one person's several records", True: "more records of one {unit} than stated"}  # by whether it may
UNIT = "The privacy unit is one {unit}{each}{count}."
UNIT_COUNT = {True: "; there is one{counted}", False: "; there are {n}{counted}"}  # by whether it is one
DELTA = {
    "given": "Delta is {delta}, as given.",
    "from_n": "Delta is {delta}, chosen as the power of ten at or below one in ten times the number of {records}.",
    "default": (
        "Delta is {delta}, chosen by default: the number of {records} is not stated, so it was not checked that delta "
        "lies below one in that number."
    ),
}
SAMPLING = {
    "poisson": "Samples: each {record} joins each sample by chance, independently of all others (Poisson sampling).",
    "without_replacement": "Samples: each has a fixed number of {records}, drawn anew and at random, all sets alike.",
    "one_in_clear": "Samples: the record of one {record}, drawn at random, is shown in clear, or none is.",
    "unknown": "Samples: not known; only a guarantee is stated, and it does not say whether samples were drawn.",
}
NO_SAMPLING = "Samples: none; every {record} takes part in every release."
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
ENDLESS = "infinite"
EPSILON_UNKNOWN = "at least {low}, and not known to be finite"
EPSILON_PURE = "At delta 0 epsilon is {epsilon}."
EPSILON_DELTA = "No epsilon goes with a delta below {chance}, the chance that an output is proof: state a larger delta to quote one."
ADVANTAGE = "Over all attacks the advantage over guessing is at most {advantage} (0 % is none, 100 % is certainty)."

# ---- warnings --------------------------------------------------------------------------------------------------

WARNINGS = {
    "mildest": "Nothing is claimed of the release: these are the numbers of the mildest that an attack leaves possible, and another attack may show more.",
    "claim_refuted": "A measured attack refutes the release as it is described here: the other numbers describe what was claimed, not what happens.",
    "limit_exceeded": "A limit is exceeded; see the limits.",
    "limit_open": "A limit is not proved to be kept, nor to be exceeded; see the limits.",
    "power_missed": "The noise leaves the analyst less power than is needed; see what the analyst still sees.",
    "plan_not_counted": (
        "The analyst's plan rests on {planned}, read from a noisy release that is not among what is assessed here: what it gave "
        "away comes on top of these numbers. Assess it together with the rest."
    ),
    "catastrophic": (
        "Catastrophic failure means blatant disclosure of a few, however small the averages look. Where recipients are "
        "not bound to secrecy, choose a mechanism without it."
    ),
    "undetermined": "Treat the failure mode as catastrophic until it is settled.",
    "answers_apart": (
        "Sensitivities and guarantees that do not say neighbours: replace are taken as if they did, since the setting is "
        "local: a sensitivity is then the largest distance between two true answers of one {unit} (2 for values from -1 "
        "to 1). If answers can be further apart than what is stated, the risk is higher than these numbers say."
    ),
    "responses_seen": (
        "A randomised response hides which answer is true, not that someone answered: whoever sees whose it is knows that "
        "this {unit} is in the data, whatever is said here about membership."
    ),
    "delta_not_below_one_in_n": (
        "Delta {delta} is not below one in {n}, the number of {records}: at such a delta, publishing the record of one of "
        "them in clear would pass. Choose a smaller delta."
    ),
    "proof_not_below_one_in_n": (
        "The chance of {chance} that an output is proof is not below one in {n}, the number of {records}: publishing the record "
        "of one of them in clear would pass with such a guarantee. Ask for a delta well below one in {n}."
    ),
    "poisson_batches": (
        "If batches are made by shuffling the data and cutting it into pieces of fixed size, they are not Poisson samples "
        "and these numbers do not hold."
    ),
    "uniform_batches": (
        "If samples are made by shuffling once and going through the data in order, they are not drawn anew each time and "
        "these numbers do not hold."
    ),
    "unknown_batches": (
        "Where a guarantee counts on samples and batches were made otherwise, as by shuffling the data and cutting it into "
        "pieces, neither the guarantee nor these numbers hold."
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
        "learn more about {a_unit} than stated here; no model of that was given."
    ),
    "guarantee_only": (
        "Only a guarantee is known here, not the mechanism: the numbers are the worst that the guarantee allows."
    ),
    "guarantee_in_part": (
        "Of part of the release only a guarantee is known, not the mechanism: there the numbers are the worst that the "
        "guarantee allows."
    ),
    "roughly_known": "Known only within a wide bracket: {rough}.",
}

# ---- measured attacks ------------------------------------------------------------------------------------------

AUDIT_UNCLAIMED = "Nothing is claimed, so there is nothing to refute. What was measured is a lower bound on the risk; another attack may find more."
AUDIT_ASSUMES = {
    "scores": "That rests on this: the scores are independent, those of each side follow one law, and the attack was fixed before they were seen.",
    "counts": "That rests on this: the cases that were counted are independent, those of each side follow one law, and attack and threshold were fixed before they were seen.",
    "points": "That rests on this: the cases behind the published rates are independent, those of each side follow one law, and the attack was fixed before they were seen.",
    "one run": "That rests on this: a fair coin of its own put each canary in or left it out, the attacker saw no coin, and the attack and the number of its guesses were fixed beforehand.",
}
AUDIT_WHO = "the measured attack"
AUDIT_NAMED = 'the measured attack "{name}"'
AUDIT_WHICH = ' of "{name}"'
AUDIT = {
    "refuted": "Refuted at {confidence} confidence: accusing at most {fpr} of {absent}, {who} finds at least {measured} of {present}; the release as described would allow at most {claimed}.",
    "not_refuted": "Not refuted at {confidence} confidence: {who} proves no more than the release as described allows. That is no confirmation; another attack may find more.",
    "several": "Each of these {count} audits has a confidence of its own: if the release is as described, the chance that any of them refutes it is at most {error}.",
    "size": "Measured on {n_in} scores with and {n_out} without the target, it proves that epsilon is at least {epsilon} at delta {delta} (at least {pure} at delta 0) and mu at least {mu}.",
    "run_refuted": "Refuted at {confidence} confidence: {right} of {guesses} guesses about canaries{which} were right; {takes} are enough to refute the release as described.",
    "run_not_refuted": "Not refuted at {confidence} confidence: {right} of {guesses} guesses about canaries{which} were right; it would take {takes}. That is no confirmation; another attack may find more.",
    "run_too_few": "Not refuted at {confidence} confidence: {right} of {guesses} guesses about canaries{which} were right; however many of so few were right, it would not be enough. That is no confirmation.",
    "run_size": "Measured in one run with {canaries} canaries, it proves that epsilon is at least {epsilon} at delta {delta} (at least {pure} at delta 0) and mu at least {mu}.",
}

# ---- limits ----------------------------------------------------------------------------------------------------

LIMIT = {
    "kept": "Kept{about}: {question} is to be {sign} {bound} and is {answer}.",
    "exceeded": "Exceeded{about}: {question} is to be {sign} {bound} and is {answer}.",
    "open": "Not proved{about}: {question} is to be {sign} {bound}; it may be, but only {answer} is proved.",
    "refuted": "Kept{about} only by the claim, which is refuted: {question} is to be {sign} {bound} and would be {answer}.",
}
AT_MOST, AT_LEAST = "at most", "at least"
ABOUT_WHOM = {"release": "", "related": ", among all attackers on related records", "other": ", against {name}"}

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
    "not_stated": "source not stated",
    "": "as declared",
}

# ---- related records -------------------------------------------------------------------------------------------

MODEL = {
    "discrete": "Records are taken to be related as a table of {n} says.",
    "markov": "Records are taken to be a chain of {n}, each of which depends on the one before.",
    "gaussian": "Records are taken to be related normal numbers: {n}.",
    "gaussian_chain": "Records are taken to be a chain of {n}, normal numbers each of which depends on the one before.",
}
KNOWS = {
    "none": "knows no other record",
    "one": "knows the record of {unit} {known}",
    "some": "knows the records of {units} {known}",
    "many": "knows {count} other records",
    "all": "knows every other record",
}
RELATED_WHO = {
    "named": "{name}, who attacks the record of {unit} {target} (counted from 0) and {knows},",
    "unnamed": "An attacker on the record of {unit} {target} (counted from 0) who {knows}",
    "worst": "The worst attacker found, who attacks the record of {unit} {target} (counted from 0) and {knows},",
}
RELATED_DETERMINED = "{who} knows its value already; the release adds nothing."
RELATED_PAIR = {  # by whether the model says what he believes beforehand
    False: (
        "{who} decides between two values of it (not membership): of {out_of} suspicions of {prior} he is right about "
        "{before} without the release, about {after} with it, at a false-positive rate of {fpr}; by the release alone it "
        "would be {alone}."
    ),
    True: (
        "{who} decides between two values of it (not membership). The model gives {value} a chance of {prior} "
        "beforehand: of {out_of} such suspicions he is right about {before} without the release, about {after} with it, "
        "at a false-positive rate of {fpr}; by the release alone it would be {alone}."
    ),
}
RELATED_ODDS = (
    "He can multiply his odds between two values by at most {factor}; the release by itself promises {alone}."
)
RELATED_UNBOUNDED = "There is no limit to how strong his evidence can be, if rarely."
RELATED_BY_LEAKAGE = (
    "So many releases are not worked out together: his numbers are the most that this limit on his odds allows, and he "
    "may learn less."
)
RELATED_FIRST = (
    "Records are related: an attacker who knows how can multiply his odds between two values of one record by up to "
    "{factor}."
)
RELATED_FIRST_UNBOUNDED = (
    "Records are related: an attacker who knows how learns more about the values of one record than the release by "
    "itself allows."
)
RELATED_SURE = {
    True: "Of {compared} compared he is the worst by {what}, of which no other has more; limits are judged by the worst of all at what they are about.",
    False: "Of {compared} compared he is the worst by {what}, which for no other exceeds {bound}; limits are judged by what no attacker exceeds.",
}
RELATED_OTHERS = (
    "At that false-positive rate another attacker may be right more often, but none about more than {most} of {out_of}."
)
RELATED_WHAT = {True: "the leakage (log-ratio)", False: "the epsilon at delta = {delta}"}  # by whether delta is 0
NO_LIMIT = "no limit"
TUPLES = {True: "one {unit}", False: "{n} {units}"}  # by whether it is one
ATTACKERS = {True: "one attacker", False: "{n} attackers"}

# ---- what is not covered ---------------------------------------------------------------------------------------

NOT_COVERED = (
    "Reconstruction: the numbers are about deciding between two worlds; how much of a record can be rebuilt is a different question.",
    "Other releases about the same {units}: risks add up over everything that is published; include them as releases.",
    "Implementation: a mechanism built differently from its description, a sensitivity stated too small, a weak generator of noise.",
    "Floating point: noise drawn as ordinary floating-point numbers can leak through their last digits.",
    "More than one {unit}: a family, or {several}, is a group and has a larger risk.",
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
NOT_DECLARED = "Not declared: {missing}."
NOTHING_DECLARED = "Nothing was declared about purpose, nature of the data, recipients, and who decides and why."

# ---- what was released -----------------------------------------------------------------------------------------

RELEASES = {
    "additive_noise": "a number with noise of the law {noise}",
    "approximate_dp": "only a guarantee is stated: epsilon {epsilon} and delta {delta}",
    "continuous_pair": "a number that follows one of two laws, {p} or {q}",
    "discrete_gaussian": "whole numbers with discrete Gaussian noise, sigma = {sigma}",
    "dpsgd": (
        "a model trained by DP-SGD, {steps} steps with the noise multiplier {noise_multiplier}; each {record} joins each step "
        "with a chance of {sample_rate}"
    ),
    "exponential": "a choice by the exponential mechanism, or another of bounded range, epsilon = {epsilon}",
    "finite_pair": "one of {p} outcomes",
    "gaussian": "numbers with Gaussian noise, sigma = {sigma} (standard deviation)",
    "gaussian_dp": "only a guarantee is stated: Gaussian differential privacy with mu = {mu}",
    "geometric": "whole numbers with two-sided geometric noise, scale = {scale}",
    "laplace": "numbers with Laplace noise, scale = {scale}",
    "privacy_profile": "only a guarantee is stated: delta at each of {epsilons} values of epsilon",
    "randomized_response": "the answer of each {unit}, randomised among {categories} possible ones, epsilon = {epsilon}",
    "renyi_dp": "only a guarantee is stated: Rényi differential privacy at {orders} orders",
    "staircase": "numbers with staircase noise, epsilon = {epsilon}",
    "trade_off_points": "only a guarantee is stated: the attacker's two errors at {alphas} corners of their curve",
    "uniform_sampling": "one of {n} records in clear, drawn at random, or none (mu = {mu})",
    "zero_concentrated_dp": "only a guarantee is stated: zero-concentrated differential privacy with rho = {rho}",
}
RELEASE_MADE = {
    "composed": "several releases together, listed below",
    "subsampled": "a release of a random part of the {records} ({rate} of them), listed below",
    "grouped": "a release, listed below, in which one {unit} has up to {size} records",
    "failing": "a release that reveals everything with probability {probability}, listed below",
    "value_above": "a release, listed below, asked whether a value is above {gamma}",
}
RELEASE_REPLACED = "a release, listed below, in which the record of one {unit} leaves and another comes"
RELEASE_OTHER = "A release that no file can hold: {what}."
RELEASE_SENSITIVITY = {
    "membership": "; one {record} changes what the noise is added to by at most {sensitivity}",
    "answer": "; two true answers of one {record} are at most {sensitivity} apart",
    "answers_apart": "; its sensitivity of {sensitivity} is taken as the largest distance between two true answers",
    "value": "; one {record} changes what the noise is added to by at most {sensitivity}",
}
RELEASE_MORE = {
    "sample_rate": "; made from a random part of the {records}, each with a chance of {sample_rate}",
    "repeat": "; {repeat} times, with fresh noise each time",
    "fails_with": "; with probability {fails_with} everything is revealed",
    "group": "; one {unit} has up to {group} records",
}

# ---- changes ---------------------------------------------------------------------------------------------------

CHANGED_RISK = {
    "higher": "The risk is higher than before.",
    "lower": "The risk is lower than before.",
    "same": "The risk is the same as before.",
    "mixed": "The risk is higher by some measures and lower by others.",
}
CHANGED_NEIGHBOURS = "But neighbours are others than before: the numbers before and now answer different questions."
CHANGED_NONE = "none"
CHANGED_FAILURE = "How it fails changed: {before} before, {after} now."
CHANGED_INPUT = "Changed: {place}, from {before} to {after}."
CHANGED_NEW = "New: {place}, {after}."
CHANGED_GONE = "Gone: {place}, which was {before}."
CHANGED_ANSWER = "{question}: {before} before, {after} now."
CHANGED_RELATED = "Related records, the worst attacker: {question}: {before} before, {after} now."
CHANGED_POWER = "The power of the analyst's test ({name}): {before} before, {after} now."
CHANGED_ASKED = "Only asked now: {question}."
CHANGED_UNASKED = "Only asked before: {question}."
FAILURE_NAMES = {
    "none": "never",
    "graceful": "gracefully",
    "catastrophic": "catastrophically",
    "undetermined": "unknown",
}
CHANGED_LIMIT = {
    True: "A limit that was not provably kept now is: {question}, {sign} {bound}.",
    False: "A limit that was provably kept no longer is: {question}, {sign} {bound}.",
}
CHANGED_NOTHING = "Nothing changed."

RELATION = {
    "safer": "{a} protects better than {b} at every false-positive rate.",
    "riskier": "{b} protects better than {a} at every false-positive rate.",
    "equal": "{a} and {b} protect alike: no difference between them is provable.",
    "crossing": "Neither protects better throughout: the curves of {a} and {b} cross{where}.",
}
OTHER_NEIGHBOURS = (
    "But {a} and {b} are about different neighbours ({first}; {second}): their curves answer different questions."
)
COMPARED_BY = "Compared by: {question}"
CROSSING_AT = " at false-positive rates of {rates}"
CROSSING_ENDS = ("next to 0", "next to 100 %")

# What the glossary speaks of, by what the attacker is asked.
GLOSSED = {
    "membership": {
        "claim": "someone is, or is not, in the data",
        "absent": "those not in the data",
        "present": "those in the data",
        "members": "members",
        "neighbours": "data sets an attacker must tell apart: one record added or removed, or replaced",
    },
    "answer": {
        "claim": "someone's true answer is, or is not, the one he suspects",
        "absent": "those whose true answer is another",
        "present": "those whose true answer it is",
        "members": "those whose true answer it is",
        "neighbours": "cases an attacker must tell apart: one true answer of someone, or another",
    },
    "value": {
        "claim": "someone's value is, or is not, above the bound",
        "absent": "those whose value is not above the bound",
        "present": "those whose value is above it",
        "members": "those whose value is above the bound",
        "neighbours": "cases an attacker must tell apart: a value above the bound, or one that is not",
    },
}
GLOSSARY = (
    ("Accuse, clear", "What an attacker does who decides that {glossed[claim]}."),
    (
        "Prior, suspicion",
        "How likely the attacker thought it beforehand. Shown for several values, since nobody knows it.",
    ),
    ("False-positive rate (alpha)", "The share of {glossed[absent]} whom an attacker accuses wrongly."),
    ("Power", "The share of {glossed[present]} whom he finds."),
    (
        "Trade-off curve",
        "For every false-positive rate the least share of {glossed[members]} that any attack must miss; everything here is read from it.",
    ),
    ("Advantage", "The largest difference between power and false-positive rate, over all attacks."),
    ("Epsilon, delta", "The usual statement of differential privacy; one point read from the curve."),
    ("Neighbours", "Which two {glossed[neighbours]}."),
    ("Privacy unit", "What one record stands for: a person, a household, a visit."),
    ("Certificate", "How a number is known, and the bracket in which the exact value lies."),
    (
        "AUC",
        "The area under the attacker's curve. Never to be read alone: it can look harmless for a release that gives a few people away.",
    ),
)

_PLURALS = {
    "person": "people",
    "child": "children",
    "man": "men",
    "woman": "women",
    "datum": "data",
    "series": "series",
    "mouse": "mice",
}
_ONE_IN_S = ("ss", "us", "is", "as", "lens")  # as in address, bus, diagnosis, gas


def plural(unit: str) -> str:
    """The plural of a unit: people, residents, households, entries."""
    if " of " in unit:  # hours of occupancy
        counted, _, rest = unit.partition(" of ")
        return f"{plural(counted)} of {rest}"
    head, _, last = unit.rpartition(" ")
    known = last.lower()
    if known in _PLURALS:
        many = last[0] + _PLURALS[known][1:]
    elif known in _PLURALS.values() or (known.endswith("s") and not known.endswith(_ONE_IN_S)):
        many = last  # written as several
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        many = last[:-1] + "ies"
    elif last.endswith(("osis", "ysis", "esis")):
        many = last[:-2] + "es"  # diagnoses
    else:
        many = last + ("es" if last.endswith(("s", "x", "z", "ch", "sh")) else "s")
    return f"{head} {many}".strip()


def with_article(unit: str) -> str:
    """A unit with its article: a person, an employee."""
    first = unit.split(" ")[0].split("-")[0]
    if len(first) <= 4 and first.isupper():  # an MRI scan, a GP: read letter by letter
        vowel = first[0] in "AEFHILMNORSX"
    else:
        word = unit.lower()
        silent = word.startswith(("hour", "honest", "heir"))
        spoken = word.startswith(("uni", "use", "euro", "one")) and not word.startswith(("unid", "unim", "unin"))
        vowel = silent or (word[:1] in "aeiou" and not spoken)
    return f"{'an' if vowel else 'a'} {unit}"


def possessive(unit: str) -> str:
    """A person's, an employee's."""
    return f"{with_article(unit)}'s"


def listed(parts: list[str]) -> str:
    """a, b and c."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + f" and {parts[-1]}"


class Pictures:
    """Every word on and about a picture, in English."""

    # Whom a test tells apart. membership: is this person's record in the data; value: is a value above a bound; answer: is
    # one answer or another this person's true one; related: is one value or another the target's. replaced: membership
    # where neighbours are data sets with someone else in the person's place.
    ABOUT = {
        "membership": {
            "absent": "{units} not in the data",
            "present": "{units} in the data",
            "claim": "membership",
            "without": "without the {unit}",
            "with": "with the {unit}",
            "proves": "that someone is, or is not, in the data",
            "seen": "the release",
            "output": "released number, relative to the truth without the {unit}",
        },
        "value": {
            "absent": "{units} at or below the bound",
            "present": "{units} above the bound",
            "claim": "the value",
            "without": "value at or below the bound",
            "with": "value above the bound",
            "proves": "on which side of the bound someone's value is",
            "seen": "the release",
            "output": "released number",
        },
        "answer": {
            "absent": "{units} with the other answer",
            "present": "{units} with the answer he suspects",
            "claim": "the answer",
            "without": "the other answer is true",
            "with": "the suspected answer is true",
            "proves": "what someone's true answer is",
            "seen": "the response",
            "output": "released number",
        },
        "related": {
            "absent": "targets with the other value",
            "present": "targets with the value he suspects",
            "claim": "the target's value",
            "without": "the other value is true",
            "with": "the suspected value is true",
            "proves": "what the target's value is",
            "seen": "the release",
            "output": "released number",
        },
    }

    ABOUT["analyst"] = {**ABOUT["membership"], "claim": "the analyst's test"}
    ABOUT["replaced"] = {
        **ABOUT["membership"],
        "without": "with another {unit} instead",
        "output": "released number, relative to the truth with another {unit} instead",
    }

    MILDEST = "Of the mildest release that explains a measured attack; the true risk may be higher."
    TITLES = {
        "roc": "What the best attack finds",
        "roc_log": "What the best attack finds, few wrong accusations enlarged",
        "tradeoff": "The attacker's two errors",
        "precision_recall": "How many accusations are right",
        "posterior": "Belief before and after",
        "relative_risk": "How many times likelier an accusation makes it",
        "profile": "The privacy profile: every epsilon and delta that holds",
        "fscore": "The attacker's best F-score against epsilon",
        "power_noise": "What more or less noise would change for the attacker",
        "output_laws": "What the attacker looks at",
        "analyst_power": "What the noise costs the analyst",
        "audit": "What is claimed and what was measured",
        "feasible": "Noise that serves both sides",
        "leakage": "What knowing other records adds",
        "icons": "Of {out_of} accused, whom the attacker is right about",
    }

    NAMED = '{title}: "{name}"'
    SUBTITLE = "about {claim}; safe side of every number; route: {route}"

    AXES = {
        "alpha": "wrongly accused, of {absent}",
        "power": "found, of {present}",
        "beta": "missed, of {present}",
        "recall": "found, of {present} (recall)",
        "precision": "right, of those accused (precision)",
        "prior": "belief before the release (prior)",
        "posterior": "belief after it (posterior)",
        "ratio": "times likelier",
        "epsilon": "epsilon",
        "epsilon_at": "epsilon at delta = {delta}",
        "delta": "delta",
        "fscore": "F-score of the best attack",
        "noise": "noise ({parameter}): more accurate to the left, more private to the right",
        "noise_factor": "noise, times the present: more accurate to the left, more private to the right",
        "density": "density",
        "probability": "probability",
        "outcome": "outcome",
        "loss": "log-likelihood ratio of what is released",
        "known": "other records that the attacker knows",
        "leakage": "epsilon of the worst attacker",
        "effect": "true effect",
        "analyst_power": "power of the analyst's test",
        "amount": "amount of noise: more accurate to the left, more private to the right",
        "amount_of": "noise ({parameter}): more accurate to the left, more private to the right",
    }

    PARAMETERS = {"sigma": "standard deviation", "scale": "scale", "noise_multiplier": "noise multiplier"}

    LABELS = {
        "claimed": "claimed, at most",
        "measured": "measured, at least",
        "guess": "guessing",
        "best": "best attack",
        "point": "○ {x} wrongly accused: {y} found",
        "missed": "○ {x} wrongly accused: {y} missed",
        "prior": "prior {prior}",
        "no_release": "no release",
        "accused": "after an accusation",
        "cleared": "after being ruled out",
        "most": "at the very most",
        "limit": "never more than {limit}",
        "ratio_point": "○ {x} accused: {ratio} times",
        "profile_point": "○ delta {delta}: epsilon {epsilon}",
        "profile_none": "delta {delta}: no epsilon",
        "ends_at": "0 from {epsilon} on",
        "proof": "chance of a proof: {proof}",
        "release": "this release\nwith its noise changed",
        "release_alone": "this release: it has\nno epsilon at that delta",
        "guarantee": "any release with that\nepsilon and delta",
        "everyone": "accusing everyone",
        "fpr": "{fpr} accused",
        "now": "now",
        "accuses": "he accuses in the shaded part",
        "proved": "not shown: outputs that prove it, {absent} and {present}",
        "without": "without {seen}",
        "with": "with {seen}",
        "count": "right about {count} of {out_of}",
        "right": "right",
        "added": "right because of {seen}",
        "wrong": "wrong",
        "unrelated": "if records\nwere unrelated",
        "bound": "bound for every attacker",
        "none": "without noise",
        "noise": "with this noise",
        "twice": "with twice this noise",
        "planned": "planned effect",
        "too_little": "too little for the limits on risk",
        "serves": "serves both",
        "too_much": "too much for the analyst",
        "nothing": "no amount serves both",
        "chosen": "the diamond is recommended",
    }

    ALT = {
        "roc": (
            "Line chart. Horizontal: share of {absent} whom the best attack wrongly accuses. Vertical: share of {present} "
            "whom it finds. Wrongly accusing {fpr}, it finds at most {power}; guessing would find {guess}. The largest gap "
            "to guessing is {advantage} percentage points."
        ),
        "tradeoff": (
            "Line chart of the attacker's two errors. Horizontal: share of {absent} wrongly accused. Vertical: share of "
            "{present} missed by the best attack. Wrongly accusing {fpr}, it misses at least {beta}; guessing would miss "
            "{miss}."
        ),
        "precision_recall": (
            "Line chart, one line for each prior. Horizontal: share of {present} found. Vertical: share of accusations "
            "that are right. {sentences}"
        ),
        "precision_at": "At a prior of {prior} and half of them found, at most {precision} of accusations are right.",
        "posterior": (
            "Line chart of belief after the release against belief before it. The attacker wrongly accuses, or "
            "rightly rules out, {fpr} of {absent}. {sentences}"
        ),
        "posterior_at": (
            "A belief of {prior} becomes at most {posterior} after an accusation, at least {negative} when ruled out."
        ),
        "relative_risk": (
            "Line chart. Horizontal: share of {absent} wrongly accused. Vertical: how many times likelier an accusation "
            "makes it that a suspect is one of the {present}. At {fpr} it is at most {ratio} times. {limit}"
        ),
        "limit_finite": "However few are accused, it is never more than {limit} times.",
        "limit_none": "The fewer are accused, the larger it grows, without a limit.",
        "limit_undetermined": "Whether it has a limit is not known.",
        "profile": (
            "Line chart of delta against epsilon. {at_delta} At epsilon = 0, delta is at most {advantage}.{tail}"
        ),
        "profile_at": "At delta = {delta}, epsilon is at most {epsilon}.",
        "profile_none": "At delta = {delta} there is no finite epsilon.",
        "profile_ends": " From epsilon = {ends_at} on, delta is 0.",
        "profile_proof": " Delta never falls below {proof}: with that probability an output proves {proves}.",
        "fscore": (
            "Line chart of the best attack's F-score (weight {weight}, prior {prior}) against epsilon at delta = {delta}. "
            "This release ({epsilon}) allows at most {score}; accusing everyone reaches {everyone}."
        ),
        "fscore_epsilon": "epsilon {epsilon}",
        "fscore_none": "no finite epsilon",
        "power_noise": (
            "Line chart of the share of {present} found by the best attack against the noise, from {least} to {most}. "
            "{sentences}"
        ),
        "power_noise_at": "At the present noise, wrongly accusing {fpr}, it finds at most {power}.",
        "output_laws": (
            "The two laws of {what}: {without}, and {with}. The best test that wrongly accuses {fpr} finds at most {power}."
        ),
        "what_output": "the released number",
        "what_outcome": "the outcome",
        "what_loss": "the log-likelihood ratio",
        "icons": (
            "Two arrays of {out_of} accused each, in the same order. Without {seen} the attacker is right "
            "about {before}, with it about {after} at most: {added} more. He suspects each with {prior} beforehand and "
            "wrongly accuses {fpr} of {absent}."
        ),
        "leakage": (
            "Chart of the worst attacker's epsilon at delta = {delta} by how many other records he knows. The worst knows "
            "{known}; his epsilon is at most {epsilon}.{unrelated}"
        ),
        "leakage_skipped": " {skipped} other numbers of known records were not compared; the search shows that none of them is worse.",
        "leakage_unsure": " The search was not exhaustive: others may learn more, up to an epsilon of {bound}.",
        "audit": "Line chart of the share of {present} that an attack finds against the share of {absent} that it accuses wrongly: what the release as described allows at most, and what a measured attack reaches, as a band. {verdict} {said}",
        "audit_refuted": "The claim is refuted at {confidence} confidence: at {fpr} the attack finds at least {measured}, the claim allows at most {claimed}.",
        "audit_not_refuted": "The claim is not refuted at {confidence} confidence, which is no confirmation.",
        "audit_at": "At {alpha} the claim allows {power} and the measurement proves {measured}.",
        "analyst_power": (
            "Line chart of the power of the analyst's test (level {level}) against the true effect. At the planned effect of "
            "{effect}: {said}"
        ),
        "analyst_none": "without noise at least {power}.",
        "analyst_noise": "With this noise at least {power}.",
        "analyst_twice": "With twice this noise at least {power}.",
        "feasible": "For each family of noise, the amounts that meet the limits on risk and leave the analyst the power needed. {said}",
        "feasible_range": "{family}: {parameter} from {low} to {high}.",
        "feasible_open": "{family}: {parameter} from {low} on.",
        "feasible_unmet": "{family}: none; no amount meets the limits.",
        "feasible_never": "{family}: none; even without noise the analyst has too little power.",
        "feasible_empty": "{family}: none; the limits need at least {low}, the analyst at most {high}.",
        "leakage_unrelated": " If records were unrelated it would be {unrelated}.",
        "proof": " With probability up to {proof} an output proves {proves}.",
    }


class Report:
    """The texts of reports in English: headings, captions, table heads, and the few sentences that are a report's own."""

    LANGUAGE = "en"
    TITLE = "What this release means"
    KIND = "Privacy assessment"
    FACTS = {
        "neighbours": "Neighbours",
        "unit": "Privacy unit",
        "delta": "Delta",
        "sampling": "Sampling",
        "setting": "Setting",
        "accusing_at": "Attacker accuses",
        "version": "Made with",
    }
    NEIGHBOURS = {
        "add_remove": "one {unit}{each} added or removed",
        "replace": "one {unit}{each} replaced by another",
        "local": "two true answers of one {unit}{each}",
        "": "values of one {unit} above {gamma} against the others",
    }
    UNIT = {True: "one {unit}{each}, of {n}{counted}", False: "one {unit}{each}; how many is not stated"}
    DELTA = {
        "given": "{delta} (given)",
        "from_n": "{delta} (from the number of {records})",
        "default": "{delta} (default)",
    }
    SAMPLING = {
        "poisson": "each {record} by chance (Poisson)",
        "without_replacement": "a fixed number of {records}, at random",
        "one_in_clear": "one {record} at random, in clear",
        "unknown": "not known",
        "": "none",
    }
    SETTING = {
        "central": "central: the holder of the data adds the noise",
        "local": "local: each {unit} randomises the answer",
    }
    ACCUSING = "{fpr} of {absent}"
    VERSION = "dplens {version}"

    STANDING = {
        "none": "No limit was declared, so nothing is judged here.",
        "kept": "Everything that was required is provably kept ({count} of {count}).",
        "kept_related": (
            "Everything that was required is provably kept ({count} of {count}), on related records against every "
            "attacker."
        ),
        "open": "Not proved to be kept: {exceeded} of {count} declared requirements.",
        "exceeded": "Not kept: {exceeded} of {count} declared requirements.",
        "refuted": "A measured attack refutes the release as it is described: the risk is higher than what follows says.",
    }

    CONTENTS = "Contents"
    BLOCKS = {
        "computed": "What was computed",
        "declared": "What was declared",
        "combined": "What both say together",
        "not_covered": "What this does not cover",
        "glossary": "Words used here",
        "numbers": "Every number with its certificate",
        "reproduce": "How to reproduce it",
    }
    BLOCK_INTRO = {
        "computed": (
            "These numbers follow from the description of the release alone. Each errs towards more risk; the bracket beside "
            "it holds the exact value."
        ),
        "declared": (
            "None of this can be computed. It was stated by those who are responsible, and every number rests on it."
        ),
        "combined": (
            "Limits are a choice that was declared; the numbers are computed. Only together do they say whether the release "
            "keeps what was promised."
        ),
        "not_covered": "The numbers are silent about the following; look at it separately.",
        "numbers": (
            "The answer is rounded towards more risk. The exact value lies between low and high; the route says how it is known."
        ),
        "reproduce": (
            "Save this as scenario.yaml and run the command below it with the same version, or the lines of Python: the same "
            "numbers come out."
        ),
    }
    SECTIONS = {
        "attacker": "Which attacker, knowing what",
        "audit": "What a measured attack shows",
        "released": "What was released",
        "noise": "More or less noise",
        "looks": "How the attack works",
        "statements": "Purpose, data, recipients, decision",
    }
    WORST, ANOTHER = "The worst attacker on related records", "An attacker on related records"
    KNOWING = "{name} attacks the record of {unit} {target} (counted from 0), knows how records are related as the model says, and {knows}."
    NO_LIMITS = (
        "No limit was declared. The numbers by themselves do not say whether the risk is acceptable; whoever answers for the "
        "release has to."
    )
    DECIDED_BY = "Whether that is acceptable is decided by: {decided_by}."
    NOBODY_DECIDES = "Who accepts the remaining risk, and why, was not declared."
    LOOKS = {
        "density": "The attacker sees one number. These are its two laws; where the second lies above the first, it is evidence.",
        "whole": "The attacker sees one whole number. These are its two laws; where the second lies above the first, it is evidence.",
        "outcomes": "The attacker sees one of finitely many outcomes. These are their probabilities in both cases; the larger the second is against the first, the stronger the evidence.",
        "loss": (
            "All that is released is weighed by one number, the log-likelihood ratio: how much likelier the outputs are in one "
            "case than in the other. These are its two laws."
        ),
    }
    LOOKS_TEST = (
        "The best test at a false-positive rate of {fpr} accuses where the evidence is strongest, and finds at most {power} "
        "of {present}."
    )
    NOISE = (
        "With half the noise the best attack at a false-positive rate of {fpr} would find {half}, with twice the noise "
        "{twice}; now it finds {now} (at most, each)."
    )
    NOISE_MORE = (
        "With twice the noise the best attack at a false-positive rate of {fpr} would find {twice}; now it finds {now} (at "
        "most, each)."
    )

    CERTIFICATE = "How these numbers are known: {routes}. No bracket is wider than {width} of its value."
    CERTIFICATE_WIDE = "How these numbers are known: {routes}. Some brackets are wide: look at low and high."
    ROUTES = {
        "enumeration": "enumeration (every outcome counted, roundings bounded)",
        "shift": "shift (from the law of the noise, as accurate as its own functions)",
        "shifts": "shifts (the worst of all shifts, searched with a bound on what was missed)",
        "sorted": "sorted (outputs in the order of their evidence, on a fine grid)",
        "intervals": "intervals (closed sums between attainable values)",
        "cells": "cells (two finite laws on either side)",
        "leakage": "leakage (the most that the exact limit on the odds allows; from below, what fewer releases tell)",
        "convolution": "convolution (of two laws, both sides bounded)",
        "simulation": "simulation (random draws with a confidence interval; no proof)",
        "search": "search (bracketed from both sides)",
        "limit": "limit (an approximation; no proof)",
        "unknown": "unknown (no certificate came with it)",
        "exact": "exact (closed form or finite sum; only rounding is left)",
        "contour": "contour (integrals with every error bounded)",
        "grid": "grid (a discretisation with both sides bounded)",
        "orders": "orders (the worst that the stated Rényi bounds allow)",
        "lattice": "lattice (sums over a lattice, errors bounded)",
        "smoothed": "smoothed (integrals of the cumulant function with a little Gaussian noise whose effect is bounded)",
        "mixture": "mixture (finitely many losses beside one other law, summed in closed form)",
        "spline": "spline (piecewise polynomials, exact to rounding)",
        "imported": "imported (taken over from another library: the worst that its numbers allow)",
        "measured": "measured (a lower bound with a stated confidence)",
    }
    AUDIT_CERTIFICATE = "How these numbers are known: measured. Each bound on the attack holds with the stated confidence, all those of one audit together."
    ROUTE_OTHER = "{route}"

    TABLES = {
        "pairs": "{Units} accused, by what the attacker believed before",
        "posterior": "Belief before and after",
        "precision_recall": "Right accusations",
        "roc": "What the best attack finds",
        "relative_risk": "Times likelier",
        "profile": "Epsilon and delta",
        "power_noise": "Power of the best attack at other noise",
        "fscore": "Best F-score",
        "output_laws": "The best test",
        "leakage": "Worst attacker by what he knows",
        "analyst_power": "Power of the analyst's test",
        "audit": "What is claimed and what is proved",
        "audit_named": 'What is claimed and what is proved: "{name}"',
        "answers": "All answers",
        "related": "Answers about the worst attacker on related records",
        "related_named": "Answers about an attacker on related records: {name}",
        "limits": "Limits",
        "analyst": "The analyst's tests",
    }
    HEADS = {
        "claimed": "found, as claimed",
        "measured": "found, as measured",
        "prior": "prior",
        "attacker": "attacker",
        "before": "right without",
        "after": "right with",
        "out_of": "of",
        "posterior": "after an accusation",
        "negative": "when ruled out",
        "most": "at the very most",
        "alpha": "wrongly accused",
        "power": "found",
        "beta": "missed",
        "recall": "found",
        "precision": "right",
        "ratio": "times likelier",
        "epsilon": "epsilon",
        "delta": "delta",
        "fpr": "wrongly accused",
        "noise": "noise",
        "factor": "noise, times",
        "fscore": "F-score",
        "threshold": "accuses above",
        "known": "others known",
        "route": "route",
        "question": "question",
        "answer": "answer",
        "low": "low",
        "high": "high",
        "limit": "limit",
        "verdict": "verdict",
        "about": "about",
        "effect": "effect",
        "test": "test",
        "level": "level",
        "with_noise": "power with the noise",
        "without_noise": "power without it",
        "needed": "needed",
        "series": "which",
    }
    TEST = "test {number}"
    POWER_OF = "the power of the analyst's test: {name}"
    MISSED = {True: "kept", False: "missed"}
    VERDICTS = {
        "kept": "kept",
        "exceeded": "exceeded",
        "open": "not proved",
        "refuted": "kept only by the claim, which is refuted",
    }
    ABOUT_VERDICT = {"release": "the release", "related": "all attackers on related records", "analyst": "the analyst"}
    COMMAND = "dplens report scenario.yaml --output report.html"
    PYTHON = 'import dplens as dl\ndl.load_scenario("scenario.yaml").assess().report("report.html")'
    NO_SCENARIO = "No scenario file can hold this release ({why})"
    KEPT_BY = {  # where the assessment itself is, if no scenario holds it
        "html": "The assessment itself is in this page as JSON.",
        "markdown": "A report in HTML or JSON has the assessment itself.",
    }
    NO_PICTURES = "Pictures are left out: {why}"
    COLOPHON = "This file holds everything it shows; it loads nothing and sends nothing."
    MARKDOWN_TITLE = "Privacy"
