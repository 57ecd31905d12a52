"""Small runs of ``train`` that are interrupted at counted events, and what they leave and say.

python tests/support/interrupted_runs.py FOLDER

Each run is a child that is forked from this process, which has imported all and computed nothing. What has
become of each is printed as a line of JSON.
"""

import errno
import hashlib
import json
import math
import os
import random
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
import torch._dynamo  # which the first model imports: a second for each child
from safetensors import SafetensorError

from transformer_lib import __main__ as command_line
from transformer_lib.text import language_model
from transformer_lib.text.run import Run
from transformer_lib.training import LAST, CheckpointError, checkpoints, load_checkpoint
from transformer_lib.training import loop as loop_module
from transformer_lib.training.finite import first_not_finite

STEPS, EVALUATE_EVERY, CHECKPOINT_EVERY = 8, 3, 2
SHAPE = ["d_model=8", "n_heads=2", "n_layers=1", "context_length=8", "dropout=0.1", "warmup_steps=2"]
OFTEN = [f"evaluate_every={EVALUATE_EVERY}", f"checkpoint_every={CHECKPOINT_EVERY}"]
SETTINGS = [word for setting in (*SHAPE, *OFTEN) for word in ("--set", setting)]
TRAIN = ["train", "--data", "text.txt", "--tokenizer", "char", "--no-ngrams", "--device", "cpu"]
TRAIN += ["--steps", str(STEPS), "--batch-size", "2", *SETTINGS]
PER_SIGNAL = 15
NO_SPACE = "No space left on device"

Listener = Callable[[str], None]


