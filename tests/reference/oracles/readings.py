"""The questions of the public surface, answered by an oracle curve: the formulas of the definitions, nothing else."""

from tests.reference.oracles.numerics import inf, mpf


def bayes(likelihood_ratio, prior):
    """The posterior after evidence with this ratio."""
    if likelihood_ratio == inf:
        return mpf(1)
    return prior * likelihood_ratio / ((1 - prior) + prior * likelihood_ratio)


def ratio(curve, alpha):
    """power/alpha, at alpha = 0 its limit."""
    if alpha == 0:
        return curve.rho
    return curve.power(alpha) / alpha


def precision(curve, recall, prior):
    alpha = curve.inverse(1 - recall) if recall else mpf(0)
    if alpha == 0:
        return bayes(curve.rho if recall == 0 else inf, prior)
    return prior * recall / ((1 - prior) * alpha + prior * recall)


def relative_risk(curve, fpr, prior):
    r = ratio(curve, fpr)
    if r == inf:
        return 1 / prior if prior else inf
    return r / ((1 - prior) + prior * r)


def after_negative(curve, prior, fpr):
    beta = curve.beta(fpr)
    return prior * beta / ((1 - prior) * (1 - fpr) + prior * beta)


def both_renyi(curve, order):
    return max(curve.renyi(order), curve.mirror().renyi(order))


READINGS = {
    "Advantage": lambda c: c.delta(mpf(0)),
    "AUC": lambda c: c.auc(),
    "AttackPower": lambda c, fpr: c.power(fpr),
    "Accuracy": lambda c, prior: 1 - c.cost(prior),
    "Cost": lambda c, false_positive, false_negative, prior: c.cost(prior, false_positive, false_negative),
    "Precision": precision,
    "FScore": lambda c, weight, prior: c.f_score(weight, prior),
    "Posterior": lambda c, prior, fpr: bayes(ratio(c, fpr), prior),
    "MaxPosterior": lambda c, prior: bayes(c.rho, prior),
    "PosteriorAfterNegative": after_negative,
    "RelativeRisk": relative_risk,
    "Epsilon": lambda c, delta: c.epsilon(delta),
    "Delta": lambda c, epsilon: c.delta(epsilon),
    "Mu": lambda c: c.mu(),
    "Renyi": both_renyi,
    "MinFPR": lambda c, fnr: c.inverse(fnr),
}

LOW_IS_RISKY = frozenset({"Cost", "MinFPR", "PosteriorAfterNegative"})


def read(curve, question, arguments):
    """One question's true answer; arguments are floats, taken exactly."""
    return READINGS[question](curve, **{name: mpf(value) for name, value in arguments.items()})
