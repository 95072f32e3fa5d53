"""Every command speaks the language that was chosen: no English words, and the decimal signs of that language."""

import json
import re

import numpy as np
import pytest

from dplens.cli.main import main
from dplens.scenario.scenario import load_scenario
from dplens.telling import LANGUAGES
from tests.examples import EXAMPLES

# words that German and French do not have
ENGLISH = re.compile(
    r"\b(the|and|of|with|is|are|at (?:most|least)|attack|attacker|chance|value|data|release|noise|people|known|by|odds|"
    r"limit|exact|cells|grid|lattice|rounded|matches|there|enough|evidence|assessing|written|power)\b",
    re.IGNORECASE,
)
POINT = re.compile(r"(?<![\w.:=/(,\[])\d+\.\d+(?![\w.])")
GROUPED = re.compile(r"[1-9]\d{0,2}(\.\d{3})+")  # thousands in German
OWN = "Ω"  # stands for what users write
COMMANDS = (
    "assess gaussian:sigma=0.5 --full --ask f_score:prior=0.1 --ask renyi:order=4 --ask auc --fail-above advantage=0.1",
    "assess approximate_dp:epsilon=1,delta=1e-6 --n 20000 --prior 0.001",
    "assess laplace:scale=1,repeat=3 --setting local",
    "assess gaussian:sigma=3,fails_with=1e-4 --n 900",
    "leak laplace:scale=1 --joint [[0.4,0.1],[0.1,0.4]]",
    "leak gaussian:sigma=3 --correlation 0.9 --length 6 --target 3 --known 2,4",
    "compare gaussian:sigma=1 laplace:scale=1",
    "compare gaussian:sigma=1 randomized_response:epsilon=1,categories=2 geometric:scale=1.5",
    "calibrate gaussian:sigma=? --meet advantage=0.1",
    "convert gaussian:sigma=1 --delta 1e-6",
    "choose --door privacy --no-blatant-ok --no-high-confidence-ok --limit mu=1 --test {mean} --min-power .9",
    "choose --door utility --test {mean} --min-power 0.9 --limit relative_risk=3",
    "choose --door utility --test proportion:n=400,null=0.3,effect=0.1 --max-power-loss 0.02",
    "power proportion:n=50,null=0.3,effect=0.2 geometric:scale=2 --observed 24",
    "power mean:n=100,sd=0.25,effect=0.2,bounds=[0,1] --solve effect --power 0.8",
    "audit --counts 600/1000,20/1000 --claim approximate_dp:epsilon=1",
    "audit --guesses 930/1000 --claim gaussian:sigma=1",
    "audit {low} {high}",
    "audit {high} {low} --claim gaussian:sigma=1",
    "audit {high} {low} --members either",
)


def english(text):
    """Lines of an output in another language that hold English words or decimal points."""
    out = []
    for line in text.splitlines():
        left = re.sub(r"\S+:\S+=\S+|releases?\.\S+", "", line)  # what was typed, and places in it
        points = [x for x in POINT.findall(left) if not GROUPED.fullmatch(x)]
        if ENGLISH.search(left) or points:
            out.append(line)
    return out


def anonymous(value, key=""):
    """A scenario without words of its author."""
    if isinstance(value, dict):
        return {k: OWN if key == "declared" else anonymous(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [anonymous(v) for v in value]
    return OWN if key in ("title", "name", "note") and value else value


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("scores"), np.random.default_rng(3)
    files = {"low": folder / "low.csv", "high": folder / "high.csv"}
    for file, mean in zip(files.values(), (0.0, 1.6)):
        file.write_text("score\n" + "\n".join(str(x) for x in rng.normal(mean, 1, 800)) + "\n", encoding="utf-8")
    return {name: str(file) for name, file in files.items()} | {"mean": "mean:n=30,sd=0.25,effect=0.1,bounds=[0,1]"}


@pytest.mark.parametrize("code", LANGUAGES[1:])
@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_speaks_the_language(line, code, scores, capsys):
    arguments = line.format(**scores).split() if "{" in line else line.split()
    assert main([*arguments, "--language", code]) in (0, 1)
    said = capsys.readouterr().out
    for path in scores.values():
        said = said.replace(path, OWN)
    assert len(said) > 20
    assert english(said) == []


@pytest.mark.parametrize("code", LANGUAGES[1:])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_every_example_is_in_the_language(path, code, tmp_path, capsys):
    content = anonymous(load_scenario(path).to_dict())
    for i, release in enumerate(content["releases"]):
        release["name"] = f"{OWN}{i}"
    for i, who in enumerate(content.get("adversaries", ())):
        who["name"] = f"{OWN}{i}"
    for i, who in enumerate(content.get("data", {}).get("attackers", ())):
        who["name"] = f"{OWN}{i}"
    for one in content.get("analyst", ()):
        one.pop("release", None)
    file = tmp_path / "s.json"
    file.write_text(json.dumps({**content, "language": code}), encoding="utf-8")
    main(["assess", str(file), "--full"])
    said = capsys.readouterr().out
    assert english(said) == []
    if "analyst" in content:
        main(["power", str(file), "--observed", "5.8"])
        assert english(capsys.readouterr().out) == []


def test_json_keeps_decimal_points_in_every_language(capsys):
    said = {}
    for code in LANGUAGES:
        main(["calibrate", "gaussian:sigma=?", "--meet", "advantage=0.1", "--json", "--language", code])
        said[code] = capsys.readouterr().out
    assert len(set(said.values())) == 1
    json.loads(said["de"])
