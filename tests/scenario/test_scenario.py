# ruff: noqa: E501
"""Scenario files: three formats that say the same, errors with their place, and the way back from an assessment."""

import dataclasses
import json
import re
from pathlib import Path

import pytest

import dplens as dl
from dplens.scenario.source import ScenarioError, parse
from dplens.scenario.written import as_yaml, scenario_of
from tests.examples import EXAMPLES, assessed

ROOT = Path(__file__).parents[2]

YAML = """\
title: A table
unit: resident
n: 48_200
delta: 1e-6
releases:
  - name: counts
    mechanism: gaussian
    sigma: 1.6
    repeat: 2
  - mechanism: laplace
    scale: 2
    sample_rate: 0.1
    repeat: 10
adversaries:
  - name: neighbour
    prior: 0.2
limits:
  - question: attack_power
    fpr: 0.01
    at_most: 0.05
declared:
  purpose: no   # a text, not a truth value
"""
TOML = """\
title = "A table"
unit = "resident"
n = 48_200
delta = 1e-6

[[releases]]
name = "counts"
mechanism = "gaussian"
sigma = 1.6
repeat = 2

[[releases]]
mechanism = "laplace"
scale = 2
sample_rate = 0.1
repeat = 10

[[adversaries]]
name = "neighbour"
prior = 0.2

[[limits]]
question = "attack_power"
fpr = 0.01
at_most = 0.05

[declared]
purpose = "no"
"""


