"""What code in the sandbox can reach, hold and leave behind: nothing of the machine, little, and nothing."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import textwrap
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from autograder.authoring.source import Source
from autograder.authoring.spec import source_of
from autograder.judging.exam import Exam
from autograder.judging.grade import grade
from autograder.worker import confine, holdings, preflight, sandbox
from autograder.worker.holdings import tree
from autograder.worker.preflight import sandbox_problem
from autograder.worker.sandbox import INSIDE, BubblewrapLauncher
from autograder.worker.session import Limits, Run, Session, WorkerFailed
from autograder.worker.values import pack
from grader_cases import ROOT, SAMPLE, bank_answer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("bwrap") is None, reason="bubblewrap (the program bwrap) is not installed"
    ),
]
MEGABYTE = 1 << 20


def call(student, inputs):
    return {"found": student.find(**inputs)}


def run(session: Session, code: str, *, cases: int = 1, seconds: float = 30.0, **inputs: Any) -> Run:
    """Runs ``find`` of the code with the inputs, in so many cases."""
    cells = [("setup", "import os, sys, torch"), ("question", textwrap.dedent(code))]
    arrays: list[np.ndarray] = []
    packed = [pack(inputs, arrays) for _ in range(cases)]
    return session.run(cells, [(source_of(call), packed)], arrays, seconds=seconds)


def found(session: Session, code: str, **inputs: Any) -> Any:
    """What ``find`` of the code gives, run in the sandbox."""
    ran = run(session, code, **inputs)
    answer = ran.cases[0, 0]
    assert answer.error is None, ran
    return answer.outputs["found"]


@pytest.fixture(scope="module")
def sandboxed() -> Iterator[Session]:
    with Session(BubblewrapLauncher()) as warm:
        yield warm


@pytest.fixture
def fresh() -> Iterator[Session]:
    with Session(BubblewrapLauncher(memory_in_all=1 << 30)) as own:
        yield own


def test_a_sandbox_that_works_has_no_problem() -> None:
    assert sandbox_problem() is None


def test_a_sandbox_that_does_not_hold_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SETTINGS", ("/etc",))
    told = sandbox_problem()
    assert "it is not true that it cannot read the files of this machine" in told
    assert "--no-sandbox" in told


def test_without_bubblewrap_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "apt install bubblewrap" in sandbox_problem()


def test_a_platform_that_is_not_linux_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "needs Linux, and this is darwin" in sandbox_problem()


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("echo bubblewrap 0.4.1", "0.7 or later is needed"),
        (
            'test "$1" = --version && echo bubblewrap 0.8.0 && exit; '
            "echo bwrap: No permissions to create new namespace >&2; exit 1",
            "A container needs the right to make namespaces",
        ),
        (
            'test "$1" = --version && echo bubblewrap 0.8.0 && exit; echo bwrap: Unknown option >&2; exit 1',
            "bwrap: Unknown option",
        ),
    ],
)
def test_a_bubblewrap_that_cannot_be_used_is_told(
    script: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert told in sandbox_problem()


def test_a_user_who_may_make_no_namespaces_on_ubuntu_hears_of_the_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = tmp_path / "apparmor_restrict_unprivileged_userns"
    setting.write_text("1\n")
    monkeypatch.setattr(preflight, "APPARMOR", setting)
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    told = preflight._remedy("bwrap: setting up uid map: Permission denied")
    assert "kernel.apparmor_restrict_unprivileged_userns=0" in told


def test_an_answer_gets_the_same_result_as_without_a_sandbox(
    sample_exam: Exam, sample_source: Source, session: Session, sandboxed: Session, tmp_path: Path
) -> None:
    import nbformat

    wrong = bank_answer(SAMPLE, "wrong", "01.1", "no_scale").source
    for name, answers in {
        "right": sample_source.solutions,
        "wrong": {
            **sample_source.solutions,
            "01.1": f"# question 01.1\n{wrong}",
            "01.2": "# question 01.2\n1 / 0",
        },
    }.items():
        cells = [nbformat.v4.new_code_cell(text) for text in [sample_source.setup, *answers.values()]]
        path = tmp_path / f"{name}.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
        plain, boxed = (grade(sample_exam, path, used) for used in (session, sandboxed))
        assert boxed.questions == plain.questions
        assert (boxed.points == boxed.max_points) == (name == "right")


def test_the_worker_is_a_user_of_its_own_without_rights(sandboxed: Session, fresh: Session) -> None:
    code = """
    def find():
        for act in (os.setuid, os.setgid, os.seteuid, lambda group: os.setgroups([group])):
            try:
                act(0)
            except OSError:
                continue
            return "became root"
        status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines())
        rights = [int(status[name], 16) for name in ("CapPrm", "CapEff", "CapAmb")]
        return [os.getuid(), os.getgid(), os.getgroups(), rights, status["NoNewPrivs"]]
    """
    one, other = found(sandboxed, code), found(fresh, code)
    for user, group, groups, rights, locked in (one, other):
        assert user != 0 and group != 0 and 0 not in groups and rights == [0, 0, 0] and locked == "1"
    if os.getuid() == 0:
        assert one[0] != other[0]


def test_nothing_of_the_machine_can_be_read(sandboxed: Session, tmp_path: Path) -> None:
    (tmp_path / "alice.ipynb").write_text("{}")
    package = ROOT / "exercises" / "autograder" / "autograder"
    hidden = [
        ROOT / "pyproject.toml",
        ROOT / ".git" / "HEAD",
        ROOT / "exercises" / "06_self_attention" / "inputs.py",
        ROOT / "exercises" / "06_self_attention" / "fixtures.json",
        *sorted((ROOT / "exercises").glob("*/q*/*.py"))[:3],
        package / "exam.py",
        package / "compare.py",
        tmp_path / "alice.ipynb",
        Path.home() / ".bashrc",
        Path("/etc/passwd"),
        Path("/etc/shadow"),
        Path("/var/log"),
    ]
    code = """
    def find(paths):
        seen = []
        for path in paths:
            try:
                os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1)
                seen.append(path)
            except OSError:
                pass
        return seen
    """
    there = [str(path) for path in hidden if path.exists()]
    assert len(there) > 10
    of_processes = [f"/proc/{os.getpid()}/environ", "/proc/1/root/etc", "/proc/1/environ", "/proc/kcore"]
    assert found(sandboxed, code, paths=[*there, *of_processes]) == []


def test_no_exercise_and_no_grading_code_is_in_the_sandbox(sandboxed: Session) -> None:
    code = """
    def find(skipped):
        names = []
        for folder, folders, files in os.walk("/"):
            folders[:] = [f for f in folders if os.path.join(folder, f) not in skipped]
            names += [os.path.join(folder, f) for f in files if folder.startswith("/autograder/autograder")]
            names += [f for f in files if f in ("right.py", "wrong.py", "exercise.md", "fixtures.json")]
            names += [f for f in files if f.endswith(".ipynb")]
        try:
            import autograder.judging.compare
        except ImportError:
            return sorted(names)
    """
    skipped = [
        "/proc",
        "/usr",
        str(Path(os.__file__).parent),
        *[p for p in sys.path if p.endswith("-packages")],
    ]
    worker = ("__init__", "__main__", "confine", "forbids", "kernel", "messages", "student", "values")
    modules = ["__init__", *(f"authoring/{m}" for m in ("__init__", "sizes", "spec"))]
    modules += [f"worker/{m}" for m in worker]
    assert found(sandboxed, code, skipped=skipped) == [f"/autograder/autograder/{m}.py" for m in modules]


SEEN = """
def find():
    from pathlib import Path
    seen = [place for place in sys.path if any(Path(place).glob("transformer_lib/*.py"))]
    for finder in list(sys.meta_path):
        if type(finder).__name__ == "_Withheld":
            sys.meta_path.remove(finder)
    try:
        import transformer_lib.transformer.masks
        return [*seen, "imported"]
    except ImportError:
        return seen
