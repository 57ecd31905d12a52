"""Recurrent models of the tales: their size, what they read, and how they are scored."""

import pytest
import torch

from transformer_lib.experiments.chapter_04 import recurrent_tales
from transformer_lib.experiments.chapter_10 import whole_transformer


@pytest.mark.slow
def test_the_models_are_as_large_as_the_transformer_of_chapter_10():
    transformer = whole_transformer.Transformer(whole_transformer.tales().tokenizer.vocab_size, 124)
    size = sum(p.numel() for p in transformer.parameters())
    for kind in recurrent_tales.KINDS:
        count = recurrent_tales.build(kind, torch.Generator()).n_parameters()
        assert count == pytest.approx(size, rel=0.02)
    config = recurrent_tales.build("the note's LSTM", torch.Generator()).config
    assert (config.cell_activation, config.bias) == ("sigmoid", False)


def test_no_validation_story_is_read_or_tested():
    held_out = set(recurrent_tales.validation())
    assert len(held_out) > 90 and not held_out & {
        *whole_transformer.tales().train,
        *whole_transformer.tales().test,
    }


@pytest.mark.slow
@pytest.mark.parametrize("reading", recurrent_tales.READINGS)
def test_a_seed_gives_the_same_model_again_and_training_helps(reading):
    models = [recurrent_tales.train(seed, reading=reading, steps=3, rate=0.01) for seed in (0, 0, 1)]
    models.append(recurrent_tales.build("LSTM", torch.Generator().manual_seed(0)))
    stories = whole_transformer.tales().test[:5]
    first, again, other, untrained = (whole_transformer.test_loss(model, stories) for model in models)
    assert first == again != other and first < untrained


def test_only_where_it_is_carried_does_a_window_begin_with_the_state_of_the_last(monkeypatch):
    given = {}
    for reading in ("windows", "carried"):
        states, logits_and_state = [], recurrent_tales.RecurrentModel.logits_and_state

        def spy(self, tokens, state=None, states=states, read=logits_and_state):
            states.append(None if state is None else state[0].hidden)
            return read(self, tokens, state)

        with monkeypatch.context() as patch:
            patch.setattr(recurrent_tales.RecurrentModel, "logits_and_state", spy)
            recurrent_tales.train(0, reading=reading, steps=3, rate=0.01)
        given[reading] = states
    assert given["windows"] == [None, None, None]
    first, *later = given["carried"]
    assert first is None and all(state.abs().max() > 0 and not state.requires_grad for state in later)
