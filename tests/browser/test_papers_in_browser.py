"""The gallery of the papers in a real browser: no error, no request, pictures drawn, readable on any screen."""

import pytest

from dplens.papers import catalogue, gallery
from tests.browser.test_report_in_browser import NARROW, WIDE, Visit

# of every text in every picture: left, right, top, bottom
_BOXES = """
Array.from(document.querySelectorAll('figure svg'), svg =>
  Array.from(svg.querySelectorAll('.mark-text text'), t => {
    const b = t.getBoundingClientRect();
    return [b.left, b.right, b.top, b.bottom];
  }))
"""


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    out = tmp_path_factory.mktemp("papers")
    keys = ("kaissis-2", "kaissis-4", "fondeville-3", "li-examples", "blog")
    gallery.write_gallery(gallery.made([e for key in keys for e in catalogue.asked(key)]), out)
    return out


@pytest.mark.parametrize("name", ["index", "fondeville", "li", "kaissis", "errata"])
@pytest.mark.parametrize(("width", "scheme"), [(WIDE, "light"), (NARROW, "dark")])
def test_page(browser, directory, name, width, scheme):
    visit = Visit(browser, directory / f"{name}.html", width=width, scheme=scheme)
    page = visit.page
    assert visit.errors == []
    assert [url for url in visit.requests if not url.startswith("data:")] == [(directory / f"{name}.html").as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for i in range(page.locator("figure svg").count()):
        figure = page.locator("figure svg").nth(i)
        assert figure.bounding_box()["width"] > 200
        assert figure.locator(".mark-line path").count() >= 1
    ink = page.evaluate("getComputedStyle(document.querySelector('h1')).color")
    assert (ink == "rgb(27, 27, 27)") is (scheme == "light")
    visit.context.close()


@pytest.mark.parametrize("name", ["blog", "kaissis", "fondeville"])
def test_letters_stay_within_their_picture(browser, directory, name):
    """A browser's letters may be wider than those the picture was laid out with."""
    visit = Visit(browser, directory / f"{name}.html")
    edges = visit.page.evaluate(
        "Array.from(document.querySelectorAll('figure svg'), s => s.getBoundingClientRect().right)"
    )
    for edge, labels in zip(edges, visit.page.evaluate(_BOXES), strict=True):
        assert all(right <= edge for _, right, _, _ in labels)
    visit.context.close()


def test_labels_at_the_end_of_lines_do_not_touch(browser, directory):
    visit = Visit(browser, directory / "blog.html")
    boxes = visit.page.evaluate(_BOXES)
    for labels in boxes:
        for i, (left, right, top, bottom) in enumerate(labels):
            for other in labels[:i]:
                assert right < other[0] or left > other[1] or bottom - 3 < other[2] or top + 3 > other[3]
    visit.context.close()


def test_pictures_of_a_pair_stand_side_by_side_and_sentences_fill_a_telephone(browser, directory):
    visit = Visit(browser, directory / "blog.html", width=1100)
    left, right = (visit.page.locator("figure.panel").nth(k).bounding_box() for k in (0, 1))
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    visit.context.close()
    visit = Visit(browser, directory / "blog.html", width=NARROW)
    assert visit.page.locator("table.claims td").first.bounding_box()["width"] > 0.8 * NARROW
    visit.context.close()
