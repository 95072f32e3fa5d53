"""Reports on the command line: several releases side by side, the scenarios of a folder, and ``--report``."""

import json
import os
from urllib.parse import unquote_to_bytes

import pytest

import dplens as dl
from tests.cli.test_cli import EXAMPLES, refused
from tests.present.reports import Page

KEPT = "releases:\n- {mechanism: laplace, scale: 8.0}\nlimits:\n- {question: advantage, at_most: 0.5}\n"
BROKEN_LIMIT = KEPT.replace("scale: 8.0", "scale: 0.5")


@pytest.fixture
def folder(tmp_path):
    """Four scenarios: two of one stem, one that is called like the list of reports, one with a title."""
    home = tmp_path / "scenarios"
    home.mkdir()
    (home / "a.yaml").write_text(KEPT)
    (home / "a.toml").write_text('title = "In TOML"\n[[releases]]\nmechanism = "laplace"\nscale = 8.0\n')
    (home / "index.yaml").write_text(KEPT)
    (home / "titled.yml").write_text(f"title: <b>Titled</b> & more\n{KEPT}")
    (home / "notes.txt").write_text("not a scenario")
    (home / ".hidden.yaml").write_text("[")
    return home


# ---- a folder -----------------------------------------------------------------------------------------------------


def test_every_scenario_of_a_folder_has_its_report(run, folder):
    reports = folder.parent / "reports" / "of today"
    code, out, err = run("report", folder, "--output", reports, "--format", "json", "--format", "md")
    assert (code, err) == (0, "")
    stems = {"a-toml", "a-yaml", "index-yaml", "titled"}
    assert {p.name for p in reports.iterdir()} == {f"{s}.{x}" for s in stems for x in ("json", "md")} | {"index.html"}
    assert json.loads((reports / "a-toml.json").read_text())["title"] == "In TOML"
    page = Page((reports / "index.html").read_text())
    links = [given["href"] for tag, given in page.tags if tag == "a"]
    assert {(reports / link).is_file() for link in links} == {True}
    assert len(links) == 8
    assert not any(tag == "b" for tag, _ in page.tags)
    assert "<b>Titled</b> & more" in [cell["text"] for cell in page.cells]
    assert out.splitlines()[-1] == f"Written: {reports / 'index.html'}"
    assert "✓ <b>Titled</b> & more: Limits met" in out.splitlines()


def test_a_broken_file_does_not_stop_the_rest(run, folder):
    reports = folder.parent / "reports"
    (folder / "b.yaml").write_text("releases: [")
    (folder / "c.yaml").write_text(BROKEN_LIMIT)
    (folder / "d.yaml").mkdir()
    code, out, err = run("report", folder, "--output", reports, "--format", "md")
    assert code == 2
    assert err.count("\n") == 1
    assert err.startswith(f"dplens: {folder / 'b.yaml'}, line 2: Not readable as YAML")
    assert "✗ b.yaml: Not read" in out
    assert "✗ c.yaml: Limits not met" in out
    assert "5 of 6 files could be read." in (reports / "index.html").read_text()
    assert not (reports / "b.md").exists()
    assert (reports / "titled.md").exists()
    shown = run("report", folder, "--output", reports, "--format", "md", "--json")
    made = json.loads(shown[1])
    assert list(made["errors"]) == [str(folder / "b.yaml")]
    assert len(made["reports"]) == 5
    (folder / "b.yaml").unlink()
    assert run("report", folder, "--output", reports, "--format", "md")[0] == 1


def test_names_that_are_not_text_are_written_out(run, folder, tmp_path):
    reports = folder.parent / "reports"
    for name, content in (("bad\udcff.yaml", KEPT), ("broken\udcfe.yaml", "releases: [")):
        (folder / name).write_text(content)
    code, out, err = run("report", folder, "--output", reports, "--format", "md")
    assert code == 2
    assert r"✓ bad\udcff.yaml: Limits met" in out.splitlines()
    assert r"broken\udcfe.yaml" in err
    page = Page((reports / "index.html").read_text())
    links = [given["href"] for tag, given in page.tags if tag == "a"]
    assert "bad%FF.md" in links
    assert all(os.path.isfile(os.fsencode(reports) + b"/" + unquote_to_bytes(link)) for link in links)
    code, out, err = run("report", folder, "--output", reports, "--format", "md", "--json")
    assert str(folder / "bad\udcff.yaml") in [one["source"] for one in json.loads(out)["reports"]]
    assert r"bad\udcff.yaml" in out
    both = tmp_path / "both.html"
    assert run("report", folder / "bad\udcff.yaml", folder / "a.yaml", "--output", both)[0] == 0
    assert r"bad\udcff.yaml" in both.read_text()


def test_reports_of_a_folder_are_in_the_language_that_is_asked_for(run, folder):
    reports = folder.parent / "reports"
    code, out, _ = run("report", folder, "--output", reports, "--format", "md", "--language", "fr")
    assert code == 0
    assert "Fichier écrit" in out
    assert "4 fichiers sur 4 ont pu être lus." in (reports / "index.html").read_text()
    assert '<html lang="fr">' in (reports / "index.html").read_text()
    assert 'language: "fr"' in (reports / "titled.md").read_text()


