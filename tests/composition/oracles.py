"""Independent references for compositions: mpmath, 45 digits, from the definitions; nothing of dplens is imported.

A release is a list of (step, count). Every reference offers, for the loss L = log dQ/dP of the whole release,

    call(e) = E_P (e^L − e^e)₊ over finite losses,      tail(e) = P(L > e, finite),
    proof   = mass under Q of outputs that P cannot give,  mirror() = the same with P and Q exchanged.

From these follow delta of Q against P at e (proof + call), the epsilon of a delta, the power of the best test at a
false-positive rate and its beta. Ways to the reference: a table of all products of losses; closed forms; residues
(Laplace, bounded range); a conditioned sum (finitely many losses times something smooth); direct integration of a few
steps; and a contour integral at the saddle of the *whole* integrand, with halved spacing until nothing changes.
"""

import itertools
import math
from collections import defaultdict
from functools import cache

import numpy as np
from mpmath import mp, mpc, mpf

mp.dps = 45
INF = mpf("inf")
TINY = mpf(10) ** -36  # relative accuracy asked of sums


class TooSlow(Exception):
    """This reference would take too long."""


def phi(x):
    """Normal distribution function."""
    return mp.erfc(-x / mp.sqrt(2)) / 2


class Reference:
    """What follows from call, tail and proof."""

    proof = mpf(0)
    top = INF  # no finite loss is larger

    def delta(self, e):
        """Of Q against P, at any real e."""
        return self.proof + self.call(mpf(e))

    def _solve(self, rising, low, high, steps=150):
        """The point where an increasing function passes 0, by bisection with secants."""
        f_low, f_high = rising(low), rising(high)
        side = 0
        for i in range(steps):
            if high - low <= mpf(10) ** -40 * (1 + abs(low)):
                break
            if i % 3 < 2 and f_high != f_low and mp.isfinite(f_low) and mp.isfinite(f_high):
                x = (low * f_high - high * f_low) / (f_high - f_low)
                if not low < x < high:
                    x = (low + high) / 2
            else:
                x = (low + high) / 2
            f = rising(x)
            if f == 0:
                return x
            if f < 0:
                low, f_low = x, f
                f_high = f_high / 2 if side < 0 else f_high
                side = -1
            else:
                high, f_high = x, f
                f_low = f_low / 2 if side > 0 else f_low
                side = 1
        return (low + high) / 2

    def _span(self, inside):
        """A bracket [low, high] of thresholds with inside(low) and not inside(high)."""
        start = self.near(inside)
        step = self.spread()
        low = high = start
        for _ in range(200):
            if inside(low):
                break
            low, step = low - step, 2 * step
        step = self.spread()
        for _ in range(200):
            if not inside(high):
                break
            high, step = high + step, 2 * step
        return low, high

    def near(self, inside):
        return mpf(0)

    def spread(self):
        return mpf(1)

    def epsilon(self, delta):
        """The least e ≥ 0 with delta(e) ≤ delta."""
        delta = mpf(delta)
        if delta < self.proof:
            return INF
        if self.delta(0) <= delta:
            return mpf(0)
        rest = delta - self.proof
        low, high = self._span(lambda e: e <= 0 or self.call(e) > rest)
        low, high = max(low, mpf(0)), min(high, self.top)
        tiny = mpf(10) ** -400
        return self._solve(lambda e: mp.log(rest) - mp.log(max(self.call(e), tiny)), low, high)

    def threshold(self, alpha):
        """e with P(L > e) = alpha, or where the tail jumps across it."""
        alpha, tiny = mpf(alpha), mpf(10) ** -400
        low, high = self._span(lambda e: self.tail(e) > alpha)
        e = self._solve(lambda e: mp.log(alpha) - mp.log(max(self.tail(e), tiny)), low, high)
        if abs(mp.log(max(self.tail(e), tiny) / alpha)) < mpf(10) ** -9:
            return e
        # at a jump the power has a kink, and the place of the jump counts
        low, high = e - mpf(10) ** -6, e + mpf(10) ** -6
        while high - low > mpf(10) ** -27:
            e = (low + high) / 2
            low, high = (e, high) if self.tail(e) > alpha else (low, e)
        return e

    def power(self, alpha):
        """min over e of delta(e) + e^e·alpha: flat at the threshold (save at a jump), so e need not be known well."""
        e = self.threshold(alpha)
        return min(self.delta(e) + mp.exp(e) * mpf(alpha), mpf(1))

    def beta(self, alpha):
        """1 − power with its own digits: max over e of e^e·(1 − alpha) − E(e^e − e^L)₊, read from the mirror image."""
        back = self.mirror()
        co = 1 - mpf(alpha)
        if co <= back.proof:
            return mpf(0)

        # P(L ≤ e) = co − …; in the mirror image: E_Q[e^{L'}; L' ≥ −e]
        def rest(x):
            return back.call(x) + mp.exp(x) * back.tail(x) + back.proof

        tiny = mpf(10) ** -400
        low, high = back._span(lambda x: rest(x) > co)
        x = back._solve(lambda x: mp.log(co) - mp.log(max(rest(x), tiny)), low, high)
        return max(mp.exp(-x) * (co - back.delta(x)), mpf(0))


# ---- finitely many losses -----------------------------------------------------------------------------


