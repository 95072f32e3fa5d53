"""Reports as PDF: tagged, legible, the same numbers as in every other format, whatever the text; whole or not there."""

import io
import json
import os
import re
import sys

import pytest

import dplens as dl
from dplens.present.card import RiskCard
from dplens.present.report import pdf, report_html, report_json, report_markdown, report_pdf
from dplens.present.report.build import document_of
from dplens.present.report.document import (
    Bullets,
    Cell,
    Definitions,
    Document,
    Facts,
    Figure,
    Front,
    Labels,
    Listing,
    Mark,
    Pair,
    Paragraph,
    Section,
    See,
    Signatures,
    Table,
    Verdict,
)  # fmt: skip
from dplens.present.report.figures import STANDARD
from tests.examples import EXAMPLES, assessed
from tests.present.reports import Page, office, survey
from tests.present.test_report import HOSTILE

pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed: make setup")
LANGUAGES = ("en", "de", "fr")
TOPS = {"en": "Contents", "de": "Inhalt", "fr": "Sommaire"}
SIGNED = {"en": "Signature", "de": "Unterschrift", "fr": "Signature"}


def read(made):
    return pypdf.PdfReader(io.BytesIO(made))


def bare(text):
    """Text without anything that is not seen."""
    return re.sub(r"[\s\u00a0\u200b\u202f]+", "", text.replace("\u2011", "-"))


def words(reader):
    return bare("".join(page.extract_text() for page in reader.pages))


@pytest.fixture(scope="module")
def whole():
    assessment = office()
    return assessment, read(report_pdf(assessment))


def nodes(reader):
    """All elements of the structure tree."""
    waiting, out = [reader.trailer["/Root"]["/StructTreeRoot"]], []
    while waiting:
        node = waiting.pop().get_object()
        if isinstance(node, dict):
            out.append(node)
            below = node.get("/K", [])
            below = below.get_object() if hasattr(below, "get_object") else below
            waiting += below if isinstance(below, list) else [below] if isinstance(below, dict) else []
    return out


def fonts(reader):
    """Every font of every page and picture: name, and whether its letters are in the file."""
    found = {}

    def walk(resources):
        for font in (resources.get("/Font") or {}).values():
            whole = font.get_object()
            below = whole["/DescendantFonts"][0].get_object() if "/DescendantFonts" in whole else whole
            embedded = any(key in below["/FontDescriptor"] for key in ("/FontFile", "/FontFile2", "/FontFile3"))
            found[whole["/BaseFont"].partition("+")[2]] = embedded
        for part in (resources.get("/XObject") or {}).values():
            walk(part.get_object().get("/Resources", {}))

    for page in reader.pages:
        walk(page["/Resources"])
    return found


# ---- sizes of letters, from the matrices in the file ---------------------------------------------------------------


def times(a, b):
    return (
        a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5],
    )  # fmt: skip


def sizes(reader, content, resources, matrix=(1, 0, 0, 1, 0, 0)):
    """The height in points of each piece of text, and whether it was scaled, as all text of pictures is."""
    stack, size, placed = [], 0.0, (1, 0, 0, 1, 0, 0)
    for operands, operator in pypdf.generic.ContentStream(content, reader).operations:
        if operator == b"q":
            stack.append(matrix)
        elif operator == b"Q":
            matrix = stack.pop()
        elif operator == b"cm":
            matrix = times([float(x) for x in operands], matrix)
        elif operator == b"BT":
            placed = (1, 0, 0, 1, 0, 0)
        elif operator == b"Tf":
            size = float(operands[1])
        elif operator == b"Tm":
            placed = tuple(float(x) for x in operands)
        elif operator in (b"Tj", b"TJ"):
            a, b, c, d, *_ = times(placed, matrix)
            scale = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5
            yield size * abs(a * d - b * c) ** 0.5, abs(scale - 1) > 1e-6
        elif operator == b"Do":
            part = resources["/XObject"][operands[0]].get_object()
            if part["/Subtype"] == "/Form":
                own = times([float(x) for x in part.get("/Matrix", (1, 0, 0, 1, 0, 0))], matrix)
                yield from sizes(reader, part, part.get("/Resources", resources), own)


