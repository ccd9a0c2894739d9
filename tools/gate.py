"""The plugin site's gate: Bandit and detect-secrets must find nothing at all in the packed files.

Usage: python tools/gate.py FOLDER
"""

from __future__ import annotations

import json
import subprocess
import sys


def findings_of(*command: str) -> dict:
    """Run a checker that prints JSON, and return it; a checker that breaks is an error too."""
    # Findings make a checker exit with 1: what it printed is what counts.
    done = subprocess.run(
        [sys.executable, "-m", *command], check=False, capture_output=True, text=True
    )
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"error: {command[0]} did not run:\n{done.stderr or done.stdout}")


def bandit(folder: str) -> list[str]:
    """Return Bandit's findings of every severity, and the files that it couldn't read."""
    found = findings_of("bandit", "--quiet", "--recursive", folder, "--format", "json")
    lines = [f"{e['filename']}: Bandit can't read it: {e['reason']}" for e in found["errors"]]
    for result in found["results"]:
        place = f"{result['filename']}:{result['line_number']}"
        lines.append(f"{place}: {result['test_id']} {result['issue_text']}")
    return lines


def detect_secrets(folder: str) -> list[str]:
    """Return what detect-secrets takes for secrets."""
    found = findings_of("detect_secrets", "scan", "--all-files", folder)
    return [
        f"{path}:{secret['line_number']}: looks like a secret ({secret['type']})"
        for path, secrets in found["results"].items()
        for secret in secrets
    ]


def main(folder: str) -> None:
    """Fail with one line per finding."""
    lines = bandit(folder) + detect_secrets(folder)
    if lines:
        sys.exit("\n".join([*lines, f"error: {len(lines)} findings would block the upload"]))
    sys.stdout.write(f"Bandit and detect-secrets: nothing found in {folder}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
