"""What chapter 9 finds of the sources' claims."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

NATS = "nats per word"
WAVES, SMALL, LARGE = ({"scheme": name} for name in ("sinusoidal", "learned, small start", "learned"))
NONE = {"scheme": "none"}


def _tales(
    label: str, number: str, one: dict[str, str], other: dict[str, str], rate: float = 0.005
) -> Contrast:
    """Two schemes on stories, after 300 steps."""
    shared = {"task": "tales", "rate": rate}
    return Contrast(f"tales, {label}", "lengths", f"300.{number}", one, other, shared, NATS)


def _echo(label: str, one: dict[str, str], other: dict[str, str]) -> Contrast:
    """Two schemes on echo beyond the length of training, after 300 steps."""
    shared = {"task": "echo", "rate": 0.005}
    return Contrast(f"echo, {label}", "lengths", "300.beyond", one, other, shared, "right")


VERDICTS = [
    Verdict(
        claim="C17",
        status="holds",
        sentence="The encoding some steps further is the one here, turned by a rotation that never changes.",
        proven=(
            "tests/library/equations/test_tx.py::test_one_rotation_moves_every_position_by_the_same_offset"
        ),
    ),
    Verdict(
        claim="C3",
        status="open",
        sentence=(
            "After 300 steps on stories waves do at least as well as a learned table up to the training "
            "length. Beyond it both fail: on stories a table that starts near zero fails less, on echo the "
            "waves fail less."
        ),
        contrasts=[
            _tales("to 32: waves against a table, small start", "within", WAVES, SMALL),
            _tales("to 32: waves against a table, large start", "within", WAVES, LARGE),
            _tales("33 to 128: waves against a table, small start", "beyond", WAVES, SMALL),
            _tales("33 to 128: waves against a table, large start", "beyond", WAVES, LARGE),
            _echo("33 to 128: waves against a table, small start", WAVES, SMALL),
            _echo("33 to 128: waves against a table, large start", WAVES, LARGE),
        ],
        open="larger models; longer training; other lengths",
    ),
    Verdict(
        claim="C18",
        status="open",
        sentence=(
            "300 steps on stories hardly test it. A table with a small start is not told apart from waves; "
            "one with a large start is behind."
        ),
        contrasts=[
            _tales("no positions against waves", "within", NONE, WAVES),
            _tales("table, small start, against waves", "within", SMALL, WAVES),
            _tales("table, large start, against waves", "within", LARGE, WAVES),
            _tales("table, large start, against waves, rate 0.002", "within", LARGE, WAVES, 0.002),
        ],
        open="a task that needs positions and is hard to learn; longer training",
    ),
]
