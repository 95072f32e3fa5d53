"""Draw random compositions, store their true values: python -m tests.composition.make_values [seconds] [part of name].

Every case is drawn from a seed of its own, so the list does not depend on which draws were too slow to be kept. A case
holds the release (what tests.composition.releases builds with dplens) and answers to about 20 digits.
"""

import json
import math
import random
import signal
import sys
import time
from pathlib import Path

from mpmath import mp, mpf

from tests.composition import oracles as o

FILE = Path(__file__).with_name("values.json")
DIGITS = 22
PATIENCE = 60  # seconds for one case


def log_uniform(r, low, high, digits=3):
    return float(f"{math.exp(r.uniform(math.log(low), math.log(high))):.{digits}g}")


def count(r, low, high):
    return round(log_uniform(r, low, high))


def mean_sigma(r, n, low=0.05, high=4.0):
    """A noise for which n steps together have a mu between low and high, within 0.3 … 100."""
    return min(max(float(f"{math.sqrt(n) / log_uniform(r, low, high):.4g}"), 0.3), 100.0)


# ---- families: each returns (release, reference) -----------------------------------------------------------
# a release: [[name, arguments, [kind of sampling, rate] or None, count], …]


def gaussians(r):
    parts, square = [], mpf(0)
    for _ in range(r.randint(1, 4)):
        n = count(r, 1, 10**6)
        sigma = mean_sigma(r, n)
        parts.append(["Gaussian", {"sigma": sigma}, None, n])
        square += n / mpf(sigma) ** 2
    return parts, o.Gauss(mp.sqrt(square))


def laplace_few(r):
    n, scale = r.randint(2, 14), log_uniform(r, 0.3, 20)
    return [["Laplace", {"scale": scale}, None, n]], o.Residues(1 / mpf(scale), n)


def laplace_many(r):
    n = count(r, 100, 10**6)
    scale = float(f"{math.sqrt(n) / log_uniform(r, 0.1, 6):.4g}")
    return [["Laplace", {"scale": scale}, None, n]], o.Contour([(o.LaplaceStep(1 / mpf(scale)), n)])


def bounded_range(r):
    n = r.choice([r.randint(2, 14), count(r, 40, 10**6)])
    e = float(f"{log_uniform(r, 0.2, 6) / math.sqrt(n):.4g}")
    reference = o.Residues(e, n, "range") if n < 20 else o.Contour([(o.RangeStep(e), n)])
    return [["Exponential", {"epsilon": e}, None, n]], reference


def binary_response(r):
    n = count(r, 2, 10**6)
    e = float(f"{log_uniform(r, 0.1, 6) / math.sqrt(n):.4g}")
    rows = o.randomized_response(e)
    return [["RandomizedResponse", {"epsilon": e}, None, n]], o.Binomial(rows, n)


def response(r):
    n, k = count(r, 2, 200), r.randint(3, 9)
    e = float(f"{min(log_uniform(r, 0.3, 8) / math.sqrt(n), 4):.4g}")
    rows = o.randomized_response(e, k)
    return [["RandomizedResponse", {"epsilon": e, "categories": k}, None, n]], o.Table(o.product_table([(rows, n)]))


def _pair(r, size, proofs=False):
    """Masses in units of 1/4096, so that they add up to 1 exactly."""

    def law():
        cuts = sorted(r.sample(range(1, 4096), size - 1))
        return [(b - a) / 4096 for a, b in zip([0, *cuts], [*cuts, 4096])]

    p, q = law(), law()
    if proofs:
        p, q = [*p, 0.0, 1 / 1024], [*q, 1 / 512, 0.0]
        p[0], q[0] = p[0] - 1 / 1024, q[0] - 1 / 512
        if min(p[0], q[0]) <= 0:
            return _pair(r, size, proofs)
    return p, q


def finite(r):
    size, proofs = r.choice([2, 3, 3, 4]), r.random() < 0.3
    n = r.randint(2, {2: 60, 3: 40, 4: 12}[size])
    n = min(n, 6) if proofs else n
    p, q = _pair(r, size, proofs)
    rows = list(zip(p, q))
    return [["FinitePair", {"p": p, "q": q}, None, n]], o.Table(o.product_table([(rows, n)]))


