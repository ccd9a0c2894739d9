"""A large OpenStreetMap file, made of many copies of a small one with shifted ids and places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import osmium

STEP_LON, STEP_LAT, PER_ROW = 0.4, 0.4, 10
KINDS = (osmium.osm.NODE, osmium.osm.WAY, osmium.osm.RELATION)


def replicate(source: Path, target: Path, copies: int) -> Path:
    """Write `copies` of `source` beside each other into `target` (PBF), in the order of PBF."""
    highest = 1 + max(thing.id for thing in osmium.FileProcessor(str(source)))
    with osmium.SimpleWriter(str(target), overwrite=True) as writer:
        for kind in KINDS:
            for number in range(copies):
                for thing in osmium.FileProcessor(str(source), kind):
                    _add(writer, thing, number, number * highest)
    return target


def _add(writer: Any, thing: Any, number: int, shift: int) -> None:
    if thing.is_node():
        place = (
            thing.lon + STEP_LON * (number % PER_ROW),
            thing.lat + STEP_LAT * (number // PER_ROW) - 40.0,
        )
        writer.add_node(thing.replace(id=thing.id + shift, location=place))
    elif thing.is_way():
        nodes = [node.ref + shift for node in thing.nodes]
        writer.add_way(thing.replace(id=thing.id + shift, nodes=nodes))
    else:
        members = [(m.type, m.ref + shift, m.role) for m in thing.members]
        writer.add_relation(thing.replace(id=thing.id + shift, members=members))
