"""import: what another library's guarantee means."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dplens.cli import options as o
from dplens.cli.commands.assess import show_assessment, write
from dplens.cli.show import waiting
from dplens.cli.targets import check_output

_SOURCE = "A table of a curve or profile (.csv, .parquet), an Opacus history (.json), a dp-accounting event."


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
    from dplens.cli.import_sources import imported

    check_output(output, (".yaml", ".yml", ".json", ".html", ".md", ".txt"))
    given: dict[str, Any] = {"delta": delta, "n": n, "unit": unit, "title": title}
    with waiting("Assessing"):
        made = assess(imported(source, neighbours, between), **{k: v for k, v in given.items() if v is not None})
    if output is not None and output.suffix.lower() in (".yaml", ".yml"):
        from dplens.present.charts.export import write_whole
        from dplens.scenario.written import as_yaml, scenario_of

        write_whole(output, as_yaml(scenario_of(made)).encode())
    elif output is not None:
        write(made, output)
    show_assessment(made, source, full=full, json=json, output=output)
