"""Pairs of densities: order the outputs by their likelihood ratio and integrate (Neyman and Pearson)."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.reference.oracles.curve import CORNERS, Curve, f_score, gaussian_distance, risk
from tests.reference.oracles.numerics import inf, least, maximum, mp, mpf, ncdf


@dataclass(frozen=True)
class Law:
    """A density with both tails and its support."""

    pdf: Callable
    cdf: Callable
    sf: Callable
    lower: object = -inf
    upper: object = inf

    def shift(self, d):
        d = mpf(d)
        pdf, cdf, sf = (lambda x, f=f: f(x - d) for f in (self.pdf, self.cdf, self.sf))
        return Law(pdf, cdf, sf, self.lower + d, self.upper + d)

    def reflect(self):
        return Law(lambda x: self.pdf(-x), lambda x: self.sf(-x), lambda x: self.cdf(-x), -self.upper, -self.lower)

    def mass(self, a, b):
        """Mass of (a, b), from the tail that does not cancel."""
        if a >= b:
            return mpf(0)
        return self.cdf(b) - self.cdf(a) if self.cdf(b) < 0.5 else self.sf(a) - self.sf(b)


def normal(mean=0, sd=1):
    mean, sd = mpf(mean), mpf(sd)
    return Law(lambda x: mp.npdf(x, mean, sd), lambda x: ncdf((x - mean) / sd), lambda x: ncdf((mean - x) / sd))


def two_sided(pdf, tail, upper=inf):
    """A law symmetric about zero from its density and upper tail on x >= 0."""

    def cdf(x):
        return tail(-x) if x < 0 else 1 - tail(x)

    return Law(lambda x: pdf(abs(x)), cdf, lambda x: cdf(-x), -upper, upper)


def laplace():
    return two_sided(lambda x: mp.exp(-x) / 2, lambda x: mp.exp(-x) / 2)


def logistic():
    return two_sided(lambda x: mp.exp(-x) / (1 + mp.exp(-x)) ** 2, lambda x: 1 / (1 + mp.exp(x)))


def generalised_normal(power):
    """Density proportional to exp(-|x|^power)."""
    b = mpf(power)
    scale = b / (2 * mp.gamma(1 / b))
    return two_sided(lambda x: scale * mp.exp(-(x**b)), lambda x: mp.gammainc(1 / b, x**b, inf, regularized=True) / 2)


def cauchy():
    return two_sided(lambda x: 1 / (mp.pi * (1 + x * x)), lambda x: mp.atan2(1, x) / mp.pi)


def student3():
    """Student's law with three degrees of freedom."""
    r = mp.sqrt(3)

    def tail(x):
        return (mp.atan2(r, x) - (x / r) / (1 + x * x / 3)) / mp.pi

    return two_sided(lambda x: 2 * r / (mp.pi * (3 + x * x) ** 2) * 3, tail)


def uniform(width=1):
    h = mpf(width) / 2
    return two_sided(
        lambda x: 1 / (2 * h) if x <= h else mpf(0), lambda x: (h - x) / (2 * h) if x < h else mpf(0), upper=h
    )


def truncated_normal(a, b):
    """The standard normal law between a and b."""
    a, b = mpf(a), mpf(b)
    total = ncdf(b) - ncdf(a)

    def clip(x):
        return min(max(x, a), b)

    return Law(
        lambda x: mp.npdf(x) / total if a <= x <= b else mpf(0),
        lambda x: (ncdf(clip(x)) - ncdf(a)) / total,
        lambda x: (ncdf(-clip(x)) - ncdf(-b)) / total,
        a,
        b,
    )


def gumbel():
    """Asymmetric: exp(-x - exp(-x))."""
    return Law(lambda x: mp.exp(-x - mp.exp(-x)), lambda x: mp.exp(-mp.exp(-x)), lambda x: -mp.expm1(-mp.exp(-x)))


def two_normals(gap, sd):
    """An even mixture of N(0, sd^2) and N(gap, sd^2): neither log-concave nor unimodal."""
    a, b = normal(0, sd), normal(gap, sd)
    return Law(
        lambda x: (a.pdf(x) + b.pdf(x)) / 2, lambda x: (a.cdf(x) + b.cdf(x)) / 2, lambda x: (a.sf(x) + b.sf(x)) / 2
    )


