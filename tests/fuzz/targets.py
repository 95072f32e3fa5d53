"""What is called: every public name with good arguments, and every public method of what these calls return.

``calls`` holds a good call of each public name that a user calls; names that are only ever returned (``Calibration``,
``Decision``, …) are reached through the calls that return them. A test keeps ``untouched`` empty. Methods are those of
the public class, without the few that the reference does not document.
"""

from __future__ import annotations

import functools
import inspect
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import opendp.prelude as opendp
from dp_accounting.pld import privacy_loss_distribution
from scipy import stats

import dplens as dl


@dataclass(frozen=True)
class Call:
    """One call: a label, what is called, good arguments by position and by name."""

    label: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    named: tuple[tuple[str, Any], ...] = ()

    def run(self) -> Any:
        return self.function(*self.arguments, **dict(self.named))

    def __str__(self) -> str:
        shown = [_short(a) for a in self.arguments] + [f"{k}={_short(v)}" for k, v in self.named]
        return f"{self.label}({', '.join(shown)})"


def _short(value: Any) -> str:
    try:
        text = " ".join(repr(value).split())
    except Exception as error:  # hostile values may not even have a repr
        return f"<{type(value).__name__}: {type(error).__name__}>"
    return text if len(text) < 200 else text[:197] + "..."


def gaussian() -> Any:
    return dl.Gaussian(sigma=2.0)


def training() -> Any:
    return dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=100)


def couple() -> Any:
    return dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]])


def mean_test() -> Any:
    return dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, bounds=(0, 1))


def draw_mean(rng: Any, n: int, effect: float) -> Any:
    return rng.normal(effect, 1.0, n)


def opendp_laplace() -> Any:
    opendp.enable_features("contrib", "floating-point")
    space = opendp.atom_domain(T=float, nan=False), opendp.absolute_distance(T=float)
    return opendp.m.make_laplace(*space, scale=1.0)


def noisy(data: Any, rng: Any) -> float:
    return float(np.sum(data) + rng.laplace())


@functools.cache
def assessment() -> Any:
    return dl.assess(gaussian(), adversary=dl.Adversary(prior=0.1), n=1000)


def _call(name: str, /, *arguments: Any, **named: Any) -> Call:
    function: Any = dl
    for part in name.split("."):
        function = getattr(function, part)
    return Call(name, function, arguments, tuple(named.items()))


def _queries() -> tuple[Call, ...]:
    """Queries and promises on their accuracy, with their releases."""
    person = dl.Unit(name="person", max_records=3, max_cells=2, max_per_cell=2)
    table = dl.Table(dimensions={"a": 3, "b": 2}, margins=[("a",), ()], unit=person)
    quantile = dl.Quantile(probabilities=[0.25, 0.5], grid=[0.0, 1.0, 2.0])
    suppressed = dl.Suppressed(table=dl.Histogram(cells=None, unit=person), threshold=20)
    noisy_table = table.release(dl.Laplace, scale=2.0)
    promised: dict[str, Any] = {"query": table, "probability": 0.9}
    return (
        _call("Unit", name="person", max_records=3, max_cells=2, max_per_cell=2, exact=False),
        _call("Count", unit=person, neighbours="replace", processing=[dl.NonNegative()]),
        _call("Sum", bounds=[(0, 1), (-2, 3)], unit=person, whole=True),
        _call("Mean", bounds=(0.0, 1.0), n=100, unit=person),
        _call("Histogram", cells=5, unit=person, neighbours="replace"),
        _call("Table", dimensions={"a": 3, "b": 2}, margins=[("a",), ()], unit=person),
        _call("Quantile", probabilities=[0.25, 0.5], grid=[0.0, 1.0, 2.0]),
        _call("Regression", bounds=[(0, 1), (-1, 1)], response=(0, 2), intercept=True),
        _call("Covariance", bounds=[(0, 1), (-1, 1)], neighbours="replace"),
        _call("Custom", l1=2.0, l2=1.5, linf=1.0, size=4, whole=False),
        _call("Disjoint", by="region", parts={"a": dl.Count(), "b": dl.Count()}, max_parts=1, fixed=False),
        _call("Suppressed", table=table, threshold=5.0, counts="noisy"),
        _call("Rounding", base=5),
        _call("NonNegative"),
        _call("ConsistentMargins"),
        Call("Table.sensitivity", table.sensitivity, ("replace",)),
        Call("Table.release", table.release, (dl.DiscreteGaussian,), (("sigma", 2.0),)),
        Call("Quantile.release", quantile.release, (dl.Exponential,), (("epsilon", 1.0),)),
        Call("Suppressed.release", suppressed.release, (dl.Geometric,), (("scale", 2.0),)),
        _call("ErrorWithin", margin=5, **promised),
        _call("AllWithin", margin=5, **promised),
        _call("RelativeError", margin=0.1, above=100, **promised),
        _call("IntervalWidth", query=table, width=10, confidence=0.95),
        _call("RankError", query=quantile, margin=10, probability=0.9),
        _call("SignKept", value=5, **promised),
        _call("OrderKept", difference=5, **promised),
        Call("AllWithin.of", dl.AllWithin(margin=5, **promised).of, (noisy_table,)),
        Call("IntervalWidth.of", dl.IntervalWidth(query=table, width=10).of, (noisy_table,)),
        Call("OrderKept.of", dl.OrderKept(difference=5, **promised).of, (noisy_table,)),
        Call("RankError.met_by", dl.RankError(query=quantile, margin=10, probability=0.9).met_by, (noisy_table,)),
    )


