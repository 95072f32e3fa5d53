"""Mechanisms whose curve is known exactly."""

from tests.reference.cases import pairs
from tests.reference.cases.base import (
    PARAMETERS,
    QUESTIONS,
    Case,
    depths,
    directed,
    questions,
    rough_steps,
    steps,
)
from tests.reference.oracles import discrete as di
from tests.reference.oracles import guarantees as gu
from tests.reference.oracles.numerics import mpf

CASES: dict[str, Case] = {}

for m in PARAMETERS:
    orders = QUESTIONS if m <= 10 else questions("Renyi")
    CASES[f"gaussian {m}"] = Case(
        lambda m=m: pairs.gaussian(m),
        lambda dl, m=m: dl.Gaussian(sigma=1.0, sensitivity=m),
        epsilons=depths(m),
        questions=orders,
    )
    CASES[f"laplace {m}"] = Case(
        lambda m=m: pairs.laplace(m),
        lambda dl, m=m: dl.Laplace(scale=1.0, sensitivity=m),
        epsilons=steps(m),
    )
    CASES[f"exponential {m}"] = Case(
        lambda m=m: gu.bounded_range(m),
        lambda dl, m=m: dl.Exponential(epsilon=m),
        epsilons=steps(m),
        deltas=(1e-5, 0.1),
        questions=questions("Renyi"),
        dps=50,
        live=False,
    )
    CASES[f"randomised response {m}"] = Case(
        lambda m=m: di.randomised_response(m, 2),
        lambda dl, m=m: dl.RandomizedResponse(epsilon=m),
        epsilons=steps(m),
        stored=False,
    )
    CASES[f"approximate dp {m}"] = Case(
        lambda m=m: di.approximate_dp(m, 1e-5),
        lambda dl, m=m: dl.ApproximateDP(epsilon=m, delta=1e-5),
        epsilons=steps(m),
        stored=False,
    )
    CASES[f"staircase {m}"] = Case(
        lambda m=m: di.staircase(m),
        lambda dl, m=m: dl.Staircase(epsilon=m, sensitivity=1.0),
        epsilons=steps(m),
    )

CASES |= {
    "gaussian 0.7/0.3": Case(
        lambda: pairs.gaussian(mpf(0.7) / mpf(0.3)),
        lambda dl: dl.Gaussian(sigma=0.3, sensitivity=0.7),
        epsilons=depths(0.7 / 0.3),
    ),
    "gaussian dp 1.3": Case(
        lambda: pairs.gaussian(1.3), lambda dl: dl.GaussianDP(mu=1.3), epsilons=depths(1.3), questions=()
    ),
    "laplace 0.7/0.3": Case(
        lambda: pairs.laplace(mpf(0.7) / mpf(0.3)),
        lambda dl: dl.Laplace(scale=0.3, sensitivity=0.7),
        epsilons=rough_steps(2.3),
    ),
    "pure dp 1.5": Case(
        lambda: di.approximate_dp(1.5, 0),
        lambda dl: dl.ApproximateDP(epsilon=1.5, delta=0.0),
        epsilons=steps(1.5),
        stored=False,
    ),
    "only delta": Case(
        lambda: di.approximate_dp(0, 0.125),
        lambda dl: dl.ApproximateDP(epsilon=0.0, delta=0.125),
        epsilons=(0.0, 1.0),
        stored=False,
    ),
}

for eps, k in ((1e-2, 3), (1.0, 3), (1.0, 10), (3.0, 100), (10.0, 5)):
    CASES[f"randomised response {eps} {k}"] = Case(
        lambda eps=eps, k=k: di.randomised_response(eps, k),
        lambda dl, eps=eps, k=k: dl.RandomizedResponse(epsilon=eps, categories=k),
        epsilons=steps(eps),
        stored=False,
    )
for scale, d in ((1e4, 1), (1e4, 7), (100.0, 1), (3.0, 2), (1.0, 1), (1.0, 4), (0.1, 1), (0.02, 1), (0.5, 12)):
    CASES[f"geometric {scale} {d}"] = Case(
        lambda scale=scale, d=d: di.geometric(scale, d),
        lambda dl, scale=scale, d=d: dl.Geometric(scale=scale, sensitivity=d),
        epsilons=rough_steps(d / scale),
    )
