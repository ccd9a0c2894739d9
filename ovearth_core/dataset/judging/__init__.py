"""Texts judged by people: the questions, the judgements, what follows, and how far they agree."""

from .concord import Concord, alpha, concord, units_of
from .judging import OUTCOMES, judge
from .numbers import HEADINGS, KindNumbers, contested_queries, human_pass, kind_of
from .questions import QUESTIONS, Question, check_judgement, question_of
from .settlement import Settlement, current_round, is_contested, latest, settle
from .verdicts import Verdicts, verdicts, verdicts_of

__all__ = [
    "HEADINGS",
    "OUTCOMES",
    "QUESTIONS",
    "Concord",
    "KindNumbers",
    "Question",
    "Settlement",
    "Verdicts",
    "alpha",
    "check_judgement",
    "concord",
    "contested_queries",
    "current_round",
    "human_pass",
    "is_contested",
    "judge",
    "kind_of",
    "latest",
    "question_of",
    "settle",
    "units_of",
    "verdicts",
    "verdicts_of",
]
