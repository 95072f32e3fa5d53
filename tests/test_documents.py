"""Commands in the documents run as they stand, in order, in a directory with the files that the page describes."""

import re
import shlex
import subprocess
import sys

import pytest

from dplens.cli.main import main
from tests import effort
from tests.test_house import DOCUMENTS, ROOT

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_OURS = ("make", "pip")  # they install, or run this very test
PAGES = [path for path in DOCUMENTS if any(kind == "sh" for kind, _ in BLOCK.findall(path.read_text()))]


def described_files(text):
    """YAML blocks by name: from their first line, or from the last file name mentioned before them."""
    for match in BLOCK.finditer(text):
        if match.group(1) == "yaml":
            inside = re.match(r"# ([\w-]+\.yaml)\n", match.group(2))
            before = re.findall(r"`([\w-]+\.yaml)`", text[: match.start()])
            yield (inside.group(1) if inside else before[-1]), match.group(2)


def commands(text):
    for kind, body in BLOCK.findall(text):
        if kind == "sh":
            for line in body.splitlines():
                words = shlex.split(line, comments=True)
                if words and words[0] not in NOT_OURS:
                    yield words


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_run(path, tmp_path, monkeypatch, capsys):
    text = path.read_text()
    files = dict(described_files(text))
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    ran = 0
    for program, *arguments in commands(text):
        assert program.removeprefix(".venv/bin/") == "dplens", program
        for name in arguments:  # versions of a file that the page only mentions
            if name.endswith(".yaml") and name not in files:
                (tmp_path / name).write_text(next(iter(files.values())))
        code = main(arguments)
        found = capsys.readouterr()
        # 1: a limit is exceeded, which is for the reader to see
        assert code in (0, 1), f"{program} {' '.join(arguments)}: {found.err}"
        assert found.out
        ran += 1
    assert ran or "make" in text


def test_every_block_of_code_is_run_or_shown():
    """No language slips in that nobody runs: pycon and sh are run, yaml is used by sh, text and toctrees are shown."""
    kinds = {kind for path in DOCUMENTS for kind in re.findall(r"^```(\{?[\w-]+\}?)", path.read_text(), re.MULTILINE)}
    assert kinds <= {"pycon", "sh", "yaml", "text", "{catalogue}", "{eval-rst}", "{toctree}"}


def test_formulas_have_no_primes():
    """Where no font for mathematics is installed a browser draws them too small to be seen: v' reads v."""
    primed = []
    for path in DOCUMENTS:
        text = re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
        formulas = ["".join(found) for found in re.findall(r"\$\$([^$]+)\$\$|\$([^$]+)\$", text)]
        primed += [(path.name, formula) for formula in formulas if "'" in formula or "prime" in formula]
    assert primed == []


@pytest.mark.skipif(not effort.SEARCHING, reason="HYPOTHESIS_PROFILE=search builds them")
def test_the_site_is_built_without_a_warning_and_needs_no_network(tmp_path):
    made = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", str(ROOT / "docs"), str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    for page in tmp_path.rglob("*.html"):
        fetched = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="(https?:[^"]*)', page.read_text())
        assert fetched == [], page
