"""Code that nobody should trust costs its author points, never the grader its judgment."""

import dataclasses
import json
import sys
from pathlib import Path

import pytest
from autograder.authoring.source import Source
from autograder.judging.evaluate import evaluate
from autograder.judging.exam import Exam
from autograder.judging.grade import grade
from autograder.judging.results import Result
from autograder.judging.wording import lost_text
from autograder.worker.launcher import PlainLauncher
from autograder.worker.session import Limits, Run, Session, hurried
from autograder.worker.values import pack

pytestmark = pytest.mark.slow
RIGHT = """
def attention(query, key, value, mask):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(~mask, float("-inf")).softmax(-1).nan_to_num() @ value
"""
WRONG = """
def attention(query, key, value, mask):
    return value.mean(-2, keepdim=True).expand(*query.shape[:-1], -1)
"""


@pytest.fixture(scope="module")
def hasty(sample_exam: Exam) -> Exam:
    quick = {q: dataclasses.replace(found, seconds=3.0) for q, found in sample_exam.questions.items()}
    return dataclasses.replace(sample_exam, questions=quick)


def graded(exam: Exam, session: Session, answer: str, question: str = "01.1") -> Result:
    return evaluate(exam, question, None, {question: f"# question {question}\n{answer}"}, session)


HOSTILE = {
    "infinite loop at top level": ("while True: pass", "timeout", 0, "stopped after 3 seconds"),
    "infinite loop in the function": (
        "def attention(*a):\n    while True: pass",
        "timeout",
        0,
        "stopped after 3 seconds",
    ),
    "os._exit": ("import os\nos._exit(0)", "crashed", 0, "ended its own process"),
    "os._exit in the function": (
        "import os\ndef attention(*a):\n    os._exit(0)",
        "crashed",
        0,
        "ended its own process",
    ),
    "sys.exit": ("import sys\nsys.exit(0)", "crashed", 0, "called sys.exit, in line 3"),
    "an exception": ("def attention(*a):\n    return [][1]", "crashed", 0, "in line 3 of the cell"),
    "a syntax error": ("def attention(:", "crashed", 0, "SyntaxError"),
    "killing its own process": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)",
        "crashed",
        0,
        "ended its own process",
    ),
    "killing the server": (
        "import os, signal\nos.kill(os.getppid(), signal.SIGTERM)\nwhile True: pass",
        "crashed",
        0,
        "ended its own process",
    ),
    "giant return value": (
        "def attention(*a):\n    return torch.zeros(40_000_000)",
        "ok",
        0,
        "the answer is a value of 160 MB",
    ),
    "giant nested value": (
        "def attention(*a):\n    return [0] * 1_000_000",
        "ok",
        0,
        "more than 50,000 entries",
    ),
    "endless nesting": (
        "def attention(*a):\n    x = []\n    x.append(x)\n    return x",
        "ok",
        0,
        "12 levels",
    ),
    "NaN": ("def attention(q, k, v, m):\n    return q @ k.mT @ v * torch.nan", "ok", 0, "output has nan"),
    "a pickled object": (
        "import pickle\ndef attention(*a):\n    return pickle.dumps(torch.zeros(2))",
        "ok",
        0,
        "a value of type bytes",
    ),
    "nothing returned": ("def attention(*a):\n    pass", "ok", 0, "None (is a return missing?)"),
    "a renamed function": (
        "def my_attention(*a):\n    pass",
        "ok",
        0,
        "The cell does not define attention; it defines my_attention",
    ),
    "an object that equals everything": (
        "class Any:\n    shape = (2, 3, 6)\n    def __eq__(self, other): return True\n"
        "    def __getattr__(self, name): return self\n"
        "def attention(*a):\n    return Any()",
        "ok",
        0,
        "a value of type Any",
    ),
    "a tensor subclass that lies": (
        "class Lie(torch.Tensor):\n    shape = property(lambda self: torch.Size([2, 3, 6]))\n"
        "    @classmethod\n    def __torch_function__(cls, f, types, args=(), kwargs=None): return True\n"
        "def attention(q, k, v, m):\n    return torch.zeros(1).as_subclass(Lie)",
        "ok",
        0,
        "output has shape (1,)",
    ),
    "patched comparisons": (
        "import numpy\nnumpy.isclose = numpy.allclose = lambda *a, **k: True\n"
        "torch.allclose = torch.equal = torch.testing.assert_close = lambda *a, **k: True\n"
        "torch.Tensor.__eq__ = lambda *a: True" + WRONG,
        "ok",
        0,
        "differs in",
    ),
    "a patched autograder": (
        "import autograder.judging.compare, autograder.judging.evaluate, autograder.worker.values, sys\n"
        "for m in list(sys.modules.values()):\n"
        "    if m.__name__.startswith('autograder.'):\n"
        "        for n in ('difference', 'close', 'evaluate', 'judge'):\n"
        "            setattr(m, n, lambda *a, **k: None)" + WRONG,
        "ok",
        0,
        "differs in",
    ),
    "inputs changed in place": (
        "def attention(q, k, v, m):\n    q /= q.shape[-1] ** 0.5\n"
        "    return (q @ k.mT).masked_fill(~m, float('-inf')).softmax(-1).nan_to_num() @ v",
        "ok",
        0,
        "changes its input query in place",
    ),
    "junk on every open file": (
        "import os\nfor fd in range(3, 30):\n    try: os.write(fd, b'\\xff' * 100)\n    except OSError: pass"
        + RIGHT,
        "crashed",
        0,
        "ended its own process",
    ),
    "a message without a shape": (
        "import os, struct, json\n"
        "text = json.dumps({'kind': 'case', 'arrays': [{'dtype': '<f4', 'shape': [-1]}]}).encode()\n"
        "for fd in range(3, 30):\n    try: os.write(fd, struct.pack('<I', len(text)) + text)\n"
        "    except OSError: pass" + RIGHT,
        "crashed",
        0,
        "ended its own process",
    ),
    "deep JSON": (
        "import os, struct\ntext = b'[' * 1_000_000\n"
        "for fd in range(3, 30):\n    try: os.write(fd, struct.pack('<I', len(text)) + text)\n"
        "    except OSError: pass" + RIGHT,
        "crashed",
        0,
        "ended its own process",
    ),
    "a forbidden call": (
        "def attention(q, k, v, m):\n"
        "    return torch.nn.functional.scaled_dot_product_attention(q, k, v, m).nan_to_num()",
        "ok",
        0,
        "scaled_dot_product_attention is not allowed",
    ),
    "a forbidden call by another name": (
        "from torch._C._nn import scaled_dot_product_attention as mine\n"
        "def attention(q, k, v, m):\n    return mine(q, k, v, m).nan_to_num()",
        "ok",
        0,
        "scaled_dot_product_attention is not allowed",
    ),
    "a forbidden call in a try": (
        "from torch.nn.functional import scaled_dot_product_attention as sdpa" + RIGHT + "right = attention\n"
        "def attention(q, k, v, m):\n    try: sdpa(q, k, v)\n    except Exception: pass\n"
        "    return right(q, k, v, m)",
        "ok",
        0,
        "scaled_dot_product_attention is not allowed",
    ),
    "a huge print": ("print('x' * 50_000_000)" + RIGHT, "ok", 3, ""),
    "threads left running": (
        "import threading\n"
        "threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=False).start()" + RIGHT,
        "ok",
        3,
        "",
    ),
    "a process left running": ("import subprocess\nsubprocess.Popen(['sleep', '60'])" + RIGHT, "ok", 3, ""),
    "closed standard streams": ("import sys\nsys.stdout.close()\nsys.stderr = None" + RIGHT, "ok", 3, ""),
    "reading standard input": ("import sys\nassert sys.stdin.read() == ''" + RIGHT, "ok", 3, ""),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_code_gets_its_true_points_and_status(name: str, hasty: Exam, session: Session) -> None:
    if sys.platform == "win32" and ("process" in name or "server" in name):
        pytest.skip("POSIX signals")
    answer, status, points, told = HOSTILE[name]
    result = graded(hasty, session, answer)
    assert (result.status, result.points) == (status, points), result.feedback
    assert told in result.feedback


