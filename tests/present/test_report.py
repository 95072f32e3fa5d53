"""Reports: complete, certified, in agreement with themselves, and written whole or not at all."""

import dataclasses
import itertools
import json
import math
import os
import re
import sys
from pathlib import Path

import pytest
import yaml
from scipy import stats

import dplens as dl
from dplens.assessment.records import Answer
from dplens.present.card import RiskCard
from dplens.present.report import report_html, report_json, report_markdown
from dplens.present.report.build import document_of
from dplens.present.report.figures import STANDARD
from dplens.present.report.markdown import escaped
from dplens.present.report.numbers import certificates
from dplens.present.rounding import given, up
from dplens.present.words.language import language
from dplens.present.words.say import Voice
from tests.present.reports import Page, in_clear, office, survey, training

SNAPSHOTS = Path(__file__).parent.parent / "snapshots"
MAKERS = {"office": office, "training": training, "survey": survey, "in_clear": in_clear}


@pytest.fixture(scope="module")
def office_report():
    assessment = office()
    return assessment, report_html(assessment)


@pytest.fixture(scope="module", params=MAKERS)
def report(request, office_report):
    if request.param == "office":
        assessment, html = office_report
    else:  # some of the pictures are enough for the others
        assessment = MAKERS[request.param]()
        html = report_html(assessment, charts=["icons", "posterior", "roc", "output_laws", "profile"])
    return assessment, html, Page(html)


# ---- the checklist ------------------------------------------------------------------------------------------------


def test_every_number_has_its_certificate(report):
    """Walks every computed number: low, high and route are there, and what is printed is on the risky side of them."""
    _, _, page = report
    computed = [c for c in page.cells if c.get("class") == "n"]
    assert len(computed) > 30
    for cell in computed:
        low, high = float(cell["data-low"]), float(cell["data-high"])
        assert low <= high, cell
        assert cell["data-route"], cell
        shown = value_of(cell["text"])
        if shown is None or shown == math.inf:
            assert high == math.inf or cell["text"] == "∞", cell
        elif "data-of" in cell:  # people, counted
            assert shown == math.ceil(high * int(cell["data-of"]) - 1e-9), cell
        else:
            off = abs(shown / high - 1) if high else shown
            if low != high:  # else which end is the safe one does not show
                assert shown >= high * (1 - 1e-9) if cell["data-safe"] == "high" else shown <= low * (1 + 1e-9), cell
            assert off < 0.011, cell  # three digits


def test_the_safe_side_is_the_riskier_one(office_report):
    """More is riskier for what an attacker finds; less is for what he misses, and for what the analyst is promised."""
    page = Page(office_report[1])
    sides = {}
    for cell in page.cells:
        if cell.get("class") == "n" and cell["data-low"] != cell["data-high"]:
            sides.setdefault(cell["section"], set()).add(cell["data-safe"])
    assert sides["finding"] == {"high", "low"}  # found, and missed
    assert sides["analyst"] == {"low"}
    assert sides["epsilon"] == {"high"}
    assert sides["noise"] == {"high"}


