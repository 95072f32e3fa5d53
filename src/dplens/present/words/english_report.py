"""The texts of reports in English: headings, captions, table heads, and the few sentences that are a report's own."""

from __future__ import annotations

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
    "add_remove": "one {unit} added or removed",
    "replace": "one {unit} replaced by another",
    "local": "two true answers of one {unit}",
    "": "values of one {unit} above {gamma} against the others",
}
UNIT = {True: "one {unit}, of {n}", False: "one {unit}; how many is not stated"}
DELTA = {"given": "{delta} (given)", "from_n": "{delta} (from the number of {units})", "default": "{delta} (default)"}
SAMPLING = {
    "poisson": "each {unit} by chance (Poisson)",
    "without_replacement": "a fixed number of {units}, at random",
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
    "exceeded": "Not kept: {exceeded} of {count} declared requirements.",
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
        "Save this as a file and run the command below it with the same version, or the lines of Python: the same numbers "
        "come out."
    ),
}
SECTIONS = {
    "attacker": "Which attacker, knowing what",
    "released": "What was released",
    "noise": "More or less noise",
    "looks": "How the attack works",
    "statements": "Purpose, data, recipients, decision",
}
WORST, ANOTHER = "The worst attacker on related records", "An attacker on related records"
KNOWING = "{name} attacks tuple {target}, knows how records are related as the model says, and {knows}."
NO_LIMITS = (
    "No limit was declared. The numbers by themselves do not say whether the risk is acceptable; whoever answers for the "
    "release has to."
)
DECIDED_BY = "Whether that is acceptable is decided by: {decided_by}."
NOBODY_DECIDES = "Who accepts the remaining risk, and why, was not declared."
LOOKS = {
    "density": "The attacker sees one number. These are its two laws; where the second lies above the first, it is evidence.",
    "whole": "The attacker sees one whole number. These are its two laws; where the second lies above the first, it is evidence.",
    "outcomes": "The attacker sees one of finitely many outcomes. These are their probabilities in both cases.",
    "loss": (
        "All that is released is weighed by one number, the log-likelihood ratio: how much likelier the outputs are in one "
        "case than in the other. These are its two laws."
    ),
}
LOOKS_TEST = (
    "The best test at a false-positive rate of {fpr} accuses where this number is large, and finds at most {power} of "
    "{present}."
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
    "exact": "exact (closed form or finite sum; only rounding is left)",
    "contour": "contour (integrals with every error bounded)",
    "grid": "grid (a discretisation with both sides bounded)",
    "orders": "orders (the worst that the stated Rényi bounds allow)",
    "lattice": "lattice (sums over a lattice, errors bounded)",
    "atoms": "atoms (enumeration)",
    "spline": "spline (piecewise polynomials, exact to rounding)",
}
ROUTE_OTHER = "{route}"

TABLES = {
    "pairs": "People accused, by what the attacker believed before",
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
    "answers": "All answers",
    "related": "Answers about the worst attacker on related records",
    "limits": "Limits",
    "analyst": "The analyst's tests",
}
HEADS = {
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
VERDICTS = {True: "kept", False: "exceeded"}
ABOUT_VERDICT = {"release": "the release", "related": "worst attacker on related records", "analyst": "the analyst"}
COMMAND = "dplens report scenario.yaml --output report.html"
PYTHON = 'import dplens as dl\ndl.load_scenario("scenario.yaml").assess().report("report.html")'
NO_SCENARIO = "No scenario file can hold this release ({why}) The assessment itself is in this page as JSON."
NO_PICTURES = "Pictures are left out: {why}"
COLOPHON = "This file holds everything it shows; it loads nothing and sends nothing."
MARKDOWN_TITLE = "Privacy"
