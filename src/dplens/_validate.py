"""One phrasing for every input error: ``Expected <name> <rule>, got <value>. <remedy>``."""

from __future__ import annotations

import math
import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from dplens.errors import CannotWrite, DplensError, InvalidType, InvalidValue

Floats = npt.NDArray[np.float64]
Check = Callable[[str, Any], Any]
P = ParamSpec("P")
R = TypeVar("R")


def checked(check: Check) -> dict[str, Check]:
    """The metadata of a dataclass field whose value :func:`check_fields` passes through ``check(name, value)``."""
    return {"check": check}


def check_fields(record: Any) -> None:
    """Checks the fields of a frozen dataclass that were declared with :func:`checked`, in their order."""
    for name, check in _checks(type(record)):
        object.__setattr__(record, name, check(name, getattr(record, name)))


@cache
def _checks(kind: Any) -> tuple[tuple[str, Check], ...]:
    return tuple((f.name, f.metadata["check"]) for f in fields(kind) if "check" in f.metadata)


class Shown:
    """A value that an error shows by a description of it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def reject(name: str, rule: str, value: object, remedy: str = "") -> InvalidValue:
    """The error for a value that breaks its rule (raise what this returns)."""
    return InvalidValue(_phrase(name, rule, value, remedy))


def reject_type(name: str, rule: str, value: object, remedy: str = "") -> InvalidType:
    """The error for a thing of the wrong kind (raise what this returns)."""
    return InvalidType(_phrase(name, rule, value, remedy))


def unwritable(target: str | os.PathLike[str], error: OSError) -> CannotWrite:
    """The error for a file that cannot be written (raise what this returns)."""
    shown = str(target)
    return CannotWrite(f"Cannot write {shown if len(shown) <= 300 else shown[:297] + '...'}: {error.strerror}.")


def _phrase(name: str, rule: str, value: object, remedy: str) -> str:
    text = shown(value)
    if len(text) > 120:
        text = text[:117] + "..."
    return f"Expected {name} {rule}, got {text}." + (f" {remedy}" if remedy else "")


def columns_shown(columns: dict[str, Sequence[float]]) -> str:
    """Columns of numbers as arguments in a ``repr``: all of a few numbers, of many both ends and the count."""
    short = {k: repr(v) if len(v) <= 12 else f"({v[0]:g}, …, {v[-1]:g}: {len(v)})" for k, v in columns.items()}
    return ", ".join(f"{name}={text}" for name, text in short.items())


def shown(value: object) -> str:
    """``repr(value)`` on one line, or the type where Python cannot print the value."""
    try:
        return " ".join(repr(value).split())
    # whatever the repr of a foreign class raises; also integers of 5,000 digits and lists nested 5,000 deep
    except Exception:
        if isinstance(value, int):
            return f"an integer of about {int(value.bit_length() * math.log10(2)) + 1} digits"
        kind = type(value).__name__
        return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind} that cannot be printed"


def real(name: str, value: Any, rule: str, holds: Callable[[float], bool], remedy: str = "") -> float:
    """``value`` as a float that satisfies ``holds``; NaN never does."""
    number = _as_float(name, value, rule, remedy)
    if math.isnan(number) or not holds(number):
        raise reject(name, rule, value, remedy)
    return number


# What float() would take, or refuse in words of its own. Times are numbers to NumPy.
_NOT_NUMBERS = (
    *(bool, str, bytes, bytearray, complex),
    *(np.bool_, np.complexfloating, np.datetime64, np.timedelta64, np.flexible),
)


def _as_float(name: str, value: Any, rule: str, remedy: str) -> float:
    if type(value) is float or (type(value) is int and abs(value) < 2**53):
        return float(value)
    kind = rule if rule.startswith("to ") else f"to be a number {rule}"
    if getattr(value, "ndim", 0):  # arrays, series, frames
        raise reject_type(name, kind.replace("a number", "one number"), value, remedy or "Pass a scalar.")
    if _hides_values(value):
        raise reject_type(name, kind, value, remedy)
    if isinstance(value, np.ndarray):
        value = value[()]
    if value is None or isinstance(value, _NOT_NUMBERS):
        raise reject_type(name, kind, value, remedy)
    try:
        with np.errstate(over="ignore"):  # a long double beyond the floats becomes infinite
            return float(value)
    except (TypeError, ValueError):
        raise reject_type(name, kind, value, remedy) from None
    except OverflowError:
        raise reject(name, rule, value, remedy) from None


def number(name: str, value: Any, rule: str, remedy: str = "") -> float:
    """``value`` as a float, NaN and infinities included."""
    return _as_float(name, value, rule, remedy)


def _hides_values(values: Any) -> bool:
    """Whether it is a masked array with something masked, which numpy would silently uncover."""
    return isinstance(values, np.ndarray) and type(values) is not np.ndarray and bool(np.ma.is_masked(values))


def positive(name: str, value: Any, remedy: str = "") -> float:
    return real(name, value, "> 0 and finite", lambda x: 0 < x < math.inf, remedy)


def nonnegative(name: str, value: Any, remedy: str = "") -> float:
    return real(name, value, ">= 0 and finite", lambda x: 0 <= x < math.inf, remedy)


def at_least_zero(name: str, value: Any, remedy: str = "") -> float:
    """Like :func:`nonnegative`, infinity allowed."""
    return real(name, value, ">= 0", lambda x: x >= 0, remedy)


def probability(name: str, value: Any, remedy: str = "") -> float:
    return real(name, value, "in [0, 1]", lambda x: 0 <= x <= 1, remedy)


def open_probability(name: str, value: Any, remedy: str = "") -> float:
    return real(name, value, "in the open interval (0, 1)", lambda x: 0 < x < 1, remedy)


def prior(value: Any, name: str = "prior") -> float:
    return open_probability(
        name,
        value,
        "10 % is written 0.1; a prior of 0 or 1 is an attacker who already knows, and no release can change that.",
    )


def count(name: str, value: Any, minimum: int = 1, remedy: str = "", *, most: float = math.inf) -> int:
    """``value`` as an int from ``minimum`` to ``most``; 3.0 is accepted, 3.5 is not."""
    if is_integer(value) and value > sys.float_info.max:
        most = min(most, sys.float_info.max)
    rule = f"to be a whole number >= {minimum}" + (f" and <= {most:g}" if math.isfinite(most) else "")
    number = _as_float(name, value, rule, remedy)
    if not (math.isfinite(number) and number == math.floor(number) and minimum <= number <= most):
        raise reject(name, rule, value, remedy)
    return int(value)


def is_integer(value: Any) -> bool:
    """Whether it is a Python or NumPy integer; booleans and times, which may pass for one, are not."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))


