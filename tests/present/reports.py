"""Assessments that the tests of reports share, and a reader of pages."""

import re
from html.parser import HTMLParser

import dplens as dl


def office():
    """A statistical office: a count, a named attacker, related records, limits kept and exceeded, a test."""
    return dl.assess(
        dl.Laplace(scale=2.0),
        n=48_200,
        unit="resident",
        title="Residents by street",
        adversary={"a neighbour": dl.Adversary(prior=0.3)},
        limits=[dl.Advantage().at_most(0.3), dl.AttackPower(fpr=0.001).at_most(0.001)],
        data=dl.DiscreteData(joint=[[0.4, 0.1], [0.1, 0.4]], values=[[0, 1], [0, 1]]),
        analyst={"are streets growing": dl.Analysis(test=dl.MeanTest(n=400, sd=20.0, effect=5.0), min_power=0.8)},
        declared=dl.Declaration(purpose="planning of schools", decided_by="the board"),
    )


def training():
    return dl.assess(dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=500), n=60_000, title="Training")


def survey():
    return dl.assess(dl.RandomizedResponse(epsilon=1.0), n=1000, title="A survey")


def in_clear():
    return dl.assess(dl.UniformSampling(mu=1.0, n=5), title="One record in clear")


class Page(HTMLParser):
    """The parts of a page that the tests look at."""

    def __init__(self, text):
        super().__init__()
        self.cells, self.headings, self.sentences, self.pictures, self.ids, self.tags = [], [], {}, [], [], []
        self.facts, self.known, self.captions = "", {}, []
        self._open, self._cell, self._name = [], None, ""
        self.feed(re.sub(r'<span class="u">([^<]*)</span>', r"\1", text))  # only keeps a number in one line

    @property
    def section(self):
        return next((i for tag, i in reversed(self._open) if tag == "section" and i), "")

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append((tag, given))
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "td":
            self._cell = {**given, "text": "", "section": self.section}
            self.cells.append(self._cell)
        if given.get("role") == "img":
            self.pictures.append({**given, "section": self.section})
        if tag not in ("meta", "link", "br"):
            self._open.append((tag, given.get("id") or given.get("class")))

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass
        if tag == "td":
            self._cell = None

    def handle_data(self, data):
        text = " ".join(data.split())
        if not text:
            return
        tags = [tag for tag, _ in self._open]
        if self._cell is not None and "small" not in tags:
            self._cell["text"] += text
        elif tags[-1] in ("h1", "h2", "h3"):
            self.headings.append((tags[-1], text))
        elif tags[-1] == "caption":
            self.captions.append(text)
        elif tags[-1] == "dt" and self.section == "numbers":
            self._name = text
        elif tags[-1] == "dd" and self.section == "numbers":
            self.known[self._name] = text
        elif tags[-1] in ("p", "li") and "svg" not in tags and self._open[-1][1] != "see":
            self.sentences.setdefault(self.section, []).append(text)
        if ("dl", "facts") in self._open:
            self.facts += " " + text
