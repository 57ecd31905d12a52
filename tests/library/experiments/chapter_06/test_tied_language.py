"""The language model whose queries are its keys."""

import torch

from transformer_lib.experiments.chapter_06.tied_language import QueriesAreKeys, tied_language_model


def test_tying_uses_the_query_part_of_the_packed_matrix():
    weight = torch.arange(12.0).view(6, 2)
    tied = QueriesAreKeys()(weight)
    assert torch.equal(tied[:2], weight[:2]) and torch.equal(tied[2:4], weight[:2])
    assert torch.equal(tied[4:], weight[4:])


def test_separate_and_tied_models_differ_and_a_seed_gives_the_same_again():
    separate = tied_language_model(0, tied=False, steps=2)
    assert (
        separate == tied_language_model(0, tied=False, steps=2) != tied_language_model(0, tied=True, steps=2)
    )
