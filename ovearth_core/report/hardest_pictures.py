"""Pictures of the hardest queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..benchmark import Benchmark, Truth
from ..inspection.image_files import ImageFiles
from .query_picture import query_picture


def hardest_pictures(
    benchmark: Benchmark, files: ImageFiles, hardest: Mapping[str, Any], most: int
) -> Iterator[tuple[str, bytes | None]]:
    """Yield file names and PNGs of the first `most` queries of each task that `hardest` gave.

    Of the first modality only, masks where there are any: the others' are mostly the same. The
    name tells modality, task and place; None where the image's file isn't found. Raises InputError
    for a file that is no image of the size that the benchmark says.
    """
    truth = Truth(benchmark)
    for modality, tasks in list(hardest.items())[:1]:
        for task, queries in tasks.items():
            for place, told in enumerate(queries[:most], 1):
                query = benchmark.queries[benchmark.query_index[told["query_id"]]]
                image = benchmark.image_by_id[told["image_id"]]
                name = f"{modality}-{task}-{place:02d}.png"
                file = files.path(image)
                if file is None:
                    yield name, None
                    continue
                title = f"{query.text} ({told['polarity']}, mean {100 * told['mean']:.1f} %)"
                target_id = query.target_id if query.is_positive else None
                yield name, query_picture(truth, target_id, image, file, title, name)
