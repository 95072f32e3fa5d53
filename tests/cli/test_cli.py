"""The command line: what it answers, what it refuses, and how it leaves."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import dplens as dl
from dplens.decide.doors.decision import amount

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def refused(result, *words):
    """Exit code 2, nothing on standard output, one line on standard error with these words."""
    code, out, err = result
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("dplens: ")
    assert "Traceback" not in err
    for word in words:
        assert word in err
    return True


# ---- assess ----------------------------------------------------------------------------------------------------


def test_assess_says_what_the_library_says(run):
    code, out, err = run("assess", "gaussian:sigma=2", "--prior", 0.2, "--n", 500, "--unit", "resident")
    made = dl.assess(dl.Gaussian(sigma=2.0), adversary=dl.Adversary(prior=0.2), n=500, unit="resident")
    assert (code, err) == (0, "")
    for line in made.words().splitlines()[:20]:
        assert line in out
    assert out.splitlines()[2] == "No limit was set, so we do not judge the risk here."
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("spec", "release"),
    [
        ("gaussian:sigma=2", dl.Gaussian(sigma=2.0)),
        ("laplace:scale=1*1000", dl.Laplace(scale=1.0).repeat(1000)),
        (
            "dpsgd:noise_multiplier=0.8,sample_rate=0.004,steps=10000",
            dl.DPSGD(noise_multiplier=0.8, sample_rate=0.004, steps=10_000),
        ),
        ("gaussian:sigma=1,sample_rate=0.01*1000", dl.Gaussian(sigma=1.0).subsample(0.01).repeat(1000)),
        ("gaussian:sigma=1e+2+gaussian:sigma=1", dl.compose(dl.Gaussian(sigma=100.0), dl.Gaussian(sigma=1.0))),
        ("Laplace:scale=1,neighbours=replace", dl.Laplace(scale=1.0, neighbours="replace")),
        ("finite_pair:p=[0.7,0.3],q=[0.3,0.7]", dl.FinitePair(p=[0.7, 0.3], q=[0.3, 0.7])),
        ("gdp:mu=0.5", dl.GaussianDP(mu=0.5)),
        ("laplace:scale=1,group=2,fails_with=1e-6", dl.Laplace(scale=1.0).fails_with(1e-6).group(2)),
    ],
)
def test_a_mechanism_is_written_in_one_line(run, spec, release):
    code, out, _ = run("assess", spec, "--json")
    made = dl.Assessment.from_json(out)
    assert code == 0
    assert made.mechanism == release
    assert made == dl.assess(release)


def test_limits_decide_the_exit_code(run):
    assert run("assess", "gaussian:sigma=2", "--fail-above", "advantage=0.2")[0] == 0
    assert run("assess", "gaussian:sigma=2", "--fail-above", "advantage<=0.1")[0] == 1
    assert run("assess", "gaussian:sigma=2", "--fail-above", "attack_power:fpr=0.01=0.03", "--json")[0] == 1
    assert run("assess", "gaussian:sigma=2", "--fail-above", "min_fpr:fnr=0.5>=0.1")[0] == 0
    code, out, _ = run("assess", "gaussian:sigma=2", "--n", 500, "--fail-above", "epsilon=1.7", "--json")
    assert code == 0
    assert json.loads(out)["limits"][0]["limit"]["delta"] == 1e-4  # the assessment's own


def test_a_scenario_gates_a_pipeline(run, tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text((EXAMPLES / "hospital-mean.yaml").read_text())
    assert run("assess", path)[0] == 0
    assert run("assess", path, "--fail-above", "advantage=0.001")[0] == 1
    path.write_text(path.read_text().replace("at_most: 3 ", "at_most: 2 "))
    code, out, _ = run("assess", path)
    assert code == 1
    assert "Broken: the factor by which any result can raise the odds of being in the data" in out


def test_crossings_that_no_attack_reaches_have_no_digits(run):
    _, out, _ = run("compare", "gaussian:sigma=1", "laplace:scale=0.1")
    assert "cross at next to 0 and next to 100 % false alarms." in out


def test_full_brackets_what_related_records_tell_and_the_analysts_power(run):
    _, sensors, _ = run("assess", str(EXAMPLES / "correlated-sensors.yaml"), "--full")
    _, hospital, _ = run("assess", str(EXAMPLES / "hospital-mean.yaml"), "--full")
    tables = [part.splitlines() for part in sensors.split("Answers about ")[1:]]
    assert [t[0] for t in tables][:2] == [
        "the worst attacker on related records",
        "an attacker on related records: A burglar",
    ]
    power = next(row for row in tables[0] if "an attack identifies (with 1 % false alarms)" in row).split("\t")
    made = dl.load_scenario(EXAMPLES / "correlated-sensors.yaml").assess().related.worst.answers
    exact = next(a.estimate for a in made if a.question == dl.AttackPower(fpr=0.01))
    assert float(power[2]) <= exact.low <= exact.high <= float(power[3])
    assert hospital.split("The analyst's tests\n")[1].count("\texact") == 2


def test_the_card_says_what_is_not_covered_and_full_shows_every_bracket(run):
    assert "What this does not cover" in run("assess", "laplace:scale=2")[1]
    _, out, _ = run("assess", "laplace:scale=2", "--full")
    assert "What this does not cover" in out
    rows = [line.split("\t") for line in out.splitlines() if line.count("\t") == 4]
    made = dl.assess(dl.Laplace(scale=2.0))
    assert len(rows) == len(made.answers) + 1
    assert all(row[4] == "exact" for row in rows[1:])


def test_an_assessment_is_saved_and_shown_again(run, tmp_path):
    path = tmp_path / "saved.json"
    assert run("assess", "laplace:scale=1", "--output", path)[0] == 0
    assert dl.Assessment.from_json(path.read_text()) == dl.assess(dl.Laplace(scale=1.0))
    code, out, _ = run("assess", path)
    assert code == 0
    assert "no one's odds of being in the data can change by more than a factor of 2.72" in out
    assert refused(run("assess", path, "--n", 5), "saved assessment")


# ---- the other commands ------------------------------------------------------------------------------------------


def test_calibrate_finds_what_the_library_finds(run):
    code, out, _ = run("calibrate", "gaussian:sigma=?", "--meet", "advantage=0.1", "--json")
    fit = dl.calibrate(lambda s: dl.Gaussian(sigma=s), meet=[dl.Advantage().at_most(0.1)])
    found = json.loads(out)
    assert code == 0
    assert found["value"] == fit.value
    assert found["achieved"][0]["high"] <= 0.1
    assert found["release"]["mechanism"] == "gaussian"
    _, out, _ = run("calibrate", "laplace:scale=2*?", "--meet", "attack_power:fpr=0.01=0.05")
    assert re.match(r"repeat = \d+\nMet: .*\n$", out)


def test_calibrate_says_where_the_library_ends_before_the_limit(run):
    for scale, value, why in (("1e200", "1", "below 1e-140"), ("1e20", "1000000000000000", "at most 1e+15 releases")):
        code, out, _ = run("calibrate", f"laplace:scale={scale}*?", "--meet", "auc=0.6")
        assert code == 0
        assert out.startswith(f"repeat = {value}\nMet: ")
        assert "No limit was reached: dplens takes no larger repeat here." in out
        assert why in out


def test_compare_tells_who_protects_better(run):
    _, out, _ = run("compare", "gaussian:sigma=1", "gaussian:sigma=2")
    assert out.startswith("gaussian:sigma=2 protects better than gaussian:sigma=1 at every rate of false alarms.")
    assert "The risk is lower than before." in out
    _, out, _ = run("compare", "gaussian:sigma=1", "laplace:scale=1", "gaussian:sigma=3", "--json")
    found = json.loads(out)
    assert [r["kind"] for r in found["comparison"]["relations"]] == ["crossing", "riskier", "crossing"]
    assert len(found["changes"]) == 2


def test_compare_takes_files(run, tmp_path):
    path = tmp_path / "before.yaml"
    path.write_text((EXAMPLES / "hospital-mean.yaml").read_text().replace("scale: 0.3", "scale: 0.6"))
    _, out, _ = run("compare", path, EXAMPLES / "hospital-mean.yaml")
    assert "The risk is higher than before." in out
    assert "Changed: releases.mean length of stay.scale, from 0.6 to 0.3." in out


def test_compare_names_the_releases_that_changed(run):
    _, out, _ = run("compare", "gaussian:sigma=2 + laplace:scale=1*10", "gaussian:sigma=2 + laplace:scale=1*11")
    assert "Changed: releases.laplace.repeat, from 10 to 11." in out
    _, out, _ = run("compare", "gaussian:sigma=2 + gaussian:sigma=3", "gaussian:sigma=2 + gaussian:sigma=4")
    assert "Changed: releases.gaussian 2.sigma, from 3 to 4." in out
    _, out, _ = run("compare", "gaussian:sigma=2 + laplace:scale=3", "gaussian:sigma=2")
    assert "Gone: releases.laplace.mechanism, which was laplace." in out
    _, out, _ = run("compare", "gaussian:sigma=2", "gaussian:sigma=3")
    assert "Changed: release.sigma, from 2 to 3." in out


def test_compare_does_not_call_a_refuted_claim_as_good_as_another(run, tmp_path):
    claim = {"unit": "person", "releases": [{"mechanism": "gaussian", "sigma": 2.0}]}
    attack = {"true_positives": 100, "n_in": 100, "false_positives": 0, "n_out": 100}
    paths = [tmp_path / "plain.json", tmp_path / "refuted.json", tmp_path / "household.json"]
    for path, more in zip(paths, ({}, {"audits": [attack]}, {"unit": "household"})):
        path.write_text(json.dumps({**claim, **more}))
    plain, refuted, household = map(str, paths)
    _, out, _ = run("compare", plain, refuted)
    assert out.startswith(f"A measured attack shows that the risk of {refuted} is higher than stated.")
    assert f"By the descriptions alone: {plain} and {refuted} protect alike." in out
    assert "The risk is the same" not in out
    _, out, _ = run("compare", plain, household)
    assert "(with and without one person; with and without one household)" in out
    assert "The risk is the same" not in out
    _, out, _ = run("compare", plain, plain)
    assert out.startswith(f"{plain} and {plain} protect alike.")
    assert "Nothing changed." in out


@pytest.mark.parametrize(
    ("spec", "values", "changed"),
    [
        ("dpsgd:noise_multiplier=1,sample_rate=0.01,steps={}", (100, 200), "dpsgd.steps"),
        ("gaussian:sigma=1,sample_rate={}*100", (0.01, 0.02), "gaussian.sample_rate"),
    ],
)
def test_compare_names_sampled_steps_beside_others_as_they_were_given(run, spec, values, changed):
    _, out, _ = run("compare", *(f"{spec.format(x)}+laplace:scale=1" for x in values))
    assert f"Changed: releases.{changed}, from {values[0]} to {values[1]}." in out


@pytest.mark.parametrize("count", ["1e5", "100000", "100_000", "1.0e5", "1E+5"])
def test_counts_are_written_as_people_write_them(run, count):
    expected = run("assess", "laplace:scale=1", "--n", "100000", "--json")
    assert run("assess", "laplace:scale=1", "--n", count, "--json") == expected
    assert run("import", "GaussianDpEvent(1.0)", "--n", count)[0] == 0
    assert run("assess", f"laplace:scale=1e6*{count}")[0] == 0


@pytest.mark.parametrize("count", ["1.5", "abc", "", "nan", "inf", "1e999999", "1e-5"])
def test_counts_that_are_no_whole_numbers_are_refused(run, count):
    assert refused(run("assess", "laplace:scale=1", "--n", count), "--n", "whole number such as 12000 or 1e5")
    assert refused(run("audit", "--guesses", "9/10", "--canaries", count), "--canaries", "whole number")
    chain = ("leak", "gaussian:sigma=3", "--correlation", "0.9", "--length", count)
    assert refused(run(*chain), "--length", "whole number")


def test_convert_shows_every_notion(run):
    _, out, _ = run("convert", "gaussian:sigma=1", "--delta", 1e-5)
    assert "epsilon at delta 0.00001\t4.378\t" in out
    found = json.loads(run("convert", "gaussian:sigma=1", "--json")[1])
    assert found["mu"]["value"] == 1.0


def test_leak_finds_the_worst_attacker(run):
    _, out, _ = run("leak", "laplace:scale=1", "--joint", "[[.4,.1],[.1,.4]]", "--json")
    made = dl.Assessment.from_json(out)
    couple = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]])
    assert made.related.worst.leakage == couple.worst(dl.Laplace(scale=1.0)).leakage
    code, out, _ = run("leak", EXAMPLES / "correlated-sensors.yaml")
    assert code == 0
    assert "attacks the record of the 13th household and knows the records of the 9th and the 17th." in out
    options = ["--correlation", 0.5, "--length", 6, "--target", 2, "--known", "1=0.5,3=0"]
    _, out, _ = run("leak", "laplace:scale=1", *options)
    assert "knows the records of the 2nd (its value: 0.5) and the 4th (its value: 0)" in out
    chain = ["--transition", "[[0.8,0.2],[0.2,0.8]]", "--length", 30, "--fail-above", "epsilon:delta=0=0.4"]
    assert run("leak", "laplace:scale=2", *chain)[0] == 1


MEAN = "mean:n=100,sd=0.25,effect=0.2,level=0.01,bounds=[0,1]"


def test_power_is_that_of_the_test(run):
    _, out, _ = run("power", MEAN, "gaussian:sigma=0.05", "--json")
    test = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01)
    assert json.loads(out)["power"]["value"] == float(test.power(dl.Gaussian(sigma=0.05)))
    _, out, _ = run("power", "proportion:n=50,null=0.3,effect=0.2", "geometric:scale=2", "--observed", 24)
    assert "There is enough evidence that the proportion is larger than 0.3" in out
    assert "between 0.2985 and 0.6641. It holds 0.3 since it allows for errors on both sides" in out
    pair = ["power", "two_proportions:n=80,baseline=0.3,effect=0.2", "geometric:scale=2", "--observed"]
    expected = dl.TwoProportionsTest(n=80, baseline=0.3, effect=0.2).decide((40, 20), dl.Geometric(scale=2.0))
    assert expected.sentence in run(*pair, "40,20")[1]
    assert run("power", MEAN, "--observed", 0)[0] == 0
    assert "Expected --observed to be a number, several (40,20)" in run(*pair, "forty")[2]
    _, out, _ = run("power", MEAN, "--solve", "noise", "--power", 0.8, "--json")
    found = json.loads(out)
    assert found["power"]["low"] >= 0.8
    assert test.power(dl.Gaussian(sigma=found["value"])) >= 0.8
    code, out, _ = run("power", EXAMPLES / "hospital-mean.yaml")
    assert code == 0
    assert "That is enough: the required power is 90 %." in out


def test_power_of_a_file_decides_and_passes_nothing_over(run, tmp_path):
    path, saved = tmp_path / "c.yaml", tmp_path / "c.json"
    run("choose", "--door", "utility", "--test", MEAN, "--min-power", 0.8, "--family", "laplace", "-o", path)
    scenario = dl.load_scenario(path)
    saved.write_text(scenario.assess().to_json())
    expected = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, bounds=(0, 1)).decide(0.13, scenario.mechanism)
    for held in (path, saved):
        code, out, _ = run("power", held, "--observed", 0.13)
        assert code == 0
        assert expected.sentence in out
    (found,) = json.loads(run("power", path, "--observed", 0.13, "--json")[1])
    assert found["verdict"]["p_value"]["value"] == float(expected.p_value)
    for more, named in ((["gaussian:sigma=9"], "SPEC"), (["--solve", "n", "--power", 0.8], "--solve and --power"),
                        (["--family", "laplace"], "--family"), (["--sensitivity", 1], "--sensitivity")):  # fmt: skip
        code, _, err = run("power", path, *more)
        assert code == 2
        assert f"Expected {named} to be left out: not for use with a file" in err
    assert run("power", MEAN, "--family", "laplace")[0] == 2
    assert run("power", MEAN, "--solve", "n", "--power", 0.8, "--observed", 1)[0] == 2
    assert run("power", MEAN, "gaussian:sigma=1", "--solve", "noise", "--power", 0.8)[0] == 2
    path.write_text(path.read_text() + path.read_text().split("analyst:\n")[1])
    code, _, err = run("power", path, "--observed", 0.13)
    assert code == 2
    assert "Expected one test for --observed, got 2" in err


def test_choose_has_two_doors(run, tmp_path):
    limit = ["--limit", "relative_risk:fpr=0.01=5", "--test", MEAN, "--family", "gaussian"]
    code, out, _ = run("choose", "--door", "privacy", "--no-blatant-ok", "--high-confidence-ok", *limit, "--json")
    test = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, bounds=(0, 1))
    made = dl.privacy_first(
        blatant_ok=False,
        high_confidence_ok=True,
        limit=dl.RelativeRisk(fpr=0.01).at_most(5),
        analyst=test,
        families=["gaussian"],
    )
    assert code == 0
    assert json.loads(out) == json.loads(json.dumps(made.to_dict()))
    path = tmp_path / "chosen.yaml"
    code, out, _ = run(
        "choose", "--door", "utility", "--test", MEAN, "--max-power-loss", 0.01, "--family", "laplace", "-o", path
    )
    chosen = dl.utility_first(test, max_power_loss=0.01, family=["laplace"])
    assert code == 0
    assert all(sentence in out for sentence in chosen.sentences())
    assert dl.load_scenario(path).mechanism == chosen.mechanism
    (served,) = dl.load_scenario(path).assess().analyst  # the test that it was chosen for goes with it
    assert (served.met, served.min_power) == (True, chosen.wanted_power)
    assert served.power == chosen.recommended.power
    nothing = ["--test", MEAN.replace("n=100", "n=15"), "--min-power", 0.8, "--family", "gaussian"]
    code, out, _ = run("choose", "--door", "utility", *nothing)
    assert code == 1
    assert "16 records instead of 15 are needed" in out


def test_both_doors_end_on_one_chart(run, tmp_path):
    both = ["--test", MEAN, "--min-power", 0.8, "--limit", "relative_risk:fpr=0.01=5"]
    for door in ("privacy", "utility"):
        path = tmp_path / f"{door}.csv"
        more = ["--no-blatant-ok", "--high-confidence-ok"] if door == "privacy" else []
        assert run("choose", "--door", door, *more, *both, "--family", "gaussian", "--chart", path)[0] == 0
        header, row = path.read_text().splitlines()
        found = dict(zip(header.split(","), row.split(",")))
        assert (found["family"], found["empty"]) == ("gaussian", "False")
        assert 0 < float(found["low"]) < float(found["high"])
    picture = tmp_path / "empty.json"  # the drawing before it is drawn
    nothing = ["--test", MEAN, "--min-power", 0.8, "--limit", "advantage=0.001", "--family", "gaussian"]
    assert run("choose", "--door", "utility", *nothing, "--chart", picture)[0] == 1
    assert "no amount serves both" in picture.read_text()
    assert refused(run("choose", "--door", "utility", *nothing, "--chart", "x.docx"), "--chart", ".svg")


def typed(arguments, answers):
    """What a command shows in a terminal in which these lines are typed, each when the one before was read."""
    import select

    outer, inner = pty.openpty()
    environment = {**os.environ, "COLUMNS": "100", "TERM": "dumb"}
    command = [sys.executable, "-m", "dplens", *arguments]
    shown = b""
    with subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner, env=environment, close_fds=True) as process:
        os.close(inner)
        waiting = list(answers)
        while select.select([outer], [], [], 60)[0]:
            try:
                got = os.read(outer, 65536)
            except OSError:
                break
            if not got:
                break
            shown += got
            if waiting and shown.endswith(b": "):
                os.write(outer, f"{waiting.pop(0)}\n".encode())
        code = process.wait()
    os.close(outer)
    return code, re.sub(r"\s+", " ", shown.decode())


def test_choose_asks_in_a_terminal():
    code, shown = typed(["choose"], ["private", "privacy", "n", "n", "1", "300%", "0.5", "3", "n"])
    assert code == 0
    assert "Expected 1 or 2 or privacy or utility, got 'private'." in shown
    assert "Expected a number above 1, got '300%'. Shares are written as numbers" in shown
    assert "Expected a number above 1, got '0.5'." in shown
    assert "Where do you start?" in shown
    assert "Our choice is Laplace noise" in shown
    limit = dl.RelativeRisk().at_most(3)
    made = dl.privacy_first(blatant_ok=False, high_confidence_ok=False, limit=limit)
    assert f"scale = {amount(made.recommended.noise, at_least=True, digits=6)}" in shown


def test_schema_is_the_schema(run, tmp_path):
    assert json.loads(run("schema")[1]) == dl.scenario_schema()
    assert run("schema", "--output", tmp_path / "s.json")[0] == 0
    assert json.loads((tmp_path / "s.json").read_text()) == dl.scenario_schema()


def test_help_has_examples_for_every_command(run):
    code, out, _ = run()
    assert code == 0
    for name in re.findall(r"^  (\w+)  ", out.split("Commands:")[1], re.MULTILINE):
        code, told, _ = run(name, "--help")
        assert code == 0
        assert f"dplens {name} " in told.split("Examples:")[1]
    assert run("--version")[1].strip() == dl.__version__


# ---- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["asess", "x"], ["asess", "assess"]),
        (["assess"], ["SPEC"]),
        (["assess", "gausian:sigma=2"], ["gausian", "gaussian"]),
        (["assess", "gaussian:sgma=2"], ["sgma", "'sigma'"]),
        (["assess", "gaussian"], ["sigma"]),
        (["assess", "gaussian:sigma"], ["key=value"]),
        (["assess", "gaussian:sigma=-1"], ["sigma > 0"]),
        (["assess", "gaussian:sigma=x"], ["sigma"]),
        (["assess", "gaussian:sigma=2*1.5"], ["whole number"]),
        (["assess", "gaussian:sigma=2,sigma=3"], ["twice"]),
        (["assess", "laplace:scale=1 + gaussian:sigma=1,neighbours=replace"], ["neighbours"]),
        (["assess", ""], ["mechanism"]),
        (["assess", "nowhere.yaml"], ["nowhere.yaml", "No such file"]),
        (["assess", "gaussian:sigma=2", "--prior", "1.5"], ["prior"]),
        (["assess", "gaussian:sigma=2", "--prior", "x"], ["--prior"]),
        (["assess", "gaussian:sigma=2", "--prior", "10%"], ["--prior", "'10%'", "0.1 for 10 %"]),
        (["convert", "epsilon=1"], ["approximate_dp:epsilon=1,delta=0"]),
        (["assess", "gaussian:sigma=2", "--delta", "2"], ["delta"]),
        (["assess", "gaussian:sigma=2", "--n", "0"], ["n "]),
        (["assess", "gaussian:sigma=2", "--fail-above", "advantag=0.1"], ["advantag", "'advantage'"]),
        (["assess", "gaussian:sigma=2", "--fail-above", "advantage"], ["advantage<=0.1"]),
        (["assess", "gaussian:sigma=2", "--fail-above", "advantage>=0.1"], ["<="]),
        (["assess", "gaussian:sigma=2", "--fail-above", "attack_power:fpr=0.01"], ["bound"]),
        (["assess", "gaussian:sigma=2", "--ask", "posterior:prio=1"], ["prio", "'prior'"]),
        (["assess", "gaussian:sigma=2", "--nonsense"], ["--nonsense"]),
        (["assess", "gaussian:sigma=2", "--output", "/nowhere/at/all.json"], ["/nowhere/at/all.json"]),
        (["assess", "gaussian:sigma=2", "--output", "x.docx"], [".docx"]),
        (["report", "gaussian:sigma=2"], ["--output"]),
        (["compare", "gaussian:sigma=2"], ["two"]),
        (["calibrate", "gaussian:sigma=2", "--meet", "advantage=0.1"], ["question mark"]),
        (["calibrate", "gaussian:sigma=?"], ["--meet"]),
        (["calibrate", "gaussian:sgma=?", "--meet", "advantage=0.1"], ["'sigma'"]),
        (["calibrate", "laplace:scale=?", "--meet", "f_score=0.5"], ["FScore", "0.66"]),
        (["convert", "gaussian:sigma=2", "--delta", "-1"], ["delta"]),
        (["choose"], ["--door"]),
        (["choose", "--door", "back"], ["'back'"]),
        (["choose", "--door", "privacy"], ["--blatant-ok", "--no-blatant-ok"]),
        (["choose", "--door", "privacy", "--no-blatant-ok", "--no-high-confidence-ok"], ["--limit"]),
        (["choose", "--door", "utility"], ["--test"]),
        (["choose", "--door", "utility", "--test", MEAN], ["--min-power"]),
        (["choose", "--door", "utility", "--test", MEAN, "--min-power", "2"], ["power"]),
        (["choose", "--door", "utility", "--test", MEAN, "--min-power", "0.8", "--family", "gausian"], ["gausian"]),
        (["choose", "--door", "utility", "--test", MEAN, "--min-power", "0.8", "--output", "x.txt"], [".yaml"]),
        (["power", "men:n=3"], ["'mean'"]),
        (["power", "mean:n=3"], ["effect"]),
        (["power", "mean:n=0,sd=1,effect=1"], ["n "]),
        (["power", MEAN, "gausian:sigma=1"], ["'gaussian'"]),
        (["power", MEAN, "--power", "0.8"], ["--solve"]),
        (["power", MEAN, "--solve", "n"], ["--power"]),
        (["power", MEAN, "--solve", "q", "--power", "0.8"], ["--solve"]),
        (["power", str(EXAMPLES / "dpsgd-training.yaml")], ["analyst"]),
        (["leak", "laplace:scale=1"], ["--joint"]),
        (["leak", "laplace:scale=1", "--joint", "x"], ["--joint", "JSON"]),
        (["leak", "laplace:scale=1", "--joint", "[[0.5,0.6]]"], ["sum to 1"]),
        (["leak", "laplace:scale=1", "--joint", "[[1]]", "--correlation", "0.5"], ["one data model"]),
        (["leak", "laplace:scale=1", "--correlation", "0.5"], ["--length"]),
        (["leak", "laplace:scale=1", "--joint", "[0.5,0.5]", "--known", "1"], ["--target"]),
        (["leak", "laplace:scale=1", "--joint", "[0.5,0.5]", "--target", "9"], ["target"]),
        (["leak", "randomized_response:epsilon=1", "--joint", "[0.5,0.5]"], ["noise"]),
        (["leak", "laplace:scale=1", "--correlation", "0.5", "--length", "662957"], ["length", "at most 2000"]),
    ],
)
def test_bad_input_is_told_in_one_line(run, arguments, words):
    assert refused(run(*arguments), *words)


def test_a_broken_scenario_is_told_with_its_line(run, tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text("releases:\n  - mechanism: gaussian\n    sigma: -2\n")
    assert refused(run("assess", path), f"{path}, line 3, releases[0].sigma: Expected sigma > 0")


def test_a_file_is_written_whole_or_not_at_all(run, tmp_path, monkeypatch):
    kept = tmp_path / "keep.json"
    kept.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert refused(run("assess", "laplace:scale=1", "--output", kept), "keep.json", "No space left")
    assert kept.read_text() == "old"
    assert list(tmp_path.iterdir()) == [kept]


def test_a_directory_is_no_file(run, tmp_path):
    (tmp_path / "d.json").mkdir()
    assert refused(run("assess", "laplace:scale=1", "--output", tmp_path / "d.json"), "d.json")
    assert list(tmp_path.iterdir()) == [tmp_path / "d.json"]


def test_notes_go_to_standard_error(run):
    spec = "dpsgd:noise_multiplier=1,epochs=5,batch_size=10,n=1000"
    code, out, err = run("assess", spec, "--json")
    assert code == 0
    assert dl.Assessment.from_json(out).assumptions.n == 1000
    assert err.startswith("dplens: note: The batches are assumed to be Poisson samples")


# ---- as a program ------------------------------------------------------------------------------------------------


def test_as_a_module_it_leaves_with_the_same_codes():
    command = [sys.executable, "-m", "dplens", "assess", "laplace:scale=1", "--fail-above", "advantage=0.1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "The limit is broken." in done.stdout
    assert done.stderr == ""


INTERRUPTED = """
import sys
class Interrupt:
    def find_spec(self, name, *_):
        if name == sys.argv[0]:
            sys.meta_path.remove(self)
            exec("import os, signal; os.kill(os.getpid(), signal.SIGINT)")