def test_every_number_in_words_is_in_a_table(report):
    """Every figure of every computed sentence is an input, or rounds from the bracket of a number in a table."""
    assessment, _, page = report
    brackets = [(float(c["data-low"]), float(c["data-high"])) for c in page.cells if c.get("class") == "n"]
    ends = {x for b in brackets for x in b if math.isfinite(x)}
    ends |= {100 * a.estimate.high for a in assessment.answers if isinstance(a.question, dl.Advantage)}  # in points
    epsilons = [a.estimate.high for a in assessment.answers if isinstance(a.question, dl.Epsilon)]
    ends = sorted(ends | {math.exp(e) for e in epsilons if e <= 10})  # what epsilon means
    assumed = assessment.assumptions
    inputs = {assumed.fpr, 1 - assumed.fpr, assumed.delta, assumed.n, 0.0, 1.0, 100.0, 1000.0, 2.0, 0.1}
    inputs |= {a.question.fpr for a in assessment.answers if hasattr(a.question, "fpr")}
    inputs |= {who.prior for who in assessment.attackers} | {1 - who.prior for who in assessment.attackers}
    if assessment.related:
        inputs |= {assessment.related.compared, assessment.related.worst.target}
    for one in assessment.analyst:
        plan = json.loads(one.test)
        inputs |= {one.effect, one.level, one.min_power, plan["n"], plan["sd"]}
    sections = ("analyst", "learning", "absence", "finding", "you", "looks", "noise", "epsilon", "related", "limits")
    limits = {v.requirement.bound for v in assessment.limits}
    seen = 0
    for section in sections:
        for sentence in page.sentences.get(section, []):
            for token in re.findall(r"\d[\d,\u202f]*(?:\.\d+)?(?:e-?\d+)?(?:\s%)?", sentence):
                seen += 1
                assert explained(token, inputs | limits, ends), (section, token, sentence)
    assert seen > 30


def explained(token, inputs, ends):
    x = value_of(token)
    if any(math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-15) for y in inputs if y is not None):
        return True
    for end in ends:
        if end and abs(x / end - 1) < 0.011:  # the number itself, in three digits
            return True
        if 0 < x < 1 and round(100 * x, 9).is_integer() and -1e-9 < x - end < 0.01:  # in whole percent, rounded up
            return True
        if 0 < end < 1 and any(abs(x - r) < 0.011 * r for r in (end / (1 - end), (1 - end) / end)):  # as odds
            return True
        for n in (100, 1000, 10_000):  # as people of so many, rounded up or (those left over) down
            if x == round(x) and (abs(x - n * end) < 1 or -1e-6 < x - n * (1 - end) < 1):
                return True
    priors = [p for p in inputs if p is not None and 0 < p < 1]
    shares = any(x == round(x) and math.isclose(x, n * p) for p in priors for n in (100, 1000, 10_000))
    return shares or any(abs(x - r) < 0.011 * r for p in priors for r in (p / (1 - p), (1 - p) / p))


def value_of(text):
    """A printed number: percentages as shares."""
    clean = text.replace("\u202f", "").replace(",", "").replace("\u00a0", " ").strip()
    if clean in ("∞", "not defined"):
        return math.inf if clean == "∞" else None
    share = clean.endswith("%")
    value = float(clean.rstrip("% "))
    return value / 100 if share else value


def test_assumptions_are_on_the_page(report):
    assessment, html, page = report
    assumed = assessment.assumptions
    assert f"one {assumed.unit}" in page.facts
    assert language().figure(given(assumed.delta)) in page.facts
    assert any(words in page.facts for words in ("with and without", "replaced", "two true answers"))
    for word in ("Compared", "Protected", "Delta", "Sampling", "Setting", "False alarms"):
        assert word in page.facts
    words = {"poisson": "Poisson", "one_in_clear": "shown openly"}
    assert all(words[s] in page.facts for s in assumed.sampling) if assumed.sampling else "none" in page.facts
    assert f"dplens {dl.__version__}" in html


def test_every_computed_section_says_how_its_numbers_are_known(report):
    _, _, page = report
    assert {"Risk to a person", "Epsilon and delta"} <= set(page.known)
    assert all("How we know" in text for text in page.known.values())
    for picture in page.pictures:
        assert picture["data-route"]
        assert picture["aria-label"].endswith(".")
        assert re.search(r"\d", picture["aria-label"])


HEADINGS = (
    "Summary", "What is published", "Risk to a person", "Accuracy", "Worst case", "If people are related",
    "Measured attacks", "Assumptions", "What this does not cover", "Decision", "Glossary",
    "Numbers and how they are known", "The scenario file",
)  # fmt: skip


