"""What the survey found, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from benchmarks.asking import FPR, OTHERS, QUESTIONS
from benchmarks.report import pretty, table, times
from benchmarks.survey import CAP, Compared, Found
from benchmarks.timing import Footprint

HEADING = "## Survey"
LIMITS = dict.fromkeys(QUESTIONS, 0.5) | {"assess": 1.0}  # seconds
WIDTH = 1e-6  # relative, of our brackets
LEAST_RATIO, AT_ONCE = 3.0, 5e-3  # times as fast as any peer, except where ours takes no longer than this
MEMORY = 50e6  # bytes above import
NAMES = {
    "epsilon": "epsilon",
    "power": f"power at {FPR:g}",
    "curve": "1000-point curve",
    "auc": "AUC",
    "assess": "assess",
}
SHARES = (0, 10, 50, 90, 100)  # percent of the settings that lie below


def with_survey(document: str, lines: list[str]) -> str:
    """The document with these lines as its last section."""
    return document.partition(f"\n{HEADING}\n")[0].rstrip("\n") + "\n\n" + "\n".join(lines) + "\n"


def survey_section(document: str) -> str:
    """The section as it stands in a document, so that it can be kept; nothing if there is none."""
    _, heading, body = document.partition(f"\n{HEADING}\n")
    return heading + body


def survey_lines(rows: list[Compared], memory: dict[str, Footprint | str], workers: int = 1) -> list[str]:
    """The whole section; workers: how many settings were asked about at once."""
    families = Counter(row.setting.family for row in rows)
    listed = ", ".join(f"{family} ({count})" for family, count in families.items())
    return [
        HEADING,
        "",
        f"Written by `make survey` in one run; do not edit. {len(rows)} settings: {listed}.",
        "",
        "Each question is asked of a new description of the release with empty caches, in an interpreter that has",
        "imported everything; peers are warm too. Times are seconds of the processor, of which all use one; quick",
        "answers are medians of up to five runs. Every single time, answer and width is in [survey.tsv](survey.tsv).",
        f"What takes longer than {CAP:g} s is stopped, ours and peers alike. Settings asked about at once: {workers}.",
        *_time_lines(rows),
        *_ratio_lines(rows),
        *_family_lines(rows),
        *_width_lines(rows),
        *_peer_lines(rows),
        *_memory_lines(memory),
    ]


# ---- ours -----------------------------------------------------------------------------------------------------------


def _time_lines(rows: list[Compared]) -> list[str]:
    body = []
    for question in QUESTIONS:
        found = [row.ours[question] for row in rows]
        seconds = [f.seconds for f in found if f.seconds is not None]
        slow = sum(f.seconds is None or f.seconds > LIMITS[question] for f in found)
        spread = [pretty(s) for s in _spread(seconds)]
        stopped = sum(f.stopped for f in found)
        failed = sum(f.seconds is None for f in found)
        limit = pretty(LIMITS[question])
        body.append([NAMES[question], *spread, limit, str(slow), str(stopped), str(failed)])
    heads = ["question", *_heads(), "limit:", "above it:", "stopped:", "no answer:"]
    slowest = sorted(
        ((row, q) for row in rows for q in QUESTIONS), key=lambda pair: _badness(pair[0].ours[pair[1]], pair[1])
    )[:10]
    worst = [[row.setting.family, row.setting.name, NAMES[q], _took(row.ours[q])] for row, q in slowest]
    return [
        *("", "### Our times", "", "Over all settings; the limits are what is promised.", ""),
        *table(heads, body),
        *("", "The ten slowest, by their limit:", ""),
        *table(["family", "setting", "question", "time:"], worst),
    ]


def _badness(found: Found, question: str) -> float:
    return -(found.seconds / LIMITS[question] if found.seconds is not None else np.inf)


def _width_lines(rows: list[Compared]) -> list[str]:
    body, wide = [], []
    for question in QUESTIONS[:-1]:
        widths = [(row.ours[question].width, row) for row in rows]
        known = [width for width, _ in widths if width is not None]
        above = sum(width > WIDTH for width in known)
        body.append([NAMES[question], *(f"{width:.0e}" for width in _spread(known)), str(above)])
        wide += [(width, row, question) for width, row in widths if width is not None and width > WIDTH]
    wide.sort(key=lambda entry: -entry[0])
    listed = [[row.setting.family, row.setting.name, NAMES[q], f"{width:.0e}"] for width, row, q in wide[:10]]
    note = [
        "Relative to the epsilon; for probabilities to the value or its complement, whichever is less (for curves the",
        "widest of the points, down to a false-positive rate of 1e-9).",
    ]
    lines = ["", "### Widths of our brackets", "", *note, ""]
    lines += table(["question", *_heads(), f"above {WIDTH:g}:"], body)
    if listed:
        lines += ["", "The widest:", "", *table(["family", "setting", "question", "width:"], listed)]
    return lines


# ---- against peers --------------------------------------------------------------------------------------------------


def _ratio_lines(rows: list[Compared]) -> list[str]:
    body = []
    entries = [(ratio, row, q) for row in rows for q in QUESTIONS if (ratio := row.ratio(q)) is not None]
    groups = [(NAMES[q], [e for e in entries if e[2] == q]) for q in ("epsilon", "power", "curve")]
    for q in ("epsilon", "curve"):
        groups.append((f"{NAMES[q]}, DP-SGD", [e for e in entries if e[2] == q and _is_training(e[1])]))
    groups.append(("all", entries))
    for who, q in OTHERS[:2]:  # where two can answer, each by itself
        alone = [(ratio, row, q) for row in rows if (ratio := row.ratio(q, who)) is not None]
        groups.append((f"{NAMES[q]}, {who} alone", alone))
        groups.append((f"{NAMES[q]}, DP-SGD, {who} alone", [e for e in alone if _is_training(e[1])]))
    for name, members in groups:
        if not members:
            continue
        short = sum(_too_slow(*entry) for entry in members)
        ratios = [times(ratio) for ratio in _spread([ratio for ratio, _, _ in members])]
        body.append([name, str(len(members)), *ratios, str(short)])
    if not body:
        return []
    worst = sorted(entries, key=lambda entry: (not _slow(entry), entry[0]))[:10]
    listed = []
    for ratio, row, question in worst:
        who, other = row.fastest(question) or ("", Found())
        own = row.ours[question]
        sign = "> " if other.stopped else "< " if own.stopped else ""
        listed.append(
            [row.setting.family, row.setting.name, NAMES[question], _took(own), who, _took(other), sign + times(ratio)]
        )
    note = [
        "The time of the fastest peer that can answer over ours; a peer that was stopped counts with the time until",
        f"then. *Short*: less than {LEAST_RATIO:g} times, though ours takes more than {pretty(AT_ONCE)}.",
    ]
    heads = ["question", "settings:", *_heads(), "short:"]
    return [
        *("", "### How many times faster than the fastest peer", "", *note, ""),
        *table(heads, body),
        *("", f"The ten worst rows among those of ours above {pretty(AT_ONCE)}, then below:", ""),
        *table(["family", "setting", "question", "ours:", "peer", "its time:", "faster:"], listed),
    ]


def _family_lines(rows: list[Compared]) -> list[str]:
    """The same by family: the middle and the worst of each."""
    body = []
    for family in dict.fromkeys(row.setting.family for row in rows):
        members = [row for row in rows if row.setting.family == family]
        seconds = [row.ours[q].seconds for row in members for q in QUESTIONS[:-1]]
        whole = [row.ours["assess"].seconds for row in members]
        ratios = [ratio for row in members for q in QUESTIONS if (ratio := row.ratio(q)) is not None]
        cells = [pretty(s) for times_of in (seconds, whole) for s in _middle_and_worst(times_of)]
        short = [times(x) for x in (np.median(ratios), min(ratios))] if ratios else ["–", "–"]
        body.append([family, str(len(members)), *cells, *short])
    heads = ["family", "settings:", "a question, median:", "slowest:", "assess, median:", "slowest:"]
    return ["", "By family:", "", *table([*heads, "faster, median:", "least:"], body)]


def _middle_and_worst(values: list[float | None]) -> list[float]:
    known = [x for x in values if x is not None]
    return [float(np.median(known)), max(known)] if known else []


def _is_training(row: Compared) -> bool:
    return all(part.kind == "training" for part in row.setting.parts)


def _slow(entry: tuple[float, Compared, str]) -> bool:
    return (entry[1].ours[entry[2]].seconds or np.inf) > AT_ONCE


def _too_slow(ratio: float, row: Compared, question: str) -> bool:
    return ratio < LEAST_RATIO and _slow((ratio, row, question))


def _peer_lines(rows: list[Compared]) -> list[str]:
    body = []
    for who, question in OTHERS:
        found = [(row, row.theirs[who, question]) for row in rows if (who, question) in row.theirs]
        if not found:
            continue
        answered = [(row, f) for row, f in found if "value" in f.said]
        stopped = sum(f.stopped for _, f in found)
        unable = sum(f.note.startswith("cannot say") for _, f in found)
        failed = len(found) - len(answered) - stopped - unable
        below = sum(bool(row.disagreement(who, question)) for row, _ in answered)
        excess = _excess(answered, question)
        body.append([who, NAMES[question], *map(str, (len(answered), unable, stopped, failed, below)), excess])
    if not body:
        return []
    note = [
        "Every answer of a peer is held against our certified bracket. *Optimistic*: it promises more privacy than",
        "there is, beyond rounding (for a curve: at one point or more). *Excess*: how far its answer lies above our",
        "bracket, relative to it, in the median and at most.",
    ]
    heads = ["peer", "question", "answers:", "cannot say:", "stopped:", "fails:", "optimistic:", "excess:"]
    return ["", "### What the peers answer", "", *note, "", *table(heads, body)]


def _excess(answered: Iterable[tuple[Compared, Found]], question: str) -> str:
    if question == "curve":
        return "–"
    over = []
    for row, other in answered:
        own = row.ours[question].said
        if own.get("high") and np.isfinite(own["high"]):
            over.append(max(other.said["value"] / own["high"] - 1, 0.0))
    return f"{np.median(over):.0e}, {max(over):.0e}" if over else "–"


# ---- parts ----------------------------------------------------------------------------------------------------------


def _memory_lines(memory: dict[str, Footprint | str]) -> list[str]:
    body = []
    for name, found in memory.items():
        if isinstance(found, str):
            body.append([name, "–", f"does not run: {found}"])
        else:
            body.append([name, f"{found.above / 1e6:.1f} MB", "ok" if found.above < MEMORY else "not yet"])
    note = [
        "The settings that need most, every question once, each in an interpreter of its own: peak above what is there",
        f"after imports and a warm-up with another setting. Promised: below {MEMORY / 1e6:g} MB.",
    ]
    return ["", "### Memory", "", *note, "", *table(["setting", "above import:", ""], body)]


def _spread(values: list[float]) -> list[float]:
    """From the least to the largest, by shares of the settings."""
    return [float(x) for x in np.percentile(values, SHARES, method="inverted_cdf")] if values else []


def _heads() -> list[str]:
    return ["least:", "10 %:", "median:", "90 %:", "most:"]


def _took(found: Found) -> str:
    if found.seconds is None:
        return found.note[:60] or "–"
    return ("> " if found.stopped else "") + pretty(found.seconds)
