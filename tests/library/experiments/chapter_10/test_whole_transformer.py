"""The whole Transformer at the end of chapter 10."""

import math

import pytest
import torch

from transformer_lib import DecoderLM, TransformerConfig
from transformer_lib.experiments.chapter_10 import whole_transformer


@pytest.fixture(scope="module")
def model():
    return whole_transformer.train(0, steps=2)


def test_the_transformer_of_the_page_is_the_library_s_language_model(model):
    config = TransformerConfig(
        vocab_size=model.words.num_embeddings,
        context_length=model.places.num_embeddings,
        d_model=48,
        n_heads=4,
        n_layers=2,
        positions="learned",
        activation="relu",
    )
    library = DecoderLM(config)
    for theirs, ours in (
        (library.token_embedding, model.words),
        (library.stack.positions.table, model.places),
        (library.stack.blocks, model.blocks),
        (library.stack.final_norm, model.final_norm),
    ):
        state = ours.state_dict() if isinstance(ours, torch.nn.Module) else None
        if isinstance(theirs, torch.nn.Parameter):
            theirs.data.copy_(ours.weight)
        else:
            theirs.load_state_dict(state)
    tokens = torch.randint(model.words.num_embeddings, (2, 7))
    torch.testing.assert_close(model(tokens), library.eval().logits(tokens))


def test_a_story_is_predicted_from_its_first_word_to_its_end_token():
    story = whole_transformer.tales().test[0]
    inputs, targets = whole_transformer.read([story, story[: story.index(".") + 1]])
    vocabulary = whole_transformer.tales().tokenizer
    assert vocabulary.decode(inputs[0, 1:].tolist()) == story
    assert inputs[0, 0] == targets[0, -1] == vocabulary.end_token
    assert torch.equal(inputs[0, 1:], targets[0, :-1])
    assert (targets[1] == whole_transformer.NOT_SCORED).sum() == len(targets[0]) - len(
        story.split(".")[0].split()
    ) - 2


def test_as_many_tokens_are_scored_as_in_chapter_1(model):
    _, targets = whole_transformer.read(whole_transformer.tales().test)
    assert int((targets != whole_transformer.NOT_SCORED).sum()) == 24_072
    assert whole_transformer.test_loss(model) < math.log(model.words.num_embeddings) + 0.1


def test_a_seed_gives_the_same_sample_again_and_the_picture_ends_in_the_loss(model):
    assert (
        whole_transformer.sample(model, 1, most=9)
        == whole_transformer.sample(model, 1, most=9)
        != whole_transformer.sample(model, 2, most=9)
    )
    drawn = whole_transformer.picture(model)
    assert drawn["target"] == "ben" and drawn["read"][-3:] == ["thank", "you", ","]
    probabilities = [probability for _, probability in drawn["likely"]]
    assert probabilities == sorted(probabilities, reverse=True)
    assert drawn["nats"] >= -math.log(probabilities[0]) - 1e-3


def test_a_measurement_has_the_loss_two_samples_and_the_picture(monkeypatch):
    monkeypatch.setattr(whole_transformer, "sample", lambda model, seed: f"story {seed}")
    found = whole_transformer.measure(0, steps=1)
    assert found["samples"] == ["story 0", "story 1"]
    assert set(found) == {"nats", "samples", "picture"}


def test_no_validation_story_is_read_or_tested():
    held_out = set(whole_transformer.validation())
    assert len(held_out) > 90 and not held_out & {
        *whole_transformer.tales().train,
        *whole_transformer.tales().test,
    }
