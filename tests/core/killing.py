"""Kills aimed at COMMIT, and what shows that one has hit it."""

# Run in the process that is to be killed: it says `commit` right before each COMMIT.
ANNOUNCING = """
from ovearth_core.dataset import Edit
whole = Edit.finish
def finish(edit):
    whole(edit)
    print("commit", flush=True)
Edit.finish = finish
"""

# SQLite writes this when COMMIT has put the rollback journal on disk, and takes the journal away
# at its end: in between, what is in the file is neither the old state nor the new one.
_HOT = bytes.fromhex("d9d505f920a163d7")


def hit_commit(folder):
    """Whether a process that was killed has left a file in the middle of a COMMIT."""
    return any(path.read_bytes()[:8] == _HOT for path in folder.rglob("*-journal"))


def read_commits(stream, count):
    """Read a process's lines up to the commit of a number, and return them, without it."""
    lines = []
    for line in stream:
        count -= line == "commit\n"
        if count <= 0:
            break
        lines.append(line)
    return [line.strip() for line in lines if line != "commit\n"]