"""


def test_the_courses_library_is_not_in_the_sandbox_unless_a_question_uses_it(
    sandboxed: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found(sandboxed, SEEN) == []
    with Session(BubblewrapLauncher(uses=("transformer_lib",))) as using:
        assert found(using, SEEN) == [INSIDE, "imported"]
    # as an instructor's kit has it: installed among other packages
    shutil.copytree(ROOT / "transformer_lib", tmp_path / "transformer_lib")
    (tmp_path / "other.py").write_text("x = 1")
    tmp_path.chmod(0o755)
    folders = [tmp_path, *sandbox._package_folders()]
    monkeypatch.setattr(sandbox, "_package_folders", lambda: folders)
    with Session(BubblewrapLauncher()) as installed:
        assert found(installed, SEEN) == []
        assert found(installed, "def find():\n    import other\n    return other.x") == 1
        assert sandbox_problem() is None


def test_the_environment_holds_nothing_of_the_graders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "do not tell")
    with Session(BubblewrapLauncher()) as session:
        names = found(session, "def find(): return [*os.environ, open('/proc/1/cmdline').read()]")
    assert "SECRET_TOKEN" not in names and "do not tell" not in str(names)


def test_nothing_can_be_written_outside_the_scratch_folder(sandboxed: Session) -> None:
    code = """
    def find(places):
        written = []
        for place in places:
            try:
                open(os.path.join(place, "written"), "w").close()
                written.append(place)
            except OSError:
                pass
        return written
    """
    places = ["/", "/usr", "/usr/bin", "/etc", "/dev", "/proc", "/proc/sys/kernel", "/autograder"]
    places += [
        "/autograder/autograder",
        str(Path(os.__file__).parent),
        str(ROOT),
    ]
    assert found(sandboxed, code, places=[*places, "/tmp", "/dev/shm"]) == ["/tmp", "/dev/shm"]


def test_what_was_written_is_gone_with_the_sandbox() -> None:
    code = "def find():\n    open('/tmp/kept', 'w').close()\n    return sorted(os.listdir('/tmp'))"
    # where the repository or Python lies under /tmp, what is bound of it stands there too
    bound = {path.parts[2] for path in (ROOT, Path(sys.prefix)) if path.is_relative_to("/tmp")}
    for _ in range(2):
        with Session(BubblewrapLauncher()) as session:
            assert set(found(session, code)) - bound == {"kept"}
    assert not Path("/tmp/kept").exists()


def test_there_is_no_network(sandboxed: Session) -> None:
    code = """
    import socket

    def find(port, name):
        reached = []
        for kind, place in (
            (socket.AF_INET, ("127.0.0.1", port)), (socket.AF_INET, ("192.0.2.1", 80)),
            (socket.AF_INET6, ("::1", port)), (socket.AF_UNIX, name),
        ):
            with socket.socket(kind) as own:
                own.settimeout(5)
                try:
                    own.connect(place)
                    reached.append(str(place))
                except OSError:
                    pass
        devices = open("/proc/net/dev").read().splitlines()[2:]
        return [reached, [line.partition(":")[0].strip() for line in devices]]
    """  # fmt: skip
    name = f"\0autograder-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as listening, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(name)
        abstract.listen()
        assert found(sandboxed, code, port=listening.getsockname()[1], name=name) == [[], ["lo"]]


def test_sockets_are_of_the_families_that_programs_use_among_themselves(sandboxed: Session) -> None:
    code = """
    import ctypes, errno, socket

    def find():
        refused = []
        for make in (socket.socket, socket.socketpair):
            for family in range(1, 46):
                for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
                    try:
                        made = make(family, kind)
                        refused.append([family, made and "made"])
                    except OSError as error:
                        if error.errno != errno.EAFNOSUPPORT:
                            refused.append([family, "known"])
        return sorted({family for family, _ in refused})
    """
    assert found(sandboxed, code) == [socket.AF_UNIX, socket.AF_INET, socket.AF_INET6]


def test_processes_are_bounded_and_none_is_left_for_the_next_question(fresh: Session) -> None:
    code = """
    import signal

    def find():
        made = 0
        try:
            while made < 500:
                if not os.fork():
                    signal.pause()
                    os._exit(0)
                made += 1
        except BlockingIOError:
            return made
    """
    assert found(fresh, code) < 64
    assert found(fresh, "def find(): return sum(name.isdigit() for name in os.listdir('/proc'))") <= 4


def test_a_process_that_ends_while_it_is_counted_holds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    program, read = "print(flush=True); input()", Path.read_text
    waiting = [
        subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in waiting:
        assert process.stdout.readline()

    def late(path: Path) -> str:
        if path.name == "smaps_rollup":
            waiting[0].kill()
            waiting[0].wait()
        return read(path)

    monkeypatch.setattr(Path, "read_text", late)
    try:
        each = [holdings.memory([process.pid], 1 << 40) for process in waiting]
        assert 0 < holdings.memory([process.pid for process in waiting], sum(each) - 1) <= each[1]
    finally:
        for process in waiting:
            process.communicate(b"\n")


def test_a_worker_that_others_outlive_answers_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confine.os, "kill", lambda *_: None)
    monkeypatch.setattr(confine.time, "sleep", lambda _: None)
    with pytest.raises(TimeoutError, match="do not end"):
        confine.end_others()


def test_threads_are_bounded(fresh: Session) -> None:
    code = """
    import threading

    def find():
        wait = threading.Event()
        try:
            for made in range(500):
                threading.Thread(target=wait.wait, daemon=True).start()
        except RuntimeError:
            return made
    """
    assert found(fresh, code) < 64


def test_a_fork_bomb_ends_with_its_question(fresh: Session) -> None:
    bomb = run(
        fresh, "def find():\n    while True:\n        try: os.fork()\n        except OSError: pass", seconds=1
    )
    assert bomb.lost == {0: "timeout"}
    assert found(fresh, "def find(): return 1") == 1


def test_memory_is_bounded_in_one_process() -> None:
    with Session(BubblewrapLauncher(), Limits(memory=512 * MEGABYTE)) as session:
        ran = run(session, "def find():\n    return len(bytearray(1 << 30))")
    assert ran.cases[0, 0].error.type == "MemoryError"


def test_memory_is_bounded_over_all_processes(fresh: Session) -> None:
    code = """
    import signal

    def find(size):
        for _ in range(40):
            if not os.fork():
                held = bytearray(os.urandom(1)) * size
                signal.pause()
        signal.pause()
    """
    assert run(fresh, code, size=200 * MEGABYTE).lost == {0: "out-of-memory"}
    assert found(fresh, "def find(): return 1") == 1


@pytest.mark.parametrize(
    "attempt",
    [
        "os.write(os.memfd_create('held'), b'x')",
        "None if ctypes.CDLL(None).shmget(0, 1 << 20, 0o1600) < 0 else 1",
        "None if ctypes.CDLL(None).unshare(0x10000000) else 1",
        "None if ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) else 1",
        "None if ctypes.CDLL(None).syscall(425, 8, ctypes.create_string_buffer(256)) < 0 else 1",
        "os.listdir(f'/proc/{os.getppid()}/fd')",
        "open(f'/proc/{os.getppid()}/mem', 'r+b')",
        "open('/dev/kmsg')",
        "os.kill(1, 9)",
    ],
)
def test_what_would_escape_the_limits_is_refused(attempt: str, sandboxed: Session) -> None:
    code = f"""
    import ctypes

    def find():
        try:
            return repr({attempt})
        except OSError:
            return "None"
    """
    assert found(sandboxed, code) == "None"
    assert found(sandboxed, "def find(): return 1") == 1


def test_files_are_bounded(fresh: Session) -> None:
    code = """
    def find():
        written = 0
        for place in ("/tmp", "/dev/shm"):
            for number in range(20):
                try:
                    with open(f"{place}/{number}", "wb", buffering=0) as file:
                        while True:
                            written += file.write(bytes(1 << 20))
                except OSError:
                    pass
        return written
    """
    assert found(fresh, code) <= 2 * 64 * MEGABYTE


HELD = {
    "files": "[open(f'/dev/shm/{n}', 'w').close() for n in range(20_000)]",
    "folders": "[os.mkdir(f'/tmp/{n}') for n in range(20_000)]",
    "links": "[os.symlink('/', f'/tmp/{n}') for n in range(20_000)]",
    "sockets": "held = [socket.socketpair() for n in range(120)]",
}


@pytest.mark.parametrize("name", HELD)
def test_what_the_kernel_keeps_for_a_sandbox_is_bounded(name: str, fresh: Session) -> None:
    code = f"""
    import signal, socket

    def find():
        for _ in range(20):
            if not os.fork():
                {HELD[name] if name == "sockets" else "pass"}
                signal.pause()
        {"pass" if name == "sockets" else HELD[name]}
        signal.pause()
    """
    assert run(fresh, code).lost == {0: "out-of-memory"}
    assert found(fresh, "def find(): return 1") == 1


def test_a_few_thousand_files_and_a_hundred_sockets_are_no_offense(fresh: Session) -> None:
    code = """
    import socket, time

    def find():
        held = [socket.socketpair() for _ in range(50)]
        for number in range(4000):
            open(f"/tmp/{number}", "w").close()
        time.sleep(0.5)
        return len(os.listdir("/tmp"))
    """
    assert found(fresh, code) >= 4000


def test_a_process_that_hides_ends_with_the_sandbox(fresh: Session) -> None:
    code = """
    import signal, time

    def find():
        reading, writing = os.pipe()
        if not os.fork():
            os.setsid()
            if not os.fork():
                for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                    signal.signal(number, signal.SIG_IGN)
                os.write(writing, b"x")
                while True:
                    time.sleep(60)
            os._exit(0)
        os.read(reading, 1)
        while True:
            time.sleep(60)
    """
    seen: list[int] = []

    class Watched(BubblewrapLauncher):
        def start(self):
            process = super().start()
            kill = process.kill

            def look_and_kill() -> None:
                seen.extend(tree(process.first))
                kill()

            process.kill = look_and_kill
            return process

    fresh.launcher = Watched()
    assert run(fresh, code, seconds=0.5).lost == {0: "timeout"}
    assert len(seen) >= 4
    assert not [number for number in seen if _is_running(number)]


def _is_running(number: int) -> bool:
    status = Path(f"/proc/{number}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] not in "ZX"


ENDINGS = {
    "os._exit": ("os._exit(0)", "crashed"),
    "ending its parent": ("os.kill(os.getppid(), 9)\n    while True: pass", "crashed"),
    "ending everything": ("os.kill(-1, 9)\n    while True: pass", "crashed"),
    "stopping itself": ("os.kill(os.getpid(), 19)", "timeout"),
    "stopping its parent": ("os.kill(os.getppid(), 19)\n    os._exit(0)", "timeout"),
    "closing every file and staying": (
        "os.closerange(0, 256)\n    import time\n    while True: time.sleep(60)",
        "timeout",
    ),
    "ignoring the end of its time": (
        "import signal\n    signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n    while True: pass",
        "timeout",
    ),
    "using its time": ("while True: pass", "timeout"),
    "a flood of errors": (
        "text = b'x' * 65536\n    while True: os.write(2, text)",
        "timeout",
    ),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_whatever_a_question_does_to_its_process_is_a_status_and_the_next_is_unharmed(
    name: str, sandboxed: Session
) -> None:
    act, reason = ENDINGS[name]
    assert run(sandboxed, f"def find():\n    {act}", seconds=1).lost == {0: reason}
    assert found(sandboxed, "def find(): return 1") == 1


def message(header: str, body: bytes = b"") -> bytes:
    return struct.pack("<I", len(header)) + header.encode() + body


def case(value: str, arrays: str = "[]") -> bytes:
    return message(f'{{"kind": "case", "error": null, "value": {value}, "arrays": {arrays}}}')


GOOD = '{"$": "dict", "v": [["found", 1]]}'
FORGED = {
    "a header that is announced and never comes": struct.pack("<I", 4 * MEGABYTE),
    "a header larger than allowed": struct.pack("<I", 0xFFFFFFFF) + b"x" * 1000,
    "an array that is announced and never comes": case(GOOD, '[{"dtype": "<f4", "shape": [16000000]}]'),
    "a shape whose product overflows": case(GOOD, f'[{{"dtype": "<f8", "shape": {[MEGABYTE] * 16}}}]'),
    "a shape that hides its size behind a zero": case(
        GOOD, f'[{{"dtype": "<f8", "shape": {[0] + [MEGABYTE] * 15}}}]'
    ),
    "a size that is no number": case(GOOD, '[{"dtype": "<f8", "shape": [NaN]}]'),
    "more arrays than allowed": case(GOOD, f"[{', '.join(['{}'] * 100_000)}]"),
    "deep nesting": case("[" * 100_000 + "]" * 100_000),
    "nesting at the edge of Python's": case("[" * 900 + "]" * 900),
    "an error whose message is nested": message(
        '{"kind": "case", "error": {"message": ' + "[" * 900 + "]" * 900 + '}, "arrays": []}'
    ),
    "a number with a million digits": case("1" * MEGABYTE),
    "an interval that is none": case('{"$": "dict", "v": [["found", {"$": "interval", "v": [1e999, 0]}]]}'),
    "an unfinished character": case('{"$": "dict", "v": [["\\ud800", "\\ud800"]]}'),
    "a million entries": case("[" + "0," * MEGABYTE + "0]"),
    "the end of a question": message('{"kind": "done", "ended": 0, "arrays": []}'),
    "the end of a question with a mark": message('{"kind": "done", "mark": "[end 0]", "arrays": []}'),
    "a second beginning": message('{"kind": "cells", "error": null, "arrays": []}') * 3,
    "no kind": message('{"arrays": []}'),
    "no object": message("[1]"),
    "nothing": b"",
}  # fmt: skip


FORGE = """
import base64, time, zlib

