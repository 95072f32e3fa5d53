"""Print the list: ``python -m tests.cross``."""

from tests.cross.exclusions import EXCLUSIONS
from tests.cross.rows import COMPARISONS, NO_PEER


def main() -> None:
    print("mechanism | quantity | peer | tolerance | reason")
    for row in COMPARISONS:
        print(f"{row.name} | {row.tolerance} | {row.tolerance.reason}")
    print("\nmechanism | quantity | peer | version | digits it gets right | reason")
    for line in EXCLUSIONS:
        print(f"{line.name} | {line.version} | {line.digits:g} {line.errs} ({' or '.join(line.gives)}) | {line.reason}")
    print("\nmechanism without a peer | reason")
    for name, reason in NO_PEER.items():
        print(f"{name} | {reason}")


if __name__ == "__main__":
    main()
