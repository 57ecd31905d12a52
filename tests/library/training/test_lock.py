"""One run at a time works in a folder; the lock says who holds it and ends with its holder."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from transformer_lib.training.lock import holding

HOLDER = """
import sys
from pathlib import Path
from transformer_lib.training.lock import holding
with holding(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    """Another process that holds the folder until its standard input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_folder_is_made_for_the_lock_and_goes_with_it_unless_it_was_used(tmp_path: Path) -> None:
    with holding(tmp_path / "runs" / "a"):
        assert (tmp_path / "runs" / "a").is_dir()
    assert list(tmp_path.iterdir()) == []
    with holding(tmp_path / "runs" / "a"):
        (tmp_path / "runs" / "a" / "weights").touch()
    assert [path.name for path in (tmp_path / "runs" / "a").iterdir()] == ["weights"]


def test_a_folder_that_was_there_stays(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="disk"), holding(tmp_path):
        raise OSError("the disk is full")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["kill", "close"])
def test_another_process_is_named_and_its_end_is_the_lock_s(tmp_path: Path, ends: str) -> None:
    folder = tmp_path / "run"
    process = holder(folder)
    try:
        for again in range(2):  # asking does not free it
            refusal = rf"in use by another run \(process {process.pid} on"
            with pytest.raises(ValueError, match=refusal), holding(folder):
                pytest.fail(f"held twice, at attempt {again}")
    finally:
        assert process.stdin is not None
        process.kill() if ends == "kill" else process.stdin.close()
        process.wait()
        process.stdin.close()
        assert process.stdout is not None
        process.stdout.close()
    with holding(folder):
        pass


def test_a_file_that_a_killed_run_has_left_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / ".lock").write_text(f'{{"process": {os.getpid()}, "host": "here", "since": "1999"}}')
    with holding(tmp_path):
        assert "1999" not in (tmp_path / ".lock").read_text()


def test_the_holder_may_ask_again_and_other_threads_may_not(tmp_path: Path) -> None:
    refusals = []

    def other() -> None:
        try:
            with holding(tmp_path / "." / "run"):
                pass
        except ValueError as error:
            refusals.append(str(error))

    with holding(tmp_path / "run"):
        with holding(tmp_path / "other" / ".." / "run"):
            pass
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        with holding(tmp_path / "run"):
            pass
    assert len(refusals) == 1
    assert "another thread of this process" in refusals[0]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_that_lives_on_does_not_hold_the_folder(tmp_path: Path) -> None:
    code = f"""
import os, sys, time
from pathlib import Path
from transformer_lib.training.lock import holding
held = holding(Path({str(tmp_path / "run")!r}))
held.__enter__()
if os.fork() == 0:
    os.close(1)
    time.sleep(20)
    os._exit(0)
print("held", flush=True)
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    with holding(tmp_path / "run"):
        pass
