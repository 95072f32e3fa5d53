"""What the tests of texts share: every text with every choice in it, and how hard sentences are to read."""

import re
from functools import lru_cache

import pyphen
from fluent.syntax import FluentParser, ast

from dplens.present.words.language import language

# What stands for a variable in the texts; every other is a short number.
SAMPLES = {
    "unit": "person",
    "name": "Anna",
    "question": "epsilon at delta 1e-6",
    "routes": "exact",
    "rough": "epsilon",
    "what": "Numbers with noise",
    "why": "no",
    "place": "sigma",
    "file": "report.html",
    "missing": "Why",
    "value": "7",
    "known": "1 and 2",
    "decided_by": "the board",
    "sentences": "",
    "said": "",
    "more": "",
    "tail": "",
    "verdict": "",
    "limits": "3 of 100 and 24 of 100",
    "priors": "1 %, 10 % and 50 %",
    "values": "n = 500",
    "planned": "n",
    "first": "one person",
    "second": "one household",
}


def parsed(code="en"):
    """The messages of a language, by key."""
    parser = FluentParser()
    out = {}
    for key, source in language(code).entries.items():
        (entry,) = parser.parse(source).body
        assert isinstance(entry, (ast.Message, ast.Term)), (code, key, source)
        out[key] = entry
    return out


def patterns(entry):
    """The texts of a message: its value and its attributes."""
    return [part for part in (entry.value, *(a.value for a in entry.attributes)) if part is not None]


def nodes(node):
    """A node of the syntax and all below it."""
    yield node
    for value in vars(node).values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.BaseNode):
                yield from nodes(one)


def variables(key, entries):
    """The variables of a message, those of messages in it included."""
    found, seen = set(), set()

    def collect(name):
        if name in seen or name not in entries:
            return
        seen.add(name)
        for node in nodes(entries[name]):
            if isinstance(node, ast.VariableReference):
                found.add(node.id.name)
            if isinstance(node, ast.MessageReference):
                collect(node.id.name)

    collect(key)
    return found


def every_text(key, entries):
    """A message with every choice in it; the same question is answered in the same way throughout."""
    return {text for part in patterns(entries[key]) for text, _ in _expanded(part, entries, {})}


def _expanded(pattern, entries, chosen):
    texts = [("", chosen)]
    for element in pattern.elements:
        texts = [(text + more, then) for text, now in texts for more, then in _one(element, entries, now)]
    return texts


def _one(element, entries, chosen):
    if isinstance(element, ast.TextElement):
        return [(element.value.replace("\n", " "), chosen)]
    return _value(element.expression, entries, chosen)


def _value(node, entries, chosen):
    if isinstance(node, ast.Placeable):
        return _value(node.expression, entries, chosen)
    if isinstance(node, ast.SelectExpression):
        return _chosen(node, entries, chosen)
    if isinstance(node, ast.MessageReference):
        return _expanded(entries[node.id.name].value, entries, chosen)
    if isinstance(node, ast.VariableReference):
        return [(SAMPLES.get(node.id.name, "5"), chosen)]
    if isinstance(node, ast.FunctionReference):
        unit = {"PLURAL": "people", "ARTICLE": "a person", "UNIT": "Person"}
        return [(unit.get(node.id.name, "5 %"), chosen)]
    return [(node.parse()["value"] if isinstance(node, ast.Literal) else "", chosen)]


def _chosen(node, entries, chosen):
    asked = repr(node.selector.to_json()["id"]["name"]) if hasattr(node.selector, "id") else ""
    out = []
    for variant in node.variants:
        name = getattr(variant.key, "name", None) or variant.key.value
        if chosen.get(asked, name) == name:
            out += _expanded(variant.value, entries, {**chosen, asked: name})
    if not out:  # the default stands for what is not listed
        (default,) = (v for v in node.variants if v.default)
        out = _expanded(default.value, entries, chosen)
    return out


# ---- how hard a text is to read ----------------------------------------------------------------------------------

_PYPHEN = pyphen.Pyphen(lang="en_US")


def sentences(text):
    """The sentences of a text, without brackets around them."""
    split = re.split(r"(?<=[.?!])\)?\s+\(?(?=[A-Z(0-9])", text.strip().strip("()"))
    return [one for one in split if re.search("[A-Za-z]", one)]


def words(text):
    """The words of a text; a number is one."""
    return [w for w in re.findall(r"[A-Za-z'é]+|\d[\d.,e-]*", text) if w != "'"]


@lru_cache(None)
def syllables(word):
    return 1 if word[0].isdigit() else len(_PYPHEN.positions(word)) + 1


def flesch(text):
    """Flesch's reading ease."""
    parts, all_words = sentences(text), words(text)
    return 206.835 - 1.015 * len(all_words) / len(parts) - 84.6 * sum(map(syllables, all_words)) / len(all_words)
