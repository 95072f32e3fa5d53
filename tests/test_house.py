"""The house rules: what an import loads, what is public, and whether the documents' examples run."""

import doctest
import inspect
import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import dplens
from tests import house_map

ROOT = Path(__file__).resolve().parent.parent
MADE = ("_build", "gallery")  # below docs/: written by make, not by us
DOCUMENTS = [
    ROOT / "README.md",
    *(p for p in sorted((ROOT / "docs").rglob("*.md")) if p.relative_to(ROOT / "docs").parts[0] not in MADE),
]
NO_DOCSTRING_NEEDED = (int, float, str, tuple)


def fresh(code: str):
    """What `code` prints as JSON in an interpreter of its own."""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def loaded_by(statement: str) -> set[str]:
    """Modules that `statement` adds to those of an interpreter that has already loaded numpy."""
    return set(
        fresh(
            "import json, sys, numpy\n"
            "before = set(sys.modules)\n"
            f"{statement}\n"
            "print(json.dumps(sorted(set(sys.modules) - before)))"
        )
    )


def scipy_parts(modules: set[str]) -> set[str]:
    return {name.split(".")[1] for name in modules if name.startswith("scipy.")}


LIGHT_USES = [
    "import dplens",
    "import dplens; dplens.Epsilon(delta=1e-5).of(dplens.Gaussian(sigma=1.0))",
    "import dplens; dplens.Posterior(prior=0.1, fpr=0.01).of(dplens.Laplace(scale=1.0))",
]


@pytest.mark.parametrize("statement", LIGHT_USES)
def test_no_heavy_part_of_scipy_is_loaded(statement):
    light = scipy_parts(loaded_by("import scipy.special"))
    assert scipy_parts(loaded_by(statement)) <= light


@pytest.mark.parametrize("statement", LIGHT_USES)
def test_no_third_party_but_numpy_and_scipy_is_loaded(statement):
    installed = set(metadata.packages_distributions())
    third_party = {name.split(".")[0] for name in loaded_by(statement)} & installed
    # scipy brings compiled helpers that register themselves at the top level
    ours = {"dplens", "numpy", "scipy"} | {name.split(".")[0] for name in loaded_by("import scipy.special")}
    assert third_party <= ours


def test_star_import_offers_exactly_the_public_names():
    code = "import json\nfrom dplens import *\nprint(json.dumps([n for n in dir() if n != 'json' and n[:2] != '__']))"
    public = {name for name in dplens.__all__ if not name.startswith("__")}
    assert set(fresh(code)) == public


def test_every_public_name_is_in_the_reference():
    reference = (ROOT / "docs" / "api.md").read_text()
    public = [name for name in dplens.__all__ if not name.startswith("__")]
    missing = [name for name in public if not re.search(rf":: {name}$", reference, re.MULTILINE)]
    assert not missing, f"docs/api.md does not list {missing}"


def test_public_names_are_unique_and_listed():
    assert len(set(dplens.__all__)) == len(dplens.__all__)
    assert set(dplens.__all__) <= set(dir(dplens))


@pytest.mark.parametrize("name", dplens.__all__)
def test_public_name_resolves_in_a_documented_object(name):
    thing = getattr(dplens, name)
    if isinstance(thing, NO_DOCSTRING_NEEDED):
        return
    # `__doc__` of the object itself: neither an inherited text nor a dataclass's generated signature counts.
    own = vars(thing).get("__doc__") if inspect.isclass(thing) else thing.__doc__
    assert own, f"dplens.{name} has no docstring"
    assert not own.startswith(f"{name}("), f"dplens.{name} only has its generated signature"


@pytest.mark.parametrize("name", dplens.__all__)
def test_public_methods_are_documented(name):
    thing = getattr(dplens, name)
    if not inspect.isclass(thing):
        return
    bare = [
        member
        for member, value in vars(thing).items()
        if not member.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, (property, classmethod, staticmethod)))
        # an override may leave the text to the method it overrides
        and not any(getattr(vars(base).get(member), "__doc__", None) for base in thing.__mro__)
    ]
    assert not bare, f"dplens.{name} has members without docstring: {bare}"