def test_the_ordinary_headings_stand_in_their_order(report):
    assessment, _, page = report
    absent = {"Accuracy": not assessment.analyst, "If people are related": not assessment.related}
    absent["Measured attacks"] = not assessment.audits
    second = [text for tag, text in page.headings if tag == "h2"]
    assert second == [heading for heading in HEADINGS if not absent.get(heading)]
    third = [text for tag, text in page.headings if tag == "h3"]
    assert "The attacker" in third
    first = ["What is published", "Risk to a person", "Limits", "Worst case", "Accuracy", "Please note", "Decision"]
    assert [text for text in third if text in first][:5] == [text for text in first if text in third][:5]
    uncovered = " ".join(page.sentences["not_covered"])
    for topic in ("Reconstruction", "record|Other relations", "Faults in the software"):
        assert re.search(topic, uncovered)
    # digits of noise tell something only where there is noise, which local answers do not need
    assert ("floating-point" in uncovered) == (assessment.assumptions.setting == "central")
    assert "scenario" in page.ids


def test_membership_is_said_where_it_is_meant(report):
    assessment, html, page = report
    told = [s for key in ("learning", "absence", "finding") for s in page.sentences[key]]
    if assessment.assumptions.setting == "central":
        # a sentence without the words goes on from the one before
        follow = (
            "Even if they name",
            "These counts hold",
            "The share identified",
            "As odds",
            "At a chance of",
            "The numbers in",
        )
        assert all("in the data" in s or s.startswith(follow) for s in told)
        assert any("in the data" in s for s in page.sentences["attacker"])
        names = [c["text"] for c in page.cells if c["section"] == "numbers" and " a named " in c["text"]]
        assert names
        # attackers on related records decide between two values
        related = assessment.related
        answers = [a for who in (related.worst, *related.attackers) for a in who.answers] if related else []
        of_values = [name for name in names if "in the data" not in name]
        assert len(of_values) == sum(isinstance(answer.question, dl.Posterior) for answer in answers)
    else:
        everything = re.sub(r"<(script|style).*?</\1>", "", html, flags=re.DOTALL)  # pictures and glossary too
        assert told
        for central in ("in the data", "member", "with the publication", "without the publication"):
            assert central not in everything
    limits = [s for s in page.sentences.get("declared", []) if "people are related" in s]
    related = [c["text"] for c in page.cells if c["section"] == "related"]
    assert not any("in the data" in text for text in [*limits, *related, *page.sentences.get("related", [])])


# ---- agreement ----------------------------------------------------------------------------------------------------