def geometric(r):
    n, sensitivity = count(r, 2, 100), r.randint(1, 2)
    scale = float(f"{sensitivity * math.sqrt(n) / log_uniform(r, 0.3, 6):.4g}")
    rows = o.geometric(scale, sensitivity)
    release = [["Geometric", {"scale": scale, "sensitivity": sensitivity}, None, n]]
    return release, o.Table(o.product_table([(rows, n)]))


def staircase(r):
    n = count(r, 2, 100)
    e = max(float(f"{log_uniform(r, 0.5, 6) / math.sqrt(n):.4g}"), 0.2)
    return [["Staircase", {"epsilon": e}, None, n]], o.Table(o.product_table([(o.staircase(e), n)]))


def approximate(r):
    n = count(r, 2, 10**5)
    e = float(f"{log_uniform(r, 0.1, 6) / math.sqrt(n):.4g}")
    d = log_uniform(r, 1e-12, 1e-2) / n
    rows = o.approximate_dp(e, d)
    return [["ApproximateDP", {"epsilon": e, "delta": d}, None, n]], o.Binomial(rows, n)


def uniform(r):
    n, records = count(r, 2, 300), count(r, 2, 10**6)
    mu = log_uniform(r, 0.05, 3)
    replace = r.random() < 0.5
    rows = o.uniform_sampling(mu, records, replace)
    name = "UniformSampling/replace" if replace else "UniformSampling"
    return [[name, {"mu": mu, "n": records}, None, n]], o.Table(o.product_table([(rows, n)]))


def discrete_gaussian(r):
    n, sigma, sensitivity = r.randint(2, 3), log_uniform(r, 0.4, 4), r.randint(1, 2)
    rows = o.lattice_power(o.discrete_gaussian(sigma, sensitivity), n)
    return [["DiscreteGaussian", {"sigma": sigma, "sensitivity": sensitivity}, None, n]], o.Table(rows)


def finite_and_gaussian(r):
    n, e, sigma = r.randint(1, 6), log_uniform(r, 0.05, 2), log_uniform(r, 0.3, 5)
    p, q = _pair(r, 2)
    rows = o.product_table([(o.randomized_response(e, 3), n), (list(zip(p, q)), 2)])
    release = [
        ["RandomizedResponse", {"epsilon": e, "categories": 3}, None, n],
        ["FinitePair", {"p": p, "q": q}, None, 2],
        ["Gaussian", {"sigma": sigma}, None, 1],
    ]
    return release, o.Conditioned(rows, o.Gauss(1 / mpf(sigma)))


def finite_and_laplace(r):
    n, m, e, scale = r.randint(1, 5), r.randint(1, 4), log_uniform(r, 0.05, 2), log_uniform(r, 0.5, 5)
    rows = o.product_table([(o.randomized_response(e), n)])
    release = [["RandomizedResponse", {"epsilon": e}, None, n], ["Laplace", {"scale": scale}, None, m]]
    return release, o.Conditioned(rows, o.Residues(1 / mpf(scale), m))


def mixture(r):
    n, m, k = count(r, 1, 50), count(r, 1, 50), count(r, 1, 50)
    sigma, scale = mean_sigma(r, n, 0.5, 3), float(f"{math.sqrt(m) / log_uniform(r, 0.1, 2):.4g}")
    e = float(f"{log_uniform(r, 0.05, 2) / math.sqrt(k):.4g}")
    d = r.choice([0.0, 1e-9])
    name, rows, arguments = "RandomizedResponse", o.randomized_response(e), {"epsilon": e}
    if d:
        name, rows, arguments = "ApproximateDP", o.approximate_dp(e, d), {"epsilon": e, "delta": d}
    release = [
        ["Gaussian", {"sigma": sigma}, None, n],
        ["Laplace", {"scale": scale}, None, m],
        [name, arguments, None, k],
    ]
    parts = [(o.GaussStep(1 / mpf(sigma)), n), (o.LaplaceStep(1 / mpf(scale)), m), (o.table_step(rows), k)]
    return release, o.Contour(parts)