def load(text: str, kind: str = "yaml") -> dl.Scenario:
    return dl.Scenario._checked(parse(text, kind, f"file.{kind}"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_the_examples_keep_their_limits_and_declare_everything(path):
    made = assessed(path)
    assert made.passed
    assert made.limits
    assert len(made.declared.items()) == 6
    assert dl.Assessment.from_json(made.to_json()) == made


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_an_assessment_is_reproduced_by_its_scenario(path):
    made = assessed(path)
    bare = dataclasses.replace(made, scenario="")
    assert load(as_yaml(scenario_of(made))).content == dl.load_scenario(path).content  # the file's own
    again = load(as_yaml(scenario_of(bare))).assess()  # one made from the result
    assert dataclasses.replace(again, scenario="") == bare


def test_the_examples_are_in_every_format():
    assert {p.suffix for p in EXAMPLES} == {".yaml", ".toml", ".json"}
    assert len(EXAMPLES) == 6


@pytest.mark.parametrize("page", ["README.md", "docs/scenarios-and-reports.md"])
def test_the_scenarios_of_the_documents_work(page):
    found = re.findall(r"^```yaml\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    assert found
    for text in found:
        assert load(text).assess().passed


def test_the_three_formats_say_the_same():
    yaml, toml = load(YAML), load(TOML, "toml")
    by_json = load(json.dumps(toml.to_dict()), "json")
    assert yaml.to_dict() == toml.to_dict() == by_json.to_dict()
    assert yaml.content["declared"]["purpose"] == "no"
    assert yaml.content["delta"] == 1e-6
    assert yaml.mechanism == dl.compose(
        dl.Gaussian(sigma=1.6).repeat(2), dl.Laplace(scale=2.0).subsample(0.1).repeat(10)
    )


def test_what_is_written_is_read_back():
    content = {
        "title": 'quotes " and: colons # and ünïcode',
        "releases": [{"mechanism": "renyi_dp", "orders": [2.0, 8.0], "epsilons": [0.1, float("inf")]}],
        "data": None,
        "declared": {"purpose": "yes", "reasons": "two\nlines", "nature": " 3 "},
    }
    assert parse(as_yaml(content), "yaml").data == content


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("gaussian", "gausian", 7, "releases[0].mechanism: Expected mechanism to be a known name, got 'gausian'. Did you mean 'gaussian'?"),
        ("sigma: 1.6", "sgma: 1.6", 8, "releases[0].sgma: Expected a known key, got 'sgma'. Did you mean 'sigma'?"),
        ("sigma: 1.6", "sigma: -1", 8, "releases[0].sigma: Expected sigma > 0 and finite, got -1."),
        ("sigma: 1.6", "sigma: two", 8, "releases[0].sigma: Expected sigma to be a number, got 'two'."),
        ("sigma: 1.6", "sigma: true", 8, "releases[0].sigma: Expected sigma to be a number, got True."),
        ("    sigma: 1.6\n", "", 6, "releases[0]: Expected sigma to be given. It has no default."),
        ("attack_power", "atack_power", 18, "limits[0].question: Expected question to be a known name, got 'atack_power'. Did you mean 'attack_power'?"),
        ("at_most", "at_least", 20, "limits[0].at_least: Expected at_least only where less is riskier"),
        ("    at_most: 0.05\n", "", 18, "limits[0]: Expected limit to have one bound"),
        ("n: 48_200", "n: 3.5", 3, "n: Expected n to be a whole number, got 3.5."),
        ("n: 48_200", "n: 5e4", 3, "n: Expected n to be a whole number, got 50000.0. Write it in digits alone"),
        ("sigma: 1.6", "sigma: '1.6'", 8, "Expected sigma to be a number, got '1.6'. Write it without quotes."),
        ("prior: 0.2", "prior: 20%", 16, "Expected prior to be a number, got '20%'. Shares are written as numbers: 0.1 for 10 %."),
        ("n: 48_200", "n: 0", 3, "n: Expected n to be a whole number >= 1, got 0."),
        ("delta: 1e-6", "delta: 1", 4, "delta: Expected delta in [0, 1), got 1."),
        ("delta: 1e-6", "delta: 1e-6\nfpr: 1", 5, "fpr: Expected fpr in the open interval (0, 1), got 1."),
        ("prior: 0.2", "prior: 1", 16, "adversaries[0].prior: Expected prior in the open interval (0, 1), got 1."),
        ("prior: 0.2", "prior: 0.2\n    coefficients: {record: 0.1}", 15, "adversaries[0]: Expected adversary to be given a prior or coefficients"),
        ("sample_rate: 0.1", "sample_rate: 2", 12, "releases[1].sample_rate: Expected sample_rate in (0, 1], got 2."),
        ("scale: 2", "scale: 2\n    neighbours: replace", 10, "releases[1]: Expected all releases to have the same neighbours"),
        ("releases:", "relases:", 5, "relases: Expected a known key, got 'relases'. Did you mean 'releases'?"),
        ("title: A", "title: A: b", 1, "Not readable as YAML"),
        ("unit: resident", "unit: resident\nunit: x", 3, "unit: Expected each key once, got 'unit' twice."),
        ("unit: resident", "unit: [1]", 2, "unit: Expected unit to be a text, got [1]."),
        ("purpose: no", "purpose: 3", 22, "declared.purpose: Expected purpose to be a text, got 3."),
        ("repeat: 2", "repeat: -2", 9, "releases[0].repeat"),
        ("repeat: 2", "group: 0", 9, "releases[0].group"),
        ("unit: resident", "setting: local", 12, "releases[1].sample_rate: Expected sample_rate to be left out in the local setting"),
    ],
)  # fmt: skip
def test_errors_name_the_place_the_rule_and_the_nearest_name(old, new, line, message):
    assert old in YAML
    with pytest.raises(ScenarioError) as error:
        load(YAML.replace(old, new)).assess()
    told = str(error.value)
    assert "\n" not in told
    assert told.startswith(f"file.yaml, line {line}"), told
    assert message in told


LOCAL = "setting: local\nreleases:\n  - mechanism: laplace\n    scale: 2\n    neighbours: replace\n  - mechanism: randomized_response\n    epsilon: 1\n"
COUPLE = "data:\n  model: discrete\n  joint: [[0.4, 0.1], [0.1, 0.4]]\n"
LAPLACE = "releases:\n  - mechanism: laplace\n    scale: 1\n"


@pytest.mark.parametrize(
    ("file", "place"),
    [
        (LOCAL.replace("replace", "add_remove"), "line 5, releases[0].neighbours: Expected neighbours to be 'replace' in the local setting"),
        (LOCAL.replace("setting: local", "unit: voter").replace("    neighbours: replace\n", ""), "line 2, releases: Expected setting to be given"),
        (f"{LAPLACE}    sample_rate: 0.1\n{COUPLE}", "line 4, releases[0].sample_rate: Expected mechanism to add noise to a number where data is given, got a release of a sample."),
        (f"{LAPLACE}    repeat: 2\n    group: 3\n{COUPLE}", "line 5, releases[0].group: Expected mechanism to add noise"),
        (f"{LAPLACE}    repeat: 13\n{COUPLE}", "line 4, releases[0].repeat: Related records are analysed for 1 to 12"),
        (f"releases:\n  - mechanism: approximate_dp\n    epsilon: 1\n    delta: 0\n    repeat: 2\n{COUPLE}", "line 2, releases[0].mechanism: Expected mechanism to add noise to a number where data is given, got approximate_dp."),
        (f"{LAPLACE}{COUPLE}  weights: [1]\n", "line 7, data.weights: Expected weights"),
        (f"{LAPLACE}{COUPLE}  attackers:\n    - target: 5\n", "line 4, data: Expected target"),
    ],
)  # fmt: skip
def test_what_does_not_fit_together_has_its_place(file, place):
    with pytest.raises(ScenarioError) as error:
        load(file).assess()
    assert str(error.value).startswith(f"file.yaml, {place}")


def test_in_the_local_setting_a_response_stands_beside_noise_for_two_answers():
    """Both are two true answers of one person, whichever neighbours the response is written with."""
    both = dl.compose(
        dl.Laplace(scale=2.0, neighbours="replace"), dl.RandomizedResponse(epsilon=1.0, neighbours="replace")
    )
    made = load(LOCAL).assess()
    assert made.mechanism == both
    assert "answers_apart" not in made.warnings
    # what was stated for an added record is read back from the file of its report, which does not say so
    local = dl.assess(dl.Laplace(scale=2.0), setting="local")
    assert dl.Scenario.of(scenario_of(local)).assess().answers == local.answers


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [("sigma = 1.6", "sigma = -1", 9), ("at_most = 0.05", "at_mst = 0.05", 25), ('"laplace"', '"laplce"', 13)],
)
def test_toml_errors_have_their_line_too(old, new, line):
    with pytest.raises(ScenarioError, match=rf"^file.toml, line {line}, "):
        load(TOML.replace(old, new), "toml")