def test_words_table_and_chart_agree(office_report):
    assessment, html = office_report
    page = Page(html)
    data = json.loads(report_json(assessment))
    frames = {f["chart"]: f for f in data["frames"]}
    prior = 0.3  # the named attacker
    answer = assessment.answer(dl.Posterior(prior=prior, fpr=0.01))
    count = math.ceil(100 * answer - 1e-9)
    lead = next(s for s in page.sentences["learning"] if '("a neighbour")' in s)
    assert f"With this publication, up to {count}." in lead
    assert lead in page.sentences["summary-learning"]  # it is on the first page as well
    icons = frames["icons"]
    assert icons["facts"]["after"] == count
    assert sum(r["person"] != "wrong" for r in icons["rows"] if r["panel"] == "with") == count
    row = next(r for r in frames["posterior"]["rows"] if r["prior"] == prior)
    assert row["posterior"] == answer
    in_tables = [c for c in page.cells if c.get("data-high") == str(float(answer.high))]
    assert len(in_tables) >= 3  # beside the picture, in the pairs and among all numbers
    assert {c["text"] for c in in_tables} == {"41.5 %", str(count)}
    # the picture itself: the drawn point is the frame's
    drawn = dl.chart("posterior", assessment.mechanism, fpr=0.01, priors=[prior]).spec
    assert json.dumps(row["posterior"]) in json.dumps(drawn)
    power = assessment.answer(dl.AttackPower(fpr=0.001))
    assert any("identifies at most 0.165 %" in s for s in page.sentences["finding"])
    listed = next(r for r in frames["roc"]["rows"] if r["alpha"] == 0.001)
    assert (listed["power"], listed["power_low"]) == (power.high, power.low)
    assert data["answers"] == assessment.to_dict()["answers"]


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_format_has_the_same_numbers(office_report, language):
    """The model card's main numbers are in the page, in the JSON behind it, and on the risk card."""
    assessment, _ = office_report
    card, page = (
        report_markdown(assessment, language=language),
        Page(report_html(assessment, charts=[], language=language)),
    )
    data, risk = json.loads(report_json(assessment, charts=[])), str(RiskCard(assessment, language))
    document = document_of(assessment, (), language)
    rows = next(section for section in document.card if section.key == "main").blocks[0].rows
    assert len(rows) >= 4
    for question, answer in rows:
        assert f"| {escaped(question.text)} | {escaped(answer.text)} |" in card
        shown = " ".join(answer.text.split())
        known = {(c.get("data-low"), c.get("data-high")) for c in page.cells if c["text"] == shown}
        low, high = answer.exact
        assert (str(low), str(high)) in known
        assert any((a["low"], a["high"]) == (low, high) for a in data["answers"])
    after = assessment.answer(dl.Posterior(prior=0.3, fpr=0.01)).high
    assert str(math.ceil(100 * after - 1e-9)) in re.findall(r"\d+", card.partition("\n# ")[2])
    assert rows[1][1].text in risk
    assert rows[3][1].text in risk
    values = yaml.safe_load(card.split("---\n")[1])
    assert values["epsilon"] == pytest.approx(float(assessment.answer(dl.Epsilon(delta=1e-6))), rel=1e-5)
    assert (values["delta"], values["limits_met"], values["title"]) == (1e-6, assessment.passed, assessment.title)


def test_front_matter_stands_on_page_one_and_nothing_is_invented():
    declared = dl.Declaration(
        organisation="The office", author="M. K.", reference="7/b", status="final", version="3", date="2 May",
        decided_by="The board.", signatories=[dl.Signatory(name="A. L.", role="Head"), dl.Signatory(name="B. C.")],
    )  # fmt: skip
    made = dl.assess(dl.Laplace(scale=2.0), declared=declared)
    page = Page(report_html(made, charts=[]))
    for value in ("The office", "M. K.", "7/b", "final", "3", "2 May"):
        assert value in page.facts
    signed = [c["text"] for c in page.cells if c["section"] == "summary-declared"]
    assert signed == ["Head", "A. L.", "", "", "", "B. C.", "", ""]
    assert json.loads(report_json(made, charts=[]))["front"]["signatories"] == [["A. L.", "Head"], ["B. C.", ""]]
    assert dl.Assessment.from_json(report_json(made, charts=[])) == made
    bare = report_html(dl.assess(dl.Laplace(scale=2.0)), charts=[])
    assert bare.count('<span class="blank">') == 1  # the date, by hand
    assert not re.search(r"\b20\d\d\b", bare.partition("<body>")[2].partition("<script")[0])
    signed = [c["text"] for c in Page(bare).cells if c["section"] == "summary-declared"]
    assert signed == ["", "", "", ""]


def test_what_the_analyst_needs_is_judged(office_report):
    assessment, html = office_report
    page = Page(html)
    answer = assessment.analyst[0]
    sd = math.hypot(20.0 / math.sqrt(400), 2.0 * math.sqrt(2))  # the noise is not normal, but nearly so in the middle
    assert float(answer.power) == pytest.approx(stats.norm.sf(stats.norm.isf(0.05) - 5.0 / sd), abs=0.1)
    cells = [c for c in page.cells if c.get("data-low") == str(answer.power.low)]
    assert {c["section"] for c in cells} == {"analyst", "declared", "numbers"}
    assert all(value_of(c["text"]) <= answer.power.low for c in cells)  # power is not promised too high
    verdicts = [c["text"] for c in page.cells if c["section"] == "declared"]
    assert verdicts.count("broken") == 4
    assert (
        html.count('<svg class="mark mark-broken"') == 1 + 3 + 4
    )  # the verdict, the limits on the first page and all that is needed
    assert any(p["aria-label"].startswith("Line chart of the power of the analyst's test") for p in page.pictures)
    assert "3 of 4 limits are broken." in page.sentences["summary"]


