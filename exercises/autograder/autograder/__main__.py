"""``python -m autograder build | prove | finish | grade | kit | export | assemble | project``."""

import argparse
import sys
import time
from pathlib import Path

from autograder.authoring.layers import Layers, find_exercises
from autograder.authoring.spec import SpecificationError
from autograder.classroom import command as grade_command
from autograder.classroom import project
from autograder.delivery import assemble, export, kits
from autograder.delivery.build import build, leaks, problems
from autograder.proving.certificates import INPUTS, Certificate, certify, staleness, summary
from autograder.proving.proof import Proof
from autograder.worker.session import Session, WorkerFailed


class UsageError(ValueError):
    """Bad input on the command line."""


def _folders(arguments: argparse.Namespace) -> list[Path]:
    """The exercises that are named; with an overlay, those of them that it has a layer for."""
    found = []
    for path in arguments.folders or [Path("exercises")]:
        folders = find_exercises(path)
        if not folders:
            raise UsageError(f"{path}: is not an exercise folder (it has no exercise.md) and holds none")
        found += folders
    if (overlay := arguments.overlay) is not None:
        names = ", ".join(folder.name for folder in found)
        found = [folder for folder in found if Layers.of(folder, overlay).private]
        if not found:
            raise UsageError(f"{overlay}: has no layer over {names}; a layer is a folder of the same name")
    return found


def _chosen(arguments: argparse.Namespace) -> list[tuple[Path, list[str]]]:
    """The exercises that hold the question that is asked for, or any if none is, with these questions."""
    known = {f: [q.id for q in Layers.of(f, arguments.overlay).questions()] for f in _folders(arguments)}
    names = [name for ids in known.values() for name in ids]
    if arguments.question not in (None, *names):
        raise UsageError(
            f"there is no question {arguments.question!r}; there are {', '.join(names)}; "
            "a new one is a folder qN_short_name beside exercise.md, N its number"
        )
    chosen = [(f, [q for q in ids if arguments.question in (None, q)]) for f, ids in known.items()]
    return [(folder, ids) for folder, ids in chosen if ids]


def _build(arguments: argparse.Namespace, session: Session) -> int:
    stale, layer = 0, f" --overlay {arguments.overlay}" if arguments.overlay else ""
    folders = _folders(arguments)
    for number, folder in enumerate(folders, 1):
        print(f"[{number}/{len(folders)}] {folder.name}", flush=True)
        if arguments.check:
            for problem in problems(folder, session, arguments.overlay):
                stale += 1
                print(f"  {problem}; run: python -m autograder build {folder}{layer}")
        else:
            for line in build(folder, session, overlay=arguments.overlay, execute=not arguments.no_execute):
                print(f"  {line}", flush=True)
    return 1 if stale else 0


def _prove(arguments: argparse.Namespace, session: Session) -> int:
    failures = 0
    for folder, chosen in _chosen(arguments):
        proof = Proof.of(folder, session, arguments.overlay, arguments.question)
        for question in chosen:
            found = [*proof.failures(question, session), *proof.sabotage(question).failures]
            print(
                f"{question} {proof.exams[0].questions[question].title}: {'FAILS' if found else 'proven'}",
                flush=True,
            )
            for failure in found:
                print("  " + failure.replace("\n", "\n    "))
            if any("full marks with" in failure for failure in found):
                print("  AUTHORS.md has a table of the cases that these saboteurs ask for")
            failures += len(found)
    return 1 if failures else 0


def _finish(arguments: argparse.Namespace, session: Session) -> int:
    failures = 0
    for folder, chosen in _chosen(arguments):
        layers = Layers.of(folder, arguments.overlay)
        for line in build(folder, session, overlay=arguments.overlay):
            print(line, flush=True)
        for leak in leaks(layers):
            failures += 1
            print(f"  {leak}", flush=True)
        for question in chosen:
            why = staleness(layers, question, arguments.inputs)
            if not why and not arguments.all:
                print(f"{question}: certified before, and nothing has changed", flush=True)
                continue
            started = time.monotonic()
            for told in certify(folder, question, session, arguments.overlay, arguments.inputs):
                if isinstance(told, Certificate):
                    print(summary(told, (time.monotonic() - started) / 60), flush=True)
                else:
                    failures += 1
                    print("  " + told.replace("\n", "\n    "), flush=True)
    return 1 if failures else 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(
        prog="python -m autograder", description="Build, prove and grade exercises."
    )
    commands = top.add_subparsers(dest="command", required=True)

    def command(name: str, run, text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        return made

    def author_command(name: str, run, text: str) -> argparse.ArgumentParser:
        made = command(name, run, text)
        made.add_argument(
            "folders", nargs="*", type=Path, help="exercise folders, or a folder of them (exercises)"
        )
        made.add_argument(
            "--overlay", type=Path, metavar="FOLDER", help="use the private layers over them in this folder"
        )
        return made

    def one_question(made: argparse.ArgumentParser) -> None:
        made.add_argument("--question", metavar="ID", help="only this question, such as 06.6 (default: all)")

    made = author_command("build", _build, "write exercise.ipynb, solution.ipynb and fixtures.json")
    made.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if something is stale or leaks"
    )
    made.add_argument("--no-execute", action="store_true", help="leave the notebooks without outputs")
    made = author_command("prove", _prove, "prove the graders with their banks of right and wrong answers")
    one_question(made)
    made = author_command(
        "finish",
        _finish,
        "build, prove in full what has changed, with every mutant, and store its certificate",
    )
    one_question(made)
    made.add_argument("--all", action="store_true", help="also what has a certificate that holds")
    made.add_argument(
        "--inputs", type=int, default=INPUTS, help="fresh inputs per part for mutants that keep full marks"
    )
    grade_command.add_command(command)
    kits.add_command(command)
    export.add_command(command, grade_command.seed)
    assemble.add_command(command)
    project.add_command(command, grade_command.seed)
    return top


def main(words: list[str] | None = None) -> int:
    """Run one command; bad input is one line on standard error and exit code 2, a full disk one and 1."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Whatever the console has, nothing becomes a "?", and no student's name ends a run.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    arguments = parser().parse_args(words)
    try:
        with Session() as session:
            ended = arguments.run(arguments, session)
            sys.stdout.flush()
            return ended
    except (UsageError, SpecificationError, WorkerFailed) as error:
        print(f"python -m autograder: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"python -m autograder: {place}{error.strerror or error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