def sampled_gaussian(r):
    n = count(r, 300, 10**6)
    sigma = log_uniform(r, 0.5, 20)
    q = float(f"{min(log_uniform(r, 0.2, 3) * sigma / math.sqrt(n), 0.9):.3g}")
    q = max(q, 1e-6)
    step = o.sampled_gauss_step(1 / mpf(sigma), q)
    return [["Gaussian", {"sigma": sigma}, ["poisson", q], n]], o.Contour([(step, n)])


def sampled_gaussian_once(r):
    sigma, q = log_uniform(r, 0.3, 100), log_uniform(r, 1e-6, 0.9)
    return [["Gaussian", {"sigma": sigma}, ["poisson", q], 1]], o.SampledGaussOnce(1 / mpf(sigma), q)


def sampled_gaussian_twice(r):
    sigma, q = log_uniform(r, 0.5, 5), log_uniform(r, 0.01, 0.9)
    return [["Gaussian", {"sigma": sigma}, ["poisson", q], 2]], o.sampled_gauss_twice(1 / mpf(sigma), q)


def sampled_and_others(r):
    """A DP-SGD run, a Gaussian release and some Laplace ones."""
    n, q, sigma = count(r, 1, 20000), log_uniform(r, 1e-3, 0.2), log_uniform(r, 0.7, 10)
    noise, scale, m = log_uniform(r, 0.5, 10), log_uniform(r, 0.5, 20), r.randint(1, 20)
    release = [
        ["Gaussian", {"sigma": sigma}, ["poisson", q], n],
        ["Gaussian", {"sigma": noise}, None, 1],
        ["Laplace", {"scale": scale}, None, m],
    ]
    parts = [
        (o.sampled_gauss_step(1 / mpf(sigma), q), n),
        (o.GaussStep(1 / mpf(noise)), 1),
        (o.LaplaceStep(1 / mpf(scale)), m),
    ]
    return release, o.Contour(parts)


def sampled_finite(r):
    q = log_uniform(r, 1e-6, 0.9)
    kind = r.randint(0, 2)
    if kind == 0:
        n, e = count(r, 2, 10**5), log_uniform(r, 0.1, 4)
        rows = o.thinned(o.randomized_response(e), q)
        return [["RandomizedResponse", {"epsilon": e}, ["poisson", q], n]], o.Binomial(rows, n)
    n = count(r, 2, 100)
    p, other = _pair(r, 3)
    rows = o.thinned([(mpf(a), mpf(b)) for a, b in zip(p, other)], q)
    return [["FinitePair", {"p": p, "q": other}, ["poisson", q], n]], o.Table(o.product_table([(rows, n)]))


def sampled_laplace(r):
    scale, q, n = log_uniform(r, 0.3, 5), log_uniform(r, 0.01, 0.9), r.choice([1, 2, 2, count(r, 300, 20000)])
    release = [["Laplace", {"scale": scale}, ["poisson", q], n]]
    e = 1 / mpf(scale)
    if n == 1:
        return release, o.SampledLaplaceOnce(e, q)
    return release, o.sampled_laplace_twice(e, q) if n == 2 else o.Contour([(o.sampled_laplace_step(e, q), n)])


def without_replacement(r):
    q, n, k, e = log_uniform(r, 1e-3, 0.9), count(r, 1, 60), r.randint(2, 5), log_uniform(r, 0.1, 4)
    rows = o.symmetrised(o.randomized_response(e, k), q)
    arguments = {"epsilon": e, "categories": k}
    release = [["RandomizedResponse/replace", arguments, ["without_replacement", q], n]]
    return release, o.Table(o.product_table([(rows, n)]))


def without_replacement_gaussian(r):
    q, n, sigma = log_uniform(r, 0.05, 0.3), count(r, 1000, 5000), log_uniform(r, 0.8, 3)
    step = o.symmetrised_gauss_step(1 / mpf(sigma), q, 30, 8)
    return [["Gaussian/replace", {"sigma": sigma}, ["without_replacement", q], n]], o.Contour([(step, n)])


