"""The gallery as files, and the command that makes it."""

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dplens import DplensError
from dplens.cli.main import main
from dplens.papers import catalogue, gallery
from dplens.papers.draw import specification, style_of
from dplens.papers.records import Choice, Claim, Figure, Line, Panel, Printed, Scale

VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(HTMLParser):
    """What stands in a page: its elements balanced, its links and ids, its text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.words = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found[k] for k in ("href", "src", "xlink:href") if k in found]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.links += [v for k, v in attrs if k in ("href", "src", "xlink:href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.words.append(data)


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """A small gallery: two papers, five figures."""
    out = tmp_path_factory.mktemp("gallery") / "new" / "papers"
    entries = [
        e for key in ("blog", "kaissis-4", "kaissis-5", "li-examples", "li-theorem-3") for e in catalogue.asked(key)
    ]
    gallery.write_gallery(gallery.made(entries), out)
    return out


def test_files(directory):
    names = {p.name for p in directory.iterdir()}
    assert names == {"index.html", "blog.html", "kaissis.html", "li.html", "errata.html", "figures.json"}


@pytest.mark.parametrize("name", ["index", "blog", "kaissis", "li", "errata"])
def test_pages_are_whole_and_need_nothing_else(directory, name):
    page = Page((directory / f"{name}.html").read_text())
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    for link in page.links:
        file, _, anchor = link.partition("#")
        assert link == "data:," or not re.match(r"\w+:|//", link), link
        if file.endswith(".html"):
            assert (directory / file).is_file(), link
        if anchor and file:
            assert anchor in Page((directory / file).read_text()).ids, link
        elif anchor:
            assert anchor in page.ids, link


def test_printed_numbers_stand_beside_ours(directory):
    text = " ".join(Page((directory / "li.html").read_text()).words)
    assert "0.82" in text
    assert "0.814624" in text
    assert "−0.0054" in text
    assert "matches after correcting a misprint" in text
    assert "does not hold" in text
    assert "Our choice:" in " ".join(Page((directory / "blog.html").read_text()).words)


def test_conditions_stand_beside_their_claims(directory):
    text = " ".join(Page((directory / "blog.html").read_text()).words)
    assert "holds with a condition" in text
    assert "So it is for the worst (ε, δ)-DP mechanism" in text
    index = " ".join(" ".join(Page((directory / "index.html").read_text()).words).split())
    assert "holds with a condition 1 of 5" in index
    assert "If M is (ε, δ)-DP, its trade-off function" in index


def test_every_picture_is_described(directory):
    text = (directory / "kaissis.html").read_text()
    pictures = re.findall(r'<div class="picture" role="img" aria-label="([^"]*)">', text)
    assert len(pictures) == text.count("<svg ") == 2
    assert all(len(description) > 40 for description in pictures)


def test_errata_page_has_all_of_these_papers(directory, every_erratum):
    page = Page((directory / "errata.html").read_text())
    wanted = [e for e in every_erratum if e.paper in ("blog", "kaissis", "li")]
    assert {e.key for e in wanted} <= set(page.ids)
    errs = sum(e.errs for e in wanted)
    assert f"{errs} that err, and {len(wanted) - errs} that are right as they are meant" in " ".join(
        "".join(page.words).split()
    )
    index = " ".join(Page((directory / "index.html").read_text()).words).split("places where the papers err")[1]
    assert index.split()[0] == str(errs)
    assert "4.2786" in " ".join(page.words)


def test_numbers_as_json(directory, every_erratum):
    data = json.loads((directory / "figures.json").read_text())
    examples = next(f for f in data["figures"] if f["key"] == "li-examples")
    assert examples["verdict"] == "matches after correcting a misprint"
    assert examples["printed"][2]["printed"] == "0.82"
    assert examples["printed"][2]["ours"] == pytest.approx(0.8146241)
    assert len(data["errata"]) == sum(e.paper in ("blog", "kaissis", "li") for e in every_erratum)


def hostile():
    evil = '</style><script>alert("x")</script>'
    panel = Panel(
        title=evil,
        x=Scale(title=evil, low=0.0, high=1.0),
        y=Scale(title="y", low=0.0, high=1.0),
        lines=(Line(x=(0.0, 1.0), y=(0.0, 1.0), label=evil),),
    )
    return Figure(
        key="blog-evil",
        name=evil,
        title=evil,
        supports=evil,
        panels=(panel,),
        printed=(Printed(what=evil, printed="1", ours=1.0),),
        claims=(Claim(says=evil, holds=True, found=evil),),
        choices=(Choice(value=(1.0,), says=evil),),
        learned=(evil,),
    )


def test_texts_are_escaped(tmp_path):
    gallery.write_gallery(gallery.Made((hostile(),), ()), tmp_path)
    for name in ("index.html", "blog.html"):
        assert "<script" not in (tmp_path / name).read_text()


def test_pictures_hold_what_was_given():
    panel = hostile().panels[0]
    spec = json.dumps(specification(panel, 3))
    assert '"x": 1.0, "y": 1.0' in spec
    assert '"domain": [0.0, 1.0]' in spec


def test_lines_are_told_apart():
    looks = [style_of(k) for k in range(20)]
    assert len(set(looks)) == 20
    assert len({look.colour for look in looks[:8]}) == 8
    assert style_of(0, bound=True) != style_of(0)


def labels(panel):
    """The words beside a picture and the side they stand on, from top to bottom."""
    drawn = specification(panel, 2)
    marks = [(part["data"]["values"][0], part["mark"]) for part in drawn["layer"] if part["mark"]["type"] == "text"]
    marks.sort(key=lambda item: -item[0]["y"])
    return (
        [mark["text"][0] for _, mark in marks],
        {row["x"] for row, _ in marks},
        "offset" in drawn["layer"][0]["encoding"]["y"]["axis"],
    )


def test_labels_stand_where_lines_are_apart(figures):
    """Of lines that meet on the right at their beginning, beside an axis that leaves them room."""
    attackers = ["0.5, 0.1, 0.2", "0.5, 0.1, 0", "0, 0.1, 0.2", "0.5, 0, 0", "0, 0.1, 0", "0, 0, 0"]
    assert labels(figures["liu-8"].panels[0]) == (attackers, {0.0}, True)
    weights = [f"weight {w:g}" for w in (2, 1.5, 1, 0.8, 0.6, 0.5)]
    assert labels(figures["liu-3"].panels[1]) == (weights, {0.0}, True)
    # where they meet at both ends: on the right, in the order in which they lie between
    noises = ["no noise", "μ = 1", "μ = 0.1", "μ = 0.01"]
    assert labels(figures["fondeville-5"].panels[3]) == (noises, {1.0}, False)


# ---- the command ----------------------------------------------------------------------------------------------------


def run(capsys, *arguments):
    code = main(["reproduce", *arguments])
    found = capsys.readouterr()
    return code, found.out, found.err


def test_list(capsys):
    code, out, _ = run(capsys, "--list")
    assert code == 0
    assert all(entry.key in out for entry in catalogue.ENTRIES)
    code, out, _ = run(capsys, "li", "--list", "--json")
    assert [row["name"] for row in json.loads(out)] == [e.key for e in catalogue.asked("li")]


def test_one_figure_in_the_terminal(capsys):
    code, out, err = run(capsys, "li-examples")
    assert code == 0
    assert "printed 0.82, ours 0.814624 (rounded)" in out
    assert "matches after correcting a misprint" in out
    assert err == ""


def test_one_figure_as_files(capsys, tmp_path):
    code, out, _ = run(capsys, "Kaissis Figure 5", "--output", str(tmp_path / "here"))
    assert code == 0
    assert out.splitlines()[-1] == str(tmp_path / "here" / "index.html")
    assert (tmp_path / "here" / "kaissis.html").is_file()


def test_a_verdict_on_many_says_what_fails(capsys, monkeypatch):
    held = catalogue.asked("blog-envelope")
    monkeypatch.setattr(catalogue, "ENTRIES", tuple(catalogue.asked("kaissis-4") + catalogue.asked("kaissis-5")))
    code, out, _ = run(capsys)
    assert code == 0
    assert "kaissis-4: does not hold: Φ(ψ/2 − ε/ψ) ≤ δ" in out
    monkeypatch.setattr(catalogue, "ENTRIES", tuple(catalogue.asked("kaissis-5")) + held)
    code, out, _ = run(capsys)
    assert code == 0
    assert "blog-envelope: holds with a condition: If M is (ε, δ)-DP" in out


def test_json(capsys):
    code, out, _ = run(capsys, "kaissis-5", "--json")
    assert code == 0
    assert json.loads(out)["figures"][0]["verdict"] == "matches"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("kaisis", "'kaissis'"), ("liu-9", "'liu-"), ("nothing-like-it", "Papers:"), ("", "Papers:"), ("li-55", "'li-5'")],
)
def test_unknown_names_are_answered_with_near_ones(capsys, name, hint):
    code, out, err = run(capsys, name)
    assert code == 2
    assert hint in err
    assert "--list" in err
    assert out == ""


@pytest.mark.parametrize("name", ["kaissis-6", "Kaissis Figure 6", "kaissis fig. 6", "kaissis_fig_6", " KAISSIS  6 "])
def test_names_as_people_write_them(name):
    assert [entry.key for entry in catalogue.asked(name)] == ["kaissis-6"]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Li Table II", "li-examples"),
        ("li example 4", "li-examples"),
        ("Kaissis closing theorem", "kaissis-theorem"),
        ("liu proposition 2", "liu-theorem-7"),
        ("fondeville section 5.2", "fondeville-minimum-mu"),
    ],
)
def test_places_within_another_figure(name, key):
    assert [entry.key for entry in catalogue.asked(name)] == [key]
    known = {entry.key for entry in catalogue.ENTRIES}
    within = catalogue.texts()["within"]
    assert set(within.values()) <= known
    assert not known & set(within)


@pytest.mark.parametrize("paper", catalogue.PAPERS.values(), ids=catalogue.PAPERS)
def test_papers_as_they_are_cited(paper):
    assert {entry.paper for entry in catalogue.asked(paper.short)} == {paper.key}


def test_all_is_everything():
    assert catalogue.asked("All") == catalogue.asked(None) == catalogue.ENTRIES


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a file system that takes no files")
def test_a_file_system_that_takes_nothing_is_found_out_before_the_work(capsys, monkeypatch):
    monkeypatch.setattr(gallery, "made", lambda *_: pytest.fail("worked before it looked"))
    code, _, err = run(capsys, "kaissis-5", "-o", "/proc/papers")
    assert code == 2
    assert "Cannot write /proc/papers" in err


def test_a_file_in_the_way(capsys, tmp_path):
    (tmp_path / "taken").write_text("mine")
    code, _, err = run(capsys, "kaissis-5", "-o", str(tmp_path / "taken"))
    assert code == 2
    assert "directory" in err
    assert (tmp_path / "taken").read_text() == "mine"


def test_no_name_is_no_directory(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, "kaissis-5", "-o", "")
    assert code == 2
    assert "directory" in err
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_further_up(capsys, tmp_path):
    (tmp_path / "taken").write_text("mine")
    code, _, err = run(capsys, "kaissis-5", "-o", str(tmp_path / "taken" / "below"))
    assert code == 2
    assert "Cannot write" in err


def test_interrupted_nothing_is_left(capsys, tmp_path, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(gallery, "picture", stopped)
    code, out, _ = run(capsys, "kaissis-5", "-o", str(tmp_path / "out"))
    assert (code, out) == (130, "")
    assert not (tmp_path / "out").exists()


def test_other_files_of_the_directory_stay(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    found = gallery.made(catalogue.asked("kaissis-5"))
    gallery.write_gallery(found, tmp_path)
    gallery.write_gallery(found, tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_part_is_added_to_the_gallery_that_stands_there(directory, capsys, tmp_path):
    """One figure into a gallery of three papers: nothing of the rest is lost, and it is the same data."""
    target = tmp_path / "papers"
    shutil.copytree(directory, target)
    (target / "kaissis.html").write_text("an older page")
    before = {name: (target / name).read_bytes() for name in ("li.html", "blog.html")}
    code, _, _ = run(capsys, "kaissis-5", "-o", str(target))
    assert code == 0
    assert {name: (target / name).read_bytes() for name in before} == before
    old, new = (json.loads((where / "figures.json").read_text()) for where in (directory, target))
    assert sorted(f["key"] for f in new["figures"]) == sorted(f["key"] for f in old["figures"])
    assert sorted(new["errata"], key=str) == sorted(old["errata"], key=str)
    assert 'id="kaissis-4"' in (target / "kaissis.html").read_text()  # not asked for, and still there
    index = (target / "index.html").read_text()
    assert all(f'href="{paper}.html"' in index for paper in ("blog", "li", "kaissis"))
    # a paper that comes new is named on all pages
    code, _, _ = run(capsys, "liu-theorem-3", "-o", str(target))
    assert code == 0
    assert 'href="liu.html"' in (target / "li.html").read_text()
    for page in target.glob("*.html"):
        assert Page(page.read_text()).open == []


@pytest.mark.parametrize("content", ['{"version": "0.0.1"}', "[]", "no JSON", '{"version": 1', "{}"])
def test_a_gallery_of_another_version_is_not_mixed(capsys, tmp_path, content):
    (tmp_path / "figures.json").write_text(content)
    code, _, err = run(capsys, "kaissis-5", "-o", str(tmp_path))
    assert code == 2
    assert "Cannot add" in err
    assert [p.name for p in tmp_path.iterdir()] == ["figures.json"]


def test_a_page_of_someone_else_stays(capsys, tmp_path):
    (tmp_path / "index.html").write_text("mine")
    code, _, err = run(capsys, "kaissis-5", "-o", str(tmp_path))
    assert code == 2
    assert "index.html that dplens did not write" in err
    assert (tmp_path / "index.html").read_text() == "mine"


def test_a_directory_that_cannot_be_made(tmp_path):
    with pytest.raises(DplensError):
        gallery.write_gallery(gallery.made(catalogue.asked("kaissis-5")), tmp_path / ("long" * 100))


def test_steps_are_counted():
    ticks, told = [], []
    gallery.made(catalogue.asked("kaissis-5"), lambda: ticks.append(1), told.append)
    assert len(ticks) == 1
    assert told == ["kaissis-5", "errata"]
