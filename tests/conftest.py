"""Hypothesis profiles: repeatable by default, thorough and random with OVEARTH_TEST_FULL=1."""

import os

from hypothesis import HealthCheck, settings

# No deadline: a test's first example may compile a kernel or load PROJ's database.
common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", derandomize=True, max_examples=60, **common)
settings.register_profile("full", max_examples=2000, **common)
settings.load_profile("full" if os.environ.get("OVEARTH_TEST_FULL") else "default")