def failing(r):
    kappa, scale, n = log_uniform(r, 1e-9, 0.1), log_uniform(r, 0.3, 10), r.randint(2, 8)
    seen = (1 - mpf(kappa)) ** n
    rows = [(1 - seen, mpf(0)), (mpf(0), 1 - seen), (seen, seen)]
    release = [["Laplace/failing", {"scale": scale, "probability": kappa}, None, n]]
    return release, o.Conditioned(rows, o.Residues(1 / mpf(scale), n))


FAMILIES = {
    gaussians: 20,
    laplace_few: 16,
    laplace_many: 18,
    bounded_range: 18,
    binary_response: 20,
    response: 20,
    finite: 34,
    geometric: 14,
    staircase: 12,
    approximate: 16,
    uniform: 12,
    discrete_gaussian: 8,
    finite_and_gaussian: 14,
    finite_and_laplace: 12,
    mixture: 20,
    sampled_gaussian: 40,
    sampled_gaussian_once: 12,
    sampled_gaussian_twice: 6,
    sampled_and_others: 24,
    sampled_finite: 28,
    sampled_laplace: 14,
    without_replacement: 18,
    without_replacement_gaussian: 2,
    failing: 8,
}


def questions(r, true):
    """[direction, question, argument, answer] with answers as text."""
    out = []

    def add(direction, question, argument, answer):
        out.append([direction, question, argument, mp.nstr(answer, DIGITS)])

    back = true.mirror()
    if isinstance(true, o.TwoSteps) and mp.isinf(true.second.top):  # integrals that are too slow to be searched
        for e in (float(f"{r.uniform(0, 0.5):.4g}"), float(f"{r.uniform(0.5, 3):.4g}")):
            values = {"add": true.delta(e), "remove": back.delta(e)}
            for direction, value in (values | {"both": max(values.values())}).items():
                add(direction, "delta", e, value)
        return out
    delta = log_uniform(r, 1e-30, 1e-3)
    found = {}
    for direction, side in (("add", true), ("remove", back)):
        epsilon = found[direction] = side.epsilon(delta)
        add(direction, "epsilon", delta, epsilon)
    add("both", "epsilon", delta, max(found.values()))
    finite_ones = [x for x in found.values() if mp.isfinite(x) and x > 0]
    top = float(max(finite_ones)) if finite_ones else 1.0
    e = float(f"{r.choice([0.0, top * r.uniform(0, 1), top * r.uniform(0.5, 1), -top * r.uniform(0, 0.3)]):.6g}")
    values = {"add": true.delta(e), "remove": back.delta(e)}
    for direction, value in values.items():
        add(direction, "delta", e, value)
    if e >= 0:
        add("both", "delta", e, max(values.values()))
    alpha = log_uniform(r, 1e-12, 0.5)
    add("add", "power", alpha, true.power(alpha))
    alpha = log_uniform(r, 1e-12, 0.5)
    add("remove", "power", alpha, back.power(alpha))
    alpha = 1 - log_uniform(r, 1e-6, 0.5)
    add("add", "beta", alpha, true.beta(alpha))
    return out


class OutOfTime(Exception):
    pass


def _alarm(*_):
    raise OutOfTime


def case(family, i):
    r = random.Random(f"{family.__name__} {i}")
    release, true = family(r)
    return {"release": release, "answers": questions(r, true)}


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3600.0
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    known = json.loads(FILE.read_text()) if FILE.exists() else {}
    start = time.time()
    signal.signal(signal.SIGALRM, _alarm)
    plan = sorted((i / n, f.__name__, i, f) for f, n in FAMILIES.items() for i in range(n))
    for _, name, i, family in plan:
        key = f"{name} {i}"
        if key in known or wanted not in key or time.time() - start > seconds:
            continue
        begun = time.time()
        signal.alarm(PATIENCE)
        try:
            known[key] = case(family, i)
            note = ""
        except (o.TooSlow, OutOfTime) as problem:
            note = type(problem).__name__
        except Exception as problem:
            note = repr(problem)
        signal.alarm(0)
        sys.stdout.write(f"{key:36s} {time.time() - begun:6.2f}s {note}\n")
        sys.stdout.flush()
        rows = sorted(known.items())
        FILE.write_text("{\n" + ",\n".join(f"{json.dumps(k)}:{json.dumps(v)}" for k, v in rows) + "\n}\n")


if __name__ == "__main__":
    main()
