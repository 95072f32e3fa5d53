"""``python -m tests.fuzz --seconds 600``: draws calls until the time is over, and reports what went wrong, grouped."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import re
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from queue import Empty

from tests.fuzz import documents, hostile
from tests.fuzz.targets import Call, calls, methods, spoiled
from tests.fuzz.verdict import examine

_MEMORY = 6 << 30  # a call that wants more fails


def drawn(seed: str) -> Call:
    """The call of a seed."""
    rng = random.Random(seed)
    draw = rng.random()
    if draw < 0.08:
        return documents.scenario(rng)
    if draw < 0.14:
        return documents.saved(rng)
    if draw < 0.25:
        return documents.line(rng)
    good = rng.choice(calls() if draw < 0.65 else methods())
    return spoiled(good, hostile.value, rng)


def prepare() -> None:
    """A directory of our own, so that hostile paths do no harm, and a limit on memory."""
    os.chdir(tempfile.mkdtemp(prefix="fuzz-"))
    documents.copy_examples()
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))


def failures(seed: str, numbers: Iterator[int], until: float) -> Iterator[tuple[str, str, str]]:
    """Seed, call and fault of each call that ended badly."""
    for number in numbers:
        if time.monotonic() > until:
            return
        name = f"{seed}:{number}"
        call = drawn(name)
        fault = examine(call)
        yield (name, str(call), fault or "")


def _work(seed: str, first: int, step: int, until: float, queue: multiprocessing.Queue) -> None:
    prepare()
    import itertools

    done, faults = 0, []
    for name, call, fault in failures(seed, itertools.count(first, step), until):
        done += 1
        if fault:
            faults.append((name, call, fault))
            queue.put((0, [(name, call, fault)]))
    queue.put((done, None))


def _group(call: str, fault: str) -> str:
    """Faults at one place are one group."""
    place = re.match(r"raised \w+ in [^:]+:\w+", fault)
    return place[0] if place else call.split("(")[0] + re.sub(r"0x[0-9a-f]+|[-+]?\d[\d.e+-]*", "#", fault)[:110]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", default=None, help="draws the same calls again")
    parser.add_argument("--only", default=None, help="SEED:NUMBER of one call, run without a net")
    arguments = parser.parse_args()
    if arguments.only:
        prepare()
        call = drawn(arguments.only)
        print(call)
        print(examine(call) or "nothing wrong")
        print(call.run())
        return 0
    seed = arguments.seed or str(random.SystemRandom().randrange(10**6))
    until = time.monotonic() + arguments.seconds
    queue: multiprocessing.Queue = multiprocessing.Queue()
    workers = [
        multiprocessing.Process(target=_work, args=(seed, k, arguments.workers, until, queue))
        for k in range(arguments.workers)
    ]
    for worker in workers:
        worker.start()
    done, running, groups = 0, len(workers), {}
    while running:
        try:
            count, faults = queue.get(timeout=5)
        except Empty:
            if any(worker.exitcode for worker in workers):
                raise SystemExit("a worker died; run with --workers 1 to see which call kills it") from None
            continue
        done += count
        running -= faults is None
        for name, call, fault in faults or ():
            groups.setdefault(_group(call, fault), []).append((name, call, fault))
    for members in sorted(groups.values(), key=len, reverse=True):
        name, call, fault = members[0]
        print(f"{len(members)}x  {call[:300]}\n     {fault}\n     again: python -m tests.fuzz --only {name}")
    print(f"seed {seed}: {done} calls, {sum(map(len, groups.values()))} failures in {len(groups)} groups")
    return bool(groups)


if __name__ == "__main__":
    sys.exit(main())