def all_sizes(reader):
    return [found for page in reader.pages for found in sizes(reader, page.get_contents(), page["/Resources"])]


def test_letters_have_eight_points_at_least(whole):
    """Also those of pictures, as they stand on the page."""
    found = all_sizes(whole[1])
    assert len(found) > 500
    assert sum(scaled for _, scaled in found) > 100
    assert min(found)[0] >= 7.999


@pytest.mark.verify
@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_letters_have_eight_points_in_every_language(path, language):
    assert min(all_sizes(read(report_pdf(assessed(path), language=language))))[0] >= 7.999


# ---- what programs and screen readers find -------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_what_it_is(language):
    declared = dl.Declaration(author="M. K.", date="2026-03-02", organisation="The office")
    made = dl.assess(dl.Laplace(scale=2.0), title="Residents by street", declared=declared)
    reader = read(report_pdf(made, charts=["icons", "roc"], language=language))
    root = reader.trailer["/Root"]
    assert root["/Lang"] == language
    assert root["/MarkInfo"]["/Marked"]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert b"pdfuaid:part" in root["/Metadata"].get_data()
    assert (reader.metadata.title, reader.metadata.author) == ("Residents by street", "M. K.")
    assert "differential-privacy" in reader.metadata["/Keywords"]
    assert (reader.metadata.creation_date.year, reader.metadata.creation_date.month) == (2026, 3)
    assert set(fonts(reader)) == {"IBMPlexSans", "IBMPlexSans-SmBld", "DejaVuSansMono"}
    assert all(fonts(reader).values())


def test_everything_has_its_tag(whole):
    assessment, reader = whole
    document = document_of(assessment, STANDARD, "en")
    found = nodes(reader)
    described = {str(node["/Alt"]) for node in found if "/Alt" in node}
    assert {figure.picture.alt for figure in document.figures()} <= described
    kinds = [node.get("/S") for node in found]
    tables = sum(1 + (getattr(b, "table", None) is not None) for b in document.blocks() if "Table" in type(b).__name__)
    assert kinds.count("/Table") >= tables
    assert kinds.count("/TH") > 20
    assert {"/Title", "/H1", "/H2", "/Caption", "/L", "/Link", "/TOC"} <= set(kinds)
    headings = [entry.title for entry in reader.outline if not isinstance(entry, list)]
    assert all(any(section.heading in heading for heading in headings) for section in document.sections)


def test_pages_are_numbered_and_name_the_report(whole):
    pages = [page.extract_text() for page in whole[1].pages]
    for number, text in enumerate(pages, 1):
        assert f"{number} / {len(pages)}" in text
        assert "Residents by street" in text
    assert {(round(float(p.mediabox.width)), round(float(p.mediabox.height))) for p in whole[1].pages} == {(595, 842)}


def test_the_assessment_can_be_read_back(whole):
    assessment, reader = whole
    assert dl.Assessment.from_json(reader.attachments["result.json"][0].decode()) == assessment


# ---- page one ------------------------------------------------------------------------------------------------------


def stands_alone(reader, language):
    first, second = (bare(reader.pages[i].extract_text()) for i in (0, 1))
    return SIGNED[language] in first and TOPS[language] in second


@pytest.mark.verify
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_page_one_stands_alone(path, language):
    assert stands_alone(read(report_pdf(assessed(path), charts=["icons"], language=language)), language)


def test_page_one_of_bad_news_stands_alone(whole):
    first = bare(whole[1].pages[0].extract_text())
    assert stands_alone(whole[1], "en")
    for said in ("Limits not met", "3 of 4 limits are broken.", "broken", "Of 100 named, how many are right"):
        assert bare(said) in first