class Table(Reference):
    """Products of finite laws, from their probability tables: rows (p, q), sorted by likelihood ratio."""

    def __init__(self, rows, exact=True):
        rows = [(mpf(p), mpf(q)) for p, q in rows if p or q]
        self.rows = rows
        self.proof = mp.fsum(q for p, q in rows if p == 0)
        finite = sorted(((mp.log(q / p), p, q) for p, q in rows if p and q), reverse=True)
        self.losses = [x[0] for x in finite]
        self.p_sums, self.q_sums = [mpf(0)], [mpf(0)]
        for _, p, q in finite:
            self.p_sums.append(self.p_sums[-1] + p)
            self.q_sums.append(self.q_sums[-1] + q)
        self.top = self.losses[0] if finite else mpf(0)
        self.finite = finite

    def _count(self, e):
        """How many losses exceed e."""
        low, high = 0, len(self.losses)
        while low < high:
            mid = (low + high) // 2
            if self.losses[mid] > e:
                low = mid + 1
            else:
                high = mid
        return low

    def call(self, e):
        k = self._count(e)
        return self.q_sums[k] - mp.exp(e) * self.p_sums[k] if k else mpf(0)

    def tail(self, e):
        return self.p_sums[self._count(e)]

    def mirror(self):
        return Table([(q, p) for p, q in self.rows])

    def epsilon(self, delta):
        delta = mpf(delta)
        if delta < self.proof:
            return INF
        if self.delta(0) <= delta:
            return mpf(0)
        rest = delta - self.proof
        low, high = 0, len(self.losses)  # call at the k-th loss grows with k
        while low < high:
            mid = (low + high) // 2
            if self.q_sums[mid] - mp.exp(self.losses[mid]) * self.p_sums[mid] > rest:
                high = mid
            else:
                low = mid + 1
        k = low
        return mp.log((self.q_sums[k] - rest) / self.p_sums[k])

    def power(self, alpha):
        alpha = mpf(alpha)
        k = 0
        low, high = 0, len(self.losses)
        while low < high:
            mid = (low + high) // 2
            if self.p_sums[mid + 1] <= alpha:
                low = mid + 1
            else:
                high = mid
        k = low
        if k == len(self.losses):
            return mpf(1)
        return self.proof + self.q_sums[k] + mp.exp(self.losses[k]) * (alpha - self.p_sums[k])

    def beta(self, alpha):
        alpha = mpf(alpha)
        rest = 1 - alpha - mp.fsum(p for p, q in self.rows if q == 0)
        if rest <= 0:
            return mpf(0)
        found, left = mpf(0), rest
        for loss, p, q in reversed(self.finite):  # least ratios are kept as "absent" first
            if p >= left:
                return found + left * mp.exp(loss)
            found, left = found + q, left - p
        return found


def multiplied(rows, others):
    """All products of two tables."""
    return [(p * a, q * b) for p, q in rows for a, b in others]


def gathered(rows):
    """Rows with the same ratio (to 35 digits) taken together."""
    found = defaultdict(lambda: [mpf(0), mpf(0)])
    for p, q in rows:
        key = "p" if q == 0 else "q" if p == 0 else mp.nstr(mp.log(q / p) + mpf(10) ** -60, 30)
        found[key][0] += p
        found[key][1] += q
    return [tuple(x) for x in found.values()]


def power_table(rows, count, limit=60_000):
    """The count-fold product, by the multinomial theorem."""
    rows = gathered([(mpf(p), mpf(q)) for p, q in rows if p or q])
    k = len(rows)
    if math.comb(count + k - 1, k - 1) > limit:
        raise TooSlow
    out = []
    powers = [([mpf(1)], [mpf(1)]) for _ in rows]
    for (p, q), (a, b) in zip(rows, powers):
        for _ in range(count):
            a.append(a[-1] * p)
            b.append(b[-1] * q)

    def rest(i, left, ways, p, q):
        if i == k - 1:
            out.append((ways * p * powers[i][0][left], ways * q * powers[i][1][left]))
            return
        for n in range(left + 1):
            rest(i + 1, left - n, ways * math.comb(left, n), p * powers[i][0][n], q * powers[i][1][n])

    rest(0, count, 1, mpf(1), mpf(1))
    return [row for row in out if row[0] or row[1]]


def product_table(parts, limit=60_000):
    """The table of a release of finite steps [(rows, count)]; proofs of either kind are put together."""
    total = [(mpf(1), mpf(1))]
    for rows, count in parts:
        power = gathered(power_table(rows, count, limit)) if len(rows) > 2 else power_table(rows, count, limit)
        if len(power) * len(total) > 4 * limit:
            raise TooSlow
        total = multiplied(total, power)
    return total


def randomized_response(epsilon, categories=2):
    """Truth with probability e^eps/(e^eps + k − 1); H0: category 0, H1: category 1."""
    w = mp.exp(mpf(epsilon))
    total = w + categories - 1
    return [(w / total, 1 / total), (1 / total, w / total)] + [(1 / total, 1 / total)] * (categories - 2)


def approximate_dp(epsilon, delta):
    """The pair of Kairouz, Oh & Viswanath."""
    w, d = mp.exp(mpf(epsilon)), mpf(delta)
    high, low = (1 - d) * w / (1 + w), (1 - d) / (1 + w)
    return [(d, mpf(0)), (high, low), (low, high), (mpf(0), d)]


def geometric(scale, sensitivity=1):
    """Two-sided geometric noise: outputs below 0 and above the sensitivity are put together."""
    a = mp.exp(-1 / mpf(scale))
    head = (1 - a) / (1 + a)
    shift = sensitivity

    def mass(k):
        return head * a ** abs(k)

    end = head / (1 - a)  # P(K ≤ 0)
    rows = [(end, end * a**shift)]
    rows += [(mass(k), mass(k - shift)) for k in range(1, shift)]
    return [*rows, (end * a**shift, end)]


