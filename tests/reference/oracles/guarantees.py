"""Guarantees without a mechanism: Rényi and zero-concentrated differential privacy, bounded range."""

from tests.reference.oracles.curve import Curve, Family
from tests.reference.oracles.discrete import two_point
from tests.reference.oracles.numerics import inf, least, maximum, mp, mpf


def bounded_range(epsilon):
    """The exponential mechanism: the infimum over t of the two-point pairs with losses t and t - epsilon."""
    epsilon = mpf(epsilon)
    tiny = epsilon * mpf(10) ** -40
    return Family(lambda t: two_point(t, epsilon), tiny, epsilon - tiny, mp.exp(epsilon))


def _divergence_sum(order, t, u, a, n):
    """The Rényi sum of Bernoulli(t) against Bernoulli(a), u and n being the complements."""
    return t**order * a ** (1 - order) + u**order * n ** (1 - order)


def largest_logit(order, epsilon, alpha, reverse):
    """log(power/beta) of the largest power that the order allows at alpha, by bisection.

    A test turns both laws into Bernoulli laws and the divergence cannot grow (data processing), so
    exp((order - 1) D) <= exp((order - 1) epsilon) for (power, alpha), and for (alpha, power) if reverse.
    """
    bound = mp.exp((order - 1) * epsilon)
    no_alpha = 1 - alpha

    def violated(s):
        t, u = 1 / (1 + mp.exp(-s)), 1 / (1 + mp.exp(s))
        if reverse:
            return _divergence_sum(order, alpha, no_alpha, t, u) > bound
        return _divergence_sum(order, t, u, alpha, no_alpha) > bound

    return least(violated, mp.log(alpha / no_alpha), 2000)


class RenyiCurve(Curve):
    """The least beta that violates no binary Rényi inequality of the given orders, in either direction."""

    symmetric = True
    rho = inf

    def __init__(self, orders, epsilons):
        self.given, self.seen = [(mpf(a), mpf(e)) for a, e in zip(orders, epsilons)], {}

    def logit(self, alpha):
        if alpha not in self.seen:
            self.seen[alpha] = self._logit(alpha)
        return self.seen[alpha]

    def _logit(self, alpha):
        return min(largest_logit(a, e, alpha, reverse) for a, e in self.given for reverse in (False, True))

    def power(self, alpha):
        return 1 / (1 + mp.exp(-self.logit(alpha))) if alpha > 0 else mpf(0)

    def beta(self, alpha):
        return 1 / (1 + mp.exp(self.logit(alpha)))

    def delta(self, epsilon):
        """The supremum over alpha, searched in log(alpha / (1 - alpha))."""

        def gap(s):
            alpha = 1 / (1 + mp.exp(-s))
            return self.power(alpha) - mp.exp(epsilon) * alpha

        return maximum(gap, -80, 40, scan=60)


class ZeroConcentrated(RenyiCurve):
    """All orders above 1 with epsilon = rho order (Bun and Steinke 2016): a search over the order."""

    def __init__(self, parameter):
        self.parameter, self.seen = mpf(parameter), {}

    def _logit(self, alpha):
        def slack(u, reverse):
            order = 1 + mp.exp(u)
            return -largest_logit(order, self.parameter * order, alpha, reverse)

        return min(-maximum(lambda u, r=r: slack(u, r), -45, 25, scan=35) for r in (False, True))
