"""Input that means ill or was made in haste: one line that says what is wrong, and no promise that is not kept."""

import json
import math
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import dplens as dl
from dplens.cli.main import main
from dplens.present.rounding import ends
from dplens.present.visible import visible

GAUSSIAN = "  - mechanism: gaussian\n    sigma: 2\n"


@pytest.fixture
def run(capsys, tmp_path):
    """Runs a command in this process; a text that begins with a suffix becomes a file of that kind."""

    def command(*arguments, **files):
        for name, content in files.items():
            path = tmp_path / name.replace("_", ".")
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            arguments = [str(path) if a == name else a for a in arguments]
        code = main([str(a) for a in arguments])
        out = capsys.readouterr()
        return code, out.out, out.err

    return command


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("s_yaml", f"n: {'9' * 5000}\nreleases:\n{GAUSSIAN}", ["line 1", "whole number"]),
        ("s_json", '{"releases": [{"mechanism": "gaussian", "sigma": ' + "9" * 5000 + "}]}", ["sigma", "finite"]),
        ("s_toml", "n = " + "9" * 5000, ["TOML"]),
        ("s_json", '{"releases": [{"mechanism": "gaussian", "sigma": 1,\n"sigma": 2}]}', ["line 2", "'sigma' twice"]),
        ("s_json", '{"x":' + "[" * 20000 + "]" * 20000 + "}", ["s.json", "depth"]),
        ("s_json", '{"format": "dplens assessment 1"}', ["s.json", "the key 'digests'"]),
        ("s_json", '{"format": "dplens assessment 9"}', ["s.json", "'dplens assessment 9'"]),
        (
            "s_yaml",
            f"releases:\n{GAUSSIAN}questions:\n  - advantage",
            ["line 5, questions[0]", "each entry to be a map"],
        ),
        (
            "s_yaml",
            f"releases:\n{GAUSSIAN}limits:\n  - {{question: advantage, at_most: 10}}",
            ["line 5, limits[0].at_most", "[0, 1]", "10 % is written 0.1"],
        ),
        (
            "s_yaml",
            f"releases:\n{GAUSSIAN}analyst:\n  - {{test: mean, n: 9, effect: 1, sd: 1, release: a}}",
            ["line 5, analyst[0].release", "none with a name"],
        ),
        ("s_yaml", "", ["got nothing"]),
        ("s_yaml", "- 1", ["got a list"]),
        ("s_yaml", f"delta: 1\nreleases:\n{GAUSSIAN}", ["line 1, delta", "[0, 1)"]),
        ("s_yaml", f"delta: 1\nreleases:\n{GAUSSIAN}limits:\n  - {{question: epsilon, at_most: 1}}", ["line 1, delta"]),
        ("s_yaml", f"unit: ''\nreleases:\n{GAUSSIAN}", ["line 1, unit", "a word"]),
        ("s_yaml", "releases:\n  - mechanism: gaussian\n    sigma: [1]", ["got [1]"]),
        (
            "s_yaml",
            f"releases:\n{GAUSSIAN}adversaries:\n  - {{name: a, prior: 0.1}}\n  - {{name: a, prior: 0.3}}",
            ["line 6, adversaries[1].name", "'a' twice"],
        ),
        ("s_yaml", f"releases:\n{GAUSSIAN}    name: a\n{GAUSSIAN}    name: a", ["releases[1].name", "'a' twice"]),
        ("s_yaml", "releases:\n  - &x\n    mechanism: gaussian\n    <<: *x", ["without end"]),
        ("s_yaml", f"releases:\n{GAUSSIAN}    <<: 5", ["line 4", "<<"]),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_one_line(run, name, content, words):
    code, out, err = run("assess", name, **{name: content})
    assert (code, out, err.count("\n")) == (2, "", 1)
    for word in words:
        assert word in err


@pytest.mark.parametrize("spec", ["a" * 5000, "a\0b.yaml", "a\0b", f"gaussian:sigma=1*{'9' * 5000}"])
def test_names_that_no_file_can_have_are_no_defect(run, spec):
    code, out, err = run("assess", spec)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "\0" not in err


def test_mappings_may_be_shared(run):
    shared = "releases:\n  - &x\n    mechanism: gaussian\n    sigma: 2\n  - <<: *x\n    sigma: 3\n"
    code, out, _ = run("assess", "s_yaml", "--json", s_yaml=shared)
    assert code == 0
    assert dl.Assessment.from_json(out).mechanism == dl.compose(dl.Gaussian(sigma=2.0), dl.Gaussian(sigma=3.0))


