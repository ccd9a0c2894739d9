"""Work gives the same to the last bit here, in processes and on a cluster, also when some die."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

import pytest
import rasterio

from ovearth_core import engine_dask
from ovearth_core.benchmark import Truth, read_benchmark
from ovearth_core.cli.main import main
from ovearth_core.engine import Engine, EngineChoice, Threads, open_engine
from ovearth_core.engine_processes import Processes, interpreter
from ovearth_core.errors import EngineError, InputError, OVEarthError, UsageError
from ovearth_core.predictions.truth_run import truth_run
from ovearth_core.sample import write_sample
from ovearth_core.scoreboard import score_files
from ovearth_core.scoring import evaluation

from . import map_products


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return write_sample(tmp_path_factory.mktemp("sample"))


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    """Cut even the sample into many pieces."""
    monkeypatch.setattr(evaluation, "_ANSWERS_AT_ONCE", 3)
    monkeypatch.setattr(evaluation, "_TARGETS_AT_ONCE", 4)


def scored(sample, choice, progress=None):
    board = score_files(sample.benchmark, sample.runs, progress=progress, engine=choice)
    lines = [list(map(json.dumps, run.per_query())) for run in board.runs]
    return json.dumps(board.to_dict()), lines


@pytest.fixture(scope="module")
def expected(sample):
    return scored(sample, EngineChoice())


def truth_features(benchmark):
    _, *records = truth_run(benchmark, in_map=True, crs="EPSG:4326")
    return [
        found
        for record in records
        for found in map_products.features_of([{**record, "mask": None}])
        if found["kind"] != "mask"
    ]


def truth_masks(folder, benchmark):
    folder.mkdir()
    truth = Truth(benchmark)
    for query in benchmark.queries:
        if query.is_positive:
            pixels = truth.mask(query.target_id).to_array().astype("uint8")
            profile = {"driver": "PNG", "count": 1, "dtype": "uint8"}
            size = {"height": pixels.shape[0], "width": pixels.shape[1]}
            name = quote(query.id, safe="")
            with rasterio.open(folder / f"{name}.png", "w", **profile, **size) as target:
                target.write(pixels, 1)
    return folder


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed", reason="pip install 'ovearth[dask]'")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", host="127.0.0.1"
    ) as cluster:
        yield cluster


def worker_pids(cluster):
    from distributed import Client

    with Client(cluster.scheduler_address, set_as_default=False) as client:
        return list(client.run(os.getpid).values())


def test_processes_give_the_same_to_the_last_bit(sample, expected):
    assert scored(sample, EngineChoice(jobs=2)) == expected


def test_a_cluster_gives_the_same_with_a_worker_killed_in_the_middle(sample, expected, cluster):
    doomed = worker_pids(cluster)[:1]

    def progress(run, records):
        if records > 20 and doomed:
            os.kill(doomed.pop(), signal.SIGKILL)

    choice = EngineChoice("dask", scheduler=cluster.scheduler_address)
    assert scored(sample, choice, progress) == expected
    assert not doomed


@pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")
def test_vector_files_and_folders_of_masks_may_be_scored_in_processes(sample, tmp_path):
    benchmark = read_benchmark(sample.benchmark)
    path = map_products.write(tmp_path / "run.gpkg", truth_features(benchmark), "EPSG:4326")
    folder = truth_masks(tmp_path / "masks", benchmark)
    boards = [
        score_files(sample.benchmark, [path, folder], engine=EngineChoice(jobs=jobs))
        for jobs in (1, 2)
    ]
    assert boards[0].to_dict() == boards[1].to_dict()


def test_a_fault_met_in_a_process_names_the_feature(sample, tmp_path):
    benchmark = read_benchmark(sample.benchmark)
    asked = [query.id for query in benchmark.queries if query.is_positive]
    crossed = map_products.polygon((0, 0), (9, 9), (9, 0), (0, 9))
    features = [map_products.feature(query_id, "obb", crossed) for query_id in asked]
    path = map_products.write(tmp_path / "run.gpkg", features, "EPSG:4326")
    faults = []
    for jobs in (1, 2):
        with pytest.raises(OVEarthError) as fault:
            score_files(sample.benchmark, [path], engine=EngineChoice(jobs=jobs))
        faults.append(str(fault.value))
    assert faults[0] == faults[1]
    assert "feature 1, query" in faults[0]


def test_the_command_line_scores_on_a_cluster(sample, cluster, capsys):
    arguments = ["score", str(sample.benchmark), *map(str, sample.runs)]
    assert main(arguments) == 0
    here = capsys.readouterr()
    assert main([*arguments, "--engine", "dask", "--scheduler", cluster.scheduler_address]) == 0
    assert capsys.readouterr() == here


def test_workers_lost_for_good_are_said_in_one_line(sample, cluster, monkeypatch):
    monkeypatch.setattr(engine_dask, "_SECONDS_WITHOUT_WORKER", 0.5)
    monkeypatch.setattr("ovearth_core.engine._SECONDS_BETWEEN_LOOKS", 0.2)

    def progress(run, records):
        if cluster.workers:
            cluster.scale(0)

    choice = EngineChoice("dask", scheduler=cluster.scheduler_address)
    with pytest.raises(EngineError, match="no worker is left, scheduler tcp://"):
        scored(sample, choice, progress)


def test_a_scheduler_that_dies_in_the_middle_is_said_and_nothing_else(sample, capfd):
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    ends = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen(
        [*dask("scheduler"), "--host", address, "--dashboard-address", ":0"], **ends
    )
    worker = subprocess.Popen([*dask("worker"), address, "--no-nanny", "--no-dashboard"], **ends)

    def progress(run, records):
        scheduler.kill()

    try:
        choice = EngineChoice("dask", scheduler=address)
        with pytest.raises(EngineError, match="the scheduler is gone"):
            scored(sample, choice, progress)
    finally:
        scheduler.kill()
        worker.kill()
    assert capfd.readouterr() == ("", "")


def dask(what):
    return [sys.executable, "-m", "dask", what]


def test_a_scheduler_without_workers_is_refused(sample, cluster, monkeypatch):
    monkeypatch.setattr(engine_dask, "_SECONDS_TO_ANSWER", 1.0)
    cluster.scale(0)
    cluster.sync(cluster._correct_state)
    with pytest.raises(EngineError, match="has no workers"):
        open_engine(EngineChoice("dask", scheduler=cluster.scheduler_address))


def test_a_worker_of_another_version_is_refused(cluster, monkeypatch):
    monkeypatch.setattr("ovearth_core.versions.VERSION", "0.0")
    with pytest.raises(EngineError, match=r"is 0\.0"):
        open_engine(EngineChoice("dask", scheduler=cluster.scheduler_address))


def test_a_scheduler_that_does_not_answer_is_refused(refuse, monkeypatch):
    monkeypatch.setattr(engine_dask, "_SECONDS_TO_ANSWER", 0.5)
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        line = refuse(options=["--engine", "dask", "--scheduler", address])
    assert "the scheduler doesn't answer" in line
    assert address in line


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--engine", "dask"], "a cluster without its scheduler"),
        (["--engine", "dusk"], "did you mean 'dask'?"),
        (["--engine", "dask", "--scheduler", "foo://x:1"], "is no address"),
        (["--scheduler", "tcp://127.0.0.1:1"], "add --engine dask"),
        (["--engine", "dask", "--scheduler", "h:1", "--jobs", "2"], "has its own workers"),
        (["--jobs", "0"], "give 1 or more"),
    ],
)
def test_choices_that_make_no_sense_are_refused(refuse, options, said):
    assert said in refuse(options=options)


def killed_once(marker):
    """Kill the process that runs this, the first time."""
    path = Path(marker)
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return path.name


def always_killed(item):
    os.kill(os.getpid(), signal.SIGKILL)


def refused(item):
    raise InputError("bad", f"item {item}", "mend it")


def test_work_of_a_killed_process_is_done_again(tmp_path):
    markers = [tmp_path / f"{number:02}" for number in range(2)]
    with Processes(2, interpreter()) as engine:
        assert list(engine.in_order(killed_once, markers)) == ["00", "01"]


def test_processes_end_with_the_one_that_started_them(tmp_path):
    program = (
        "import os, signal\n"
        "from ovearth_core.engine_processes import Processes, interpreter\n"
        "if __name__ == '__main__':\n"
        "    engine = Processes(1, interpreter())\n"
        "    print(engine.executor().submit(os.getpid).result(), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    path = tmp_path / "program.py"
    path.write_text(program)
    done = subprocess.run([sys.executable, path], capture_output=True, check=False, text=True)
    worker = int(done.stdout)
    for _ in range(100):
        if not is_alive(worker):
            break
        time.sleep(0.1)
    assert not is_alive(worker)


def is_alive(pid):
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_work_that_kills_each_process_is_given_up():
    with Processes(1, interpreter()) as engine, pytest.raises(EngineError, match="lost again"):
        list(engine.in_order(always_killed, [1]))


@pytest.mark.parametrize("make", [Engine, Threads, lambda: Processes(2, interpreter())])
def test_results_come_in_order_and_before_a_fault_of_what_follows(make):
    def items():
        yield from range(20)
        raise InputError("no item 20")

    found = []
    with make() as engine, pytest.raises(InputError, match="no item 20"):
        for result in engine.in_order(str, items()):
            found += [result]
    assert found == list(map(str, range(20)))


def test_a_fault_found_elsewhere_comes_back_as_it_is():
    with Processes(2, interpreter()) as engine, pytest.raises(InputError) as fault:
        list(engine.in_order(refused, range(9)))
    assert str(fault.value) == "bad, item 0, mend it"


def test_a_python_is_found_by_its_prefix_and_not_by_the_program_that_runs(monkeypatch):
    monkeypatch.setattr("sys.executable", "/usr/bin/qgis")
    interpreter.cache_clear()
    assert Path(interpreter()).is_file()
    assert "qgis" not in interpreter()


def test_without_any_python_the_work_is_done_here(monkeypatch):
    monkeypatch.setattr("sys.exec_prefix", "/nowhere")
    interpreter.cache_clear()
    with open_engine(EngineChoice(jobs=2)) as engine:
        assert not engine.is_remote
    interpreter.cache_clear()


def test_an_engine_must_be_known():
    with pytest.raises(UsageError):
        open_engine(EngineChoice("slurm"))
