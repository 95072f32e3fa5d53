"""What every oracle answers, and the readings of one curve (plus a prior) that follow from it."""

from tests.reference.oracles.numerics import inf, least, maximum, mp, mpf, quantile


class Curve:
    """One trade-off curve T(P, Q): P without the target (H0), Q with it (H1).

    A point of the curve is (alpha, power, 1 - alpha, 1 - power): both complements, each with full relative accuracy.
    Subclasses give `power`, `beta`, `delta`, `rho` and, where they can, the rest; `mirror` is T(Q, P).
    """

    symmetric = False

    def power(self, alpha):
        raise NotImplementedError

    def beta(self, alpha):
        raise NotImplementedError

    def delta(self, epsilon):
        """sup over alpha of power - e^epsilon alpha, for every real epsilon."""
        raise NotImplementedError

    def mirror(self):
        if self.symmetric:
            return self
        raise NotImplementedError

    def epsilon(self, delta):
        """The least epsilon >= 0 with delta(epsilon) <= delta, by bisection."""
        if delta == 0:
            return mp.log(self.rho) if self.rho < inf else inf
        if self.power(mpf(0)) > delta:
            return inf
        high = mpf(1)
        while self.delta(high) > delta:
            high *= 2
        return mpf(0) if self.delta(mpf(0)) <= delta else least(lambda e: self.delta(e) <= delta, 0, high)

    def inverse(self, beta):
        """The least false-positive rate at which the false-negative rate is at most beta."""
        return self.mirror().beta(beta)


def f_score(point, weight, prior):
    """F with weight w at one operating point (Liu et al. 2019, Eq. 12, with a prior)."""
    alpha, power = point[:2]
    return (1 + weight**2) * prior * power / (weight**2 * prior + prior * power + (1 - prior) * alpha)


def risk(point, prior, false_positive=1, false_negative=1):
    """Expected cost of the attacker's mistakes at one operating point."""
    return (1 - prior) * false_positive * point[0] + prior * false_negative * point[3]


def gaussian_distance(point):
    """The mu of the Gaussian curve through one operating point (Dong, Roth and Su 2022, Section 2)."""
    alpha, power, no_alpha, beta = point
    if 0 in point:
        return mpf(0)
    return quantile(no_alpha, alpha) - quantile(beta, power)


CORNERS = ((mpf(0), mpf(0), mpf(1), mpf(1)), (mpf(1), mpf(1), mpf(0), mpf(0)))


class Both(Curve):
    """The convex hull of min(f, f^-1) from below, through conjugacy: its delta is the larger of both directions.

    beta(alpha) = sup over all real epsilon of 1 - delta(epsilon) - e^epsilon alpha. The supremum is concave in
    e^epsilon, hence has one maximum; the extreme points of the hull belong to one of the two curves.
    """

    symmetric = True

    def __init__(self, add, reach=800):
        self.add, self.remove, self.reach = add, add.mirror(), reach
        self.rho = max(self.add.rho, self.remove.rho)

    def delta(self, epsilon):
        return max(self.add.delta(epsilon), self.remove.delta(epsilon))

    def _supporting(self, line):
        """Ternary search over epsilon: ties lie on the flat far left, so they move right."""
        low, high = mpf(-self.reach), mpf(self.reach)
        for _ in range(int(mp.dps * 6)):
            a, b = (2 * low + high) / 3, (low + 2 * high) / 3
            if line(a) > line(b):
                high = b
            else:
                low = a
        return line((low + high) / 2)

    def power(self, alpha):
        return -self._supporting(lambda e: -self.delta(e) - mp.exp(e) * alpha)

    def beta(self, alpha):
        return self._supporting(lambda e: min(self.add.kept(e, alpha), self.remove.kept(e, alpha)))

    def cost(self, *args):
        return min(self.add.cost(*args), self.remove.cost(*args))

    def f_score(self, *args):
        return max(self.add.f_score(*args), self.remove.f_score(*args))

    def mu(self):
        return max(self.add.mu(), self.remove.mu())

    def renyi(self, order):
        return max(self.add.renyi(order), self.remove.renyi(order))


class Family(Curve):
    """The worst of a one-parameter family of pairs, each reading by a search over the parameter."""

    symmetric = True

    def __init__(self, member, low, high, rho):
        self.member, self.low, self.high, self.rho = member, low, high, rho

    def _worst(self, reading):
        return maximum(lambda t: reading(self.member(t)), self.low, self.high)

    def power(self, alpha):
        return self._worst(lambda m: m.power(alpha))

    def beta(self, alpha):
        return -self._worst(lambda m: -m.beta(alpha))

    def delta(self, epsilon):
        return self._worst(lambda m: m.delta(epsilon))

    def cost(self, *args):
        return -self._worst(lambda m: -m.cost(*args))

    def f_score(self, *args):
        return self._worst(lambda m: m.f_score(*args))

    def mu(self):
        return self._worst(lambda m: m.mu())

    def auc(self):
        return mp.quad(self.power, [0, mpf("0.05"), mpf("0.3"), 1])


class Group(Curve):
    """f_k = 1 - (1 - f)^(k-fold), by applying the power k times."""

    symmetric = True

    def __init__(self, one, k):
        self.one, self.k, self.rho = one, k, one.rho**k

    def _apply(self, alpha, times):
        for _ in range(times):
            alpha = self.one.power(alpha)
        return alpha

    def power(self, alpha):
        return self._apply(alpha, self.k)

    def beta(self, alpha):
        return self.one.beta(self._apply(alpha, self.k - 1))

    def delta(self, epsilon):
        """The supremum over alpha, searched in log(alpha / (1 - alpha))."""

        def gap(s):
            alpha = 1 / (1 + mp.exp(-s))
            return self.power(alpha) - mp.exp(epsilon) * alpha

        return maximum(gap, -60, 60)


class Failing(Curve):
    """With probability kappa the secret itself is output: an atom that Q has and P has not, and its mirror image."""

    symmetric = True
    rho = inf

    def __init__(self, one, kappa):
        self.one, self.kappa = one, mpf(kappa)

    def power(self, alpha):
        works = 1 - self.kappa
        return mpf(1) if alpha >= works else self.kappa + works * self.one.power(alpha / works)

    def beta(self, alpha):
        works = 1 - self.kappa
        return mpf(0) if alpha >= works else works * self.one.beta(alpha / works)

    def delta(self, epsilon):
        return self.kappa + (1 - self.kappa) * self.one.delta(epsilon)