for sigma, d in ((300.0, 3), (100.0, 1), (10 / 3, 1), (2.0, 1), (2.0, 5), (0.5, 1), (0.1, 1), (0.02, 1)):
    CASES[f"discrete gaussian {sigma:.4g} {d}"] = Case(
        lambda sigma=sigma, d=d: di.discrete_gaussian(sigma, d),
        lambda dl, sigma=sigma, d=d: dl.DiscreteGaussian(sigma=sigma, sensitivity=d),
        epsilons=depths(d / sigma)[:8],
        live=sigma < 50,
    )
CASES["discrete gaussian 1e4 1"] = Case(
    lambda: di.discrete_gaussian(1e4, 1),
    lambda dl: dl.DiscreteGaussian(sigma=1e4, sensitivity=1),
    epsilons=depths(1e-4)[:8],
    deltas=(),
    questions=(),
    live=False,
)
for mu, n in ((1e-4, 5), (1.0, 5), (3.0, 2), (1.0, 1000)):
    CASES[f"uniform sampling {mu} {n} replace"] = Case(
        lambda mu=mu, n=n: di.uniform_sampling(mu, n, "replace"),
        lambda dl, mu=mu, n=n: dl.UniformSampling(mu=mu, n=n, neighbours="replace"),
        epsilons=(0.0, 0.1, 1.0),
        stored=False,
    )
    CASES[f"uniform sampling {mu} {n} both"] = Case(
        lambda mu=mu, n=n: di.uniform_sampling(mu, n, "add_remove").both(),
        lambda dl, mu=mu, n=n: dl.UniformSampling(mu=mu, n=n),
        epsilons=(0.0, 0.1, 1.0),
        stored=False,
    )
    for direction in ("add", "remove"):
        CASES[f"uniform sampling {mu} {n} {direction}"] = Case(
            lambda mu=mu, n=n, direction=direction: directed(di.uniform_sampling(mu, n, "add_remove"), direction),
            lambda dl, mu=mu, n=n: dl.UniformSampling(mu=mu, n=n),
            direction=direction,
            epsilons=(0.0, 1e-3, 0.1, 1.0),
            deltas=(1e-2, 0.1, 0.3),
            questions=questions("Renyi"),
            stored=False,
        )

DYADIC = {
    "four": ([0.5, 0.25, 0.125, 0.125], [0.125, 0.125, 0.5, 0.25]),
    "zeros": ([0.5, 0.375, 0.125, 0.0], [0.25, 0.375, 0.25, 0.125]),
    "skewed": ([2.0**-40, 0.5, 0.5 - 2.0**-40], [2.0**-10, 0.75, 0.25 - 2.0**-10]),
    "ties": ([0.25, 0.25, 0.25, 0.125, 0.125], [0.5, 0.125, 0.125, 0.0625, 0.1875]),
}
for name, (p, q) in DYADIC.items():
    for direction in ("both", "add", "remove"):
        CASES[f"finite pair {name} {direction}"] = Case(
            lambda p=p, q=q, direction=direction: (
                di.Atoms(p, q).both() if direction == "both" else directed(di.Atoms(p, q), direction)
            ),
            lambda dl, p=p, q=q: dl.FinitePair(p=p, q=q),
            direction=direction,
            epsilons=(0.0, 0.3, 1.0, 3.0),
            deltas=(1e-5, 1e-2, 0.1, 0.2),
            questions=QUESTIONS if direction == "both" else questions("Renyi"),
            stored=False,
        )

# Bounded noise on whole numbers, shifted: dyadic masses from the smallest to the largest value.
BOUNDED = {
    "log-concave by 1": ([0.125, 0.25, 0.25, 0.25, 0.125], 1),
    "log-concave by 2": ([0.125, 0.25, 0.25, 0.25, 0.125], 2),
    "skewed": ([0.0625, 0.5, 0.25, 0.125, 0.0625], 1),
}
for name, (masses, by) in BOUNDED.items():
    for direction in ("both", "add", "remove"):
        CASES[f"bounded noise {name} {direction}"] = Case(
            lambda masses=masses, by=by, direction=direction: (
                di.Atoms(masses + [0.0] * by, [0.0] * by + masses).both()
                if direction == "both"
                else directed(di.Atoms(masses + [0.0] * by, [0.0] * by + masses), direction)
            ),
            lambda dl, masses=masses, by=by: dl.BoundedNoise(
                values=range(len(masses)), probabilities=masses, sensitivity=by
            ),
            direction=direction,
            epsilons=(0.0, 0.3, 1.0, 3.0),
            deltas=(1e-2, 0.1, 0.2),
            questions=QUESTIONS if direction == "both" else questions("Renyi"),
            stored=False,
        )
