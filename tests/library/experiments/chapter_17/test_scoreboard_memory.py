"""The Transformer-XL of the scoreboard."""

import pytest
import torch

from transformer_lib.experiments.chapter_17 import scoreboard_memory
from transformer_lib.experiments.shared.small_tales import tales


def test_a_window_in_pieces_is_read_like_one_in_one_piece():
    model = scoreboard_memory.build(torch.Generator().manual_seed(0)).double()
    tokens = torch.randint(tales().tokenizer.vocab_size, (2, 80), generator=torch.Generator().manual_seed(1))
    torch.testing.assert_close(model(tokens), model.network.logits(tokens))


@pytest.mark.slow
def test_a_seed_gives_the_same_row_again():
    once, again = (
        scoreboard_memory.measure(0, model="Transformer-XL", steps=2, rate=0.001) for _ in range(2)
    )
    assert once == again and once["chapter"] == 17
