"""One object and many who ask it: threads, processes, after an interrupt, in any order: the answers of one alone."""

import contextlib
import copy
import functools
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy import stats

import dplens as dl
from tests.contracts.catalogue import FAMILIES

THREADS, FEWER, EACH = 32, 4, 3
FEW = np.array([1e-6, 1e-3, 0.1, 0.5, 0.9])
MANY = np.concatenate([np.logspace(-8, -0.5, 80), 1 - np.logspace(-6, -0.6, 40)])


# ---- what is asked: functions that travel to other processes --------------------------------------------------------


def plain(found: Any) -> Any:
    """An answer as something that ``==`` compares to the last bit."""
    if isinstance(found, dl.Estimate):
        return float(found).hex(), found.low.hex(), found.high.hex(), found.certificate
    if isinstance(found, np.ndarray):
        return found.tobytes()
    if isinstance(found, float):
        return found.hex()
    if isinstance(found, (list, tuple)):
        return [plain(x) for x in found]
    return {k: plain(v) for k, v in found.items()} if isinstance(found, dict) else found


def asked(question, subject):
    return plain(question.of(subject))


def read(name, at, subject):
    return plain(getattr(subject.tradeoff(), name)(at))


def mirrored(at, subject):
    return plain(subject.tradeoff().inverse()(at))


def got(name, subject):
    return plain(getattr(subject, name))


def called(name, arguments, subject):
    return plain(getattr(subject, name)(*arguments))


def leaked(known, subject):
    return plain(subject.view(dl.Laplace(scale=1.0), target=0, known=known).leakage())


def listed(kind, subject):
    return plain(dl.frame(kind, subject).listed())


def described(kind, subject):
    return dl.chart(kind, subject).alt


def drawn(kind, subject):
    return dl.chart(kind, subject).spec


def quantile(subject):
    return plain(subject.h0.quantile(0.9))


def carded(subject):
    return str(dl.risk_card(subject, delta=1e-6))


def fitted(subject):
    fit = dl.calibrate(subject, meet=[dl.Advantage().at_most(0.1)])
    return plain([fit.value, *fit.achieved])


def described_risk(subject):
    return str(dl.risk_card(subject.mechanism, delta=1e-6)), plain(subject.passed)


def of_mechanism(ask, subject):
    return ask(subject.mechanism)


def refuted(subject):
    return subject.refutes(dl.Gaussian(sigma=2.0)).verdict


CURVE = (
    partial(asked, dl.Epsilon(delta=1e-5)),
    partial(read, "__call__", MANY),
    partial(asked, dl.AttackPower(fpr=1e-6)),
    partial(asked, dl.Delta(epsilon=0.5)),
    partial(read, "power", FEW),
    partial(asked, dl.Epsilon(delta=0.1)),
    partial(mirrored, FEW),
    partial(asked, dl.Advantage()),
)
AREA = (*CURVE, partial(asked, dl.AUC()), partial(asked, dl.Mu()))


@dataclass(frozen=True)
class Subject:
    """Something that is shared, and what it is asked; ``heavy``: too much for 32 threads that do the same work."""

    name: str
    make: Callable[[], Any]
    questions: tuple[Callable[[Any], Any], ...] = CURVE
    heavy: bool = False

    def __str__(self):
        return self.name.replace(" ", "-")

    @functools.cached_property
    def alone(self):
        """The answers, each of an object that was asked nothing else."""
        return [ask(self.make()) for ask in self.questions]


# ---- mechanisms and curves ------------------------------------------------------------------------------------------

HEAVY = {
    "cauchy noise", "t3 noise", "gumbel noise", "generalised normal noise", "truncated normal noise", "two normals",
    "renyi dp", "zcdp", "best of two guarantees", "related records, laplace", "related records, gaussian",
}  # fmt: skip
CATALOGUE = [
    Subject(f.name, partial(f.make, **f.fixed), CURVE[2:4] if f.name in HEAVY else CURVE, f.name in HEAVY)
    for f in FAMILIES
]


class Tolerant:
    """A curve with a tolerance, as a subject."""

    def __init__(self, mechanism):
        self._curve = mechanism.tradeoff(tolerance=1e-6)

    def tradeoff(self):
        return self._curve


def dp_sgd(noise=1.0, rate=0.01, steps=500):
    return dl.DPSGD(noise_multiplier=noise, sample_rate=rate, steps=steps)


def tolerant():
    return Tolerant(dp_sgd())


