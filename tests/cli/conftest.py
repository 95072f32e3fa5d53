"""A command line in this process."""

import pytest

from dplens.cli.main import main


@pytest.fixture
def run(capsys):
    """Runs a command in this process: (exit code, standard output, standard error)."""

    def command(*arguments):
        code = main([str(a) for a in arguments])
        out = capsys.readouterr()
        return code, out.out, out.err

    return command
