"""Charts: what is drawn is the frame's data, nothing else; described, told apart without colour, saved offline."""

import itertools
import json
import math
import os
import re
import stat
import sys
from pathlib import Path

import numpy as np
import pytest

import dplens as dl
from dplens.present.charts import export, theme
from dplens.present.charts.parts import _apart, decades
from dplens.present.charts.picture import CHARTS, Picture
from tests.present.test_frames import SEARCHING, ZTest, decision

SNAPSHOT = Path(__file__).parent.parent / "snapshots" / "charts.json"
GAUSSIAN = dl.Gaussian(sigma=2.0)
AUDIT = dl.audit_points([0.01, 0.1, 0.5], [0.1, 0.4, 0.9], n_in=1000, n_out=1000)
OF_A_RELEASE = [kind for kind in CHARTS if kind not in ("leakage", "analyst_power", "feasible", "audit", "comparison")]
X_AND_Y = {
    "roc": ("alpha", "power"),
    "roc_log": ("alpha", "power"),
    "tradeoff": ("alpha", "beta"),
    "precision_recall": ("recall", "precision"),
    "posterior": ("prior", "posterior"),
    "relative_risk": ("alpha", "ratio"),
    "profile": ("epsilon", "delta"),
    "fscore": ("epsilon", "fscore"),
    "power_noise": ("noise", "power"),
    "output_laws": ("output", "probability"),
    "leakage": ("known", "epsilon"),
    "analyst_power": ("effect", "power"),
    "audit": ("alpha", "power"),
}
DRAWN_OTHERWISE = {"icons", "feasible", "comparison"}  # these have tests of their own


def test_every_chart_is_compared_with_its_frame():
    assert set(CHARTS) == set(X_AND_Y) | DRAWN_OTHERWISE
    assert not set(X_AND_Y) & DRAWN_OTHERWISE


def leakage():
    data = dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]], values=[[0, 1], [0, 1]])
    return data.worst(dl.Laplace(scale=1.0))


def every_chart():
    ranges = decision(("gaussian", 1.0, 3.0), ("laplace", 2.0, 1.0), ("other", 0.5, math.inf))
    return {
        **{k: dl.chart(k, GAUSSIAN) for k in OF_A_RELEASE},
        "leakage": dl.chart("leakage", leakage()),
        "analyst_power": dl.chart("analyst_power", ZTest(), mechanism=dl.Gaussian(sigma=0.1)),
        "feasible": dl.chart("feasible", ranges),
        "audit": dl.chart("audit", AUDIT, claim=GAUSSIAN),
    }


@pytest.fixture(scope="module")
def pictures():
    return every_chart()


def drawn_points(spec):
    """Every row of data in a specification."""
    if isinstance(spec, dict):
        values = spec.get("data", {}).get("values", []) if isinstance(spec.get("data"), dict) else []
        yield from values
        for part in spec.values():
            yield from drawn_points(part)
    elif isinstance(spec, list):
        for part in spec:
            yield from drawn_points(part)


def marks(spec):
    if isinstance(spec, dict):
        if isinstance(spec.get("mark"), dict):
            yield spec["mark"]
        for part in spec.values():
            yield from marks(part)
    elif isinstance(spec, list):
        for part in spec:
            yield from marks(part)


@pytest.mark.parametrize("kind", X_AND_Y)
def test_every_point_of_the_frame_is_drawn_as_it_is(pictures, kind):
    x, y = X_AND_Y[kind]
    picture = pictures[kind]
    drawn = {(p.get(x), p.get(y)) for p in drawn_points(picture.spec)}
    log = kind in ("roc_log", "relative_risk", "profile")
    wanted = {(r[x], r[y]) for r in picture.frame.rows if not log or ((r[x] > 0 or x == "epsilon") and r[y] > 0)}
    assert len(wanted) > (1 if kind == "leakage" else 10)
    assert wanted <= drawn


def test_icons_are_all_drawn(pictures):
    drawn = [p for p in drawn_points(pictures["icons"].spec) if "column" in p and isinstance(p["column"], int)]
    assert len(drawn) == 200


def test_ranges_of_noise_are_drawn_as_they_are(pictures):
    drawn = [p for p in drawn_points(pictures["feasible"].spec) if "to" in p]
    assert {(p["noise"], p["to"]) for p in drawn} >= {(1.0, 3.0), (1.0, 2.0)}  # what serves both; what serves neither
    assert "laplace: none; the limits need at least 2, the analyst at most 1." in pictures["feasible"].alt