@functools.cache
def calls() -> tuple[Call, ...]:
    """A good call of each public name that users call."""
    rng = np.random.default_rng(0)
    inside, outside = rng.normal(1, 1, 300), rng.normal(0, 1, 300)
    limit = dl.Advantage().at_most(0.2)
    family = {"gaussian": lambda x: dl.Gaussian(sigma=x)}
    chain = {"initial": [0.5, 0.5], "transition": [[0.8, 0.2], [0.3, 0.7]], "length": 4}
    return (
        _call("Gaussian", sigma=2.0, sensitivity=1.0, neighbours="replace"),
        _call("Laplace", scale=1.0, sensitivity=1.0, neighbours="replace"),
        _call("Geometric", scale=1.0, sensitivity=2, neighbours="replace"),
        _call("DiscreteGaussian", sigma=2.0, sensitivity=1, neighbours="replace"),
        _call("Staircase", epsilon=1.0, sensitivity=1.0, gamma=0.3),
        _call("RandomizedResponse", epsilon=1.0, categories=3),
        _call("Exponential", epsilon=1.0),
        _call("UniformSampling", mu=1.0, n=5, neighbours="replace"),
        _call("AdditiveNoise", noise=stats.logistic(scale=2.0), sensitivity=1.0),
        _call("BoundedNoise", values=[-1, 0, 1], probabilities=[0.25, 0.5, 0.25], sensitivity=2),
        _call("FinitePair", p=[0.5, 0.3, 0.2], q=[0.2, 0.3, 0.5]),
        _call("ContinuousPair", p=stats.norm(0, 1), q=stats.norm(1, 1.5)),
        _call("ApproximateDP", epsilon=1.0, delta=1e-5),
        _call("GaussianDP", mu=1.0),
        _call("RenyiDP", orders=[2.0, 4.0, 8.0], epsilons=[0.1, 0.2, 0.4]),
        _call("ZeroConcentratedDP", rho=0.5),
        _call("PrivacyProfile", epsilons=[0.0, 1.0, 2.0], deltas=[0.3, 0.1, 0.01]),
        _call("TradeOffPoints", alphas=[0.0, 0.1, 0.5, 1.0], betas=[1.0, 0.7, 0.2, 0.0]),
        _call("DPSGD", noise_multiplier=1.0, sample_rate=0.01, steps=100),
        _call("DPSGD", noise_multiplier=1.0, epochs=2, batch_size=100, n=5000),
        _call("DPSGDLimit", noise_multiplier=1.0, sample_rate=0.01, steps=100, kind="poisson"),
        _call("compose", gaussian(), dl.Laplace(scale=1.0)),
        _call("compose", training(), gaussian()),
        _call("infimum", gaussian(), dl.Laplace(scale=1.0)),
        _call("supremum", dl.GaussianDP(mu=1.0), dl.ApproximateDP(epsilon=1.0, delta=1e-5)),
        _call("Advantage"),
        _call("AUC"),
        _call("Mu"),
        _call("AttackPower", fpr=0.01),
        _call("Accuracy", prior=0.5),
        _call("Precision", recall=0.5, prior=0.5),
        _call("FScore", weight=1.0, prior=0.5),
        _call("Posterior", prior=0.1, fpr=0.01),
        _call("PosteriorAfterNegative", prior=0.9, fpr=0.1),
        _call("MaxPosterior", prior=0.1),
        _call("RelativeRisk", fpr=0.01, prior=0.1),
        _call("Epsilon", delta=1e-5),
        _call("Delta", epsilon=1.0),
        _call("Renyi", order=2.0),
        _call("MinFPR", fnr=0.1),
        _call("Reconstruction", baseline=1e-6),
        _call("AttributeInference", baseline=0.2),
        _call("InferenceAdvantage", baseline=0.5),
        _call("Cost", false_positive=1.0, false_negative=2.0, prior=0.3),
        _call("Requirement", question=dl.Advantage(), bound=0.1),
        _call("failure_mode", gaussian()),
        _call("Adversary", prior=0.1),
        _call("Adversary.from_coefficients", prior=0.2, record=0.1, temporal=0.1),
        _call("Attack", gaussian(), fpr=0.05, prior=0.1),
        _call("Attack", dl.Laplace(scale=1.0), fpr=0.05, values=(0.0, 1.0)),
        _call("Attack", couple().view(dl.Laplace(scale=1.0), target=0, pair=(0, 1)), fpr=0.1),
        _call(
            "ValueAbove", mechanism=dl.Laplace(scale=1.0), values=[0.0, 1.0, 2.0], gamma=0.5, weights=[0.2, 0.3, 0.5]
        ),
        _call("PrivacyLoss", gaussian().tradeoff()),
        _call("PrivacyLoss.of", gaussian()),
        _call("deniability", dl.Laplace(scale=1.0), output=0.5, candidates=[0.0, 1.0, 2.0], gamma=2.0, true=0),
        _call("Estimate", 0.3, low=0.2, high=0.3),
        _call("Certificate", "exact", 1e-12, "note"),
        _call("register", name="fuzzed"),
        _call("calibrate", lambda x: dl.Gaussian(sigma=x), [limit], start=1.0),
        _call("rank", {"laplace": lambda x: dl.Laplace(scale=x)}, [limit], by="variance"),
        _call("compare", gaussian(), dl.Laplace(scale=1.0), question=dl.Advantage()),
        _call("conversions", gaussian(), delta=1e-5, epsilons=(0.0, 1.0), fprs=(0.0, 0.1), orders=(2.0,)),
        _call("conversion_curves", [0.5, 1.0], order=2.0, delta=1e-5),
        _call("renyi_routes", gaussian(), delta=1e-5, orders=(1.5, 2.0, 8.0)),
        _call("standard_epsilon", 2.0, 0.1, 1e-5),
        _call("improved_epsilon", 2.0, 0.1, 1e-5),
        _call("fscore_curve", [0.5, 1.0], dl.Adversary(prior=0.3), weight=1.0),
        _call("fscore_table", bounds=(0.6,), weights=(1.0,), priors=(0.5,)),
        _call("pr_curve", gaussian(), dl.Adversary(prior=0.3), recalls=(0.1, 0.5)),
        _call("noise_error", gaussian()),
        _call("epsilon_from_fscore", 0.8, weight=1.0, prior=0.5),
        _call("epsilon_from_relative_risk", 2.0),
        _call("gaussian_sigma", epsilon=1.0, delta=1e-5, sensitivity=1.0, method="analytic"),
        _call("mu_from_advantage", 0.2),
        _call("mu_from_auc", 0.7),
        _call("mu_from_power", 0.2, fpr=0.05),
        _call("mu_from_relative_risk", 2.0, fpr=0.05),
        _call(
            "privacy_first", blatant_ok=False, high_confidence_ok=True, limit=limit, families=family, sensitivity=1.0
        ),
        _call("utility_first", mean_test(), family="gaussian", max_power_loss=0.01, prior=0.1, fpr=0.01),
        _call("split_budget", [mean_test()], limit, family="gaussian", weights=[1.0], count_share=0.1),
        _call("solve", mean_test(), n=None, power=0.8, noise=0.05, family="gaussian"),
        _call("MeanTest", n=100, sd=0.25, effect=0.2, null=0.0, level=0.01, alternative="larger", bounds=(0, 1)),
        _call("TwoMeansTest", n=100, sd=0.25, effect=0.2, ratio=1.0, sd2=0.3, bounds=(0, 1)),
        _call("ProportionTest", n=50, effect=0.2, null=0.5, level=0.05, published="count"),
        _call("TwoProportionsTest", n=40, effect=0.2, baseline=0.3, ratio=1.0),
        _call("SlopeTest", n=50, effect=0.5, sd=0.2, x_bounds=(0, 1), y_bounds=(0, 1), sd_x=0.3),
        _call("ContingencyTest", n=50, rng=0, draws=200, probabilities=[[0.3, 0.2], [0.2, 0.3]]),
        _call("SimulatedTest", n=20, effect=0.5, draws=200, rng=0, simulate=draw_mean, statistic=np.mean),
        _call("MultipleTests", tests=[mean_test(), mean_test()], method="holm", level=0.05),
        _call("PlanningValue", value=100, source="public", note="a register", confidence=0.95),
        _call("private_n", 100.3, dl.Laplace(scale=1.0), confidence=0.95),
        _call("worst_case_sd", (0, 1)),
        _call("power_function", mean_test(), {"none": None, "laplace": dl.Laplace(scale=0.05)}, effects=(0.0, 0.2)),
        _call("roc", mean_test(), {"gaussian": dl.Gaussian(sigma=0.05)}, levels=(0.01, 0.1)),
        _call("fondeville_analysis", sd=0.25, sizes=(15,), mus=(1.0,), effects=(0.0, 0.1), levels=(0.01,)),
        _call("fondeville_power", mus=(0.1, 1.0), fprs=(0.01,)),
        *_queries(),
        _call("DiscreteData", joint=[[0.3, 0.2], [0.2, 0.3]], values=[[0, 1], [0, 2]]),
        _call("DiscreteData.independent", marginals=[[0.5, 0.5], [0.2, 0.8]], values=[[0, 1], [0, 1]]),
        _call("MarkovData", **chain, values=[0, 1]),
        _call("GaussianData", covariance=[[1.0, 0.5], [0.5, 1.0]], width=1.0, mean=[0.0, 0.0]),
        _call("GaussianChain", correlations=[0.5, 0.5], sds=1.0, width=1.0),
        _call("GaussianChain.ar1", length=5, correlation=0.5, sd=1.0, width=1.0),
        _call("KnowledgeGraph.from_edges", {(0, 1, ()): 0.5, (1, 0, ()): 0.3}, n=2, base=1.0),
        _call("KnowledgeGraph.of", couple(), dl.Laplace(scale=1.0)),
        _call("worst", [couple()], dl.Laplace(scale=1.0), "exact", delta=1e-6),
        _call("frameworks", couple(), dl.Laplace(scale=1.0), delta=1e-6),
        _call("fit_discrete", {"a": [0, 1, 1, 0], "b": [0, 1, 0, 1]}, values={"a": [0, 1], "b": [0, 1]}, smoothing=1.0),
        _call("fit_gaussian", {"a": [0.0, 1.0, 0.4], "b": [0.1, 0.9, 0.5]}, ranges={"a": (0, 1), "b": (0, 1)}),
        _call("audit", inside, outside, confidence=0.95, members="higher"),
        _call("audit_counts", true_positives=60, n_in=100, false_positives=10, n_out=100, confidence=0.95),
        _call("audit_points", [0.01, 0.1], [0.2, 0.5], n_in=1000, n_out=1000, confidence=0.95),
        _call("audit_precision_recall", [0.9, 0.8], [0.1, 0.3], n_in=500, n_out=500, prior=0.5),
        _call("audit_one_run", correct=60, canaries=200, guesses=80, confidence=0.95),
        _call("audit_one_run", included=[True, False] * 20, scores=list(range(40)), guess=10),
        _call("audit_mechanism", noisy, [0.0], [1.0], n=60, confidence=0.95, score="raw", seed=1, workers=1),
        _call("plan_audit", dl.GaussianDP(mu=1.0), dl.GaussianDP(mu=0.5), power=0.8, confidence=0.95),
        _call("plan_one_run", dl.ApproximateDP(epsilon=1.0), accuracy=0.9, share=0.5, power=0.8),
        _call("Runs", 10, 0, "how"),
        _call("from_arrays", [0.0, 0.5, 1.0], [1.0, 0.4, 0.0], between="safe"),
        _call("from_frame", {"alpha": [0.0, 0.5, 1.0], "beta": [1.0, 0.4, 0.0]}),
        _call("from_dp_event", dl.to_dp_event(training())),
        _call("to_dp_event", gaussian()),
        _call("from_opacus", [(1.0, 0.01, 100)]),
        _call("from_opendp", opendp_laplace(), 1.0),
        _call("from_pld", privacy_loss_distribution.from_laplace_mechanism(1.0)),
        _call("assess", gaussian(), adversary=dl.Adversary(prior=0.1), limits=[limit], n=100, unit="patient"),
        _call("assess", dl.Laplace(scale=1.0), data=dl.RelatedData(model=couple()), questions=[dl.AUC()]),
        _call("RelatedData", model=couple(), attackers=[dl.Knowing(target=0)]),
        _call("Knowing", target=0, known=[1], name="a neighbour"),
        _call("Analysis", test=mean_test(), mechanism=dl.Gaussian(sigma=0.05), name="mean", min_power=0.5),
        _call("Declaration", purpose="a table", recipients="all"),
        _call("Signatory", name="A. Person", role="data protection officer"),
        _call("Answer", question=dl.Advantage(), estimate=dl.Advantage().of(gaussian())),
        _call("Answer.from_dict", assessment().answers[0].to_dict()),
        _call("Assessment.from_dict", assessment().to_dict()),
        _call("risk_card", gaussian(), delta=1e-5, unit="patient", title="a card"),
        _call("RiskCard", assessment()),
        _call("frame", "roc", gaussian()),
        _call("chart", "roc", gaussian(), unit="patient"),
        _call("load_scenario", "scenario.yaml"),
        _call("Scenario.of", {"releases": [{"mechanism": "gaussian", "sigma": 2}]}),
        _call("scenario_schema"),
    )