def staircase(epsilon, gamma=None):
    """Density a·e^{−k·eps} on [k, k + gamma), a·e^{−(k+1)·eps} on [k + gamma, k + 1) on either side; shifted by 1."""
    e = mpf(epsilon)
    g = 1 / (1 + mp.exp(e / 2)) if gamma is None else mpf(gamma)
    b = mp.exp(-e)
    a = (1 - b) / (2 * (g + b * (1 - g)))

    def height(x):  # x is never an edge
        x = abs(x)
        k = mp.floor(x)
        return a * b**k if x - k < g else a * b ** (k + 1)

    # between consecutive edges both densities are constant; edges of x and of x − 1, out to where nothing is left
    reach = int(120 / e) + 3
    edges = sorted({s * (k + o) + d for k in range(reach) for o in (mpf(0), g) for s in (1, -1) for d in (0, 1)})
    rows = []
    for x, y in itertools.pairwise(edges):
        if y - x > mpf(10) ** -30:
            mid = (x + y) / 2
            rows.append(((y - x) * height(mid), (y - x) * height(mid - 1)))
    rows = gathered(rows)
    total = mp.fsum(p for p, _ in rows), mp.fsum(q for _, q in rows)
    return [(p / total[0], q / total[1]) for p, q in rows]


def discrete_gaussian(sigma, sensitivity=1, reach=None):
    """Masses ∝ e^{−k²/2sigma²}, as lists over −reach … reach + sensitivity."""
    s2 = 2 * mpf(sigma) ** 2
    reach = reach or int(mp.sqrt(s2 * 700)) + sensitivity + 2
    ks = range(-reach, reach + sensitivity + 1)
    total = mp.fsum(mp.exp(-(mpf(k) ** 2) / s2) for k in range(-reach - 50, reach + 51))
    return [(mp.exp(-(mpf(k) ** 2) / s2) / total, mp.exp(-(mpf(k - sensitivity) ** 2) / s2) / total) for k in ks]


def uniform_sampling(mu, n, replace=False):
    """With probability e^−mu a constant, else one of n records in clear."""
    shown = 1 - mp.exp(-mpf(mu))
    if replace:
        return [(1 - shown / n, 1 - shown / n), (shown / n, mpf(0)), (mpf(0), shown / n)]
    return [(1 - shown, 1 - shown), (shown, shown * (n - 1) / n), (mpf(0), shown / n)]


def thinned(rows, rate):
    """Poisson sampling: P against (1 − rate)·P + rate·Q."""
    rate = mpf(rate)
    return [(p, (1 - rate) * p + rate * q) for p, q in rows]


def symmetrised(rows, rate):
    """Without replacement: hull of min(f_q, f_q⁻¹), f_q = rate·f + (1 − rate)·(1 − alpha), as a table."""
    steps = sorted(thinned(rows, rate), key=lambda r: r[1] / r[0] if r[0] else INF, reverse=True)
    alpha, beta = mpf(0), mpf(1)
    points = [(alpha, beta)]
    for p, q in steps:
        alpha, beta = alpha + p, beta - q
        points.append((alpha, beta))
    points = sorted(set(points + [(b, a) for a, b in points]))
    hull = []
    for point in points:  # lower hull
        while len(hull) > 1:
            (x0, y0), (x1, y1) = hull[-2], hull[-1]
            if (x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0) <= mpf(10) ** -42:
                hull.pop()
            else:
                break
        hull.append(point)
    return [(x1 - x0, y0 - y1) for (x0, y0), (x1, y1) in itertools.pairwise(hull)]


class Binomial(Reference):
    """Very many steps with two losses (and proofs): sums of binomial terms, from the threshold outwards."""

    def __init__(self, rows, count):
        self.rows, self.count = [(mpf(p), mpf(q)) for p, q in rows], count
        finite = [(p, q) for p, q in self.rows if p and q]
        (self.p0, self.q0), (self.p1, self.q1) = sorted(finite, key=lambda r: r[1] / r[0])
        self.low, self.high = mp.log(self.q0 / self.p0), mp.log(self.q1 / self.p1)
        self.proof = 1 - (self.q0 + self.q1) ** count if len(self.rows) > 2 else mpf(0)
        self.top = count * self.high
        self.memo = {}

    def _sums(self, e):
        """(P, Q) mass of losses > e."""
        k = max(int(mp.floor((e - self.count * self.low) / (self.high - self.low))) + 1, 0)
        while k > 0 and self.count * self.low + (k - 1) * (self.high - self.low) > e:
            k -= 1
        while k <= self.count and self.count * self.low + k * (self.high - self.low) <= e:
            k += 1
        if k > self.count:
            return mpf(0), mpf(0)
        if k not in self.memo:
            self.memo[k] = tuple(self._above(k, a, b) for a, b in ((self.p0, self.p1), (self.q0, self.q1)))
        return self.memo[k]

    def _above(self, k, a, b):
        n = self.count
        peak = n * b / (a + b)
        if k > peak:
            return self._run(k, 1, a, b)
        return (a + b) ** n - (self._run(k - 1, -1, a, b) if k else 0)

    def _run(self, k, way, a, b):
        n = self.count
        ways = mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)
        term = mp.exp(ways + k * mp.log(b) + (n - k) * mp.log(a))
        total, ratio = mpf(0), b / a
        while 0 <= k <= n:
            total += term
            if term < total * TINY:
                break
            term *= ratio * (n - k) / (k + 1) if way > 0 else k / (ratio * (n - k + 1))
            k += way
        return total

    def call(self, e):
        p, q = self._sums(e)
        return q - mp.exp(e) * p

    def tail(self, e):
        return self._sums(e)[0]

    def near(self, inside):
        return self.count * (self.p0 * self.low + self.p1 * self.high)

    def spread(self):
        return mp.sqrt(self.count * self.p0 * self.p1) * (self.high - self.low) + self.high - self.low

    def mirror(self):
        return Binomial([(q, p) for p, q in self.rows], self.count)


