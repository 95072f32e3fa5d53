"""Run a user's function in two worlds on any number of workers, with outputs that do not depend on that number.

Run i of world w has its own generator, spawned from the seed by (w, i). A function with its own source of randomness
runs in this process only, because copies of its generator in other processes would draw the same noise. To find out
whether a function that takes a generator also has its own, a few runs are made twice with equal generators.
"""

from __future__ import annotations

import functools
import inspect
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dplens import _validate
from dplens.analyst.laws.simulation import configured, shared_pool
from dplens.auditing.runs import RunFailed, Runs, changed, held_generators
from dplens.errors import DplensError, DplensWarning, InvalidValue
from dplens.numerics.progress import tracked
from dplens.telling import Told

_LONGEST = 500  # runs in one piece of work: an interruption loses no more per worker


@dataclass(frozen=True)
class _Piece:
    """Runs ``start`` to ``stop`` − 1 of a world; ``takes`` is the number of arguments of the function."""

    run: Callable[..., Any]
    takes: int
    score: str | Callable[[Any], float]
    seed: int
    data: Any
    world: int = 0
    start: int = 0
    stop: int = 0

    def outputs(self) -> Any:
        """The outputs, or None if a run fails."""
        *_, outputs, failure = _make(self)
        return outputs if failure is None else None


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
    """Make the missing runs, which are kept in any case; returns notes on how they were made."""
    none = _Piece(*_arguments(run, vectorized), score, runs.seed, worlds[0])
    notes: list[str] = []
    failures: list[tuple[int, int, str, str]] = []
    try:
        if runs.done < 2 * runs.n:
            shared = _shared(workers)
            own = none.takes == 1 or (shared and next(_results(_differs, [_twice(none, runs.n)], workers)))
            if own and shared:
                notes.append(Told("note-alone" if none.takes == 1 else "note-held"))
            workers = 1 if own else workers
            if (own or not shared) and _repeats(none, runs):
                notes.append(Told("note-again"))
            for note in notes:
                warnings.warn(note, DplensWarning, stacklevel=3)
        size = _LONGEST if vectorized else max(1, min(_LONGEST, runs.n // 40))
        todo = [(w, *ends) for w in (0, 1) for ends in runs.missing(w, size)]
        todo.sort(key=lambda piece: piece[1])  # alternate between the worlds
        pieces = [replace(none, data=worlds[w], world=w, start=start, stop=stop) for w, start, stop in todo]
        made = tracked(_results(_make, pieces, workers), len(pieces), "Running the mechanism", progress)
        for (w, start, _), (kind, shape, outputs, failure) in zip(todo, made):
            try:
                runs.add(w, start, kind, shape, outputs)
            except InvalidValue as error:
                failures.append((w, start, str(error), ""))
            if failure is not None:
                failures.append((w, *failure))
                if not runs.done:  # if the very first run fails, the others would too
                    break
            if checkpoint is not None:
                runs.save(checkpoint)
    except (DplensError, MemoryError):
        raise
    except Exception as error:  # a worker died
        raise RunFailed(f"The mechanism failed: {type(error).__name__}: {error}. {_kept(runs)}", runs) from error
    if failures:
        raise RunFailed(_failed(runs, failures), runs)
    return tuple(notes)


def _twice(none: _Piece, n: int) -> _Piece:
    """The first of n runs without the target: one piece if runs are cheap, else one run in 100 and at most 20."""
    return replace(none, stop=min(n, _LONGEST if none.takes != 2 else min(max(n // 100, 1), 20)))


def _differs(piece: _Piece) -> bool:
    """Whether runs repeated with equal generators differ, or advance a generator that the function holds.

    The latter check covers functions with few different outputs. Returns False if the function fails; the actual runs
    will report that.
    """
    first, before = piece.outputs(), held_generators(piece.run)
    again = piece.outputs()
    if first is None or again is None:
        return False
    return not np.array_equal(first, again) or held_generators(piece.run) != before


def _repeats(none: _Piece, runs: Runs) -> bool:
    """Repeat the first finished runs; forget the finished ones if the function's own randomness starts over.

    If the function takes no generator, the repeated runs are kept: its generator is now in the state after them, so all
    further runs differ.
    """
    first = runs.chunks.get((0, 0))
    kept = {(0, 0): first} if none.takes == 1 else {}
    if first is None or not len(first):
        return False
    piece = replace(none, stop=min(_twice(none, runs.n).stop, len(first)))
    again = piece.outputs()
    if again is None or not np.array_equal(first[: len(again)], again):
        return False
    # equal generators may be the reason; then a third repetition is equal too
    if none.takes > 1 and ((more := piece.outputs()) is None or np.array_equal(again, more)):
        return False
    repeated, runs.chunks = runs.chunks.keys() != kept.keys(), kept
    return repeated


def _failed(runs: Runs, failures: list[tuple[int, int, str, str]]) -> str:
    """The first failure, how to reproduce it, and what is kept."""
    world, at, said, where = failures[0]
    more = f" {len(failures) - 1} more stretches of runs failed too." if len(failures) > 1 else ""
    if not where:  # the function returned something unusable
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
    return f"{done}: fix the function and pass resume=error.finished."


def _by_name(run: Callable[..., Any], data: Any, rng: Any, *size: int) -> Any:
    """Call a function with a keyword-only generator: run(data, *, rng)."""
    return run(data, rng=rng, **({"size": size[0]} if size else {}))


def _arguments(run: Any, vectorized: bool) -> tuple[Callable[..., Any], int]:
    """The function and its number of arguments (data, generator, number of outputs)."""
    if not callable(run):
        raise _validate.reject_type("run", "to be a function of the data and a generator: run(data, rng)", run)
    counts = (3,) if vectorized else (2, 1)
    try:
        signature = inspect.signature(run)
    except Exception:  # no signature available
        return run, counts[0]
    rng = signature.parameters.get("rng")
    if rng is not None and rng.kind is rng.KEYWORD_ONLY:
        return functools.partial(_by_name, run), counts[0]
    for count in counts:
        try:
            signature.bind(*[None] * count)
            return run, count
        except TypeError:
            continue
    asked = "run(data, rng, size)" if vectorized else "run(data, rng), or run(data) with its own randomness"
    raise _validate.reject_type("run", f"to be called as {asked}", run)


def _shared(workers: int | None) -> bool:
    """Whether several processes are requested, here or by joblib.parallel_config."""
    return configured() if workers is None else workers != 1


def _results(work: Callable[[_Piece], Any], pieces: list[_Piece], workers: int | None) -> Iterator[Any]:
    if not _shared(workers):
        yield from map(work, pieces)
        return
    pool, delayed = shared_pool(workers, "Runs on several cores need joblib: pip install 'dplens[audit]'")
    yield from pool(delayed(work)(piece) for piece in pieces)


def _make(piece: _Piece) -> tuple[str, tuple[int, ...], Any, tuple[int, str, str] | None]:
    """(kind, shape, outputs, where and how it failed) of a piece of work; outputs before a failure are kept."""
    run, score, world, start, stop = piece.run, piece.score, piece.world, piece.start, piece.stop
    kinds: list[tuple[str, tuple[int, ...]]] = []
    out: list[Any] = []
    failure = many = None
    at = start
    try:
        if piece.takes == 3:
            many = np.ma.asanyarray(run(piece.data, _generator(piece.seed, world, start), stop - start))
            many = many if np.ma.is_masked(many) else np.asarray(many)
            if many.ndim == 0 or len(many) != stop - start:
                rule = f"to return {stop - start} outputs when asked for so many"
                raise _validate.reject("run", rule, _validate.Shown(f"shape {many.shape}"))
            if not callable(score) and many.dtype.kind in "fiubc" and many.size:
                kind, shape, flat = _encoded(many, f"one of the runs {start} to {stop - 1} of world {world}")
                _fits(score, kind, shape[1:])
                return kind, shape[1:], flat.reshape(len(many), -1), None
        for at in range(start, stop):
            if many is not None:
                made = many[at - start]
            else:
                made = run(piece.data, *([_generator(piece.seed, world, at)] if piece.takes > 1 else []))
            if callable(score):
                made = _validate.real("score(output)", score(made), "to be a finite number", lambda x: abs(x) < np.inf)
            kind, shape, value = _encoded(made, f"run {at} of world {world}")
            _fits(score, kind, shape)
            if kinds and kinds[0] != (kind, shape):
                raise changed(f"run {at} of world {world}", (kind, shape), kinds[0])
            kinds.append((kind, shape))
            out.append(value)
    except DplensError as error:  # an unusable output
        failure = (at, str(error), "")
    except (Exception, SystemExit) as error:
        failure = (at, f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)[-3:]))
    kind, shape = kinds[0] if kinds else ("", ())
    return kind, shape, np.array(out), failure


def _generator(seed: int, world: int, index: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(world, index)))


def _fits(score: Any, kind: str, shape: tuple[int, ...]) -> None:
    """Refuse outputs that are not single numbers if the score is the output itself."""
    if score == "raw" and (kind != "numbers" or np.prod(shape) != 1):
        shown = _validate.Shown("a label" if kind == "labels" else f"numbers of shape {shape}")
        remedy = "Use score='learned', or a function from an output to a number."
        raise _validate.reject("run", "to return one number when the score is the output itself", shown, remedy)


def _encoded(output: Any, where: str) -> tuple[str, tuple[int, ...], Any]:
    """(kind, shape, value) of an output: a row of numbers, or a label."""
    if isinstance(output, (str, bytes)) or output is None:
        return "labels", (), repr(output)
    if np.ma.is_masked(output):  # masked values are not released
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
