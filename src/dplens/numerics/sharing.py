"""What objects remember, so that several threads may ask one of them at once.

Objects are immutable to their users; what they remember besides must not show. Three rules make it so:

* a value is made as a whole first and then published in one step: one entry of one dictionary. Two threads may make it
  twice; the first to publish wins, and both go on with that one. So nothing is half filled where a thread is
  interrupted, and there is no lock that another thread, or a forked process, could wait for;
* what is published does not change any more. What grows is a chain of larger values, each made from the one before;
* an answer depends on what is asked, not on what was asked before: what is remembered saves work and nothing else.

Work that is too long to be done twice, such as simulations, goes on under :func:`process_lock`.
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
        """``functools.cached_property`` without its lock, which before Python 3.12 all instances of a class share."""

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            return instance.__dict__.setdefault(self.attrname, self.func(instance))


class Memo:
    """A dictionary in which an instance remembers values by key: empty at first, and for :func:`remembered`."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else instance.__dict__.setdefault(self._name, {})


class Shared:
    """Objects that can be pickled and copied while other threads ask them; a :class:`Memo` does not go along."""

    def __getstate__(self) -> dict[str, Any]:
        now = dict(self.__dict__)
        return {name: value for name, value in now.items() if not isinstance(getattr(type(self), name, None), Memo)}


def remembered(table: dict[Any, Any], key: Hashable, make: Callable[[], Value], most: float = math.inf) -> Value:
    """The value of a key, made when it is first asked for. The last ``most`` are kept."""
    found = table.get(key, _NOTHING)
    if found is not _NOTHING:
        return found
    found = make()
    if len(table) >= most:
        for old in list(table)[: len(table) - int(most) + 1]:
            table.pop(old, None)
    return table.setdefault(key, found)


def latest(owner: Any, name: str, key: Any, make: Callable[[], Value]) -> Value:
    """The value of a key; of all that were asked for, the owner remembers the last one, under a name."""
    known = owner.__dict__.get(name)
    if known is None or known[0] != key:
        known = key, make()
        owner.__dict__[name] = known
    return known[1]


def process_lock(locks: dict[int, Any]) -> Any:
    """A lock among the threads of one process, kept in ``locks``: a forked process finds its own one free."""
    return locks.setdefault(os.getpid(), threading.RLock())