# ---- closed forms -------------------------------------------------------------------------------------


class Gauss(Reference):
    """mu = √Σ mu_i²."""

    def __init__(self, mu):
        self.mu = mpf(mu)

    def call(self, e):
        m = self.mu
        return phi(m / 2 - e / m) - mp.exp(e) * phi(-m / 2 - e / m)

    def tail(self, e):
        return phi(-self.mu / 2 - e / self.mu)

    def spread(self):
        return self.mu

    def mirror(self):
        return self


class Residues(Reference):
    """Laplace^n or bounded-range^n: M(s)^n expanded, every term closed to the left onto its poles.

    Laplace: M(s) = [s·e^{(s−1)·eps} + (s−1)·e^{−s·eps}]/(2s − 1);
    bounded range: M(s) = e^{s·eps}·(1 − e^{(1−2s)·eps})/((2s − 1)(e^eps − 1)).
    The term with exponent s·a, a = (2k − n)·eps − e, contributes only for a > 0; poles ½ (order n), 1 and 0.
    """

    def __init__(self, epsilon, count, kind="laplace"):
        self.e, self.n, self.kind = mpf(epsilon), count, kind
        self.top = self.e * count
        self.digits = 60 + 3 * count
        self.memo = {}

    def _term(self, k):
        """(factor, power of s, power of s − 1) of the k-th term, without the kernel."""
        n, e = self.n, self.e
        if self.kind == "laplace":
            return math.comb(n, k) * mp.exp(-k * e), k, n - k
        return math.comb(n, k) * (-1) ** (n - k) * mp.exp((n - k) * e) / mp.expm1(e) ** n, 0, 0

    def _integral(self, e, kernel):
        """1/(2πi)∫ M^n·e^{−s·e}·s^i·(s − 1)^j ds to the right of all poles; kernel (i, j)."""
        total = mpf(0)
        n = self.n
        for k in range(n + 1):
            a = (2 * k - n) * self.e - e
            if a <= 0:
                continue
            factor, i, j = self._term(k)
            total += factor * self._residues(a, i + kernel[0], j + kernel[1])
        return total

    def _residues(self, a, i, j):
        n = self.n
        found = mpf(0)
        if j == -1:
            found += mp.exp(a)
        if i == -1:
            found += mpf(-1) ** (j % 2) * mpf(-1) ** (n % 2)
        # at ½: coefficient of u^{n−1} in (½+u)^i (u−½)^j e^{ua}, over 2^n
        one, two = self._series(i, 1), self._series(j, -1)
        both = self._product(i, j, one, two)
        term, value = mpf(1), mpf(0)
        for m in range(n):
            value += term * both[n - 1 - m]
            term *= a / (m + 1)
        return found + mp.exp(a / 2) * value / mpf(2) ** n

    def _product(self, i, j, one, two):
        key = (i, j)
        if key not in self.memo:
            self.memo[key] = [mp.fdot(zip(one[: m + 1], two[m::-1])) for m in range(self.n)]
        return self.memo[key]

    def _series(self, power, sign):
        """Coefficients of (sign/2 + u)^power."""
        half = mpf(sign) / 2
        out, c = [], mpf(1)
        for m in range(self.n):
            out.append(c * half ** (power - m))
            c *= mpf(power - m) / (m + 1)
        return out

    def call(self, e):
        if e >= self.top:
            return mpf(0)
        with mp.workdps(self.digits):
            if e <= -self.top:
                return 1 - mp.exp(e)
            return mp.exp(e) * self._integral(e, (-1, -1))

    def tail(self, e):
        """Kernel 1/s; where the term is an atom (k = n) the integral still closes for a > 0."""
        if e >= self.top:
            return mpf(0)
        with mp.workdps(self.digits):
            if e < -self.top:
                return mpf(1)
            return self._integral(e, (-1, 0))

    def spread(self):
        return self.e

    def mirror(self):
        return self


class Conditioned(Reference):
    """Finitely many losses (rows) beside a smooth release: call(e) = Σ p·e^l·call_smooth(e − l)."""

    def __init__(self, rows, smooth):
        self.rows, self.smooth = rows, smooth
        self.losses = [(mp.log(q / p), p, q) for p, q in rows if p and q]
        self.proof = mp.fsum(q for p, q in rows if p == 0)
        self.proof += (1 - self.proof) * smooth.proof

    def call(self, e):
        return mp.fsum(q * self.smooth.call(e - x) for x, _, q in self.losses)

    def tail(self, e):
        return mp.fsum(p * self.smooth.tail(e - x) for x, p, _ in self.losses)

    @property
    def top(self):
        return max(x for x, _, _ in self.losses) + self.smooth.top

    def mirror(self):
        return Conditioned([(q, p) for p, q in self.rows], self.smooth.mirror())