# Good arguments of methods by the name of the parameter; a tuple of one value is that value.
_BY_NAME: dict[str, Callable[[], Any]] = {
    "absent": lambda: [0],
    "alpha": lambda: 0.1,
    "alternative": lambda: "larger",
    "before": assessment,
    "bound": lambda: 0.3,
    "candidates": lambda: [0.0, 1.0],
    "claim": lambda: dl.GaussianDP(mu=1.0),
    "confidence": lambda: 0.9,
    "correlation": lambda: 0.5,
    "count": lambda: 3,
    "data": lambda: assessment().to_dict(),
    "delta": lambda: 1e-5,
    "direction": lambda: "add",
    "draws": lambda: 100,
    "epsilon": lambda: 1.0,
    "family": lambda: "gaussian",
    "first": lambda: 0,
    "fpr": lambda: 0.1,
    "gamma": lambda: 2.0,
    "indent": lambda: 2,
    "kind": lambda: "roc",
    "known": lambda: [1],
    "level": lambda: 0.05,
    "max_power_loss": lambda: 0.05,
    "mechanism": lambda: dl.Laplace(scale=1.0),
    "mechanisms": lambda: [dl.Gaussian(sigma=0.05)] * 2,
    "method": lambda: "exact",
    "min_power": lambda: 0.5,
    "model": couple,
    "n": lambda: 100,
    "name": lambda: "x",
    "neighbours": lambda: "replace",
    "observed": lambda: 0.4,
    "offset": lambda: 0.5,
    "order": lambda: 2.0,
    "output": lambda: 0.5,
    "pair": lambda: (0, 1),
    "path": lambda: "written.html",
    "prior": lambda: 0.3,
    "probability": lambda: 1e-6,
    "question": lambda: dl.Advantage(),
    "rate": lambda: 0.1,
    "rng": lambda: 0,
    "scheme": lambda: "poisson",
    "second": lambda: 1,
    "sensitivity": lambda: 0.1,
    "size": lambda: 2,
    "target": gaussian,
    "text": lambda: assessment().to_json(),
    "true": lambda: 0,
    "value": lambda: 1,
    "values": lambda: (0.0, 1.0),
    "weight": lambda: 1.0,
    "weights": lambda: [1.0, 1.0],
    "world": lambda: 0,
}
_IN_MODELS = {"target": lambda: 0}  # in data models a target is a record, in questions a release


