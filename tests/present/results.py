"""One example of everything that calls return, for tests of notebooks."""

from functools import cache

import numpy as np

import dplens as dl
from dplens.papers.catalogue import asked
from dplens.present.words import say
from tests.examples import EXAMPLES

HOSTILE = '<script>alert("1")</script> & <b>bold</b> \x1b[31m \u202e " \' `x` $y$ | 日本 ' + "long " * 80

LAPLACE, GAUSSIAN = dl.Laplace(scale=1.0), dl.Gaussian(sigma=1.0)
PAIR = dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]])
TEST = dl.MeanTest(n=400, sd=0.25, effect=0.1, bounds=(0, 1))
SMALL = dl.Gaussian(sigma=0.01)


@cache
def results() -> dict[str, object]:
    """Results by name; several of a class where they differ in what they say."""
    return {**_assessments(), **_decisions(), **_audits(), **_related(), **_analyst(), **_attack(), **_presented()}


def _assessments():
    mixed = dl.assess(
        dl.Laplace(scale=2.0),
        n=48_200,
        title="Residents by street",
        limits=[dl.Advantage().at_most(0.3), dl.AttackPower(fpr=0.01).at_most(0.012)],
        analyst=dl.Analysis(test=TEST, mechanism=dl.Laplace(scale=0.01), min_power=0.8),
    )
    train = dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=1000)
    related = dl.assess(LAPLACE, data=PAIR)
    changes = mixed.changes_since(dl.assess(LAPLACE, title=HOSTILE))
    audit = dl.audit(np.linspace(0, 3, 500), np.linspace(-1, 2, 500))
    refuted = dl.assess(dl.Gaussian(sigma=10.0), audit={HOSTILE: audit}, title=HOSTILE)
    return {
        "mixed": mixed,
        "german": dl.assess(train, language="de", title="Aufenthalt", limits=[dl.Advantage().at_most(0.5)]),
        "french": dl.assess(train, language="fr", title="Séjour", limits=[dl.Advantage().at_most(0.1)]),
        "open to proof": dl.assess(dl.FinitePair(p=[0.5, 0.5], q=[0.0, 1.0])),
        "related": related,
        "refuted": refuted,
        "audited": refuted.audits[0],
        "all related": related.related,
        "related attacker": related.related.worst,
        "answer": mixed.answers[0],
        "kept": mixed.limits[0],
        "broken": mixed.limits[1],
        "power": mixed.analyst[0],
        "changes": changes,
        "same": mixed.changes_since(mixed),
        "changed answer": changes.answers[0],
        "changed input": changes.inputs[0],
        "scenario": dl.load_scenario(EXAMPLES[0]),
    }


def _decisions():
    compared = dl.compare(GAUSSIAN, LAPLACE, dl.Gaussian(sigma=2.0))
    families = {"gaussian": lambda s: dl.Gaussian(sigma=s), HOSTILE: lambda b: dl.Laplace(scale=b)}
    ranking = dl.rank(families, meet=[dl.Epsilon().at_most(1.0)])
    allowed = {"blatant_ok": False, "high_confidence_ok": True}
    decision = dl.privacy_first(analyst=TEST, limit=dl.RelativeRisk(fpr=0.01).at_most(8), **allowed)
    few = dl.MeanTest(n=30, sd=0.25, effect=0.1, bounds=(0, 1))
    none = dl.privacy_first(analyst=few, limit=dl.RelativeRisk(fpr=0.01).at_most(1.2), min_power=0.9, **allowed)
    routes = dl.renyi_routes(GAUSSIAN)
    table = dl.fscore_table(weights=[1.0])
    step = dl.Gaussian(sigma=1.0).subsample(0.01)
    limit = dl.DPSGDLimit(noise_multiplier=1.0, sample_rate=0.01, steps=100)
    return {
        "calibration": dl.calibrate(lambda n: step.repeat(n), meet=[dl.Advantage().at_most(0.1)], integer=True),
        "comparison": compared,
        "relation": compared.relations[0],
        "ranking": ranking,
        "ranked": ranking.entries[0],
        "unranked": ranking.entries[-1],
        "noise": dl.noise_error(LAPLACE),
        "decision": decision,
        "no decision": none,
        "utility first": dl.utility_first(TEST, min_power=0.8),
        "option": decision.options[0],
        "range": decision.feasible,
        "concession": none.concessions[0],
        "split": dl.split_budget([TEST, TEST], dl.Epsilon(delta=1e-6).at_most(2.0)),
        "conversions": dl.conversions(LAPLACE),
        "routes": routes,
        "route": routes.improved,
        "conversion curves": dl.conversion_curves([1.0, 2.0], order=2.0),
        "F-scores": table,
        "F-score": table.entries[3],
        "no F-score": table.entries[0],
        "F-score curve": dl.fscore_curve([1.0, 2.0]),
        "PR curve": dl.pr_curve(GAUSSIAN),
        "limit of many steps": limit.against(dl.Epsilon(delta=1e-5)),
    }