def test_json_errors_have_their_line_too():
    text = json.dumps(load(YAML).to_dict(), indent="\t").replace('"sigma": 1.6', '"sigma": -1.6')
    line = next(i for i, row in enumerate(text.splitlines(), 1) if "sigma" in row)
    with pytest.raises(ScenarioError, match=rf"^file.json, line {line}, releases\[0\].sigma: "):
        load(text, "json")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "yaml"),
        ("- 1", "yaml"),
        ("releases: []", "yaml"),
        ("releases: {}", "yaml"),
        ("releases: [3]", "yaml"),
        ("releases: [{sigma: 1}]", "yaml"),
        ("a: &a [*a]", "yaml"),
        ("? [1, 2]\n: 3", "yaml"),
        ("releases: [{mechanism: value_above, of: {mechanism: laplace, scale: 1}, values: [0, 1], gamma: 5}]", "yaml"),
        ("releases: [{mechanism: additive_noise, noise: {law: nrm}}]", "yaml"),
        ("releases: [{mechanism: opaque, shown: x}]", "yaml"),
        ("releases: [{mechanism: laplace, scale: 1}]\ndata: {model: markov, initial: [1], transition: [[2]], length: 3}", "yaml"),
        ("releases: [{mechanism: laplace, scale: 1}]\ndata: {model: markvo}", "yaml"),
        ("[" * 2000, "yaml"),
        ("[" * 100_000, "json"),
        ("{", "json"),
        ('{"a": 1, "a": 2}', "json"),
        ("null", "json"),
        ("a = ", "toml"),
        ("a = 1\na = 2", "toml"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_one_line(text, kind):
    with pytest.raises(dl.DplensError) as error:
        load(text, kind).assess()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "test: mean",
            "test: men",
            "line 25, analyst[0].test: Expected test to be a known name, got 'men'. Did you mean 'mean'?",
        ),
        ("effect: -1.5", "effect: 1.5", "line 27, analyst[0].effect: Expected effect < 0 with alternative 'smaller'"),
        (
            "source: public",
            "source: publc",
            "line 31, analyst[0].sd.source: Expected source to be 'public', 'worst_case'",
        ),
        ("value: 6", "valu: 6", "line 30, analyst[0].sd.valu: Expected a known key, got 'valu'. Did you mean 'value'?"),
        (
            "min_power: 0.9",
            "min_power: 2",
            "line 35, analyst[0].min_power: Expected min_power in the open interval (0, 1)",
        ),
        (
            "min_power: 0.9",
            "release: mean",
            "line 35, analyst[0].release: Expected release to be a known name, got 'mean'.",
        ),
    ],
)
def test_errors_in_the_analysts_plan_have_their_place(old, new, message):
    text = (ROOT / "examples" / "hospital-mean.yaml").read_text()
    assert old in text
    with pytest.raises(ScenarioError) as error:
        load(text.replace(old, new)).assess()
    assert message in str(error.value)


def test_a_test_reads_the_release_that_it_names():
    plan = {"test": "mean", "n": 100, "sd": 0.25, "effect": 0.2, "release": "mean"}
    releases = [{"name": "mean", "mechanism": "laplace", "scale": 0.05}, {"mechanism": "gaussian", "sigma": 3.0}]
    made = dl.Scenario.of({"releases": releases, "analyst": [plan]}).assess()
    assert made.analyst[0].power == dl.MeanTest(n=100, sd=0.25, effect=0.2).power(dl.Laplace(scale=0.05))
    again = load(as_yaml(scenario_of(dataclasses.replace(made, scenario="")))).assess()
    assert again.analyst == made.analyst
    with pytest.raises(ScenarioError, match="several parts"):
        dl.Scenario.of({"releases": releases, "analyst": [{**plan, "release": None}]})


