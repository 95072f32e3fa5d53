"""The grammar of English that its texts need: plurals and articles of words that users chose."""

from __future__ import annotations

_PLURALS = {
    "person": "people",
    "child": "children",
    "man": "men",
    "woman": "women",
    "datum": "data",
    "series": "series",
    "mouse": "mice",
}
_HUMAN = frozenset(
    [
        *("adult", "child", "citizen", "client", "customer", "employee", "individual", "inhabitant", "man", "member"),
        *("participant", "passenger", "patient", "person", "pupil", "resident", "respondent", "student", "subscriber"),
        *("survivor", "taxpayer", "user", "visitor", "voter", "woman", "worker"),
    ]
)
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


def human(unit: str) -> str:
    """Whether a unit is a human being: "yes" or "no"."""
    last = unit.rpartition(" ")[2].lower()
    return "yes" if last.rstrip("s") in _HUMAN or last in ("people", "children", "men", "women") else "no"


def ordinal(place: float) -> str:
    """A place in a row: 1st, 2nd, 3rd, 11th, 21st."""
    whole = int(place)
    ending = "th" if whole % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(whole % 10, "th")
    return f"{whole}{ending}"


FUNCTIONS = {"PLURAL": plural, "ARTICLE": with_article, "HUMAN": human, "ORDINAL": ordinal}
