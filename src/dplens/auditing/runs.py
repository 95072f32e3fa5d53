"""Outputs of a mechanism in two worlds, as far as they are there: what a crash or an interruption leaves behind."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
import os
import pickle
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from dplens import _validate
from dplens.errors import DplensError

_MOST = 10**9  # runs of each world, kept in memory
_REMEDY = (
    "Pass score=, a function that turns any output into one number, or return a text: texts are compared as a whole."
)


class RunFailed(DplensError, RuntimeError):
    """The user's function failed. ``finished`` holds every run that was done: pass it as ``resume=`` and go on."""

    def __init__(self, message: str, finished: Runs) -> None:
        super().__init__(message)
        self.finished = finished

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.finished)


class AuditInterrupted(KeyboardInterrupt):
    """An audit was stopped. ``finished`` holds every run that was done: pass it as ``resume=`` and go on."""

    def __init__(self, finished: Runs) -> None:
        done, wanted = finished.done, 2 * finished.n
        super().__init__(f"Stopped after {done} of {wanted} runs. They are kept: pass resume=error.finished to go on.")
        self.finished = finished


@contextlib.contextmanager
def keeping(runs: Runs) -> Iterator[None]:
    """Whatever goes wrong inside, the error has what was done as ``finished``: runs may have taken days."""
    try:
        yield
    except KeyboardInterrupt:
        raise AuditInterrupted(runs) from None
    except Exception as error:
        error.finished = runs  # pyright: ignore[reportAttributeAccessIssue]
        raise


@dataclass(eq=False)
class Runs:
    """Outputs by world (0 without, 1 with the target) and number of the run; made by :func:`audit_mechanism`.

    ``kind`` is "numbers" or "labels" once the first output is there, ``shape`` the shape of one output.
    """

    n: int
    seed: int
    how: str
    data: str = ""  # tells the two inputs apart from others, see fingerprint
    code: str = ""  # tells the function apart from others, as far as that can be seen from outside
    kind: str = ""
    shape: tuple[int, ...] = ()
    chunks: dict[tuple[int, int], Any] = field(default_factory=dict)  # (world, first run) → outputs in a row

    def __post_init__(self) -> None:
        self.n = _validate.count("n", self.n, 1)
        if self.n > _MOST:
            raise _validate.reject("n", f"to be at most {_MOST:_} runs", self.n)
        self.seed = _validate.count("seed", self.seed, 0)
        self.chunks = _validate.mapping("chunks", self.chunks, "world and first run to outputs")
        for name in ("how", "data", "code", "kind"):
            _validate.text(name, getattr(self, name))
        if not isinstance(self.shape, Sequence) or isinstance(self.shape, (str, bytes)):
            raise _validate.reject_type("shape", "to be the shape of one output, such as (3,)", self.shape)
        self.shape = tuple(_validate.count("shape", length, 0) for length in self.shape)

    @property
    def done(self) -> int:
        """How many runs of both worlds are there."""
        return sum(map(len, self.chunks.values()))

    def missing(self, world: int, size: int) -> list[tuple[int, int]]:
        """Stretches of runs that are still to be made, each at most ``size`` long."""
        there = np.zeros(self.n, dtype=bool)
        for (w, start), outputs in self.chunks.items():
            if w == world:
                there[start : start + len(outputs)] = True
        free = np.flatnonzero(~there)
        stretches = np.split(free, np.flatnonzero(np.diff(free) > 1) + 1)
        return [(int(s[i]), int(s[i : i + size][-1]) + 1) for s in stretches for i in range(0, len(s), size)]

    def add(self, world: int, start: int, kind: str, shape: tuple[int, ...], outputs: Any) -> None:
        """Keeps a stretch of outputs; what does not fit to the others is an error."""
        if not len(outputs):
            return
        if self.kind and (kind, shape) != (self.kind, self.shape):
            raise changed(f"run {start} of world {world}", (kind, shape), (self.kind, self.shape))
        self.kind, self.shape = kind, shape
        self.chunks[world, start] = outputs

    def of(self, world: int) -> Any:
        """All outputs of a world in the order of the runs: rows of numbers, or labels."""
        parts = [self.chunks[key] for key in sorted(k for k in self.chunks if k[0] == world)]
        return np.concatenate(parts)[: self.n]

    # ---- on disk ----------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes what is there, whole or not at all: numbers and texts only, nothing that runs when it is read."""
        names = ("n", "seed", "how", "data", "code", "kind", "shape")
        about = {name: getattr(self, name) for name in names}
        arrays = {f"{w}_{start}": np.asarray(outputs) for (w, start), outputs in self.chunks.items()}
        target = Path(_validate.path("path", path))
        if not target.absolute().parent.is_dir():
            raise _validate.reject("path", "to be a file in a folder that exists", str(target))
        name = ""
        try:
            handle, name = tempfile.mkstemp(dir=target.parent, suffix=".part")
            with os.fdopen(handle, "wb") as file:
                np.savez(file, about=np.array(json.dumps(about)), **arrays)  # pyright: ignore[reportArgumentType]
            os.replace(name, target)
        except BaseException as error:
            if name:
                Path(name).unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise _validate.unwritable(target, error) from None
            raise

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Runs:
        """What :meth:`save` wrote."""
        path = _validate.path("path", path)
        try:
            with np.load(path, allow_pickle=False) as file:
                about = json.loads(str(file["about"]))
                keys = [k for k in file.files if k != "about"]
                chunks = {(int(k.split("_")[0]), int(k.split("_")[1])): file[k] for k in keys}
            about["shape"] = tuple(about["shape"])
            return cls(**about, chunks=chunks)
        except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
            shown = _validate.Shown(f"{path}: {type(error).__name__}: {error}")
            raise _validate.reject("checkpoint", "to be a file that an audit wrote", shown) from None

    def fits(self, other: Runs) -> None:
        """Refuses runs that were made otherwise."""
        for name in ("seed", "how"):
            if getattr(self, name) != getattr(other, name):
                rule = f"to be of the same audit: {name} {getattr(other, name)!r}"
                raise _validate.reject(
                    "resume", rule, getattr(self, name), "Start anew, or ask as it was asked before."
                )
        if self.data and other.data and self.data != other.data:
            shown = _validate.Shown("runs on other data")
            remedy = "Start anew with another checkpoint, or pass the d0 and d1 that they were made with."
            raise _validate.reject("resume", "to be of the same audit", shown, remedy)