def pair(name: str, value: Any, rule: str, remedy: str = "") -> tuple[Any, Any]:
    """Two things, whatever they are."""
    try:
        first, second = value
    except (TypeError, ValueError):
        raise reject_type(name, rule, value, remedy) from None
    return first, second


def one_of(name: str, value: Any, choices: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in choices:
        listed = " or ".join(repr(c) for c in choices)
        error = reject if isinstance(value, str) else reject_type
        raise error(name, f"to be {listed}", value)
    return value


def flag(name: str, value: Any) -> bool:
    """``value`` as a bool; anything else, also 0 and 1, is refused."""
    if not isinstance(value, (bool, np.bool_)):
        raise reject_type(name, "to be True or False", value)
    return bool(value)


def workers(value: Any, name: str = "workers") -> int | None:
    """A number of processes, -1 for all cores, or None where the library decides."""
    if value is None:
        return None
    rule = "to be a number of processes, or -1 for all cores"
    if not is_integer(value):
        raise reject_type(name, rule, value)
    if value == 0 or value < -1 or value > 10_000:
        raise reject(name, rule, value)
    return int(value)


def made(name: str, make: Callable[[Any], Any], value: float) -> Any:
    """The result of a user's function for a number; its exceptions become errors of ours."""
    try:
        return make(value)
    except DplensError:
        raise
    except Exception as error:  # a number outside the domain is a bad value; any other exception means a bad function
        refused = reject if isinstance(error, (ValueError, ArithmeticError)) else reject_type
        said = Shown(f"{type(error).__name__} ({error}) at {shown(value)}")
        raise refused(name, "to make a mechanism of a number", said) from error


def deprecated(old: str, new: str) -> None:
    """Warn, at the caller's caller, that a name has changed."""
    warnings.warn(f"{old} is now called {new}.", DeprecationWarning, stacklevel=3)


def current(values: dict[str, Any], **names: str) -> dict[str, Any]:
    """Values under their current names; a former one warns."""
    if not names.keys() & values.keys():
        return values
    for old in names.keys() & values.keys():
        deprecated(old, names[old])
    return {names.get(name, name): value for name, value in values.items()}


def renamed(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for functions whose arguments have new names: former ones are accepted with a warning."""

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            return function(*args, **current(kwargs, **names))  # pyright: ignore[reportCallIssue]

        return called

    return decorated


def instance(name: str, value: Any, kind: Any, rule: str, remedy: str = "") -> Any:
    """``value`` if it is an instance of a class, or of one of several."""
    if not isinstance(value, kind):
        raise reject_type(name, rule, value, remedy)
    return value


def text(name: str, value: Any, remedy: str = "") -> str:
    """``value`` if it is a string."""
    return instance(name, value, str, "to be a text", remedy)


def has_lone_surrogates(data: Any) -> bool:
    """Whether texts in nested plain values hold surrogates without their other half, which no file can hold."""
    waiting, seen = [data], set()  # nested deeper than the recursion limit, or contain itself
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if any("\ud800" <= letter <= "\udfff" for letter in one):
                return True
        elif isinstance(one, (Mapping, list, tuple)) and id(one) not in seen:
            seen.add(id(one))
            waiting.extend((*one.keys(), *one.values()) if isinstance(one, Mapping) else one)
    return False


def path(name: str, value: Any) -> str:
    """``value`` as the path of a file."""
    try:
        found = os.fsdecode(value)
    except (TypeError, ValueError):
        raise reject_type(name, "to be the path of a file", value) from None
    if not found or "\0" in found:
        raise reject(name, "to be the path of a file", value)
    return found


def mapping(name: str, value: Any, of: str) -> dict[Any, Any]:
    """``value`` as a dictionary; ``of`` says from what to what."""
    if not isinstance(value, Mapping):
        raise reject_type(name, f"to be a mapping of {of}", value)
    return dict(value)


def floats(name: str, values: Any, rule: str, low: float, high: float) -> Floats:
    """Numbers in [low, high] of any shape as float64; the first offender is named."""
    array = as_array(name, values, rule)
    if array.size and not (array.min() >= low and array.max() <= high):  # also true of nan
        bad = ~((array >= low) & (array <= high))
        raise reject(name, rule, float(array[bad].flat[0]))
    return array


def several(
    name: str, values: Any, rule: str = "other than nan", low: float = -math.inf, high: float = math.inf
) -> list[float]:
    """A list of at least one number, all between the two ends."""
    array = floats(name, values, rule, low, high)
    if array.ndim != 1 or array.size == 0:
        raise reject(name, "to be a non-empty list of numbers", values)
    return array.tolist()


def as_array(name: str, values: Any, rule: str = "", *, booleans: bool = False) -> Floats:
    """Real numbers of any shape as float64, with no check of their range; of data, ``booleans`` count as 0 and 1."""
    kind = f"to be numbers {rule}".rstrip()
    if _hides_values(values):
        raise reject_type(name, kind, values, "Drop what is masked, for instance with .compressed(), or fill it.")
    try:
        raw = np.asarray(values)
    except (TypeError, ValueError, RecursionError):
        raise reject_type(name, kind, values) from None
    if raw.size == 0 and raw.dtype == object:
        raise reject_type(name, kind, values)
    if booleans and raw.dtype == object:
        flat = [float(v) if isinstance(v, (bool, np.bool_)) else v for v in raw.ravel()]
        raw = np.array(flat, dtype=object).reshape(raw.shape)
    if raw.dtype.kind not in ("fiub" if booleans else "fiu"):
        if raw.dtype != object:
            raise reject_type(name, kind, values)
        try:
            return np.array([_as_float(name, v, rule, "") for v in raw.ravel()]).reshape(raw.shape)
        except InvalidType:
            remedy = "" if raw.ndim else "Pass a number, a list or an array."
            raise reject_type(name, kind, values, remedy) from None
    with np.errstate(over="ignore"):  # long doubles beyond the floats become infinite
        return raw.astype(np.float64, copy=False)


def law(name: str, masses: Any) -> Floats:
    """A finite probability law: one-dimensional, non-empty, ≥ 0, sum 1 (then made exact)."""
    array = as_array(name, masses, "in [0, 1] that sum to 1")
    if array.ndim != 1 or array.size == 0:
        raise reject(name, "to be a non-empty one-dimensional list of probabilities", masses)
    if not np.isfinite(array).all() or (array < 0).any():
        raise reject(name, "to hold finite probabilities >= 0", masses)
    total = total_of(array)
    if abs(total - 1) > 1e-9:
        raise reject(name, "to sum to 1", masses, f"It sums to {total!r}; divide by that if it is a table of weights.")
    return array / total


def total_of(numbers: Floats) -> float:
    """Their sum, accurate to its last digit; infinite on overflow."""
    try:
        return math.fsum(numbers)
    except OverflowError:
        return math.inf
