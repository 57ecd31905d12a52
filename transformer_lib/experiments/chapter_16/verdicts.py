"""What chapter 16 finds of the sources' claims."""

from transformer_lib.experiments.running.verdicts import Contrast, Verdict

__all__ = ["VERDICTS"]

PROOFS = "tests/library/equations/test_proofs_recurrent.py::"
CONTRACT = "tests/library/test_sequence_contract.py::"


def _recall(label: str, task: str, form: str, other: str = "LSTM") -> Contrast:
    """Two forms that recall a symbol, each at its best rate."""
    return Contrast(
        label,
        "ablated-recall",
        "right",
        {"form": form},
        {"form": other},
        {"task": task},
        "right",
        grid="rate",
        best="highest",
    )


VERDICTS = [
    Verdict(
        claim="C6",
        status="holds when",
        sentence="The memory of every LSTM is the weighted sum, exactly, if it starts at zero.",
        proven=PROOFS + "test_the_memory_is_the_weighted_sum_exactly_when_it_starts_at_zero",
    ),
    Verdict(
        claim="C4",
        status="holds when",
        sentence=(
            "What forget gates leave of an item falls with time and with distance. Its weight falls with "
            "time; an earlier item can weigh more than a later one, because input gates differ."
        ),
        proven=(PROOFS + "test_a_weight_fades_with_time_and_what_the_forget_gates_leave_with_distance"),
        open="how trained gates are spread at other widths and on other texts",
    ),
    Verdict(
        claim="C7",
        status="holds",
        sentence="Without recurrence in candidate and gates, the sum is one of features of the inputs.",
        proven=PROOFS + "test_the_ablated_lstm_computed_at_once_is_the_note_s_recurrence",
    ),
    Verdict(
        claim="C5",
        status="holds when",
        sentence=(
            "On recall: if a symbol marks itself, gates alone do about as well as the whole LSTM. If its "
            "context marks it, one such layer fails; one recurrence or a second layer is enough. "
            "Undecided: text."
        ),
        contrasts=[
            _recall("after a marker: none of the three against all", "after a marker", "none of the three"),
            _recall("the same, no recurrent content", "after a marker", "no recurrent content"),
            _recall("the same, no recurrent gates", "after a marker", "no recurrent gates"),
            _recall("the same, no output gate", "after a marker", "no output gate"),
            _recall("the same, none of the three in two layers", "after a marker", "none, two layers"),
            _recall("marked itself: none of the three against all", "marked itself", "none of the three"),
            _recall("the same, no gates: a plain network", "marked itself", "no gates"),
        ],
        open="text, other widths and delays",
    ),
    Verdict(
        claim="C38",
        status="holds",
        sentence=(
            "A later word cannot change an earlier output of an LSTM or of a masked Transformer. It changes "
            "those of a Transformer without a mask and of an LSTM that also reads backwards."
        ),
        proven=(
            CONTRACT
            + "test_a_later_token_cannot_change_an_earlier_conditional_and_each_token_changes_later_ones"
        ),
    ),
]
