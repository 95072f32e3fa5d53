"""Pairs of discrete laws: vertices are partial sums in likelihood-ratio order, between them a coin."""

from bisect import bisect_left
from itertools import accumulate, permutations

from tests.reference.oracles.curve import CORNERS, Curve, f_score, gaussian_distance, risk
from tests.reference.oracles.numerics import inf, mp, mpf


class Polygon(Curve):
    """A piecewise linear curve through points (alpha, power, 1 - alpha, 1 - power), from (0, 0) to (1, 1)."""

    def __init__(self, points, symmetric=False, rho=None):
        self.points, self.symmetric = [CORNERS[0], *points, CORNERS[1]], symmetric
        self.rho = self._first_slope() if rho is None else rho
        self._alphas = [point[0] for point in self.points]

    def _first_slope(self):
        width, height = masses(*self.points[:2])
        return height / width if width else inf

    def _segment(self, alpha):
        """The segment that reaches alpha from the left, with the masses it carries under P and Q."""
        i = max(bisect_left(self._alphas, alpha), 1)
        while i + 1 < len(self.points) and self.points[i][0] == self.points[i - 1][0] == alpha:
            if self.points[i + 1][0] > alpha:
                break
            i += 1
        return self.points[i - 1], self.points[i]

    def power(self, alpha):
        a, b = self._segment(alpha)
        width, height = masses(a, b)
        return b[1] if width == 0 else a[1] + (alpha - a[0]) * height / width

    def beta(self, alpha):
        a, b = self._segment(alpha)
        width, height = masses(a, b)
        return b[3] if width == 0 else b[3] + ((1 - alpha) - b[2]) * height / width

    def delta(self, epsilon):
        if self.rho < inf and mp.exp(epsilon) >= self.rho * (1 - mpf(10) ** (10 - mp.dps)):
            return mpf(0)
        return self._delta(epsilon)

    def _delta(self, epsilon):
        """At the last point that a segment steeper than e^epsilon leads to; slopes decrease."""
        slope, low, high = mp.exp(epsilon), 0, len(self.points) - 1
        while low < high:
            middle = (low + high + 1) // 2
            width, height = masses(self.points[middle - 1], self.points[middle])
            low, high = (middle, high) if height > slope * width else (low, middle - 1)
        return self.points[low][1] - slope * self.points[low][0]

    def mirror(self):
        if self.symmetric:
            return self
        return Polygon([(b, n, t, a) for a, t, n, b in reversed(self.points[1:-1])])

    def both(self):
        """The upper hull of the points of both directions (Andrew's monotone chain)."""
        hull = []
        for point in sorted({*self.points, *self.mirror().points}, key=lambda v: v[:2]):
            while len(hull) > 1 and _turns_left(hull[-2], hull[-1], point):
                hull.pop()
            hull.append(point)
        curve = Polygon(hull[1:-1], symmetric=True)
        curve.renyi = lambda order: max(self.renyi(order), self.mirror().renyi(order))
        return curve

    def auc(self):
        return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(self.points, self.points[1:]))

    def cost(self, prior, false_positive=1, false_negative=1):
        return min(risk(point, prior, false_positive, false_negative) for point in self.points)

    def f_score(self, weight, prior):
        return max(f_score(point, weight, prior) for point in self.points[1:])

    def mu(self):
        if any((a == 0 and t > 0) or (b == 0 and n > 0) for a, t, n, b in self.points):
            return inf
        return max(gaussian_distance(point) for point in self.points)

    def renyi(self, order):
        total = mpf(0)
        for a, b in zip(self.points, self.points[1:]):
            width, height = masses(a, b)
            if width == 0 and height > 0:
                return inf
            if height > 0:
                total += height**order * width ** (1 - order)
        return mp.log(total) / (order - 1)


def masses(a, b):
    """The masses under P and Q between two points, from the complement that does not cancel."""
    width = b[0] - a[0] if b[0] < 0.5 else a[2] - b[2]
    height = b[1] - a[1] if b[1] < 0.5 else a[3] - b[3]
    return width, height


def _turns_left(a, b, c):
    return (b[1] - a[1]) * (c[0] - a[0]) <= (c[1] - a[1]) * (b[0] - a[0])


class Atoms(Polygon):
    """Two finite laws, sorted by their ratio."""

    def __init__(self, p, q, symmetric=False):
        pairs = [(mpf(a), mpf(b)) for a, b in zip(p, q) if a or b]
        pairs.sort(key=lambda ab: ab[1] / ab[0] if ab[0] else inf, reverse=True)
        self.p, self.q = [a for a, _ in pairs], [b for _, b in pairs]
        forth = (accumulate(self.p), accumulate(self.q))
        back = ([*accumulate(reversed(law))][-2::-1] for law in (self.p, self.q))
        super().__init__([*zip(*forth, *back)], symmetric)

    def _delta(self, epsilon):
        """The sum of (q - e^epsilon p) over the outputs where it is positive."""
        slope = mp.exp(epsilon)
        return sum(max(mpf(0), b - slope * a) for a, b in zip(self.p, self.q))


def best_power_by_enumeration(p, q, alpha):
    """The best test over every order in which outputs may enter the rejection region (for a handful of outputs)."""
    best = mpf(0)
    for order in permutations(range(len(p))):
        left, power = mpf(alpha), mpf(0)
        for i in order:
            share = mpf(1) if p[i] <= left else left / p[i]
            power, left = power + share * q[i], left - share * p[i]
        best = max(best, power)
    return best


