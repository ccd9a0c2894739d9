"""What each column is called in QGIS, and how a person fills it in: names, choices, defaults.

Only columns that need a word are listed; the others are shown as they are. Choices say in words
what the file keeps as a word of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Choices = tuple[tuple[str, str], ...]

# The plugin says who reviews, and as what, in variables of the project.
_ME = "coalesce(@ovearth_user, nullif(@user_full_name, ''), @user_account_name)"
_MY_ROLE = "@ovearth_role"


@dataclass(frozen=True)
class Field:
    """One column in a form.

    kind: text, long, hidden, choice, category, flag, time, row. choices: label and value of each,
    for a choice. layer, shown: for a row of another table, that table and its column to show.
    default: a QGIS expression, filled in anew at each change where `each_change`.
    """

    name: str
    alias: str
    kind: str = "text"
    choices: Choices = ()
    layer: str = ""
    shown: str = ""
    default: str = ""
    each_change: bool = False


def _same(*values: str) -> Choices:
    return tuple((value.capitalize(), value) for value in values)


def _hidden(*names: str) -> tuple[Field, ...]:
    return tuple(Field(name, name, "hidden") for name in names)


_MADE = (
    Field("created_by", "Made by", default=_ME),
    Field("created_at", "Made at", "time", default="now()"),
    Field("changed_by", "Changed by", default=_ME, each_change=True),
    Field("changed_at", "Changed at", "time", default="now()", each_change=True),
)
_STATES = _same("draft", "submitted", "returned", "approved", "rejected")
_BOXES = (
    Field("instance_id", "Instance"),
    Field("frame", "Upright or smallest in", "choice", (("Pixels of the image", "pixel"),
          ("Map coordinates", "map"), ("Metres on the ground", "ground"))),
    Field("width_m", "Width (m)"), Field("length_m", "Length (m)"),
    Field("azimuth_deg", "Azimuth (degrees from north)"), Field("area_m2", "Area (m²)"),
    *_hidden("corners"),
)  # fmt: skip

FORMS: dict[str, Sequence[Field]] = {
    "images": (
        Field("file_name", "File"), Field("width", "Width (pixels)"),
        Field("height", "Height (pixels)"), Field("crs", "CRS"),
        Field("gsd", "Ground sampling distance (m)"), Field("source", "Source"),
        Field("license", "Licence"), Field("attribution", "Attribution"),
        Field("date_captured", "Captured on"), Field("location_group", "Same place as"),
        Field("continent", "Continent"), Field("poi_id", "Place of interest"),
        *_hidden("transform", "operation", "sha256", "extra"),
    ),
    "instances": (
        Field("target_id", "Target", "row", layer="targets", shown="label"),
        Field("iscrowd", "Crowd (joins the mask, not the boxes)", "flag"),
        Field("origin", "Drawn how", "choice", (("By hand", "drawn"),
              ("Click to mask", "click-to-mask"), ("Imported", "imported"),
              ("From a model's run", "run"))),
        Field("origin_note", "Drawn with"), Field("changes", "Times changed"), *_MADE,
        *_hidden("bbox", "obb", "segmentation", "pixels", "extra"),
    ),
    "pois": (
        Field("category_id", "Category", "category"), Field("name", "Name"),
        Field("state", "State", "choice", _same("candidate", "accepted", "rejected")),
        Field("source", "Source"), Field("source_id", "Id in the source"), *_MADE,
        *_hidden("tags", "extra"),
    ),
    "hbb": _BOXES,
    "obb": _BOXES,
    "targets": (
        Field("label", "Target"),
        Field("image_id", "Image", "row", layer="images", shown="file_name"),
        Field("category_id", "Category", "category"),
        Field("state", "State", "choice", _STATES), Field("annotator", "Annotator", default=_ME),
        Field("rival_of", "Second annotation of target"), *_MADE,
        Field("changed_role", "Changed as", "choice", _same("annotator", "manager"),
              default=_MY_ROLE, each_change=True),
        Field("changed_why", "Why", "long"), *_hidden("segmentation", "extra"),
    ),
    "queries": (
        Field("id", "Query"),
        Field("target_id", "Target", "row", layer="targets", shown="label"),
        Field("task", "Task", "choice", _same("vocabulary", "referring", "reasoning")),
        Field("polarity", "Polarity", "choice", _same("positive", "negative")),
        Field("text", "Text", "long"), Field("original_text", "Text before changes", "long"),
        Field("state", "State", "choice", _same("proposed", "accepted", "removed")),
        Field("origin", "Written by"), Field("flags", "Found by the check"),
        Field("correction", "The verifying model would write", "long"),
        Field("verified_why", "Its reason", "long"), Field("model", "Language model"),
        Field("prompt", "Prompt"), Field("verified_model", "Verified by"),
        Field("verified_prompt", "Verified with"), Field("verified_at", "Verified at", "time"),
        *_MADE, *_hidden("extra"),
    ),
    "reviews": (
        Field("at", "When", "time"), Field("who", "Who"), Field("role", "As"),
        Field("target_id", "Target"), Field("action", "What"), Field("from_state", "From"),
        Field("to_state", "To"), Field("comment", "Comment", "long"),
        Field("lon", "Pinned at longitude"), Field("lat", "Pinned at latitude"),
        Field("right_category", "Right category", "flag"),
        Field("good_boundary", "Good boundary", "flag"),
        Field("nothing_missed", "Nothing missed", "flag"), Field("query_id", "Query"),
        *_hidden("extra"),
    ),
    "categories": (
        Field("slug", "Short name"), Field("name", "Name"), Field("domain", "Domain"),
        Field("branch", "Branch"), Field("instanceable", "Has countable instances", "flag"),
        Field("definition", "Definition", "long"), *_hidden("extra"),
    ),
}  # fmt: skip
