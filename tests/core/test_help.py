"""`--help` of every command reads well: whole sentences, nothing cut off, nothing unexplained."""

import pytest
import typer

from ovearth_core.cli.main import app, main


def commands(command=None, path=()):
    command = command or typer.main.get_command(app)
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*path, name))


@pytest.mark.parametrize("path", [path for path, _ in commands()], ids=" ".join)
def test_help_cuts_nothing_off(path, capsys):
    assert main([*path, "--help"]) == 0
    lines = capsys.readouterr().out.partition("Commands:")[2].splitlines()
    assert [line for line in lines if line.endswith("...")] == []


@pytest.mark.parametrize(("path", "command"), list(commands())[1:], ids=str)
def test_every_argument_and_option_is_explained(path, command):
    assert command.help.split("\n\n")[0].endswith(".")
    for parameter in command.params:
        assert parameter.help, (path, parameter.name)
        assert parameter.help.endswith((".", "?")), (path, parameter.name)


def test_the_first_help_tells_the_whole_way_from_images_to_scores(capsys):
    assert main([]) == 0
    told = " ".join(capsys.readouterr().out.partition("Options:")[0].split())
    for name, _ in ((path[-1], command) for path, command in commands() if len(path) == 1):
        if name != "taxonomy":
            assert name in told


def test_init_says_how_to_go_on(tmp_path, capsys):
    assert main(["init", str(tmp_path / "my tanks")]) == 0
    told = capsys.readouterr().out
    for command in ("images", "import", "check"):
        assert f"ovearth {command} '{tmp_path}/my tanks'" in told
