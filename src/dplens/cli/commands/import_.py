"""import: what another library's guarantee means. Its sources are read, and none of them is executed."""

from __future__ import annotations

import ast
import json as json_
from pathlib import Path
from typing import Annotated, Any

import typer

from dplens.cli import options as o
from dplens.cli.commands.assess import show_assessment, write
from dplens.cli.show import waiting
from dplens.cli.targets import check_output
from dplens.errors import InvalidValue, MissingExtra
from dplens.tables import FORMATS

_SOURCE = f"A table of a curve or profile ({', '.join(FORMATS)}), an Opacus history (.json), a dp-accounting event."


def import_(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=_SOURCE)],
    neighbours: Annotated[
        str, o.option("WORD", "What it is about: add_remove, replace, replace_special (events).")
    ] = "add_remove",
    between: Annotated[str, o.option("WORD", "Between points of a curve: safe or linear.")] = "safe",
    delta: o.Delta = None,
    n: o.Records = None,
    unit: o.Unit = None,
    title: o.Title = None,
    full: o.Full = False,
    json: o.Json = False,
    output: o.Output = None,
) -> None:
    """What another library's guarantee means; --output also writes it as a scenario file (.yaml).

    \b
    Examples:
    dplens import profile.csv --output scenario.yaml
    dplens import history.json --n 60000
    dplens import "SelfComposedDpEvent(PoissonSampledDpEvent(0.01, GaussianDpEvent(1.0)), 1000)"
    """
    from dplens.assessment.assess import assess

    check_output(output, (".yaml", ".yml", ".json", ".html", ".pdf", ".md", ".txt"))
    given: dict[str, Any] = {"delta": delta, "n": n, "unit": unit, "title": title}
    with waiting("assess"):
        made = assess(_imported(source, neighbours, between), **{k: v for k, v in given.items() if v is not None})
    if output is not None and output.suffix.lower() in (".yaml", ".yml"):
        from dplens.present.charts.export import write_whole
        from dplens.scenario.written import as_yaml, scenario_of

        write_whole(output, as_yaml(scenario_of(made)).encode())
    elif output is not None:
        write(made, output)
    show_assessment(made, source, full=full, json=json, output=output)


def _imported(source: str, neighbours: str, between: str) -> Any:
    """The guarantee that a file or an event describes."""
    from dplens.interop.accountants import from_opacus
    from dplens.interop.arrays import from_frame
    from dplens.interop.dp_events import from_dp_event
    from dplens.tables import columns_of, duckdb_table

    path = Path(source)
    suffix = path.suffix.lower()
    try:
        there = path.exists()
    except OSError:  # the name is too long
        there = False
    if "(" in source and not there:
        return from_dp_event(_event_of(source), neighbours=neighbours)
    if not there or not path.is_file():
        raise InvalidValue(f"Expected {source} to be an existing file, or an event such as GaussianDpEvent(1.0).")
    if suffix == ".json":
        try:
            found = json_.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InvalidValue(f"Expected {path} to be a JSON file, got: {error}.") from None
        if isinstance(found, dict) and not found.keys() & {"history", "privacy_accountant_state_dict"}:
            return from_frame(found, between=between, neighbours=neighbours)
        if neighbours != "add_remove":
            raise InvalidValue(f"Expected --neighbours to be add_remove, as Opacus counts, got {neighbours!r}.")
        return from_opacus(found)
    if suffix not in FORMATS:
        raise InvalidValue(f"Expected the name of a file to end in {', '.join(FORMATS)} or .json, got {source!r}.")
    return from_frame(columns_of(duckdb_table("source", path)), between=between, neighbours=neighbours)


def _event_of(text: str) -> Any:
    """An event of dp-accounting as it prints itself: names of events, numbers and lists, nothing else."""
    try:
        from dp_accounting import dp_event
    except ImportError:
        raise MissingExtra("Events of dp-accounting need it: pip install 'dplens[interop]'") from None

    def made(node: ast.AST) -> Any:
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            kind = getattr(dp_event, name, None) if name.endswith("DpEvent") else None
            if kind is None:
                raise InvalidValue(f"Expected an event of dp-accounting, got {name or ast.unparse(node.func)!r}.")
            try:
                return kind(*map(made, node.args), **{k.arg: made(k.value) for k in node.keywords if k.arg})
            except TypeError as error:
                raise InvalidValue(f"Expected {name} to be given its parameters: {error}.") from None
        if isinstance(node, (ast.List, ast.Tuple)):
            return [made(item) for item in node.elts]
        try:
            return ast.literal_eval(node)
        except ValueError:
            raise InvalidValue(f"Expected numbers, lists and events, got {ast.unparse(node)!r}.") from None

    try:
        return made(ast.parse(text, mode="eval").body)
    except (SyntaxError, MemoryError, RecursionError):
        raise InvalidValue(f"Expected an event such as GaussianDpEvent(1.0), got {text!r}.") from None
