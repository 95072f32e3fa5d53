"""Norms of changes in exact arithmetic, and what one unit changes in counts.

Sensitivities are computed as fractions of the given floats and rounded once, upwards.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dplens.numerics.enclosure import float_above


@dataclass(frozen=True)
class Norms:
    """The largest norms of the change between neighbours, exactly.

    sharp: whether each of the three is attained by neighbours; otherwise at least one may be only an upper bound.
    blocks: (amount, count) if no change reveals more, under independent symmetric log-concave noise, than
    changing ``count`` numbers by ``amount`` each; None if that is not known.
    """

    l1: Fraction
    l2_squared: Fraction
    linf: Fraction
    sharp: bool = True
    blocks: tuple[int, int] | None = None

    @classmethod
    def of(cls, changes: Iterable[Fraction | int], sharp: bool = True) -> Norms:
        """The norms of one vector of absolute changes."""
        listed = [Fraction(change) for change in changes]
        largest = max(listed, default=Fraction(0))
        return cls(sum(listed, Fraction(0)), sum((x * x for x in listed), Fraction(0)), largest, sharp)

    def times(self, factor: Fraction | int) -> Norms:
        """The norms of all changes multiplied by a factor."""
        k = Fraction(factor)
        return Norms(self.l1 * k, self.l2_squared * k * k, self.linf * k, self.sharp)


def largest(norms: Sequence[Norms]) -> Norms:
    """The largest of each norm, when any of several changes may happen."""
    return Norms(
        max(n.l1 for n in norms),
        max(n.l2_squared for n in norms),
        max(n.linf for n in norms),
        all(n.sharp for n in norms),
    )


def smallest(norms: Sequence[Norms]) -> Norms:
    """The smallest of each norm, where each is a bound; not known to be attained."""
    return Norms(min(n.l1 for n in norms), min(n.l2_squared for n in norms), min(n.linf for n in norms), sharp=False)


def root_above(number: Fraction) -> float:
    """The smallest float whose square is at least ``number``."""
    if number <= 0:
        return 0.0
    shift = (number.numerator.bit_length() - number.denominator.bit_length()) // 2
    scaled = number / Fraction(4) ** shift
    try:
        root = math.ldexp(math.sqrt(float(scaled)), shift)
    except OverflowError:
        return math.inf
    while math.isfinite(root) and Fraction(root) ** 2 < number:
        root = math.nextafter(root, math.inf)
    while math.isfinite(root) and Fraction(before := math.nextafter(root, 0.0)) ** 2 >= number:
        root = before
    return root


def number_above(number: Fraction) -> float:
    """The smallest float that is at least ``number``; infinite on overflow."""
    return float_above(number) if number <= sys.float_info.max else math.inf


# ---- counts in cells -----------------------------------------------------------------------------------------


def _squares(total: int, cap: int) -> int:
    """The largest sum of squares of whole numbers in [0, cap] that add up to ``total``: full cells and a rest."""
    full, rest = divmod(total, cap)
    return full * cap * cap + rest * rest


def one_table(total: int, cap: int, cells: int | None, replaced: bool) -> Norms:
    """What a unit changes in the counts of disjoint cells: at most ``total`` in all and ``cap`` in one cell.

    Claim (added or removed): the change x is a vector of whole numbers in [0, cap] with sum at most
    T = min(total, cells·cap). Its norms are at most T, the root of the sum of squares of full cells and a rest
    (a sum of squares increases when a record moves to a fuller cell), and min(cap, T); all are attained by filling
    one cell after the other.

    Claim (replaced): the change is x − y for two such vectors. Setting the smaller of x_i and y_i to 0 never lowers
    abs(x_i − y_i), so the supports are disjoint: a cells for x and the other ones for y. Given a, the claim above
    applies to both. With enough cells both x and y reach T. Otherwise the norms do not depend on a as long as all
    cells are full, and fall once x has reached T. So the numbers of cells just before and at that point are all there
    is to try.

    Blocks: if cap ≥ T, moving all into one cell is the worst for each sign (``Query._changes``).
    """
    if cells is not None:
        total = min(total, cells * cap)
    if not replaced:
        blocks = (total, 1) if total <= cap else None
        return Norms(Fraction(total), Fraction(_squares(total, cap)), Fraction(min(cap, total)), blocks=blocks)
    needed = -(-total // cap)
    splits = [(needed, needed)]
    if cells is not None and 2 * needed > cells:
        splits = [(a, cells - a) for a in {min(needed, cells), max(min(needed, cells) - 1, 0)}]
    found = []
    for split in splits:
        parts = [min(total, a * cap) for a in split]
        squares = sum(_squares(part, cap) for part in parts)
        found.append(Norms(Fraction(sum(parts)), Fraction(squares), Fraction(min(cap, total))))
    norms = largest(found)
    blocks = (total, 1 if cells == 1 else 2) if total <= cap else None
    return Norms(norms.l1, norms.l2_squared, norms.linf, blocks=blocks)


def several_margins(total: int, cap: int, shapes: Sequence[tuple[int, int]], nested: bool, replaced: bool) -> Norms:
    """What a unit changes in margins of one table that are released together.

    shapes: for each margin its number of cells and how many cells of the full table add up to one of them.
    ``total`` and ``cap`` bound what a unit adds to the full table and to one of its cells, total ≤ cap·cells.

    Let n be the number of margins, and n2 the number of those with more than one cell.

    Claim (total ≤ cap, sharp): the L1 norm is total·N, the L2 norm total·√N and L∞ total, where N = n if units are
    added or removed, and N = max(n, 2·n2) if they are replaced. Proof: the change of a margin is u − v with
    non-negative u, v of sums s, t ≤ total (t = 0 for add/remove). Its L1 norm is at most s + t and its squared L2 norm
    at most s² + t², and in a margin of one cell abs(s − t) and (s − t)². The sums over margins are convex in (s, t), so
    largest at (total, 0), (0, total) or (total, total). There they are total·n and total·2·n2 (squares alike), attained
    if the unit moves from one cell to another that differs in every dimension of more than one category. Blocks: under
    independent log-concave noise, merging the u and v of each margin reveals more (``Query._changes``), which leaves s
    and t in n2 margins and abs(s − t) in the others; merging each abs(s − t) with a min(s, t) while both last leaves at
    most N changes of total each.

    Claim (total > cap): each margin is a table of disjoint cells of its own, with cap·(cells that add up to one), so
    the sums over margins of the norms in ``one_table`` are upper bounds (L1 and squared L2). Added or removed, L1 is
    attained always, and L2 if the margins are nested, by filling the full table in lexicographic order. Replaced, with
    s ≥ t, every term increases in s; squared L2 is at most Σ_A Q_A(total) + n1·(total − t)² + Σ_A Q_A(t), A over the n2
    margins and n1 = n − n2; as (total − t)² ≤ total·(total − t) and Q_A(t) ≤ min(cap_A, total)·t, the last two terms
    are at most the larger of n1·total² and total·Σ_A min(cap_A, total). L1 is at most total·N as above.
    """
    n, wide = len(shapes), [(k, fibre) for k, fibre in shapes if k > 1]
    if total <= cap:
        count = max(n, 2 * len(wide)) if replaced else n
        exact = Norms.of([total])
        return Norms(exact.l1 * count, exact.l2_squared * count, exact.linf, blocks=(total, count))
    each = [one_table(total, cap * fibre, k, replaced) for k, fibre in shapes]
    if n == 1:
        return each[0]
    summed = Norms(
        sum((m.l1 for m in each), Fraction(0)),
        sum((m.l2_squared for m in each), Fraction(0)),
        max(m.linf for m in each),
        sharp=nested and not replaced,
    )
    if not replaced:
        return summed
    caps = [min(cap * fibre, total) for _, fibre in wide]
    full = sum(_squares(total, c) for c in caps)
    coupled = full + max((n - len(wide)) * total * total, total * sum(caps))
    return smallest([summed, Norms(Fraction(total * max(n, 2 * len(wide))), Fraction(coupled), summed.linf)])
