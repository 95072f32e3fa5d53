"""Scenario files, saved assessments and command lines, each with something in it that does not belong."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import math
import random
import re
import shutil
import sys
import warnings
from pathlib import Path
from typing import Any

import dplens as dl
from dplens.cli.main import main
from tests.fuzz.targets import Call, assessment, replaced_inside

EXAMPLES = Path(__file__).parents[2] / "examples"

# Values that can be written into a file.
_WRITABLE: tuple[Any, ...] = (
    *(None, True, False, "", "text", "0.1", "nan", "1e400", "x" * 3000, [], {}, [1, 2], [[0.5, 0.5], [0.5]], {"a": 1}),
    *(0, 1, -1, 0.0, -0.0, 0.5, 1e-320, 1e-300, 1e308, -1e308, 2**63, 10**40, 10**400, math.nan, math.inf, -math.inf),
    *(["a", None], {"value": 1}, {"question": "epsilon"}, {"mechanism": "gaussian"}, "gaussian", "epsilon"),
)

# Command lines that work; words in capitals are files.
LINES = (
    "assess gaussian:sigma=2",
    "assess laplace:scale=1*10 --prior 0.1 --fail-above advantage=0.5",
    "assess dpsgd:noise_multiplier=1,sample_rate=0.01,steps=100 --json",
    "assess randomized_response:epsilon=1 --ask f_score:prior=0.1 --n 1e5 --unit voter",
    "assess SCENARIO.json",
    "assess SAVED.json",
    "report gaussian:sigma=2 --output out.md",
    "report SAVED.json --output out.json",
    "report gaussian:sigma=2 SCENARIO.json --output both.md",
    "compare gaussian:sigma=2 laplace:scale=1",
    "compare gaussian:sigma=2 laplace:scale=1 --report both.json",
    "compare SAVED.json SAVED.json",
    "calibrate gaussian:sigma=? --meet advantage=0.1",
    "calibrate laplace:scale=?*10 --meet epsilon=1 --delta 1e-5",
    "calibrate laplace:scale=2*? --meet attack_power:fpr=0.01=0.05",
    "convert gaussian:sigma=2",
    "power mean:n=100,sd=0.25,effect=0.2,level=0.01 gaussian:sigma=0.05",
    "power proportion:n=50,null=0.3,effect=0.2 geometric:scale=2 --observed 24",
    "power mean:n=100,sd=0.25,effect=0.2,bounds=[0,1] --solve noise --power 0.8 --json",
    "choose --door privacy --no-blatant-ok --high-confidence-ok --limit relative_risk:fpr=0.01=5 --family gaussian",
    "choose --door utility --test mean:n=100,sd=0.25,effect=0.2,bounds=[0,1] --max-power-loss 0.1 --family laplace",
    "import PROFILE.csv --n 1000",
    "import GaussianDpEvent(1.0) --json",
    "reproduce --list",
    "leak SCENARIO.json",
    "leak laplace:scale=1 --joint [[0.4,0.1],[0.1,0.4]]",
    "leak gaussian:sigma=3 --correlation 0.9 --length 12 --target 5 --known 4,6",
    "audit SCORES.csv SCORES.csv",
    "audit LABELS.csv --label member --column loss --members lower",
    "audit --canary-scores LABELS.csv --included member --column loss --json",
    "audit --counts 60/100,10/100 --claim gaussian:sigma=1",
    "audit --guesses 93/100 --canaries 500",
    "schema",
)
_WORDS = (
    *(
        "",
        " ",
        "-",
        "--",
        "=",
        ":",
        "*",
        "?",
        "+",
        "nan",
        "inf",
        "-1",
        "0",
        "1e308",
        "1e-320",
        "9" * 400,
        "10%",
        "\ud800",
    ),
    *(
        "--help",
        "--json",
        "--prior",
        "--limit",
        "--n",
        "--output",
        "--version",
        "SCENARIO.json",
        "SAVED.json",
        "missing.yaml",
    ),
    *(
        "gaussian",
        "gaussian:",
        "gaussian:sigma",
        "gaussian:sigma=",
        "gaussian:sigma=nan",
        "gaussian:sigma=-1",
        "laplace:scale=1*0",
    ),
    *(
        "laplace:scale=1*1e308",
        "staircase:epsilon=1e-320",
        "uniform_sampling:mu=1,n=5",
        "epsilon=1",
        "advantage=2",
        "auc=0.6",
    ),
    *("randomized_response:epsilon=1,categories=1e9", "gaussian:sigma=2,sample_rate=0.1*10", ".", "/dev/null"),
)


def scenario(rng: random.Random) -> Call:
    """An example as a file, with one or two places changed."""
    content = _spoiled(rng.choice(_examples()), rng)
    text = json.dumps(content)
    if rng.random() < 0.1:
        text = _cut(text, rng)
    return Call("scenario file", _load, (text,))


def _load(text: str) -> Any:
    Path("fuzzed.json").write_text(text)
    return dl.load_scenario("fuzzed.json").assess()


def saved(rng: random.Random) -> Call:
    """A saved assessment with one or two places changed."""
    content = _spoiled(json.loads(rng.choice(_saved())), rng)
    text = json.dumps(content)
    if rng.random() < 0.1:
        text = _cut(text, rng)
    return Call("saved assessment", _read_back, (text,))


def _read_back(text: str) -> Any:
    found = dl.Assessment.from_json(text)
    found.words()
    found.report("fuzzed.md")
    str(found.changes_since(assessment()))
    return found


def line(rng: random.Random) -> Call:
    """A command line with a word replaced, added, left out, or a file spoiled."""
    words = rng.choice(LINES).split()
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(words))
        draw = rng.random()
        if draw < 0.4:
            words[at] = rng.choice(_WORDS)
        elif draw < 0.6:
            words.insert(at, rng.choice(_WORDS))
        elif draw < 0.7 and len(words) > 1:
            del words[at]
        elif "=" in words[at]:
            head, _, tail = words[at].rpartition("=")
            words[at] = f"{head}={rng.choice(_WORDS)}" if rng.random() < 0.7 else head + tail
    if "reproduce" in words and "--list" not in words:  # all of it takes a minute
        words.insert(words.index("reproduce") + 1, "--list")
    return Call("command line", _command, (tuple(words), files(rng)))


def files(rng: random.Random | None = None) -> dict[str, str]:
    """The files that command lines name; with ``rng``, half of them spoiled."""

    def maybe(content: Any) -> str:
        return json.dumps(content if rng is None or rng.random() < 0.5 else _spoiled(content, rng))

    pick = rng.choice if rng is not None else lambda options: options[0]
    wrong = [] if rng is None or rng.random() < 0.5 else [str(rng.choice(_WRITABLE)) for _ in range(3)]
    return {
        "SCENARIO.json": maybe(pick(_examples())),
        "SAVED.json": maybe(json.loads(pick(_saved()))),
        "SCORES.csv": "\n".join(["score", *(str(k / 20) for k in range(20)), *wrong]),
        "LABELS.csv": "\n".join(["loss,member", *(f"{k / 20},{k % 2}" for k in range(40)), *wrong]),
        "PROFILE.csv": "\n".join(["epsilon,delta", "0,0.1", "1,0.01", "3,1e-6", *wrong]),
    }


def run_line(words: str) -> int:
    """The exit code of a command line on good files."""
    return _command(tuple(words.split()), files())


def _command(words: tuple[str, ...], written: dict[str, str]) -> int:
    for name, content in written.items():
        Path(name).write_text(content)
    out, err = io.StringIO(), io.StringIO()
    kept, sys.stdin = sys.stdin, io.StringIO("")
    # the command line silences warnings of others; a RuntimeWarning would be ours
    silence = warnings.simplefilter
    warnings.simplefilter = _audible  # pyright: ignore[reportAttributeAccessIssue]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(list(words))
    finally:
        sys.stdin, warnings.simplefilter = kept, silence
    if code not in (0, 1, 2):
        raise AssertionError(f"exit code {code}: {err.getvalue()[-300:]}")
    if "Traceback" in err.getvalue() + out.getvalue():
        raise AssertionError(err.getvalue()[-300:])
    given = " ".join((*words, *written.values())).lower()
    if code == 0 and re.search(r"\bnan\b", out.getvalue(), re.IGNORECASE) and "nan" not in given:
        raise AssertionError("printed NaN")
    if code == 0 and "--json" in words and out.getvalue().startswith(("{", "[")):  # else it was help or a version
        _check_brackets(json.loads(out.getvalue()))
    return code


def _check_brackets(content: Any) -> None:
    """No bracket in printed JSON has its lower end above its upper end."""
    if isinstance(content, dict):
        ends = content.get("low"), content.get("high")
        if all(isinstance(end, (int, float)) for end in ends) and not ends[0] <= ends[1]:  # pyright: ignore
            raise AssertionError(f"printed a bracket from {ends[0]} to {ends[1]}")
    for part in content.values() if isinstance(content, dict) else content if isinstance(content, list) else ():
        _check_brackets(part)


_simplefilter = warnings.simplefilter


def _audible(action: Any, category: type[Warning] = Warning, lineno: int = 0, append: bool = False) -> None:
    """``warnings.simplefilter``, but a RuntimeWarning stays an error."""
    _simplefilter(action, category, lineno, append)  # pyright: ignore[reportArgumentType]
    if action == "ignore":
        _simplefilter("error", RuntimeWarning)


def _spoiled(content: Any, rng: random.Random) -> Any:
    for _ in range(rng.choice((1, 1, 2))):
        content = replaced_inside(content, lambda r: r.choice(_WRITABLE), rng)
    return content


def _cut(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    return text[:at] if rng.random() < 0.5 else text[:at] + rng.choice('{}[]",:\x00é9') + text[at + 1 :]


@functools.cache
def _examples() -> tuple[Any, ...]:
    import yaml

    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    read = {".yaml": yaml.safe_load, ".toml": tomllib.loads, ".json": json.loads}
    return tuple(json.loads(json.dumps(read[p.suffix](p.read_text()))) for p in sorted(EXAMPLES.iterdir()))


@functools.cache
def _saved() -> tuple[str, ...]:
    related = dl.assess(
        dl.Laplace(scale=1.0),
        data=dl.RelatedData(model=dl.DiscreteData(joint=[[0.3, 0.2], [0.2, 0.3]])),
        limits=[dl.Advantage().at_most(0.1)],
        audit=dl.audit_counts(true_positives=60, n_in=100, false_positives=10, n_out=100),
        analyst=dl.Analysis(
            test=dl.MeanTest(n=100, sd=0.25, effect=0.2, bounds=(0, 1)), mechanism=dl.Laplace(scale=0.05)
        ),
    )
    return assessment().to_json(), related.to_json()


def copy_examples() -> None:
    """What good calls expect to find in the current directory."""
    shutil.copy(EXAMPLES / "hospital-mean.yaml", "scenario.yaml")
