"""Long work runs beside the window, and ends on the main thread, whatever happens meanwhile."""

import importlib
import threading
import time

import pytest
from qgis.core import QgsApplication, QgsProject
from qgis.gui import QgsMessageBar, QgsMessageViewer
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QPushButton, QWidget


def wait_until(is_so, seconds=20):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "waited in vain"
        QTest.qWait(10)


@pytest.fixture
def window(qgis_app):
    shown = QWidget()
    shown.resize(900, 300)
    bar = QgsMessageBar(shown)
    bar.setGeometry(0, 0, 900, 60)
    shown.bar = bar
    shown.show()
    yield shown
    shown.close()


@pytest.fixture
def messages(package, window):
    return importlib.import_module("ovearth.ovearth_plugin.messages").Messages(window.bar)


@pytest.fixture
def tasks(package, messages):
    made = importlib.import_module("ovearth.ovearth_plugin.tasks").Tasks(messages.failure)
    yield made
    made.stop()
    wait_until(lambda: made.running == 0)


@pytest.fixture
def errors(package):
    return importlib.import_module("ovearth.ovearth_core.errors")


def test_the_result_arrives_on_the_main_thread_and_the_work_does_not_run_there(tasks):
    threads, results = [], []
    tasks.start(
        "adding",
        lambda report: threads.append(threading.current_thread()) or 42,
        lambda result: results.append((result, threading.current_thread())),
    )
    wait_until(lambda: results)
    assert results == [(42, threading.main_thread())]
    assert threads[0] is not threading.main_thread()
    assert tasks.running == 0


def test_tasks_one_after_another_can_read_coordinate_systems(tasks, package):
    read_crs = importlib.import_module("ovearth.ovearth_core.crs").read_crs
    names, threads, codes = [], set(), iter(range(32601, 32633))

    def work(report):
        # QGIS's pooled threads forget thread-local values between tasks, and pyproj keeps one:
        # in QGIS 3.40 of Debian 13 the second task ended the program.
        threads.add(type(threading.current_thread()))
        return [read_crs(f"EPSG:{next(codes)}").name for _ in range(4)]

    for count in range(4, 33, 4):
        tasks.start("reading", work, names.extend)
        wait_until(lambda count=count: len(names) == count)
    assert len(set(names)) == 32
    assert threads == {threading.Thread}


def test_progress_is_that_of_the_work(tasks):
    gate, seen, results = threading.Event(), [], []

    def work(report):
        report(1, 4)
        gate.wait(10)
        report(4, 4)
        return True

    task = tasks.start("counting", work, results.append)
    task.progressChanged.connect(seen.append)
    wait_until(lambda: task.progress() == 25)
    gate.set()
    wait_until(lambda: results)


def endless(started):
    def work(report):
        started.set()
        while True:
            report(0, 1)
            time.sleep(0.005)

    return work


def test_canceled_work_stops_and_gives_neither_result_nor_message(tasks, window):
    started, results, ended = threading.Event(), [], []
    task = tasks.start("never", endless(started), results.append, ended=lambda: ended.append(1))
    wait_until(started.is_set)
    task.cancel()
    wait_until(lambda: ended)
    assert results == []
    assert window.bar.currentItem() is None


def test_closing_the_project_cancels_what_works_for_it(tasks):
    gate, started, results, ended = threading.Event(), threading.Event(), [], []
    tasks.start("of project", endless(started), results.append, ended=lambda: ended.append(1))
    tasks.start("of nobody", lambda report: gate.wait(10), results.append, of_project=False)
    wait_until(started.is_set)
    QgsProject.instance().clear()
    wait_until(lambda: ended)
    assert results == []
    gate.set()
    wait_until(lambda: results)
    assert results == [True]


def test_a_fault_is_a_sentence_and_its_details_are_behind_a_button(tasks, window, errors):
    def work(report):
        raise errors.InputError("no query in it", "b.json", "name another")

    tasks.start("failing", work, pytest.fail)
    wait_until(lambda: window.bar.currentItem() is not None)
    item = window.bar.currentItem()
    assert item.text() == "no query in it, name another (b.json)"
    QTest.mouseClick(item.findChild(QPushButton, "ovearth_details"), Qt.MouseButton.LeftButton)
    (viewer,) = window.findChildren(QgsMessageViewer)
    assert viewer.isVisible()
    viewer.close()


@pytest.mark.parametrize("fault, said", [
    (ZeroDivisionError("division by zero"), "Something unexpected"),
    (MemoryError(), "not enough memory"),
    (PermissionError(13, "Permission denied", "/x/y"), "Permission denied, /x/y"),
    (ImportError("No module named 'nothing'"), "A package is missing"),
])  # fmt: skip
def test_every_fault_has_a_sentence_without_a_traceback(tasks, window, fault, said):
    def work(report):
        raise fault

    tasks.start("failing", work, pytest.fail)
    wait_until(lambda: window.bar.currentItem() is not None)
    text = window.bar.currentItem().text()
    assert said in text
    assert "Traceback" not in text


def test_stopping_ends_everything_that_runs(package, messages):
    made = importlib.import_module("ovearth.ovearth_plugin.tasks").Tasks(messages.failure)
    started, ended = threading.Event(), []
    made.start("never", endless(started), pytest.fail, ended=lambda: ended.append(1))
    wait_until(started.is_set)
    made.stop()
    wait_until(lambda: ended)
    assert made.running == 0
    assert QgsApplication.taskManager().countActiveTasks() == 0