def lattice(weight, d, reach, last, rho=None):
    """Integer noise with a symmetric log-concave weight against its shift by d: tails are sums of weights.

    Weights are summed up to `reach`; outputs beyond `last`, where the missing rest would show, are one atom.
    """
    tail = [mpf(0)] * (reach + 1)
    for k in range(reach - 1, 0, -1):
        tail[k] = tail[k + 1] + weight(k)
    total = weight(0) + 2 * tail[1]

    def over(k):
        """Pr(K >= k)."""
        if k >= reach:
            return mpf(0)
        if k > 0:
            return tail[k] / total
        return (total - tail[min(1 - k, reach)]) / total

    points = [(over(k), over(k - d), over(1 - k), over(1 - k + d)) for k in range(last, d - last, -1)]
    return Polygon(points, symmetric=True, rho=rho)


def discrete_gaussian(sigma, d):
    """Weights e^(-k^2/(2 sigma^2)) (Canonne, Kamath and Steinke 2020), summed."""
    s = mpf(sigma)
    last = int(39.5 * s) + 12 * d + 4
    return lattice(lambda k: mp.exp(-mpf(k * k) / (2 * s * s)), d, last + int(2.5 * s) + d + 4, last, rho=inf)


def geometric(scale, d):
    """Weights e^(-|k|/scale). The outputs up to 0 share one ratio, so do those from d on: geometric series."""
    r = mp.exp(-1 / mpf(scale))
    total = (1 + r) / (1 - r)
    middle = range(1, d)
    p = [r**d / (1 - r) / total, *(r**k / total for k in middle), 1 / (1 - r) / total]
    q = [1 / (1 - r) / total, *(r ** (d - k) / total for k in middle), r**d / (1 - r) / total]
    return Atoms(p, q, symmetric=True)


def geometric_summed(scale, d):
    """The same by plain summation, for small scales."""
    s = mpf(scale)
    last = int(750 * s) + d + 4
    return lattice(lambda k: mp.exp(-k / s), d, last + int(150 * s), last)


def staircase_density(x, epsilon, gamma, d=1):
    """The staircase density (Geng and Viswanath 2014, Eq. 17)."""
    e, x = mp.exp(-mpf(epsilon)), abs(mpf(x)) / d
    step = mp.floor(x)
    height = (1 - e) / (2 * d * (gamma + e * (1 - gamma)))
    return height * e ** (step if x - step < gamma else step + 1)


def staircase(epsilon, gamma=None, shift=1):
    """The density and its shift (in units of the sensitivity, at most 1), cut where either jumps.

    From 1 + shift on, and up to -1, one period of length 1 repeats with weight e^-epsilon: a geometric series.
    """
    epsilon, shift = mpf(epsilon), mpf(shift)
    gamma = 1 / (1 + mp.exp(epsilon / 2)) if gamma is None else mpf(gamma)
    jumps = [k + side * gamma for k in range(-4, 5) for side in (0, 1, -1)]
    cuts = sorted({mpf(x) for j in jumps for x in (j, j + shift) if -2 <= x <= 3})
    p, q = [], []
    for a, b in zip([mpf(-2), *cuts], [*cuts, mpf(3)]):
        if b - a < mpf(10) ** (5 - mp.dps):
            continue
        repeats = 1 / (-mp.expm1(-epsilon)) if b <= -1 or a >= 2 else 1
        middle = (a + b) / 2
        p.append(staircase_density(middle, epsilon, gamma) * (b - a) * repeats)
        q.append(staircase_density(middle - shift, epsilon, gamma) * (b - a) * repeats)
    return Atoms(p, q, symmetric=True)


def randomised_response(epsilon, categories):
    """The truth with probability e^eps/(e^eps + k - 1), each other answer with 1/(e^eps + k - 1)."""
    e = mp.exp(mpf(epsilon))
    total = e + categories - 1
    p = [e / total] + [1 / total] * (categories - 1)
    return Atoms(p, [p[1], p[0], *p[2:]], symmetric=True)


def uniform_sampling(mu, n, neighbours):
    """A constant with probability e^-mu, else a record drawn uniformly (Fondeville, Example 3)."""
    silent, drawn = mp.exp(-mpf(mu)), -mp.expm1(-mpf(mu))
    if neighbours == "replace":
        shared = [silent] + [drawn / n] * (n - 1)
        return Atoms([*shared, drawn / n, 0], [*shared, 0, drawn / n], symmetric=True)
    return Atoms([silent] + [drawn / (n - 1)] * (n - 1) + [0], [silent] + [drawn / n] * n)


def approximate_dp(epsilon, delta):
    """The four outputs that dominate every (epsilon, delta) mechanism (Kairouz, Oh and Viswanath 2017, Section 3)."""
    epsilon, delta = mpf(epsilon), mpf(delta)
    odds = mp.exp(epsilon)
    p = [delta, (1 - delta) * odds / (1 + odds), (1 - delta) / (1 + odds), 0]
    return Atoms(p, p[::-1], symmetric=True)


def two_point(t, epsilon):
    """Losses t and t - epsilon only: an extreme pair of a mechanism with range epsilon (Dong et al. 2020)."""
    total = -mp.expm1(-epsilon)
    m, rest = mp.exp(-t) * -mp.expm1(t - epsilon) / total, -mp.expm1(-t) / total
    return Atoms([m, rest], [mp.exp(t) * m, mp.exp(t - epsilon) * rest])