class SampledGaussOnce(Reference):
    """One step, closed: L(x) = log(1 − q + q·e^{mu·x − mu²/2})."""

    def __init__(self, mu, rate, reversed_=False):
        self.mu, self.rate, self.reversed_ = mpf(mu), mpf(rate), reversed_
        self.top = -mp.log1p(-self.rate) if reversed_ else INF

    def _x(self, e):
        """Where L(x) = e; −∞ below the least loss."""
        inside = mp.expm1(e) / self.rate + 1
        return (mp.log(inside) + self.mu**2 / 2) / self.mu if inside > 0 else -INF

    def _masses(self, x):
        """P and Q of outputs above x."""
        p, other = phi(-x), phi(self.mu - x)
        return p, (1 - self.rate) * p + self.rate * other

    def _below(self, x):
        p, other = phi(x), phi(x - self.mu)
        return p, (1 - self.rate) * p + self.rate * other

    def call(self, e):
        if not self.reversed_:
            p, q = self._masses(self._x(e))
            return q - mp.exp(e) * p
        x = self._x(-e)  # L' = −L > e means x below
        p, q = self._below(x)
        return p - mp.exp(e) * q

    def tail(self, e):
        return self._below(self._x(-e))[1] if self.reversed_ else self._masses(self._x(e))[0]

    def mirror(self):
        return SampledGaussOnce(self.mu, self.rate, not self.reversed_)


class SampledLaplaceOnce(Reference):
    """One Poisson-sampled Laplace step from the base's own profile and rates."""

    def __init__(self, epsilon, rate, reversed_=False):
        self.e, self.rate, self.reversed_ = mpf(epsilon), mpf(rate), reversed_
        ends = [mp.log1p(self.rate * mp.expm1(x)) for x in (self.e, -self.e)]
        self.top = -ends[1] if reversed_ else ends[0]

    def _masses(self, e, above):
        """P and Q (thinned) of {L_thin > e}, or of {L_thin < e}."""
        inside = mp.expm1(e) / self.rate + 1
        base = mp.log(inside) if inside > 0 else -INF  # threshold on the base's loss
        eps = self.e
        if above:
            if base >= eps:
                return mpf(0), mpf(0)
            if base < -eps:
                return mpf(1), mpf(1)
            x = (base / eps + 1) / 2  # in units of the shift
            p = mp.exp(-eps * x) / 2
            q = 1 - mp.exp(-eps * (1 - x)) / 2
        else:
            if base <= -eps:
                return mpf(0), mpf(0)
            if base > eps:
                return mpf(1), mpf(1)
            x = (base / eps + 1) / 2
            p, q = 1 - mp.exp(-eps * x) / 2, mp.exp(-eps * (1 - x)) / 2
        return p, (1 - self.rate) * p + self.rate * q

    def call(self, e):
        p, q = self._masses(-e if self.reversed_ else e, not self.reversed_)
        return p - mp.exp(e) * q if self.reversed_ else q - mp.exp(e) * p

    def tail(self, e):
        p, q = self._masses(-e if self.reversed_ else e, not self.reversed_)
        return q if self.reversed_ else p

    def mirror(self):
        return SampledLaplaceOnce(self.e, self.rate, not self.reversed_)


class TwoSteps(Reference):
    """Direct integration: E over the first step's output of what the second still gives.

    ``pieces``: (lower end, upper end, density of P, density of Q) of the first step's output, ``atoms``: (p, q).
    """

    def __init__(self, pieces, atoms, kinks, second, reversed_=False):
        self.pieces, self.atoms, self.kinks, self.second, self.reversed_ = pieces, atoms, kinks, second, reversed_

    def _mean(self, e, read):
        total = mpf(0)
        for p, q in self.atoms:
            p, q = (q, p) if self.reversed_ else (p, q)
            total += read(p, q, e - mp.log(q / p))
        for low, high, dp, dq in self.pieces:

            def integrand(x, dp=dp, dq=dq):
                p, q = dp(x), dq(x)
                p, q = (q, p) if self.reversed_ else (p, q)
                return read(p, q, e - mp.log(q / p))

            breaks = [x for x in self.kinks(-e if self.reversed_ else e) if low < x < high]
            total += mp.quad(integrand, [low, *sorted(breaks), high], maxdegree=8)
        return total

    def call(self, e):
        return self._mean(e, lambda p, q, x: q * self.second.call(x))

    def tail(self, e):
        return self._mean(e, lambda p, q, x: p * self.second.tail(x))

    def mirror(self):
        return TwoSteps(self.pieces, self.atoms, self.kinks, self.second.mirror(), not self.reversed_)


def sampled_laplace_twice(epsilon, rate):
    """Two Poisson-sampled Laplace steps; output x in units of the shift."""
    eps, q = mpf(epsilon), mpf(rate)

    def p_density(x):
        return eps / 2 * mp.exp(-eps * x)

    def q_density(x):
        return (1 - q) * p_density(x) + q * eps / 2 * mp.exp(-eps * (1 - x))

    left = (mpf(1) / 2, (1 - q) / 2 + q * mp.exp(-eps) / 2)
    right = (mp.exp(-eps) / 2, (1 - q) * mp.exp(-eps) / 2 + q / 2)
    ends = [mp.log1p(q * mp.expm1(x)) for x in (-eps, eps)]

    def kinks(e):
        """Where the second step's threshold e − L(x) is one of its extreme losses."""
        out = []
        for end in ends:
            inside = mp.expm1(e - end) / q + 1
            if inside > 0:
                out.append((mp.log(inside) / eps + 1) / 2)
        return out

    return TwoSteps([(mpf(0), mpf(1), p_density, q_density)], [left, right], kinks, SampledLaplaceOnce(eps, q))


def sampled_gauss_twice(mu, rate):
    """Two Poisson-sampled Gaussian steps."""
    mu, rate = mpf(mu), mpf(rate)

    def q_density(x):
        return (1 - rate) * mp.npdf(x) + rate * mp.npdf(x - mu)

    def kinks(e):
        """Where the second step's threshold is its least loss; and a cut into stretches."""
        inside = mp.expm1(e - mp.log1p(-rate)) / rate + 1
        return ([(mp.log(inside) + mu**2 / 2) / mu] if inside > 0 else []) + [mpf(k) for k in range(-12, 20, 4)]

    return TwoSteps([(mpf(-16), 16 + 2 * mu, mp.npdf, q_density)], [], kinks, SampledGaussOnce(mu, rate))


