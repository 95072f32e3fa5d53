"""Calls a user's function in two worlds, on any number of workers; the same outputs whatever their number.

Run i of world w has a generator of its own, spawned from the seed by (w, i). A function that brings its own chance runs
in this process only: each process would get a copy of its generator, and all copies draw the same noise. Whether a
function that takes a generator still has chance of its own shows when runs are made twice with equal generators.
"""

from __future__ import annotations

import inspect
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dplens import _validate
from dplens.auditing.runs import RunFailed, Runs, changed, held_generators
from dplens.correlated.progress import tracked
from dplens.errors import DplensError, DplensWarning, InvalidValue
from dplens.utility.simulation import configured, shared_pool

_CHUNKS = 40  # pieces of the work of one world, at least
_LONGEST = 500  # runs of one piece
_SHARE, _MOST = 100, 20  # one run of so many, and no more, are made twice to see whether the function has own chance

_COPIED = (
    "so it runs in this process alone: copies of a generator of its own in several processes would draw the same noise."
)
_ALONE = f"The function takes no generator, {_COPIED} Let it take one, run(data, rng), to use several workers."
_HELD = (
    "The function has chance of its own beside the generator that it is given (equal generators gave unequal outputs, "
    f"or one that it holds moved on), {_COPIED} Let it draw from rng alone to use several workers."
)
_AGAIN = (
    "The function repeats the chance of the finished runs from the start, as a script does that seeds a generator of "
    "its own. The finished runs were made again, since to go on would count the same noise twice. Let it draw from "
    "the generator of run(data, rng) alone to go on where it stopped."
)


