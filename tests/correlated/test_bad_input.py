"""What no model, view or graph can use is refused in words that name the argument."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import dplens as dl

NOISE = dl.Laplace(scale=1.0)
DATA = dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]])
CHAIN = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.3, 0.7]], length=3)
NORMAL = dl.GaussianData(covariance=[[1.0, 0.5], [0.5, 1.0]])
SERIES = dl.GaussianChain.ar1(correlation=0.5, length=3)
GRAPH = dl.KnowledgeGraph.from_edges(lambda target, unlearned, known: 0.2, n=3)


def nested(depth):
    found = []
    for _ in range(depth):
        found = [found]
    return found


# none of these is an index, a list of numbers, a law or a flag
NOTHING = [
    "abc",
    b"x",
    1 + 2j,
    object(),
    len,
    dl.Laplace,
    np.array([object()]),
    np.array([1, "a"], dtype=object),
    nested(60),
    [[1], [1, 2]],
    {"a": 1},
    {1: {2: 3}},
    pd.DataFrame({"a": ["x"]}),
    np.array(["2020-01-01"], dtype="datetime64[D]"),
    [math.nan, 1.0],
    [10**400, 1],
]
SINGLE = [math.nan, math.inf, 10**400, 2.5, Decimal("0.5"), Fraction(1, 2), np.array(1.5), np.timedelta64(0, "s")]
IDS = {"ids": lambda x: type(x).__name__}


@pytest.mark.parametrize("bad", [*NOTHING, *SINGLE, None, 3], **IDS)
@pytest.mark.parametrize(
    "make",
    [
        lambda x: dl.DiscreteData(joint=x),
        lambda x: dl.DiscreteData.independent(marginals=x),
        lambda x: dl.DiscreteData.independent(marginals=[x]),
        lambda x: dl.MarkovData(initial=x, transition=[[1.0]], length=3),
        lambda x: dl.MarkovData(initial=[0.5, 0.5], transition=x, length=3),
        lambda x: dl.GaussianChain(correlations=x),
    ],
)
def test_laws_and_tables(make, bad):
    with pytest.raises(dl.DplensError, match="Expected"):
        make(bad)


@pytest.mark.parametrize("bad", [*NOTHING, *SINGLE], **IDS)
@pytest.mark.parametrize("model", [DATA, CHAIN, NORMAL, SERIES], ids=repr)
@pytest.mark.parametrize("name", ["target", "known", "weights", "pair"])
def test_arguments_of_views(model, name, bad):
    with pytest.raises(dl.DplensError, match="Expected"):
        model.view(NOISE, **{"target": 0, name: bad}).leakage()


@pytest.mark.parametrize("bad", [np.array([True, False]), pd.Series([1.0, 0.0]), "yes", 1], **IDS)
def test_flags(bad):
    for make in (
        lambda: DATA.worst(NOISE, progress=bad),
        lambda: dl.KnowledgeGraph.of(DATA, NOISE, fast=bad),
        lambda: dl.KnowledgeGraph.from_edges(lambda *_: 0.2, n=3, fast=bad),
    ):
        with pytest.raises(dl.DplensError, match="to be True or False"):
            make()


@pytest.mark.parametrize("bad", [*NOTHING, *SINGLE, None, True, pd.Series([1.0])], **IDS)
def test_nodes_of_graphs(bad):
    for ask in (
        lambda: GRAPH.value(bad),
        lambda: GRAPH.value(0, [bad]),
        lambda: GRAPH.path(bad),
        lambda: GRAPH.edge(0, bad),
        lambda: GRAPH.edge(0, 1, [bad]),
    ):
        with pytest.raises(dl.DplensError, match="Expected"):
            ask()


@pytest.mark.parametrize("bad", [None, 3, "abc", [1, 2], len, int, lambda x: x], **IDS)
def test_edges_of_graphs(bad):
    with pytest.raises(dl.DplensError, match="edges"):
        dl.KnowledgeGraph.from_edges(bad, n=3)


def test_graphs_have_as_many_tuples_as_can_be_walked():
    asked = []

    def edge(*key):
        asked.append(key)
        return 0.2

    for n in (19, 10**12, 1e308):
        with pytest.raises(dl.DplensError, match="at most 18"):
            dl.KnowledgeGraph.from_edges(edge, n=n)
    with pytest.raises(dl.DplensError, match="at most 200"):
        dl.KnowledgeGraph.from_edges(edge, n=10**12, fast=True)
    assert not asked
    for more in ({"n": 2.5}, {"base": (1.0,)}, {"base": "x"}, {"changes": 3}, {"changes": len}):
        with pytest.raises(dl.DplensError, match="Expected"):
            dl.KnowledgeGraph(**{"n": 2, "base": (1.0, 1.0), "changes": lambda *_: np.array([0.1]), **more})


@pytest.mark.parametrize("length", [662957, 10**12, 1e308])
def test_chains_have_a_longest_length(length):
    with pytest.raises(dl.DplensError, match="at most 2000 tuples"):
        dl.GaussianChain.ar1(correlation=0.5, length=length)
    if length > 10**6:
        with pytest.raises(dl.DplensError, match="length to be at most"):
            dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.3, 0.7]], length=length)


def test_independent_tuples_are_at_least_one():
    with pytest.raises(
        dl.DplensError, match=r"^Expected marginals to hold the law of each tuple, and at least one, got \[\]"
    ):
        dl.DiscreteData.independent([])


def test_independent_tuples_are_few_enough_for_a_table():
    with pytest.raises(dl.DplensError, match="marginals"):
        dl.DiscreteData.independent(marginals=[[0.5, 0.5]] * 40)
    assert dl.DiscreteData.independent(marginals=np.array([[0.5, 0.5], [0.2, 0.8]])).n == 2


@pytest.mark.parametrize(
    "more",
    [
        {"weights": "abc"},
        {"weights": [1, "a"]},
        {"weights": 10**400},
        {"weights": [[1, 1]]},
        {"attackers": None},
        {"attackers": 3},
        {"attackers": dl.Knowing(target=0)},
    ],
    ids=str,
)
def test_related_data(more):
    with pytest.raises(dl.DplensError, match="Expected"):
        dl.assess(NOISE, data=dl.RelatedData(**{"model": DATA, **more}))


@pytest.mark.parametrize("weight", [math.nan, math.inf])
def test_related_data_refuse_weights_that_are_no_numbers(weight):
    with pytest.raises(dl.DplensError, match="Expected weights to be a list with one finite weight"):
        dl.RelatedData(model=DATA, weights=[0.5, weight])


def test_attackers_known_by_arrays_and_names():
    with pytest.raises(dl.DplensError, match="name"):
        dl.Knowing(target=0, name=3)
    found = dl.assess(NOISE, data=dl.RelatedData(model=DATA, attackers=[dl.Knowing(target=0, known=np.array([1]))]))
    assert found.related.attackers[0].known == ((1, None),)
    for bad in (pd.Series([0.5, 0.5]), np.array([1.5, 0.5]), len):
        with pytest.raises(dl.DplensError, match="known"):
            dl.assess(NOISE, data=dl.RelatedData(model=DATA, attackers=[dl.Knowing(target=0, known=bad)]))


@pytest.mark.verify
@pytest.mark.parametrize("target", [0, 50_000])
def test_runs_of_unknown_tuples_that_no_sum_is_worked_out_for(target):
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.3, 0.7]], length=100_000)
    with pytest.raises(dl.DplensError, match="unknown tuples in a row"):
        dl.Advantage().of(chain.view(dl.Laplace(scale=1.0), target=target))
    near = chain.view(dl.Laplace(scale=1.0), target=target, known={j: 0 for j in range(100_000) if j != target})
    assert dl.Advantage().of(near) > 0.3


@pytest.mark.parametrize(
    "make",
    [
        lambda: dl.DiscreteData(joint=[[1e308, 1e308], [1, 1]]),
        lambda: dl.DiscreteData.independent([[1e308, 1e308], [0.5, 0.5]]),
        lambda: dl.MarkovData(initial=[1e308, 1e308], transition=[[0.5, 0.5], [0.5, 0.5]], length=3),
        lambda: dl.MarkovData(initial=[0.5, 0.5], transition=[[1e308, 1e308], [0.5, 0.5]], length=3),
        lambda: dl.FinitePair(p=[1e308, 1e308], q=[0.5, 0.5]),
    ],
)
def test_masses_whose_sum_is_no_float(make):
    with pytest.raises(dl.DplensError, match="sum to 1"):
        make()
