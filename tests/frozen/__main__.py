"""``python -m tests.frozen``: compare with the stored answers, show what moved and how long it took.

``--write`` stores the answers of this state instead, ``--missing`` only those that are not there yet.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings

from tests.frozen.cases import answer, names
from tests.frozen.gate import FILE, Row, fault, stored


def measured(name: str) -> Row:
    start = time.perf_counter()
    try:
        found = answer(name)
    except ArithmeticError as error:
        raise SystemExit(f"{name}: {error}") from None
    except ValueError as error:  # a question without an answer stays one
        return Row(name, None, None, time.perf_counter() - start, type(error).__name__)
    return Row(name, float(found.low), float(found.high), time.perf_counter() - start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("part", nargs="?", default="", help="only answers whose text contains this")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    old = {row.name: row for row in stored()}
    rows, wrong, before, after = [], 0, 0.0, 0.0
    for name in names():
        if arguments.part not in name or (arguments.missing and name in old):
            if name in old:
                rows.append(old[name])
            continue
        row = measured(name)
        rows.append(row)
        if row.seconds > 2:
            print(f"{row.seconds:6.1f} s  {name}", flush=True)
        if name in old:
            before, after = before + old[name].seconds, after + row.seconds
            trouble = fault(old[name], row)
            wrong += trouble is not None
            if trouble:
                print(f"{name}\n    {trouble}", flush=True)
    if arguments.write or arguments.missing:
        FILE.write_text("answer\tlow\thigh\tseconds\n" + "".join(row.line() for row in rows))
    print(f"{len(rows)} answers, {wrong} outside the gate; {after:.1f} s where it was {before:.1f} s")
    return bool(wrong) and not arguments.write


if __name__ == "__main__":
    sys.exit(main())
