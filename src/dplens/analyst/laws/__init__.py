"""Laws of published noisy numbers: enclosed tails, quantiles and simulations. Start with ``tails.py``."""
