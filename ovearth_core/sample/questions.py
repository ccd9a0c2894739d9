"""What is asked of which image: the targets of the sample and their queries, as a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..benchmark import Category, Query
from .scene import FIELD, HALL, HELIPAD, HOME, POND, POOL, ROAD, TANK, VEHICLE

_TRANSPORT, _BUSINESS = "transportation", "business, service and residential"

CATEGORIES = (
    Category(1, TANK, "industrial, mining and storage", "storage"),
    Category(2, HALL, _BUSINESS, "commerce and trade"),
    Category(3, HOME, _BUSINESS, "housing"),
    Category(4, VEHICLE, _TRANSPORT, "vehicles"),
    Category(5, ROAD, _TRANSPORT, "roads", instanceable=False),
    Category(6, FIELD, "plant", "agriculture", instanceable=False),
    Category(7, POOL, "water infrastructure", "bathing"),
    Category(8, POND, "terrain", "inland water"),
    Category(9, HELIPAD, "special", "emergency"),
)


@dataclass(frozen=True)
class Asked:
    """One target and the texts that ask for it.

    negative: absent from the image; the first names what the target could be taken for.
    given: the boxes that the benchmark states rather than leaves to be derived. own_mask: the
    target has a mask of its own. as_runs: its instances are RLEs.
    """

    key: str
    view: str
    category: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    referring: tuple[str, ...]
    reasoning: tuple[str, ...]
    given: tuple[str, ...] = ()
    own_mask: bool = False
    as_runs: bool = False

    def queries(self, target_id: int) -> Iterator[Query]:
        """Yield the target's queries, ids such as `works-tanks-voc-1`."""
        for short, task, is_positive, texts in (
            ("voc", "vocabulary", True, self.positive),
            ("neg", "vocabulary", False, self.negative),
            ("ref", "referring", True, self.referring),
            ("rea", "reasoning", True, self.reasoning),
        ):
            for number, text in enumerate(texts, start=1):
                yield Query(f"{self.key}-{short}-{number}", target_id, task, is_positive, text)


