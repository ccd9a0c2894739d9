"""The review: who may do what with a target, what was done, and how far people agree."""

from .agreement import MEASURES, Agreement, agreement, agreements, mean, pairs
from .answers import ALL_GOOD, QUESTIONS, Answers
from .ceiling import Ceiling, answered_part, human_ceiling
from .changes import Share, changes, text_shares
from .history import HEADINGS, Replay, history_json, history_rows, replay
from .moves import ANNOTATOR, MANAGER, MOVES, ROLES, Move, is_allowed, moves_from
from .person import Person, person_of
from .pin import Pin
from .queue import Choice, chosen_targets, find_image, states_named
from .rivals import group_of, groups
from .rules import DRAWN, Said, drawers, possible
from .session import ReviewSession, review_session

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
    "Agreement",
    "Answers",
    "Ceiling",
    "Choice",
    "Move",
    "Person",
    "Pin",
    "Replay",
    "ReviewSession",
    "Said",
    "Share",
    "agreement",
    "agreements",
    "answered_part",
    "changes",
    "chosen_targets",
    "drawers",
    "find_image",
    "group_of",
    "groups",
    "history_json",
    "history_rows",
    "human_ceiling",
    "is_allowed",
    "mean",
    "moves_from",
    "pairs",
    "person_of",
    "possible",
    "replay",
    "review_session",
    "states_named",
    "text_shares",
]
