"""Additive noise from a SciPy law, and pairs of SciPy laws."""

from tests.reference.cases import pairs
from tests.reference.cases.base import Case, questions
from tests.reference.oracles import continuous as co
from tests.reference.oracles.curve import Both
from tests.reference.oracles.numerics import inf, mpf

CASES: dict[str, Case] = {}


def noise_case(oracle, law, d, **more):
    """AdditiveNoise with a SciPy law; `law` names it and gives its parameters."""

    def make(dl):
        from scipy import stats

        return dl.AdditiveNoise(noise=getattr(stats, law[0])(*law[1:]), sensitivity=d)

    more = {"epsilons": (0.0, d / 4, d / 2, 0.9 * d), "deltas": (1e-9, 1e-5, 1e-2, 0.1), "live": False} | more
    return Case(oracle, make, tolerance=1e-6, delta_tolerance=1e-6, **more)


for d in (0.1, 1.0, 5.0):
    heavy = questions("Renyi") if d == 1.0 else questions("Renyi", "Mu")  # a search over a slow curve
    CASES[f"cauchy {d}"] = noise_case(lambda d=d: pairs.cauchy(d), ("cauchy",), d, questions=heavy)
    CASES[f"student3 {d}"] = noise_case(lambda d=d: pairs.student3(d), ("t", 3), d, questions=heavy)
    CASES[f"logistic {d}"] = noise_case(lambda d=d: pairs.logistic(d), ("logistic",), d, live=True)
    CASES[f"gennorm {d}"] = noise_case(
        lambda d=d: pairs.shifted(co.generalised_normal(1.5), d, -120, 120, inf), ("gennorm", 1.5), d, dps=40
    )
for d in (0.02, 0.25, 0.9):
    CASES[f"uniform {d}"] = noise_case(
        lambda d=d: pairs.shifted(co.uniform(), d, -0.5, 0.5, inf, least_ratio=mpf(0)),
        ("uniform", -0.5, 1.0),
        d,
        live=True,
    )
for d in (0.1, 1.0):
    CASES[f"truncnorm {d}"] = noise_case(
        lambda d=d: pairs.truncated(-2, 2, d, True), ("truncnorm", -2.0, 2.0), d, live=True
    )
ONE_SIDED = questions("AUC", "Renyi")
CASES |= {
    "laplace as noise": noise_case(lambda: pairs.laplace(1.0), ("laplace",), 1.0, live=True),
    "normal as noise": noise_case(lambda: pairs.gaussian(1.0), ("norm",), 1.0, live=True),
    "truncnorm skewed both": noise_case(
        lambda: Both(pairs.truncated(-1, 3, 0.5, False)), ("truncnorm", -1.0, 3.0), 0.5, questions=ONE_SIDED, dps=40
    ),
    "gumbel both": noise_case(lambda: Both(pairs.gumbel(1.0)), ("gumbel_r",), 1.0, questions=ONE_SIDED, dps=40),
    "gumbel add": noise_case(
        lambda: pairs.gumbel(1.0), ("gumbel_r",), 1.0, direction="add", questions=questions("Renyi"), live=True
    ),
    "gumbel remove": noise_case(
        lambda: pairs.gumbel(1.0).mirror(),
        ("gumbel_r",),
        1.0,
        direction="remove",
        questions=questions("Renyi"),
        live=True,
    ),
}


def normals(dl):
    from scipy import stats

    return dl.ContinuousPair(p=stats.norm(0.0, 1.0), q=stats.norm(1.0, 2.0))


PAIR = {"epsilons": (0.0, 0.5, 2.0, 10.0), "deltas": (1e-9, 1e-5, 0.1), "questions": ONE_SIDED, "live": False}
PAIR |= {"tolerance": 1e-6, "delta_tolerance": 1e-6, "dps": 40}
CASES |= {
    "binormal add": Case(lambda: pairs.unequal_normals(1, 2), normals, direction="add", **PAIR),
    "binormal remove": Case(lambda: pairs.unequal_normals(1, 2).mirror(), normals, direction="remove", **PAIR),
    "binormal both": Case(lambda: Both(pairs.unequal_normals(1, 2)), normals, **PAIR),
}
