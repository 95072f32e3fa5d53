"""Finished runs of a mechanism in two worlds, which survive crashes and interruptions."""

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
from dplens.registry import Result

_REMEDY = (
    "Pass score=, a function that turns any output into one number, or return a text: texts are compared as a whole."
)


class RunFailed(DplensError, RuntimeError):
    """The user's function failed. ``finished`` holds all finished runs: pass it as ``resume=`` to continue."""

    def __init__(self, message: str, finished: Any = None) -> None:
        super().__init__(message)
        self.finished = finished


class AuditInterrupted(KeyboardInterrupt):
    """An audit was interrupted. ``finished`` holds all finished runs: pass it as ``resume=`` to continue."""

    def __init__(self, finished: Runs) -> None:
        done, wanted = finished.done, 2 * finished.n
        super().__init__(f"Stopped after {done} of {wanted} runs. They are kept: pass resume=error.finished to go on.")
        self.finished = finished


@contextlib.contextmanager
def keeping(runs: Runs) -> Iterator[None]:
    """Attach the finished runs to any error raised inside; they may have taken days."""
    try:
        yield
    except KeyboardInterrupt:
        raise AuditInterrupted(runs) from None
    except Exception as error:
        error.finished = runs  # pyright: ignore[reportAttributeAccessIssue]
        raise


@dataclass(eq=False)
class Runs(Result):
    """Outputs by world (0 without, 1 with the target) and run; created by :func:`audit_mechanism`.

    ``kind`` is "numbers" or "labels" once there is an output, ``shape`` the shape of one output.
    """

    n: int
    seed: int
    how: str
    data: str = ""  # fingerprint of the two inputs
    code: str = ""  # fingerprint of the function
    kind: str = ""
    shape: tuple[int, ...] = ()
    chunks: dict[tuple[int, int], Any] = field(default_factory=dict)  # (world, first run) → outputs in a row

    def __post_init__(self) -> None:
        self.n = _validate.count("n", self.n, 1, "All runs are kept in memory.", most=10**9)
        self.seed = _validate.count("seed", self.seed, 0)
        self.chunks = _validate.mapping("chunks", self.chunks, "world and first run to outputs")
        for name in ("how", "data", "code", "kind"):
            _validate.text(name, getattr(self, name))
        if not isinstance(self.shape, Sequence) or isinstance(self.shape, (str, bytes)):
            raise _validate.reject_type("shape", "to be the shape of one output, such as (3,)", self.shape)
        self.shape = tuple(_validate.count("shape", length, 0) for length in self.shape)

    @property
    def done(self) -> int:
        """The number of finished runs in both worlds."""
        return sum(map(len, self.chunks.values()))

    def missing(self, world: int, size: int) -> list[tuple[int, int]]:
        """Ranges (start, stop) of runs still to be made, each of length at most ``size``."""
        done = np.zeros(self.n, dtype=bool)
        for (w, start), outputs in self.chunks.items():
            if w == world:
                done[start : start + len(outputs)] = True
        free = np.flatnonzero(~done)
        stretches = np.split(free, np.flatnonzero(np.diff(free) > 1) + 1)
        return [(int(s[i]), int(s[i : i + size][-1]) + 1) for s in stretches for i in range(0, len(s), size)]

    def add(self, world: int, start: int, kind: str, shape: tuple[int, ...], outputs: Any) -> None:
        """Keep consecutive outputs; they must be of the same kind and shape as the others."""
        if not len(outputs):
            return
        if self.kind and (kind, shape) != (self.kind, self.shape):
            raise changed(f"run {start} of world {world}", (kind, shape), (self.kind, self.shape))
        self.kind, self.shape = kind, shape
        self.chunks[world, start] = outputs

    def of(self, world: int) -> Any:
        """All outputs of a world in order of the runs: rows of numbers, or labels."""
        parts = [self.chunks[key] for key in sorted(k for k in self.chunks if k[0] == world)]
        return np.concatenate(parts)[: self.n]

    # ---- on disk ----------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the runs atomically, as numbers and strings only, so that loading cannot execute code."""
        about = {name: value for name, value in vars(self).items() if name != "chunks"}
        arrays = {f"{w}_{start}": np.asarray(outputs) for (w, start), outputs in self.chunks.items()}
        target, name = place("path", path), ""
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
        """Read a file that :meth:`save` wrote."""
        path = _validate.path("path", path)
        try:
            with np.load(path, allow_pickle=False) as file:
                about = json.loads(str(file["about"]))
                keys = [(k, k.split("_")) for k in file.files if k != "about"]
                return cls(**about, chunks={(int(world), int(start)): file[k] for k, (world, start) in keys})
        except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
            shown = _validate.Shown(f"{path}: {type(error).__name__}: {error}")
            raise _validate.reject("checkpoint", "to be a file that an audit wrote", shown) from None

    def fits(self, other: Runs) -> None:
        """Refuse runs of a different audit."""
        for name, mine, theirs in (("seed", self.seed, other.seed), ("how", self.how, other.how)):
            if mine != theirs:
                remedy = "Start anew, or repeat the earlier call."
                raise _validate.reject("resume", f"to be of the same audit: {name} {theirs!r}", mine, remedy)
        if self.data and other.data and self.data != other.data:
            shown = _validate.Shown("runs on other data")
            remedy = "Start again with another checkpoint, or pass the d0 and d1 that they were made with."
            raise _validate.reject("resume", "to be of the same audit", shown, remedy)


