"""The tools: notebooks run again byte for byte, and a Python that will not do gets one clear message."""

import base64
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import refresh
import run_tests
from PIL import Image, PngImagePlugin

ROOT = Path(__file__).resolve().parents[2]


def png(pixels: np.ndarray, remark: str) -> str:
    """A PNG in base64, as notebooks store it, that carries a remark."""
    remarks = PngImagePlugin.PngInfo()
    remarks.add_text("Software", remark)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", pnginfo=remarks)
    return base64.b64encode(file.getvalue()).decode()


def notebook(*sources: str) -> dict:
    cells = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
        for source in sources
    ]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}


@pytest.fixture
def write(tmp_path: Path):
    def write(content: dict | str) -> Path:
        path = tmp_path / "notebook.ipynb"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


@pytest.mark.slow
def test_a_second_refresh_leaves_every_byte_as_it_was(write, capsys: pytest.CaptureFixture) -> None:
    path = write(
        notebook(
            "%matplotlib inline\nimport matplotlib.pyplot as plt\nprint('seed', 7)",
            "plt.plot([1, 3, 2])\nplt.show()",
        )
    )
    assert refresh.main([str(path)]) == 0, "let tools/refresh.py run this notebook: its error is above"
    first = path.read_bytes()
    assert "+seed 7" in capsys.readouterr().out, (
        "show each output that is new: see differences() in tools/refresh.py"
    )
    figure = refresh.read(path).cells[1].outputs[0].data["image/png"]
    assert b"Software" not in base64.b64decode(figure), "strip a picture's remarks: see canonical_png()"

    assert refresh.main([str(path)]) == 0, (
        "let tools/refresh.py run a refreshed notebook again: its error is above"
    )
    assert path.read_bytes() == first, (
        "write nothing that differs from run to run: see tidy() in tools/refresh.py"
    )
    assert "as it was" in capsys.readouterr().out, (
        "say of each notebook that it is as it was, or what changed"
    )


@pytest.mark.slow
def test_checking_reports_a_changed_output_and_writes_nothing(write, capsys: pytest.CaptureFixture) -> None:
    path = write(notebook("print(1 + 1)"))
    assert refresh.main([str(path)]) == 0, "let tools/refresh.py run this notebook: its error is above"
    stored = path.read_text(encoding="utf-8").replace('"2\\n"', '"3\\n"')
    path.write_text(stored, encoding="utf-8")

    assert refresh.main([str(path), "--check"]) == 1, "return 1 where --check finds a changed output"
    assert path.read_text(encoding="utf-8") == stored, "write nothing with --check"
    printed = capsys.readouterr().out
    assert "-3" in printed and "+2" in printed, "show the stored and the new output as a diff"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "complaint"), [("1 / 0", "ZeroDivisionError"), ("object()", "memory address")]
)
def test_a_notebook_that_cannot_be_refreshed_is_left_alone(write, capfd, source: str, complaint: str) -> None:
    path = write(notebook(source))
    stored = path.read_bytes()
    assert refresh.main([str(path)]) == 2, "return 2 where a notebook cannot be refreshed"
    assert path.read_bytes() == stored, "leave a notebook that fails as it is"
    assert complaint in capfd.readouterr().err, f"say on stderr what went wrong: {complaint}"


@pytest.mark.parametrize("content", ["not JSON", "[]", '{"cells": 3}', '{"cells": [{"source": 1}]}'])
def test_a_file_that_is_no_notebook_is_named_in_the_error(write, content: str) -> None:
    path = write(content)
    with pytest.raises(ValueError, match=r"notebook\.ipynb is not a"):
        refresh.read(path)


def test_cells_without_ids_get_the_same_ids_each_time(write) -> None:
    path = write(notebook("a = 1", "a = 1", "b = 2"))
    ids = [cell.id for cell in refresh.read(path).cells]
    assert len(set(ids)) == 3, "give each cell an id of its own, also where sources are equal"
    assert ids == [cell.id for cell in refresh.read(path).cells], (
        "take ids from the cells alone, so that they are the same each time"
    )


def test_a_figure_keeps_its_bytes_when_only_a_remark_in_the_file_differs() -> None:
    pixels = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    old = refresh.canonical_png(png(pixels, "one version"), None)
    assert b"one version" not in base64.b64decode(old), "strip a picture's remarks: see canonical_png()"
    assert refresh.canonical_png(png(pixels, "another version"), old) == old, (
        "keep the stored bytes where the pixels are the same: see canonical_png()"
    )
    assert refresh.canonical_png(png(pixels + 1, "one version"), old) != old, (
        "write the new bytes where the pixels differ: see canonical_png()"
    )


