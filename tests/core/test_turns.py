"""Pauses between the requests of one process to a host."""

import time

from ovearth_core.collection.exchange import Exchange, Politeness, Request
from ovearth_core.collection.turns import Turns

from .misbehaving import reply, serving


class Clock:
    """Time that passes only while somebody waits."""

    def __init__(self):
        self.now = 100.0

    def wait(self, seconds):
        self.now += seconds


def turns_of(clock):
    return Turns(lambda: clock.now, clock.wait)


def test_the_first_one_doesnt_wait_and_each_next_one_does():
    clock = Clock()
    turns = turns_of(clock)
    starts = []
    for _ in range(4):
        turns.take("a.example", 1.0)
        starts.append(clock.now)
    assert starts == [100.0, 101.0, 102.0, 103.0]


def test_who_comes_later_doesnt_wait():
    clock = Clock()
    turns = turns_of(clock)
    turns.take("a.example", 1.0)
    clock.now += 5.0
    turns.take("a.example", 1.0)
    assert clock.now == 105.0


def test_hosts_dont_wait_for_one_another():
    clock = Clock()
    turns = turns_of(clock)
    turns.take("a.example", 1.0)
    turns.take("b.example", 1.0)
    assert clock.now == 100.0


def test_the_pause_holds_from_one_connection_to_the_next():
    # Each tag may have a connection of its own. All of 127/8 is this machine, but 127.0.0.2 isn't
    # taken for it: it stands for a host elsewhere.
    moments = []

    def answer(asked):
        moments.append(time.monotonic())
        return reply("{}")

    with serving(answer, "127.0.0.2") as (url, _):
        for _ in range(3):
            with Exchange(Politeness(pause_s=0.2)) as exchange:
                exchange.ask(Request(url), lambda _: None)
    # A wait is never shorter than was asked for.
    assert moments[2] - moments[0] >= 0.39
