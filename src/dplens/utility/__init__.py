"""The analyst: tests on published noisy numbers, their power, p-values and intervals."""
