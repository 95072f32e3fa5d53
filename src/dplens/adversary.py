"""What the attacker believes beforehand."""

from __future__ import annotations

from dataclasses import dataclass

from dplens import _validate


@dataclass(frozen=True, kw_only=True)
class Adversary:
    """An attacker with a prior: Pr(H1), their belief beforehand that the target is in the data.

    >>> round(Adversary.from_coefficients(prior=0.2, record=0.1, temporal=0.1).prior, 6)
    0.685871
    """

    prior: float = 0.5

    def __post_init__(self) -> None:
        object.__setattr__(self, "prior", _validate.prior(self.prior))

    @classmethod
    def from_coefficients(cls, *, prior: float = 0.0, record: float = 0.0, temporal: float = 0.0) -> Adversary:
        """Liu §5: coefficients in [0, 1) of prior knowledge, record correlation and temporal correlation.

        Pr(H1) = 1/((2 − prior)(1 − record)(1 − temporal)). All 0: the prior ½.
        """
        values = {
            name: _validate.real(name, value, "in [0, 1)", lambda x: 0 <= x < 1)
            for name, value in (("prior", prior), ("record", record), ("temporal", temporal))
        }
        # odds against: (1 − Pr)/Pr
        odds = (2 - values["prior"]) * (1 - values["record"]) * (1 - values["temporal"]) - 1
        if odds <= 0:
            raise _validate.reject(
                "coefficients",
                "with (2 - prior)(1 - record)(1 - temporal) > 1",
                values,
                "Together they describe an attacker who already knows; lower one of them.",
            )
        return cls(prior=1 / (1 + odds))
