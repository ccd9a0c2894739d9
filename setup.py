"""What pyproject.toml can't say: folders of the top-level `resources` are the core's in a wheel."""

from setuptools import find_packages, setup

FOLDERS = ("taxonomy", "continents", "prompts", "report")

setup(
    packages=[
        *find_packages(include=["ovearth_core*"]),
        *(f"ovearth_core.data.{folder}" for folder in FOLDERS),
    ],
    package_dir={f"ovearth_core.data.{folder}": f"resources/{folder}" for folder in FOLDERS},
    package_data={"": ["*.json", "*.html", "*.css", "*.js"]},
)