def two_samplings():
    return dl.compose(dp_sgd(), dp_sgd(2.0, 0.3, 10))


def gaussian_and_laplace():
    return dl.compose(dl.Gaussian(sigma=1.0), dl.Laplace(scale=2.0).repeat(3))


def answers_and_laplace():
    return dl.compose(dl.RandomizedResponse(epsilon=0.3, categories=3), dl.Laplace(scale=1.0))


def answers_and_gaussian():
    return dl.compose(dl.RandomizedResponse(epsilon=1.0).repeat(20), dl.Gaussian(sigma=30.0))


def many_laplaces():
    return dl.compose(*(dl.Laplace(scale=5 + 0.1 * i) for i in range(20)))


def no_law():
    return dl.compose(dl.AdditiveNoise(noise=stats.gennorm(1.5), sensitivity=0.5), dl.Gaussian(sigma=2.0))


def groups():
    return dl.compose(dl.Laplace(scale=2.0).group(2), dl.Gaussian(sigma=3.0))


def hardly_noisy():
    return dl.compose(dl.Gaussian(sigma=0.01), dl.Laplace(scale=3.0))


ROUTES = [
    Subject("contour", dp_sgd, AREA),
    Subject("contour, many steps", partial(dp_sgd, 0.8, 0.05, 20_000)),
    Subject("contour, tolerance", tolerant, CURVE[:3]),
    Subject("contour, two kinds of steps", two_samplings),
    Subject("contour, symmetric", gaussian_and_laplace, AREA),
    Subject("spline", partial(dl.Laplace(scale=2.0).repeat, 5)),
    Subject("spline with finite losses", answers_and_laplace),
    Subject("enumeration", partial(dl.RandomizedResponse(epsilon=0.5, categories=3).repeat, 10)),
    Subject("lattice", partial(dl.Geometric(scale=3.0).repeat, 5000)),
    Subject("contour with finite losses", answers_and_gaussian),
    Subject("grid, many scales", many_laplaces, CURVE[3:4], heavy=True),
    Subject("grid", no_law, CURVE[2:4], heavy=True),
    Subject("groups among steps", groups),
    Subject("little noise", hardly_noisy),
    Subject("guarantees", partial(dl.ApproximateDP(epsilon=0.1, delta=1e-6).repeat, 7)),
]

# ---- everything else ------------------------------------------------------------------------------------------------


def exponential(rng, n, mean):
    return rng.exponential(1 + mean, n)


def couple():
    return dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]])


def three():
    return dl.GaussianData(covariance=[[1.0, 0.5, 0.2], [0.5, 1.0, 0.1], [0.2, 0.1, 1.0]], width=1.0)


def chain():
    return dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.2, 0.8]], length=10)


def seen_by_one():
    return couple().view(dl.Laplace(scale=1.0), target=0)


def seen_with_gaussian_noise():
    return three().view(dl.Gaussian(sigma=1.0), target=0)


def worst_of_two():
    return couple().worst(dl.Laplace(scale=1.0))


def graph():
    return dl.KnowledgeGraph.from_edges(np.full((6, 6, 2**6), 0.2), n=6)


def measured():
    rng = np.random.default_rng(1)
    return dl.audit(rng.normal(1, 1, 500), rng.normal(0, 1, 500))


def assessed():
    return dl.assess(dp_sgd(), n=1000, limits=[dl.Advantage().at_most(0.3)])


def slope():
    rng = np.random.default_rng(1)  # which others go on with
    made = dl.SlopeTest(
        n=50, sd=0.2, effect=0.3, x_bounds=(0, 1), y_bounds=(0, 1), published="statistics", draws=1000, rng=rng
    )
    rng.random()
    return made


def powers(*mechanisms):
    return tuple(partial(called, "power", (m,)) for m in mechanisms)


def noisy(sigma):
    return dl.Gaussian(sigma=sigma).subsample(0.1).repeat(10)


def family():
    return noisy


