"""Runs the command line: errors in one line without a traceback, exit codes that a pipeline can use."""

from __future__ import annotations

import contextlib
import gc
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
        return _tell("interrupted", INTERRUPTED)


def _main(arguments: Sequence[str] | None) -> int:
    if arguments is None:  # a process of its own: what is imported stays, so looking for garbage in it is time lost
        gc.set_threshold(50_000, 20, 20)
        with _without_interrupts():
            _start_lightly()
    try:
        from dplens.cli.app import app
    except ImportError as error:
        return _lacking(error)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started this
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):  # a terminal that cannot show a letter shows a question mark, not an error
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("ignore")
        _hear()
        code = _run(app, [_decoded(a) for a in (sys.argv[1:] if arguments is None else arguments)])
        code = _flushed(code)
    for text in dict.fromkeys(str(note.message) for note in noted):
        _tell(f"note: {text}")
    return code


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Keeps Ctrl-C waiting: NumPy, while it is loaded, would tell of it as of a module that cannot be imported."""
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
    """Leaves out what other libraries load when they start and no command uses: a tenth of the time to the answer.

    SciPy looks at every name of NumPy, which would load its Fortran compiler and its tools for tests; they are hidden
    for that moment and load as ever when somebody asks for them. Pydantic would read about every installed package.
    """
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    with contextlib.suppress(ImportError):  # told by whoever needs them
        import numpy

        hidden = [
            name
            for name in ("f2py", "testing", "random", "ma", "polynomial", "ctypeslib")
            if f"numpy.{name}" not in sys.modules
        ]
        for name in hidden:
            setattr(numpy, name, None)
        try:
            import scipy.special as _  # noqa: F401
        finally:
            for name in hidden:
                if getattr(numpy, name) is None:  # else somebody asked for it meanwhile
                    delattr(numpy, name)


def _decoded(argument: str) -> str:
    """What was typed, also where the locale could not tell its letters; the name of a file stays what it is."""
    if argument.isascii() or os.path.lexists(argument):
        return argument
    try:
        return os.fsencode(argument).decode("utf-8", "replace")
    except UnicodeError:
        return argument.encode("utf-8", "replace").decode()


def _hear() -> None:
    from dplens.errors import DplensWarning

    warnings.simplefilter("always", DplensWarning)


def _run(app: Callable[[Sequence[str]], Any], arguments: list[str]) -> int:
    from dplens.errors import DplensError

    try:
        code = app(arguments)(args=arguments, prog_name="dplens", standalone_mode=False)
    except DplensError as error:
        return _tell(str(error))
    except ImportError as error:
        return _lacking(error)
    except EOFError:
        return _tell("interrupted", INTERRUPTED)
    except OSError as error:  # a disk that is full, a terminal that is gone
        return _tell(f"Cannot write: {error.strerror or error}.")
    except RecursionError:
        return _tell("Expected input of moderate depth.")
    except MemoryError:
        return _tell("There is not enough memory for that. Describe fewer or smaller releases.")
    except Exception as error:
        if type(error).__name__ == "Abort":
            return _tell("interrupted", INTERRUPTED)
        if type(error).__name__ == "Exit":
            return int(getattr(error, "exit_code", 0))
        message = getattr(error, "format_message", None)  # what the parser of arguments has to say
        if message is not None:
            return _tell(_hinted(message(), arguments))
        if os.environ.get("DPLENS_TRACEBACK"):
            raise
        return _tell(f"{type(error).__name__}: {error}. This is a defect; DPLENS_TRACEBACK=1 shows where.", DEFECT)
    if code == INTERRUPTED:  # what Typer makes of Ctrl-C within a command
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _hinted(message: str, arguments: list[str]) -> str:
    """What the parser of arguments says, with what was meant: a command left out, a share given in percent."""
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
        return _tell(f"Cannot write: {error.strerror or error}.")
    return code


def _lacking(error: ImportError) -> int:
    return _tell(f"The command line needs {error.name or error}. Install it with: pip install 'dplens[cli]'")


def _tell(message: str, code: int = BAD_INPUT) -> int:
    from dplens.present.visible import visible

    with contextlib.suppress(OSError):  # nobody can be told; the exit code still tells
        print("dplens: " + visible(" ".join(message.split())), file=sys.stderr)
    return code
