"""`python -m ovearth_core.cli`: the same as the command `ovearth`."""

from .main import run

run()