@functools.cache
def returned() -> tuple[Any, ...]:
    """One object of each dplens class that the good calls return, or that is found inside what they return."""
    found: dict[type, Any] = {}
    queue = [call.run() for call in calls() if call.label != "load_scenario"]
    queue += [gaussian().tradeoff(), training().tradeoff(), couple().view(dl.Laplace(scale=1.0), target=0, known=[1])]
    queue += [assessment().changes_since(assessment()), dl.audit([2.0] * 50, [1.0] * 50).least("gaussian")]
    queue += [dl.audit([2.0] * 50, [1.0] * 50).refutes(gaussian()), mean_test().decide(0.3), mean_test().interval(0.3)]
    queue += [mean_test().critical(), dl.MultipleTests(tests=[mean_test()]).decide([0.3])]
    queue += [dl.MultipleTests(tests=[mean_test()]).power(rng=0, draws=100)]
    queue += [dl.utility_first(mean_test(), family="gaussian", min_power=0.999999, limit=dl.Advantage().at_most(1e-3))]
    while queue:
        thing = queue.pop()
        if isinstance(thing, (tuple, list, dict)):
            queue.extend(thing.values() if isinstance(thing, dict) else thing)
        if _public_class(thing) and type(thing) not in found:
            found[type(thing)] = thing
            if isinstance(thing, dl.TradeOff):
                continue
            fields = getattr(thing, "__dataclass_fields__", {})
            queue.extend(getattr(thing, name) for name in fields if not name.startswith("_"))
    return tuple(found.values())


