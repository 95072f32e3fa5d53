"""Every parameter that the papers leave unstated, in one place; figures print them as "our choice"."""

from __future__ import annotations

import math

from dplens.papers.records import Choice

# Liu et al. 2019
LIU_EPSILONS = Choice(value=(0.01, 0.1, 0.5, 1.0, 2.0, 5.0), says="epsilon from 0.01 to 5 in Figure 3(a)")
LIU_WEIGHTS = Choice(
    value=(0.5, 0.6, 0.8, 1.0, 1.5, 2.0), says="the weights of Table 1 in Figure 3(b), epsilon up to 10 as in Figure 8"
)
LIU_RATES = Choice(value=(0.05, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9), says="epsilon 1 and these false-positive rates")
LIU_GAUSSIAN_EPSILONS = Choice(value=(0.1, 0.3, 0.5, 0.7, 0.99), says="epsilon from 0.1 to 0.99")
LIU_GAUSSIAN_DELTAS = Choice(value=(1e-8, 1e-6, 1e-4, 1e-2), says="delta from 1e-8 to 0.01")
LIU_FIXED_DELTA = Choice(value=(1e-5,), says="delta 1e-5 where epsilon varies")
LIU_FIXED_EPSILON = Choice(value=(0.5,), says="epsilon 0.5 where delta varies")
LIU_KNOWLEDGE_EPSILONS = Choice(value=(0.1, 1.0, 2.0), says="epsilon 0.1, 1 and 2 in part (b), epsilon 1 in part (a)")
LIU_TABLE = Choice(
    value=(0.1,),
    says="the joint law on which Equation 23 is checked; a coefficient is read off it as 1 less the smallest ratio of a value's "
    "probability before and after the attacker learns something",
)
LIU_KNOWLEDGE = Choice(value=(0.2, 0.1, 0.1), says="the coefficients printed for Figure 7 also in Figures 5 and 6")
LIU_MODELS = Choice(
    value=(0.3, 0.2), says="two binary records, a sum with Laplace noise of scale 1, four ways of being related"
)

# The blog post
BLOG_MU = Choice(value=(1.0,), says="a Gaussian mechanism with sensitivity/sigma = 1")
BLOG_PAIR = Choice(value=(math.log(2), 0.1), says="(log 2, 0.1) where Lemma 3.4 is checked")
BLOG_EPSILONS = Choice(value=(0.0, 0.5, 1.0, 2.0), says="epsilon 0, 0.5, 1 and 2 for the pairs drawn")

# de Fondeville 2026
FONDEVILLE_MUS = Choice(value=(0.1, 1.0, 2.5), says="mu 0.1, 1 and 2.5 in Figure 1, as printed for Figures 2 and 3")
FONDEVILLE_RECORDS = Choice(value=(5,), says="n = 5 records under sampling, as printed for Figure 1")
FONDEVILLE_DELTA = Choice(value=(0.01,), says="the approximate-DP bounds of the Gaussian mechanism at delta 0.01")
FONDEVILLE_AXIS = Choice(value=(1e-4,), says="a logarithmic axis of false-positive rates, from 1e-4")
FONDEVILLE_LARGEST = Choice(value=(10.0,), says="mu up to 10")
FONDEVILLE_MEANS = Choice(value=(0.5,), says="true means up to 0.5")
FONDEVILLE_PRIORS = Choice(value=(0.01, 0.1, 0.5, 0.9), says="priors 1 %, 10 %, 50 % and 90 %")
FONDEVILLE_FPRS = Choice(value=(0.001, 0.01, 0.05, 0.1), says="false-positive rates 0.001, 0.01, 0.05 and 0.1")
FONDEVILLE_NOISES = Choice(
    value=(3.0, 1.5), says="mechanisms of Table 1: ours; Student's t with 3 degrees, generalised normal with power 1.5"
)
FONDEVILLE_ANALYST_MUS = Choice(value=(1.0, 0.1, 0.01), says="mu 1, 0.1 and 0.01 beside no noise")

# Li et al. 2019
LI_SCALE = Choice(value=(1.0,), says="Laplace noise of scale 1, as in his Examples 2 to 4")
LI_WEAK = Choice(value=(0.3, 0.2), says="the weak correlations are those of his Table II(a) and (b)")
LI_CONCENTRATION = Choice(
    value=(1000.0,),
    says="edges from beta(1000·m, 1000·(1 − m)) with mean m: the paper names no parameters, and edges this alike fit its text",
)
LI_SPREAD = Choice(
    value=(10.0,), says="edges from beta(10·m, 10·(1 − m)) for comparison: five graphs of 12 tuples each"
)
LI_AVERAGES = Choice(value=(0.2, 0.4, 0.6, 0.8), says="average edges 0.2, 0.4, 0.6, 0.8 and their negatives")
LI_CORRELATIONS = Choice(value=(0.0, 0.2, 0.4, 0.6, 0.8), says="correlations 0 to 0.8 in steps of 0.2")
LI_NEGATIVE = Choice(value=(-0.0175, -0.035, -0.0525, -0.07), says="four correlations within [−1/14, 0)")
LI_SEED = Choice(value=(20190,), says="random numbers from seed 20190")
LI_TABLES = Choice(
    value=(1000, 0.4, 1.0),
    says="1000 random tables, two or three values each, those of x2 from 0 … 5, Dirichlet weights 0.4, scale 1",
)
LI_PAIRS = Choice(value=(200, 1.0), says="200 random tables of two values each, evenly drawn, scale 1, for part (2)")

# Kaissis et al. 2022
KAISSIS_PSI = Choice(value=(1.0,), says="psi = 1")
KAISSIS_ERRORS = Choice(value=(2.0, 0.1), says="psi = 2 and a false-positive rate of 10 %, so that all is seen")
KAISSIS_PSIS = Choice(value=(0.25, 0.5, 1.0, 2.0, 3.0), says="psi from 0.25 to 3")
KAISSIS_EPSILON = Choice(value=(1.0,), says="the tangent at epsilon = 1")
KAISSIS_KAPPA = Choice(value=(0.2,), says="kappa = 0.2, large enough to be seen")
KAISSIS_RANGES = Choice(value=(3.0, 6.0, 0.1, 3.0), says="psi 3 to 6 in part A, 0.1 to 3 in part B")
KAISSIS_DRAWS = Choice(
    value=(40.0, 7.0),
    says="40 values of psi, drawn by equal factors between 0.05 and 5, seed 7; epsilon = psi/2, orders from 1.1 to 11, "
    "false-positive rates from 0.01 to 0.2",
)
