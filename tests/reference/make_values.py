"""Compute the oracle values and write them next to this file: python -m tests.reference.make_values [part of name].

With no argument, only what is missing or was asked with other arguments is computed; with one, every case whose name
contains it.
"""

import hashlib
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from tests.reference.cases import CASES, compute
from tests.reference.oracles.numerics import mp

FILE = Path(__file__).with_name("values.json")


def digest(case):
    """Changes with the arguments a case is asked at."""
    return hashlib.sha256(repr(case.requests()).encode()).hexdigest()[:12]


def evaluate(name):
    start = time.perf_counter()
    values = {key: [mp.nstr(x, 30) for x in found] for key, found in compute(CASES[name]).items()}
    return {"requests": digest(CASES[name])} | values, time.perf_counter() - start


def stored():
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def write(values):
    rows = {name: json.dumps(values[name], separators=(",", ":")) for name in kept() if name in values}
    FILE.write_text("{\n" + ",\n".join(f"{json.dumps(name)}:{row}" for name, row in rows.items()) + "\n}\n")


def kept():
    return {name: case for name, case in CASES.items() if case.stored}


def main(part=None, workers=2):
    values = stored()
    stale = [n for n, case in kept().items() if n not in values or values[n]["requests"] != digest(case)]
    wanted = stale if part is None else [n for n in kept() if part in n]
    with ProcessPoolExecutor(workers) as pool:
        jobs = {pool.submit(evaluate, name): name for name in wanted}
        for job in as_completed(jobs):
            values[jobs[job]], seconds = job.result()
            write(values)
            print(f"{jobs[job]}: {seconds:.1f} s", flush=True)
    write(values)


if __name__ == "__main__":
    main(*sys.argv[1:2])