def test_marked_points_are_the_facts(pictures):
    for kind, x, y in [("roc", "fpr", "power"), ("relative_risk", "fpr", "ratio"), ("profile", "epsilon", "delta")]:
        facts = pictures[kind].frame.facts
        axes = X_AND_Y[kind]
        assert {axes[0]: float(facts[x]), axes[1]: float(facts[y])} in list(drawn_points(pictures[kind].spec))


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.9g}") if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return [rounded(v) for v in value] if isinstance(value, list) else value


def test_chart_data_and_words_are_what_they_were(pictures):
    """Run with DPLENS_UPDATE_SNAPSHOTS=1 to accept what changed, then read the difference."""
    found = {}
    for kind, picture in pictures.items():
        plain = picture.frame.to_dict()
        some = plain["rows"][:: max(len(plain["rows"]) // 8, 1)]
        found[kind] = {"title": picture.title, "alt": picture.alt, "facts": plain["facts"], "some_rows": some}
    found = rounded(found)
    if os.environ.get("DPLENS_UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
    assert found == json.loads(SNAPSHOT.read_text())


def test_alt_texts_are_sentences_with_the_numbers(pictures):
    for kind, picture in pictures.items():
        assert picture.alt.endswith("."), kind
        assert len(re.findall(r"\d", picture.alt)) >= 3, kind
        assert picture.spec["description"] == picture.alt
        assert "{" not in picture.alt
        assert "inf" not in picture.alt.replace("infinite", "")
    assert "at most 3.39 %" in pictures["roc"].alt  # Φ(Φ⁻¹(0.01) + 0.5) = 0.033892…
    assert "10 are right; with it, up to 28" in pictures["icons"].alt


def test_membership_is_named_where_it_is_meant(pictures):
    for kind in OF_A_RELEASE:
        assert pictures[kind].spec["title"]["subtitle"].startswith("about being in the data")
    answers = dl.chart("roc", dl.RandomizedResponse(epsilon=1.0))
    assert "in the data" not in answers.alt
    assert answers.about == "answer"
    value = dl.chart("roc", dl.ValueAbove(mechanism=dl.Laplace(scale=1.0), values=[0, 1, 2], gamma=0.5))
    assert "above the bound" in value.alt


def test_lines_are_told_apart_without_colour(pictures):
    for kind in ("precision_recall", "power_noise", "output_laws", "fscore", "posterior", "analyst_power"):
        lines = [m for m in marks(pictures[kind].spec) if m["type"] == "line"]
        dashes = {}
        for mark in lines:
            dashes.setdefault(mark["color"], set()).add(tuple(mark.get("strokeDash", ())))
        distinct = {next(iter(d)) for d in dashes.values()}
        assert len(distinct) == len(dashes), kind  # another colour has other dashes


def test_colours_are_those_of_the_theme(pictures):
    for picture in pictures.values():
        used = set(re.findall(r"#[0-9a-fA-F]{6}", json.dumps(picture.spec)))
        assert used <= set(theme.COLOURS)


def contrast(first, second):
    """WCAG's contrast ratio of two colours."""

    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_colours_of_text_and_lines_stand_out_on_white():
    for colour in (theme.INK, theme.MUTED, theme.BLUE, theme.GREEN, theme.PURPLE, theme.VIOLET, theme.WINE, theme.NAVY):
        assert contrast(colour, theme.PAPER) >= 4.5
    assert contrast(theme.VERMILLION, theme.PAPER) >= 3.5  # of lines and large marks; labels repeat it beside dashes


BLIND = {  # Machado, Oliveira & Fernandes 2009, complete blindness, on linear RGB
    "none": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def seen(colour, blindness):
    """CIE Lab of a colour as such a reader sees it."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.array(BLIND[blindness]) @ np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array([[0.4339, 0.3762, 0.1899], [0.2126, 0.7152, 0.0722], [0.0177, 0.1095, 0.8728]])
    t = to_xyz @ np.clip(linear, 0, 1)
    x, y, z = np.where(t > 0.008856, np.cbrt(t), 7.787 * t + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("blindness", BLIND)
def test_colours_of_lines_are_told_apart_by_every_reader(blindness):
    """All eight, on white and as the style recolours them for dark screens."""
    light = [style.colour for style in theme.SERIES]
    assert len(set(light)) == len({style.dash for style in theme.SERIES}) == 8
    style = (Path(theme.__file__).parents[1] / "templates" / "style.css").read_text()
    names = [re.search(rf'svg \[stroke="{colour}"\] {{ stroke: var\((--\w+)\)', style)[1] for colour in light]
    dark = [re.findall(rf"{name}: (#\w+)", style)[1] for name in names]
    for colours in (light, dark):
        for first, second in itertools.combinations(colours, 2):
            assert np.linalg.norm(seen(first, blindness) - seen(second, blindness)) > 10, (first, second)


EXTREMES = {
    "epsilon_tiny": dl.Laplace(scale=1000.0),
    "epsilon_50": dl.RandomizedResponse(epsilon=50.0),
    "catastrophic": dl.UniformSampling(mu=1.0, n=5),
    "delta_1e-30": dl.ApproximateDP(epsilon=1.0, delta=1e-30),
    "nothing": dl.Laplace(scale=1.0).repeat(0),
    "everything": dl.ApproximateDP(epsilon=0.0, delta=1.0),
}


@pytest.mark.parametrize(
    ("kind", "release"),
    [
        (kind, release)
        for kind in OF_A_RELEASE
        if kind != "power_noise"
        for release in EXTREMES
        # by default one drawing a frame, and no search for F-scores next to 1
        if SEARCHING or (kind not in ("tradeoff", "roc_log") and (kind, release) != ("fscore", "epsilon_50"))
    ],
)
def test_extreme_releases_have_sound_axes(kind, release):
    settings = {"delta": 1e-30} if kind in ("profile", "fscore") else {}
    spec = dl.chart(kind, EXTREMES[release], **settings).altair(titled=False).to_dict(validate=False)
    text = json.dumps(spec, allow_nan=False)  # no infinity anywhere
    for low, high in re.findall(r'"domain": \[([^,\]]+), ([^,\]]+)\]', text):
        assert float(low) != float(high)


def test_pictures_are_saved_offline_in_every_format(tmp_path):
    """All but HTML, which takes seconds and is opened in the browser by its own test."""
    picture = dl.chart("roc", GAUSSIAN)
    for suffix, begins in [
        (".svg", b"<svg"),
        (".png", b"\x89PNG"),
        (".json", b"{"),
        (".csv", b"alpha,"),
    ]:
        path = picture.save(tmp_path / f"roc{suffix}")
        content = path.read_bytes()
        assert content.lstrip().startswith(begins), suffix
        if suffix == ".svg":
            assert picture.alt in content.decode()
    assert stat.S_IMODE((tmp_path / "roc.svg").stat().st_mode) & 0o044 == 0o044 & ~_umask()
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(f"roc{s}" for s in (".svg", ".png", ".json", ".csv"))


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_ids_of_several_pictures_stay_apart():
    picture = dl.chart("profile", dl.Laplace(scale=1.0))
    first, second = (picture.svg(prefix=p) for p in ("a-", "b-"))
    ids = [set(re.findall(r'\bid="([^"]+)"', s)) for s in (first, second)]
    assert not ids[0] & ids[1]
    for text, known in zip((first, second), ids):
        assert set(re.findall(r"url\(#([^)]+)\)", text)) <= known


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    old = tmp_path / "roc.json"
    old.write_text("as it was")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        dl.chart("roc", GAUSSIAN).save(old)
    assert old.read_text() == "as it was"
    assert [p.name for p in tmp_path.iterdir()] == ["roc.json"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("roc.gif", "Expected the suffix of path to be '.svg' or"),
        ("roc", "Expected the suffix of path"),
        ("nowhere/roc.svg", r"Cannot write .*nowhere/roc.svg: No such file or directory\."),
        ("folder.svg", "Expected path to be the name of a file"),
    ],
)
def test_places_that_cannot_be_written_are_named(tmp_path, path, message):
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(dl.DplensError, match=message):
        dl.chart("roc", GAUSSIAN).save(tmp_path / path)


def test_a_picture_is_drawn_from_its_own_kind_of_frame():
    frame = dl.frame("profile", GAUSSIAN)
    with pytest.raises(
        dl.DplensError, match="Expected frame to be of kind 'roc' for the chart 'tradeoff', got 'profile'"
    ):
        Picture(kind="tradeoff", frame=frame)
    with pytest.raises(dl.DplensError, match="Expected kind to be 'roc' or"):
        dl.chart("bar", GAUSSIAN)
    with pytest.raises(dl.DplensError, match="Expected frame to be a frame"):
        Picture(kind="roc", frame=[1, 2])


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_a_missing_extra_is_answered_with_the_command_that_installs_it(monkeypatch, package):
    picture = dl.chart("roc", GAUSSIAN)
    assert picture.alt  # no extra is needed for the numbers and the words
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(dl.DplensError, match=r"pip install 'dplens\[charts\]'"):
        picture.svg(titled=False)


def test_a_notebook_shows_the_picture_with_its_description():
    shown = dl.chart("tradeoff", GAUSSIAN)._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg")
    assert shown["text/plain"].startswith("Line chart of the attacker's two errors.")


def test_labels_at_the_end_of_lines_are_moved_apart():
    places = _apart([10.0, 11.0, 12.0, 238.0], [13.0] * 4, 240.0)
    assert all(b - a >= 15 for a, b in itertools.pairwise(places))
    assert max(places) <= 246


def test_ticks_of_logarithmic_axes():
    assert decades(1e-6, 1.0) == [10.0**k for k in range(0, -7, -1)]
    assert decades(1.0, 50.0) == [1, 2, 5, 10, 20, 50]
    assert len(decades(1e-300, 1.0)) <= 9


def test_no_picture_leaves_the_machine():
    assert export.FORMATS[0] == ".svg"
    spec = dl.chart("roc", GAUSSIAN).spec
    remote = {**spec, "layer": [{"data": {"url": "https://example.org/x.csv"}, "mark": "point"}]}
    with pytest.raises(ValueError, match=r"(?i)not allowed|url|external"):
        export.svg(remote)


def test_ranges_of_noise_are_told_inwards():
    """Every amount between the two ends as they are printed meets the limit and leaves the power."""
    study = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, bounds=(0, 1))
    limit = dl.RelativeRisk(fpr=0.01).at_most(5)
    decision = dl.privacy_first(
        blatant_ok=False, high_confidence_ok=True, limit=limit, analyst=study, min_power=0.8, families=["gaussian"]
    )
    low, high = re.search(r"sigma from (\S+) to (\S+)\.$", dl.chart("feasible", decision).alt).groups()
    assert limit.met_by(dl.Gaussian(sigma=float(low), sensitivity=0.01, neighbours="replace"))
    assert study.power(dl.Gaussian(sigma=float(high))).low >= 0.8


def test_logarithmic_axes_are_in_percent_throughout(pictures):
    drawn = pictures["roc_log"].svg()
    assert ">0.0001 %<" in drawn
    assert "1e-6" not in drawn


def test_labels_of_neighbouring_points_do_not_cover_each_other():
    chain = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.2, 0.8]], values=[0, 1], length=24)
    picture = dl.chart("leakage", chain.worst(dl.Laplace(scale=10.0)))
    labelled = [p["known"] for mark, p in _texts(picture.spec) if re.fullmatch(r"[\d.]+", str(mark["text"]))]
    assert len(labelled) >= 2
    assert min(b - a for a, b in itertools.pairwise(sorted(labelled))) * 380 / 24 >= 28  # pixels


def _texts(spec):
    """Every mark of text with its point."""
    if isinstance(spec, dict):
        mark = spec.get("mark")
        if isinstance(mark, dict) and mark.get("type") == "text" and "values" in spec.get("data", {}):
            yield mark, spec["data"]["values"][0]
        for part in spec.values():
            yield from _texts(part)
    elif isinstance(spec, list):
        for part in spec:
            yield from _texts(part)


def test_a_person_who_is_replaced_is_not_drawn_as_absent():
    added, replaced = (dl.chart("output_laws", dl.Laplace(scale=1.0, neighbours=n)) for n in ("add_remove", "replace"))
    assert "without the person" in added.alt
    assert "with another person instead, and with the person" in replaced.alt


def test_the_laws_are_named_by_the_unit_and_nothing_stands_beside_a_long_name():
    drawn = dl.chart("output_laws", dl.Laplace(scale=1.0, neighbours="replace"), unit="hospital admission of a patient")
    heights = {str(mark["text"]): point["probability"] for mark, point in _texts(drawn.spec)}
    assert "with another hospital admission of a patient instead" in heights
    assert "with the hospital admission of a patient" in heights
    assert len(set(heights.values())) == len(heights) == 3
    assert "person" not in str(drawn.spec)


def test_numbers_above_neighbouring_points_do_not_touch():
    model = dl.MarkovData(initial=[0.5, 0.5], transition=[[0.8, 0.2], [0.2, 0.8]], length=24)
    drawn = dl.chart("leakage", model.worst(dl.Laplace(scale=10.0))).svg()
    places = re.findall(r'aria-label="known: \d+;[^>]*text-anchor="middle" transform="translate\(([\d.]+),', drawn)
    assert len(places) >= 2
    assert all(b - a >= 36 for a, b in itertools.pairwise(sorted(map(float, places))))


def test_what_is_not_shown_is_told_above_the_lines():
    spec = dl.chart("output_laws", dl.Laplace(scale=1.0).fails_with(0.3)).spec
    told = [layer for layer in spec["layer"] if "not shown" in str(layer["mark"].get("text", ""))]
    top = told[0]["encoding"]["y"]["scale"]["domain"][1]
    at = told[0]["data"]["values"] if "values" in told[0]["data"] else spec["datasets"][told[0]["data"]["name"]]
    assert at[0]["probability"] > top


def test_a_thousand_is_written_in_one_way():
    picture = dl.chart("icons", dl.Laplace(scale=10.0), prior=0.1, fpr=0.01)
    assert picture.title.startswith("Of 1,000 named")
    assert picture.alt.startswith("Two arrays of 1,000 named")


def test_words_on_the_feasible_range_have_room_and_an_empty_one_no_choice():
    study = dl.MeanTest(n=30, sd=0.25, effect=0.2, bounds=(0, 1))
    limit = dl.RelativeRisk(fpr=0.01).at_most(2.0)
    made = dl.privacy_first(blatant_ok=False, high_confidence_ok=True, limit=limit, analyst=study, min_power=0.8)
    drawn = dl.chart("feasible", made).svg()
    empty = sum(row["empty"] for row in dl.frame("feasible", made).rows)
    assert empty == 1
    assert drawn.count('aria-roledescription="point"') == len(made.options) - empty
    found = re.findall(r'text-anchor="middle" transform="translate\(([\d.]+),([\d.]+)\)"[^>]*>([a-z; ]{8,})<', drawn)
    assert {"too little for the limits on risk", "too much for the analyst"} < {said for _, _, said in found}
    for (x, y, said), (other_x, other_y, other) in itertools.combinations(found, 2):
        if abs(float(y) - float(other_y)) < 8:
            assert abs(float(x) - float(other_x)) > 2.4 * (len(said) + len(other))


def test_a_range_that_is_empty_for_one_side_alone_is_drawn():
    weak = dl.MeanTest(n=15, sd=0.25, effect=0.2, level=0.01, bounds=(0, 1))
    never = dl.utility_first(weak, min_power=0.999)
    assert never.feasible.empty
    assert 0.0 not in never.feasible
    picture = dl.chart("feasible", never)
    assert "gaussian: none; even without noise the analyst has too little power." in picture.alt
    assert "too much for the analyst" in picture.svg()
    unmet = dl.chart("feasible", dl.utility_first(weak, min_power=0.5, limit=dl.Epsilon(delta=0.0).at_most(1.0)))
    assert "gaussian: none; no amount meets the limits." in unmet.alt  # Gaussian noise has no pure epsilon
    assert unmet.svg().count("no amount serves both") == 3


def test_pictures_are_put_together():
    alt = pytest.importorskip("altair")
    roc, other = (dl.chart("roc", m) for m in (dl.Gaussian(sigma=2.0), dl.Laplace(scale=1.0)))
    icons = dl.chart("icons", dl.Laplace(scale=1.0))
    beside, above = roc.altair() | icons.altair(), roc.altair() & icons.altair()
    over = alt.layer(roc.altair(), other.altair())
    for together, key in ((beside, "hconcat"), (above, "vconcat"), (over, "layer"), (roc.altair() + over, "layer")):
        spec = together.configure(**roc.config).to_dict()
        assert len(spec[key]) > 1
        assert spec["config"]["font"] == roc.spec["config"]["font"]
    roc.config["axis"].clear()  # a copy: pictures look as before
    assert roc.config["axis"]


SEVERAL = {"Laplace": dl.Laplace(scale=2.0), "Gaussian": GAUSSIAN, "ten counts": dl.Geometric(scale=2.0).repeat(10)}
OVERLAID = ("roc", "roc_log", "tradeoff", "precision_recall", "posterior", "relative_risk", "profile", "fscore")


@pytest.mark.parametrize("kind", OVERLAID)
def test_several_releases_are_drawn_in_one_picture(kind):
    """Each with the points of its own picture, its name, its dashes, and its number in the description."""
    together, settings = dl.chart(kind, SEVERAL), {"priors": [0.1]} if kind in ("precision_recall", "posterior") else {}
    x, y = X_AND_Y[kind]
    drawn = {(p.get(x), p.get(y)) for p in drawn_points(together.spec)}
    for name, release in SEVERAL.items():
        alone = dl.chart(kind, release, **settings)
        rows = [row for row in alone.frame.rows if row.get("series") != "guarantee"]
        log = kind in ("roc_log", "relative_risk", "profile")
        assert {(r[x], r[y]) for r in rows if not log or ((r[x] > 0 or x == "epsilon") and r[y] > 0)} <= drawn
        assert f'"{name}": ' in together.alt
        assert any(name in str(mark.get("text")) for mark in marks(together.spec))
    dashes = [tuple(m.get("strokeDash", ())) for m in marks(together.spec) if m["type"] == "line"]
    assert len(set(dashes)) >= 3
    assert {row["release"] for row in together.frame.rows} == set(SEVERAL)
    assert together.frame.to_csv().startswith("release,")
    json.dumps(together.frame.to_dict())


def test_releases_are_compared_in_one_picture_in_every_language():
    for language in ("en", "de", "fr"):
        picture = dl.chart("comparison", SEVERAL, fpr=0.01, language=language)
        assert picture.svg()
        assert all(name in picture.alt for name in SEVERAL)
    assert [row["power"] for row in picture.frame.rows] == [
        float(dl.AttackPower(fpr=0.01).of(release)) for release in SEVERAL.values()
    ]


def test_an_assessment_is_drawn_as_its_release():
    assessed = dl.assess(GAUSSIAN, n=1000)
    assert dl.chart("roc", {"A": assessed}).alt == dl.chart("roc", {"A": GAUSSIAN}).alt
    assert dl.chart("roc", assessed).alt == dl.chart("roc", GAUSSIAN).alt


@pytest.mark.parametrize(
    ("kind", "releases", "settings", "message"),
    [
        ("icons", SEVERAL, {}, "Expected the kind of a chart of several releases to be 'comparison' or 'roc'"),
        ("roc", {}, {}, "Expected target to have from 1 to 8 releases, got 0"),
        ("roc", {str(i): GAUSSIAN for i in range(9)}, {}, "from 1 to 8 releases, got 9"),
        ("roc", {1: GAUSSIAN}, {}, "Expected a release's name to be a text"),
        ("posterior", SEVERAL, {"priors": [0.1, 0.5]}, "Expected priors to be one prior where several releases"),
        ("comparison", GAUSSIAN, {}, "Expected target to be several releases by their names"),
        ("roc", {"A": GAUSSIAN, "B": dl.RandomizedResponse(epsilon=1.0)}, {}, "tell different things apart"),
    ],
)
def test_releases_that_cannot_be_drawn_together_are_refused(kind, releases, settings, message):
    with pytest.raises(dl.DplensError, match=message):
        dl.chart(kind, releases, **settings)


def test_the_operating_point_is_marked_on_every_line(pictures):
    spec, facts = pictures["precision_recall"].spec, pictures["precision_recall"].frame.facts
    drawn = list(drawn_points(spec))
    assert all({"recall": float(facts["power"]), "precision": float(p)} in drawn for p in facts["marked"])
    assert float(facts["marked"][1]) == pytest.approx(0.1 * facts["power"] / (0.1 * facts["power"] + 0.9 * 0.01))


def test_text_is_legible_in_print(pictures):
    """A picture is printed in its own size, where 11 of its pixels are 8.25 points, and fits the page."""
    for kind, picture in pictures.items():
        drawn = picture.svg(titled=False)
        sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)px"', drawn)]
        assert min(sizes) * 0.75 >= 8, kind
        assert float(re.search(r'width="([\d.]+)"', drawn)[1]) <= 680, kind  # 180 mm


def test_releases_without_any_guarantee_are_drawn_beside_others():
    releases = {"all": dl.ApproximateDP(epsilon=0.0, delta=1.0), "none": dl.Laplace(scale=1.0).repeat(0)}
    for kind in OVERLAID:
        picture = dl.chart(kind, releases)
        assert picture.svg()
        assert picture.alt.count('": ') == 2
    many = {f"release {i}": dl.Laplace(scale=i) for i in range(1, 9)}
    assert all(f'"{name}"' in dl.chart("comparison", many).alt for name in many)
