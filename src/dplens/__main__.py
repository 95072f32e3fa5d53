"""``python -m dplens`` is the command line."""

from dplens.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