def lattice_power(rows, count):
    """The count-fold product of a law whose outputs' losses are equally spaced, in the order of the rows."""
    p, q = [x for x, _ in rows], [x for _, x in rows]

    def times(a, b):
        return [
            mp.fdot((a[i], b[k - i]) for i in range(max(0, k - len(b) + 1), min(k + 1, len(a))))
            for k in range(len(a) + len(b) - 1)
        ]

    a, b = p, q
    for _ in range(count - 1):
        a, b = times(a, p), times(b, q)
    return list(zip(a, b))


def failing(rows, probability):
    """With the given probability the world is revealed."""
    k = mpf(probability)
    return [(k, mpf(0)), (mpf(0), k)] + [((1 - k) * p, (1 - k) * q) for p, q in rows]


# ---- contour integrals --------------------------------------------------------------------------------


class Step:
    """A step by M(s) = E_P e^{sL}: in floats at real s, and at c + i·k·h, k = 0, 1, …, in mpmath."""

    seen = (mpf(1), mpf(1))

    def value(self, s):
        raise NotImplementedError

    def line(self, c, h):
        """M(c + i·k·h) for k = 0, 1, 2, …"""
        k = 0
        while True:
            yield self.value(mpc(c, k * h))
            k += 1

    def cgf_at(self, c):
        """log M(c) as a float."""
        raise NotImplementedError


class GaussStep(Step):
    """s(s − 1)·mu²/2."""

    def __init__(self, mu):
        self.mu = mpf(mu)

    def value(self, s):
        return mp.exp(s * (s - 1) * self.mu**2 / 2)

    def log(self, s):
        return s * (s - 1) * self.mu**2 / 2

    def cgf_at(self, c):
        return c * (c - 1) * float(self.mu) ** 2 / 2


class LaplaceStep(Step):
    """M(s) = [s·e^{(s−1)·eps} + (s−1)·e^{−s·eps}]/(2s − 1)."""

    def __init__(self, epsilon):
        self.e = mpf(epsilon)

    def value(self, s):
        e = self.e
        if abs(2 * s - 1) < mpf(10) ** -30:
            return mp.exp(-e / 2) * (1 + e / 2)
        return (s * mp.exp((s - 1) * e) + (s - 1) * mp.exp(-s * e)) / (2 * s - 1)

    def cgf_at(self, c):
        return float(mp.log(self.value(mpf(c))))


class RangeStep(Step):
    """The pair f = (1 − alpha)/(1 + (e^eps − 1)·alpha)."""

    def __init__(self, epsilon):
        self.e = mpf(epsilon)

    def value(self, s):
        e = self.e
        if abs(2 * s - 1) < mpf(10) ** -30:
            return mp.exp(s * e) * e / mp.expm1(e)
        return mp.exp(s * e) * -mp.expm1((1 - 2 * s) * e) / ((2 * s - 1) * mp.expm1(e))

    def cgf_at(self, c):
        return float(mp.log(self.value(mpf(c))))


class SumStep(Step):
    """M as a sum of weights·e^{s·loss}: tables, and quadratures given by nodes (function of the real part)."""

    def __init__(self, pairs=None, nodes=None, floats=None):
        self._pairs, self._nodes, self._floats = pairs, nodes, floats

    def line(self, c, h):
        pairs = self._pairs or self._nodes(c, h)
        terms = [w * mp.exp(c * x) for w, x in pairs]
        turns = [mp.expj(h * x) for _, x in pairs]
        top = max(abs(x) for x in terms)
        kept = [(w, z) for w, z in zip(terms, turns) if w > top * mpf(10) ** -44]
        terms, turns = [mpc(w) for w, _ in kept], [z for _, z in kept]
        while True:
            yield mp.fsum(terms)
            terms = [w * z for w, z in zip(terms, turns)]

    def value(self, s):
        return mp.fsum(w * mp.exp(s * x) for w, x in (self._pairs or self._nodes(s.real, mpf(0))))

    def cgf_at(self, c):
        if self._floats:
            return self._floats(c)
        w, x = self._arrays
        top = (c * x).max()
        return float(np.log(np.sum(w * np.exp(c * x - top))) + top)

    @property
    def _arrays(self):
        if not hasattr(self, "_kept"):
            self._kept = np.array([float(w) for w, _ in self._pairs]), np.array([float(x) for _, x in self._pairs])
        return self._kept


def table_step(rows):
    """A finite law as a step; outcomes that prove a world are left out."""
    step = SumStep(pairs=[(p, mp.log(q / p)) for p, q in gathered(rows) if p and q])
    step.seen = mp.fsum(p for p, q in rows if q), mp.fsum(q for p, q in rows if p)
    return step


