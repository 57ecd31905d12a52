"""What chapter 7 finds of the sources' claims."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]


def _both_right(label: str, network: bool) -> Contrast:
    """Two heads against one, by the share of cards that name both answers."""
    return Contrast(
        label,
        "heads",
        "900.right.both",
        one={"n_heads": 2},
        other={"n_heads": 1},
        shared={"task": "both", "network": network},
        grid="rate",
        best="highest",
        unit="of the cards",
    )


def _against_the_transformer(kind: str, part: str = "test") -> Contrast:
    """A kind of network against the Transformer, each at the rate with the least loss on unseen text."""
    return Contrast(
        f"{kind} against Transformer, {'unseen' if part == 'test' else 'training'} text",
        "overfitting",
        f"200.{part}",
        one={"kind": kind},
        other={"kind": "Transformer"},
        grid="rate",
        by="200.test",
        unit="nats per word",
    )


VERDICTS = [
    Verdict(
        claim="C19",
        status="holds when",
        sentence=(
            "Where a word needs two relations at once and a linear map follows, two heads serve both and one "
            "falls far short. If a network follows, no difference is seen."
        ),
        contrasts=[
            _both_right("two heads against one, a linear map follows", False),
            _both_right("two heads against one, a network follows", True),
        ],
        open="larger models; relations that nobody has built into the data",
    ),
    Verdict(
        claim="C16",
        status="holds",
        sentence="Adding projected heads is putting them side by side and projecting once, for any width.",
        proven=(
            "tests/library/equations/test_tx.py::"
            "test_concatenating_and_projecting_once_is_summing_projected_heads"
        ),
    ),
    Verdict(
        claim="C2",
        status="holds when",
        sentence=(
            "The number of parameters does not depend on the number of inputs if positions are absent or "
            "computed; learned positions have a row for each place or distance, up to a clip."
        ),
        proven=("tests/library/transformer/test_language_model.py::test_the_parameter_count_is_the_formula"),
    ),
    Verdict(
        claim="C32",
        status="holds",
        sentence=(
            "No parameter of attention belongs to a pair of objects or of places; but objects interact "
            "through the scores of (2) as well as through (3)."
        ),
        proven=(
            "tests/library/experiments/chapter_07/test_interaction.py::"
            "test_no_parameter_belongs_to_a_pair_but_objects_interact_through_the_scores_as_well"
        ),
    ),
    Verdict(
        claim="C34",
        status="holds when",
        sentence=(
            "On a short text a fully connected network over all inputs overfits: it fits that text better "
            "than a Transformer of its size and predicts unseen text far worse. Convolutions also predict it "
            "worse."
        ),
        contrasts=[
            _against_the_transformer("fully connected"),
            _against_the_transformer("fully connected", "train"),
            _against_the_transformer("fully connected, 8 words"),
            _against_the_transformer("convolutions"),
            _against_the_transformer("LSTM"),
        ],
        open="other texts and shapes; dropout and weight decay; images; a choice of rate on text of its own",
    ),
]