# ---- agreement -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_format_has_the_same_numbers(language):
    assessment = office()
    text = words(read(report_pdf(assessment, charts=[], language=language)))
    page = Page(report_html(assessment, charts=[], language=language))
    computed = {bare(cell["text"]) for cell in page.cells if cell.get("class") == "n"}
    assert len(computed) >= 30
    assert not {number for number in computed if number not in text}
    told = [bare(sentence) for section, said in page.sentences.items() if section for sentence in said]
    assert not [sentence for sentence in told if sentence[:24] not in text]
    assert sum(sentence in text for sentence in told) >= 0.95 * len(told)  # the others go on behind the end of a page
    card, risk = report_markdown(assessment, language=language), bare(str(RiskCard(assessment, language)))
    data = json.loads(report_json(assessment, charts=[]))
    main = next(section for section in document_of(assessment, (), language).card if section.key == "main")
    for question, answer in main.blocks[0].rows:
        assert bare(answer.text) in text
        assert bare(question.text) in bare(card)
        assert bare(answer.text) in bare(card)
        assert any((a["low"], a["high"]) == answer.exact for a in data["answers"])
    assert bare(main.blocks[0].rows[1][1].text) in text
    assert bare(main.blocks[0].rows[1][1].text) in risk


def test_the_same_result_is_the_same_file():
    first, second = (report_pdf(survey(), charts=["roc"]) for _ in range(2))
    assert first == second
    assert "/CreationDate" not in read(first).metadata  # none was declared, and today's is nobody's business


# ---- any text ------------------------------------------------------------------------------------------------------

MARKUP = '#panic() $x$ *b* _i_ @ref \\ <a> `raw` = [x] // /* \x00 \x07 \ufeff \u202e #import "x" ~ -- \' \u0301'
LONG = "Reallylongtitlewithoutanyspace" * 12
RIGHT_TO_LEFT, CHINESE = "تقييم الخصوصية لبيانات المستشفى", "医院数据的隐私评估 " * 8


def titled(text, **more):
    declared = dl.Declaration(
        purpose=text, decided_by=text, organisation=text, author=text, reference=text, status=text, date=text,
        signatories=(dl.Signatory(name=text, role=text), dl.Signatory(name=text)),
    )  # fmt: skip
    return dl.assess(dl.Laplace(scale=2.0), title=text, declared=declared, **more)


@pytest.mark.parametrize("text", [MARKUP, HOSTILE, "a\nb\t\u2028c\ufffe\ud800", "```\n#x\n```", "label(<x>)"])
def test_what_users_write_stays_text(text):
    reader = read(report_pdf(titled(text, adversary={text: dl.Adversary(prior=0.3)}), charts=["icons"]))
    found = words(reader)
    for part in re.findall(r"[#$*@<\[`]\S+", text):
        assert bare(part) in found
    assert not any(key in reader.trailer["/Root"] for key in ("/OpenAction", "/AA"))
    actions = [a.get_object().get("/A", {}) for page in reader.pages for a in page.get("/Annots", [])]
    assert all(action.get("/S", "/GoTo") == "/GoTo" for action in actions)


def test_long_words_stay_on_the_page():
    reader = read(report_pdf(titled(LONG), charts=[]))
    assert LONG in words(reader)
    edges = []

    def place(text, cm, tm, font, size):
        if text.strip():
            edges.append(times(tm, cm)[4])

    for page in reader.pages:
        page.extract_text(visitor_text=place)
    assert max(edges) < 595 - 40


def without_system_fonts(monkeypatch):
    import typst

    compiled = typst.compile
    monkeypatch.setattr(typst, "compile", lambda *a, **k: compiled(*a, **{**k, "ignore_system_fonts": True}))


@pytest.mark.parametrize("text", [CHINESE, "ಅಂಕಿ ಅಂಶ"])
def test_letters_that_no_font_has_are_refused_in_words(monkeypatch, tmp_path, text):
    without_system_fonts(monkeypatch)
    made = dl.assess(dl.Laplace(scale=2.0), title=text, declared=dl.Declaration(author=text, purpose=text))
    path = tmp_path / "report.pdf"
    path.write_bytes(b"old")
    with pytest.raises(dl.DplensError, match=r"Expected title and author to have only letters .*Noto Sans.*\.html"):
        made.report(path)
    assert path.read_bytes() == b"old"
    made = dl.assess(dl.Laplace(scale=2.0), declared=dl.Declaration(purpose=text))
    with pytest.raises(dl.DplensError, match=r"Expected the text of 'What is published' and .* to have only letters"):
        made.report(path)


def test_other_scripts_are_laid_out_with_fonts_of_the_system():
    for text in (RIGHT_TO_LEFT, CHINESE):
        try:
            reader = read(report_pdf(titled(text), charts=[]))
        except dl.DplensError:
            pytest.skip("no fonts for Arabic or Chinese on this machine")
        assert all(fonts(reader).values())
        assert len(fonts(reader)) > 3