def test_a_figure_is_stored_in_few_colors_and_stays_as_it_is_after_that() -> None:
    y, x = np.mgrid[0:256, 0:256]
    pixels = np.stack([x, y, (x + y) // 2], axis=-1).astype(np.uint8)
    stored = refresh.canonical_png(png(pixels, "made by"), None)
    assert len(np.unique(refresh.pixels(stored).reshape(-1, 4), axis=0)) <= refresh.COLORS_KEPT, (
        "store a figure with a palette: see in_few_colors()"
    )
    far = np.abs(refresh.pixels(stored)[..., :3].astype(int) - pixels).mean()
    assert far < 12, "choose the palette's colors from the picture: see in_few_colors()"
    assert refresh.canonical_png(png(pixels, "made later"), stored) == stored, (
        "keep the stored bytes where the pixels are the same: see canonical_png()"
    )


@pytest.mark.skipif(shutil.which("sh") is None, reason="the Makefile's scripts need a POSIX shell")
@pytest.mark.parametrize(
    ("program", "complaint"),
    [
        ('#!/bin/sh\ncase "$*" in *platform*) echo 3.9.2;; *) exit 1;; esac\n', "is 3.9.2; the course needs"),
        ("#!/bin/sh\nexit 127\n", "is not a working Python; the course needs"),
    ],
)
def test_a_python_that_will_not_do_gets_one_clear_message(
    tmp_path: Path, program: str, complaint: str
) -> None:
    python = tmp_path / "python3.9"
    python.write_text(program, encoding="utf-8", newline="\n")
    python.chmod(0o755)
    run = subprocess.run(
        ["sh", str(ROOT / "tools" / "environment.sh"), str(tmp_path / "venv")],
        env=os.environ | {"PYTHON": str(python)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2, "let tools/environment.sh exit with 2"
    assert complaint in run.stderr and run.stderr.count("\n") == 1, (
        f"let tools/environment.sh say in one line: {complaint}"
    )
    assert not (tmp_path / "venv").exists(), "make no environment from a Python that will not do"


def test_a_stage_tells_its_result_and_its_last_line() -> None:
    stage = run_tests.Stage("name", [sys.executable, "-c", "print('all well'); print(); raise SystemExit(3)"])
    stage.run()
    assert (stage.returncode, stage.closing_line) == (3, "all well"), (
        "keep exit status and last line that says something: see Stage.run()"
    )


def test_a_stage_beside_others_is_silent_until_it_has_ended(capfd: pytest.CaptureFixture[str]) -> None:
    waits = "import sys; print('so far', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", waits]
    stage = run_tests.Stage("name", command, beside=True)
    stage.begin()
    run_tests.Stage("other", [sys.executable, "-c", "print('the other')"]).begin()
    assert "so far" not in capfd.readouterr().out, "show a stage beside others when it has ended: see end()"
    stage.end()
    assert capfd.readouterr().out.endswith("so far\n"), "show what a stage beside others printed: see end()"
    assert (stage.returncode, stage.closing_line) == (0, "so far"), "keep how a stage ended: see run()"


def test_the_book_is_built_before_it_is_tested(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "page"
    build = f"import pathlib; sum(range(10**7)); pathlib.Path({str(page)!r}).touch()"
    test = f"import pathlib, sys; sys.exit(not pathlib.Path({str(page)!r}).exists())"
    book = run_tests.Stage("book", [sys.executable, "-c", build], beside=True)
    browser = run_tests.Stage(run_tests.NEEDS_THE_BOOK, [sys.executable, "-c", test])
    monkeypatch.setattr(run_tests, "all_stages", lambda: [book, browser])
    assert run_tests.main("all") == 0, "end the stages beside others before the browser's: see main()"
    assert run_tests.NEEDS_THE_BOOK in {stage.name for stage in run_tests.all_stages()}, (
        "name the stage that needs the book: see NEEDS_THE_BOOK"
    )


def test_a_module_too_long_to_read_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "transformer_lib").mkdir()
    for name, lines in [("long", 401), ("short", 400)]:
        (tmp_path / "transformer_lib" / f"{name}.py").write_text("x = 1\n" * lines, encoding="utf-8")
    (warning,) = run_tests.long_modules(tmp_path)
    assert warning == "warning: transformer_lib/long.py has 401 lines; up to 400 read well", (
        "warn of modules of more than LONG_MODULE lines alone: see long_modules()"
    )


@pytest.mark.slow
def test_a_test_that_never_ends_is_named_and_fails(tmp_path) -> None:
    hangs = tmp_path / "test_hangs.py"
    hangs.write_text("import threading\n\ndef test_it():\n    threading.Event().wait()\n", encoding="utf-8")
    soon = [*run_tests.PYTEST, *run_tests.ON_ALL_CORES, "-o", "faulthandler_timeout=1", str(hangs)]
    run = subprocess.run(soon, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert run.returncode == 1, "let a test that hangs fail: see A_TEST_THAT_HANGS"
    assert "crashed while running 'test_hangs.py::test_it'" in run.stdout, (
        "name the test that hangs: see A_TEST_THAT_HANGS"
    )


def test_every_command_checks_style_format_and_types() -> None:
    for stages in (run_tests.check_stages(), run_tests.all_stages()):
        assert [stage.name for stage in stages[:4]] == ["lint", "format", "types", "spelling"], (
            "begin with lint, format, types and spelling: see style_stages()"
        )


def test_every_test_file_runs_in_exactly_one_stage() -> None:
    stages = run_tests.unit_tests()
    named = [name for files in stages.values() for name in files]
    assert len(named) == len(set(named)), "run each test file in one stage: see unit_tests()"
    assert set(named) >= {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")
    }, "run every test file: see unit_tests()"
    assert all("graders" not in name for name in stages["library"] + stages["book"]), (
        "run the graders' tests in their own stage: see unit_tests()"
    )
    longest = run_tests.LONGEST_FIRST
    assert set(longest) <= set(named), "take out of LONGEST_FIRST what is no test file any more"
    for files in stages.values():
        first = [name for name in longest if name in files]
        assert files[: len(first)] == first, "begin with what takes longest: see when_to_begin()"
