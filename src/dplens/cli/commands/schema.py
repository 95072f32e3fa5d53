"""schema: the JSON Schema of scenario files."""

from __future__ import annotations

import json as json_

from dplens.cli import options as o
from dplens.cli.show import said, show_json, show_lines
from dplens.cli.targets import check_output


def schema(output: o.Output = None, json: o.Json = False) -> None:
    """The JSON Schema of scenario files, for editors and other programs.

    \b
    Examples:
    dplens schema --output scenario.schema.json
    """
    from dplens.scenario.scenario import scenario_schema

    check_output(output, (".json",))
    made = scenario_schema()
    if output is None:
        show_json(made)
        return
    from dplens.present.charts.export import write_whole

    write_whole(output, (json_.dumps(made, indent=2, ensure_ascii=False) + "\n").encode())
    if json:
        show_json({"written": str(output)})
    else:
        show_lines([said("written", file=str(output))])
