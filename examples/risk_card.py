"""A statistical office publishes a table of counts with Gaussian noise. What does that mean for a resident?

Run with ``make demo``.
"""

from rich.console import Console
from rich.panel import Panel

import dplens as dl

# 40 cells, residents by age and region. One resident falls into one cell, so the L2 sensitivity is 1.
RELEASE = dl.Gaussian(sigma=1.6, sensitivity=1.0)
RESIDENTS = 48_200
DELTA = 1e-6  # well below one in the number of residents


def show(card: dl.RiskCard, console: Console) -> None:
    """Draw a risk card in the terminal, in the order in which it should be read."""
    sections = {
        "How it fails": [card.failure],
        "What an attacker learns about a suspect": card.learning(),
        "Whom he finds": card.finding(),
        "What this assumes": card.assumptions(),
        "Epsilon": [card.epsilon_sentence()],
    }
    for heading, sentences in sections.items():
        console.print(Panel("\n".join(sentences), title=heading, title_align="left", padding=(0, 1)))


def main() -> None:
    """Print the card."""
    console = Console(width=100, highlight=False)
    console.print(
        f"[bold]dplens[/bold]: counts of {RESIDENTS:,} residents in 40 cells, Gaussian noise of standard deviation "
        f"{RELEASE.sigma:g}.\n"
    )
    show(dl.risk_card(RELEASE, delta=DELTA, unit="resident"), console)


if __name__ == "__main__":
    main()
