"""Long stories, and what reads them."""

import pytest
import torch

from transformer_lib.data.tales import NAMES, TALES
from transformer_lib.experiments.chapter_17 import long_recall, long_stories
from transformer_lib.experiments.chapter_17.long_recall import MODELS, Reader


@pytest.mark.parametrize("factor", [1, 3, 10])
def test_stories_are_so_many_times_as_long_as_tales(factor):
    ratio = long_stories.grammar(factor).expected_length() / TALES.expected_length()
    assert abs(ratio / factor - 1) < 0.1


def test_on_the_way_the_hero_is_never_named():
    texts = long_stories.stories(3, "test", 20)
    far = [one for one in long_stories.recalls(texts) if one.is_far]
    assert len(far) >= 10 and all(one.back > 100 for one in far)
    for one in far:
        said = texts[one.row].split()
        between = said[one.place - one.back + 1 : one.place]
        assert said[one.place] in NAMES and said[one.place] == said[one.place - one.back]
        assert not NAMES.intersection(between)


def test_the_place_of_a_recall_is_where_the_name_is_predicted():
    texts = long_stories.stories(1, "test", 20)
    inputs, targets = long_stories.rows(texts)
    for one in long_stories.recalls(texts):
        word = texts[one.row].split()[one.place]
        assert long_stories.words().decode([int(targets[one.row, one.place])]) == word
        assert int(inputs[one.row, one.place + 1]) == int(targets[one.row, one.place])


def test_parts_do_not_share_stories():
    parts = [set(long_stories.stories(1, part, 50)) for part in ("train", "valid", "test")]
    assert not parts[0] & parts[1] and not parts[0] & parts[2] and not parts[1] & parts[2]


def test_a_story_in_pieces_predicts_what_one_piece_does():
    network = long_recall.build("Transformer-XL", torch.Generator().manual_seed(0)).double()
    inputs, _ = long_stories.rows(long_stories.stories(3, "test", 2))
    whole, state, pieces = network.logits(inputs), None, []
    for piece in inputs.split(96, dim=1):
        logits, state = network.logits_and_state(piece, state)
        pieces.append(logits)
    torch.testing.assert_close(torch.cat(pieces, dim=1), whole)


def test_what_is_said_depends_on_the_words_that_are_kept_alone():
    """A reader of the last word says the same wherever the rest comes from."""
    last = long_recall.kept(lambda tokens: int(tokens[-1]), 1, 20, lengths=(1, 4, 512))
    assert len(set(last.values())) == 1
    name = {word: long_stories.words().encode(word)[0] for word in NAMES}

    def first_name(tokens):
        return next((t for t in tokens.tolist() if t in name.values()), -1)

    shares = long_recall.kept(first_name, 1, 20, lengths=(1, 512))
    assert shares["512"] == 1.0 and shares["1"] < 0.5


def test_a_model_that_is_cut_reads_no_further_than_its_window():
    reader = Reader(4, 4, carries=False)
    network = long_recall.build("Transformer, 96 words", torch.Generator().manual_seed(0))
    text = torch.randint(5, (1, 12), generator=torch.Generator().manual_seed(0))
    other = text.clone()
    other[:, :8] = 0
    asked = [long_stories.Recall(0, 11, 0)]
    assert long_recall.foreseen(network, reader, text, asked) == long_recall.foreseen(
        network, reader, other, asked
    )


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_every_model_trains_and_is_measured_the_same_again(model):
    sizes = {"n_train": 20, "n_valid": 2, "n_test": 3, "n_kept": 2}
    once, again = (
        long_recall.measure(0, model=model, longest=3, rate=0.001, steps=2, check=1, patience=2, **sizes)
        for _ in range(2)
    )
    assert once == again and set(once) >= {"times 1", "times 3", "times 10", "valid", "best_step"}
