"""Measured attacks in assessments, words, pictures, reports, scenario files and on the command line."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import dplens as dl
from dplens.cli.main import main
from dplens.present.card import RiskCard
from dplens.present.report import write_report


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    rng, made = np.random.default_rng(0), tmp_path_factory.mktemp("audit")
    for name, shift in (("in", 1.5), ("out", 0.0)):
        np.savetxt(made / f"{name}.csv", rng.normal(shift, 1, 2000), header="score", comments="")
    return made


@pytest.fixture(scope="module")
def found(folder):
    return dl.audit(folder / "in.csv", folder / "out.csv")


def test_an_assessment_holds_the_claim_against_the_measurement(found):
    one = dl.audit_one_run(correct=930, guesses=1000, canaries=5000)
    broken = dl.assess(dl.Gaussian(sigma=1.0), audit={"shadow models": found, "canaries": one})
    assert [a.verdict for a in broken.audits] == ["refuted", "not refuted"]
    assert not broken.passed
    assert broken.warnings[0] == "claim_refuted"
    assert broken.audits[0].mu == found.mu
    assert dl.Assessment.from_json(broken.to_json()) == broken
    words = broken.words()
    assert "The claim is refuted (confidence 95 %). With at most" in words
    assert '"shadow models"' in words
    assert 'In "canaries", 930 of 1,000 guesses about test records (canaries) were right. It would take' in words
    assert "the chance that any of them refutes it is at most 10 %" in words
    assert "That does not confirm it" in words
    assert "verified" not in words
    few = dl.assess(dl.Gaussian(sigma=1.0), audit=dl.audit_one_run(correct=2, guesses=2))
    assert "too few guesses to refute anything" in few.words()
    assert "So few guesses cannot refute anything" in str(
        dl.audit_one_run(correct=2, guesses=2).refutes(dl.Gaussian(sigma=1.0))
    )
    fine = dl.assess(dl.Gaussian(sigma=0.5), audit=found)
    assert fine.passed
    assert "claim_refuted" not in fine.warnings
    assert "audits" not in dl.assess(dl.Gaussian(sigma=0.5)).to_dict()
    with pytest.raises(dl.errors.InvalidType, match="the audit as audit="):
        dl.assess(found)
    with pytest.raises(dl.DplensError, match="to be an audit"):
        dl.assess(dl.Gaussian(sigma=1.0), audit=3)


@pytest.mark.parametrize("family", ["gaussian", "laplace"])
def test_the_mildest_explanation_is_no_upper_limit(found, family, tmp_path):
    made = dl.assess(found.least(family).mechanism, audit=found)  # where nothing is claimed
    assert [a.verdict for a in made.audits] == ["not refuted"]
    assert made.failure.value == "undetermined"
    assert not made.passed
    assert made.warnings[0] == "mildest"
    assert dl.Assessment.from_json(made.to_json()) == made
    page, text = (made.report(tmp_path / f"r.{kind}").read_text() for kind in ("html", "md"))
    for said in (made.words(), str(RiskCard(made)), page, text):
        assert "true risk may be higher" in said
        assert "can change by more than" not in said
        assert "best attack identifies at most" not in said
        assert "worst that the guarantee allows" not in said
    assert page.count("This is the mildest release that explains") > 5  # the texts that stand for pictures
    again = dl.assess(found.least(family).mechanism.repeat(2))
    assert again.mildest
    with pytest.raises(dl.DplensError, match="mildest"):
        dl.assess(found.least(family).mechanism, limits=[dl.Advantage().at_most(0.999)])


def test_pictures_and_tables_of_several_audits_are_told_apart(found, tmp_path):
    made = dl.assess(dl.Gaussian(sigma=1.0), audit={"shadow models": found, "a {second} one": found})
    page = write_report(made, tmp_path / "r.html", charts=("audit",)).read_text()
    text = write_report(made, tmp_path / "r.md", charts=("audit",)).read_text()
    for name, plain in (("shadow models", "shadow models"), ("a {second} one", "a \\{second\\} one")):
        assert f"What is claimed and what was measured: &#34;{name}&#34;" in page
        assert f"What is claimed and what is proved: &#34;{name}&#34;" in page
        assert f'"{plain}"' in text
    assert dl.chart("audit", found, claim=dl.Gaussian(sigma=1.0)).title == "What is claimed and what was measured"


def test_what_is_refuted_narrowly_is_seen_to_be(found):
    claim = dl.GaussianDP(mu=found.mu * (1 - 1e-4))
    told = [str(found.refutes(claim)), dl.assess(claim, audit=found).words(), dl.chart("audit", found, claim=claim).alt]
    for text in told:  # "at least 92.6 %, at most 92.7 %" would be a contradiction
        said = re.search(r"efuted .*?at least ([\d.]+) %.*?at most ([\d.]+) %\.", text)
        assert float(said[1]) > float(said[2])
    one = dl.audit_one_run(correct=9297, guesses=10_000)
    words = dl.assess(dl.ApproximateDP(epsilon=one.epsilon - 1e-3), audit=one).words()
    said = re.search(r"([\d,]+) of 10,000 guesses about .* were right\. If .* true, ([\d,]+) or more", words)
    assert said[1] == "9,297" >= said[2]


def test_the_picture_has_both_curves(found):
    claim = dl.Gaussian(sigma=1.0)
    picture = dl.chart("audit", found, claim=claim)
    rows = picture.frame.rows
    assert all(r["measured"] <= r["seen"] <= r["reach"] for r in rows)
    for row in picture.frame.listed():
        assert row["power"] == pytest.approx(claim.tradeoff().power(row["alpha"]))
        assert row["measured"] == pytest.approx(found.power(row["alpha"]))
    assert len(picture.frame.listed()) == 5
    assert "The claim is refuted with 95 % confidence" in picture.alt
    assert "does not confirm it" in dl.chart("audit", found, claim=dl.Gaussian(sigma=0.5)).alt
    drawn = json.dumps(picture.spec)
    assert "claimed, at most" in drawn
    assert "measured, at least" in drawn
    with pytest.raises(dl.DplensError, match="one run"):
        dl.frame("audit", dl.assess(claim, audit=dl.audit_one_run(correct=9, guesses=10)).audits[0], claim=claim)


def test_scenario_files_have_audits(folder, tmp_path):
    path = folder / "scenario.yaml"
    path.write_text(
        "releases:\n  - {mechanism: gaussian, sigma: 1.0}\naudits:\n"
        "  - {name: shadow models, scores_in: in.csv, scores_out: out.csv}\n"
        "  - {fpr: [0.01], tpr: [0.2], n_in: 1000, n_out: 1000}\n"
        "  - {precision: [0.9], recall: [0.2], n_in: 1000, n_out: 1000}\n"
        "  - {true_positives: 200, n_in: 1000, false_positives: 10, n_out: 1000}\n"
        "  - {correct: 930, guesses: 1000, canaries: 5000, confidence: 0.99}\n"
    )
    made = dl.load_scenario(path).assess()
    assert [a.source for a in made.audits] == ["scores", "points", "precision and recall", "counts", "one run"]
    assert made.audits[0].refuted
    made = replace(made, audits=made.audits[:1])  # one picture is enough
    report = write_report(made, tmp_path / "report.html", charts=("audit",)).read_text()
    assert "What is claimed and what was measured" in report
    assert "scores_in: in.csv" in report  # the file that reproduces it


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{scores_in: in.csv}", "one of these together"),
        ("{scores_in: in.csv, scores_out: out.csv, n_in: 3}", "one of these together"),
        ("{scores_in: nowhere.csv, scores_out: out.csv}", "existing file"),
        ("{scores_in: in.csv, scores_out: out.csv, colunm: x}", "Did you mean 'column'"),
        ("{correct: 3, guesses: 2}", "audits\\[0\\].correct"),
        ("{correct: 1, guesses: 2, confidence: 1.5}", "confidence"),
    ],
)
def test_wrong_entries_are_told_with_their_place(folder, entry, said):
    path = folder / "wrong.yaml"
    path.write_text(f"releases:\n  - {{mechanism: gaussian, sigma: 1.0}}\naudits:\n  - {entry}\n")
    with pytest.raises(dl.DplensError, match=f"wrong.yaml, line 4.*{said}"):
        dl.load_scenario(path)


def run(capsys, *arguments):
    code = main(list(map(str, arguments)))
    out = capsys.readouterr()
    return code, out.out, out.err


def test_the_command_audit(folder, tmp_path, capsys):
    files = folder / "in.csv", folder / "out.csv"
    code, out, _ = run(capsys, "audit", *files)
    assert code == 0
    assert "mu (Gaussian differential privacy)" in out
    code, out, _ = run(capsys, "audit", *files, "--claim", "gaussian:sigma=1", "--output", tmp_path / "a.txt")
    assert code == 1
    assert "The claim is refuted (confidence 95 %)" in out
    assert "The claim is refuted" in (tmp_path / "a.txt").read_text()
    code, out, _ = run(capsys, "audit", "--counts", "60/100,20/100", "--claim", "gaussian:sigma=0.5", "--json")
    assert code == 0
    assert json.loads(out)["verdicts"][0]["verdict"] == "not refuted"
    for more, told in ((("--canaries", "5000"), False), ((), True)):
        code, out, _ = run(capsys, "audit", "--guesses", "930/1000", *more)
        assert code == 0
        assert ("guessed about every canary" in out) is told
    code, out, _ = run(capsys, "audit", *files, "--output", tmp_path / "b.md")  # nothing is claimed
    assert code == 0
    for said in (out, (tmp_path / "b.md").read_text()):
        assert "true risk may be higher" in said
        assert "Not refuted" not in said
        assert "as described allows" not in said
    for arguments, said in {
        (files[0],): "two files",
        (*files, "--counts", "1/2,1/2"): "two files",
        (files[0], folder / "no.csv"): "existing file",
        (*files, "--column", "loss"): "Name yours by --column",
        (*files, "--label", "member"): "two files",
        (files[0], "--label", "member"): "Name yours by --label",
        ("--counts", "1/2,1/2", "--label", "member"): "--label goes with",
        ("--canary-scores", files[0]): "Name yours by --included",
        (*files, "--confidence", "1"): "confidence",
        ("--counts", "600"): "such as 600/1000",
        ("--counts", "1/2,1/2", "--column", "loss"): "--column goes with files",
        (*files, "--canaries", "7"): "--canaries goes with --guesses",
    }.items():
        code, _, err = run(capsys, "audit", *arguments)
        assert code == 2
        assert said in err


def test_one_file_holds_scores_of_both_sides(folder, capsys):
    rows = [f"{score},{side}" for side, name in ((1, "in.csv"), (0, "out.csv")) for score in scores_of(folder / name)]
    (folder / "both.csv").write_text("\n".join(["score,was_in", *rows]))
    code, two, _ = run(capsys, "audit", folder / "in.csv", folder / "out.csv", "--claim", "gaussian:sigma=1")
    one = run(capsys, "audit", folder / "both.csv", "--label", "was_in", "--claim", "gaussian:sigma=1")
    assert one[:2] == (code, two)
    path = folder / "both.yaml"
    path.write_text(
        "releases:\n  - {mechanism: gaussian, sigma: 1.0}\naudits:\n  - {scores: both.csv, label: was_in}\n"
    )
    made = dl.load_scenario(path).assess()
    assert made.audits[0].refuted
    assert (made.audits[0].n_in, made.audits[0].n_out) == tuple(
        len(scores_of(folder / name)) for name in ("in.csv", "out.csv")
    )


def scores_of(path):
    return path.read_text().split()[1:]


def test_verdicts_say_what_they_rest_on(folder, capsys):
    files = (folder / "in.csv", folder / "out.csv")
    for more in ((), ("--claim", "gaussian:sigma=1"), ("--claim", "gaussian:sigma=0.1")):
        _, out, _ = run(capsys, "audit", *files, *more)
        assert "scores are independent" in out
        assert "attack was fixed before" in out
    for asked in (("--counts", "6e1/1e2,2e1/1e2"), ("--counts", "60/100,20/100", "--claim", "gaussian:sigma=1")):
        _, out, _ = run(capsys, "audit", *asked)
        assert "attack and threshold were fixed before" in out
    _, out, _ = run(capsys, "audit", "--guesses", "930/1000", "--canaries", "5e3")
    assert "fair coin" in out
    found = dl.audit_counts(true_positives=600, n_in=1000, false_positives=20, n_out=1000)
    for sigma in (0.1, 10.0):
        assert "independent and the attack was fixed beforehand" in str(found.refutes(dl.Gaussian(sigma=sigma)))
    run_ = dl.audit_one_run(correct=930, guesses=1000)
    assert "fair and unseen" in str(run_.refutes(dl.Gaussian(sigma=10.0)))


def test_canaries_in_a_file_by_command_and_scenario(folder, capsys):
    rows = [f"{score},{score % 2}" for score in range(40)] + [f"{score},1" for score in range(100, 120)]
    rows += [f"{-score},0" for score in range(100, 120)]
    (folder / "canaries.csv").write_text("\n".join(["score,was_in", *rows]))
    asked = ("audit", "--canary-scores", folder / "canaries.csv", "--included", "was_in", "--guess", "20")
    code, out, _ = run(capsys, *asked, "--claim", "gaussian:sigma=3")
    assert code == 1
    assert "40 of 40 guesses" in out
    path = folder / "canaries.yaml"
    path.write_text(
        "releases:\n  - {mechanism: gaussian, sigma: 3.0}\naudits:\n"
        "  - {canary_scores: canaries.csv, included: was_in, guess: [20, 20]}\n"
    )
    assert dl.load_scenario(path).assess().audits[0].refuted
    code, _, err = run(capsys, "audit", "--guesses", "5/10", "--guess", "5")
    assert (code, "--guess goes with --canary-scores" in err) == (2, True)


def test_what_looks_reversed_is_said_once(folder, capsys):
    for more in ((), ("--claim", "gaussian:sigma=3")):
        code, out, err = run(capsys, "audit", folder / "out.csv", folder / "in.csv", *more)
        assert code == 0
        assert (out + err).count("look reversed") == 1
        assert "members=" not in out + err  # which no flag is


def test_audits_of_the_claimed_scenario_are_kept(folder, tmp_path, capsys):
    path = folder / "claimed.yaml"
    path.write_text(
        "releases:\n  - {mechanism: gaussian, sigma: 3.0}\naudits:\n"
        "  - {name: before, scores_in: in.csv, scores_out: out.csv}\n"
    )
    code, _, _ = run(capsys, "audit", "--guesses", "5/10", "--claim", path, "--output", tmp_path / "a.json")
    made = dl.Assessment.from_json((tmp_path / "a.json").read_text())
    assert code == 1
    assert [(a.name, a.refuted) for a in made.audits] == [("before", True), ("this audit", False)]
    assert str(folder / "in.csv") in made.scenario
    path.write_text(path.read_text() + "  - {name: before, correct: 5, guesses: 10}\n")
    with pytest.raises(dl.DplensError, match="'before' twice"):
        dl.load_scenario(path).assess()


def test_the_command_import(tmp_path, capsys):
    f, epsilon = dl.Gaussian(sigma=1.0).tradeoff(), np.linspace(0, 8, 60)
    table, history = tmp_path / "profile.csv", tmp_path / "history.json"
    np.savetxt(table, np.c_[epsilon, f.delta(epsilon)], header="epsilon,delta", comments="", delimiter=",")
    history.write_text(json.dumps({"history": [[1.0, 0.01, 100]], "mechanism": "prv"}))
    code, out, _ = run(capsys, "import", table, "--output", tmp_path / "p.yaml")
    assert code == 0
    made = dl.load_scenario(tmp_path / "p.yaml").mechanism
    assert made.tradeoff().epsilon(1e-3) == pytest.approx(f.epsilon(1e-3), abs=5e-3)
    code, out, _ = run(capsys, "import", history, "--json")
    assert json.loads(out)["release"]["mechanism"] == "dpsgd"
    history.write_text(json.dumps({"privacy_accountant_state_dict": json.loads(history.read_text())}))  # a checkpoint
    assert run(capsys, "import", history, "--json")[1] == out
    event = "dp_accounting.SelfComposedDpEvent(event=GaussianDpEvent(noise_multiplier=3.0), count=2)"
    code, out, _ = run(capsys, "import", event)
    assert code == 0
    assert "Epsilon" in out
    (tmp_path / "x.json").write_text("{")
    for source, said in {
        "__import__('os').system('true')": "event of dp-accounting",
        "GaussianDpEvent(open('x'))": "event of dp-accounting",
        "GaussianDpEvent(sigma=3)": "its parameters",
        "GaussianDpEvent(": "such as GaussianDpEvent",
        "UnsupportedDpEvent()": "cannot be converted",
        "ComposedDpEvent(3)": "a list of events",
        "(" * 400: "such as GaussianDpEvent",
        str(tmp_path / "no.csv"): "existing file",
        str(tmp_path / "x.json"): "JSON file",
    }.items():
        code, _, err = run(capsys, "import", source)
        assert code == 2
        assert said in err
    code, _, err = run(capsys, "import", history, "--neighbours", "replace")
    assert (code, "as Opacus counts" in err) == (2, True)
