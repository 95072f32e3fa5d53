"""Thread-safe caches of objects.

Objects are immutable to their users, so their caches must not be observable. Three rules ensure this:

* A value is computed completely and then published in one step, as one dictionary entry. Two threads may compute it
  twice; the first to publish wins, and both use its value. So an interrupted thread leaves nothing half filled, and
  there is no lock for which another thread or a forked process could wait.
* Published values never change. A cache that grows is a chain of larger values, each made from the previous one.
* An answer depends only on the question, not on earlier ones: caches only save work.

Work that is too long to be done twice, such as simulations, runs under :func:`process_lock`.
"""

from __future__ import annotations

import functools
import math
import os
import threading
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar

Value = TypeVar("Value")
_NOTHING: Any = object()

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property(functools.cached_property):
        """``functools.cached_property`` without its lock, which all instances of a class share before Python 3.12."""

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            return instance.__dict__.setdefault(self.attrname, self.func(instance))


class Memo:
    """A cache of an instance, for use with :func:`remembered`."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else instance.__dict__.setdefault(self._name, {})


class Shared:
    """Objects that can be pickled and copied while other threads use them; a :class:`Memo` is not copied."""

    def __getstate__(self) -> dict[str, Any]:
        now = dict(self.__dict__)
        return {name: value for name, value in now.items() if not isinstance(getattr(type(self), name, None), Memo)}


def remembered(table: dict[Any, Any], key: Hashable, make: Callable[[], Value], most: float = math.inf) -> Value:
    """The value of a key, made on first use. The last ``most`` values are kept."""
    found = table.get(key, _NOTHING)
    if found is not _NOTHING:
        return found
    found = make()
    if len(table) >= most:
        for old in list(table)[: len(table) - int(most) + 1]:
            table.pop(old, None)
    return table.setdefault(key, found)


def latest(owner: Any, name: str, key: Any, make: Callable[[], Value]) -> Value:
    """The value of a key; the owner caches only the latest one, under ``name``."""
    known = owner.__dict__.get(name)
    if known is None or known[0] != key:
        known = key, make()
        owner.__dict__[name] = known
    return known[1]


def process_lock(locks: dict[int, Any]) -> Any:
    """A lock for the threads of one process, stored in ``locks``; a forked process gets its own, unlocked one."""
    return locks.setdefault(os.getpid(), threading.RLock())
