"""Images that lie nowhere, or not where they say; files and names that collide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..errors import OVEarthError
from ..paths import inside
from .finding import Finding
from .scope import Scope

_MOST_GSD_ERROR = 0.02
# Of each edge: what can't be placed whole is no image of the ground.
_SEGMENTS = 4


def frames(scope: Scope) -> Iterator[Finding]:
    """Find CRSs, transforms and operations that are none, and GSDs that differ from them."""
    for image in scope.benchmark.images:
        try:
            frame = image.frame()
            gsd = frame.gsd()
            if gsd is not None:
                frame.footprint(_SEGMENTS)
        except OVEarthError as fault:
            yield scope.at_image(image, "frame", fault.what, fault.mend or "mend its CRS")
            continue
        if gsd and image.gsd_m and abs(image.gsd_m / gsd - 1) > _MOST_GSD_ERROR:
            what = f"its gsd is {image.gsd_m:g} m, its transform says {gsd:.4g} m"
            yield scope.at_image(image, "gsd", what, "leave it out, or mend the transform")


def missing_gsd(scope: Scope) -> Iterator[Finding]:
    """Find images without a GSD among others that have one: statistics would leave them out."""
    known = [_has_gsd(image) for image in scope.benchmark.images]
    if not any(known):
        return  # a benchmark in pixels
    for image, has_gsd in zip(scope.benchmark.images, known, strict=True):
        if not has_gsd:
            what = "has no gsd, and no CRS and transform that give one"
            yield scope.at_image(image, "no-gsd", what, "give it one of them")


def _has_gsd(image: object) -> bool:
    return all(getattr(image, name) is not None for name in ("crs", "transform")) or (
        getattr(image, "gsd_m", None) is not None
    )


def names(scope: Scope) -> Iterator[Finding]:
    """Find paths that lead out of the folder or stand twice, and what has no name."""
    met: dict[str, int] = {}
    benchmark = scope.benchmark
    for image in benchmark.images:
        try:
            inside(Path(), image.file_name)
        except OVEarthError as fault:
            mend = "write it relative to the benchmark"
            yield scope.at_image(image, "file-name", fault.what, mend)
        if image.file_name in met:
            what = f"has the file of image {met[image.file_name]}, {image.file_name!r}"
            yield scope.at_image(image, "file-name", what, "keep one of the images")
        met.setdefault(image.file_name, image.id)
    for category in benchmark.categories:
        if not category.name.strip():
            yield Finding("no-name", "category", category.id, "has no name", "give it one")
    if not benchmark.queries:
        yield Finding("no-query", benchmark.source, None, "has no query", "write some")
