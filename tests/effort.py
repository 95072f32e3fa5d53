"""How thoroughly the tests look, by the environment variable HYPOTHESIS_PROFILE.

default: a few draws with a fixed seed.
verify: five times as many, and slow families are drawn too; `make verify` uses it.
search: fresh draws, hundreds of them, and simulations at full size.
"""

import os

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
DRAWS = {"default": 1, "verify": 5, "search": 100}[PROFILE]  # times what a family draws
VERIFYING = PROFILE != "default"
SEARCHING = PROFILE == "search"