def place(name: str, path: Any) -> Path:
    """The path of a file in a folder that exists."""
    target = Path(_validate.path(name, path))
    if not target.absolute().parent.is_dir():
        raise _validate.reject(name, "to be a file in a folder that exists", str(target))
    return target


def fingerprint(*inputs: Any) -> str:
    """A hash of the data; empty if they cannot be pickled."""
    # reading a data frame may change its internal layout, but not its columns
    try:
        plain = [[(c, np.asarray(x[c])) for c in x.columns] if hasattr(x, "columns") else x for x in inputs]
        try:
            import joblib
        except ImportError:
            return hashlib.sha256(pickle.dumps(plain, protocol=4)).hexdigest()
        return str(joblib.hash(plain))
    except Exception:
        return ""


def function_mark(run: Any) -> str:
    """A hash of a function's code and the values it holds, as far as they are accessible."""
    seen: list[Any] = []

    def look(thing: Any) -> None:
        made = getattr(thing, "__func__", thing)  # of a method
        code = getattr(made, "__code__", None)
        if isinstance(thing, CodeType):
            seen.extend((thing.co_code.hex(), thing.co_names))
            for const in thing.co_consts:
                if isinstance(const, CodeType):
                    look(const)
                else:  # sets are unordered
                    seen.append(sorted(map(repr, const)) if isinstance(const, frozenset) else repr(const))
        elif isinstance(thing, functools.partial):
            look(thing.func)
            seen.append(fingerprint(thing.args, thing.keywords))
        elif code is not None:
            look(code)
            for cell in made.__closure__ or ():
                with contextlib.suppress(ValueError):  # an empty cell
                    held = cell.cell_contents
                    look(held) if hasattr(held, "__code__") else seen.append(fingerprint(held))
            seen.append(fingerprint(made.__defaults__, made.__kwdefaults__))
        else:  # a callable object or a builtin
            seen.append(getattr(thing, "__qualname__", type(thing).__qualname__))
            seen.append(fingerprint(getattr(thing, "__dict__", None)))
            called = getattr(type(thing), "__call__", None)  # noqa: B004 - for its code
            if hasattr(called, "__code__"):
                look(called)

    try:
        look(run)
    except (RecursionError, AttributeError, TypeError):
        return ""
    return hashlib.sha256(repr(seen).encode()).hexdigest()


def held_generators(run: Any) -> list[bytes]:
    """The states of all random generators that are pickled along with a function."""
    seen: list[bytes] = []
    with contextlib.suppress(Exception):  # a function that cannot be pickled is not copied
        from joblib.externals.loky.backend.reduction import get_loky_pickler

        class Looking(get_loky_pickler()):  # pyright: ignore[reportGeneralTypeIssues]
            def persistent_id(self, obj: Any) -> None:
                if isinstance(obj, (np.random.BitGenerator, random.Random)):
                    seen.append(pickle.dumps(obj))

        Looking(io.BytesIO()).dump(run)
    return seen


def changed(where: str, found: tuple[str, Any], before: tuple[str, Any]) -> DplensError:
    """The error for outputs of different kinds or shapes."""
    text = [f"{kind} of shape {shape}" if kind == "numbers" else "labels" for kind, shape in (found, before)]
    rule = "to return outputs of one kind and shape"
    return _validate.reject("run", rule, _validate.Shown(f"{text[0]} in {where}, {text[1]} before"), _REMEDY)