class Pair(Curve):
    """Rejection regions R(theta), shrinking as theta grows, each with its four masses."""

    p: Law
    q: Law
    low: object
    high: object

    def loss(self, x):
        """log of q(x)/p(x); outside both supports, that of the nearer end."""
        dp, dq = self.p.pdf(x), self.q.pdf(x)
        if dp > 0 and dq > 0:
            return mp.log(dq / dp)
        if dp > 0 or dq > 0:
            return -inf if dp > 0 else inf
        return inf if x >= self.p.upper else -inf

    def masses(self, theta):
        """(P(R), Q(R), P(not R), Q(not R))."""
        raise NotImplementedError

    def null_mass(self, theta, inside):
        """P(R) or P(not R)."""
        return self.masses(theta)[0 if inside else 2]

    def cut(self, epsilon):
        """The theta whose region is {l > epsilon}."""
        raise NotImplementedError

    def _threshold(self, alpha):
        """The least theta whose region has false-positive rate at most alpha, and its masses."""
        if alpha <= 0.5:
            theta = least(lambda t: self.null_mass(t, True) <= alpha, self.low, self.high)
        else:
            theta = least(lambda t: self.null_mass(t, False) >= 1 - alpha, self.low, self.high)
        return theta, self.masses(theta)

    def power(self, alpha):
        return self._threshold(alpha)[1][1]

    def beta(self, alpha):
        return self._threshold(alpha)[1][3]

    def delta(self, epsilon):
        a, t, _, _ = self.masses(self.cut(epsilon))
        return max(mpf(0), t - mp.exp(epsilon) * a)

    def kept(self, epsilon, alpha):
        """1 - delta(epsilon) - e^epsilon alpha, without cancelling."""
        _, _, no_a, b = self.masses(self.cut(epsilon))
        return b + mp.exp(epsilon) * ((1 - alpha) - no_a)

    def cost(self, prior, false_positive=1, false_negative=1):
        cut = self.cut(mp.log((1 - prior) * false_positive / (prior * false_negative)))
        points = (self.masses(cut), *CORNERS)
        return min(risk(point, prior, false_positive, false_negative) for point in points)

    def f_score(self, weight, prior):
        inside = maximum(lambda t: f_score(self.masses(t), weight, prior), self.low, self.high, scan=200)
        return max(inside, f_score(CORNERS[1], weight, prior))

    def mu(self):
        """The supremum over the curve, unless it is known to be infinite by its behaviour at the ends."""
        if self.known_mu is not None:
            return self.known_mu
        if self.power(mpf(0)) > mpf(10) ** -100:
            return inf
        return maximum(lambda t: gaussian_distance(self.masses(t)), self.low, self.high, scan=64)


class Monotone(Pair):
    """The likelihood ratio does not decrease in x: regions are half-lines (x, inf)."""

    def __init__(self, p, q, low, high, rho, symmetric=True, least_ratio=None, kinks=(), cut=None, mu=None):
        self.p, self.q, self.low, self.high, self.rho = p, q, mpf(low), mpf(high), rho
        self.symmetric, self.kinks, self.known_cut, self.known_mu = symmetric, kinks, cut, mu
        self.least_ratio = least_ratio if least_ratio is not None else (1 / rho if rho < inf else mpf(0))

    def masses(self, theta):
        return self.p.sf(theta), self.q.sf(theta), self.p.cdf(theta), self.q.cdf(theta)

    def null_mass(self, theta, inside):
        return self.p.sf(theta) if inside else self.p.cdf(theta)

    def cut(self, epsilon):
        return self.known_cut(epsilon) if self.known_cut else self.searched_cut(epsilon)

    def searched_cut(self, epsilon):
        return least(lambda x: self.loss(x) > epsilon, self.low, self.high)

    def delta(self, epsilon):
        if self.rho < inf and epsilon >= mp.log(self.rho):
            return mpf(0)
        return super().delta(epsilon)

    def mirror(self):
        if self.symmetric:
            return self
        rho = 1 / self.least_ratio if self.least_ratio else inf
        least_ratio = 1 / self.rho if self.rho < inf else mpf(0)
        kinks = tuple(-k for k in self.kinks)
        cut = self.known_cut and (lambda e: -self.known_cut(-e))
        p, q, mu = self.q.reflect(), self.p.reflect(), self.known_mu
        return Monotone(p, q, -self.high, -self.low, rho, False, least_ratio, kinks, cut, mu)

    def _integral(self, density, low, high):
        """In pieces of equal length, cut at the kinks and where a law ends."""
        pieces = int(max(40, mp.ceil((high - low) / 50)))
        inner = [low + (high - low) * i / pieces for i in range(pieces + 1)]
        kinks = (*self.kinks, self.p.lower, self.p.upper, self.q.lower, self.q.upper)
        return mp.quad(density, sorted({*inner, *(mpf(k) for k in kinks if low < k < high)}))

    def auc(self):
        """Pr(Y > X), X from P and Y from Q."""
        low, high = max(self.low, self.p.lower), min(self.high, self.p.upper)
        return self._integral(lambda x: self.q.sf(x) * self.p.pdf(x), low, high)

    def renyi(self, order):
        """log of the integral of q^order p^(1 - order), over order - 1; tilting moves the mass out of the bracket."""
        if self.q.upper > self.p.upper or self.q.lower < self.p.lower:
            return inf
        width = order * (self.high - self.low) if self.rho == inf else 0
        ends = self.low - width / 4, self.high + width / 4
        total = self._integral(lambda x: self.q.pdf(x) ** order * self.p.pdf(x) ** (1 - order), *ends)
        return mp.log(total) / (order - 1)