def test_the_scenario_in_the_report_reproduces_it(office_report, tmp_path):
    assessment, html = office_report
    scenario = re.search(r'<pre id="scenario">(.*?)</pre>', html, re.DOTALL).group(1)
    path = tmp_path / "scenario.yaml"
    path.write_text(scenario.replace("&#34;", '"').replace("&#39;", "'"))
    again = dl.load_scenario(path).assess()
    assert [a.to_dict() for a in again.answers] == [a.to_dict() for a in assessment.answers]
    assert [v.to_dict() for v in again.limits] == [v.to_dict() for v in assessment.limits]


def test_the_assessment_can_be_read_back_from_every_report(office_report):
    assessment, html = office_report
    inside = re.search(r'<script type="application/json" id="assessment">(.*?)</script>', html, re.DOTALL).group(1)
    assert dl.Assessment.from_json(inside) == assessment
    assert dl.Assessment.from_json(report_json(assessment)) == assessment


# ---- snapshots ----------------------------------------------------------------------------------------------------


def test_noise_beyond_all_measure_has_a_report():
    """Deltas down to the least float are rounded up, to that float at least."""
    assert up(5e-324) == 5e-324
    assert "Gaussian noise, standard deviation 1000000000" in report_markdown(dl.assess(dl.Gaussian(sigma=1e9)))


def test_no_bracket_is_said_to_be_narrower_than_it_is():
    answers = {
        "0.00001 of its value": (2.0 - 1.9e-5, 2.0),
        "only roughly known": (2.0, math.inf),
        "1e-16": (math.inf, math.inf),
    }
    made = dl.assess(dl.Laplace(scale=1.0))
    for words, (low, high) in answers.items():
        found = Answer(question=dl.Mu(), estimate=dl.Estimate(high, low=low, high=high))
        known = certificates(dataclasses.replace(made, answers=(found,)), Voice(made))
        assert words in known["epsilon"]


def test_an_epsilon_that_may_be_infinite_does_not_make_other_brackets_wide():
    own = dl.compose(dl.Gaussian(sigma=2.0), dl.ApproximateDP(epsilon=0.5, delta=1e-6))
    made = dl.assess(own, delta=1e-6, limits=[dl.Epsilon(delta=1e-6).at_most(3.0)])
    known = certificates(made, Voice(made))
    assert math.isinf(made.answer(dl.Epsilon(delta=1e-6)).high)
    assert "only roughly known" not in known["release"]


def test_a_refuted_description_is_never_said_to_keep_anything():
    found = dl.audit_points([0.01], [0.9], n_in=2000, n_out=2000)
    for limits in ([], [dl.Advantage().at_most(0.9)]):
        refuted = dl.assess(dl.Gaussian(sigma=1.0), audit=found, limits=limits)
        assert not refuted.passed
        assert "proves that the description is wrong" in refuted.words().splitlines()[0]
        text = report_markdown(refuted)
        assert "A measured attack proves that the description is wrong" in text
        assert "have proved" not in text
        assert not re.search(r"Met:|✓", text)
        assert "**✗ Description refuted.**" in text
        assert text.lower().count("met only by the refuted claim") == len(limits)
        page = Page(report_html(refuted, charts=[]))
        # the whole table has it, and the one on the first page; and the sentence
        judged = [c["text"] for c in page.cells if "judged" in c.get("class", "")]
        assert judged == ["met only by the refuted claim"] * 2 * len(limits)
        assert sum("Met only by the refuted claim" in s for s in page.sentences["declared"]) == len(limits)