def sampled_gauss_step(mu, rate, spacing=0.16):
    """Poisson-sampled Gaussian: a trapezoidal sum; the caller shrinks its spacing to see that nothing changes."""
    mu, rate = mpf(mu), mpf(rate)
    width = mpf(spacing) / max(mpf(1), mu / 2)

    def loss(x):
        return mp.log1p(rate * mp.expm1(mu * x - mu**2 / 2))

    @cache
    def pair(k):
        x = k * width
        return width * mp.npdf(x), loss(x)

    m, r = float(mu), float(rate)

    def ends(c):
        """Where the tilted integrand has died away: its peaks lie at x = c·L'(x)."""
        low = -15.0
        while c < 0 and -low + c * m * r / (r + (1 - r) * math.exp(min(m * m / 2 - m * low, 700.0))) < 15:
            low -= 1.0
        return low, 15 + m * max(c, 1.0)

    def nodes(c, h):
        low, high = ends(float(c))
        return [pair(k) for k in range(int(low / width), int(high / width) + 1)]

    def floats(c):
        low, high = ends(c)
        x = np.linspace(low, high, 4000 + int(40 * (high - low)))
        step = x[1] - x[0]
        u = m * x - m * m / 2
        losses = np.where(u > 30, u + math.log(r), np.log1p(r * np.expm1(np.minimum(u, 30))))
        exponent = c * losses - x * x / 2 + math.log(step / math.sqrt(2 * math.pi))
        top = exponent.max()
        if top < 20 and (c * losses).max() < 600 and losses.max() < 600:  # M − 1 without cancellation
            weight = np.exp(-x * x / 2) * step / math.sqrt(2 * math.pi)
            return float(np.log1p(np.sum(weight * (np.expm1(c * losses) - c * np.expm1(losses)))))
        return float(top + np.log(np.sum(np.exp(exponent - top))))

    return SumStep(nodes=nodes, floats=floats)


def sampled_laplace_step(epsilon, rate, points=60):
    """Poisson-sampled Laplace: two atoms and a Gauss–Legendre sum over the stretch between."""
    eps, rate = mpf(epsilon), mpf(rate)
    base = [(mpf(1) / 2, -eps), (mp.exp(-eps) / 2, eps)]
    base += [(w * eps / 2 * mp.exp(-eps * x), eps * (2 * x - 1)) for x, w in legendre(points)]
    return SumStep(pairs=[(p, mp.log1p(rate * mp.expm1(x))) for p, x in base])


def symmetrised_gauss_step(mu, rate, points=40, cells=12):
    """Without replacement: losses log(1 − q + q·e^{mu·x − mu²/2}), x > mu/2, their mirror image, and an atom at 0."""
    mu, rate = mpf(mu), mpf(rate)
    start = mu / 2
    pairs = []
    width = (mpf(15) + 3 * mu) / cells
    for cell in range(cells):
        for x, w in legendre(points):
            at = start + (cell + x) * width
            p, loss = w * width * mp.npdf(at), mp.log1p(rate * mp.expm1(mu * at - mu**2 / 2))
            pairs += [(p, loss), (p * mp.exp(loss), -loss)]
    alpha = phi(-start)
    beta = (1 - rate) * (1 - alpha) + rate * phi(start - mu)
    return SumStep(pairs=[*pairs, (beta - alpha, mpf(0))])


@cache
def legendre(points):
    """Gauss–Legendre nodes and weights on [0, 1]."""
    out = []
    for i in range(points):
        x = mp.cos(mp.pi * (i + mpf(3) / 4) / (points + mpf(1) / 2))
        for _ in range(8):
            a, b = mpf(1), x
            for k in range(2, points + 1):
                a, b = b, ((2 * k - 1) * x * b - (k - 1) * a) / k
            slope = points * (x * b - a) / (x * x - 1)
            x -= b / slope
        out.append(((1 - x) / 2, 1 / ((1 - x * x) * slope**2)))
    return out


