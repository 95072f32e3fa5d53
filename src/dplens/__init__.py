"""dplens: what a differential-privacy guarantee means to the attacker, the person in the data and the analyst."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dplens.adversary import Adversary as Adversary
    from dplens.assessment.analyst import Analysis as Analysis
    from dplens.assessment.assess import assess as assess
    from dplens.assessment.changes import Changes as Changes
    from dplens.assessment.records import Answer as Answer
    from dplens.assessment.records import Declaration as Declaration
    from dplens.assessment.related import Knowing as Knowing
    from dplens.assessment.related import RelatedData as RelatedData
    from dplens.assessment.result import Assessment as Assessment
    from dplens.attack.attacker import Attack as Attack
    from dplens.attack.composite import ValueAbove as ValueAbove
    from dplens.attack.deniability import deniability as deniability
    from dplens.attack.loss import PrivacyLoss as PrivacyLoss
    from dplens.auditing.black_box import audit_mechanism as audit_mechanism
    from dplens.auditing.canaries import audit_one_run as audit_one_run
    from dplens.auditing.families import Least as Least
    from dplens.auditing.measured import Audit as Audit
    from dplens.auditing.one_run import OneRunAudit as OneRunAudit
    from dplens.auditing.planning import AuditPlan as AuditPlan
    from dplens.auditing.planning import plan_audit as plan_audit
    from dplens.auditing.planning import plan_one_run as plan_one_run
    from dplens.auditing.published import audit_counts as audit_counts
    from dplens.auditing.published import audit_points as audit_points
    from dplens.auditing.published import audit_precision_recall as audit_precision_recall
    from dplens.auditing.refuting import Refutation as Refutation
    from dplens.auditing.runs import AuditInterrupted as AuditInterrupted
    from dplens.auditing.runs import RunFailed as RunFailed
    from dplens.auditing.runs import Runs as Runs
    from dplens.auditing.scores import audit as audit
    from dplens.correlated.discrete import DiscreteData as DiscreteData
    from dplens.correlated.fit import fit_discrete as fit_discrete
    from dplens.correlated.fit import fit_gaussian as fit_gaussian
    from dplens.correlated.frameworks import Frameworks as Frameworks
    from dplens.correlated.frameworks import frameworks as frameworks
    from dplens.correlated.gaussian import GaussianData as GaussianData
    from dplens.correlated.gaussian_chain import GaussianChain as GaussianChain
    from dplens.correlated.graph import KnowledgeGraph as KnowledgeGraph
    from dplens.correlated.markov import MarkovData as MarkovData
    from dplens.correlated.view import View as View
    from dplens.correlated.worst import Worst as Worst
    from dplens.correlated.worst import worst as worst
    from dplens.curves.base import TradeOff as TradeOff
    from dplens.decide.budget import BudgetSplit as BudgetSplit
    from dplens.decide.budget import split_budget as split_budget
    from dplens.decide.calibrate import Calibration as Calibration
    from dplens.decide.calibrate import calibrate as calibrate
    from dplens.decide.closed import epsilon_from_fscore as epsilon_from_fscore
    from dplens.decide.closed import epsilon_from_relative_risk as epsilon_from_relative_risk
    from dplens.decide.closed import gaussian_sigma as gaussian_sigma
    from dplens.decide.closed import mu_from_advantage as mu_from_advantage
    from dplens.decide.closed import mu_from_auc as mu_from_auc
    from dplens.decide.closed import mu_from_power as mu_from_power
    from dplens.decide.closed import mu_from_relative_risk as mu_from_relative_risk
    from dplens.decide.compare import Comparison as Comparison
    from dplens.decide.compare import Ranked as Ranked
    from dplens.decide.compare import Ranking as Ranking
    from dplens.decide.compare import Relation as Relation
    from dplens.decide.compare import compare as compare
    from dplens.decide.compare import rank as rank
    from dplens.decide.conversions import Conversions as Conversions
    from dplens.decide.conversions import conversions as conversions
    from dplens.decide.decision import Concession as Concession
    from dplens.decide.decision import Decision as Decision
    from dplens.decide.decision import NoiseRange as NoiseRange
    from dplens.decide.decision import Option as Option
    from dplens.decide.liu import FScoreCurve as FScoreCurve
    from dplens.decide.liu import FScoreEntry as FScoreEntry
    from dplens.decide.liu import FScoreTable as FScoreTable
    from dplens.decide.liu import PRCurve as PRCurve
    from dplens.decide.liu import fscore_curve as fscore_curve
    from dplens.decide.liu import fscore_table as fscore_table
    from dplens.decide.liu import pr_curve as pr_curve
    from dplens.decide.noise_error import NoiseError as NoiseError
    from dplens.decide.noise_error import noise_error as noise_error
    from dplens.decide.privacy_first import privacy_first as privacy_first
    from dplens.decide.routes import ConversionCurves as ConversionCurves
    from dplens.decide.routes import RenyiRoutes as RenyiRoutes
    from dplens.decide.routes import Route as Route
    from dplens.decide.routes import conversion_curves as conversion_curves
    from dplens.decide.routes import improved_epsilon as improved_epsilon
    from dplens.decide.routes import renyi_routes as renyi_routes
    from dplens.decide.routes import standard_epsilon as standard_epsilon
    from dplens.decide.unreachable import FamilyError as FamilyError
    from dplens.decide.unreachable import Unreachable as Unreachable
    from dplens.decide.utility_first import utility_first as utility_first
    from dplens.errors import DplensError as DplensError
    from dplens.errors import DplensWarning as DplensWarning
    from dplens.errors import ToleranceNotMet as ToleranceNotMet
    from dplens.estimate import Certificate as Certificate
    from dplens.estimate import Estimate as Estimate
    from dplens.interop.arrays import from_arrays as from_arrays
    from dplens.interop.arrays import from_frame as from_frame
    from dplens.interop.dp_events import from_dp_event as from_dp_event
    from dplens.interop.dp_events import to_dp_event as to_dp_event
    from dplens.interop.losses import from_pld as from_pld
    from dplens.interop.opacus import from_opacus as from_opacus
    from dplens.interop.open_dp import from_opendp as from_opendp
    from dplens.mechanisms.additive import DiscreteGaussian as DiscreteGaussian
    from dplens.mechanisms.additive import Gaussian as Gaussian
    from dplens.mechanisms.additive import Geometric as Geometric
    from dplens.mechanisms.additive import Laplace as Laplace
    from dplens.mechanisms.additive import Staircase as Staircase
    from dplens.mechanisms.base import Mechanism as Mechanism
    from dplens.mechanisms.combined import infimum as infimum
    from dplens.mechanisms.combined import supremum as supremum
    from dplens.mechanisms.composed import DPSGD as DPSGD
    from dplens.mechanisms.composed import compose as compose
    from dplens.mechanisms.finite import FinitePair as FinitePair
    from dplens.mechanisms.finite import RandomizedResponse as RandomizedResponse
    from dplens.mechanisms.finite import UniformSampling as UniformSampling
    from dplens.mechanisms.guarantees import ApproximateDP as ApproximateDP
    from dplens.mechanisms.guarantees import Exponential as Exponential
    from dplens.mechanisms.guarantees import GaussianDP as GaussianDP
    from dplens.mechanisms.guarantees import RenyiDP as RenyiDP
    from dplens.mechanisms.guarantees import ZeroConcentratedDP as ZeroConcentratedDP
    from dplens.mechanisms.limits import DPSGDLimit as DPSGDLimit
    from dplens.mechanisms.noise import AdditiveNoise as AdditiveNoise
    from dplens.mechanisms.noise import ContinuousPair as ContinuousPair
    from dplens.mechanisms.profile import PrivacyProfile as PrivacyProfile
    from dplens.mechanisms.profile import TradeOffPoints as TradeOffPoints
    from dplens.present.card import RiskCard as RiskCard
    from dplens.present.card import risk_card as risk_card
    from dplens.present.charts.picture import Picture as Picture
    from dplens.present.charts.picture import chart as chart
    from dplens.present.frames.base import ChartFrame as ChartFrame
    from dplens.present.frames.kinds import frame as frame
    from dplens.risk.base import Question as Question
    from dplens.risk.base import Requirement as Requirement
    from dplens.risk.bayes import Accuracy as Accuracy
    from dplens.risk.bayes import Cost as Cost
    from dplens.risk.bayes import FScore as FScore
    from dplens.risk.bayes import MaxPosterior as MaxPosterior
    from dplens.risk.bayes import Posterior as Posterior
    from dplens.risk.bayes import PosteriorAfterNegative as PosteriorAfterNegative
    from dplens.risk.bayes import Precision as Precision
    from dplens.risk.conversions import Delta as Delta
    from dplens.risk.conversions import Epsilon as Epsilon
    from dplens.risk.conversions import Mu as Mu
    from dplens.risk.conversions import Renyi as Renyi
    from dplens.risk.disclosure import FailureMode as FailureMode
    from dplens.risk.disclosure import RelativeRisk as RelativeRisk
    from dplens.risk.disclosure import failure_mode as failure_mode
    from dplens.risk.rates import AUC as AUC
    from dplens.risk.rates import Advantage as Advantage
    from dplens.risk.rates import AttackPower as AttackPower
    from dplens.risk.rates import MinFPR as MinFPR
    from dplens.scenario.scenario import Scenario as Scenario
    from dplens.scenario.scenario import load_scenario as load_scenario
    from dplens.scenario.scenario import scenario_schema as scenario_schema
    from dplens.utility.base import AnalystTest as AnalystTest
    from dplens.utility.contingency import ContingencyTest as ContingencyTest
    from dplens.utility.frames import FondevilleFigure as FondevilleFigure
    from dplens.utility.frames import fondeville_analysis as fondeville_analysis
    from dplens.utility.frames import fondeville_power as fondeville_power
    from dplens.utility.frames import power_function as power_function
    from dplens.utility.frames import roc as roc
    from dplens.utility.limits import Unsolvable as Unsolvable
    from dplens.utility.many import MultiplePower as MultiplePower
    from dplens.utility.many import MultipleTests as MultipleTests
    from dplens.utility.many import MultipleVerdict as MultipleVerdict
    from dplens.utility.mean import MeanTest as MeanTest
    from dplens.utility.mean import TwoMeansTest as TwoMeansTest
    from dplens.utility.planning import PlanningValue as PlanningValue
    from dplens.utility.planning import private_n as private_n
    from dplens.utility.planning import worst_case_sd as worst_case_sd
    from dplens.utility.proportion import ProportionTest as ProportionTest
    from dplens.utility.results import Critical as Critical
    from dplens.utility.results import Interval as Interval
    from dplens.utility.results import Verdict as Verdict
    from dplens.utility.simulated import SimulatedTest as SimulatedTest
    from dplens.utility.simulation import SimulatedEstimate as SimulatedEstimate
    from dplens.utility.simulation import SimulationInterrupted as SimulationInterrupted
    from dplens.utility.slope import SlopeTest as SlopeTest
    from dplens.utility.solving import Solution as Solution
    from dplens.utility.solving import solve as solve
    from dplens.utility.two_proportions import TwoProportionsTest as TwoProportionsTest

# Where each public name lives; a module is loaded when one of its names is first used.
_HOMES = {
    "adversary": ("Adversary",),
    "assessment.analyst": ("Analysis",),
    "assessment.assess": ("assess",),
    "assessment.changes": ("Changes",),
    "assessment.records": ("Answer", "Declaration"),
    "assessment.related": ("Knowing", "RelatedData"),
    "assessment.result": ("Assessment",),
    "attack.composite": ("ValueAbove",),
    "attack.deniability": ("deniability",),
    "attack.loss": ("PrivacyLoss",),
    "attack.attacker": ("Attack",),
    "auditing.black_box": ("audit_mechanism",),
    "auditing.canaries": ("audit_one_run",),
    "auditing.families": ("Least",),
    "auditing.measured": ("Audit",),
    "auditing.one_run": ("OneRunAudit",),
    "auditing.planning": ("AuditPlan", "plan_audit", "plan_one_run"),
    "auditing.published": ("audit_counts", "audit_points", "audit_precision_recall"),
    "auditing.refuting": ("Refutation",),
    "auditing.runs": ("AuditInterrupted", "RunFailed", "Runs"),
    "auditing.scores": ("audit",),
    "correlated.discrete": ("DiscreteData",),
    "correlated.fit": ("fit_discrete", "fit_gaussian"),
    "correlated.frameworks": ("Frameworks", "frameworks"),
    "correlated.gaussian": ("GaussianData",),
    "correlated.gaussian_chain": ("GaussianChain",),
    "correlated.graph": ("KnowledgeGraph",),
    "correlated.markov": ("MarkovData",),
    "correlated.view": ("View",),
    "correlated.worst": ("Worst", "worst"),
    "curves.base": ("TradeOff",),
    "decide.calibrate": ("Calibration", "calibrate"),
    "decide.closed": (
        "epsilon_from_fscore",
        "epsilon_from_relative_risk",
        "gaussian_sigma",
        "mu_from_advantage",
        "mu_from_auc",
        "mu_from_power",
        "mu_from_relative_risk",
    ),
    "decide.compare": ("Comparison", "Ranked", "Ranking", "Relation", "compare", "rank"),
    "decide.conversions": ("Conversions", "conversions"),
    "decide.liu": (
        "FScoreCurve",
        "FScoreEntry",
        "FScoreTable",
        "PRCurve",
        "fscore_curve",
        "fscore_table",
        "pr_curve",
    ),
    "decide.noise_error": ("NoiseError", "noise_error"),
    "decide.routes": (
        "ConversionCurves",
        "RenyiRoutes",
        "Route",
        "conversion_curves",
        "improved_epsilon",
        "renyi_routes",
        "standard_epsilon",
    ),
    "decide.unreachable": ("FamilyError", "Unreachable"),
    "errors": ("DplensError", "DplensWarning", "ToleranceNotMet"),
    "estimate": ("Certificate", "Estimate"),
    "interop.arrays": ("from_arrays", "from_frame"),
    "interop.dp_events": ("from_dp_event", "to_dp_event"),
    "interop.losses": ("from_pld",),
    "interop.opacus": ("from_opacus",),
    "interop.open_dp": ("from_opendp",),
    "mechanisms.additive": ("DiscreteGaussian", "Gaussian", "Geometric", "Laplace", "Staircase"),
    "mechanisms.base": ("Mechanism",),
    "mechanisms.combined": ("infimum", "supremum"),
    "mechanisms.composed": ("DPSGD", "compose"),
    "mechanisms.finite": ("FinitePair", "RandomizedResponse", "UniformSampling"),
    "mechanisms.guarantees": ("ApproximateDP", "Exponential", "GaussianDP", "RenyiDP", "ZeroConcentratedDP"),
    "mechanisms.limits": ("DPSGDLimit",),
    "mechanisms.profile": ("PrivacyProfile", "TradeOffPoints"),
    "mechanisms.noise": ("AdditiveNoise", "ContinuousPair"),
    "present.card": ("RiskCard", "risk_card"),
    "present.charts.picture": ("Picture", "chart"),
    "present.frames.base": ("ChartFrame",),
    "present.frames.kinds": ("frame",),
    "risk.base": ("Question", "Requirement"),
    "risk.bayes": ("Accuracy", "Cost", "FScore", "MaxPosterior", "Posterior", "PosteriorAfterNegative", "Precision"),
    "risk.conversions": ("Delta", "Epsilon", "Mu", "Renyi"),
    "risk.disclosure": ("FailureMode", "RelativeRisk", "failure_mode"),
    "risk.rates": ("AUC", "Advantage", "AttackPower", "MinFPR"),
    "scenario.scenario": ("Scenario", "load_scenario", "scenario_schema"),
    "decide.budget": ("BudgetSplit", "split_budget"),
    "decide.decision": ("Concession", "Decision", "NoiseRange", "Option"),
    "decide.privacy_first": ("privacy_first",),
    "decide.utility_first": ("utility_first",),
    "utility.base": ("AnalystTest",),
    "utility.contingency": ("ContingencyTest",),
    "utility.frames": ("FondevilleFigure", "fondeville_analysis", "fondeville_power", "power_function", "roc"),
    "utility.limits": ("Unsolvable",),
    "utility.many": ("MultiplePower", "MultipleTests", "MultipleVerdict"),
    "utility.mean": ("MeanTest", "TwoMeansTest"),
    "utility.planning": ("PlanningValue", "private_n", "worst_case_sd"),
    "utility.proportion": ("ProportionTest",),
    "utility.results": ("Critical", "Interval", "Verdict"),
    "utility.simulated": ("SimulatedTest",),
    "utility.simulation": ("SimulatedEstimate", "SimulationInterrupted"),
    "utility.slope": ("SlopeTest",),
    "utility.solving": ("Solution", "solve"),
    "utility.two_proportions": ("TwoProportionsTest",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("dplens")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'dplens' has no attribute {name!r}")
    value = getattr(import_module(f"dplens.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