def test_texts_of_others_do_not_steer_the_terminal(run, tmp_path):
    title = 'title: "\\e[2J\\u202egnp.exe"\nunit: "per\\e[31mson"\n'
    for arguments in (["assess", "s_yaml"], ["assess", "s_yaml", "--full"], ["compare", "s_yaml", "s_yaml"]):
        code, out, err = run(*arguments, s_yaml=f"{title}releases:\n{GAUSSIAN}")
        assert (code, err) == (0, "")
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", out)
    assert run("assess", "\x1b[31m")[2].count("\x1b") == 0
    assert visible("Zoë, 5 % … \n\tok") == "Zoë, 5 % … \n\tok"


def test_a_reader_who_leaves_early_does_not_open_the_gate(tmp_path):
    """With or without someone who reads to the end, a limit that is exceeded ends with 1."""
    command = [sys.executable, "-m", "dplens", "assess", "laplace:scale=1", "--fail-above", "advantage=0.1", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        told = process.stderr.read()
        assert (process.wait(), told) == (1, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a disk that is always full")
def test_a_full_disk_is_told():
    command = [sys.executable, "-m", "dplens", "--version"]
    with open("/dev/full", "wb") as full:
        found = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert found.returncode == 2
    assert found.stderr.decode() == "dplens: Cannot write: No space left on device.\n"


# ---- numbers on the safe side ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "limit", "made"),
    [
        ("gaussian:sigma=?", "advantage=0.1", lambda x: dl.Gaussian(sigma=x)),
        ("laplace:scale=?,sensitivity=3", "relative_risk=3", lambda x: dl.Laplace(scale=x, sensitivity=3.0)),
        ("randomized_response:epsilon=?", "advantage=0.1", lambda x: dl.RandomizedResponse(epsilon=x)),
    ],
)
def test_the_printed_parameter_keeps_the_limit(run, family, limit, made):
    _, out, _ = run("calibrate", family, "--meet", limit)
    printed = float(re.match(r"\w+ = (\S+)\n", out)[1])
    question = {"advantage": dl.Advantage(), "relative_risk": dl.RelativeRisk()}[limit.split("=")[0]]
    assert float(question.of(made(printed))) <= float(limit.split("=")[1])


def test_the_printed_noise_of_a_choice_serves(run):
    """Each amount in the sentences and in the table: the limit is met with it as printed, not only as computed."""
    limits = ["--no-blatant-ok", "--high-confidence-ok", "--limit", "relative_risk:fpr=0.01=5"]
    _, out, _ = run("choose", "--door", "privacy", *limits)
    scales = [float(x) for x in re.findall(r"scale = ([\d.]*\d)", out)]
    sigmas = [float(x) for x in re.findall(r"sigma = ([\d.]*\d)", out)]
    risk = dl.RelativeRisk(fpr=0.01)
    assert len(scales) == len(sigmas) == 2
    assert all(risk.of(dl.Laplace(scale=x)) <= 5 for x in scales)
    assert all(risk.of(dl.Gaussian(sigma=x)) <= 5 for x in sigmas)
    test = "mean:n=100,sd=0.25,effect=0.2,level=0.01,bounds=[0,1]"
    _, out, _ = run("choose", "--door", "utility", "--test", test, "--min-power", 0.8, "--family", "gaussian")
    study = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01)
    sigmas = [float(x) for x in re.findall(r"sigma = ([\d.]*\d)", out)]
    assert len(sigmas) == 2
    assert all(study.power(dl.Gaussian(sigma=x)).low >= 0.8 for x in sigmas)


def test_printed_brackets_hold_the_exact_value(run):
    for command, columns in ((["convert", "gaussian:sigma=1"], 5), (["assess", "laplace:scale=3", "--full"], 5)):
        out = run(*command)[1]
        rows = [line.split("\t") for line in out.splitlines() if line.count("\t") == columns - 1][1:]
        assert len(rows) > 10
        assert all(Fraction(row[2]) <= Fraction(row[3]) for row in rows if "∞" not in row[2] + row[3])
    exact = dl.Epsilon(delta=1e-5).of(dl.Gaussian(sigma=1.0))
    out = run("convert", "gaussian:sigma=1")[1]
    low, high = re.search(r"epsilon at delta 0\.00001\t\S+\t(\S+)\t(\S+)\t", out).groups()
    assert Fraction(low) <= Fraction(exact.low) <= Fraction(exact.high) <= Fraction(high)
    for x in (1 / 3, 2 / 3e7, 7.050760000960265e-101, 1e300 / 7, 0.1, -1.5):
        low, high = ends(x, x, 6)
        assert Fraction(low) <= Fraction(repr(x)) <= Fraction(high)
    assert ends(math.inf, math.inf, 6) == ("∞", "∞")


