"""What a job is likely to take, in tokens and money, before anything is sent."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import UsageError
from .depiction import picture_sizes
from .prompt import Prompt
from .question import Question
from .subject import Subject

# English text has about four letters a token; of pictures servers count 600 to 1,000 pixels one.
_LETTERS_A_TOKEN = 4.0
_PIXELS_A_TOKEN = 750.0
# What a request has around its text: the schema, the roles, the captions.
_AROUND = 250
_MILLION = 1e6


@dataclass(frozen=True)
class Prices:
    """US dollars, or any money, for a million tokens; None where nobody said.

    Raises UsageError for a price below 0.
    """

    tokens_in: float | None = None
    tokens_out: float | None = None

    def __post_init__(self) -> None:
        for price, option in ((self.tokens_in, "--price-in"), (self.tokens_out, "--price-out")):
            if price is not None and not (price >= 0 and math.isfinite(price)):
                raise UsageError(f"a price of {price:g}", option, "give 0 or more")

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return what so many tokens cost, None where a price isn't known."""
        if self.tokens_in is None or self.tokens_out is None:
            return None
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / _MILLION

    def words(self, tokens_in: int, tokens_out: int) -> str:
        """Say the tokens, and what they cost where that is known."""
        cost = self.cost(tokens_in, tokens_out)
        money = "" if cost is None else f", {cost:.2f} in money"
        return f"{tokens_in:,} tokens in, {tokens_out:,} out{money}"


@dataclass(frozen=True)
class Estimate:
    """Requests, and about how many tokens go in and come out."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def with_one(self, subject: Subject, prompt: Prompt, side: int) -> Estimate:
        """Return it with a request about one more target."""
        letters = len(prompt.system) + len(prompt.user) + sum(len(q.text) for q in subject.queries)
        pixels = sum(width * height for width, height in picture_sizes(subject, side))
        tokens = self.tokens_in + _tokens(letters, pixels)
        return Estimate(self.requests + 1, tokens, self.tokens_out + prompt.tokens_out)


def tokens_in_of(question: Question) -> int:
    """Return about how many tokens of a question go in."""
    letters = (
        len(question.prompt.system) + len(question.text) + sum(map(len, question.before or ()))
    )
    pixels = sum(p.pixels.shape[0] * p.pixels.shape[1] for p in question.pictures)
    return _tokens(letters, pixels)


def _tokens(letters: int, pixels: int) -> int:
    return round(letters / _LETTERS_A_TOKEN + pixels / _PIXELS_A_TOKEN + _AROUND)
