"""One class holds the bank of hostile submissions beside honest ones: each gets its true result.

The bank runs in the sandbox only, never in this process's own rights.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from class_runs import (
    Member,
    files,
    grade_class,
    hasty,
    honest_member,
    hostile_member,
    record,
    solved_member,
    verdict,
)
from hostile_cases import EXERCISE, HOSTILE, PASSED, Hostile, state, to_grade

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("bwrap") is None, reason="the bank needs bubblewrap (apt install bubblewrap)"
    ),
]
SECONDS = 3.0
SECRET = "the-grader-keeps-this"
HONEST = [solved_member(), *map(honest_member, range(3))]
GRADED = to_grade(state(), PASSED.read_text(encoding="utf-8").strip())


@dataclass(frozen=True)
class Graded:
    """The class with the bank, and the same class without it."""

    folder: Path
    grades: Path
    without: Path
    places: dict[str, str]
    before: dict[str, bytes]
    calls: list[str]

    def kept(self) -> dict[str, bytes]:
        return {
            name: content
            for part in ("submissions", "outside", "06_self_attention")
            for name, content in files_and_links(self.folder / part).items()
        }


def files_and_links(folder: Path) -> dict[str, bytes]:
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder.parent)).encode(errors="surrogateescape").hex()
        found[name] = (
            str(path.readlink()).encode()
            if path.is_symlink()
            else path.read_bytes()
            if path.is_file()
            else b""
        )
    return found


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graded]:
    folder = tmp_path_factory.mktemp("class")
    exercise, grades, without = hasty(EXERCISE, folder, SECONDS), folder / "grades", folder / "grades-without"
    (folder / "outside").mkdir()
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as abstract,
        pytest.MonkeyPatch.context() as patch,
    ):
        abstract.bind(f"\0{SECRET}")
        abstract.listen()
        patch.setenv("GRADER_SECRET", SECRET)
        places = {
            "EXERCISE": str(exercise),
            "SUBMISSIONS": str(folder / "submissions"),
            "GRADES": str(grades),
            "OUTSIDE": str(folder / "outside"),
            "PORT": str(server.getsockname()[1]),
            "SECRET": SECRET,
        }
        (folder / "outside" / "secret.txt").write_text(SECRET, encoding="utf-8")
        for member in HONEST:
            member.hand_in(folder / "submissions", places)
        grade_class(exercise, folder / "submissions", without)
        for hostile in GRADED:
            hostile_member(hostile).hand_in(folder / "submissions", places)
        made = Graded(folder, grades, without, places, {}, [])
        made.before.update(made.kept())
        grade_class(exercise, folder / "submissions", grades)
        for listening in (server, abstract):
            listening.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                made.calls.append(str(listening.accept()))
        yield made


def test_the_bank_holds_what_it_promises() -> None:
    assert len(HOSTILE) >= 25
    for hostile in HOSTILE:
        assert re.match(r'"""[^\n]+\."""\n', hostile.text), hostile.path


def test_all_of_the_bank_is_graded_after_a_change_and_a_part_of_it_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SOAK", raising=False)
    assert to_grade("changed", "passed") == HOSTILE
    parts = [to_grade(now, now) for now in map(str, range(40))]
    assert all(10 < len([h for h in part if h.path.parent.name == "cells"]) < 25 for part in parts)
    assert {hostile.path for part in parts for hostile in part} == {hostile.path for hostile in HOSTILE}
    monkeypatch.setenv("SOAK", "1")
    assert to_grade("passed", "passed") == HOSTILE


@pytest.mark.parametrize("hostile", GRADED, ids=lambda hostile: hostile.path.stem)
def test_a_hostile_submission_gets_its_true_result(hostile: Hostile, graded: Graded) -> None:
    found = verdict(graded.grades, hostile.name)
    told = "\n".join(q["feedback"] for q in record(graded.grades, hostile.name)["questions"])
    assert found in hostile.verdicts, told


@pytest.mark.parametrize("member", HONEST, ids=lambda member: member.name)
def test_an_honest_submission_beside_them_gets_the_very_result_that_it_gets_without_them(
    member: Member, graded: Graded
) -> None:
    assert verdict(graded.grades, member.name) in member.verdicts
    both = [files(folder / "submissions" / member.name) for folder in (graded.grades, graded.without)]
    assert both[0] and both[0] == both[1]


def test_nothing_leaves_the_sandbox(graded: Graded) -> None:
    assert graded.calls == []
    assert graded.kept() == graded.before
    for name, content in files(graded.grades).items():
        assert b"ESCAPED" not in content and SECRET.encode() not in content, name


def test_no_process_of_a_submission_is_left(graded: Graded) -> None:
    left = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command, places = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
        except OSError:
            continue
        if SECRET.encode() in places and int(process.name) != os.getpid() and b"pytest" not in command:
            left.append(command)
    assert left == []


def test_every_file_of_the_class_is_text_that_shows_in_any_terminal(graded: Graded) -> None:
    for name, content in files(graded.grades).items():
        if name.endswith((".json", ".html", ".csv", ".md")):
            text = content.decode("utf-8")
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]", text.replace("\r\n", "\n")), name
            assert "<script>alert" not in text or name.endswith((".json", ".csv")), name


def test_answers_copied_from_the_kit_win_only_at_the_public_seed(graded: Graded) -> None:
    (copied,) = [hostile for hostile in GRADED if hostile.path.stem == "public_answers"]
    path = graded.folder / "submissions" / copied.name / "homework.ipynb"
    exercise = graded.folder / EXERCISE.name
    words = [sys.executable, "-m", "autograder", "grade", str(exercise), str(path), "--seed", "0"]
    run = subprocess.run(words, capture_output=True, text=True, check=True)
    won = re.search(r"^06\.1 +(\d+) ", run.stdout, re.MULTILINE)
    assert int(won[1]) == 1, run.stdout  # the values without a mask: their outputs are in the kit
    assert copied.verdicts[0].questions["06.1"][1] == 0
