"""Reports of every kind of result: complete, in agreement with the notebook, and told in every language."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

import dplens as dl
from dplens.present.notebook.outline import outline_of
from dplens.present.report import report_html, report_json, report_markdown
from dplens.present.report.build import document_of, finite
from dplens.present.report.document import Figure, Mark, Signatures, Table, Verdict
from dplens.present.report.figures import STANDARD
from dplens.present.report.kinds.result import titled
from dplens.present.report.kinds.side_by_side import SideBySide
from dplens.present.report.write import write_report
from dplens.present.words.language import language
from dplens.registry import Result
from dplens.telling import LANGUAGES
from tests.present.reports import Page, office, survey
from tests.present.results import HOSTILE, results

DECLARED = dl.Declaration(
    organisation="The office",
    author="A. Author",
    purpose="planning of schools",
    decided_by="the board",
    signatories=[dl.Signatory(name="B. Head", role="Head of methods")],
)
OWN = (dl.Assessment, dl.RiskCard)  # reports of these have tests of their own


def each():
    """The examples of results with numbers by name."""
    return {name: one for name, one in results().items() if isinstance(one, Result) and not isinstance(one, OWN)}


def side_by_side():
    """Three assessments with limits that are met, limits that are broken, related records, and none of these."""
    return SideBySide(assessments={"office": office(), "survey": survey(), HOSTILE: results()["mixed"]})


def verdict(document):
    return next(block for block in document.summary.blocks if isinstance(block, Verdict))


def texts(document):
    """Everything that a document says."""
    out = [document.front.title, *verdict(document).sentences]
    for block in document.blocks():
        out += [getattr(block, "text", ""), *getattr(block, "items", ())]
        if isinstance(block, Table):
            out += [cell.text for row in block.rows for cell in row]
    return " ".join(str(one) for one in out)


# ---- every kind of result -----------------------------------------------------------------------------------------


def test_every_result_has_a_report_in_every_format(tmp_path):
    for i, (name, one) in enumerate(each().items()):
        for suffix in (".html", ".md", ".json"):
            path = write_report(one, tmp_path / f"{i}{suffix}", charts=[])
            assert path.stat().st_size > 200, name


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_result_has_a_document_in_every_language(code):
    for name, one in each().items():
        document = document_of(one, (), code)
        assert document.front.language == code
        assert verdict(document).word, name
        assert document.summary.sections, name
        keys = [s.key for s in document.everything()] + [b.key for b in document.blocks() if isinstance(b, Table)]
        assert len(set(keys)) == len(keys), name


def test_numbers_are_those_of_the_notebook_and_of_json():
    for name, one in each().items():
        outline, document = outline_of(one, "en"), document_of(one, (), "en")
        cells = {
            row[0].text: row[1].text for b in document.blocks() if isinstance(b, Table) for row in b.rows if row[1:]
        }
        for row in outline.numbers():
            label = titled(row)
            if label in cells:
                shown = language().figure(str(row.text))
                assert shown.lstrip("✓✗? ")[:100] == cells[label].lstrip("✓✗? ")[:100], (name, label)
        assert any(titled(row) in cells for row in outline.numbers()) or not outline.numbers()
        assert json.loads(report_json(one, charts=[]))["metrics"] == outline.metrics()


def test_computed_numbers_lie_within_their_brackets():
    seen = 0
    for name, one in each().items():
        for block in document_of(one, (), "en").blocks():
            for row in block.rows if isinstance(block, Table) else ():
                for cell in (cell for cell in row if cell.computed):
                    seen += 1
                    assert cell.exact[0] <= cell.exact[1], name
    assert seen > 100


def test_model_cards_fit():
    for name, one in each().items():
        assert len(report_markdown(one).splitlines()) <= 60, name


def test_what_users_write_stays_text_in_every_report():
    for one in (
        results()["changes"],
        results()["decision"],
        results()["ranking"],
        results()["audited"],
        side_by_side(),
    ):
        page = Page(report_html(one, charts=[]))
        assert [given.get("id") for tag, given in page.tags if tag == "script"] == ["assessment"]
        assert not any(tag in ("img", "b") for tag, _ in page.tags)
        assert "<script" not in report_markdown(one).replace("\\<", "").replace("\\u003c", "")


def test_every_result_can_be_declared():
    for one in (results()["comparison"], results()["worst"], results()["solution"], results()["mixed"]):
        text = _report(one, ".md", declared=DECLARED)
        assert 'organisation: "The office"' in text
        assert 'signatories: ["B. Head, Head of methods"]' in text
    with pytest.raises(dl.DplensError, match=r"Expected declared to be a dplens\.Declaration, got 'me'"):
        results()["comparison"].report("x.md", declared="me")


def _report(one, suffix, **more):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        return one.report(Path(folder) / f"report{suffix}", **more).read_text(encoding="utf-8")


def test_every_result_says_itself_in_words():
    for name, one in each().items():
        said = [one.words(language=code) for code in LANGUAGES]
        assert all(said), name
    assert "protects better" in results()["comparison"].words()
    assert "schützt" in results()["comparison"].words(language="de")
    assert "Mu, at least: 1.53" in results()["audit"].words()
    with pytest.raises(dl.DplensError, match="language"):
        results()["audit"].words(language="it")


# ---- what is special ----------------------------------------------------------------------------------------------


def test_a_comparison_shows_all_curves_in_one_picture():
    document = document_of(results()["comparison"], STANDARD, "en")
    first, second = document.figures()
    assert first.picture.kind == "roc"
    assert second.picture.kind == "profile"
    assert len(first.picture.frame.facts["releases"]) == 3
    assert any(isinstance(b, Figure) for section in document.summary.sections for b in section.blocks)


def test_releases_that_are_alike_are_kept_apart_by_numbers():
    document = document_of(dl.compare(dl.Laplace(scale=1.0), dl.Laplace(scale=1.0)), STANDARD, "en")
    names = list(document.figures()[0].picture.frame.facts["releases"])
    assert names == ["Laplace(scale=1.0)", "Laplace(scale=1.0) (2)"]


def test_other_neighbours_are_said():
    with pytest.warns(dl.DplensWarning):
        mixed = dl.compare(dl.Laplace(scale=1.0), dl.Laplace(scale=1.0, neighbours="replace"))
    assert "differ in what an attacker must tell apart" in texts(document_of(mixed, (), "en"))


def test_an_audit_states_on_page_one_what_it_rests_on(tmp_path):
    audit = results()["audit"]
    page = Page(report_html(audit, charts=[]))
    assert "the scores are independent and the attack was fixed beforehand" in " ".join(
        page.sentences["summary-assumptions"]
    )
    refuted = Page(audit.report(tmp_path / "a.html", claim=dl.Gaussian(sigma=10.0)).read_text())
    assert refuted.sentences["summary"][0] == "Claim refuted"
    assert "The claim: Gaussian(sigma=10.0)." in refuted.sentences["summary-about"]
    assert len(refuted.pictures) == 1
    kept = json.loads(audit.report(tmp_path / "a.json", claim=dl.Gaussian(sigma=0.1)).read_text())
    assert kept["refutation"]["verdict"] == "not refuted"
    with pytest.raises(dl.DplensError, match="claim"):
        audit.report(tmp_path / "b.html", claim="gaussian")
    one_run = Page(report_html(results()["one run"], charts=[]))
    assert "fair coin" in " ".join(one_run.sentences["summary-assumptions"])


def test_the_verdict_of_an_audit_without_a_claim_is_what_it_proves():
    counted = dl.audit_counts(true_positives=90, n_in=100, false_positives=5, n_out=100)
    page = Page(report_html(counted, charts=[]))
    fixed = "The thresholds were fixed before anyone saw the scores, as declared."
    proved = "an attack with 1 % false alarms identifies at least 7.31 % of the people in the data."
    assert verdict(document_of(counted, (), "en")).sentences == (f"With 95 % confidence, {proved}",)
    assert fixed in page.sentences["summary-assumptions"]
    assert fixed not in page.sentences["summary-about"]
    one_run = dl.audit_one_run(correct=930, guesses=1000, canaries=5000)
    assert verdict(document_of(one_run, (), "en")).sentences == ("With 95 % confidence, epsilon is at least 2.37.",)
    for code in LANGUAGES:
        for name in ("audit", "one run"):
            assert all(said.endswith(".") for said in verdict(document_of(results()[name], (), code)).sentences)
    for empty in (
        dl.audit_counts(true_positives=5, n_in=100, false_positives=5, n_out=100),
        dl.audit_one_run(correct=50, guesses=100, canaries=100),
    ):
        assert verdict(document_of(empty, (), "en")).sentences[0].startswith("This attack proves no risk")


def test_numbers_that_json_lacks_are_missing_from_it():
    given = {"a": [math.nan, 1.0], "b": {"c": (math.inf, -math.inf, 2)}, "d": "inf"}
    assert finite(given) == {"a": [None, 1.0], "b": {"c": [None, None, 2]}, "d": "inf"}
    found = dl.audit_one_run(correct=930, guesses=1000, canaries=5000)
    json.dumps(found.refutes(dl.Laplace(scale=2.0)).to_dict(), allow_nan=False)


def test_a_decision_has_everything_that_somebody_signs():
    made = results()["decision"]
    document = document_of(made, STANDARD, "en")
    assert verdict(document).mark is Mark.MET
    assert [s.key for s in document.sections] == [
        *("published", "reasons", "feasible", "planning", "assumptions", "not_covered", "glossary")
    ]
    assert any(isinstance(b, Signatures) for b in document.blocks())
    said = texts(document)
    for sentence in (*made.reasons, made.recommended.attacker, *made.assumptions):
        assert sentence in said
    for option in made.options:
        assert option.family in said
    assert [f.picture.kind for f in document.figures()] == ["feasible"]


def test_a_decision_that_nothing_serves_says_what_would_have_to_change():
    document = document_of(results()["no decision"], (), "en")
    assert verdict(document).mark is Mark.BROKEN
    assert verdict(document).sentences[0].startswith("No family serves both sides.")
    assert "concessions" in [s.key for s in document.sections]


def test_the_worst_attacker_is_drawn_by_knowledge():
    document = document_of(results()["worst of a chain"], STANDARD, "en")
    assert [f.picture.kind for f in document.figures()] == ["leakage"]
    assert "for this model" in texts(document)
    assert re.search(r"two values by a factor of up to 186\.$", verdict(document).sentences[0])


def test_the_plan_of_a_study_opens_with_what_was_solved_for():
    said = verdict(document_of(results()["solution"], (), "en")).sentences
    assert said == ("n = 39", "This gives a power of 80.3 %.")


# ---- several assessments ------------------------------------------------------------------------------------------


def test_assessments_stand_side_by_side():
    made = side_by_side()
    document = document_of(made, STANDARD, "en")
    assert verdict(document).mark is Mark.BROKEN
    first = next(b for s in document.summary.sections for b in s.blocks if isinstance(b, Table))
    assert [row[0].text for row in first.rows][:2] == ["office", "survey"]
    assert [row[1].mark for row in first.rows] == [Mark.BROKEN, Mark.NONE, Mark.BROKEN]
    assert first.heads[-1] == "epsilon if people are related, up to"
    limits = next(b for b in document.blocks() if isinstance(b, Table) and b.caption.endswith("Limits"))
    assert len(limits.rows) == sum(len(a.limits) + len(a.analyst) for a in made.assessments.values())
    assert document.figures()[0].picture.kind == "roc"


def test_limits_are_met_side_by_side_only_if_all_are_judged_and_met():
    limit = dl.AttackPower(fpr=0.01).at_most(0.05)
    safe = dl.Gaussian(sigma=2.0)
    met, bare = dl.assess(safe, limits=[limit]), dl.assess(dl.Gaussian(sigma=0.01))
    exposed = dl.assess(dl.ApproximateDP(epsilon=0.01, delta=0.001), limits=[limit])
    attack = dl.audit_counts(true_positives=100, n_in=100, false_positives=0, n_out=100)
    refuted = dl.assess(safe, limits=[limit], audit=attack)
    cases = [
        ((met, met), Mark.MET, "Limits met", ""),
        ((met, bare), Mark.NONE, "Not all were judged", "b: There is almost no protection."),
        ((bare, bare), Mark.NONE, "No limits set", "a: "),
        ((met, exposed), Mark.OPEN, "Limits met, but some people can be exposed", "b: "),
        ((bare, met, refuted), Mark.BROKEN, "Description refuted", "c: A measured attack proves"),
    ]
    for made, mark, word, first in cases:
        document = document_of(SideBySide(assessments=dict(zip("abc", made))), (), "en")
        found = verdict(document)
        assert (found.mark, found.word) == (mark, word)
        assert found.sentences[0].startswith(first)
        judged = {name for name, one in zip("abc", made) if one.limits}
        assert {key.removesuffix("_passed") for key in document.metadata if key.endswith("_passed")} == judged


def test_descriptions_that_an_attack_refutes_do_not_protect_alike():
    attack = dl.audit_counts(true_positives=100, n_in=100, false_positives=0, n_out=100)
    plain, refuted = (dl.assess(dl.Gaussian(sigma=2.0), audit=audit) for audit in (None, attack))
    said = verdict(document_of(SideBySide(assessments={"a": plain, "b": refuted}), (), "en")).sentences
    assert said[-1].startswith("By the descriptions alone: a and b protect alike.")
    household = dl.assess(dl.Gaussian(sigma=2.0), unit="household")
    document = document_of(SideBySide(assessments={"a": plain, "b": household}), (), "en")
    assert "protect alike" not in texts(document)
    assert "So their numbers answer different questions." in texts(document)


def test_programs_see_that_a_claim_is_refuted_and_what_related_records_give_away():
    attack = dl.audit_counts(true_positives=100, n_in=100, false_positives=0, n_out=100)
    pair = dl.DiscreteData(joint=[[0.45, 0.05], [0.05, 0.45]])
    release = dl.Gaussian(sigma=2.0)
    plain, refuted, related = dl.assess(release), dl.assess(release, audit=attack), dl.assess(release, data=pair)
    assert {"refuted", "epsilon_related"}.isdisjoint(document_of(plain, (), "en").metadata)
    assert "\nrefuted: true\n" in report_markdown(refuted)
    shown = document_of(related, (), "en").metadata
    assert shown["epsilon_related"] == pytest.approx(related.related.bound, rel=1e-5)
    assert shown["epsilon_related"] >= related.related.bound
    assert shown["epsilon_related"] > shown["epsilon"]
    unbounded = replace(related, related=replace(related.related, bound=math.inf))
    assert "\nepsilon_related: .inf\n" in report_markdown(unbounded)


def test_assessments_share_only_what_all_of_them_state():
    one = dl.assess(dl.Laplace(scale=1.0), declared=DECLARED)
    other = dl.assess(dl.Laplace(scale=2.0), declared=dl.Declaration(organisation="The office", author="Another"))
    front = document_of(SideBySide(assessments={"a": one, "b": other}), (), "en").front
    assert front.organisation == "The office"
    assert not front.author
    assert not front.signatories


def test_releases_about_other_neighbours_are_not_ranked():
    one, other = dl.assess(dl.Laplace(scale=1.0)), dl.assess(dl.Laplace(scale=2.0, neighbours="replace"))
    document = document_of(SideBySide(assessments={"a": one, "b": other}), STANDARD, "en")
    assert not re.search("protects better", texts(document))
    assert "differ in what an attacker must tell apart" in texts(document)


def test_side_by_side_are_from_two_to_eight():
    one = survey()
    for count in (1, 9):
        with pytest.raises(dl.DplensError, match="from 2 to 8"):
            SideBySide(assessments={str(i): one for i in range(count)})


def test_results_of_arrays_are_plain_values():
    audit = dl.audit(np.linspace(0, 3, 200), np.linspace(-1, 2, 200))
    assert json.loads(report_json(audit, charts=[]))["result"]["n_in"] == 200