@pytest.mark.parametrize("name", ["os._exit", "killing the server", "junk on every open file", "deep JSON"])
def test_what_one_answer_does_leaves_the_next_unharmed(name: str, hasty: Exam, session: Session) -> None:
    graded(hasty, session, HOSTILE[name][0])
    assert graded(hasty, session, RIGHT).points == 3


def test_memory_without_end_is_refused(hasty: Exam) -> None:
    if sys.platform != "linux":
        pytest.skip("address space is limited on Linux only")
    with Session(limits=Limits(memory=512 << 20)) as small:
        for answer in ("x = [0] * 10**9", "x = torch.zeros(10**9)", "x = bytearray(10**10)"):
            result = graded(hasty, small, answer + RIGHT)
            assert (result.status, result.points) == ("out-of-memory", 0), result.feedback
            assert "more memory than it may have" in result.feedback


def test_a_crash_in_one_part_leaves_the_other_its_points(hasty: Exam, session: Session) -> None:
    for stop, status in [("os._exit(1)", "crashed"), ("while True: pass", "timeout"), ("1 / 0", "crashed")]:
        answer = f"import os{RIGHT}right = attention\ndef attention(q, k, v, m):\n"
        answer += f"    if not m.all():\n        {stop}\n    return right(q, k, v, m)"
        result = graded(hasty, session, answer)
        assert (result.points, result.status) == (2, status), result.feedback


