"""Every word on and about a picture, in English."""

from __future__ import annotations

# Whom a test tells apart. membership: is this person's record in the data; value: is a value above a bound; answer: is
# one answer or another this person's true one; related: is one value or another the target's.
ABOUT = {
    "membership": {
        "absent": "{units} not in the data",
        "present": "{units} in the data",
        "claim": "membership",
        "without": "without the person",
        "with": "with the person",
        "proves": "that someone is, or is not, in the data",
        "output": "released number, relative to the truth without the person",
    },
    "value": {
        "absent": "{units} at or below the bound",
        "present": "{units} above the bound",
        "claim": "the value",
        "without": "value at or below the bound",
        "with": "value above the bound",
        "proves": "on which side of the bound someone's value is",
        "output": "released number",
    },
    "answer": {
        "absent": "{units} with the other answer",
        "present": "{units} with the answer he suspects",
        "claim": "the answer",
        "without": "the other answer is true",
        "with": "the suspected answer is true",
        "proves": "what someone's true answer is",
        "output": "released number",
    },
    "related": {
        "absent": "targets with the other value",
        "present": "targets with the value he suspects",
        "claim": "the target's value",
        "without": "the other value is true",
        "with": "the suspected value is true",
        "proves": "what the target's value is",
        "output": "released number",
    },
}

ABOUT["analyst"] = {**ABOUT["membership"], "claim": "the analyst's test"}

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
    "feasible": "Noise that serves both sides",
    "leakage": "What knowing other records adds",
    "icons": "Of {out_of} accused, whom the attacker is right about",
}

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
    "without": "without the release",
    "with": "with the release",
    "count": "right about {count} of {out_of}",
    "right": "right",
    "added": "right because of the release",
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
    "chosen": "chosen",
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
        "makes it that the person is one of the {present}. At {fpr} it is at most {ratio} times. {limit}"
    ),
    "limit_finite": "However few are accused, it is never more than {limit} times.",
    "limit_none": "The fewer are accused, the larger it grows, without a limit.",
    "limit_undetermined": "Whether it has a limit is not known.",
    "profile": ("Line chart of delta against epsilon. {at_delta} At epsilon = 0, delta is at most {advantage}.{tail}"),
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
        "Two arrays of {out_of} accused each, in the same order. Without the release the attacker is right "
        "about {before}, with it about at most {after}: {added} more. He suspects each with {prior} beforehand and "
        "wrongly accuses {fpr} of {absent}."
    ),
    "leakage": (
        "Chart of the worst attacker's epsilon at delta = {delta} by how many other records he knows. The worst knows "
        "{known}; his epsilon is at most {epsilon}.{unrelated}"
    ),
    "leakage_skipped": " {skipped} other numbers of known records were not compared; the search shows that none of them is worse.",
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
    "feasible_empty": "{family}: none; the limits need at least {low}, the analyst at most {high}.",
    "leakage_unrelated": " If records were unrelated it would be {unrelated}.",
    "proof": " With probability up to {proof} an output proves {proves}.",
}
