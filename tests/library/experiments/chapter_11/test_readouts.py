"""The classifier of the tales: its labels, its mask and where it is read."""

import torch

from transformer_lib.experiments.chapter_11 import readouts
from transformer_lib.experiments.shared.small_tales import tales


def test_the_label_is_the_word_before_the_object():
    story = next(text for text in tales().test if " found a golden " in text or " found a tiny " in text)
    tokens, labels = readouts.read([story])
    quality = story.split(" found a ")[1].split()[0]
    assert readouts.QUALITIES[labels[0]] == quality and tokens.shape == (1, readouts.WORDS)


def test_every_opening_holds_its_answer():
    tokens, labels = readouts.openings("test")
    answers = torch.tensor([tales().tokenizer.encode(readouts.QUALITIES[label])[0] for label in labels])
    assert (tokens == answers[:, None]).any(1).all() and len(labels.unique()) == len(readouts.QUALITIES)


def test_without_a_mask_the_outputs_are_the_encoders_and_with_one_no_place_sees_a_later_word():
    model = readouts.build(torch.Generator().manual_seed(0))
    tokens = readouts.openings("test")[0][:2]
    other = tokens.clone()
    other[:, 20] = (other[:, 20] + 5) % 192
    with torch.no_grad():
        torch.testing.assert_close(readouts.outputs(model, tokens), model.encoder(tokens))
        masked, changed = (readouts.outputs(model, x, "causal") for x in (tokens, other))
    torch.testing.assert_close(masked[:, :20], changed[:, :20])
    assert not torch.allclose(masked[:, 20:], changed[:, 20:])


def test_the_head_at_the_place_that_it_was_trained_on_is_the_classifier():
    model = readouts.train(0, readout="first", rate=0.003, steps=2)
    found = readouts.measure(0, readout="first", mask="none", rate=0.003, steps=2)
    assert found["right"] == found["head"][0] == round(readouts.head_at_each(model)[0].item(), 4)
    assert len(found["probe"]) == readouts.WORDS and found["worst"]["probe"] == min(found["probe"])