def test_what_one_calls_has_an_example():
    """Mechanisms, questions, data models, tests and functions; what they return is shown there."""
    elsewhere = {"from_opendp", "from_pld"}  # they need other libraries: docs/interop.md
    kinds = (dplens.Mechanism, dplens.Question, dplens.DiscreteData, dplens.MarkovData, dplens.GaussianData)
    called = {name: getattr(dplens, name) for name in dplens.__all__}
    called = {
        name: thing
        for name, thing in called.items()
        if inspect.isfunction(thing)
        or (
            inspect.isclass(thing)
            and not inspect.isabstract(thing)
            and (name.endswith("Test") or issubclass(thing, kinds))
        )
    }
    assert len(called) > 80
    bare = {name for name, thing in called.items() if ">>>" not in thing.__doc__}
    assert bare == elsewhere


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        dplens.no_such_name  # noqa: B018


def test_version_is_that_of_the_distribution():
    assert dplens.__version__ == metadata.version("dplens")


def test_types_are_shipped():
    assert (Path(dplens.__file__).parent / "py.typed").is_file()


def test_no_module_grows_beyond_reading():
    files = Path(dplens.__file__).parent.rglob("*.py")
    lengths = {p: len(p.read_text().splitlines()) for p in files}
    assert {p.name: n for p, n in lengths.items() if n > 400} == {}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_examples_in_documents_run(path):
    """Fenced `pycon` blocks of one document share their names and run in order."""
    text = path.read_text()
    blocks = list(re.finditer(r"^```pycon\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    names: dict[str, object] = {}
    report: list[str] = []
    for block in blocks:
        line = text[: block.start(1)].count("\n")
        test = parser.get_doctest(block.group(1), names, path.name, str(path), line)
        runner.run(test, out=report.append, clear_globs=False)
        names = test.globs
    assert not report, "".join(report)


def test_every_command_and_every_chart_is_in_the_table_of_its_page():
    from dplens.cli.app import _COMMANDS
    from dplens.present.charts.picture import CHARTS

    for page, names in (("scenarios-and-reports", _COMMANDS), ("pictures-and-reports", CHARTS)):
        rows = re.findall(r"^\| (`.*?) \|", (ROOT / "docs" / f"{page}.md").read_text(), re.MULTILINE)
        missing = set(names) - {name for row in rows for name in re.findall(r"`(\w+)`", row)}
        assert not missing, f"docs/{page}.md needs a row for each of {missing}"


def test_the_map_of_the_house_is_up_to_date():
    text = house_map.CONTRIBUTING.read_text()
    assert text == house_map.with_map(text), "run `make map`"
    bare = [name for name, what in house_map.rows() if len(what) < 10]
    assert not bare, f"{bare} have no docstring"


def test_every_room_holds_at_most_fifteen_files():
    home = Path(dplens.__file__).parent
    counts = {p.relative_to(home): len(list(p.glob("*.py"))) for p in home.rglob("*") if p.is_dir()}
    assert {str(p): n for p, n in counts.items() if n > 15} == {}


def test_the_walk_through_one_answer_names_every_file_that_is_met():
    walk = (ROOT / "CONTRIBUTING.md").read_text().split("### A walk through one answer")[1].split("###")[0]
    steps, passed = walk.split("The call also passes")
    named = [set(re.findall(r"`([\w/]+\.py)`", part)) for part in (steps, passed)]
    met = fresh(
        "import json, sys, dplens as dl\n"
        "def ask(noise):\n"
        "    dl.Epsilon(delta=1e-5).of(dl.DPSGD(noise_multiplier=noise, sample_rate=0.004, steps=10_000))\n"
        "ask(0.9)\n"  # once, for what is imported on first use
        "met = set()\n"
        "sys.setprofile(lambda frame, event, arg: met.add(frame.f_code.co_filename) if event == 'call' else None)\n"
        "ask(0.8)\n"
        "sys.setprofile(None)\n"
        "home = dl.__file__.removesuffix('__init__.py')\n"
        "print(json.dumps(sorted(path.removeprefix(home) for path in met if path.startswith(home))))"
    )
    assert set(met) <= named[0] | named[1]
    assert named[0] <= set(met)
    assert len(named[0]) <= 15