PARTS = """
def asked(student, inputs):
    return {"answer": student.find(inputs["number"])}
"""


def lost(session: Session, cell: str, parts: int, seconds: float = 1.0) -> Run:
    cases = [(PARTS, [pack({"number": number}, [])]) for number in range(parts)]
    return session.run([("question", cell)], cases, [], seconds=seconds)


def test_a_loop_that_does_not_end_costs_one_limit_and_little_more(session: Session) -> None:
    ran = lost(session, "def find(number):\n    while True: pass", parts=6)
    assert ran.lost == {0: "timeout", 1: "hurried", **dict.fromkeys(range(2, 6), "untried")}
    assert [hurried(seconds) for seconds in (0.5, 3, 10)] == [0.5, 1, 2]


@pytest.mark.parametrize("loops", [0, 2, 5])
def test_a_loop_in_one_part_takes_no_points_from_the_others(loops: int, session: Session) -> None:
    ran = lost(session, f"def find(number):\n    while number == {loops}: pass\n    return number", 6, 1.0)
    assert ran.lost == {loops: "timeout"}
    assert {place: answer.outputs["answer"] for (place, _), answer in ran.cases.items()} == {
        place: place for place in range(6) if place != loops
    }


def test_cells_have_their_whole_limit_after_a_part_that_ran_out_of_time(session: Session) -> None:
    slow = "import time\nend = time.process_time() + 1.7\nwhile time.process_time() < end: pass\n"
    ran = lost(session, slow + "def find(number):\n    while number == 0: pass\n    return 1", 2, 4.0)
    assert ran.lost == {0: "timeout"} and (1, 0) in ran.cases


def test_a_student_reads_that_a_loop_cost_one_limit(hasty: Exam, session: Session) -> None:
    feedback = graded(hasty, session, "def attention(*a):\n    while True: pass").feedback
    assert "your code was stopped after 3 seconds; is there a loop that does not end?" in feedback
    told = [lost_text(reason, 10.0) for reason in ("hurried", "untried")]
    assert told[0] == "your code was stopped after 2 of 10 seconds, since a part before it ran out of time."
    assert "costs one limit of time, not one for each part" in told[1]


def test_a_submission_has_a_budget_of_time_for_all_its_questions(sample_exam: Exam, tmp_path: Path) -> None:
    cells = [{"cell_type": "code", "source": "# question 01.1\nimport time\ntime.sleep(3600)"}]
    cells += [{"cell_type": "code", "source": "# question 01.2\nn_scores = 75"}]
    path = tmp_path / "sleeps.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    with Session(limits=Limits(wall=3.0)) as session:
        found = grade(sample_exam, path, session)
        assert not session.overdue, "the next submission has a budget of its own"
    results = {result.question: result for result in found.questions}
    assert (found.status, results["01.1"].status, results["01.2"].status) == ("timeout",) * 3
    assert found.message == "sleeps.ipynb: stopped after 0.05 minutes for all of it"
    assert "the time for the whole notebook was over" in results["01.2"].feedback


def test_a_platform_without_fork_gives_the_same_verdicts(hasty: Exam, sample_source: Source) -> None:
    with Session(PlainLauncher(once=True)) as session:
        assert graded(hasty, session, RIGHT).points == 3
        assert graded(hasty, session, "import os\nos._exit(0)").status == "crashed"
        assert graded(hasty, session, WRONG).status == "ok"


def test_what_the_code_printed_is_shown_up_to_a_limit(hasty: Exam, session: Session) -> None:
    printed = graded(hasty, session, "for i in range(1000): print('line', i)" + WRONG).printed
    assert printed.startswith("line 0\nline 1\n")
    assert "more lines" in printed.splitlines()[-1] and len(printed) < 1000


def test_the_worker_sees_little_of_the_parents_environment(
    hasty: Exam, session: Session, monkeypatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "do not tell")
    with Session() as fresh:
        answer = "import os\nassert 'SECRET_TOKEN' not in os.environ and os.listdir() == []" + RIGHT
        assert graded(hasty, fresh, answer).points == 3


def test_no_expected_value_and_no_seed_reaches_the_worker(sample_exam: Exam, sample_source: Source) -> None:
    sent = []

    class Spy(Session):
        def run(self, cells, parts, arrays, **settings):
            sent.append((cells, parts, arrays, settings))
            return super().run(cells, parts, arrays, **settings)

    with Spy() as session:
        evaluate(sample_exam, "01.1", None, sample_source.solutions, session)
    (_, parts, arrays, settings), question = sent[0], sample_exam.questions["01.1"]
    expected = [case.expected["output"] for part in question.parts for case in part.cases]
    assert not any(a.shape == e.shape and (a == e).all() for a in arrays for e in expected)
    assert set(settings) == {"forbids", "uses", "imports", "seconds"}
    assert all(len(part) == 2 for part in parts)