ASKED = (
    Asked(
        "works-tanks", "works-summer", TANK,
        ("storage tank", "cylindrical storage tanks"),
        ("water treatment basin", "cooling tower", "gas holder ball"),
        ("the six round white structures on the gravel yard",
         "the round tanks on both sides of the pipe"),
        ("Where would a spill of stored liquid be caught by the low wall around it?",),
    ),
    Asked(
        "works-halls", "works-summer", HALL,
        ("commercial building", "industrial or office building"),
        ("greenhouse", "stadium", "church"),
        ("the buildings east of the tanks and the parked cars",),
        ("Which roofs keep the staff of this site dry while they work?",
         "Where would goods be kept out of the rain, and their papers be written?"),
        given=("bbox",),
    ),
    Asked(
        "works-vehicles", "works-summer", VEHICLE,
        ("vehicle", "cars and lorries"),
        ("shipping container", "railway wagon", "boat"),
        ("everything on wheels, parked or on the road",),
        ("What could be driven away from here with a key?",),
    ),
    Asked(
        "works-road", "works-summer", ROAD,
        ("road", "paved public road"),
        ("runway", "canal"),
        ("the grey band along the southern edge, and its turn-off",),
        ("On what would a lorry leave this site towards the next town?",),
    ),
    Asked(
        "works-helipad", "works-summer", HELIPAD,
        ("helipad", "helicopter landing pad"),
        ("roundabout", "swimming pool"),
        ("the dark disc with a white letter in it, south of the tanks",),
        ("Where could an injured worker be flown out to hospital?",),
        given=("bbox", "obb"),
    ),
    Asked(
        "winter-tanks", "works-winter", TANK,
        ("storage tank", "fuel tanks"),
        ("silo", "gas holder ball", "wind turbine"),
        ("the five round structures linked by a pipe",),
        ("What here holds liquids for the months of frost?",),
        own_mask=True,
    ),
    Asked(
        "winter-halls", "works-winter", HALL,
        ("commercial building", "large flat-roofed building"),
        ("greenhouse", "apartment tower"),
        ("the snow-covered buildings around the paved yard",),
        ("Whose roofs must be watched for the weight of the snow?",),
        given=("obb",),
    ),
    Asked(
        "winter-helipad", "works-winter", HELIPAD,
        ("helipad", "landing pad for helicopters"),
        ("roundabout", "ice rink"),
        ("the round pad with a letter beside the tank yard",),
        ("What must be kept free of snow for an air ambulance?",),
    ),
    Asked(
        "market-vehicles", "market", VEHICLE,
        ("vehicle", "parked cars"),
        ("shopping trolley shelter", "caravan", "bus"),
        ("the small coloured shapes between the white lines",),
        ("What did the customers come here in?",
         "What would have to be moved before the bays can be painted anew?"),
    ),
    Asked(
        "market-halls", "market", HALL,
        ("commercial building", "store or office building"),
        ("warehouse under construction", "hospital", "solar farm"),
        ("the buildings on three sides of the car park",),
        ("Where do people go after they have parked?",),
        given=("bbox", "obb"),
    ),
    Asked(
        "market-road", "market", ROAD,
        ("road", "access road"),
        ("railway", "river", "footbridge"),
        ("the grey bands south of the car park",),
        ("How do customers reach the car park?",),
    ),
    Asked(
        "homes-houses", "homes", HOME,
        ("residential building", "detached house"),
        ("barn", "school", "greenhouse"),
        ("the red-roofed buildings on both sides of the lane",),
        ("Where do the people of this street sleep?",),
    ),
    Asked(
        "homes-pools", "homes", POOL,
        ("swimming pool", "garden pool"),
        ("trampoline park", "fountain", "fish farm"),
        ("the bright blue basins in the gardens",),
        ("Where would children cool down on a hot day?",),
        given=("bbox", "obb"),
    ),
    Asked(
        "homes-vehicles", "homes", VEHICLE,
        ("vehicle", "car in a driveway"),
        ("garden shed", "motor boat"),
        ("the cars standing on the pale strips beside the lane",),
        ("Which things show that somebody is at home?",),
    ),
    Asked(
        "farm-field", "farm", FIELD,
        ("cropland", "cereal field"),
        ("sand pit", "golf course", "vineyard"),
        ("the yellow area around the water, without the reeds",),
        ("What will be cut by a combine harvester in late summer?",),
    ),
    Asked(
        "farm-houses", "farm", HOME,
        ("residential building", "farmhouse or cottage"),
        ("grain silo", "chapel"),
        ("the three gabled houses north of the track, not the barn",),
        ("Where does the farmer's family live, and who are the neighbours?",),
    ),
    Asked(
        "farm-pond", "farm", POND,
        ("pond", "small natural water body"),
        ("swimming pool", "reservoir dam", "salt pan"),
        ("the dark water in the middle of the field",),
        ("Where would frogs spawn?",),
        as_runs=True,
    ),
    Asked(
        "crossing-roads", "crossing", ROAD,
        ("road", "crossroads and its four arms"),
        ("railway", "airport runway"),
        ("both grey bands with broken white lines",),
        ("Where must drivers give way to each other?",),
    ),
    Asked(
        "crossing-vehicles", "crossing", VEHICLE,
        ("vehicle", "moving cars"),
        ("tram", "road sign gantry", "bus shelter"),
        ("the cars near the crossing",),
        ("What would be elsewhere in a picture taken a minute later?",),
    ),
    Asked(
        "crossing-houses", "crossing", HOME,
        ("residential building", "family house"),
        ("petrol station", "water tower"),
        ("the red-roofed houses among the trees in the south-west",),
        ("Who would be woken by traffic at night, and where?",),
    ),
)  # fmt: skip