@dataclass
class Outcome:
    """What an interrupted run has left, and what came of it.

    ``moment`` is the event; ``steps`` are the updates that had been made and ``saved`` those that
    ``last.safetensors`` held then; ``code`` and ``told`` are the exit code and the last line;
    ``files`` has the step of each checkpoint, or what is wrong with it; ``left`` are unfinished files.
    ``again`` is the command that went on, and ``end`` what is then in the folder, digests by name.
    """

    kind: str
    moment: str
    steps: int = 0
    saved: int = 0
    code: int | None = None
    told: str = ""
    files: dict[str, int | str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    again: str = ""
    code_again: int | None = None
    told_again: str = ""
    end: dict[str, str] = field(default_factory=dict)


def listen(to: Listener) -> None:
    """Tell of every batch, evaluation and file of the runs of this process."""
    batch, evaluate = language_model.LanguageModelBatches.batch, loop_module._Run.evaluate
    save_file, replace, finish = checkpoints.save_file, Path.replace, Run.finish

    def told_batch(self, step):
        to(f"batch {step}")
        return batch(self, step)

    def told_evaluate(self, function):
        def told(model):
            to(f"evaluation after step {self.step}")
            return function(model)

        return evaluate(self, told)

    def told_save(content, path, metadata):
        name = path.name.split(".")[1]
        to(f"{name}: begun")
        save_file(content, path, metadata=metadata)
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        to(f"{name}: half written")
        path.write_bytes(whole)

    def told_replace(self, target):
        name = Path(target).name.split(".")[0]
        to(f"{name}: written, not in its place")
        replace(self, target)
        to(f"{name}: in its place")

    def told_finish(self, *args):
        to("report")
        return finish(self, *args)

    language_model.LanguageModelBatches.batch = told_batch
    loop_module._Run.evaluate = told_evaluate
    checkpoints.save_file = told_save
    Path.replace = told_replace
    Run.finish = told_finish


def forked(folder: Path, words: list[str], prepare: Callable[[], None] = lambda: None) -> tuple[int, str]:
    """The exit code of the command in a child, minus the signal that has killed it; the last line it says."""
    log = folder / "said.txt"
    child = os.fork()
    if child == 0:
        code = 70
        try:
            os.chdir(folder)
            said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(said, 1)
            os.dup2(said, 2)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            prepare()
            code = command_line.main([*words, "--quiet"])
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    lines = [line for line in log.read_text(encoding="utf-8").splitlines() if line.strip()]
    return code, lines[-1] if lines else ""


def found(run: Path) -> dict[str, int | str]:
    """The step of each checkpoint, or what is wrong with it."""
    steps: dict[str, int | str] = {}
    for path in sorted(run.glob("*.safetensors")):
        try:
            checkpoint = load_checkpoint(path)
        except CheckpointError as error:
            steps[path.name] = str(error)
            continue
        training = checkpoint.training or {}
        bad = first_not_finite({**checkpoint.weights, **checkpoint.tensors})
        steps[path.name] = bad or training.get("steps") or training["best"]["step"]
    return steps


def digests(run: Path) -> dict[str, str]:
    """What a run holds in the end, without times."""
    made = {}
    for path in sorted(run.glob("*.safetensors")):
        checkpoint = load_checkpoint(path)
        whole = hashlib.sha256()
        for name, tensor in sorted({**checkpoint.weights, **checkpoint.tensors}.items()):
            whole.update(name.encode() + tensor.contiguous().numpy().tobytes())
        points = (checkpoint.training or {}).get("evaluations", (checkpoint.training or {}).get("best"))
        made[path.name] = f"{whole.hexdigest()[:16]} {json.dumps(points)}"
    if (record := run / "record.json").exists():
        made[record.name] = str(json.loads(record.read_text(encoding="utf-8"))["result"]["sample"])
    for path in run.iterdir():
        if path.name not in made and path.is_file():
            made[path.name] = "a file"
    return made


def prepared(root: Path, name: str) -> Path:
    folder = root / name
    folder.mkdir()
    text = "\n".join(f"{number} mice and a cat ate {number * 7 % 13} cheeses." for number in range(60))
    (folder / "text.txt").write_text(text, encoding="utf-8")
    return folder


def go_on(folder: Path, outcome: Outcome) -> None:
    """Do what the message says, or else what is left to do, and look at the end."""
    run = folder / "run"
    outcome.files = found(run)
    outcome.left = sorted(path.name for path in run.glob(".*")) if run.is_dir() else []
    words = [*TRAIN, "--run-dir", "run"]
    if "Continue with: " in outcome.told:
        words = shlex.split(outcome.told.partition("Continue with: ")[2])[3:]
    elif LAST in outcome.files:
        words = ["train", "--resume", "--run-dir", "run", "--no-ngrams"]
    elif outcome.files:
        words += ["--overwrite"]
    outcome.again = " ".join(word for word in words if word in ("--resume", "--overwrite")) or "anew"
    outcome.code_again, outcome.told_again = forked(folder, words)
    outcome.end = digests(run)


def steps_before(events: list[str], number: int) -> int:
    """The updates that have been made at an event."""
    return sum(event.startswith("batch") for event in events[:number])


def at_event(root: Path, kind: str, number: int, events: list[str], act: Callable[[], None]) -> Outcome:
    """The run that has come to the event of that number, when ``act`` is done."""
    folder = prepared(root, f"{kind}-{number}")
    steps, saved = steps_before(events, number), 0
    for place, event in enumerate(events[: number + 1]):
        if event == "last: in its place":
            saved = steps_before(events, place)
    outcome = Outcome(kind, f"{events[number]} (after {steps} steps)", steps, saved)
    count = iter(range(len(events) + 1))

    def listener(event: str) -> None:
        if next(count) == number:
            assert event == events[number]
            act()

    outcome.code, outcome.told = forked(folder, [*TRAIN, "--run-dir", "run"], lambda: listen(listener))
    go_on(folder, outcome)
    return outcome


def events_of(root: Path) -> tuple[list[str], dict[str, str]]:
    """The events of the run that nobody interrupts, and what it holds in the end."""
    folder = prepared(root, "whole")
    told = folder / "events.txt"

    def note(event: str) -> None:
        with told.open("a", encoding="utf-8") as file:
            file.write(f"{event}\n")

    code, last = forked(folder, [*TRAIN, "--run-dir", "run"], lambda: listen(note))
    assert code == 0, last
    return told.read_text(encoding="utf-8").splitlines(), digests(folder / "run")


def two_at_once(root: Path, events: list[str]) -> list[Outcome]:
    """While one run is held up, others in its folder; then it ends, as ``code_again``."""
    folder = prepared(root, "two")
    number = events.index(f"batch {STEPS // 2}")
    there, (wake, woken) = os.pipe(), os.pipe()
    holder = os.fork()
    if holder == 0:
        count = iter(range(len(events) + 1))

        def wait(_: str) -> None:
            if next(count) == number:
                os.write(there[1], b".")
                os.read(wake, 1)

        code = 70
        try:
            code = forked(folder, [*TRAIN, "--run-dir", "run"], lambda: listen(wait))[0]
        finally:
            os._exit(code)
    os.read(there[0], 1)
    outcomes = []
    for kind in ([], ["--overwrite"], ["--resume"]):
        words = [*(TRAIN if kind != ["--resume"] else ["train"]), "--run-dir", "run", *kind]
        outcome = Outcome("two", " ".join(kind) or "anew", STEPS // 2, found(folder / "run").get(LAST, 0))
        other = prepared(root, f"two{len(outcomes)}")
        (other / "run").symlink_to(folder / "run")
        outcome.code, outcome.told = forked(other, words)
        outcome.files = found(folder / "run")
        outcomes.append(outcome)
    os.write(woken, b".")
    code = os.waitstatus_to_exitcode(os.waitpid(holder, 0)[1])
    for outcome in outcomes:
        outcome.code_again, outcome.end = code, digests(folder / "run")
    return outcomes


def sending(number: signal.Signals) -> Callable[[], None]:
    return lambda: os.kill(os.getpid(), number)


def raising(error: Exception) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


def poisoned(root: Path, step: int, loss: bool = False) -> Outcome:
    """A run of which one weight, or the loss on the validation text, is NaN after a step."""
    folder = prepared(root, f"nan-{step}-{loss}")
    what = "in the evaluation" if loss else "in a weight"
    outcome = Outcome("nan", f"{what} after step {step}", step)

    def prepare() -> None:
        update, evaluate = loop_module._Run.update, loop_module._Run.evaluate

        def bad_update(self):
            update(self)
            if self.step == step:
                with torch.no_grad():
                    next(self.model.parameters()).view(-1)[-1] = math.nan

        def bad_evaluate(self, function):
            evaluate(self, (lambda model: math.nan) if self.step == step else function)

        if loss:
            loop_module._Run.evaluate = bad_evaluate
        else:
            loop_module._Run.update = bad_update

    outcome.code, outcome.told = forked(folder, [*TRAIN, "--run-dir", "run"], prepare)
    go_on(folder, outcome)
    return outcome


def main(root: Path) -> Iterator[Outcome]:
    """Interrupt runs at drawn moments, fill the disk, run two at once, make weights NaN."""
    events, end = events_of(root)
    yield Outcome("whole", f"{len(events)} events", STEPS, STEPS, 0, end=end)
    rng = random.Random(0)
    for name in ("SIGINT", "SIGKILL"):
        for place in drawn(events, rng):
            yield at_event(root, name, place, events, sending(signal.Signals[name]))
    no_space = OSError(errno.ENOSPC, NO_SPACE)
    for event, error in [
        ("best: begun", SafetensorError(f"I/O error: {NO_SPACE} (os error 28)")),
        ("last: half written", SafetensorError(f"I/O error: {NO_SPACE} (os error 28)")),
        ("last: written, not in its place", no_space),
        ("record: written, not in its place", no_space),
    ]:
        place = len(events) - 1 - events[::-1].index(event)  # the last of them
        yield at_event(root, "full", place, events, raising(error))
    yield from two_at_once(root, events)
    yield from (poisoned(root, 1), poisoned(root, 4), poisoned(root, EVALUATE_EVERY, loss=True))


def drawn(events: list[str], rng: random.Random) -> list[int]:
    """Moments to interrupt at, two of them within the writing of a file."""
    within = [place for place, event in enumerate(events) if "half written" in event]
    others = sorted(set(range(len(events))) - set(within))
    return sorted([*rng.sample(within, 2), *rng.sample(others, PER_SIGNAL - 2)])


if __name__ == "__main__":
    for one in main(Path(sys.argv[1])):
        print(json.dumps(asdict(one)), flush=True)
