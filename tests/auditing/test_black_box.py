"""Calling a user's function: seeds, workers, failures, interruption, outputs of every kind."""

import os

import numpy as np
import pytest

import dplens as dl
from dplens.auditing.runs import Runs


def noisy(data, rng):
    return data + rng.laplace()


def slow_to_fail(data, rng):
    x = rng.normal()
    if x > 2 and "DPLENS_TEST_MENDED" not in os.environ:
        raise ZeroDivisionError("no division by zero")
    return data + x


def test_one_seed_gives_one_answer_on_any_number_of_workers():
    alone = dl.audit_mechanism(noisy, 0.0, 1.0, n=300, seed=7, score="raw")
    two = dl.audit_mechanism(noisy, 0.0, 1.0, n=300, seed=7, score="raw", workers=2)
    other = dl.audit_mechanism(noisy, 0.0, 1.0, n=300, seed=8, score="raw")
    assert alone.thresholds.tolist() == two.thresholds.tolist() != other.thresholds.tolist()
    assert alone.epsilon == two.epsilon


def test_chance_of_its_own_is_never_copied(tmp_path):
    class Release:
        def __init__(self, stop=None):
            self.rng, self.calls, self.stop = np.random.default_rng(3), 0, stop

        def __call__(self, data):
            self.calls += 1
            if self.calls == self.stop:
                raise KeyboardInterrupt
            return data + self.rng.laplace()

    whole = dl.audit_mechanism(Release(), 0.0, 1.0, n=200, score="raw")
    with pytest.warns(dl.DplensWarning, match="in this process alone"):
        two = dl.audit_mechanism(Release(), 0.0, 1.0, n=200, score="raw", workers=2)
    assert two.thresholds.tolist() == whole.thresholds.tolist()
    given = {"n": 200, "score": "raw", "checkpoint": tmp_path / "runs.npz"}
    with pytest.raises(dl.AuditInterrupted):
        dl.audit_mechanism(Release(stop=108), 0.0, 1.0, **given)
    # a new process seeds it as before: to go on would repeat the noise, in one world that of the other
    again = Release()
    with pytest.warns(dl.DplensWarning, match="again"):
        found = dl.audit_mechanism(again, 0.0, 1.0, **given)
    assert found.thresholds.tolist() == whole.thresholds.tolist()
    dl.audit_mechanism(Release(), 0.0, 1.0, **given)  # nothing is missing, nothing is made again
    with pytest.raises(TypeError, match="finished"):
        dl.audit_mechanism(again, 0.0, 1.0, n=200, resume=3)


class Ignoring:
    """Takes a generator and draws from one that it holds."""

    def __init__(self, rare, stop=None):
        self.rng, self.rare, self.left = np.random.default_rng(3), rare, stop

    def __call__(self, data, rng):
        self.left = self.left and self.left - 1
        if self.left == 0:
            raise KeyboardInterrupt
        return int(self.rng.random() < 1e-9 + data) if self.rare else data + self.rng.laplace()


@pytest.mark.parametrize("rare", [False, True])  # outputs all of which differ, and outputs most of which are equal
def test_chance_beside_the_generator_is_never_copied(rare):
    with pytest.warns(dl.DplensWarning, match="other randomness than"):
        found = dl.audit_mechanism(Ignoring(rare), 0.0, 0.5, n=200, score="raw", workers=2)
    assert "in this process alone" in found.notes[0]
    assert rare or len(found.roc()["threshold"]) > 100  # copies would have given every piece of work the same 5 numbers


def test_chance_beside_the_generator_is_not_repeated_after_an_interruption(tmp_path):
    given = {"n": 200, "score": "raw", "checkpoint": tmp_path / "runs.npz"}
    with pytest.raises(dl.AuditInterrupted):
        dl.audit_mechanism(Ignoring(False, stop=108), 0.0, 1.0, **given)
    with pytest.warns(dl.DplensWarning, match="again"):
        found = dl.audit_mechanism(Ignoring(False), 0.0, 1.0, **given)
    assert "made those runs again" in found.notes[0]
    kept = Runs.load(given["checkpoint"])
    assert len(np.unique(np.round(np.concatenate([kept.of(0), kept.of(1) - 1]), 12))) == 400


