"""Fixtures that several files of tests share."""

import pytest

from ovearth_core import kernels
from ovearth_core.benchmark import read_benchmark
from ovearth_core.cli.main import main

from . import making, paper_benchmark


@pytest.fixture(params=["numpy", "compiled"], scope="module")
def either_body(request):
    """Run a file's tests twice, with NumPy's bodies and with the compiled ones."""
    if request.param == "compiled":
        pytest.importorskip("numba", reason="Numba is not installed: pip install 'ovearth[fast]'")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(kernels.SWITCH, request.param)
        yield


@pytest.fixture
def refuse(tmp_path, capsys):
    """Score a run that must be refused; return the one line that says why."""

    def refuse(*records, benchmark=None, run=None, options=()):
        path = making.write_benchmark(tmp_path, benchmark)
        run = making.write_run(tmp_path, *records) if run is None else run
        out = tmp_path / "out"
        outputs = ["--json", out / "s.json", "--csv", out / "s.csv", "--per-query", out / "q"]
        code = main(["score", *map(str, [path, run, *outputs, *options])])
        printed = capsys.readouterr()
        assert code == 2
        assert printed.out == ""
        assert printed.err.startswith("error: ")
        assert printed.err.count("\n") == 1
        assert "Traceback" not in printed.err
        assert not out.exists()
        return printed.err

    return refuse


@pytest.fixture(scope="session")
def paper(tmp_path_factory):
    """The benchmark with the paper's own counts; its `source` is its file."""
    folder = tmp_path_factory.mktemp("paper")
    return read_benchmark(making.write_benchmark(folder, paper_benchmark.paper_benchmark()))
