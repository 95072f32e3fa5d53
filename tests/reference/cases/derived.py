"""Guarantees without a mechanism, groups, and mechanisms that fail."""

from tests.reference.cases import pairs
from tests.reference.cases.base import Case
from tests.reference.oracles import discrete as di
from tests.reference.oracles import guarantees as gu
from tests.reference.oracles.curve import Failing, Group

CASES: dict[str, Case] = {}

for p in (5e-9, 5e-5, 0.045, 0.5, 4.5, 50.0):
    CASES[f"zcdp {p}"] = Case(
        lambda p=p: gu.ZeroConcentrated(p),
        lambda dl, p=p: dl.ZeroConcentratedDP(rho=p),
        epsilons=(1.0,) if p == 0.5 else (),
        deltas=(),
        questions=(),
        tolerance=1e-11,  # the best order is searched for
        dps=30,
        live=False,
    )
CASES |= {
    "renyi one order": Case(
        lambda: gu.RenyiCurve([2.0], [0.5]),
        lambda dl: dl.RenyiDP(orders=[2.0], epsilons=[0.5]),
        epsilons=(0.0, 1.0, 3.0),
        deltas=(),
        questions=(("Advantage", {}), ("AttackPower", {"fpr": 1e-3})),
        dps=40,
    ),
    "renyi four orders": Case(
        lambda: gu.RenyiCurve([1.25, 2.0, 8.0, 64.0], [0.01, 0.02, 0.09, 1.5]),
        lambda dl: dl.RenyiDP(orders=[1.25, 2.0, 8.0, 64.0], epsilons=[0.01, 0.02, 0.09, 1.5]),
        epsilons=(0.0, 0.3),
        deltas=(),
        questions=(("Advantage", {}), ("AttackPower", {"fpr": 1e-3})),
        dps=40,
        tolerance=1e-11,  # searched; the curve claims 1e-9
    ),
}

FEW = (("Advantage", {}), ("AttackPower", {"fpr": 1e-3}), ("RelativeRisk", {"fpr": 1e-3, "prior": 0.0}))
MIDDLE = (1e-30, 1e-12, 1e-6, 0.01, 0.3, 0.5, 0.7, 0.99)
for k in (2, 3):
    CASES |= {
        f"gaussian 0.3 group {k}": Case(
            lambda k=k: Group(pairs.gaussian(0.3), k),
            lambda dl, k=k: dl.Gaussian(sigma=1.0, sensitivity=0.3).group(k),
            alphas=MIDDLE,
            deltas=(),
            questions=(),
        ),
        f"laplace 0.5 group {k}": Case(
            lambda k=k: Group(pairs.laplace(0.5), k),
            lambda dl, k=k: dl.Laplace(scale=1.0, sensitivity=0.5).group(k),
            alphas=MIDDLE,
            epsilons=(0.0, 0.4),
            deltas=(),
            questions=FEW,
            live=False,
        ),
        f"randomised response group {k}": Case(
            lambda k=k: Group(di.randomised_response(1.0, 4), k),
            lambda dl, k=k: dl.RandomizedResponse(epsilon=1.0, categories=4).group(k),
            epsilons=(0.0, 0.7, 1.5),
            deltas=(),
            questions=FEW,
            stored=False,
        ),
        f"approximate dp group {k}": Case(
            lambda k=k: Group(di.approximate_dp(0.5, 1e-6), k),
            lambda dl, k=k: dl.ApproximateDP(epsilon=0.5, delta=1e-6).group(k),
            epsilons=(0.0, 0.7),
            deltas=(),
            questions=FEW,
            stored=False,
        ),
    }
CASES |= {
    "laplace as replace": Case(
        lambda: Group(pairs.laplace(0.5), 2),
        lambda dl: dl.Laplace(scale=2.0, sensitivity=1.0).as_replace(),
        alphas=MIDDLE,
        deltas=(),
        questions=(),
    ),
    "gaussian fails": Case(
        lambda: Failing(pairs.gaussian(1.0), 1e-6),
        lambda dl: dl.Gaussian(sigma=1.0, sensitivity=1.0).fails_with(1e-6),
        epsilons=(0.0, 1.0, 5.0),
        deltas=(1e-7, 1e-3),
        questions=FEW,
    ),
    "laplace fails": Case(
        lambda: Failing(pairs.laplace(1.0), 0.03125),
        lambda dl: dl.Laplace(scale=1.0, sensitivity=1.0).fails_with(0.03125),
        epsilons=(0.0, 0.5, 1.0, 2.0),
        deltas=(1e-3, 0.05),
        questions=FEW,
    ),
    "randomised response fails": Case(
        lambda: Failing(di.randomised_response(1.0, 3), 1e-9),
        lambda dl: dl.RandomizedResponse(epsilon=1.0, categories=3).fails_with(1e-9),
        epsilons=(0.0, 0.5, 2.0),
        deltas=(1e-12, 1e-3),
        questions=FEW,
        stored=False,
    ),
}
