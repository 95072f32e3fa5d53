"""Formats numbers with few digits, rounded towards more risk."""

from __future__ import annotations

import decimal
import math
import re

from dplens.telling import Figure

_GIVEN = 12  # digits of inputs
_SURE = 0.99  # above this, the digits that matter are those of the complement


def up(x: float, digits: int = 3) -> float:
    """x rounded up to ``digits`` significant digits, ignoring relative errors below 1e-9.

    >>> up(0.033871, 2), up(0.3, 2), up(12.0001, 3)
    (0.034, 0.3, 12.1)
    """
    return _rounded(x, digits, decimal.ROUND_CEILING, "-1e-9")


def down(x: float, digits: int = 3) -> float:
    """x rounded down to ``digits`` significant digits.

    >>> down(0.033871, 2), down(0.3, 2)
    (0.033, 0.3)
    """
    return _rounded(x, digits, decimal.ROUND_FLOOR, "1e-9")


def _rounded(x: float, digits: int, direction: str, slack: str) -> float:
    if x == 0:
        return 0.0  # of either sign
    if not math.isfinite(x):
        return float(x)
    exact = decimal.Decimal(f"{x:.15e}")
    return float(
        decimal.Context(prec=digits, rounding=direction).create_decimal(exact + decimal.Decimal(slack) * abs(exact))
    )


def number(x: float, digits: int = 3, *, more_is_riskier: bool = True) -> Figure:
    """A number in few digits on its risky side: 3.4, 1200, 2e-12; infinity as ∞."""
    if math.isinf(x):
        return Figure("∞" if x > 0 else "−∞")
    return _written((up if more_is_riskier else down)(x, digits))


def times(x: float) -> Figure:
    """A factor on its risky side; near 1 it keeps the digits of the excess over 1.

    >>> times(2.71828), times(1.0010005), times(1.0)
    ('2.72', '1.0011', '1')
    """
    if 1 <= x < 1 + 1e-9:  # the rest is rounding
        return Figure("1")
    if 1 < x < 1.1:
        return Figure(f"{1 + up(float(x) - 1, 2):.15g}")
    return number(x)


def _written(value: float) -> Figure:
    text = f"{value:.15g}"
    if "e" not in text:
        return Figure(f"{value:,.15g}" if abs(value) >= 1e4 else text)
    mantissa, exponent = f"{value:.14e}".split("e")
    return Figure(f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}")


def given(x: float) -> Figure:
    """An input as the user wrote it: 1e-6, 0.05, 48200.

    >>> given(1e-6), given(0.05), given(48200)
    ('1e-6', '0.05', '48200')
    """
    text = f"{x:.{_GIVEN}g}"
    return Figure(re.sub(r"e([-+])0*(\d)", lambda e: "e" + e[1].strip("+") + e[2], text))


def share(x: float) -> Figure:
    """A share from the input, as a percentage.

    >>> share(0.07), share(0.0125), share(1e-9)
    ('7 %', '1.25 %', '1e-7 %')
    """
    return Figure(f"{given(100 * x)} %")


def belief(x: float) -> Figure:
    """A belief as a percentage: all digits if somebody may have typed it, few if a formula computed it.

    >>> belief(0.07), belief(0.00125), belief(25 / 27), belief(1 - 1e-9)
    ('7 %', '0.125 %', '92.6 %', '99.9999999 %')
    """
    digits = f"{100 * x:.{_GIVEN}e}".split("e")[0].rstrip("0")
    if len(digits) - 1 <= 6 or x > _SURE:  # somebody may have typed it
        return share(x)
    return Figure(f"{given(float(f'{100 * x:.3g}'))} %")


def ends(low: float, high: float, digits: int, *, percent: bool = False) -> tuple[Figure, Figure]:
    """Both ends of a bracket, rounded outwards; as percentages if a number beside them is one.

    >>> ends(1 / 3, 2 / 3, 4), ends(1e-6, math.inf, 4), ends(-0.0, 0.0, 4)
    (('0.3333', '0.6667'), ('1e-6', '∞'), ('0', '0'))
    >>> ends(0.07, 2 / 3, 4, percent=True)
    ('7 %', '66.67 %')
    """
    return _end(low, digits, decimal.ROUND_FLOOR, percent), _end(high, digits, decimal.ROUND_CEILING, percent)


def _end(x: float, digits: int, direction: str, percent: bool) -> Figure:
    if not math.isfinite(x) or x == 0:  # a zero of either sign
        return Figure(f"{number(x)} %") if percent else number(x)
    exact = decimal.Decimal(repr(float(x))).scaleb(2 if percent else 0)
    shortest = decimal.Context(prec=digits, rounding=direction).create_decimal(exact)
    printed = given(float(shortest)) if digits <= _GIVEN else Figure(shortest)
    return Figure(f"{printed} %") if percent else printed


def percent(x: float, digits: int = 2, *, more_is_riskier: bool = True) -> Figure:
    """A probability as a percentage on its risky side; near 1 it has enough digits to differ from 100 %.

    >>> percent(0.03387), percent(0.99987), percent(1.0), percent(3e-9), percent(0.5, more_is_riskier=False)
    ('3.4 %', '99.99 %', '100 %', '3e-7 %', '50 %')
    """
    x = float(x)
    if _SURE < x < 1:
        gap = 100 * (1 - x)
        for places in range(max(digits - 2, 0), 13):
            left = gap * 10**places
            missing = math.floor(left * (1 + 1e-9)) if more_is_riskier else math.ceil(left * (1 - 1e-9))
            if missing > 0:
                return Figure(f"{_shortest(f'{100 - missing / 10**places:.{places}f}')} %")
    return Figure(f"{number(100 * float(x), digits, more_is_riskier=more_is_riskier)} %")


def _shortest(text: str) -> str:
    """A decimal number without zeros at its end."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def one_in(x: float) -> int:
    """N where a probability is "1 in N", with three digits and rounded towards more risk; 0 above 1 % or below 1e-12.

    >>> one_in(1e-5), one_in(0.000633), one_in(0.2)
    (100000, 1570, 0)
    """
    if not 1e-12 <= x <= 0.01:
        return 0
    return int(down(1 / x, 3))


def exceeding(more: float, less: float, digits: int = 3) -> tuple[Figure, Figure]:
    """Two shares, the greater rounded down and the lesser up, with enough digits to differ.

    >>> exceeding(0.461, 0.381), exceeding(0.92698, 0.92695)
    (('46.1 %', '38.1 %'), ('92.698 %', '92.695 %'))
    """
    while True:
        texts = percent(more, digits, more_is_riskier=False), percent(less, digits)
        first, second = (float(text[:-2].replace(",", "")) for text in texts)
        if first > second or digits > _GIVEN:
            return texts
        digits += 1
