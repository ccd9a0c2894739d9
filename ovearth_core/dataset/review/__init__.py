"""The review: who may do what with a target, what was done, and how far people agree."""

from .agreement import MEASURES, Agreement, agreement, agreements, mean, pairs
from .answers import ALL_GOOD, QUESTIONS, Answers
from .ceiling import Ceiling, answered_part, human_ceiling
from .changes import Share, changes, text_shares
from .drawing import Drawing, draw, drawn_since, log_drawing, undo_drawing
from .history import HEADINGS, Replay, history_json, history_rows, replay
from .moves import ANNOTATOR, MANAGER, MOVES, ROLES, Move, is_allowed, moves_from
from .person import Person, person_of
from .pin import Pin
from .query_moves import (
    TextChanges,
    decide,
    edit_text,
    has_correction,
    is_changed,
    take_correction,
    text_changes,
)
from .queue import Choice, chosen_targets, find_image, states_named
from .rivals import group_of, groups
from .rules import DRAWN, Said, check_may_draw, drawers, may_draw, possible
from .sample import Sample, read_sample
from .session import ReviewSession, review_session
from .worklist import UNTOUCHED, Entry, next_entry, worklist

__all__ = [
    "ALL_GOOD",
    "ANNOTATOR",
    "DRAWN",
    "HEADINGS",
    "MANAGER",
    "MEASURES",
    "MOVES",
    "QUESTIONS",
    "ROLES",
    "UNTOUCHED",
    "Agreement",
    "Answers",
    "Ceiling",
    "Choice",
    "Drawing",
    "Entry",
    "Move",
    "Person",
    "Pin",
    "Replay",
    "ReviewSession",
    "Said",
    "Sample",
    "Share",
    "TextChanges",
    "agreement",
    "agreements",
    "answered_part",
    "changes",
    "check_may_draw",
    "chosen_targets",
    "decide",
    "draw",
    "drawers",
    "drawn_since",
    "edit_text",
    "find_image",
    "group_of",
    "groups",
    "has_correction",
    "history_json",
    "history_rows",
    "human_ceiling",
    "is_allowed",
    "is_changed",
    "log_drawing",
    "may_draw",
    "mean",
    "moves_from",
    "next_entry",
    "pairs",
    "person_of",
    "possible",
    "read_sample",
    "replay",
    "review_session",
    "states_named",
    "take_correction",
    "text_changes",
    "text_shares",
    "undo_drawing",
    "worklist",
]
