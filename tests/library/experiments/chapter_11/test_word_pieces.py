"""Models of byte pairs with one table or two, and the loss that compares tokens of any kind."""

import pytest
import torch

from transformer_lib.experiments.chapter_11 import word_pieces


@pytest.mark.slow
def test_every_way_to_cut_the_text_costs_the_same_where_each_character_does():
    characters = sum(len(text) + 1 for text in word_pieces.docstrings().test[: word_pieces.N_TEST])
    assert len(word_pieces.scored("characters")) == characters > len(word_pieces.scored("bpe"))
    for tokens in word_pieces.TOKENS:
        per_token = 2.0 * characters / len(word_pieces.scored(tokens))
        assert word_pieces.nats_per_character(per_token, tokens) == pytest.approx(2.0)


@pytest.mark.slow
def test_a_tied_model_lacks_the_second_table_and_its_own_table_is_the_head():
    tied, untied = (word_pieces.model(0, tied=tied) for tied in (True, False))
    assert untied.n_parameters() - tied.n_parameters() == 64 * word_pieces.BPE_TOKENS
    z = torch.eye(64)
    torch.testing.assert_close(tied.predict(z), tied.token_embedding.weight.T)


@pytest.mark.slow
def test_the_weights_that_are_tested_are_those_of_the_least_validation_loss():
    once, again = (word_pieces.measure(1, tied=True, steps=4, rate=0.003) for _ in range(2))
    assert once == again
    assert once["valid"] == min(point["valid"] for point in once["curve"]) < 7.0