def test_a_backend_that_keeps_its_results_is_named():
    import joblib

    said = r"parallel_config.*MultiprocessingBackend.*'loky'"
    with joblib.parallel_config(backend="multiprocessing"), pytest.raises(dl.DplensError, match=said):
        dl.audit_mechanism(noisy, 0.0, 1.0, n=80, score="raw", workers=2)


@pytest.mark.parametrize("vectorized", [False, True])
def test_a_generator_that_has_to_be_named(vectorized):
    def placed(data, rng, size=None):
        return sum(data) + rng.laplace(0, 1, size)

    def named(data, *, rng=None, size=None):  # without the seed it would draw from a generator of its own
        return placed(data, rng or np.random.default_rng(), size)

    first, second = (
        dl.audit_mechanism(run, [0], [1], n=200, score="raw", vectorized=vectorized) for run in (placed, named)
    )
    assert first.roc()["threshold"].tolist() == second.roc()["threshold"].tolist()


def test_a_configured_backend_is_used(monkeypatch):
    import joblib

    with joblib.parallel_config(backend="threading", n_jobs=2):
        found = dl.audit_mechanism(noisy, 0.0, 1.0, n=80, score="raw")
    assert found.epsilon == dl.audit_mechanism(noisy, 0.0, 1.0, n=80, score="raw").epsilon


def test_dask_by_configuration():
    distributed = pytest.importorskip("distributed")
    import joblib

    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        found = dl.audit_mechanism(noisy, 0.0, 1.0, n=80, score="raw")
    assert found.epsilon == dl.audit_mechanism(noisy, 0.0, 1.0, n=80, score="raw").epsilon


def test_a_crash_loses_nothing_that_was_done(monkeypatch):
    with pytest.raises(dl.RunFailed, match=r"ZeroDivisionError: no division by zero.*spawn_key=\(") as caught:
        dl.audit_mechanism(slow_to_fail, 0.0, 1.0, n=200, score="raw")
    kept = caught.value.finished
    assert 300 < kept.done < 400
    monkeypatch.setenv("DPLENS_TEST_MENDED", "1")
    calls = []

    def slow_to_fail_(data, rng):
        calls.append(data)
        return slow_to_fail(data, rng)

    slow_to_fail_.__qualname__ = "slow_to_fail"
    with pytest.warns(dl.DplensWarning, match="The function has changed"):
        mended = dl.audit_mechanism(slow_to_fail_, 0.0, 1.0, n=200, score="raw", resume=kept)
    assert len(calls) == 400 - kept.done + 4  # two runs of 200 are made twice, to see that no chance is repeated
    whole = dl.audit_mechanism(slow_to_fail, 0.0, 1.0, n=200, score="raw")
    assert mended.thresholds.tolist() == whole.thresholds.tolist()


def test_a_checkpoint_goes_on_where_it_stopped(tmp_path):
    path, calls = tmp_path / "runs.npz", []

    def stopped(data, rng):
        calls.append(data)
        if len(calls) == 150:
            raise KeyboardInterrupt
        return data + rng.normal()

    with pytest.raises(dl.AuditInterrupted, match=r"Stopped after 1\d\d of 400 runs") as caught:
        dl.audit_mechanism(stopped, 0.0, 1.0, n=200, score="raw", checkpoint=path)
    assert caught.value.finished.done >= 140
    first = len(calls)
    found = dl.audit_mechanism(stopped, 0.0, 1.0, n=200, score="raw", checkpoint=path)
    assert len(calls) - first <= 400 - 140
    fresh = dl.audit_mechanism(stopped, 0.0, 1.0, n=200, score="raw")
    assert found.thresholds.tolist() == fresh.thresholds.tolist()
    assert [p.name for p in tmp_path.iterdir()] == ["runs.npz"]
    with pytest.raises(dl.DplensError, match="of the same audit: seed 5"):
        dl.audit_mechanism(stopped, 0.0, 1.0, n=200, score="raw", checkpoint=path, seed=5)
    path.write_bytes(b"nonsense")
    with pytest.raises(dl.DplensError, match="checkpoint"):
        dl.audit_mechanism(stopped, 0.0, 1.0, n=200, score="raw", checkpoint=path)