def _audits():
    audit = dl.audit(np.linspace(0, 3, 500), np.linspace(-1, 2, 500))

    one_run = dl.audit_one_run(correct=930, guesses=1000, canaries=5000)

    def run(data, rng):
        return float(data + rng.normal())

    try:
        dl.audit_mechanism(run, 0.0, _Broken(1.0), n=50, seed=1)
    except dl.RunFailed as error:
        runs = error.finished
    return {
        "audit": audit,
        "refutation": audit.refutes(dl.Gaussian(sigma=10.0)),
        "no refutation": audit.refutes(dl.Gaussian(sigma=0.1)),
        "least": audit.least("gaussian"),
        "one run": one_run,
        "plan": dl.plan_audit(dl.Laplace(scale=0.5), LAPLACE),
        "plan of one run": dl.plan_one_run(LAPLACE, truth=dl.Laplace(scale=0.1)),
        "refutation of one run": one_run.refutes(LAPLACE),
        "runs": runs,
    }


class _Broken(float):
    """A number that cannot be added."""

    def __add__(self, other):
        raise ValueError("no")


def _related():
    found = dl.frameworks(PAIR, LAPLACE)
    normal = dl.GaussianData(covariance=np.eye(3) / 2 + 0.5, width=1.0)
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.9, 0.1], [0.1, 0.9]], length=40)
    return {
        "worst": PAIR.worst(LAPLACE),
        "worst of a chain": chain.worst(LAPLACE),
        "worst at delta": normal.worst(GAUSSIAN),
        "Gaussian view": normal.view(GAUSSIAN, target=0),
        "view": PAIR.view(LAPLACE, target=0, known=[1]),
        "frameworks": found,
        "inequality": found.inequalities[0],
        "graph": PAIR.graph(LAPLACE),
    }


def _analyst():
    both = dl.MultipleTests(tests=[TEST, TEST])
    return {
        "verdict": TEST.decide(0.2, SMALL),
        "interval": TEST.interval(0.2, SMALL),
        "critical": TEST.critical(SMALL),
        "solution": dl.solve(TEST, n=None, power=0.8),
        "powers": both.power([SMALL, SMALL], rng=1, draws=200),
        "verdicts": both.decide([0.2, 0.01], [SMALL, SMALL]),
        "table": dl.power_function(TEST, {"none": None, HOSTILE: SMALL}),
        "two tables": dl.fondeville_analysis(mus=[1.0], sizes=[15], effects=[0.0, 0.2]),
    }


def _attack():
    loss = dl.PrivacyLoss.of(GAUSSIAN)
    return {
        "attack": dl.Attack(LAPLACE),
        "proof": dl.Attack(dl.FinitePair(p=[0.5, 0.5], q=[0.0, 1.0])),
        "loss": loss,
        "loss law": loss.h0,
        "infinite loss": dl.PrivacyLoss.of(dl.FinitePair(p=[0.5, 0.5], q=[0.0, 1.0])),
    }


def _presented():
    words = say(dl.assess(LAPLACE, title=HOSTILE))
    frames = {f"frame {kind}": dl.frame(kind, LAPLACE) for kind in ("roc", "icons", "profile", "output_laws")}
    return {
        "card": dl.risk_card(LAPLACE, delta=1e-6, title=HOSTILE),
        "German card": dl.risk_card(LAPLACE, delta=1e-6, language="de"),
        "words": words,
        "section": words.sections[1],
        "picture": dl.chart("roc", LAPLACE),
        "figure": asked("Kaissis figure 6")[0].made(),
        **frames,
    }