class Contour(Reference):
    """call(e) = e^e/(2πi)·∫ M(s)·e^{−s·e}/(s(s − 1)) ds over Re s = c > 1, c the saddle of the whole integrand; left of
    a pole, what it adds is added.

    Trapezoidal sum with spacing h over 0 … until 40 nodes in a row add less than 1e-30; then with h/2. Thresholds
    near the one a line was made for use it too. Where atoms keep M from falling below 1e-17, quiet stretches between
    its peaks would be taken for its end: such compositions are refused.
    """

    def __init__(self, parts, reversed_=False, limit=2500):
        if all(isinstance(step, LaplaceStep) for step, _ in parts):
            if sum(count * math.log1p(float(step.e) / 2) for step, count in parts) < 40:
                raise TooSlow
        self.parts, self.reversed_, self.limit = parts, reversed_, limit
        seen = [mp.fprod(step.seen[i] ** count for step, count in parts) for i in (0, 1)]
        self.seen = seen[::-1] if reversed_ else seen
        self.proof = 1 - self.seen[1]
        self.lines = []
        if self.proof < mpf(10) ** -40:
            self.proof = mpf(0)

    def k(self, c):
        c = 1 - c if self.reversed_ else c
        return math.fsum(count * step.cgf_at(c) for step, count in self.parts)

    def slope(self, c):
        h = 1e-4 * max(abs(c - 1), 1e-3)
        return (self.k(c + h) - self.k(c - h)) / (2 * h)

    def saddle(self, e):
        """Least point of K(c) − c·e − log|c(c − 1)| in the strip that holds K'(c) = e: c > 1, 0 < c < 1 or c < 0."""
        if e >= self.slope(1.0):
            place, ys = (lambda y: 1 + math.exp(y)), np.linspace(-9, 12, 43)
        elif e > self.slope(0.0):
            place, ys = (lambda y: 1 / (1 + math.exp(-y))), np.linspace(-9, 9, 43)
        else:
            place, ys = (lambda y: -math.exp(y)), np.linspace(-9, 12, 43)

        def height(y):
            c = place(y)
            try:
                found = self.k(c) - c * e - math.log(abs(c * (c - 1)))
            except (OverflowError, ValueError):
                return math.inf
            return found if math.isfinite(found) else math.inf

        i = int(np.argmin([height(y) for y in ys]))
        low, high = ys[max(i - 1, 0)], ys[min(i + 1, 42)]
        for _ in range(12):
            a, b = low + 0.382 * (high - low), low + 0.618 * (high - low)
            if height(a) < height(b):
                high = b
            else:
                low = a
        return place((low + high) / 2)

    def _line(self, e):
        for low, high, line in self.lines:
            if low <= e <= high:
                return line
        c = self.saddle(float(e))
        pole = min(abs(c), abs(c - 1))
        h = 1e-3 * pole
        variance = max((self.k(c + h) - 2 * self.k(c) + self.k(c - h)) / h**2, 1e-12) + 1 / pole**2
        spread = math.sqrt(variance)
        c, h = mpf(c), mpf(2) / mpf(spread) / 5
        # aliasing decays like e^{−2π·(c − 1)/h}, and like the loss's own tails
        h = min(h, pole * mpf("0.12"))
        line = self._nodes(c, h)
        while True:
            finer = self._nodes(c, h / 2)
            a, b = self._sum(line, e, 0), self._sum(finer, e, 0)
            if abs(a - b) <= mpf(10) ** -24 * abs(b):
                break
            line, h = finer, h / 2
            if len(finer[2]) > self.limit:
                raise TooSlow
        self._room = room = mpf(spread) / 2
        self.lines.append((e - room, e + room, finer))
        return finer

    def _nodes(self, c, h):
        back = 1 - c if self.reversed_ else c
        turn = -h if self.reversed_ else h
        lines = [(step, count, step.line(back, turn)) for step, count in self.parts]
        first, out, quiet = None, [], 0
        k = 0
        while quiet < 40:
            log = mpc(0)
            for step, count, line in lines:
                value = next(line) if not hasattr(step, "log") else None
                log += count * (mp.log(value) if value is not None else step.log(mpc(back, k * turn)))
            first = log.real if first is None else first
            out.append(mp.exp(log - first))
            s = mpc(c, k * h)
            quiet = quiet + 1 if abs(out[-1] / (s * (s - 1))) < mpf(10) ** -30 / abs(c * (c - 1)) else 0
            k += 1
            if k > self.limit:
                raise TooSlow
        return c, h, out, first

    def _sum(self, line, e, kind):
        """The integral with kernel 1/(s(s − 1)) (kind 0) 1/s (1) or 1 (2), times e^{−K(c) + c·e}."""
        c, h, values, _ = line
        turn, factor = mp.expj(-h * e), mpc(1)
        total = mpf(0)
        for k, value in enumerate(values):
            s = mpc(c, k * h)
            term = value * factor / (s * (s - 1), s, 1)[kind]
            total += term.real / 2 if k == 0 else term.real
            factor *= turn
        return total * h / mp.pi

    def call(self, e):
        e = mpf(e)
        line = self._line(e)
        found = self._sum(line, e, 0) * mp.exp(line[3] - line[0] * e + e)
        # what the poles that lie to the right of the line would have added
        if line[0] < 1:
            found += self.seen[1]
        return found - mp.exp(e) * self.seen[0] if line[0] < 0 else found

    def tail(self, e):
        e = mpf(e)
        line = self._line(e)
        found = self._sum(line, e, 1) * mp.exp(line[3] - line[0] * e)
        return found + self.seen[0] if line[0] < 0 else found

    def density(self, e):
        """Of the loss under P."""
        line = self._line(mpf(e))
        return self._sum(line, e, 2) * mp.exp(line[3] - line[0] * e)

    def _guess(self, target, log_size):
        """e = K'(c) where a saddle-point approximation meets the target, from the real axis only."""
        low, high = -9.0, 9.0
        for _ in range(30):
            y = (low + high) / 2
            try:
                size = log_size(1 + math.exp(y))
            except (OverflowError, ValueError):
                size = -math.inf
            if size > target:
                low = y
            else:
                high = y
        return mpf(self.slope(1 + math.exp((low + high) / 2)))

    def _newton(self, e, target, read):
        """log value(e) = target for a decreasing function; read gives its value and minus its derivative."""
        for _ in range(40):
            value, slope = read(e)
            if value <= 0 or slope <= 0:
                raise TooSlow
            step = (mp.log(value) - target) * value / slope
            room = 2 * self._room
            e += min(max(step, -room), room)
            if abs(step) < mpf(10) ** -24 * (1 + abs(e)):
                return e
        raise TooSlow

    def epsilon(self, delta):
        rest = mpf(delta) - self.proof
        if rest <= 0:
            return INF
        if self.call(mpf(0)) <= rest:
            return mpf(0)
        target = mp.log(rest)
        start = self._guess(float(target), lambda c: self.k(c) - (c - 1) * self.slope(c) - math.log(c * (c - 1)))
        return self._newton(max(start, mpf(0)), target, lambda e: (self.call(e), mp.exp(e) * self.tail(e)))

    def threshold(self, alpha):
        target = mp.log(mpf(alpha))
        start = self._guess(float(target), lambda c: self.k(c) - c * self.slope(c) - math.log(c))
        return self._newton(start, target, lambda e: (self.tail(e), self.density(e)))

    def beta(self, alpha):
        back = self.mirror()
        co = 1 - mpf(alpha)
        if co <= back.proof:
            return mpf(0)
        target = mp.log(co - back.proof)
        start = back._guess(float(target), lambda c: back.k(c) - (c - 1) * back.slope(c) - math.log(c))
        x = back._newton(
            start, target, lambda x: (back.call(x) + mp.exp(x) * back.tail(x), mp.exp(x) * back.density(x))
        )
        return max(mp.exp(-x) * (co - back.delta(x)), mpf(0))

    def mirror(self):
        if not hasattr(self, "_mirror"):
            self._mirror = Contour(self.parts, not self.reversed_, self.limit)
        return self._mirror
