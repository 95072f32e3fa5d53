"""Reports and pictures in a real browser: no error, no request, charts drawn, readable light and dark, on paper too."""

import re

import pytest

import dplens as dl
from dplens.present.report import report_html, write_report
from tests.examples import EXAMPLES, assessed
from tests.present.reports import office
from tests.present.test_report import HOSTILE

WIDE, NARROW = 1100, 390


class Visit:
    """A page opened from a file, and everything that happened meanwhile."""

    def __init__(self, browser, path, *, width=WIDE, scheme="light"):
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.errors, self.requests, self.dialogs = [], [], []
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.on("dialog", lambda d: (self.dialogs.append(d.message), d.dismiss()))
        # whatever would leave the machine is stopped, and counted
        self.page.route(re.compile("^(?!file:)(?!data:)"), lambda route: route.abort())
        self.page.goto(path.as_uri(), wait_until="load")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return office().report(tmp_path_factory.mktemp("report") / "report.html")


@pytest.fixture(scope="module")
def visit(browser, path):
    found = Visit(browser, path)
    yield found
    found.context.close()


def test_nothing_goes_wrong_and_nothing_leaves_the_machine(visit, path):
    assert visit.errors == []
    assert [url for url in visit.requests if not url.startswith("data:")] == [path.as_uri()]


def test_charts_are_drawn(visit):
    figures = visit.page.locator("figure")
    assert figures.count() >= 9
    for i in range(figures.count()):
        box = figures.nth(i).locator("svg").bounding_box()
        assert box["width"] > 200
        assert box["height"] > 100
        marks = figures.nth(i).locator("svg .mark-line path, svg .mark-symbol path, svg .mark-rule line")
        assert marks.count() >= 1


def test_no_text_of_a_picture_is_cut_off(visit):
    """Every label of every picture lies inside the page, and no two labels at the end of lines touch."""
    boxes = visit.page.evaluate(
        """() => [...document.querySelectorAll('figure')].map(f => ({
            id: f.id,
            texts: [...f.querySelectorAll('svg .role-mark.mark-text text')].map(
                t => ({text: t.textContent, ...t.getBoundingClientRect().toJSON()})).filter(b => b.width > 0)
        }))"""
    )
    assert sum(len(f["texts"]) for f in boxes) > 15
    for figure in boxes:
        texts = figure["texts"]
        for a in texts:
            assert a["left"] >= 0, (figure["id"], a)
            assert a["right"] <= WIDE, (figure["id"], a)
        for i, a in enumerate(texts):
            for b in texts[i + 1 :]:
                across = min(a["right"], b["right"]) - max(a["left"], b["left"])
                down = min(a["bottom"], b["bottom"]) - max(a["top"], b["top"])
                assert across < 2 or down < 4, (figure["id"], a["text"], b["text"])


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_the_page_fits_its_window(browser, path, width):
    found = Visit(browser, path, width=width)
    assert found.page.evaluate("document.documentElement.scrollWidth") <= width
    found.context.close()


def test_dark_screens_get_dark_pages_and_pictures(browser, path):
    def colours(scheme):
        found = Visit(browser, path, scheme=scheme)
        look = """() => {
            const line = document.querySelector('#chart-roc svg path[stroke="#0072b2"]');
            const label = document.querySelector('#chart-roc svg text[fill="#1b1b1b"]');
            return [getComputedStyle(document.body).backgroundColor, getComputedStyle(line).stroke,
                    getComputedStyle(label).fill];
        }"""
        out = found.page.evaluate(look)
        found.context.close()
        return out

    light, dark = colours("light"), colours("dark")
    assert light == ["rgb(255, 255, 255)", "rgb(0, 114, 178)", "rgb(27, 27, 27)"]
    assert dark == ["rgb(23, 25, 28)", "rgb(86, 180, 233)", "rgb(233, 233, 234)"]


def test_it_prints_on_a4(browser, path, tmp_path):
    found = Visit(browser, path, scheme="dark")  # paper stays white
    printed = found.page.pdf(prefer_css_page_size=True)
    found.page.emulate_media(media="print")
    assert found.page.evaluate("getComputedStyle(document.body).backgroundColor") in ("rgb(255, 255, 255)",)
    assert found.page.get_by_role("navigation").is_visible()  # contents
    found.context.close()
    sizes = set(re.findall(rb"/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)", printed))
    assert {(round(float(w)), round(float(h))) for w, h in sizes} <= {(595, 842), (594, 842), (595, 841), (596, 842)}
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert 5 <= pages <= 16


def test_it_can_be_read_without_seeing_it(visit):
    """What a screen reader gets: one heading first, pictures by their descriptions, tables by their captions."""
    page = visit.page
    assert page.get_by_role("heading", level=1).count() == 1
    images = page.get_by_role("img")
    assert images.count() >= 9
    assert page.get_by_role("img", name=re.compile("at most")).count() >= 5
    assert page.get_by_role("table", name=re.compile("All answers")).count() == 1
    assert page.get_by_role("navigation").count() == 1