# ---- comparisons ---------------------------------------------------------------------------------------------------


def test_other_neighbours_are_pointed_out(run):
    code, out, _ = run("compare", "gaussian:sigma=1", "laplace:scale=1,neighbours=replace")
    assert code == 0
    assert "compare different data sets (with and without one person; one person replaced by another)" in out
    assert "different data sets" not in run("compare", "gaussian:sigma=1", "laplace:scale=1")[1]
    assert "Compared by: the attacker's advantage over guessing" in out


def test_flags_that_a_saved_assessment_cannot_follow_are_refused(run, tmp_path):
    saved = tmp_path / "saved.json"
    saved.write_text(json.dumps(dl.assess(dl.Gaussian(sigma=2.0)).to_dict()))
    assert run("compare", saved, "gaussian:sigma=1")[0] == 0
    code, _, err = run("compare", saved, "gaussian:sigma=1", "--delta", "1e-3")
    assert code == 2
    assert "saved assessment" in err


# ---- files -----------------------------------------------------------------------------------------------------------


def test_links_are_followed_and_rights_are_kept(run, tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)
    assert run("assess", "laplace:scale=1", "--output", link)[0] == 0
    assert link.is_symlink()
    assert real.read_text().startswith("No limit was set")
    assert real.stat().st_mode & 0o777 == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.txt", "real.txt"]


def test_what_is_read_is_not_written_over(run, tmp_path):
    path = tmp_path / "s.json"
    path.write_text('{"releases": [{"mechanism": "gaussian", "sigma": 2}]}')
    before = path.read_text()
    code, _, err = run("assess", path, "--output", tmp_path / "." / "s.json")
    assert (code, "another file" in err) == (2, True)
    assert path.read_text() == before


def test_letters_that_the_locale_does_not_know_are_no_defect(run, tmp_path):
    typed = "p\udcc3\udca9rson"  # é, as a program is handed it where the locale is C
    code, out, _ = run("assess", "laplace:scale=1", "--unit", typed)
    assert code == 0
    assert "Of 100 pérsons they name" in out
    assert run("assess", "laplace:scale=1", "--unit", "\udcff", "--output", tmp_path / "r.md")[0] == 0


def test_answers_that_are_repeated_are_still_answers():
    picture = dl.chart("roc", dl.RandomizedResponse(epsilon=1.0).repeat(3))
    assert picture.about == "answer"


@pytest.mark.parametrize("limit", ["advantage=10", "attack_power:fpr=0.01<=5", "min_fpr:fnr=0.1>=-1"])
def test_a_gate_that_nothing_could_fail_is_refused(run, limit):
    code, out, err = run("assess", "gaussian:sigma=2", "--fail-above", limit)
    assert (code, out) == (2, "")
    assert "[0, 1]" in err


@pytest.mark.parametrize(
    ("shell", "code"),
    [
        ("assess laplace:scale=1 2>&-", 0),
        ("assess nothing.yaml 2>&-", 2),
        ("assess nothing.yaml 2>/dev/full", 2),
        ("choose <&-", 2),
    ],
)
def test_closed_streams_leave_the_exit_code_alone(shell, code):
    command = f"{sys.executable} -m dplens {shell}"
    assert subprocess.run(["bash", "-c", command], capture_output=True, check=False).returncode == code


def test_what_would_have_to_give_is_told_also_if_a_file_was_wanted(run, tmp_path):
    flags = "choose --door privacy --no-blatant-ok --no-high-confidence-ok --limit relative_risk=1.01 --min-power 0.9"
    wanted = tmp_path / "choice.yaml"
    test = "mean:n=20,sd=0.25,effect=0.1,bounds=[0,1]"
    code, out, err = run(*flags.split(), "--test", test, "--family", "laplace", "-o", wanted)
    assert code == 1
    assert "records instead of 20" in out
    assert "not written: no noise suits both sides" in err
    assert not wanted.exists()


def test_a_choice_states_the_epsilons_that_it_speaks_of(run):
    code, out, _ = run(
        *["choose", "--door", "privacy", "--no-blatant-ok", "--no-high-confidence-ok", "--limit", "relative_risk=3"]
    )
    assert code == 0
    assert "At delta 0.000001, epsilon is at most 1.1." in out
    assert "At delta 0, epsilon is at most 1.1." in out