sys.argv = sys.argv[1:]
sys.meta_path.insert(0, Interrupt())
from dplens.cli.main import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("at", "arguments"),
    [
        ("numpy", ["assess", "gaussian:sigma=2"]),
        ("datetime", ["assess", "gaussian:sigma=2"]),  # NumPy's own code imports it, and hides what goes wrong there
        ("typer", ["assess", "gaussian:sigma=2"]),
        ("dplens.cli.commands.assess", ["assess", "gaussian:sigma=2"]),
        ("dplens.decide.calibration.calibrate", ["calibrate", "gaussian:sigma=?", "--meet", "advantage=0.1"]),
        ("dplens.papers.gallery", ["reproduce", "kaissis"]),
        ("jinja2", ["report", str(EXAMPLES / "hospital-mean.yaml"), "--output", "x.html"]),
    ],
)
def test_an_interrupt_is_told_in_one_line_at_any_time(at, arguments):
    """The signal comes when a module is first asked for: while the program starts, and within a command."""
    command = [sys.executable, "-c", INTERRUPTED, at, *arguments]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # which a job in the background ignores
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "dplens: interrupted\n")


def test_in_a_terminal_it_draws_panels_that_fit():
    outer, inner = pty.openpty()
    environment = {**os.environ, "COLUMNS": "50", "TERM": "xterm", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "dplens", "assess", "laplace:scale=1"]
    with subprocess.Popen(command, stdout=inner, stderr=inner, env=environment, close_fds=True) as process:
        os.close(inner)
        shown = b""
        while True:
            try:
                got = os.read(outer, 65536)
            except OSError:
                break
            if not got:
                break
            shown += got
        assert process.wait() == 0
    os.close(outer)
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode()).splitlines()
    assert any(line.startswith("╭─ Summary") for line in lines)
    assert max(map(len, lines)) <= 50
    assert any(re.search(r"\d %", line) for line in lines)
    assert not any(re.match(r"│\s+%", line) for line in lines)  # a number and its percent sign share a line