def compared(name, text):
    """Run with DPLENS_UPDATE_SNAPSHOTS=1 to accept what changed, then read the difference."""
    path = SNAPSHOTS / name
    if os.environ.get("DPLENS_UPDATE_SNAPSHOTS"):
        path.write_text(text)
    assert text == path.read_text()


def outline(section, depth=1):
    """The headings, and the kinds of blocks below each."""
    yield f"{'#' * depth} {section.number} {section.heading}".replace("#  ", "# ")
    for block in section.blocks:
        figure = getattr(block, "figure", block)
        beside = " with a table" if getattr(figure, "table", None) else ""
        keys = f" {figure.key}" if getattr(figure, "key", "") else ""
        yield f"{type(block).__name__}{keys}{beside}"
    for below in section.sections:
        yield from outline(below, depth + 1)


def test_structure_of_the_document_is_what_it_was():
    document = document_of(office(), STANDARD, "en")
    parts = {
        "front": document.summary,
        **{s.key: s for s in (*document.sections, *document.annexes)},
        **{f"card {s.key}": s for s in document.card},
    }
    compared("report_outline.txt", "\n".join(line for part in parts.values() for line in outline(part)) + "\n")


def test_every_standard_chart_is_shown_in_some_section():
    audit = dl.audit([2.0, 3.0, 4.0], [0.5, 1.0, 2.5])
    made = dl.assess(
        dl.Laplace(scale=2.0),
        n=100,
        data=dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]], values=[[0, 1], [0, 1]]),
        analyst=dl.MeanTest(n=400, sd=20.0, effect=5.0),
        audit=audit,
    )
    shown = {figure.picture.kind for figure in document_of(made, STANDARD, "en").figures()}
    assert shown == set(STANDARD), "name the chart in a section of report/kinds/assessment.py"


# ---- the page as such ---------------------------------------------------------------------------------------------


def test_the_page_holds_everything_it_shows(report):
    _, html, page = report
    assert len(html.encode()) < 2_000_000
    for tag, attributes in page.tags:
        assert not attributes.get("src"), (tag, attributes)
        href = attributes.get("href", "")
        assert href.startswith(("#", "data:")) or not href, (tag, attributes)
        if href.startswith("#"):
            assert href[1:] in page.ids
    # addresses appear as names of vocabularies only
    assert set(re.findall(r"https?://[^\"'\s<)]+", html)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert "url(http" not in html


def test_the_page_is_accessible(report):
    _, html, page = report
    assert '<html lang="en">' in html
    assert len(page.ids) == len(set(page.ids))
    levels = [int(tag[1]) for tag, _ in page.headings]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels))
    tables = [given for tag, given in page.tags if tag == "table"]
    assert len(page.captions) == len(tables)
    heads = [given for tag, given in page.tags if tag == "th"]
    assert all(given.get("scope") == "col" for given in heads)
    assert page.pictures
    marks = re.findall(r'<svg class="mark [^>]*aria-hidden="true"', html)  # each stands beside its word
    assert html.count("<svg") == len(page.pictures) + len(marks)


def test_a_possible_proof_is_told_before_anything_else():
    page = Page(report_html(in_clear(), charts=[]))
    assert "No limit was set, so we do not judge the risk here." in page.sentences["summary"]
    assert page.sentences["summary-worst"][0].startswith(
        "With a probability of up to 12.7 %, a published result proves that"
    )
    assert not page.pictures


def test_relations_that_raise_the_risk_stand_first(office_report):
    page = Page(office_report[1])
    first = [sentence.replace("\u2011", "-") for sentence in page.sentences["summary"]]
    assert first == ["Limits not met", *office_report[0].words().splitlines()[2:5]]
    assert "related" in first[3]


