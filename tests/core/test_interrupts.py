"""Ctrl-C is heard where it does no harm, once, and what is tidied up after it isn't interrupted."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from ovearth_core.interrupts import Interrupts

from .shared import CHECKOUT


def press():
    os.kill(os.getpid(), signal.SIGINT)


def test_it_waits_until_it_may_be_heard():
    done = []
    with pytest.raises(KeyboardInterrupt), Interrupts() as interrupts:
        with interrupts.heard():
            done.append("before")
        press()
        done.append("held back")
        with interrupts.heard():
            done.append("never")
    assert done == ["before", "held back"]


def test_it_is_heard_at_once_where_it_may_be():
    with pytest.raises(KeyboardInterrupt), Interrupts() as interrupts, interrupts.heard():
        press()
        signal.pause()


def test_what_is_tidied_up_after_it_is_not_interrupted_by_another():
    tidied = False
    with pytest.raises(KeyboardInterrupt), Interrupts() as interrupts:
        try:
            with interrupts.heard():
                press()
        finally:
            press()
            tidied = True
    assert tidied


def test_what_comes_after_the_last_piece_of_work_is_forgotten_and_all_is_as_before():
    before = signal.getsignal(signal.SIGINT)
    with Interrupts() as interrupts:
        with interrupts.heard():
            pass
        press()
    assert signal.getsignal(signal.SIGINT) is before


def test_in_another_thread_it_changes_nothing():
    found = []

    def work():
        with Interrupts() as interrupts, interrupts.heard():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [signal.getsignal(signal.SIGINT)]


_PROGRAM = """
import sys, time
from ovearth_core.cli import stopping
stopping._SECONDS_TO_TIDY_UP = float(sys.argv[2])
stopping.listen()
try:
    print("ready", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    print("tidying", flush=True)
    time.sleep(float(sys.argv[1]))
    print("done", flush=True)
"""


def started(*arguments):
    """The program, ready to be interrupted. arguments: seconds it tidies up, seconds it may."""
    program = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        cwd=CHECKOUT,
    )
    assert program.stdout.readline() == "ready\n"
    return program


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_interrupted_again_at_once_tidies_up_to_the_end(number):
    program = started("0.3", "30")
    program.send_signal(number)
    assert program.stdout.readline() == "tidying\n"
    program.send_signal(number)
    program.send_signal(number)
    assert program.communicate(timeout=25)[0] == "done\n"
    assert program.returncode == 0


def test_a_command_that_does_not_end_can_be_ended():
    program = started("60", "0.5")
    program.send_signal(signal.SIGINT)
    assert program.stdout.readline() == "tidying\n"
    try:
        for _ in range(100):
            program.send_signal(signal.SIGINT)
            if program.poll() is not None:
                break
            threading.Event().wait(0.2)
        assert program.wait(timeout=5) == -signal.SIGINT
    finally:
        program.kill()
        program.wait()
        program.stdout.close()
