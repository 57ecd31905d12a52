"""What a run notes in its checkpoints is told apart from what others have noted there."""

import pytest

from transformer_lib.text.run import MOST_IN_A_BATCH, check_batch, notes_of


def test_only_the_notes_of_a_run_are_taken_for_its_own():
    notes = {"recipe": {"data": "tales"}, "sha256": "0" * 64}
    assert notes_of({"notes": notes}) == notes
    for foreign in (None, {}, {"notes": "mine"}, {"notes": {"recipe": {}}}, {"notes": notes | {"recipe": 1}}):
        assert notes_of(foreign) is None


def test_a_batch_that_would_fill_the_memory_is_refused():
    check_batch("tokens", MOST_IN_A_BATCH)
    with pytest.raises(
        ValueError, match="a batch of 50,000,001 tokens is too large: take a smaller batch_size"
    ):
        check_batch("tokens", MOST_IN_A_BATCH + 1)