def test_dark_and_light_colours_stand_out():
    from tests.present.test_charts import contrast

    style = (Path(dl.__file__).parent / "present" / "templates" / "style.css").read_text()
    light, dark = (dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", block)) for block in style.split("@media", 2)[:2])
    for theme in (light, dark):
        for name in ("ink", "muted", "link"):
            assert contrast(theme[name], theme["paper"]) >= 4.5
            assert contrast(theme[name], theme["soft"]) >= 4.5
        for name in ("blue", "vermillion", "green", "purple"):
            assert contrast(theme[name], theme["paper"]) >= 3


HOSTILE = "</script><script>alert(1)</script> & <img src=x onerror=alert(1)> | ` \n# not a heading [x](javascript:1)"


def test_what_users_write_stays_text(tmp_path):
    a = dl.assess(
        dl.Laplace(scale=2.0),
        title=HOSTILE,
        unit="<b>person</b>",
        adversary={HOSTILE: dl.Adversary(prior=0.2)},
        declared=dl.Declaration(purpose=HOSTILE, decided_by=HOSTILE),
    )
    html = report_html(a, charts=["icons"])
    page = Page(html)
    assert [given.get("id") for tag, given in page.tags if tag == "script"] == ["assessment"]
    assert not any(tag in ("img", "b") for tag, _ in page.tags)
    assert not any(name.startswith("on") for _, given in page.tags for name in given)
    text = report_markdown(a)
    assert not re.search(r"^# not", text, re.MULTILINE)
    outside = re.sub(r"^(```+)yaml\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert "<script" not in outside.replace("\\<", "")
    for line in outside.splitlines():
        if line.startswith("|"):
            assert line.endswith("|")
    assert json.loads(report_json(a))["title"] == HOSTILE


def test_a_release_that_no_file_can_hold_is_reported_without_pictures():
    class Own(dl.Mechanism):
        def _forward(self):
            return dl.GaussianDP(mu=0.5).tradeoff()

    a = dl.assess(Own())
    assert Page(report_html(a, charts=["roc"])).pictures  # its curve is at hand
    b = dl.Assessment.from_json(a.to_json())
    page = Page(report_html(b))
    assert not page.pictures
    assert "No scenario file can hold this release" in " ".join(page.sentences["reproduce"])
    assert [c for c in page.cells if c.get("class") == "n"]


def test_reports_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    a = survey()
    for suffix in (".html", ".md", ".json"):
        path = a.report(tmp_path / f"report{suffix}")
        assert path.stat().st_size > (1500 if suffix == ".md" else 5000)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    for suffix in (".md", ".json"):
        with pytest.raises(dl.DplensError, match=r"Cannot write .*report\.(md|json): No space left on device\."):
            a.report(tmp_path / f"report{suffix}")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("report.doc", "Expected the suffix of path to be '.html' or '.pdf' or '.md' or '.json', got '.doc'"),
        ("no/such/folder/report.md", "Cannot write .*: No such file or directory"),
        (7, "Expected path to be the name of a file"),
    ],
)
def test_impossible_places_are_named(path, message):
    with pytest.raises(dl.DplensError, match=message):
        survey().report(path)


def test_little_noise_on_samples_is_not_made_less():
    from dplens.present.report.figures import _factors

    little, much = (dl.assess(dl.Gaussian(sigma=s).subsample(0.5), questions=()) for s in (0.4, 1.0))
    assert min(_factors(little)) == 1.0
    assert min(_factors(much)) == 0.5
    text = " ".join(Page(report_html(little, charts=["power_noise"])).sentences["noise"])
    assert "With twice the noise," in text
    assert "half the noise" not in text


def test_every_chart_of_a_release_can_be_in_a_report():
    a = dl.assess(dl.Gaussian(sigma=2.0))
    for kind in ("tradeoff", "roc_log", "profile", "fscore"):
        assert len(json.loads(report_json(a, charts=[kind]))["frames"]) == 1
    with pytest.raises(dl.DplensError, match="decision"):
        report_json(a, charts=["feasible"])


def test_wishes_for_charts():
    from dplens.present.report.write import _wanted

    assert "fscore" in _wanted("all")
    assert "fscore" not in _wanted("standard")
    assert _wanted(["roc"]) == ("roc",)
    for wrong in ("none", ["pie"], 3):
        with pytest.raises(dl.DplensError, match="Expected charts"):
            _wanted(wrong)


