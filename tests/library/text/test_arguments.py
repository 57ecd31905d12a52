"""The command line knows its commands and options without the library behind them."""

import pytest

from transformer_lib.text.arguments import parser
from transformer_lib.transformer.config import PRESETS

COMMANDS = ("train", "sample", "translate", "evaluate", "reproduce")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command, capsys):
    with pytest.raises(SystemExit) as ended:
        parser().parse_args([command, "--help"])
    assert ended.value.code == 0
    assert command in capsys.readouterr().out


def test_training_lists_every_preset(capsys):
    with pytest.raises(SystemExit):
        parser().parse_args(["train", "--help"])
    shown = capsys.readouterr().out
    assert all(name in shown for name in PRESETS)


def test_an_unknown_option_ends_with_code_2():
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(["train", "--stepz", "3"])
    assert ended.value.code == 2
