"""A few hundred fuzzed calls from a fixed seed, and that the fuzzer reaches everything public."""

import warnings

import pytest

import dplens as dl
from dplens.cli.app import _COMMANDS
from tests.fuzz.__main__ import drawn
from tests.fuzz.documents import LINES, copy_examples, run_line
from tests.fuzz.targets import Call, calls, untouched
from tests.fuzz.verdict import examine


@pytest.fixture(autouse=True)
def in_a_directory_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    copy_examples()


def test_every_public_name_is_reached():
    assert not untouched()


@pytest.mark.parametrize("call", calls(), ids=lambda call: call.label)
def test_good_calls_succeed(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dl.DplensWarning)
        call.run()


def test_every_command_has_a_line():
    assert {line.split()[0] for line in LINES} == set(_COMMANDS)


@pytest.mark.parametrize("line", LINES)
def test_good_command_lines_succeed(line):
    assert run_line(line) in (0, 1)


@pytest.mark.parametrize("part", range(10))
def test_hostile_calls_end_in_an_answer_or_a_dplens_error(part):
    faults = {}
    for number in range(part * 60, (part + 1) * 60):
        call = drawn(f"fixed:{number}")
        fault = examine(call)
        if fault:
            faults[f"fixed:{number} {call}"] = fault
    assert not faults


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: float("nan"), "NaN"),
        (lambda: dl.FinitePair(p=[1.0, 0.0], q=[0.0, 1.0]).tradeoff().no_such_name, "AttributeError"),
        (lambda: __import__("time").sleep(5), "took more than"),
    ],
)
def test_the_fuzzer_notices(function, found):
    assert found in (examine(Call("seeded fault", function), seconds=0.5) or "")