def test_a_missing_extra_is_answered_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(dl.DplensError, match=r"pip install 'dplens\[report\]'"):
        report_html(survey(), charts=[])


# ---- what a reader needs to find ---------------------------------------------------------------------------------


def test_every_route_is_explained():
    """Those that the sources name where certificates are made, and those of curves that are handed their route."""

    sources = Path(dl.__file__).parent
    text = "".join(path.read_text() for path in sources.rglob("*.py") if "present" not in path.parts)
    named = set(re.findall(r'Certificate\(\s*"([a-z ]+)"', text)) | set(
        re.findall(r'\broute(?:: str)? = "([a-z]+)"', text)
    )
    assert {"exact", "contour", "simulation"} <= named
    handed = {"enumeration", "lattice", "grid", "cells", "shift"}
    assert {f"route-{route}" for route in named | handed} <= set(language().entries)


def test_what_was_released_is_said_in_words_under_its_name():
    release = {"mechanism": "gaussian", "sigma": 2.0, "sensitivity": 3.0, "name": "the table", "repeat": 4}
    training = {"mechanism": "dpsgd", "noise_multiplier": 1.1, "epochs": 2, "batch_size": 100, "n": 10_000}
    with pytest.warns(dl.DplensWarning, match="Poisson"):
        scenario = dl.Scenario.of({"unit": "visit", "releases": [release, training]})
    page = report_markdown(scenario.assess(), charts=[])  # does not warn again
    assert '"the table": numbers with Gaussian noise, standard deviation 2. One visit changes' in page
    assert "by at most 3. This is done 4 times, with fresh noise each time." in page
    assert "A model trained in 200 noisy steps (DP-SGD), with noise multiplier 1.1. Each visit joins each step" in page


def test_every_mechanism_has_its_words():
    from dplens.describe.releases import MECHANISMS, NAMED

    said = {key.removeprefix("release-") for key in language().entries if key.startswith("release-")}
    assert set(MECHANISMS) < said
    assert set(NAMED) - {"opaque"} < said


def test_attackers_that_were_named_have_their_numbers_with_certificates():
    couple = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]])
    data = dl.RelatedData(model=couple, attackers=[dl.Knowing(target=0, known=[1], name="The wife")])
    a = dl.assess(dl.Laplace(scale=2.0), data=data)
    page = Page(report_html(a, charts=[]))
    assert sum("Answers about an attacker on related records: The wife" in c for c in page.captions) == 2
    lows = {float(c["data-low"]) for c in page.cells if c.get("data-low") and c["section"] == "related"}
    assert {x.estimate.low for x in a.related.attackers[0].answers} <= lows


def test_noise_that_takes_long_to_vary_is_varied_on_request_only(monkeypatch):
    from dplens.present.report import figures
    from dplens.present.words.say import Voice

    a = dl.assess(dl.Laplace(scale=1.0))
    assert "power_noise" in figures.figures_of(a, Voice(a), figures.STANDARD)
    monkeypatch.setattr(figures, "_takes_long", lambda _: True)
    assert "power_noise" not in figures.figures_of(a, Voice(a), figures.STANDARD)
    assert "power_noise" in figures.figures_of(a, Voice(a), ("power_noise",))


def test_no_line_of_a_page_ends_inside_a_number():
    html = report_html(dl.assess(dl.Gaussian(sigma=2.0), n=5000), charts=[])
    assert not re.search(r">[^<]*\d %", html.partition("<main>")[2].partition("<pre")[0])
    assert not re.search(r"<(p|li)\b[^>]*>[^<]*\de-\d", html)
    assert re.search(r'<dd>How we know[^<]*<span class="u">1e-\d+</span>', html)
    for code in ("de", "fr"):
        html = report_html(dl.assess(dl.Gaussian(sigma=2.0), n=5000, delta=1.5e-8), charts=[], language=code)
        assert '<span class="u">1,5e-8</span>' in html