@functools.cache
def methods() -> tuple[Call, ...]:
    """Good calls of the public methods and attributes of all that is returned."""
    found: list[Call] = []
    for thing in returned():
        for name, function in _methods_of(thing):
            found.append(Call(f"{type(thing).__name__}.{name}", function, (), _good(function, thing)))
    return tuple(found)


def _public_class(thing: Any) -> type | None:
    """The most special public class of an object."""
    return next((kind for kind in type(thing).__mro__ if getattr(dl, kind.__name__, None) is kind), None)


def _methods_of(thing: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    kind: Any = _public_class(thing)
    if callable(thing):
        yield "__call__", thing
    for name in dir(kind):
        if (
            name.startswith("_")
            or name in _INSIDE.get(kind.__name__, ())
            or (hasattr(float, name) and kind is dl.Estimate)
        ):
            continue
        static = inspect.getattr_static(kind, name)
        if isinstance(static, property) or not callable(getattr(kind, name, None)):
            yield name, functools.partial(getattr, thing, name)
        else:
            yield name, getattr(thing, name)


# Methods through which the parts of the library talk to each other; not in the reference.
_OF_CURVES = (
    *("beta_at_zero", "both_bounds"),
    *("power_bounds", "beta_bounds", "profile_bounds", "epsilon_bounds", "error_bounds", "renyi_bounds"),
    *("infinity_mass", "readings", "profile_upper", "refined"),
)
_OF_MODELS = (
    *("blocks", "bound", "bounds", "expected", "index_of", "marginals", "ranges", "reach", "response"),
    *("covariance_error", "response_error", "root", "segment", "sizes"),
)
_INSIDE = {
    "TradeOff": _OF_CURVES,
    "Runs": ("add", "fits", "missing", "of"),
    **dict.fromkeys(("DiscreteData", "MarkovData", "GaussianData", "GaussianChain"), _OF_MODELS),
}


def _good(function: Callable[..., Any], thing: Any) -> tuple[tuple[str, Any], ...]:
    if isinstance(function, functools.partial):
        return ()
    pool = _BY_NAME | _IN_MODELS if hasattr(thing, "view") else _BY_NAME
    named = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) and parameter.name in pool:
            if parameter.default is parameter.empty or parameter.kind is parameter.KEYWORD_ONLY:
                named[parameter.name] = pool[parameter.name]()
    return tuple(named.items())