def test_what_goes_wrong_after_the_runs_loses_nothing_either(monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("dplens.auditing.black_box.learn", stopped)
        with pytest.raises(dl.AuditInterrupted, match="after 200 of 200") as caught:
            dl.audit_mechanism(noisy, 0.0, 1.0, n=100)
    calls = []

    def counted(data, rng):
        calls.append(data)
        return noisy(data, rng)

    counted.__qualname__ = noisy.__qualname__
    with pytest.warns(dl.DplensWarning, match="The function has changed"):
        found = dl.audit_mechanism(counted, 0.0, 1.0, n=100, resume=caught.value.finished)
    assert not calls
    assert found.thresholds.tolist() == dl.audit_mechanism(noisy, 0.0, 1.0, n=100).thresholds.tolist()
    with pytest.raises(dl.errors.InvalidValue, match="in place of texts") as refused:
        dl.audit_mechanism(lambda data, rng: f"{data + rng.normal()}", 0.0, 1.0, n=20)
    assert refused.value.finished.done == 40


@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.parametrize("made", [[0.0, 1.0], "a text"])
def test_an_output_that_is_no_score_is_refused_at_once(vectorized, made):
    calls = []

    def run(data, rng, size=None):
        calls.append(data)
        return made if size is None else [made] * size

    with pytest.raises(dl.RunFailed, match="one number when the score is the output itself"):
        dl.audit_mechanism(run, 0.0, 1.0, n=1000, score="raw", vectorized=vectorized)
    assert len(calls) == 1


def test_a_worker_that_dies_loses_nothing_either():
    def dies(data, rng):
        if rng.random() < 0.004:
            os._exit(3)
        return data + rng.normal()

    with pytest.raises(dl.RunFailed, match="are kept") as caught:
        dl.audit_mechanism(dies, 0.0, 1.0, n=400, score="raw", workers=2)
    assert caught.value.finished.done > 0


def test_outputs_of_every_kind():
    def text(data, rng):
        return "yes" if (rng.random() < 0.9) == data else None

    def table(data, rng):
        return rng.normal(0, 1, (2, 3)) + 2.0 * data

    def own(data):
        return data + np.random.default_rng().normal()

    assert dl.audit_mechanism(text, False, True, n=400).epsilon > 0.8
    learned = dl.audit_mechanism(table, 0, 1, n=400)
    assert learned.mu > 1.5
    assert dict(learned.details)["tested on"] == learned.n_in == 200
    assert dl.audit_mechanism(table, 0, 1, n=400, score=lambda out: out.sum()).mu > 2
    assert dl.audit_mechanism(own, 0.0, 4.0, n=100, score="raw").mu > 1


def test_a_learned_score_finds_what_no_single_number_shows():
    def spread(data, rng, size):  # the same mean; only the spread tells
        return rng.normal(0, 3.0 if data else 1.0, size)

    found = dl.audit_mechanism(spread, 0, 1, n=2000, vectorized=True)
    assert found.advantage > 0.25
    assert dict(found.details)["score"] == "gradient boosting"


BAD = {
    "shapes": (lambda d, rng: [1.0] * (1 + (rng.random() < 0.1)), {}, "of one kind and shape.*are kept"),
    "kinds": (lambda d, rng: "a" if rng.random() < 0.1 else 1.0, {}, "of one kind and shape.*labels"),
    "nan": (lambda d, rng: float("nan"), {}, "finite numbers"),
    "constant": (lambda d, rng: 3.0, {}, "same for all"),
    "no number": (lambda d, rng: "a", {"score": "raw"}, "one number when the score"),
    "two numbers": (lambda d, rng: [1.0, 2.0], {"score": "raw"}, "one number when the score"),
    "no arguments": (lambda: 1.0, {}, "run\\(data, rng\\)"),
    "no function": (7, {}, "to be a function"),
    "many": (lambda d, rng, size: np.zeros(3), {"vectorized": True}, "outputs when asked"),
    "score": (noisy, {"score": "best"}, "score"),
    "bad score": (noisy, {"score": lambda out: "high"}, "score\\(output\\)"),
    "n": (noisy, {"n": 0}, "n to be a whole number"),
    "confidence": (noisy, {"confidence": 2.0}, "confidence"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_named_and_explained(case):
    run, more, said = BAD[case]
    with pytest.raises(dl.DplensError, match=said):
        dl.audit_mechanism(run, 0.0, 1.0, **{"n": 80, **more})


def test_finished_runs_are_not_taken_for_those_of_other_data(tmp_path):
    kept = tmp_path / "runs.npz"
    asked = {"n": 100, "score": "raw", "checkpoint": kept}
    first = dl.audit_mechanism(noisy, 0.0, 5.0, **asked)
    assert dl.audit_mechanism(noisy, 0.0, 5.0, **asked).mu == first.mu > 1
    with pytest.raises(dl.DplensError, match="runs on other data"):
        dl.audit_mechanism(noisy, 0.0, 0.0, **asked)
    with pytest.raises(dl.DplensError, match="a folder that exists"):
        dl.audit_mechanism(noisy, 0.0, 5.0, n=100, checkpoint=tmp_path / "no" / "runs.npz")


class Unpicklable(list):
    def __reduce__(self):
        raise TypeError("not to be pickled")


def stopping(run):
    """The same function, interrupted at its tenth call."""
    calls = []

    def stopped(data, rng):
        calls.append(0)
        if len(calls) == 10:
            raise KeyboardInterrupt
        return run(data, rng)

    stopped.__qualname__ = run.__qualname__
    return stopped


def test_finished_runs_on_data_that_cannot_be_told_apart(tmp_path):
    d0, d1 = Unpicklable([0.0]), Unpicklable([1.0])

    def run(data, rng):
        return data[0] + rng.normal()

    kept = tmp_path / "runs.npz"
    with pytest.raises(dl.DplensError, match=r"d0 and d1.*pickled"):
        dl.audit_mechanism(run, d0, d1, n=40, score="raw", checkpoint=kept)
    assert not kept.exists()
    with pytest.raises(dl.AuditInterrupted) as caught:
        dl.audit_mechanism(stopping(run), d0, d1, n=40, score="raw")
    with pytest.warns(dl.DplensWarning, match="We do not know whether the finished runs used the same data"):
        dl.audit_mechanism(run, d0, d1, n=40, score="raw", resume=caught.value.finished)


def test_finished_runs_of_another_function_are_told(tmp_path):
    def noisy_by(scale):
        return lambda data, rng: data + scale * rng.normal()

    asked = {"n": 60, "score": "raw", "checkpoint": tmp_path / "runs.npz"}
    dl.audit_mechanism(noisy_by(1.0), 0.0, 1.0, **asked)
    assert not dl.audit_mechanism(noisy_by(1.0), 0.0, 1.0, **asked).notes
    for _ in range(2):  # also when nothing was left to do
        with pytest.warns(dl.DplensWarning, match="The function has changed"):
            found = dl.audit_mechanism(noisy_by(0.1), 0.0, 1.0, **asked)
        assert "has changed" in found.notes[0]


def test_complex_outputs_are_numbers_and_masked_ones_are_refused():
    def phase(data, rng, size):
        return rng.normal(0, 1, size) + 1j * (data + rng.normal(0, 0.1, size))

    assert dl.audit_mechanism(phase, 0.0, 1.0, n=200, vectorized=True).mu > 1
    with pytest.raises(dl.DplensError, match="masked"):
        dl.audit_mechanism(lambda data, rng: np.ma.masked_less(rng.normal(data, 1, 3), 9), 0.0, 1.0, n=20)
    with pytest.raises(dl.DplensError, match="numbers in place of texts"):
        dl.audit_mechanism(lambda data, rng: f"{data + rng.normal()}", 0.0, 1.0, n=20)


def test_a_function_that_changes_its_data_is_told():
    def adds(data, rng):
        data.append(1)
        return sum(data) + rng.normal()

    with pytest.warns(dl.errors.DplensWarning, match="The data changed during the runs"):
        found = dl.audit_mechanism(adds, [0], [1], n=50, score="raw")
    assert "work on a copy" in found.notes[0]


def test_a_function_that_leaves_loses_nothing():
    def leaves(data, rng):
        return data + rng.random() if rng.random() > 0.1 else exit(3)

    with pytest.raises(dl.DplensError, match="raised SystemExit: 3") as error:
        dl.audit_mechanism(leaves, 0.0, 1.0, n=100)
    assert 100 < error.value.finished.done < 200