LEAKAGE = partial(called, "leakage", ())
NOISES, COUNTS = (dl.Laplace(scale=0.05), dl.Gaussian(sigma=0.05), None), (dl.Geometric(scale=2.0), None)
OTHERS = [
    Subject("view of a pair", seen_by_one, (LEAKAGE, *CURVE[2:4])),
    Subject("view with gaussian noise", seen_with_gaussian_noise, (*CURVE[2:5], LEAKAGE)),
    Subject("gaussian data", three, tuple(partial(leaked, known) for known in ((), (1,), (2,), (1, 2)))),
    Subject("discrete data", couple, tuple(partial(leaked, known) for known in ((), (1,)))),
    Subject("chain", chain, tuple(partial(leaked, known) for known in ((), (1,), (1, 2)))),
    Subject("worst attacker", worst_of_two, (*CURVE[3:5], partial(got, "sentence"), partial(called, "to_dict", ()))),
    Subject("graph", graph, (partial(got, "nodes"), partial(called, "value", (0,)), partial(got, "by_known"))),
    Subject(
        "attack",
        partial(dl.Attack, dl.Gaussian(sigma=1.0), fpr=0.01),
        (partial(got, "power"), partial(got, "threshold"), partial(called, "rejection", (FEW,))),
    ),
    Subject(
        "attack on whole numbers",
        partial(dl.Attack, dl.DiscreteGaussian(sigma=2.0), fpr=0.01),
        (partial(got, "power"), partial(got, "threshold"), partial(called, "likelihood_ratio", (2,))),
    ),
    Subject("loss", partial(dl.PrivacyLoss.of, dp_sgd()), (quantile,)),
    Subject(
        "value above",
        partial(dl.ValueAbove, mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2, 3], gamma=1.5),
        CURVE[2:4],
    ),
    Subject("mean", partial(dl.MeanTest, n=100, sd=0.25, effect=0.2), powers(*NOISES)),
    Subject("two means", partial(dl.TwoMeansTest, n=60, sd=0.3, effect=0.15), powers(*NOISES)),
    Subject("proportion", partial(dl.ProportionTest, n=50, null=0.3, effect=0.2), powers(*COUNTS)),
    Subject("two proportions", partial(dl.TwoProportionsTest, n=20, baseline=0.3, effect=0.3), powers(*COUNTS)),
    Subject("slope of noisy sums", slope, powers(dl.Laplace(scale=0.5), None)),
    Subject(
        "simulated test",
        partial(dl.SimulatedTest, simulate=exponential, statistic=np.median, n=20, effect=0.5, draws=1000, rng=1),
        powers(*NOISES),
    ),
    Subject(
        "contingency",
        partial(dl.ContingencyTest, n=300, probabilities=[[0.3, 0.2], [0.2, 0.3]], draws=1000, rng=1),
        powers(dl.Geometric(scale=20.0), None),
    ),
    Subject("audit", measured, (partial(got, "mu"), partial(called, "power", (FEW,)), refuted, *CURVE[3:5])),
    Subject(
        "audit of one run",
        partial(dl.audit_one_run, correct=93, guesses=100, canaries=500),
        (partial(got, "epsilon"), partial(called, "epsilon_at", (1e-5,))),
    ),
    Subject(
        "assessment",
        assessed,
        (partial(called, "to_json", ()), described_risk, *(partial(of_mechanism, ask) for ask in CURVE[:2])),
    ),
    Subject("calibration", family, (fitted,), heavy=True),
    Subject("frames", dp_sgd, tuple(partial(listed, kind) for kind in ("roc", "relative_risk")), heavy=True),
    Subject("chart", partial(dl.Laplace, scale=1.0), (partial(described, "roc"), carded)),
]
EVERYTHING = [*CATALOGUE, *ROUTES, *OTHERS]
every_subject = pytest.mark.parametrize("subject", EVERYTHING, ids=str)


# ---- threads --------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def hurried():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def at_once(shared, questions, threads):
    """What each thread is told; they begin with different questions, two with the same, and ask some of the others."""
    gate = threading.Barrier(threads)

    def one(i):
        gate.wait()
        order = [(i // 2 + j) % len(questions) for j in range(min(len(questions), EACH))]
        return {k: questions[k](shared) for k in order}

    with hurried(), ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, range(threads)))


@pytest.mark.verify
@every_subject
def test_threads_are_told_what_one_alone_is_told(subject):
    shared = subject.make()
    for told in at_once(shared, subject.questions, FEWER if subject.heavy else THREADS):
        assert told == {k: subject.alone[k] for k in told}
    assert [ask(shared) for ask in reversed(subject.questions)] == subject.alone[::-1]


def test_threads_that_draw_leave_altair_as_it_was():
    schemapi = pytest.importorskip("altair").utils.schemapi
    before = schemapi.DEBUG_MODE
    specs = at_once(dl.Laplace(scale=1.0), [partial(drawn, "roc"), partial(drawn, "posterior")], 2 * FEWER)
    assert before == schemapi.DEBUG_MODE
    assert specs == [specs[0]] * len(specs)