class Sorted(Pair):
    """Any continuous ratio that is monotone between given breaks: regions {l > t} are unions of intervals."""

    def __init__(self, p, q, breaks, rho, low, high, symmetric=True, roots=None, mu=None):
        self.p, self.q, self.rho, self.symmetric, self.roots = p, q, rho, symmetric, roots
        self.breaks, self.low, self.high, self.known_mu = [mpf(b) for b in breaks], mpf(low), mpf(high), mu

    def intervals(self, t):
        """The intervals where l > t and those where l <= t."""
        above, below = [], []
        for a, b in zip(self.breaks, self.breaks[1:]):
            at_a, at_b = self.loss(a), self.loss(b)
            up, over_a, over_b = at_b > at_a, at_a > t, at_b > t
            if over_a == over_b:
                (above if over_a else below).append((a, b))
                continue
            x = self.crossing(t, a, b) if self.roots else self.searched_crossing(t, a, b, up)
            (below if up else above).append((a, x))
            (above if up else below).append((x, b))
        return above, below

    def crossing(self, t, a, b):
        """The given root of l = t that lies in [a, b], up to rounding."""
        return min((min(max(x, a), b) for x in self.roots(t)), key=lambda x: abs(self.loss(x) - t))

    def searched_crossing(self, t, a, b, up):
        return least(lambda x: (self.loss(x) > t) == up, a, b)

    def masses(self, theta):
        above, below = self.intervals(theta)
        return tuple(sum(law.mass(*i) for i in side) for side in (above, below) for law in (self.p, self.q))

    def cut(self, epsilon):
        return epsilon

    def power(self, alpha):
        """What the bisection leaves of alpha is spent at the threshold itself, where the ratio is e^t.

        Around a smooth maximum a region of mass alpha sees the ratio fall by O(alpha^2): nothing, for tiny alpha.
        """
        if self.rho < inf and alpha < mpf(10) ** (-mp.dps / 2):
            return alpha * self.rho
        t, (a, power, _, _) = self._threshold(alpha)
        return power + (alpha - a) * mp.exp(t)

    def beta(self, alpha):
        t, (_, _, no_a, beta) = self._threshold(alpha)
        return beta - (no_a - (1 - alpha)) * mp.exp(t)

    def mirror(self):
        if self.symmetric:
            return self
        rho = mp.exp(-min(self.loss(b) for b in self.breaks))
        roots = self.roots and (lambda t: self.roots(-t))
        return Sorted(self.q, self.p, self.breaks, rho, -self.high, -self.low, False, roots, self.known_mu)

    def auc(self):
        """Pr(l(Y) > l(X)), X from P and Y from Q."""
        inner = (-50, -10, *self.breaks[1:-1], 10, 50)
        return mp.quad(lambda x: self.masses(self.loss(x))[1] * self.p.pdf(x), [-inf, *inner, inf])