@pytest.mark.verify
@pytest.mark.parametrize("text", [LONG, "A report with a title of many words " * 9])
def test_many_releases_attackers_and_limits_are_laid_out(text):
    limits = [dl.AttackPower(fpr=k / 100).at_most(0.9) for k in range(1, 61)]
    who = {f"{text} {k}": dl.Adversary(prior=k / 25) for k in range(1, 21)}
    releases = [{"mechanism": "laplace", "scale": 50.0 + k, "name": f"{text} {k}"} for k in range(60)]
    scenario = dl.Scenario.of({"title": text, "releases": releases})
    reader = read(report_pdf(scenario.assess(limits=limits, adversary=who), charts=["icons", "posterior"]))
    text = words(reader)
    assert text.count("atmost90%") >= 60
    assert min(all_sizes(reader))[0] >= 7.999


def test_every_block_is_laid_out_anywhere():
    """Also those that no assessment has, on page one and in a section, with nothing in them and without a target."""
    chart = Figure(key="a chart/1", picture=dl.chart("roc", dl.Gaussian(sigma=2.0)), caption="Figure 1. A chart")
    table = Table(key="t", caption="Table 1. Of numbers", heads=("a", "b"), rows=((Cell("x"), Cell("1 %")),))
    blocks = (
        Paragraph(text="First.", role="lead"), Paragraph(text="Last.", role="note"), Bullets(items=("one", "two")),
        Facts(items=(("name", ""),)), Definitions(items=(("word", "meaning"),)), Bullets(items=()), Facts(items=()),
        *(Verdict(mark=mark, word=mark.name, sentences=("Sentence.",)) for mark in Mark),
        Pair(sentence="A pair.", counts=(("before", "1"), ("after", "2"))),
        Signatures(labels=("role", "name", "date", "signature"), lines=(("", ""),)),
        Bullets(items=("only",)),
        See(text="See Figure 1 and Table 9.", links=(("Figure 1", "chart-a chart/1"), ("Table 9", "table-9"))),
        Listing(text="key: value\n\tmore", language="yaml", key="file"), Listing(text=""),
        table, Table(key="empty", caption="Table 2. Empty", heads=("a",), rows=()),
    )  # fmt: skip
    rich, poor = Section(key="s", heading="Rich", blocks=(*blocks, chart)), Section(key="p", heading="Poor")
    first = Section(key="summary", heading="Summary", blocks=blocks, sections=(rich, poor))
    deep = Section(key="d", heading="Deep", number="1", sections=(Section(key="e", heading="Below", sections=(rich,)),))
    labels = Labels(contents="Contents", skip="skip", summary="Summary", colophon="end")
    front = Front(kind="a kind", title="A title", language="en")
    document = Document(front=front, labels=labels, summary=first, sections=(deep, poor))
    found = words(read(pdf.render(document, lambda _: {chart.key: chart.picture.svg(titled=False)})))
    for said in ("First.", "Last.", "two", "meaning", "BROKEN", "A pair.", "signature", "Table 9.", "more", "Empty"):
        assert found.count(bare(said)) >= 3
    empty = Document(front=front, labels=labels, summary=poor, sections=())
    assert "Contents" in words(read(pdf.render(empty, lambda _: {})))


# ---- whole or not there --------------------------------------------------------------------------------------------


def test_a_missing_package_is_answered_with_the_command_that_installs_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(dl.DplensError, match=r"need typst\. Install it with: pip install 'dplens\[report\]'"):
        survey().report(tmp_path / "report.pdf")
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(dl.DplensError, match=r"Cannot write .*no/such/report\.pdf: No such file or directory"):
        survey().report(tmp_path / "no" / "such" / "report.pdf")


def test_a_full_disk_leaves_the_old_file_whole(tmp_path, monkeypatch):
    path = survey().report(tmp_path / "report.pdf")
    before = path.read_bytes()
    opened = os.fdopen

    def full(*args, **more):
        file = opened(*args, **more)
        file.write(b"%PDF-")  # some of it fits
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(dl.DplensError, match=r"Cannot write .*report\.pdf: No space left on device\."):
        survey().report(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["report.pdf"]
