"""Laws of published noisy numbers: enclosed tail probabilities, quantiles and simulations.

May import everything below ``analyst``, but neither tests nor plans. Start with ``tails.py``.
"""