def fingerprint(*inputs: Any) -> str:
    """A text that other data do not have; empty where that cannot be told."""
    # a data frame may rearrange itself inside when it is read, its columns stay
    try:
        plain = [[(c, np.asarray(x[c])) for c in x.columns] if hasattr(x, "columns") else x for x in inputs]
        try:
            import joblib
        except ImportError:
            return hashlib.sha256(pickle.dumps(plain, protocol=4)).hexdigest()
        return str(joblib.hash(plain))
    except Exception:  # data that cannot be pickled
        return ""


def function_mark(run: Any) -> str:
    """A text that changes with a function's code and with the values that it holds, as far as they can be read."""
    seen: list[Any] = []

    def look(thing: Any) -> None:
        made = getattr(thing, "__func__", thing)  # of a method
        code = getattr(made, "__code__", None)
        if isinstance(thing, CodeType):
            seen.extend((thing.co_code.hex(), thing.co_names))
            for const in thing.co_consts:
                if isinstance(const, CodeType):
                    look(const)
                else:  # a set has no order of its own
                    seen.append(sorted(map(repr, const)) if isinstance(const, frozenset) else repr(const))
        elif isinstance(thing, functools.partial):
            look(thing.func)
            seen.append(fingerprint(thing.args, thing.keywords))
        elif code is not None:
            look(code)
            for cell in made.__closure__ or ():
                with contextlib.suppress(ValueError):  # not yet filled
                    held = cell.cell_contents
                    look(held) if hasattr(held, "__code__") else seen.append(fingerprint(held))
            seen.append(fingerprint(made.__defaults__, made.__kwdefaults__))
        else:  # an object that can be called, or a builtin
            seen.append(getattr(thing, "__qualname__", type(thing).__qualname__))
            seen.append(fingerprint(getattr(thing, "__dict__", None)))
            called = getattr(type(thing), "__call__", None)  # noqa: B004 - its code is wanted
            if hasattr(called, "__code__"):
                look(called)

    try:
        look(run)
    except (RecursionError, AttributeError, TypeError):
        return ""
    return hashlib.sha256(repr(seen).encode()).hexdigest()


def held_generators(run: Any) -> list[bytes]:
    """The states of all generators that go along when a function is sent to another process, in its order."""
    seen: list[bytes] = []
    with contextlib.suppress(Exception):  # what cannot be sent is not copied
        from joblib.externals.loky.backend.reduction import get_loky_pickler

        class Looking(get_loky_pickler()):  # pyright: ignore[reportGeneralTypeIssues]
            def persistent_id(self, obj: Any) -> None:
                if isinstance(obj, (np.random.BitGenerator, random.Random)):
                    seen.append(pickle.dumps(obj))

        Looking(io.BytesIO()).dump(run)
    return seen


def changed(where: str, found: tuple[str, Any], before: tuple[str, Any]) -> DplensError:
    """The error for outputs that are not of one kind."""
    text = [f"{kind} of shape {shape}" if kind == "numbers" else "labels" for kind, shape in (found, before)]
    rule = "to return outputs of one kind and shape"
    return _validate.reject("run", rule, _validate.Shown(f"{text[0]} in {where}, {text[1]} before"), _REMEDY)