@pytest.mark.parametrize(("width", "scheme"), [(WIDE, "light"), (NARROW, "light"), (NARROW, "dark")])
def test_axe_finds_nothing(browser, path, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    found = Visit(browser, path, width=width, scheme=scheme)
    violations = axe.Axe().run(found.page).response["violations"]
    found.context.close()
    assert [(v["id"], [node["target"] for node in v["nodes"]][:3]) for v in violations] == []


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("example", ["hospital-mean", "dpsgd-training", "correlated-sensors"])
def test_the_summary_fits_one_page(browser, tmp_path, example, language):
    made = assessed(next(path for path in EXAMPLES if path.stem == example))
    path = write_report(made, tmp_path / "r.html", charts=["icons"], language=language)
    found = Visit(browser, path, width=680)  # A4 between its margins, on which nothing else stands
    found.page.emulate_media(media="print")
    bottom = found.page.evaluate("document.querySelector('#summary').getBoundingClientRect().bottom")
    found.context.close()
    assert bottom <= (297 - 11 - 13) / 25.4 * 96


def test_letters_of_pictures_have_eight_points_on_paper(browser, path):
    found = Visit(browser, path, width=680)
    found.page.emulate_media(media="print")
    sizes = found.page.evaluate(
        """() => [...document.querySelectorAll('figure svg')].flatMap(s => {
            const scale = s.getBoundingClientRect().width / s.viewBox.baseVal.width;
            return [...s.querySelectorAll('text')].map(
                t => [parseFloat(getComputedStyle(t).fontSize) * scale * 72 / 96, s.closest('figure').id]);
        })"""
    )
    found.context.close()
    assert len(sizes) > 100
    assert min(sizes)[0] >= 8, min(sizes)


LONG = "Reallylongtitlewithoutanyspace" * 12
RIGHT_TO_LEFT, CHINESE = "تقييم الخصوصية لبيانات المستشفى", "医院数据的隐私评估 " * 8


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("text", [LONG, RIGHT_TO_LEFT, CHINESE])
def test_any_title_and_any_name_are_laid_out(browser, tmp_path, text, width):
    declared = dl.Declaration(
        purpose=text, decided_by=text, organisation=text, author=text, reference=text, status=text,
        signatories=(dl.Signatory(name=text, role=text), dl.Signatory(name=text)),
    )  # fmt: skip
    limits = [dl.AttackPower(fpr=k / 100).at_most(0.9) for k in range(1, 61)]
    who = {f"{text} {k}": dl.Adversary(prior=k / 25) for k in range(1, 21)}
    a = dl.assess(dl.Laplace(scale=2.0), title=text, declared=declared, limits=limits, adversary=who)
    path = write_report(a, tmp_path / "r.html", charts=["icons"])
    found = Visit(browser, path, width=width)
    assert found.page.evaluate("document.documentElement.scrollWidth") <= width
    assert " ".join(text.split()) in found.page.locator("h1").inner_text()
    assert found.page.evaluate("document.querySelectorAll('#table-limits-short tbody tr').length") == 4
    assert found.page.evaluate("document.querySelectorAll('#table-limits tbody tr').length") == 60
    found.context.close()
    card = write_report(a, tmp_path / "r.md").read_text()
    assert len(card.splitlines()) <= 60


def test_what_users_write_does_nothing_in_the_browser(browser, tmp_path):
    a = dl.assess(dl.Laplace(scale=2.0), title=HOSTILE, declared=dl.Declaration(purpose=HOSTILE))
    path = tmp_path / "hostile.html"
    path.write_text(report_html(a, charts=["roc"]))
    found = Visit(browser, path)
    assert (found.errors, found.dialogs) == ([], [])
    assert len(found.requests) == 1
    assert "alert(1)" in found.page.locator("h1").inner_text()
    found.context.close()


def test_the_title_of_saved_icons_is_whole(browser):
    page = browser.new_page()
    page.set_content(dl.chart("icons", dl.Gaussian(sigma=2.0).repeat(3)).svg())
    ends = "[...document.querySelectorAll('svg, svg text')].map(t => t.getBoundingClientRect().right)"
    picture, *words = page.evaluate(ends)
    assert max(words) <= picture
    page.close()


def test_a_picture_saved_as_html_draws_itself_offline(browser, tmp_path):
    path = dl.chart("roc", dl.Gaussian(sigma=2.0)).save(tmp_path / "roc.html")
    assert not re.search(r"<(script[^>]+src|link[^>]+href)=", path.read_text())
    found = Visit(browser, path)
    found.page.wait_for_selector("svg, canvas", timeout=20_000)
    assert found.errors == []
    assert [url for url in found.requests if not url.startswith(("data:", "blob:"))] == [path.as_uri()]
    found.context.close()


def test_pictures_are_whole_on_a_telephone(browser, path):
    """No picture is wider than the screen: neither the second of two arrays nor a label has to be looked for."""
    found = Visit(browser, path, width=360)
    edges = found.page.evaluate(
        "[...document.querySelectorAll('figure svg')].map(s => s.getBoundingClientRect().right)"
    )
    assert len(edges) >= 9
    assert max(edges) <= 360
    found.context.close()


def test_no_column_is_cut_off_on_paper(browser, path):
    found = Visit(browser, path, width=680)  # A4 between its margins
    found.page.emulate_media(media="print")
    wide = found.page.evaluate(
        """() => [...document.querySelectorAll('table')].map(t => t.getBoundingClientRect().right)"""
    )
    assert len(wide) >= 8
    assert max(wide) <= 680
    found.context.close()