def test_files_that_cannot_be_read_are_named(tmp_path):
    for name, content in (("missing.yaml", None), ("x.txt", b"a"), ("bad.yaml", b"\xff\xfe\x00"), ("d.yaml", "dir")):
        path = tmp_path / name
        if content == "dir":
            path.mkdir()
        elif content is not None:
            path.write_bytes(content)
        with pytest.raises(dl.DplensError, match=name):
            dl.load_scenario(path)


def test_epsilon_without_a_delta_is_meant_at_that_of_the_assessment():
    limit = {"question": "epsilon", "at_most": 3}
    content = {"n": 500, "releases": [{"mechanism": "gaussian", "sigma": 2}], "limits": [limit]}
    made = dl.Scenario.of(content).assess()
    assert made.limits[0].requirement.question == dl.Epsilon(delta=1e-4)
    assert made.passed


def test_what_is_overridden_is_in_the_scenario_that_reproduces_it():
    content = {"n": 500, "releases": [{"name": "a", "mechanism": "gaussian", "sigma": 2.0}]}
    scenario = dl.Scenario.of({**content, "limits": [{"question": "epsilon", "at_most": 3.0}]})
    adversary, limit = dl.Adversary(prior=0.3), dl.Advantage().at_most(0.5)
    for changed in (
        {"delta": 1e-3, "unit": "household", "title": "T"},
        {"adversary": adversary, "limits": [limit]},
        {"n": 10_000, "questions": [dl.FScore(prior=0.2)]},
    ):
        made = scenario.assess(**changed)
        again = load(as_yaml(scenario_of(made))).assess()
        assert dataclasses.replace(again, scenario="") == dataclasses.replace(made, scenario="")
    assert scenario.assess(delta=1e-3).limits[0].requirement.question == dl.Epsilon(delta=1e-3)


def test_the_schema_knows_every_mechanism_question_and_model():
    from dplens.describe.analyses import TESTS
    from dplens.describe.models import MODELS
    from dplens.describe.questions import QUESTIONS
    from dplens.describe.releases import MECHANISMS, NAMED

    schema = dl.scenario_schema()
    text = json.dumps(schema)
    releases = schema["properties"]["releases"]["items"]["discriminator"]["mapping"]
    assert set(releases) == {*MECHANISMS, *NAMED}
    assert set(schema["properties"]["limits"]["items"]["discriminator"]["mapping"]) == set(QUESTIONS)
    assert all(f"data_{name}" in text for name in MODELS)
    assert all(f"test_{name}" in text for name in TESTS)
    assert "additionalProperties" in text


def test_other_programs_can_check_scenarios_by_the_schema():
    jsonschema = pytest.importorskip("jsonschema")
    check = jsonschema.Draft202012Validator(dl.scenario_schema())
    for path in EXAMPLES:
        content = dl.load_scenario(path).to_dict()
        assert list(check.iter_errors(content)) == []
        assert list(check.iter_errors({**content, "releases": [{"mechanism": "gausian", "sigma": 1.0}]}))
        assert list(check.iter_errors({**content, "limit": []}))


def test_the_schema_of_a_few_names_accepts_what_the_whole_one_does():
    from dplens.scenario.check import _names
    from dplens.scenario.schema import scenario_model

    for path in EXAMPLES:
        data = dl.load_scenario(path).content
        few, whole = scenario_model(_names(data)), scenario_model()
        assert few.model_validate(data).model_dump(exclude_unset=True) == whole.model_validate(data).model_dump(
            exclude_unset=True
        )


def test_a_made_release_can_be_nested():
    step = {"mechanism": "subsampled", "of": {"mechanism": "gaussian", "sigma": 1.0}, "rate": 0.1}
    parts = [{"times": 100, "of": step}, {"of": {"mechanism": "laplace", "scale": 3.0}}]
    scenario = dl.Scenario.of({"releases": [{"mechanism": "composed", "parts": parts}]})
    assert scenario.mechanism == dl.compose(dl.Gaussian(sigma=1.0).subsample(0.1).repeat(100), dl.Laplace(scale=3.0))


def test_errors_in_files_with_long_names_stay_readable():
    with pytest.raises(dl.DplensError, match=r"^….{300}, releases\[0\]\.sigma: Expected sigma") as refused:
        dl.Scenario.of({"releases": [{"mechanism": "gaussian", "sigma": "x"}]}, source="/long" * 1000)
    assert len(str(refused.value)) < 600