def untouched() -> set[str]:
    """Public names that no call makes, returns or raises."""
    made = {call.label.split(".")[0] for call in calls()}
    made |= {parent.__name__ for thing in returned() for parent in type(thing).__mro__}
    return {name for name in dl.__all__ if name not in made and not _is_error(getattr(dl, name))}


def _is_error(thing: Any) -> bool:
    return isinstance(thing, type) and issubclass(thing, BaseException)


# Names of keyword catch-alls, and a number of processes: hundreds may be started by anyone who asks for them.
_UNTOUCHED = ("kwargs", "settings", "changes", "design", "changed", "workers")


def spoiled(call: Call, hostile: Callable[[random.Random], Any], rng: random.Random) -> Call:
    """The call with one or two of its arguments replaced, one element replaced inside an argument, or one left out."""
    arguments, named = list(call.arguments), dict(call.named)
    try:
        known = [p.name for p in inspect.signature(call.function).parameters.values() if p.kind is not p.VAR_POSITIONAL]
    except (TypeError, ValueError):
        known = []
    places: list[Any] = [*range(len(arguments)), *(name for name in named if name not in _UNTOUCHED)]
    places += [n for n in known[len(arguments) :] if n not in named and n not in _UNTOUCHED]
    for _ in range(rng.choice((1, 1, 1, 2))):
        if not places:
            break
        place = rng.choice(places)
        old = arguments[place] if isinstance(place, int) else named.get(place)
        if isinstance(place, str) and place in named and rng.random() < 0.05:
            del named[place]
            continue
        inner = rng.random() < 0.4
        new = (
            replaced_inside(old, hostile, rng)
            if inner and isinstance(old, (list, tuple, dict)) and old
            else hostile(rng)
        )
        if isinstance(place, int):
            arguments[place] = new
        else:
            named[place] = new
    return Call(call.label, call.function, tuple(arguments), tuple(named.items()))


def replaced_inside(old: Any, hostile: Callable[[random.Random], Any], rng: random.Random) -> Any:
    """A copy of a container in which one element is hostile, at any depth."""
    if isinstance(old, dict) and old:
        key = rng.choice(list(old))
        if rng.random() < 0.1:
            return {k: v for k, v in old.items() if k != key}
        return {**old, key: replaced_inside(old[key], hostile, rng)}
    if isinstance(old, (list, tuple)) and old and rng.random() < 0.9:
        at = rng.randrange(len(old))
        changed = [replaced_inside(v, hostile, rng) if i == at else v for i, v in enumerate(old)]
        return changed if isinstance(old, list) else tuple(changed)
    return hostile(rng)