def collect(
    run: Callable[..., Any],
    worlds: tuple[Any, Any],
    runs: Runs,
    *,
    score: str | Callable[[Any], float],
    vectorized: bool,
    workers: int | None,
    progress: bool | None,
    checkpoint: Any = None,
) -> tuple[str, ...]:
    """Makes the runs that are missing, and says how if not as asked; whatever happens, what was made is kept."""
    run = _ByName(run) if _wants_names(run) else run
    takes = _arguments(run, vectorized)
    notes: list[str] = []

    def told(text: str) -> None:
        notes.append(text)
        warnings.warn(text, DplensWarning, stacklevel=4)

    failures: list[tuple[int, int, str, str]] = []
    try:
        if runs.done < 2 * runs.n:
            shared, seen = _shared(workers), (run, worlds[0], runs, takes, vectorized, score)
            own = takes == 1 or (shared and next(_results([_twice(*seen)], workers, _differs)))
            if own and shared:
                told(_ALONE if takes == 1 else _HELD)
            workers = 1 if own else workers
            if (own or not shared) and _repeats(*seen):
                told(_AGAIN)
        size = _LONGEST if vectorized else max(1, min(_LONGEST, runs.n // _CHUNKS))
        todo = [(w, *stretch) for w in (0, 1) for stretch in runs.missing(w, size)]
        todo.sort(key=lambda piece: piece[1])  # both worlds grow together
        pieces = [(run, worlds[w], w, start, stop, runs.seed, takes, vectorized, score) for w, start, stop in todo]
        made = tracked(_results(pieces, workers), len(pieces), "Running the mechanism", progress)
        for (w, start, _), (kind, shape, outputs, failure) in zip(todo, made):
            try:
                runs.add(w, start, kind, shape, outputs)
            except InvalidValue as error:
                failures.append((w, start, str(error), ""))
            if failure is not None:
                failures.append((w, *failure))
                if not runs.done:  # the very first run: the others would do no better
                    break
            if checkpoint is not None:
                runs.save(checkpoint)
    except (DplensError, MemoryError):
        raise
    except Exception as error:  # a worker died
        raise RunFailed(f"The mechanism failed: {type(error).__name__}: {error}. {_kept(runs)}", runs) from error
    if failures:
        raise RunFailed(_told(runs, failures), runs)
    return tuple(notes)


def _twice(run: Any, data: Any, runs: Runs, takes: int, vectorized: bool, score: Any, most: int = _LONGEST) -> Any:
    """The first runs without the target, as many as are worth being made twice: what _stretch is given."""
    count = min(runs.n, most, _LONGEST if vectorized or takes == 1 else min(max(runs.n // _SHARE, 1), _MOST))
    return run, data, 0, 0, count, runs.seed, takes, vectorized, score


def _made(piece: Any) -> Any:
    """The outputs of a piece of work, or None where it fails."""
    *_, outputs, failure = _stretch(*piece)
    return outputs if failure is None else None


def _differs(*piece: Any) -> bool:
    """Whether runs made twice with equal generators differ, or move a generator that the function holds.

    The latter tells where outputs are few. Where the function fails nothing is known; the runs themselves will say how.
    """
    first, before = _made(piece), held_generators(piece[0])
    again = _made(piece)
    if first is None or again is None:
        return False
    return not np.array_equal(first, again) or held_generators(piece[0]) != before


def _repeats(run: Any, data: Any, runs: Runs, takes: int, vectorized: bool, score: Any) -> bool:
    """Makes the very first finished runs once more; if own chance repeats itself, the finished runs are forgotten.

    All but these where the function takes no generator: a seeded generator of its own stands then where it stood after
    them, so that all runs differ again.
    """
    first = runs.chunks.get((0, 0))
    if first is None or not len(first):
        return False
    piece = _twice(run, data, runs, takes, vectorized, score, len(first))
    again = _made(piece)
    if again is None or not np.array_equal(first[: len(again)], again):
        return False
    if takes > 1:  # they may well be equal, being made with equal generators; then they are so once more
        more = _made(piece)
        if more is None or np.array_equal(again, more):
            return False
    kept = {(0, 0): first} if takes == 1 else {}
    if runs.chunks.keys() == kept.keys():
        return False
    runs.chunks = kept
    return True


def _told(runs: Runs, failures: list[tuple[int, int, str, str]]) -> str:
    """What went wrong first, how to see it again, and what is kept."""
    world, at, said, where = failures[0]
    more = f" {len(failures) - 1} more stretches of runs failed too." if len(failures) > 1 else ""
    if not where:  # the function ran, and what it returned cannot be used
        return f"{said}{more} {_kept(runs)}"
    again = f"numpy.random.default_rng(numpy.random.SeedSequence({runs.seed}, spawn_key=({world}, {at})))"
    return (
        f"The mechanism failed: run {at} of world {world} (d{world}) raised {said}.{more} To see it again "
        f"call it on d{world} with {again}. {_kept(runs)}\n{where}"
    )


def _kept(runs: Runs) -> str:
    if not runs.done:
        return "No run was done."
    done = f"The {runs.done} of {2 * runs.n} runs that were done are kept"
    return f"{done}: mend the function and pass resume=error.finished."


class _ByName:
    """A function whose generator has a name and no place: run(data, *, rng)."""

    def __init__(self, run: Callable[..., Any]) -> None:
        self.run = run

    def __call__(self, data: Any, rng: Any, *size: int) -> Any:
        return self.run(data, rng=rng, **({"size": size[0]} if size else {}))


def _wants_names(run: Any) -> bool:
    try:
        found = inspect.signature(run).parameters.get("rng")
    except Exception:  # no function, none that can be looked at, or one whose repr fails
        return False
    return found is not None and found.kind is found.KEYWORD_ONLY


def _arguments(run: Any, vectorized: bool) -> int:
    """How many arguments the function takes: data, generator, and how many outputs."""
    if not callable(run):
        raise _validate.reject_type("run", "to be a function of the data and a generator: run(data, rng)", run)
    try:
        inspect.signature(run).bind(None, None, *([None] if vectorized else []))
    except TypeError:
        try:
            inspect.signature(run).bind(None)
        except TypeError:
            asked = "run(data, rng, size)" if vectorized else "run(data, rng), or run(data) with chance of its own"
            raise _validate.reject_type("run", f"to be called as {asked}", run) from None
        if vectorized:
            raise _validate.reject_type("run", "to be called as run(data, rng, size)", run) from None
        return 1
    except ValueError:  # no signature to look at
        pass
    return 3 if vectorized else 2


def _shared(workers: int | None) -> bool:
    """Whether several processes are asked for, here or by joblib.parallel_config."""
    return configured() if workers is None else workers != 1


def _results(pieces: list[Any], workers: int | None, work: Callable[..., Any] | None = None) -> Iterator[Any]:
    work = work or _stretch
    if not _shared(workers):
        yield from (work(*piece) for piece in pieces)
        return
    pool, delayed = shared_pool(workers, "Runs on several cores need joblib: pip install 'dplens[audit]'")
    yield from pool(delayed(work)(*piece) for piece in pieces)


def _stretch(
    run: Any, data: Any, world: int, start: int, stop: int, seed: int, takes: int, vectorized: bool, score: Any
) -> tuple[str, tuple[int, ...], Any, tuple[int, str, str] | None]:
    """(kind, shape, outputs of runs start … stop−1, where and how it failed): what was done before a failure stays."""
    kinds: list[tuple[str, tuple[int, ...]]] = []
    out: list[Any] = []
    failure = None
    at = start
    try:
        if vectorized:
            rng = _generator(seed, world, start)
            many = np.ma.asanyarray(run(data, rng, stop - start))
            many = many if np.ma.is_masked(many) else np.asarray(many)
            if many.ndim == 0 or len(many) != stop - start:
                rule = f"to return {stop - start} outputs when asked for so many"
                raise _validate.reject("run", rule, _validate.Shown(f"shape {many.shape}"))
            if not callable(score) and many.dtype.kind in "fiubc" and many.size:
                kind, shape, flat = _encoded(many, f"one of the runs {start} to {stop - 1} of world {world}")
                _fits(score, kind, shape[1:])
                return kind, shape[1:], flat.reshape(len(many), -1), None
        for at in range(start, stop):
            if vectorized:
                made = many[at - start]  # pyright: ignore[reportPossiblyUnboundVariable]
            else:
                made = run(data, _generator(seed, world, at)) if takes > 1 else run(data)
            made = _scored(score, made) if callable(score) else made
            kind, shape, value = _encoded(made, f"run {at} of world {world}")
            _fits(score, kind, shape)
            if kinds and kinds[0] != (kind, shape):
                raise changed(f"run {at} of world {world}", (kind, shape), kinds[0])
            kinds.append((kind, shape))
            out.append(value)
    except DplensError as error:  # what it returned cannot be used
        failure = (at, str(error), "")
    except (Exception, SystemExit) as error:
        failure = (at, f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)[-3:]))
    kind, shape = kinds[0] if kinds else ("", ())
    return kind, shape, np.array(out), failure


def _generator(seed: int, world: int, index: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(world, index)))


def _scored(score: Any, output: Any) -> float:
    return _validate.real("score(output)", score(output), "to be a finite number", lambda x: abs(x) < np.inf)


def _fits(score: Any, kind: str, shape: tuple[int, ...]) -> None:
    """Refuses an output that is no score, where the score is the output itself."""
    if score == "raw" and (kind != "numbers" or np.prod(shape) != 1):
        shown = _validate.Shown("a label" if kind == "labels" else f"numbers of shape {shape}")
        remedy = "Use score='learned', or a function from an output to a number."
        raise _validate.reject("run", "to return one number when the score is the output itself", shown, remedy)


def _encoded(output: Any, where: str) -> tuple[str, tuple[int, ...], Any]:
    """An output as a row of numbers, or as a label."""
    if isinstance(output, (str, bytes)) or output is None:
        return "labels", (), repr(output)
    if np.ma.is_masked(output):  # what stands under a mask is not released
        remedy = f"It did in {where}. Fill what is masked, for instance by .filled(0)."
        raise _validate.reject("run", "to return outputs without masked parts", _validate.Shown("masked ones"), remedy)
    try:
        array = np.asarray(output)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind == "c":
        array = np.stack([np.real(array), np.imag(array)], axis=-1)
    if array.dtype.kind not in "fiub":
        return "labels", (), repr(output)
    array = array.astype(float)
    if not np.isfinite(array).all():
        bad = float(array[~np.isfinite(array)].flat[0])
        remedy = f"It did in {where}. Say what such an output means, for instance by returning a text in its place."
        raise _validate.reject("run", "to return finite numbers", bad, remedy)
    if not array.size:
        return "labels", (), repr(output)
    return "numbers", array.shape, array.ravel()
