"""Runs the command line: errors in one line without a traceback, exit codes that a pipeline can use."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

BAD_INPUT, DEFECT, INTERRUPTED = 2, 70, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit code: 0, 1 if a limit is not provably kept, 2 for bad input."""
    try:
        return _main(arguments)
    except KeyboardInterrupt:
        exec("")  # an interrupt within exec makes Python end by the signal, whatever the code; another exec undoes that
        return _report("interrupted", INTERRUPTED)


def _main(arguments: Sequence[str] | None) -> int:
    if arguments is None:  # in its own process, garbage collection of imported modules only costs time
        gc.set_threshold(50_000, 20, 20)
        with _without_interrupts():
            _start_lightly()
    from dplens.errors import DplensWarning

    try:
        from dplens.cli.app import app
    except ImportError as error:
        return _lacking(error)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the parent process closed it
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    # print question marks for letters that the terminal lacks
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", DplensWarning)
        warnings.filterwarnings("always", ".* is now called ", DeprecationWarning)
        code = _run(app, [_decoded(a) for a in (sys.argv[1:] if arguments is None else arguments)])
        code = _flushed(code)
    for text in dict.fromkeys(str(note.message) for note in noted):
        _report(f"note: {text}")
    return code


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Delays Ctrl-C, which NumPy would report as a failed import while it is loading."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if came:
        raise KeyboardInterrupt


def _start_lightly() -> None:
    """Skips modules that libraries load at start and no command uses, which saves a quarter of the time of a command.

    SciPy looks at every name of NumPy, which would load its Fortran compiler and its test tools; hide them meanwhile,
    so that they load on first use. It also parses and rewrites docstrings, which no command shows. Pydantic would read
    the metadata of every installed package.
    """
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    with contextlib.suppress(ImportError):  # reported by the code that needs them
        import numpy

        hidden = [
            name
            for name in ("f2py", "testing", "random", "ma", "polynomial", "ctypeslib")
            if f"numpy.{name}" not in sys.modules
        ]
        for name in hidden:
            setattr(numpy, name, None)
        api: Any = importlib.import_module("scipy._lib._array_api")
        parser = getattr(api, "FunctionDoc", None)
        try:
            if parser is not None:
                api.FunctionDoc = _NoDocumentation
            importlib.import_module("scipy.special")
        finally:
            if parser is not None:
                api.FunctionDoc = parser
            for name in hidden:
                if getattr(numpy, name) is None:  # otherwise it was imported in the meantime
                    delattr(numpy, name)


class _NoDocumentation:
    """In place of SciPy's parser of docstrings: no sections and no text."""

    def __init__(self, documented: object) -> None:
        pass

    def __getitem__(self, section: str) -> list[str]:
        return []

    def __str__(self) -> str:
        return "\n"


def _decoded(argument: str) -> str:
    """The argument, decoded as UTF-8 if the locale could not decode it; names of existing files stay as they are."""
    if argument.isascii() or os.path.lexists(argument):
        return argument
    try:
        return os.fsencode(argument).decode("utf-8", "replace")
    except UnicodeError:
        return argument.encode("utf-8", "replace").decode()


def _run(app: Callable[[Sequence[str]], Any], arguments: list[str]) -> int:
    from dplens.errors import DplensError

    try:
        code = app(arguments)(args=arguments, prog_name="dplens", standalone_mode=False)
    except DplensError as error:
        return _report(str(error))
    except ImportError as error:
        return _lacking(error)
    except EOFError:
        return _report("interrupted", INTERRUPTED)
    except OSError as error:  # a full disk, a closed terminal
        return _report(f"Cannot write: {error.strerror or error}.")
    except RecursionError:
        return _report("Expected input of moderate depth.")
    except MemoryError:
        return _report("There is not enough memory for that. Describe fewer or smaller releases.")
    except Exception as error:
        if type(error).__name__ == "Abort":
            return _report("interrupted", INTERRUPTED)
        if type(error).__name__ == "Exit":
            return int(getattr(error, "exit_code", 0))
        message = getattr(error, "format_message", None)  # an error of the argument parser
        if message is not None:
            return _report(_hinted(message(), arguments))
        if os.environ.get("DPLENS_TRACEBACK"):
            raise
        return _report(f"{type(error).__name__}: {error}. This is a defect; DPLENS_TRACEBACK=1 shows where.", DEFECT)
    if code == INTERRUPTED:  # Typer's code for Ctrl-C within a command
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _hinted(message: str, arguments: list[str]) -> str:
    """The message of the argument parser, with a hint if a command is missing or a share is given in percent."""
    from dplens.cli.targets import is_file

    first = arguments[0] if arguments else ""
    if "No such command" in message and (is_file(first) or ":" in first):
        return f"{message} Did you mean: dplens assess {first}"
    written = [a.rpartition("=")[2] for a in arguments if a.endswith("%")]
    if "valid number" not in message or not written:
        return message
    return f"{message}, got {written[0]!r}. Shares are written as numbers: 0.1 for 10 %."


def _flushed(code: int) -> int:
    """The exit code once everything is out."""
    from dplens.cli.show import unread

    try:
        with unread():
            sys.stdout.flush()
    except OSError as error:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _report(f"Cannot write: {error.strerror or error}.")
    return code


def _lacking(error: ImportError) -> int:
    return _report(f"The command line needs {error.name or error}. Install it with: pip install 'dplens[cli]'")


def _report(message: str, code: int = BAD_INPUT) -> int:
    from dplens.present.visible import visible

    with contextlib.suppress(OSError):  # the exit code still reports it
        print("dplens: " + visible(" ".join(message.split())), file=sys.stderr)
    return code
