"""One request to a language model: what it is asked about one target, with which pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from .depiction import Picture
from .picture_file import data_url, packed
from .prompt import Prompt

_AGAIN = (
    "That can't be used: {fault}. Answer the same request again, with one JSON object of the form"
    " asked for and nothing else."
)
_LONGEST_QUOTE = 8000

Message = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Question:
    """A request about a target. text: of the user's message, in which `token` names the target.

    ids: of the texts to be verified, negatives and referring ones. before: a reply that could not
    be used, and why, where this asks again.
    """

    target_id: int
    prompt: Prompt
    token: str
    text: str
    pictures: tuple[Picture, ...]
    before: tuple[str, str] | None = None

    def again(self, reply: str, fault: str) -> Question:
        """Return the same question after a reply that could not be used."""
        return replace(self, before=(reply[:_LONGEST_QUOTE], fault))

    def key(self, model: str, address: str) -> str:
        """Return what it is kept by: SHA-256 of all that the answer hangs on, in hex."""
        parts = [
            "chat", address, model, self.prompt.system, self.text, self.prompt.schema,
            [(picture.caption, picture.digest) for picture in self.pictures], self.before,
        ]  # fmt: skip
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def messages(self) -> list[Message]:
        """Return the messages of the request, pictures packed."""
        content: list[Message] = [{"type": "text", "text": self.text}]
        for picture in self.pictures:
            content.append({"type": "text", "text": picture.caption})
            url = data_url(*packed(picture.pixels))
            content.append({"type": "image_url", "image_url": {"url": url, "detail": "high"}})
        messages: list[Message] = [
            {"role": "system", "content": self.prompt.system},
            {"role": "user", "content": content},
        ]
        if self.before is not None:
            reply, fault = self.before
            messages.append({"role": "assistant", "content": reply or "(nothing)"})
            messages.append({"role": "user", "content": _AGAIN.format(fault=fault)})
        return messages

    def reply_form(self) -> Message:
        """Return the `response_format` that holds a server to the schema."""
        schema = {"name": self.prompt.name, "strict": True, "schema": self.prompt.schema}
        return {"type": "json_schema", "json_schema": schema}

    def as_batch_line(
        self, model: str | None, most_answer_tokens: int | None = None
    ) -> dict[str, Any]:
        """Return it as a line of a batch file; without a model where none is named."""
        body: dict[str, Any] = {} if model is None else {"model": model}
        body |= {"messages": self.messages(), "response_format": self.reply_form()}
        if most_answer_tokens is not None:
            # What OpenAI's batch service takes for every model.
            body["max_completion_tokens"] = most_answer_tokens
        name = f"{self.prompt.name}-{self.target_id}"
        return {
            "custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body,
        }  # fmt: skip


def token_of(prompt: Prompt, target_id: int, pictures: tuple[Picture, ...]) -> str:
    """Return a name for the target that no other request has, the same each time."""
    parts = [prompt.label, str(target_id), *(picture.digest for picture in pictures)]
    return "T-" + sha256("\n".join(parts).encode()).hexdigest()[:10]
