"""Releases, questions and limits in one line: ``gaussian:sigma=2``, ``laplace:scale=1*1000``, ``advantage<=0.1``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from typing import Any

from dplens.describe.questions import read_question, sensible
from dplens.describe.releases import release_from, with_responses
from dplens.errors import DplensError, InvalidValue
from dplens.mechanisms.base import NEIGHBOURS
from dplens.mechanisms.composed import compose
from dplens.risk.base import Question, Requirement

_ALIASES = {
    "adp": "approximate_dp",
    "approximate": "approximate_dp",
    "dp": "approximate_dp",
    "gdp": "gaussian_dp",
    "zcdp": "zero_concentrated_dp",
    "rdp": "renyi_dp",
    "randomised_response": "randomized_response",
    "dp_sgd": "dpsgd",
}
UNKNOWN = "?"  # the parameter to search for


class ShorthandError(InvalidValue):
    """A one-line description cannot be read; the message says where."""


def release_data(text: str) -> list[dict[str, Any]]:
    """The releases that a line describes, as files would write them.

    >>> release_data("laplace:scale=1*1000")
    [{'mechanism': 'laplace', 'scale': 1, 'repeat': 1000}]
    >>> release_data("gaussian:sigma=2,sample_rate=0.01*100 + geometric:scale=1")[1]
    {'mechanism': 'geometric', 'scale': 1}
    """
    parts = [part.strip() for part in re.split(r"\+\s*(?=[A-Za-z_])", text)]
    if not all(parts):
        raise ShorthandError(f"Expected a mechanism such as gaussian:sigma=2, got {text!r}.")
    return [_part(part) for part in parts]


def _part(text: str) -> dict[str, Any]:
    body, star, times = text.rpartition("*")
    if not star:
        body, times = text, ""
    name, colon, arguments = body.partition(":")
    name = name.strip().lower().replace("-", "_")
    if "=" in name:
        raise ShorthandError(
            f"Expected the name of a mechanism and a colon before {name!r}, as in gaussian:sigma=2; where only a "
            "guarantee is known, approximate_dp:epsilon=1,delta=0."
        )
    out: dict[str, Any] = {"mechanism": _ALIASES.get(name, name), **_arguments(arguments, body)}
    if colon and not arguments.strip():
        raise ShorthandError(f"Expected key=value after {name}:, got nothing.")
    if star:
        try:
            count = UNKNOWN if times.strip() == UNKNOWN else whole(times)
        except ValueError:
            raise ShorthandError(
                f"Expected a whole number of times after '*', got {times.strip()!r} in {text!r}."
            ) from None
        if "repeat" in out:
            raise ShorthandError(f"Expected repeat or '*', not both, in {text!r}.")
        out["repeat"] = count
    return out


def _arguments(text: str, body: str) -> dict[str, Any]:
    """key=value, key=value; commas inside brackets belong to a list."""
    out: dict[str, Any] = {}
    for item in _split(text):
        if not item.strip():
            continue
        key, equals, value = item.partition("=")
        key = key.strip().lower().replace("-", "_")
        if not equals or not key or not value.strip():
            raise ShorthandError(f"Expected key=value, got {item.strip()!r} in {body!r}.")
        if key in out:
            raise ShorthandError(f"Expected each key once, got {key!r} twice in {body!r}.")
        out[key] = _value(value.strip())
    return out


def _split(text: str) -> list[str]:
    """The parts between commas outside brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _value(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return [_value(part.strip()) for part in _split(text[1:-1]) if part.strip()]
    if re.fullmatch(r"[-+]?[\d_]{0,400}\d", text):
        return int(text.replace("_", ""))
    try:
        return float(text)
    except ValueError:
        return text


def whole(text: str | int) -> int:
    """A whole number as people write it, with all its digits: 12000, 12_000, 1e5; else a ValueError."""
    try:
        number = Decimal(str(text).strip())
    except InvalidOperation:
        raise ValueError(text) from None
    if not number.is_finite() or number.adjusted() > 400 or number != number.to_integral_value():
        raise ValueError(text)
    return int(number)


def numbers_of(name: str, text: str) -> Any:
    """A number, several, or a table of them.

    >>> numbers_of("observed", "24"), numbers_of("observed", "40, 20"), numbers_of("observed", "[[1, 2], [3, 4]]")
    (24, [40, 20], [[1, 2], [3, 4]])
    """
    found = _value(text.strip())
    if isinstance(found, str):
        found = _value(f"[{text}]")

    def all_numbers(value: Any) -> bool:
        return all(map(all_numbers, value)) if isinstance(value, list) else not isinstance(value, str)

    if found == [] or not all_numbers(found):
        raise ShorthandError(
            f"Expected {name} to be a number, several (40,20) or a table ([[1,2],[3,4]]), got {text!r}."
        )
    return found


@contextmanager
def _errors_about(text: str) -> Iterator[None]:
    """Prefixes errors of the library with the line that caused them."""
    try:
        yield
    except ShorthandError:
        raise
    except DplensError as error:
        raise ShorthandError(f"{text}: {error}") from None


def _named(text: str) -> tuple[str, dict[str, Any]]:
    """The name and the arguments of a line."""
    name, _, arguments = text.partition(":")
    return name.strip().lower().replace("-", "_"), _arguments(arguments, text)


def release_of(text: str) -> Any:
    """The mechanism that a line describes.

    >>> release_of("dpsgd:noise_multiplier=0.8,sample_rate=0.004,steps=10000").steps
    10000
    """
    with _errors_about(text):
        return composed_release(release_data(text))


def composed_release(listed: list[dict[str, Any]]) -> Any:
    """The composition of all releases that plain values describe."""
    made = with_responses(listed, [release_from(data) for data in listed])
    if len(made) == 1:
        return made[0]
    if {getattr(m, "neighbours", "") for m in made} == set(NEIGHBOURS):
        raise InvalidValue(
            "Expected all releases to have the same neighbours, got add_remove, which is the default, and replace. "
            "State neighbours=replace for each, with the sensitivity that goes with it."
        )
    return compose(*made)


def question_of(text: str) -> Question:
    """A question in one line: ``attack_power:fpr=0.01``."""
    name, arguments = _named(text)
    with _errors_about(text):
        return read_question({"question": name, **arguments})


def requirement_of(text: str) -> Requirement:
    """A limit in one line: ``advantage<=0.1``, or ``attack_power:fpr=0.01=0.05``; the bound is what comes last.

    >>> requirement_of("attack_power:fpr=0.01=0.05")
    Requirement(question=AttackPower(fpr=0.01), bound=0.05)
    """
    found = re.fullmatch(r"(.+?)\s*(<=|>=|=)\s*([^<>=]+)", text.strip(), re.DOTALL)
    if found and found.group(2) == "=":
        found = re.fullmatch(r"(.+)(=)\s*([^<>=]+)", text.strip(), re.DOTALL)
    bound = _value(found.group(3).strip()) if found else None
    if not found or not isinstance(bound, (int, float)):
        share = " Shares are written as numbers: 0.1 for 10 %." if text.strip().endswith("%") else ""
        example = "a limit such as advantage<=0.1 or attack_power:fpr=0.01=0.05"
        raise ShorthandError(f"Expected {example}, got {text!r}.{share}")
    asked = found.group(1).strip()
    if ":" in asked and "=" not in asked.partition(":")[2]:
        raise ShorthandError(f"Expected a bound at the end, as in {text}=0.1, got {text!r}.")
    question = question_of(asked)
    if (found.group(2) == "<=") != question.more_is_riskier and found.group(2) != "=":
        sign, riskier = ("<=", "more") if question.more_is_riskier else (">=", "less")
        raise ShorthandError(f"Expected {sign} for {asked}, since {riskier} is riskier, got {text!r}.")
    with _errors_about(text):
        return sensible(Requirement(question=question, bound=bound))


def test_of(text: str) -> Any:
    """A test of the analyst in one line: ``mean:n=100,sd=0.25,effect=0.2,level=0.01``."""
    from dplens.describe.analyses import read_test

    name, arguments = _named(text)
    with _errors_about(text):
        return read_test({"test": name.removesuffix("_test"), **arguments})
