"""Outlines of the attacker's test and of the privacy loss."""

from __future__ import annotations

from collections.abc import Sequence

from dplens.attack.attacker import Attack
from dplens.attack.loss import LossLaw, PrivacyLoss
from dplens.errors import Undefined
from dplens.present.notebook.names import release_name
from dplens.present.notebook.outline import Outline, Row
from dplens.registry import presents


@presents(Attack, "outline")
class AttackOutline(Outline):
    """The attacker's power, and where they draw the line."""

    brief = ("power", "fpr")

    def name(self) -> str:
        return release_name(self.result.mechanism)

    def numbers(self) -> Sequence[Row]:
        it = self.result
        rows = [
            self.risk("power", it.power, share=True),
            self.as_given("fpr", it.fpr, share=True),
            self.as_given("prior", it.prior, share=True),
            self.risk("precision", it.precision(), share=True),
        ]
        try:
            return [*rows, self.as_given("threshold", float(it.threshold))]
        except (Undefined, TypeError):  # outputs without an order have no threshold
            return rows


@presents(PrivacyLoss, "outline")
class PrivacyLossOutline(Outline):
    """Mean and variance of the loss in both worlds."""

    brief = ("mean_present", "mean_absent")

    def numbers(self) -> Sequence[Row]:
        laws = (("absent", self.result.h0), ("present", self.result.h1))
        return [
            row
            for world, law in laws
            for row in (
                self.as_given(f"mean_{world}", float(law.mean)),
                self.as_given(f"variance_{world}", float(law.variance)),
            )
        ]


@presents(LossLaw, "outline")
class LossLawOutline(Outline):
    """Mean and variance."""

    def numbers(self) -> Sequence[Row]:
        it = self.result
        return [self.as_given(name, float(getattr(it, name))) for name in ("mean", "variance")]