def test_a_reader_who_has_seen_enough_is_no_error():
    shell = f"{sys.executable} -m dplens schema | head -1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert done.stdout == "{\n"
    assert done.stderr == ""


def test_light_commands_load_no_heavy_library():
    code = (
        "import sys; from dplens.cli.main import main; main(['assess', 'gaussian:sigma=2']);"
        "heavy = 'yaml', 'altair', 'jinja2', 'rich', 'scipy.stats', 'dplens.correlated.views', 'dplens.analyst';"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_process_of_its_own_loads_one_command():
    code = (
        "import sys; sys.argv = ['dplens', 'assess', 'gaussian:sigma=2']; from dplens.cli.main import main; main();"
        "print([m for m in ('leak', 'audit', 'choose') if f'dplens.cli.commands.{m}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("missing", "extra"),
    [("typer", "dplens[cli]"), ("yaml", "dplens[cli]"), ("pydantic", "dplens[cli]"), ("jinja2", "dplens[report]")],
)
def test_what_is_not_installed_is_named(missing, extra):
    code = (
        f"import sys; sys.modules[{missing!r}] = None; from dplens.cli.main import main;"
        f"sys.exit(main(['report', {str(EXAMPLES / 'hospital-mean.yaml')!r}, '--output', 'x.html']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"pip install '{extra}'" in done.stderr


def test_a_defect_is_told_in_one_line_too(run, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("dplens.cli.targets.assess", broken)
    code, out, err = run("assess", "laplace:scale=1")
    assert (code, out) == (70, "")
    assert err == "dplens: ZeroDivisionError: by zero. This is a defect; DPLENS_TRACEBACK=1 shows where.\n"


# ---- neighbours on the line ------------------------------------------------------------------------------------


def test_a_response_takes_the_neighbours_of_what_stands_beside_it(run, tmp_path):
    line = "randomized_response:epsilon=1 + laplace:scale=1,neighbours=replace"
    code, out, _ = run("assess", line, "--setting", "local")
    assert code == 0
    assert "by more than a factor of 7.39" in out  # e^1 times e^1
    file = tmp_path / "two.yaml"
    file.write_text(
        "releases:\n  - {mechanism: randomized_response, epsilon: 1}\n"
        "  - {mechanism: laplace, scale: 1, neighbours: replace}\n"
    )
    assert run("assess", file, "--setting", "local")[1].splitlines()[2:] == out.splitlines()[2:]
    assert refused(run("assess", file), "releases: Expected setting to be given, central or local")


def test_what_is_wrong_on_the_line_is_told_in_terms_of_the_line(run):
    mixed = "gaussian:sigma={} + laplace:scale=1,neighbours=replace"
    for result in (
        run("assess", mixed.format(1)),
        run("calibrate", mixed.format("?"), "--meet", "advantage=0.5"),
    ):
        assert refused(result, "State neighbours=replace for each")
        assert "as_replace" not in result[2]
    assert refused(run("assess", "gaussian:sigma=1", "--fail-above", "advantage=10%"), "0.1 for 10 %")
    assert refused(run("gaussian:sigma=1"), "Did you mean: dplens assess gaussian:sigma=1")
    assert refused(run("calibrate", EXAMPLES / "hospital-mean.yaml", "--meet", "advantage=0.1"), "on the line")


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        ("{law: gamma}", "shape parameters of gamma: a"),
        ("{law: t}", "shape parameters of t: df"),
        ("{law: beta, shapes: [1, 2, 3]}", "shape parameters of beta: a, b"),
        ("{law: norm, shapes: [1]}", "left out for norm"),
        ("{law: norm, loc: .inf}", "noise.loc"),
        ("{law: t, shapes: [3], scale: .nan}", "noise.scale"),
    ],
)
def test_laws_of_noise_need_their_parameters(run, tmp_path, noise, said):
    path = tmp_path / "related.yaml"
    path.write_text(
        f"releases:\n  - {{mechanism: additive_noise, noise: {noise}}}\n"
        "data:\n  model: discrete\n  joint: [[0.4, 0.1], [0.1, 0.4]]\n"
    )
    code, _, error = run("leak", path)
    assert (code, "defect" in error) == (2, False)
    assert said in error