EXTREME = [
    ("compare", "staircase:epsilon=1e-320", "gaussian:sigma=1"),
    ("leak", "gaussian:sigma=2", "--transition", "[]", "--length", "3"),
    ("reproduce", "--output", "--list"),
    ("compare", "laplace:scale=1e308", "gaussian:sigma=1"),
    ("compare", "geometric:scale=1e300", "gaussian:sigma=1"),
    ("convert", "gaussian:sigma=1e-320"),
    ("convert", "discrete_gaussian:sigma=1e308"),
    ("convert", "discrete_gaussian:sigma=1e-320"),
    ("assess", "staircase:epsilon=1,repeat=1e308"),
    ("assess", "dpsgd:noise_multiplier=1e300,sample_rate=0.01,steps=100"),
    ("assess", "dpsgd:noise_multiplier=1,sample_rate=1e-320,steps=100"),
    ("assess", "dpsgd:noise_multiplier=1,sample_rate=0.01,steps=100,repeat=1e308"),
    ("assess", "privacy_profile:epsilons=[0,1],deltas=[0.4,0.01],deltas_back=1"),
    ("assess", "trade_off_points:alphas=[0,0.5,1],betas=[1,0.2,0],origin=1"),
    ("power", "two_means:n=100,sd=1e308,effect=0.2", "gaussian:sigma=0.5"),
    ("power", "two_proportions:n=80,baseline=0.3,effect=0.2,ratio=1e308", "gaussian:sigma=0.5"),
    ("audit", "--guesses", "90/100", "--canaries", "1" + "0" * 308),
    ("audit", "--counts", "1/9223372036854775808,1/9223372036854775808"),
]


@pytest.mark.parametrize("arguments", EXTREME, ids=" ".join)
def test_extreme_parameters_are_answered_or_refused(arguments, capsys):
    assert main(list(arguments)) in (0, 1, 2)
    assert "defect" not in capsys.readouterr().err


@pytest.mark.verify
def test_saved_assessments_that_were_changed_are_answered_or_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = dl.assess(dl.Laplace(scale=1.0), n=100, limits=[dl.Advantage().at_most(0.5)])
    Path("before.json").write_text(made.to_json())
    text = made.to_json(indent=None)
    data = json.loads(text)
    changed = [text.replace('"n": 100', '"n": Infinity'), text.replace('"scale": 1.0', '"scale": NaN'), text[:500]]
    changed += [json.dumps({**data, key: new}) for key in data for new in (None, "text", [1], {}, 7)]
    for part in ("assumptions", "release"):
        inner = data[part]
        changed += [json.dumps({**data, part: {**inner, key: new}}) for key in inner for new in (None, "text", -1, [1])]
        changed += [json.dumps({**data, part: {k: v for k, v in inner.items() if k != key}}) for key in inner]
    report, compare = ("report", "-o", "report.md"), ("compare", "before.json")
    commands = (("assess",), ("assess", "--json"), report, compare, ("power",))
    for content in changed:
        Path("changed.json").write_text(content)
        for command, *more in commands:
            code = main([command, "changed.json", *more])
            assert code in (0, 1, 2), (command, content[:200])
            assert "defect" not in capsys.readouterr().err


@pytest.mark.parametrize("command", [("report", "--output", "out.md"), ("compare", "gaussian:sigma=3"), ("assess",)])
def test_a_release_that_was_edited_in_a_saved_assessment_is_refused(run, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    text = dl.assess(dl.Gaussian(sigma=2.0)).to_json()
    name, *more = command
    code, _, err = run(name, "saved_json", *more, saved_json=text.replace('"sigma": 2.0', '"sigma": 20.0'))
    assert code == 2
    assert "saved.json: Expected release to be as saved" in err
    assert "dplens assess" in err
    assert run(name, "saved_json", *more, saved_json=text)[0] == 0


def test_half_a_character_is_refused(run, tmp_path):
    made = dl.assess(dl.Gaussian(sigma=2.0), title="here").to_json().replace('"here"', '"\\ud800"')
    scenario = '{"title": "\\ud800", "releases": [{"mechanism": "gaussian", "sigma": 2}]}'
    for content in (made, scenario):
        code, _, err = run("report", "half_json", "--output", tmp_path / "out.md", half_json=content)
        assert code == 2, err
