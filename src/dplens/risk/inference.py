"""Questions about an attacker who reconstructs a record or infers an attribute of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from dplens import _validate
from dplens.curves.reading import Reading
from dplens.registry import register
from dplens.risk.base import Guess, Share


@dataclass(frozen=True, kw_only=True)
class _Success(Share):
    """The largest success rate of an attacker whose guess would be right with probability ``baseline`` without them.

    Call a guess right if it comes close enough to the target's record. If the record is absent (add/remove) or has been
    redrawn (replace), the guess is right with probability at most ``baseline``: a test of the release that rejects when
    the guess is right. With the record it is right with probability at most 1 − f(baseline), also on average over
    records, as f is convex.
    """

    baseline: float = field(metadata=_validate.checked(_validate.probability))

    def _read(self, curve: Reading) -> float:
        return curve.power(self.baseline)

    def _guess(self) -> Guess:
        return Guess(self.baseline)

    @property
    def advantage(self) -> InferenceAdvantage:
        """The question by how much the success rate exceeds the baseline."""
        return InferenceAdvantage(baseline=self.baseline)


@register
@dataclass(frozen=True, kw_only=True)
class Reconstruction(_Success):
    """The largest probability of reconstructing the target's record, against ``baseline`` without the record.

    It is 1 − f(baseline) (Hayes et al. 2023; Kaissis et al. 2023; Kulynych et al. 2025). ``baseline`` is the highest
    success rate that everything the attacker knows allows, the other records included, if the target's record is absent
    (add/remove) or redrawn (replace); given that knowledge, the record must be independent of the rest of the data. It
    covers one target, not an attacker who succeeds if they reconstruct anyone's record. For the gain over the
    baseline, ask ``.advantage``.

    Use it if the data would harm a person whose whole record became known.

    >>> import dplens as dl
    >>> question = dl.Reconstruction(baseline=1e-6)
    >>> print(f"{question.of(dl.Gaussian(sigma=1.0)):.3e} {question.advantage.of(dl.Gaussian(sigma=1.0)):.3e}")
    8.722e-05 8.622e-05
    """


@register
@dataclass(frozen=True, kw_only=True)
class AttributeInference(_Success):
    """The largest probability of inferring an attribute of the target, against ``baseline`` without the record.

    It is 1 − f(baseline), under the conditions of :class:`Reconstruction`. ``baseline`` is the success rate of the best
    guess from everything the attacker knows: of an attribute that 20 % of similar people have, at least 0.8. For the
    gain over the baseline, ask ``.advantage``.

    Use it if a person is known to be in the data and one answer is the secret.

    >>> import dplens as dl
    >>> question = dl.AttributeInference(baseline=0.2)
    >>> print(f"{question.of(dl.Gaussian(sigma=1.0)):.4f} {question.advantage.of(dl.Gaussian(sigma=1.0)):.4f}")
    0.5629 0.3629
    """


@register
@dataclass(frozen=True, kw_only=True)
class InferenceAdvantage(_Success):
    """The largest gain in success over ``baseline`` of an attacker who infers an attribute or reconstructs a record.

    It is 1 − f(baseline) − baseline.

    Use it to compare releases at the same baseline.

    >>> import dplens as dl
    >>> print(f"{dl.InferenceAdvantage(baseline=0.5).of(dl.RandomizedResponse(epsilon=1.0)):.4f}")
    0.3161
    """

    arithmetic = 1e-15

    def _read(self, curve: Reading) -> float:
        return max(curve.power(self.baseline) - self.baseline, 0.0)

    def _guess(self) -> Guess:
        return Guess(0.0)
