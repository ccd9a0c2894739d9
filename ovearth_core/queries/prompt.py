"""What a language model is asked by: texts and the form of the reply, versioned data files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import Template
from typing import Any

from ..errors import InputError
from ..resources import resource

FORMAT = "ovearth-prompt/1"
# Of each stage, the newest: older ones stay readable, since texts name what wrote them.
VERSIONS = {"generate": 1, "verify": 1}


@dataclass(frozen=True)
class Prompt:
    """One prompt. limits: the least and the most of each list. schema: JSON schema of the reply.

    tokens_out: what a reply usually takes, for estimates.
    """

    name: str
    version: int
    system: str
    user: str
    limits: Mapping[str, tuple[int, int]]
    tokens_out: int
    schema: Mapping[str, Any]

    @property
    def label(self) -> str:
        """Name and version, as stored beside texts: "generate/1"."""
        return f"{self.name}/{self.version}"

    def user_text(self, target: str, data: Mapping[str, Any]) -> str:
        """Return the request's text for a target's name and the data about it."""
        counts = {
            f"{name}_{end}": str(value)
            for name, ends in self.limits.items()
            for end, value in zip(("least", "most"), ends, strict=True)
        }
        return Template(self.user).substitute(counts, target=target, data=delimited(data))


def delimited(data: Mapping[str, Any]) -> str:
    """Return data as JSON in which no text can end the block that it stands in."""
    text = json.dumps(data, ensure_ascii=False, indent=1)
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


@lru_cache(maxsize=8)
def load_prompt(name: str, version: int | None = None) -> Prompt:
    """Return the prompt of a stage ("generate", "verify"), the newest unless told which."""
    path = resource(f"prompts/{name}-{version or VERSIONS[name]}.json")
    found = json.loads(path.read_text(encoding="utf-8"))
    if found.get("format") != FORMAT or found.get("name") != name:
        raise InputError("is no prompt of that name", str(path), "install OVEarth anew")
    limits = {key: (int(least), int(most)) for key, (least, most) in found["limits"].items()}
    return Prompt(
        name, int(found["version"]), "\n".join(found["system"]), "\n".join(found["user"]),
        limits, int(found["tokens_out"]), found["schema"],
    )  # fmt: skip
