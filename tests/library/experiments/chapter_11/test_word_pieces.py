"""Models of characters and of byte pairs, and the loss that compares them."""

import math

import pytest
import torch

from transformer_lib.experiments.chapter_11 import word_pieces
from transformer_lib.training import evaluate_language_model


@pytest.mark.slow
def test_every_way_to_cut_the_text_costs_the_same_where_each_character_does():
    characters = sum(len(text) + 1 for text in word_pieces.docstrings().test[: word_pieces.N_TEST])
    assert len(word_pieces.scored("characters")) == characters > len(word_pieces.scored("bpe"))
    for tokens in word_pieces.TOKENS:
        per_token = 2.0 * characters / len(word_pieces.scored(tokens))
        assert word_pieces.nats_per_character(per_token, tokens) == pytest.approx(2.0)


@pytest.mark.slow
def test_a_tied_model_lacks_the_second_table():
    sizes = [
        word_pieces.train(0, tokens="bpe", tied=tied, rate=0.01, steps=1).n_parameters()
        for tied in (True, False)
    ]
    assert sizes[1] - sizes[0] == 64 * word_pieces.BPE_TOKENS


@pytest.mark.slow
def test_training_helps_and_a_seed_gives_the_same_again():
    setting = {"tokens": "characters", "tied": True, "rate": 0.01, "steps": 8}
    models = [word_pieces.train(seed, **setting) for seed in (0, 0, 1)]
    text = torch.from_numpy(word_pieces.scored("characters")[:500])
    first, again, other = (evaluate_language_model(model, text).nats for model in models)
    assert first == again != other and first < math.log(97)
