"""Oracle pairs by name: which two laws, in which bracket, with which largest ratio."""

from tests.reference.oracles import continuous as co
from tests.reference.oracles.numerics import inf, mp, mpf


def gaussian(mu):
    mu = mpf(mu)
    return co.Monotone(co.normal(), co.normal(mu), -60, mu + 60, inf, cut=lambda e: e / mu + mu / 2)


def shifted(law, d, low, high, rho, **more):
    d = mpf(d)
    return co.Monotone(law, law.shift(d), low, high + d, rho, kinks=(0, d), **more)


def laplace(e):
    return shifted(co.laplace(), e, -1000, 1000, mp.exp(mpf(e)))


def quadratic(a, b, c):
    """The real roots of a x^2 + b x + c, a double one where rounding makes the discriminant negative."""
    half = mp.sqrt(max(b * b - 4 * a * c, mpf(0)))
    far = (-b - half if b > 0 else half - b) / 2
    return [c / far] if a == 0 else [far / a, c / far]


def humped(law, d, nu):
    """Student's law with nu = 1 or 3: the loss rises from its minimum to its maximum and returns to 0 outside.

    Its stationary points solve x (nu + (x - d)^2) = (x - d) (nu + x^2); it equals t where
    nu + x^2 = e^(2t/(nu + 1)) (nu + (x - d)^2).
    """
    d = mpf(d)
    top = d / 2 + mp.sqrt(nu + d * d / 4)

    def roots(t):
        e = mp.exp(2 * t / (nu + 1))
        return quadratic(1 - e, 2 * e * d, nu - e * (nu + d * d))

    ends = mpf(10) ** 40  # where the loss is still told from 0
    ratio = law.pdf(top - d) / law.pdf(top)
    peak = mp.log(ratio)
    return co.Sorted(law, law.shift(d), (-ends, d - top, top, ends), ratio, -peak, peak, roots=roots)


def cauchy(d):
    return humped(co.cauchy(), d, 1)


def student3(d):
    return humped(co.student3(), d, 3)


def logistic(d):
    return shifted(co.logistic(), d, -1000, 1000, mp.exp(mpf(d)))


def truncated(a, b, d, symmetric):
    a, b, d = mpf(a), mpf(b), mpf(d)

    def cut(e):
        return min(max(e / d + d / 2, a + d), b)

    return shifted(co.truncated_normal(a, b), d, a, b, inf, symmetric=symmetric, least_ratio=mpf(0), cut=cut)


def unequal_normals(mean, sd):
    """N(0, 1) against N(mean, sd^2), sd > 1: the loss is a parabola with its minimum at -mean/(sd^2 - 1).

    Where alpha is small the quantile of the power is that of alpha over sd: no mu dominates.
    """
    mean, sd = mpf(mean), mpf(sd)
    vertex = -mean / (sd * sd - 1)

    def roots(t):
        return quadratic((1 - 1 / sd**2) / 2, mean / sd**2, -(mean**2) / (2 * sd**2) - mp.log(sd) - t)

    p, q = co.normal(), co.normal(mean, sd)
    lowest = mp.log(q.pdf(vertex) / p.pdf(vertex))
    return co.Sorted(p, q, (-500, vertex, 500), inf, lowest, 2000, symmetric=False, roots=roots, mu=inf)


def gumbel(d):
    """The loss is d - e^-x (e^d - 1), so its supremum is d.

    Below x, Q has the mass of P to the power e^d: in the far tail no mu dominates.
    """
    d = mpf(d)

    def cut(e):
        return -mp.log((d - e) / mp.expm1(d)) if e < d else mpf(1000)

    return shifted(co.gumbel(), d, -8, 1000, mp.exp(d), symmetric=False, least_ratio=mpf(0), cut=cut, mu=inf)