@pytest.mark.parametrize("subject", [*ROUTES, *OTHERS], ids=str)
def test_answers_do_not_depend_on_what_was_asked_before(subject):
    order = np.random.default_rng(1).permutation(len(subject.questions))
    for turn in (order, order[::-1]):
        asked = subject.make()
        assert [subject.questions[k](asked) for k in turn] == [subject.alone[k] for k in turn]


@pytest.mark.parametrize("subject", [s for s in ROUTES if not s.heavy], ids=str)
def test_objects_are_copied_while_others_ask_them(subject):
    shared = subject.make()
    copies = (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x)))
    for twin in at_once(shared, [*copies, *subject.questions], len(copies) + len(subject.questions)):
        for k in [k for k in twin if k < len(copies)]:
            assert subject.questions[0](twin[k]) == subject.alone[0]


# ---- interrupts -----------------------------------------------------------------------------------------------------


class Interrupt:
    """Ctrl+C at one of the lines of the library that a question runs through."""

    def __init__(self, at):
        self.left = at

    def __call__(self, frame, event, argument):
        if f"{os.sep}dplens{os.sep}" not in frame.f_code.co_filename:
            return None
        self.left -= event == "line"
        if self.left == 0:
            raise KeyboardInterrupt
        return self


def interrupted(ask, subject, at):
    """Whether a question was stopped at its n-th line."""
    before = sys.gettrace()
    sys.settrace(Interrupt(at))
    try:
        ask(subject)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


INTERRUPTED = ("contour", "contour, symmetric", "spline", "lattice", "view of a pair", "graph", "two proportions")


@pytest.mark.parametrize("subject", [s for s in EVERYTHING if s.name in INTERRUPTED], ids=str)
def test_an_interrupt_leaves_an_object_as_good_as_new(subject):
    ask, stopped = subject.questions[0], 0
    for at in np.unique(np.geomspace(1, 3000, 60).astype(int)).tolist():
        shared = subject.make()
        stopped += interrupted(ask, shared, at)
        assert ask(shared) == subject.alone[0]
    assert stopped > 10


@pytest.mark.parametrize("apart", [53, 89, 151])
def test_an_object_that_is_interrupted_again_and_again_is_as_good_as_new(apart):
    shared, subject = dp_sgd(), ROUTES[0]
    for ask in subject.questions[:-2]:
        for at in range(apart, 20 * apart, apart):
            interrupted(ask, shared, at)
    assert [ask(shared) for ask in subject.questions] == subject.alone


# ---- processes ------------------------------------------------------------------------------------------------------

SENT = [s for s in EVERYTHING if not s.heavy and s.name not in ("graph",)]


def answers(subject, questions):
    """In another process."""
    return [ask(subject) for ask in questions]


def spawned():
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))


def test_spawned_processes_are_told_the_same():
    used = [subject.make() for subject in SENT]
    for one, subject in zip(used, SENT):
        subject.questions[0](one)
    with spawned() as pool:
        found = [pool.submit(answers, one, subject.questions[:2]) for one, subject in zip(used, SENT)]
        for future, subject in zip(found, SENT):
            assert future.result() == subject.alone[:2], subject.name


@pytest.mark.verify
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("name", ["contour", "spline", "simulated test", "slope of noisy sums", "view of a pair"])
def test_processes_forked_while_threads_ask_are_told_the_same(name):
    subject = next(s for s in EVERYTHING if s.name == name)
    shared, stop = subject.make(), threading.Event()

    def go_on():
        while not stop.is_set():
            for ask in subject.questions:
                ask(subject.make())
                ask(shared)

    expected = subject.alone
    with hurried(), ThreadPoolExecutor(4) as pool:
        busy = [pool.submit(go_on) for _ in range(4)]
        try:
            for k, ask in enumerate(subject.questions[:3]):
                assert in_a_fork(ask, shared) == expected[k]
        finally:
            stop.set()
    for thread in busy:
        thread.result()


def in_a_fork(ask, shared):
    """The answer of a child that is a copy of this process as it is now."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(120)  # a child that waits for ever says nothing
        with contextlib.suppress(BaseException), os.fdopen(into, "wb") as pipe:
            pickle.dump(ask(shared), pipe)
        os._exit(0)
    os.close(into)
    with os.fdopen(out, "rb") as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(found)
