"""A dataset's candidates, decided over one by one: each step is stored at once, and undoable."""

from __future__ import annotations

from dataclasses import replace

from ...dataset import Dataset, PoiRow
from ...dataset.rows import POI_STATES
from ...dataset.tallies import poi_tallies
from ...errors import InputError, UsageError
from .poi import wrapped_longitude

CANDIDATE, ACCEPTED, REJECTED = POI_STATES
# Where a place was found, in degrees, once a person has moved it.
FOUND_AT = "found_at"


class Candidates:
    """The places of interest of a dataset, and what was done to them here, to be taken back.

    who: signs each step. Methods raise what `Dataset.writing` does; then nothing has changed.
    """

    def __init__(self, dataset: Dataset, who: str | None = None) -> None:
        self._dataset = dataset
        self._who = who
        self._done: list[tuple[PoiRow, PoiRow]] = []

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to be taken back."""
        return bool(self._done)

    def poi(self, poi_id: int) -> PoiRow:
        """Return a place; InputError where there is none any more."""
        with self._dataset.reading() as view:
            return view.poi(poi_id)

    def next(self, after: int = 0) -> PoiRow | None:
        """Return the next undecided place after an id, from the first one on at the end."""
        with self._dataset.reading() as view:
            return view.next_poi(CANDIDATE, after) or (
                view.next_poi(CANDIDATE, 0) if after else None
            )

    def counts(self) -> dict[str, int]:
        """Return how many places are in each state."""
        with self._dataset.reading() as view:
            return poi_tallies(view)

    def decide(self, poi_id: int, state: str) -> PoiRow:
        """Accept or reject a place, or make it a candidate again."""
        if state not in POI_STATES:
            raise UsageError(f"no state {state!r}", f"pois {poi_id}", f"one of {POI_STATES}")
        return self._change(poi_id, state=state)

    def move(self, poi_id: int, lon: float, lat: float) -> PoiRow:
        """Move a place, in degrees of EPSG:4326; where it was found is kept."""
        if not (-90.0 <= lat <= 90.0 and abs(lon) < 1e6):
            raise UsageError(f"no place on the globe ({lon:g}, {lat:g})", f"pois {poi_id}", "")
        before = self.poi(poi_id)
        extra = {FOUND_AT: [before.lon, before.lat], **before.extra}
        return self._change(poi_id, lon=wrapped_longitude(lon), lat=lat, extra=extra)

    def undo(self) -> PoiRow | None:
        """Take the last step back, and return the place as it was; None where there is none.

        InputError where somebody else has changed the place since: it stays as they left it.
        """
        if not self._done:
            return None
        before, after = self._done[-1]
        with self._dataset.writing(self._who) as edit:
            now = edit.poi(int(after.id or 0))
            if _content(now) != _content(after):
                self._done.pop()
                raise InputError(
                    "somebody else has changed the place since", f"pois {after.id}",
                    "look at it again",
                )  # fmt: skip
            edit.update(before)
        self._done.pop()
        return before

    def _change(self, poi_id: int, **values: object) -> PoiRow:
        with self._dataset.writing(self._who) as edit:
            before = edit.poi(poi_id)
            after = edit.update(replace(before, **values))  # type: ignore[arg-type]
        self._done.append((before, after))
        return after


def _content(row: PoiRow) -> PoiRow:
    """Return a row without who changed it and when."""
    return replace(row, changed_by=None, changed_at=None)