def test_folders_that_cannot_be_reported_are_refused(run, folder, tmp_path):
    (tmp_path / "empty").mkdir()
    file = tmp_path / "a file"
    file.write_text("")
    reports = tmp_path / "reports"
    assert refused(run("report", folder, "--output", folder), "another directory", "which is read")
    assert refused(run("report", folder, "--output", file), "to be a directory", "a file")
    assert refused(run("report", folder, "--output", tmp_path / "x.html"), "to be a directory", "--output reports")
    assert refused(run("report", tmp_path / "empty", "--output", reports), "to hold scenarios", ".toml")
    assert refused(run("report", f"{tmp_path}/none/", "--output", reports), "no such directory")
    assert refused(run("report", folder, file, "--output", reports), "one folder by itself")
    assert refused(run("report", folder, "--output", reports, "--format", "pie"), "--format", "html", "'pie'")
    assert refused(run("report", folder, "--output", reports, "--title", "All"), "--title", "titles of their own")
    assert refused(run("report", folder, "--output", file / "below"), "Cannot make the directory")
    assert not reports.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read and write everything")
def test_a_folder_that_may_not_be_read_is_named(run, folder, tmp_path):
    folder.chmod(0)
    try:
        assert refused(run("report", folder, "--output", tmp_path / "reports"), "Cannot read")
    finally:
        folder.chmod(0o700)


# ---- side by side -------------------------------------------------------------------------------------------------


def test_several_scenarios_are_reported_side_by_side(run, folder, tmp_path):
    (folder / "c.yaml").write_text(BROKEN_LIMIT)
    path = tmp_path / "both.html"
    code, out, err = run("report", folder / "titled.yml", folder / "c.yaml", "gaussian:sigma=2", "--output", path)
    assert (code, err) == (1, "")
    page = Page(path.read_text())
    assert page.headings[0] == ("h1", "3 publications side by side")
    assert page.sentences["summary"][0] == "Limits not met"
    assert {"titled.yml", "c.yaml", "gaussian:sigma=2"} <= {cell["text"] for cell in page.cells}
    assert len(page.pictures) == 2
    assert out.startswith(f"Written: {path}")


def test_what_cannot_stand_side_by_side_is_refused(run, folder, tmp_path):
    one, path = folder / "titled.yml", tmp_path / "x.html"
    again = folder / ".." / "scenarios" / "titled.yml"
    assert refused(run("report", one, again, "--output", path), "different releases", "twice")
    assert refused(run("report", "gaussian:sigma=1", "gaussian:sigma=1", "--output", path), "twice")
    nine = [f"gaussian:sigma={i + 1}" for i in range(9)]
    assert refused(run("report", *nine, "--output", path), "at most eight", "9")
    assert refused(run("report", one, folder / "a.yaml", "--output", tmp_path), "--output")
    assert refused(run("report", one, folder / "a.yaml", "--output", path, "--title", "x"), "--title")
    assert refused(run("report", one, "--output", path, "--format", "md"), "--format", "for a folder")
    assert refused(run("report", one, "--output", tmp_path / "x.pie"), "to end in", "x.pie")
    assert refused(run("report", one, "gaussian:sigma=1", "--output", tmp_path / "no" / "x.md"), "no directory")
    assert not path.exists()


# ---- --report of other commands -----------------------------------------------------------------------------------

_TEST = "mean:n=100,sd=0.25,effect=0.2,bounds=[0,1]"
LINES = {
    "compare gaussian:sigma=1 laplace:scale=1": "2 publications side by side",
    "calibrate gaussian:sigma=? --meet advantage=0.1": "The riskiest parameter that meets the limits",
    f"power {_TEST} --solve noise --power 0.8": "Plan of a study",
    f"power {_TEST} gaussian:sigma=0.05 --observed 0.2": "Test",
    f"power {EXAMPLES / 'hospital-mean.yaml'}": "Mean length of stay of 500 patients, four quarters",
    f"choose --door utility --test {_TEST} --max-power-loss 0.1 --family laplace": "How much noise to add",
    "leak laplace:scale=1 --joint [[0.4,0.1],[0.1,0.4]]": "What this publication means",
    "audit --counts 600/1000,20/1000": "What a measured attack proves",
    "audit --guesses 930/1000 --canaries 5000": "What guesses about one run prove",
}


@pytest.mark.parametrize("line", LINES)
def test_commands_with_a_result_write_its_report(run, tmp_path, line):
    path = tmp_path / "report.md"
    plain, (code, out, err) = run(*line.split()), run(*line.split(), "--report", path)
    assert (code, out, err) == plain
    assert f"# {LINES[line]}" in path.read_text().splitlines()
    command = line.split()
    assert refused(run(*command, "--report", tmp_path / "x.pie"), "--report", "to end in")


def test_the_report_of_an_audit_has_claim_and_front_matter(run, tmp_path):
    path = tmp_path / "audit.json"
    claim = EXAMPLES / "statistical-office.yaml"
    code, _, _ = run("audit", "--counts", "600/1000,20/1000", "--claim", claim, "--report", path)
    made, declared = json.loads(path.read_text()), dl.load_scenario(claim).assess().declared
    assert code == 1
    assert made["refutation"]["verdict"] == "refuted"
    assert made["front"]["organisation"] == declared.organisation


@pytest.mark.parametrize("suffix", ["html", "json", "md"])
def test_guesses_about_one_run_are_held_against_a_claim(run, tmp_path, suffix):
    path = tmp_path / f"audit.{suffix}"
    line = "audit --guesses 930/1000 --canaries 5000 --claim laplace:scale=2 --report"
    code, _, err = run(*line.split(), path)
    assert (code, err) == (1, "")
    assert "refuted" in path.read_text()
    if suffix == "json":
        found = json.loads(path.read_text())["refutation"]
        assert (found["fpr"], found["measured"]) == (None, 0.93)


def test_power_alone_has_no_report(run, tmp_path):
    assert refused(run("power", _TEST, "gaussian:sigma=0.05", "--report", tmp_path / "x.md"), "--solve", "--observed")
