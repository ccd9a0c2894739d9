"""Gather every text of the plugin that people see into one .ts file for Qt Linguist.

pylupdate sees neither the class that `self.tr` translates for nor contexts given by name in a
function; this does. Texts that are translated already keep their translation, and those that the
plugin no longer has are left out. Standard library only. Run it in the checkout's folder.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path

SOURCES = Path("ovearth_plugin")
TS = Path("resources/i18n/ovearth.ts")
# Functions that translate for a class of their own, by the method's name.
NAMED = {"translated_here": "OVEarthAlgorithm"}
_MESSAGE = re.compile(
    r"<source>(.*?)</source>\s*<translation(?! type=\"unfinished\")[^>]*>(.*?)</translation>",
    re.DOTALL,
)
_CONTEXT = re.compile(r"<context>\s*<name>(.*?)</name>(.*?)</context>", re.DOTALL)

Texts = dict[str, dict[str, tuple[str, int]]]


class Finder(ast.NodeVisitor):
    """Finds the texts of one module, by context."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, str, int]] = []
        self.faults: list[tuple[int, str]] = []
        self.module_context = ""
        self.class_contexts: dict[str, str] = {}
        self._classes: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Remember in which class a text stands."""
        self._classes.append(node.name)
        self.generic_visit(node)
        self._classes.pop()

    def visit_Call(self, node: ast.Call) -> None:
        """Take the text of a call that translates."""
        self.generic_visit(node)
        name = (
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        )
        if name not in ("tr", "_tr", "translate", *NAMED) or not node.args:
            return
        try:
            *context, text = map(ast.literal_eval, node.args[:2])
        except ValueError:
            # A function of our own hands its text on: where it is called, the text is seen.
            if name != "translate":
                self.faults.append((node.lineno, "a text that is put together can't be translated"))
            return
        self.texts.append((context[0] if context else self._context(name), text, node.lineno))

    def _context(self, name: str) -> str:
        if name in NAMED:
            return NAMED[name]
        own = self._classes[-1] if self._classes else ""
        return self.class_contexts.get(own) or self.module_context or own


def contexts_of(tree: ast.Module, finder: Finder) -> None:
    """Note the contexts that translate("Context", text) names, for a class or the module."""
    for node in tree.body:
        for call in ast.walk(node):
            is_call = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
            if is_call and call.func.attr == "translate" and isinstance(call.args[0], ast.Constant):
                if isinstance(node, ast.ClassDef):
                    finder.class_contexts[node.name] = call.args[0].value
                else:
                    finder.module_context = call.args[0].value


def gathered() -> Iterator[tuple[str, str, str, int]]:
    """Yield context, text, file and line; fails at a text that can't be translated."""
    faults = []
    for path in sorted(SOURCES.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        finder = Finder()
        contexts_of(tree, finder)
        # The base class only hands on: its `translated_here` isn't the context of `tr`.
        finder.class_contexts.pop("OVEarthAlgorithm", None)
        finder.visit(tree)
        faults += [f"{path}:{line}: {what}" for line, what in finder.faults]
        for context, text, line in finder.texts:
            yield context, text, path.as_posix(), line
    if faults:
        sys.exit("\n".join(faults))


def translated_before() -> dict[tuple[str, str], str]:
    """Return the finished translations of the file that is there."""
    if not TS.exists():
        return {}
    found = {}
    for context, body in _CONTEXT.findall(TS.read_text(encoding="utf-8")):
        for source, translation in _MESSAGE.findall(body):
            found[unescape(context), unescape(source)] = unescape(translation)
    return found


def main() -> None:
    """Write the file."""
    before = translated_before()
    contexts: Texts = {}
    for context, text, path, line in gathered():
        contexts.setdefault(context, {}).setdefault(text, (path, line))
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>", '<TS version="2.1">']
    for context, texts in sorted(contexts.items()):
        lines += ["<context>", f"    <name>{escape(context)}</name>"]
        for text, (path, _) in sorted(texts.items()):
            done = before.get((context, text))
            translation = (
                f"<translation>{escape(done)}</translation>"
                if done
                else '<translation type="unfinished"></translation>'
            )
            # Without line numbers: they would change with every edit.
            lines += [
                "    <message>",
                f'        <location filename="../../{path}"/>',
                f"        <source>{escape(text)}</source>",
                f"        {translation}",
                "    </message>",
            ]
        lines.append("</context>")
    lines.append("</TS>")
    TS.parent.mkdir(parents=True, exist_ok=True)
    TS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    count = sum(map(len, contexts.values()))
    sys.stdout.write(f"{TS}: {count} texts in {len(contexts)} contexts\n")


if __name__ == "__main__":
    main()