def find(forged):
    for number in range(3, 64):
        try:
            os.write(number, zlib.decompress(base64.b64decode(forged)))
        except OSError:
            pass
    while True:
        time.sleep(60)
"""


def forge(session: Session, reply: bytes, cases: int) -> Run:
    packed = base64.b64encode(zlib.compress(reply)).decode()
    return run(session, FORGE, cases=cases, seconds=0.2, forged=packed)


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_reply_is_a_status_and_the_next_question_is_unharmed(name: str, sandboxed: Session) -> None:
    ran = forge(sandboxed, FORGED[name], cases=2)
    assert ran.lost.get(0) in ("crashed", "timeout")
    for answer in ran.cases.values():
        json.dumps(answer.outputs, ensure_ascii=False).encode()
    assert found(sandboxed, "def find(): return 1") == 1


def test_answers_to_what_was_not_asked_are_not_kept(sandboxed: Session) -> None:
    assert list(forge(sandboxed, case(GOOD) * 5, cases=2).cases) == [(0, 0), (0, 1)]
    assert found(sandboxed, "def find(): return 2") == 2


def test_bytes_that_come_one_at_a_time_do_not_extend_the_deadline(sandboxed: Session) -> None:
    code = """
    import time

    def find(forged):
        while True:
            for byte in forged.encode():
                for number in range(3, 10):
                    try:
                        os.write(number, bytes([byte]))
                    except OSError:
                        pass
                time.sleep(0.05)
    """
    assert run(sandboxed, code, seconds=0.3, forged="\0\0\2\0" + " " * 10_000).lost == {0: "timeout"}


def test_what_is_sent_back_for_one_question_is_bounded() -> None:
    with Session(BubblewrapLauncher(), Limits(received=30 * MEGABYTE)) as session:
        ran = run(session, "def find(): return torch.zeros(3 << 20)", cases=4)
    told = [answer.error and answer.error.type for answer in ran.cases.values()]
    assert told == [None, None, "UnsupportedValue", "UnsupportedValue"]


def test_a_boolean_is_true_or_false_whatever_byte_was_sent(sandboxed: Session) -> None:
    code = "def find(): return torch.tensor([0, 1, 2, 255], dtype=torch.uint8).numpy().view(bool)"
    assert found(sandboxed, code).view(np.uint8).tolist() == [0, 1, 1, 1]


def test_processor_time_is_counted_and_not_the_time_that_others_take(sandboxed: Session) -> None:
    code = "import time\ndef find():\n    time.sleep(1.5)\n    return 1"
    assert run(sandboxed, code, seconds=1).cases[0, 0].error is None


def test_a_launcher_that_cannot_start_says_so() -> None:
    class Broken(BubblewrapLauncher):
        def start(self):
            raise FileNotFoundError("bwrap")

    with Session(Broken()) as session, pytest.raises(WorkerFailed, match="bwrap"):
        run(session, "def find(): return 1")


def test_the_modules_that_start_workers_are_imported_on_every_platform() -> None:
    code = (
        "import sys, torch, numpy\n"
        "sys.platform = 'win32'\n"
        "sys.modules.update(resource=None, fcntl=None, pwd=None, grp=None)\n"
        "for name in ('launcher', '__main__', 'forbids', 'session', 'sandbox', 'preflight'):\n"
        "    __import__(f'autograder.worker.{name}')\n"
        "from autograder.worker.preflight import sandbox_problem\n"
        "assert 'needs Linux, and this is win32' in sandbox_problem()\n"
    )
    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
