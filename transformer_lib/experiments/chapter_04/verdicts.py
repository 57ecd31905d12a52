"""What chapter 4 finds of the sources' claims."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]


def _recall(label: str, delay: int, one: str, other: str) -> Contrast:
    """Two networks that recall a symbol after a delay, each at its best rate."""
    return Contrast(
        label,
        "delayed-recall",
        "right",
        {"network": one},
        {"network": other},
        {"delay": delay},
        grid="rate",
        best="highest",
        unit="right",
    )


def _far_names(label: str, other: str, rate: float | None = None) -> Contrast:
    """The LSTM whose forget gates start open against another network, by the heroes that it recalls.

    Each is at the rate with its least validation loss, or both are at ``rate``.
    """
    return Contrast(
        label,
        "hero-recall",
        "far",
        {"network": "LSTM, bias 4"},
        {"network": other},
        {} if rate is None else {"rate": rate},
        "right",
        grid="rate" if rate is None else None,
        by="valid",
    )


def _beside_the_transformer(label: str, kind: str, length: int, model: str) -> Contrast:
    """The time of a recurrent model against the Transformer's, the two having taken turns."""
    return Contrast(
        label,
        "serial-cost",
        f"{kind}.{length}.{model}",
        {},
        {},
        {"size": "large", "threads": 1},
        "microseconds per token",
        other_number=f"{kind}.{length}.Transformer",
    )


VERDICTS = [
    Verdict(
        claim="C35",
        status="holds when",
        sentence=(
            "Open forget gates recall a symbol after forty tokens, bias 1 rarely; in stories they recall "
            "more far names than the plain RNN. Undecided: in stories, against bias 1 and the identity; "
            "other starts against the RNN."
        ),
        contrasts=[
            _recall("symbol 40 back, LSTM with bias 4 against bias 1", 40, "LSTM, bias 4", "LSTM, bias 1"),
            _recall("the same, identity against the RNN", 40, "RNN, identity", "RNN"),
            _recall("symbol 10 back, LSTM with bias 0 against the RNN", 10, "LSTM, bias 0", "RNN"),
            _far_names("far names, LSTM with bias 4 against bias 1", "LSTM, bias 1"),
            _far_names("the same, both at the rate 0.005", "LSTM, bias 1", rate=0.005),
            _far_names("far names, LSTM with bias 4 against the plain RNN", "RNN"),
            _far_names("the same, against the identity", "RNN, identity"),
        ],
        open="other widths, depths, optimizers and texts; more than one layer",
    ),
    Verdict(
        claim="C9",
        status="holds when",
        sentence=(
            "On one thread of a CPU, recurrent models write faster than a Transformer. They train more "
            "slowly where the program steps along the chain, faster where one routine reads the whole text."
        ),
        contrasts=[
            _beside_the_transformer(
                "one more token after 1,024, LSTM against Transformer", "sampling", 1024, "LSTM"
            ),
            _beside_the_transformer("training on 1,024 tokens, RNN", "batches", 1024, "RNN"),
            _beside_the_transformer("the same, LSTM step by step", "batches", 1024, "LSTM, looped"),
            _beside_the_transformer("the same, LSTM in one routine", "batches", 1024, "LSTM"),
        ],
        proven=(
            "tests/library/experiments/chapter_04/test_serial_cost.py::"
            "test_a_recurrent_chain_grows_with_the_text_and_a_transformer_s_does_not"
        ),
        open="graphics processors, several threads, larger models",
    ),
]
