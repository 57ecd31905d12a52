"""Certificates: what a question was fully proven on, stored beside it.

A full proof takes minutes per question: the bank at three seeds, every saboteur, every mutant on
thousands of inputs. A certificate says that it was made and of which files, so that a test can tell in a
moment whether it still holds, and the proof need not be made again until one of them changes.

Saboteurs, mutants and further seeds are tried in the prover's own process. What runs an answer's cells in a
worker has no part in that, so where it alone has changed, the bank is run again in workers, and nothing else.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from autograder.authoring.bank import BankAnswer
from autograder.authoring.layers import Layers
from autograder.authoring.version import DECIDING, RUNNING, bare, code_version, digest
from autograder.files import write_text
from autograder.proving.memory import bounded_memory
from autograder.proving.mutants import Hunt
from autograder.proving.proof import Proof
from autograder.worker.session import Session

FORMAT_VERSION = 2
INPUTS = 10_000
FEWEST = 100
PROVING = (
    *DECIDING,
    *(
        f"proving/{name}.py"
        for name in ("bench", "docstrings", "fresh", "mutants", "proof", "sabotage", "saboteurs")
    ),
)


class Certificate(msgspec.Struct, frozen=True):
    """What was proven, and the digests of what it was proven of."""

    format_version: int
    question: str
    specification: str
    bank: str
    judging: str
    running: str
    right_answers: int
    named_mistakes: int
    mutants_caught: int
    mutants_equal: int
    saboteurs_caught: int
    saboteurs_exempt: int
    inputs: int
    survivors: int


def digests(layers: Layers, question: str) -> dict[str, str]:
    """Of what a proof is made: the specification, the answers, the code that judges, proves and runs them."""
    questions, source = {q.id: q for q in layers.questions()}, layers.source()
    answers = [
        (f"{side} {answer.name}: {', '.join(answer.loses)}", bare(answer.source).encode())
        for side in ("right", "wrong")
        for answer in layers.bank(side)
        if answer.question == question
    ]
    solutions = [(q, bare(source.solutions[q]).encode()) for q in (*questions[question].needs, question)]
    exempt = [(name, b"") for name in sorted(questions[question].exempt)]
    return {
        "specification": layers.proof_version(question),
        "bank": digest([*sorted(answers), *solutions, *exempt]),
        "judging": code_version(PROVING),
        "running": code_version(RUNNING),
    }


def _stored(layers: Layers, question: str) -> Certificate | str:
    """The certificate of a question, or why there is none."""
    path = layers.certificate_path(question)
    if not path.is_file():
        return "has no certificate"
    try:
        stored = msgspec.json.decode(path.read_bytes(), type=Certificate)
    except msgspec.DecodeError as error:
        return f"has a certificate that cannot be read ({error})"
    if stored.format_version != FORMAT_VERSION or stored.question != question:
        return "has a certificate of another kind"
    return stored


def _changed(stored: Certificate, now: dict[str, str]) -> list[str]:
    """What a proof was made of that is now another."""
    return [name for name, value in now.items() if getattr(stored, name) != value]


def staleness(layers: Layers, question: str, fewest: int = FEWEST) -> str:
    """Why a question has no certificate that holds, on so many inputs per part; nothing if it has one."""
    stored = _stored(layers, question)
    if isinstance(stored, str):
        return stored
    if changed := _changed(stored, digests(layers, question)):
        return f"has a certificate of another {' and '.join(changed)}"
    if stored.survivors or stored.inputs < fewest:
        return f"is certified on {stored.inputs:,} inputs with {stored.survivors} survivors"
    return ""


@dataclass(frozen=True)
class _InWorkers(Proof):
    """What of a proof workers run."""

    def _at_more_seeds(self, question: str, right: dict[str, str], wrong: list[BankAnswer]) -> Iterator[str]:
        return iter(())


def certify(
    folder: Path, question: str, session: Session, overlay: Path | None = None, inputs: int = INPUTS
) -> Iterator[str | Certificate]:
    """The full proof of one question: what fails, a sentence each, or the certificate, which is stored.

    Where nothing has changed but what runs an answer's cells, its bank is run again, and the rest holds.
    """
    layers = Layers.of(folder, overlay)
    now, stored = digests(layers, question), _stored(layers, question)
    if isinstance(stored, Certificate) and stored.inputs >= inputs and _changed(stored, now) == ["running"]:
        if failures := list(_InWorkers.of(folder, session, overlay, question).failures(question, session)):
            yield from failures
        else:
            yield _kept(layers, msgspec.structs.replace(stored, running=now["running"]))
        return
    proof = Proof.of(folder, session, overlay, question)
    with bounded_memory():
        sabotage = proof.sabotage(question)
    if failures := [*proof.failures(question, session), *sabotage.failures]:
        yield from failures
        return
    with bounded_memory():
        verdict = Hunt(folder, session, overlay=overlay, question=question).run(question, inputs=inputs)
    yield from (f"{question}: {mutant} survives:\n{told}" for mutant, told in verdict.survivors)
    if verdict.survivors:
        return
    made = Certificate(
        format_version=FORMAT_VERSION,
        question=question,
        right_answers=1 + len([a for a in proof.right if a.question == question]),
        named_mistakes=len([a for a in proof.wrong if a.question == question]),
        mutants_caught=verdict.caught,
        mutants_equal=len(verdict.equivalent),
        saboteurs_caught=sabotage.caught,
        saboteurs_exempt=sabotage.exempt,
        inputs=inputs,
        survivors=0,
        **now,
    )
    yield _kept(layers, made)


def _kept(layers: Layers, made: Certificate) -> Certificate:
    """The certificate, which is stored beside its question."""
    path = layers.certificate_path(made.question)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, msgspec.json.format(msgspec.json.encode(made), indent=1).decode() + "\n")
    return made


def summary(made: Certificate, minutes: float) -> str:
    """One line on a certificate."""
    return (
        f"{made.question}: certified in {minutes:.1f} minutes: {made.right_answers} right answers, "
        f"{made.named_mistakes} named mistakes, {made.mutants_caught} mutants and {made.saboteurs_caught} "
        f"saboteurs caught; {made.mutants_equal} mutants equal the reference on {made.inputs:,} inputs "
        f"per part, {made.saboteurs_exempt} saboteurs are exempt"
    )
