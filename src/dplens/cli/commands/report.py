"""report: of one release, of several side by side, or of every scenario in a folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from dplens.cli import options as o
from dplens.cli.commands.assess import write
from dplens.cli.show import bar, follow, said, show_json, show_lines, spoken, waiting, write_report
from dplens.cli.targets import FILES, REPORTS, Target, check_output, is_file
from dplens.errors import DplensError, InvalidValue
from dplens.present.visible import visible

_SPECS = "A mechanism, a scenario file or a saved assessment; from two to eight of them; or a folder of such files."
_FORMAT = f"Of the reports of a folder: {', '.join(s[1:] for s in REPORTS)}; html by default; may be repeated."
_INDEX = "index"


@o.gathering(o.ASSESSING)
def report(
    *,
    specs: Annotated[list[str], typer.Argument(metavar="SPEC…", help=_SPECS)],
    output: Annotated[
        Path | None, o.option("FILE|DIR", "Write here; the suffix of a file says in which format.", "--output", "-o")
    ] = None,
    formats: Annotated[list[str] | None, o.option("NAME", _FORMAT, "--format")] = None,
    flags: dict[str, Any],
    json: o.Json = False,
) -> None:
    """Writes the report: .pdf (to print and sign), .html (one file, works offline), .md (a model card) or .json.

    \b
    Examples:
    dplens report scenario.yaml --output report.pdf
    dplens report scenario.yaml --output report.html --language fr
    dplens report gaussian:sigma=2 --n 5000 --output report.md
    dplens report before.yaml after.yaml --output comparison.html
    dplens report scenarios/ --output reports/ --format html --format md
    """
    if output is None:
        raise InvalidValue("Expected --output to be given, as in: dplens report SPEC --output report.html")
    if any(Path(spec).is_dir() for spec in specs):
        _folder(specs, output, formats, flags, json)
        return
    missing = next((spec for spec in specs if spec.endswith(("/", os.sep))), None)
    if missing is not None:
        raise InvalidValue(f"Cannot read {missing}: there is no such directory.")
    if formats:
        raise InvalidValue("Expected --format to be left out: it is for a folder. The suffix of --output says it.")
    for spec in specs:
        check_output(output, REPORTS, spec=spec)
    if len(specs) > 1:
        made = side_by_side(specs, flags)
        passed = all(one.passed for one in made.assessments.values())
    else:
        with waiting("assess"):
            made = Target(specs[0]).assess(**flags)
        passed = made.passed
    follow(made)
    write_report(made, output)
    if json:
        show_json({"written": str(output), "bytes": output.stat().st_size, "passed": passed})
    else:
        show_lines([said("written-bytes", file=str(output), bytes=output.stat().st_size)])
    if not passed:
        raise typer.Exit(1)


def side_by_side(specs: Sequence[str], flags: dict[str, Any]) -> Any:
    """Assessments under their titles, or else their specs."""
    from dplens.present.notebook.names import brief
    from dplens.present.report.kinds.side_by_side import SideBySide

    if len(specs) > 8:
        raise InvalidValue(f"Expected at most eight releases side by side, got {len(specs)}. Write several reports.")
    if flags.get("title") is not None:
        raise InvalidValue("Expected --title to be left out: several releases have titles of their own.")
    read = [os.path.realpath(spec) if is_file(spec) else spec for spec in specs]
    again = next((spec for i, spec in enumerate(specs) if read[i] in read[:i]), None)
    if again is not None:
        raise InvalidValue(f"Expected different releases, got {again!r} twice. Name each of them once.")
    with waiting("assess"):
        made = [Target(spec).assess(**flags) for spec in specs]
    titles = [brief(one.title, 60) for one in made]
    shown = [visible(spec) for spec in specs]
    names = [visible(Path(spec).name) if is_file(spec) else spec for spec in specs]
    for wanted in (titles, names):
        if all(wanted) and len(set(wanted)) == len(wanted):
            return SideBySide(assessments=dict(zip(wanted, made)))
    return SideBySide(assessments=dict(zip(shown, made)))


# ---- a folder -----------------------------------------------------------------------------------------------------


def _folder(specs: list[str], output: Path, formats: list[str] | None, flags: dict[str, Any], json: bool) -> None:
    """Write the reports of all scenarios in a folder, and a page that lists them; go on after a broken file."""
    from dplens.present.report.index import entry_of, failed, write_index
    from dplens.present.words.language import language

    suffixes = _suffixes(formats)
    files = _scenarios(specs, output, flags)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidValue(f"Cannot make the directory {output}: {error.strerror or error}.") from None
    entries, bad, done, text = [], {}, [], language(spoken())
    with bar(len(files), "reports") as (tick, told):
        for file, stem in files.items():
            told(file.name)
            written = [output / f"{stem}{suffix}" for suffix in suffixes]
            try:
                made = Target(str(file)).assess(**flags)
                for path in written:
                    write(made, path)
                entries.append(entry_of(made, made.title or file.name, written, spoken(made)))
                done.append({"source": str(file), "written": [str(p) for p in written], "passed": made.passed})
            except ImportError:
                raise  # without an extra, no report can be written
            except (DplensError, OSError, RecursionError, MemoryError) as error:
                bad[str(file)] = " ".join(str(error).split()) or type(error).__name__
                entries.append(failed(file.name, bad[str(file)].replace(str(file), file.name), text))
            tick()
    index = write_index(output / f"{_INDEX}.html", entries, text)
    if json:
        show_json({"index": str(index), "reports": done, "errors": bad})
    else:
        show_lines([f"{entry.mark.value} {entry.title}: {entry.word}" for entry in entries])
        show_lines([said("written", file=str(index))])
    for name, why in bad.items():
        print(f"dplens: {visible(why if why.startswith(name) else f'{name}: {why}')}", file=sys.stderr)
    if bad or not all(one["passed"] for one in done):
        raise typer.Exit(2 if bad else 1)


def _suffixes(formats: list[str] | None) -> list[str]:
    """The suffixes of the formats, each once."""
    known = [suffix[1:] for suffix in REPORTS]
    for name in formats or ():
        if name not in known:
            raise InvalidValue(f"Expected --format to be {' or '.join(known)}, got {name!r}.")
    return list(dict.fromkeys(f".{name}" for name in formats or ["html"]))


def _scenarios(specs: list[str], output: Path, flags: dict[str, Any]) -> dict[Path, str]:
    """The files of the folder with the names of their reports, of which no two are the same."""
    folder = Path(specs[0])
    if len(specs) > 1:
        raise InvalidValue(f"Expected one folder by itself, got {' '.join(specs)}. Name the files, or one folder.")
    if flags.get("title") is not None:
        raise InvalidValue("Expected --title to be left out: the scenarios of a folder have titles of their own.")
    if (output.exists() and not output.is_dir()) or (not output.exists() and output.suffix.lower() in REPORTS):
        raise InvalidValue(
            f"Expected --output to be a directory, since {specs[0]!r} is one, got {str(output)!r}. "
            "Pass for instance --output reports."
        )
    if os.path.realpath(folder) == os.path.realpath(output):
        raise InvalidValue(f"Expected --output to be another directory than {specs[0]!r}, which is read.")
    try:
        found = sorted(p for p in folder.iterdir() if p.suffix.lower() in FILES and not p.name.startswith("."))
    except OSError as error:
        raise InvalidValue(f"Cannot read {specs[0]}: {error.strerror or error}.") from None
    files = [path for path in found if not path.is_dir()]
    if not files:
        raise InvalidValue(f"Expected {specs[0]!r} to hold scenarios ({', '.join(FILES)}), got none of them.")
    stems = [path.stem.lower() for path in files]
    out: dict[Path, str] = {}
    taken = {_INDEX}
    for path in files:
        plain = stems.count(path.stem.lower()) == 1 and path.stem.lower() not in taken
        stem = path.stem if plain else f"{path.stem}-{path.suffix[1:]}"
        while stem.lower() in taken:
            stem += "-2"
        out[path] = stem
        taken.add(stem.lower())
    return out
