"""An export tells how far it is, and can be ended on the way with nothing written."""

import pytest

from ovearth_core.cli.main import main
from ovearth_core.dataset import Dataset
from ovearth_core.dataset.exchange.exporting import export_dataset
from ovearth_core.dataset.exchange.formats import EXPORTED
from ovearth_core.errors import InterruptedWorkError


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    assert main(["demo", str(folder)]) == 0
    return Dataset.open(folder / "dataset")


ways = pytest.mark.parametrize("name, release", [
    *((name, None) for name in EXPORTED), ("benchmark", "1.0"),
])  # fmt: skip


@ways
def test_progress_rises_to_the_end(dataset, tmp_path, name, release):
    told = []
    export_dataset(dataset, tmp_path / "out", name, release=release,
                   progress=lambda done, count: told.append((done, count)))  # fmt: skip
    (total,) = {count for _, count in told}
    assert [done for done, _ in told] == list(range(1, total + 1))


@ways
def test_what_progress_raises_ends_it_with_nothing_written(dataset, tmp_path, name, release):
    def stop(done, count):
        if 2 * done > count:
            raise InterruptedWorkError("stopped")

    with pytest.raises(InterruptedWorkError):
        export_dataset(dataset, tmp_path / "out", name, release=release, progress=stop)
    assert list(tmp_path.iterdir()) == []
