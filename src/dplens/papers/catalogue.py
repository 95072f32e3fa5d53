"""All papers with their figures, in order, and the names they are asked for by."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass

from dplens import _validate
from dplens.papers import (
    blog,
    fondeville,
    fondeville_analyst,
    fondeville_failure,
    kaissis,
    kaissis_conversion,
    kaissis_tangent,
    kaissis_theorem,
    li,
    li_simulation,
    li_theorems,
    liu,
    liu_knowledge,
)
from dplens.papers.records import Figure


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper as it is cited."""

    key: str
    short: str
    cited: str


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A figure that can be made: its name, and how many steps a progress bar counts for it."""

    key: str
    paper: str
    what: str
    make: Callable[..., Figure]
    steps: int = 1

    def made(self, tick: Callable[[], None] | None = None) -> Figure:
        """The figure; ``tick`` is called after each step."""
        if tick is None:
            return self.make()
        if self.steps > 1:
            return self.make(tick=tick)
        figure = self.make()
        tick()
        return figure


PAPERS = {
    paper.key: paper
    for paper in (
        Paper(
            key="liu",
            short="Liu et al. 2019",
            cited="Changchang Liu, Xi He, Thee Chanyaswad, Shiqiang Wang, Prateek Mittal: Investigating Statistical "
            "Privacy Frameworks from the Perspective of Hypothesis Testing. Proceedings on Privacy Enhancing "
            "Technologies 2019.",
        ),
        Paper(
            key="blog",
            short="Blog post 2025",
            cited="On the Hypothesis Testing Perspective of DP. Blog post, 2 July 2025.",
        ),
        Paper(
            key="fondeville",
            short="de Fondeville 2026",
            cited="Raphaël de Fondeville: Balancing the privacy-utility trade-off: How to draw reliable conclusions from "
            "private data. arXiv:2603.12753, 2026.",
        ),
        Paper(
            key="li",
            short="Li et al. 2019",
            cited="Yanan Li, Xuebin Ren, Shusen Yang, Xinyu Yang: Impact of Prior Knowledge and Data Correlation on "
            "Privacy Leakage: A Unified Analysis. IEEE Transactions on Information Forensics and Security 2019.",
        ),
        Paper(
            key="kaissis",
            short="Kaissis et al. 2022",
            cited="Georgios Kaissis, Moritz Knolle, Friederike Jungmann, Alexander Ziller, Dmitrii Usynin, Daniel "
            "Rueckert: A unified interpretation of the Gaussian mechanism for differential privacy through the "
            "sensitivity index. Journal of Privacy and Confidentiality 2022.",
        ),
    )
}

_ENTRIES = (
    ("liu-3", "Figure 3: precision, recall and F-score under Laplace noise", liu.figure_3),
    ("liu-4", "Figure 4: the same under Gaussian noise", liu.figure_4),
    ("liu-5", "Figure 5: an attacker with a prior", liu_knowledge.figure_5),
    ("liu-6", "Figure 6: who knows how records are correlated", liu_knowledge.figure_6),
    ("liu-7", "Figure 7: and how over time", liu_knowledge.figure_7),
    ("liu-8", "Figure 8: F-scores of six attackers", liu_knowledge.figure_8),
    ("liu-table-1", "Table 1: the largest epsilon under a bound on the F-score", liu.table_1),
    ("liu-theorem-3", "Theorem 3: thresholds and plausible deniability", liu.theorem_3),
    ("liu-theorem-7", "Theorem 7: notions of privacy side by side", liu_knowledge.theorem_7),
    ("blog-envelope", "The envelope of all (epsilon, delta)", blog.envelope),
    ("fondeville-1", "Figure 1: three mechanisms", fondeville.figure_1),
    ("fondeville-2", "Figure 2: posteriors", fondeville.figure_2),
    ("fondeville-3", "Figure 3: relative disclosure risk", fondeville.figure_3),
    ("fondeville-4", "Figure 4: power of attacks", fondeville.figure_4),
    ("fondeville-5", "Figure 5: power of the analyst", fondeville_analyst.figure_5),
    ("fondeville-table-1", "Table 1: how mechanisms fail", fondeville_failure.table_1),
    ("fondeville-minimum-mu", "Section 5.2: the minimum mu", fondeville_analyst.minimum_mu),
    ("li-2", "Figure 2: five correlations, two attackers", li.figure_2),
    ("li-examples", "Table II, Examples 2 to 4", li.examples),
    ("li-example-5", "Example 5: two normal tuples", li.example_5),
    ("li-chain-rule", "Theorems 2 and 5: the chain rule", li_theorems.chain_rule),
    ("li-theorem-3", "Theorem 3: signs of correlation and increment", li_theorems.theorem_3),
    ("li-4", "Figure 4: leakage, knowledge and correlation", li_simulation.figure_4),
    ("li-5", "Figure 5: full against fast search", li_simulation.figure_5),
    ("kaissis-1", "Figure 1: outputs and privacy loss", kaissis.figure_1),
    ("kaissis-2", "Figure 2: the cut-off and its errors", kaissis.figure_2),
    ("kaissis-3", "Figure 3: ROC curve and AUC", kaissis.figure_3),
    ("kaissis-4", "Figure 4: tangent and delta", kaissis_tangent.figure_4),
    ("kaissis-5", "Figure 5: a failed mechanism", kaissis.figure_5),
    ("kaissis-6", "Figure 6: three conversions", kaissis_conversion.figure_6),
    ("kaissis-theorem", "Closing theorem: five equivalent statements", kaissis_theorem.closing_theorem),
)
_STEPS = {"li-5": li_simulation.TUPLES * len(li_simulation.FIGURE_5)}
ENTRIES = tuple(
    Entry(key=key, paper=key.split("-")[0], what=what, make=make, steps=_STEPS.get(key, 1))
    for key, what, make in _ENTRIES
)
# Places of the papers that are shown within another figure.
_WITHIN = {
    "liu-proposition-1": "liu-theorem-7", "liu-proposition-2": "liu-theorem-7", "fondeville-section-5.2": "fondeville-minimum-mu",
    "li-example-1": "li-2", "li-table-ii": "li-examples", "li-table-2": "li-examples",
    "li-example-2": "li-examples", "li-example-3": "li-examples", "li-example-4": "li-examples",
    "li-corollary-2": "li-example-5", "li-3": "li-chain-rule", "li-theorem-2": "li-chain-rule",
    "li-theorem-5": "li-chain-rule", "kaissis-lemma-1": "kaissis-4", "kaissis-lemma-4": "kaissis-4",
    "kaissis-closing-theorem": "kaissis-theorem",
}  # fmt: skip


def asked(name: str | None) -> tuple[Entry, ...]:
    """The figures that a name stands for: one figure, all of a paper, or all (None or ``all``).

    >>> [entry.key for entry in asked("Kaissis figure 6")], len(asked("blog"))
    (['kaissis-6'], 1)
    """
    words = re.split(r"[\s_-]+", str(name).lower().strip())
    cited = next((key for key, paper in PAPERS.items() if words == paper.short.lower().split()), None)
    if cited is not None:
        words = [cited]
    if name is None or words == ["all"]:
        return ENTRIES
    wanted = "-".join(word for word in words if word not in ("", "figure", "fig", "fig."))
    wanted = _WITHIN.get(wanted, wanted)
    found = tuple(entry for entry in ENTRIES if wanted in (entry.key, entry.paper))
    if not found:
        known = [*PAPERS, *(entry.key for entry in ENTRIES)]
        close = difflib.get_close_matches(wanted, known, n=3, cutoff=0.6)
        hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else f"Papers: {', '.join(PAPERS)}."
        raise _validate.reject("paper or figure", "to be a known name", name, f"{hint} --list shows all.")
    return found
