"""Number words have one answer; pairs come once an epoch, with little padding; streams go on unbroken."""

import pickle
import random
import sys
from importlib.metadata import version

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from transformer_lib.data import (
    IGNORED,
    PAIRS,
    Batches,
    BpeTokenizer,
    LanguageModelBatches,
    PairBatch,
    PairBatches,
    StreamBatches,
    encode_pairs,
    encode_pairs_with_dropout,
    load_number_words,
    load_pairs,
    read_parallel_corpus,
)
from transformer_lib.data.numbers import PINNED_NUM2WORDS, PINNED_SHA256, draw_distinct
from transformer_lib.data.pairs import without_known_sentences, without_long
from transformer_lib.training.parallel import to_device


@pytest.fixture(scope="module")
def german():
    return load_number_words("de", "en", n_train=300, n_valid=20, n_test=30)


@pytest.mark.slow
@pytest.mark.parametrize("name", PINNED_SHA256)
def test_number_words_of_the_pinned_num2words_are_the_same_bytes_everywhere(name):
    assert version("num2words") == PINNED_NUM2WORDS
    corpus = load_pairs(name)
    assert corpus.name == name
    assert corpus.sha256 == PINNED_SHA256[name]
    assert [len(part) for part in (corpus.train, corpus.valid, corpus.test)] == [10_000, 1_000, 1_000]
    assert corpus.source_tokenizer.vocab_size + corpus.target_tokenizer.vocab_size < 80


def test_numbers_are_said_in_both_languages():
    pairs = load_number_words(n_train=100, n_valid=0, n_test=0, largest=99).train
    assert ("einundzwanzig", "twenty-one") in pairs
    french = load_number_words("en", "fr", n_train=100, n_valid=0, n_test=0, largest=99).train
    assert ("ninety-nine", "quatre-vingt-dix-neuf") in french


def test_the_opposite_direction_has_the_same_pairs_turned_round(german):
    turned = load_number_words("en", "de", n_train=300, n_valid=20, n_test=30)
    assert turned.train == [(target, source) for source, target in german.train]
    assert turned.source_tokenizer == german.target_tokenizer
    assert turned.target_tokenizer == german.source_tokenizer


def test_no_number_is_in_two_parts_and_more_training_changes_no_other_part(german):
    pairs = [*german.train, *german.valid, *german.test]
    assert len(set(pairs)) == len({source for source, _ in pairs}) == len({t for _, t in pairs}) == 350
    more = load_number_words("de", "en", n_train=310, n_valid=20, n_test=30)
    assert more.train[:300] == german.train
    assert (more.valid, more.test) == (german.valid, german.test)
    other = load_number_words("de", "en", n_train=300, n_valid=20, n_test=30, seed=1)
    assert other.train != german.train


def test_tokens_lose_nothing_of_a_number(german):
    for source, target in [*german.train, *german.valid, *german.test]:
        assert german.source_tokenizer.decode(german.source_tokenizer.encode(source)) == source
        assert german.target_tokenizer.decode(german.target_tokenizer.encode(target)) == target
    assert len(german.target_tokenizer.encode("twenty-one")) == 3
    assert len(german.source_tokenizer.encode("einundzwanzig")) == 13


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"source": "en"}, "'en' to 'en': give two different ones of de, en, fr"),
        ({"source": "it"}, "give two different ones"),
        ({"n_train": 0}, "n_train must be at least 1; got 0"),
        ({"n_test": -1}, "must be at least 0; got -1"),
        ({"seed": -1}, "seed must be at least 0; got -1"),
        ({"largest": 1_000_000}, "can be at most 999,999"),
        ({"largest": 99}, "12,000 different numbers from 0 to 99"),
    ],
)
def test_numbers_that_cannot_be_drawn_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        load_number_words(**arguments)


def test_without_num2words_the_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "num2words", None)
    with pytest.raises(ModuleNotFoundError) as caught:
        load_number_words(n_train=1, n_valid=0, n_test=0)
    assert caught.value.name == "num2words"


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'nl-en' is not the name of a parallel corpus: .*multi30k-de-en"):
        load_pairs("nl-en")
    assert {f"number-words-{pair}" for pair in ("de-en", "en-de", "fr-en", "en-fr")} <= PAIRS.keys()


def written_pairs(path, pairs):
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["own.tsv", "OWN.TSV"])
def test_a_file_of_pairs_is_a_parallel_corpus(tmp_path, name):
    pairs = [(f"Wort {n}", f"word {n}") for n in range(200)]
    path = written_pairs(tmp_path / name, pairs)
    corpus = load_pairs(path)
    assert corpus.name == name and corpus.source_tokenizer is corpus.target_tokenizer
    assert [len(part) for part in (corpus.train, corpus.valid, corpus.test)] == [180, 10, 10]
    assert sorted([*corpus.train, *corpus.valid, *corpus.test]) == sorted(pairs)
    assert {n for n, pair in enumerate(pairs) if pair in corpus.test} != set(range(190, 200)), "drawn"
    assert load_pairs(str(path)).sha256 == corpus.sha256


def test_no_held_out_pair_has_a_sentence_of_the_training_part(tmp_path):
    pairs = [(f"Wort {n % 300}", f"word {n}") for n in range(400)]
    corpus = read_parallel_corpus(written_pairs(tmp_path / "own.tsv", pairs))
    known = {sentence for pair in corpus.train for sentence in pair}
    assert corpus.valid and corpus.test and len(corpus.valid) + len(corpus.test) < 40
    assert all(known.isdisjoint(pair) for part in (corpus.valid, corpus.test) for pair in part)


@pytest.mark.parametrize(
    ("pair", "is_new"),
    [
        (("old source", "new"), False),
        (("new", "old target"), False),
        (("old target", "new"), False),
        (("new", "old source"), False),
        (("new", "newer"), True),
    ],
)
def test_a_pair_is_held_out_only_if_neither_sentence_is_in_the_training_part(pair, is_new):
    """Either may be a sentence that was learned with another translation, or as a translation."""
    train, other = [("old source", "old target")], ("other", "another")
    assert without_known_sentences([train, [pair], [other, pair]]) == [
        train,
        [pair] * is_new,
        [other] + [pair] * is_new,
    ]


def test_a_file_of_too_few_pairs_or_of_one_pair_only_is_refused(tmp_path):
    few = written_pairs(tmp_path / "few.tsv", [("a", "b")] * 99)
    with pytest.raises(ValueError, match="has 99 pairs: at least 100 are needed"):
        read_parallel_corpus(few)
    same = written_pairs(tmp_path / "same.tsv", [("a", "b")] * 100)
    with pytest.raises(ValueError, match="repeats its sentences"):
        read_parallel_corpus(same)
    with pytest.raises(ValueError, match="does not exist"):
        load_pairs(tmp_path / "nowhere.tsv")


@given(st.integers(1, 60), st.data(), st.integers(0, 5))
def test_numbers_are_drawn_without_repetition_and_a_longer_draw_begins_with_the_shorter(n, data, seed):
    size = data.draw(st.integers(0, n))
    drawn = draw_distinct(n, size, seed)
    assert len(set(drawn)) == size
    assert set(drawn) <= set(range(n))
    assert draw_distinct(n, n, seed)[:size] == drawn


def test_each_number_is_drawn_as_often_as_every_other():
    counts = np.zeros((4, 3))
    for seed in range(4000):
        for place, number in enumerate(draw_distinct(4, 3, seed)):
            counts[number, place] += 1
    assert abs(counts / 4000 - 1 / 4).max() < 0.04


def some_pairs(n, seed=0, longest=30):
    """Pairs whose tokens tell which pair it is: token i + 1 for pair i, on both sides."""
    rng = random.Random(seed)
    lengths = [rng.randint(0, longest) for _ in range(n)]
    return [
        ([i + 1] * max(0, length + rng.randint(-2, 2)), [i + 1] * length) for i, length in enumerate(lengths)
    ]


def epoch(data, number=0):
    steps = range(number * data.batches_per_epoch, (number + 1) * data.batches_per_epoch)
    return [data.batch(step) for step in steps]


def rows(batch):
    """The pairs of a batch, without padding, as the model would read them."""
    return [
        (
            source[:length].tolist(),
            inputs[: (targets != IGNORED).sum()].tolist(),
            targets[targets != IGNORED].tolist(),
        )
        for source, length, inputs, targets in zip(*batch)
    ]


PAIR_LISTS = st.lists(
    st.tuples(*[st.lists(st.integers(1, 9), max_size=6)] * 2),
    min_size=1,
    max_size=25,
)


@given(PAIR_LISTS, st.integers(7, 40), st.integers(0, 3))
@settings(max_examples=60)
def test_every_pair_comes_once_an_epoch_shifted_and_ended(pairs, tokens_per_batch, seed):
    data = PairBatches(pairs, tokens_per_batch, seed)
    for number in (0, 1, 5):
        dealt = [row for batch in epoch(data, number) for row in rows(batch)]
        assert sorted(dealt) == sorted((source, [0, *target], [*target, 0]) for source, target in pairs)
        for batch in epoch(data, number):
            assert batch.targets.numel() <= tokens_per_batch
            assert {tensor.dtype for tensor in batch} == {torch.int64}
            assert batch.inputs.shape == batch.targets.shape
            assert batch.inputs.min() >= 0


def test_a_pair_of_empty_sentences_is_only_its_end():
    batch = PairBatches([([], [])], 1).batch(3)
    assert batch.source.shape == (1, 0)
    assert batch.source_lengths.tolist() == [0]
    assert batch.inputs.tolist() == batch.targets.tolist() == [[0]]


def test_another_end_token_starts_ends_and_pads():
    batch = PairBatches([([1], [2]), ([1, 1], [2, 2])], 100, end_token=7).batch(0)
    shorter = batch.source_lengths.argmin()
    assert batch.source[shorter].tolist() == [1, 7]
    assert batch.inputs[shorter].tolist() == [7, 2, 7]
    assert batch.targets[shorter].tolist() == [2, 7, IGNORED]


def padding_share(data):
    padding = sum((batch.targets == IGNORED).sum().item() for batch in epoch(data))
    return padding / sum(batch.targets.numel() for batch in epoch(data))


def test_pairs_of_like_lengths_together_leave_little_padding():
    pairs = some_pairs(1000)
    assert padding_share(PairBatches(pairs, 600)) < 0.05
    in_any_order = [pairs[start : start + 40] for start in range(0, 1000, 40)]
    cells = sum(len(group) * max(len(target) + 1 for _, target in group) for group in in_any_order)
    assert 1 - sum(len(target) + 1 for _, target in pairs) / cells > 0.3
    one_target_length = [([1] * (i % 30), [1] * 9) for i in range(1000)]
    source_cells = sum(batch.source.numel() for batch in epoch(PairBatches(one_target_length, 200)))
    assert source_cells < 1.1 * sum(len(source) for source, _ in one_target_length)


def test_batches_weigh_about_the_same_however_long_their_sentences_are():
    real = [(batch.targets != IGNORED).sum().item() for batch in epoch(PairBatches(some_pairs(3000), 500))]
    assert np.mean(real) > 450
    assert np.std(real) < 60


def test_any_order_of_asking_gives_the_same_pair_batches():
    one, other = (PairBatches(some_pairs(60), 100, seed=4) for _ in range(2))
    forward = [one.batch(step) for step in range(3 * one.batches_per_epoch)]
    for step in random.Random(0).sample(range(len(forward)), len(forward)):
        assert all(torch.equal(a, b) for a, b in zip(forward[step], other.batch(step)))
    again = pickle.loads(pickle.dumps(one))
    assert all(torch.equal(a, b) for a, b in zip(again.batch(2), forward[2]))


def test_pairs_that_are_drawn_anew_are_read_in_the_batches_of_the_given_ones():
    pairs = some_pairs(60)

    def redrawn(number):
        return [([*source, 100 + number], [*target, 100 + number]) for source, target in pairs]

    same, anew = PairBatches(pairs, 100, seed=4), PairBatches(pairs, 100, seed=4, redraw=redrawn)
    assert anew.batches_per_epoch == same.batches_per_epoch
    for step in random.Random(0).sample(range(3 * same.batches_per_epoch), 3 * same.batches_per_epoch):
        extra = 100 + step // same.batches_per_epoch
        assert rows(anew.batch(step)) == [
            ([*source, extra], [*inputs, extra], [*targets[:-1], extra, 0])
            for source, inputs, targets in rows(same.batch(step))
        ]


def test_epochs_and_seeds_mix_pairs_and_order_again():
    data = PairBatches(some_pairs(1000, longest=10), 100)
    dealt = [[frozenset(batch.targets[:, 0].tolist()) for batch in epoch(data, number)] for number in (0, 1)]
    assert len(set(dealt[0]) & set(dealt[1])) < len(dealt[0]) / 4
    lengths = [batch.targets.shape[1] for batch in epoch(data)]
    assert abs(np.corrcoef(lengths, range(len(lengths)))[0, 1]) < 0.3
    assert dealt[0] != [
        frozenset(batch.targets[:, 0].tolist())
        for batch in epoch(PairBatches(some_pairs(1000, longest=10), 100, seed=1))
    ]


# Seed 0 is left out: Python's generator draws of seed 0 and epoch e what it draws of seed e - 1 and epoch e.
SEEDS_AND_EPOCHS = [(seed, number) for seed in range(1, 4) for number in range(3)]


def test_no_seed_deals_in_one_epoch_what_another_deals_in_another():
    dealt = [
        [batch.targets[:, 0].tolist() for batch in epoch(PairBatches(some_pairs(60), 100, seed), number)]
        for seed, number in SEEDS_AND_EPOCHS
    ]
    assert all(one != other for place, one in enumerate(dealt) for other in dealt[:place])


def test_pair_batches_are_the_same_everywhere():
    batch = PairBatches(some_pairs(50), 100, seed=2).batch(1)
    assert (batch.targets[:, 0].tolist(), batch.source_lengths.tolist()) == (
        [11, 5, 10, 17, 47],
        [14, 15, 13, 16, 16],
    )


def test_padding_adds_nothing_to_the_loss():
    batch = PairBatches([([1], [2]), ([1], [2, 3, 4])], 100).batch(0)
    logits = torch.randn(*batch.targets.shape, 5, generator=torch.Generator().manual_seed(0)).double()
    loss = F.cross_entropy(logits.flatten(0, 1), batch.targets.flatten())
    log_probs = logits.log_softmax(-1)
    each = [
        -log_probs[row, time, token]
        for row, (_, _, targets) in enumerate(rows(batch))
        for time, token in enumerate(targets)
    ]
    assert torch.allclose(loss, torch.stack(each).mean(), atol=1e-12)
    assert len(each) == 6


def test_pairs_and_streams_are_batches_for_training_and_keep_their_names_when_moved():
    pairs = PairBatches([([1], [2])], 100)
    stream = StreamBatches(np.arange(10), 2, 3)
    assert isinstance(pairs, Batches)
    assert isinstance(stream, Batches)
    moved = to_device(pairs.batch(0), torch.device("cpu"))
    assert isinstance(moved, PairBatch)
    assert to_device(stream.batch(0), torch.device("cpu")).begins is True


def test_encoded_pairs_are_those_of_the_tokenizers(german):
    ids = encode_pairs(german.valid, german.source_tokenizer, german.target_tokenizer)
    assert len(ids) == 20
    for (source, target), (source_ids, target_ids) in zip(german.valid, ids):
        assert german.source_tokenizer.decode(source_ids) == source
        assert german.target_tokenizer.decode(target_ids) == target


PIECES = BpeTokenizer([("a", "b"), ("ab", "ab")])


def test_pieces_differ_from_epoch_to_epoch_and_no_other_seed_has_them_in_another_epoch():
    pairs = [("abab" * n, "ab" * n) for n in range(1, 9)]
    drawn = [
        encode_pairs_with_dropout(pairs, PIECES, PIECES, 0.5, number, seed=seed)
        for seed, number in SEEDS_AND_EPOCHS
    ]
    assert all(one != other for place, one in enumerate(drawn) for other in drawn[:place])
    assert encode_pairs_with_dropout(pairs, PIECES, PIECES, 0.5, 2, seed=3) == drawn[-1]


@pytest.mark.parametrize("side", ["source", "target"])
def test_a_pair_that_would_be_too_long_keeps_its_pieces_and_a_target_needs_room_for_its_end(side):
    """What is drawn of *abab* has up to four pieces; of them a target with its end has five."""
    pair, place = (("abab", ""), 0) if side == "source" else (("", "abab"), 1)

    def lengths(longest):
        return {
            len(encode_pairs_with_dropout([pair], PIECES, PIECES, 0.5, number, longest=longest)[0][place])
            for number in range(100)
        }

    assert lengths(None) == {1, 2, 3, 4}
    room = 3 if side == "source" else 4
    assert lengths(room) == {1, 2, 3}


def test_only_pieces_can_be_drawn_anew(german):
    tokenizers = german.source_tokenizer, german.target_tokenizer
    with pytest.raises(ValueError, match="only pieces of 'bpe'"):
        encode_pairs_with_dropout(german.test, *tokenizers, 0.1, 0)


def test_pairs_that_make_no_batch_are_refused():
    with pytest.raises(ValueError, match="there are no pairs"):
        PairBatches([], 100)
    with pytest.raises(ValueError, match="pair 1 has 4 tokens with <eos>, more than tokens_per_batch=3"):
        PairBatches([([1], [2]), ([1], [2, 3, 4])], 3)
    with pytest.raises(ValueError, match="seed must be at least 0; got -1"):
        PairBatches([([1], [2])], 10, seed=-1)
    with pytest.raises(ValueError, match="step must be at least 0; got -1"):
        PairBatches([([1], [2])], 10).batch(-1)


@given(st.integers(2, 60), st.integers(1, 5), st.integers(1, 9))
def test_each_row_goes_on_where_it_stopped_and_an_epoch_reads_the_stream_once(n, batch_size, context_length):
    if n <= batch_size:
        with pytest.raises(ValueError, match=f"{batch_size} rows need at least {batch_size + 1}"):
            StreamBatches(np.arange(n), batch_size, context_length)
        return
    data = StreamBatches(np.arange(n), batch_size, context_length)
    for number in (0, 2):
        batches = epoch(data, number)
        assert [batch.begins for batch in batches] == [True] + [False] * (len(batches) - 1)
        for batch in batches:
            assert torch.equal(batch.targets, batch.inputs + 1)
        assert {batch.inputs.shape[1] for batch in batches[:-1]} <= {context_length}
        inputs = torch.cat([batch.inputs for batch in batches], dim=1)
        assert torch.equal(inputs.diff(dim=1), torch.ones_like(inputs[:, 1:]))
        assert inputs.flatten().tolist() == list(range(inputs.numel()))
        assert n - 1 - inputs.numel() < batch_size


def test_one_row_predicts_every_token_of_a_text_once():
    stream = np.array([0, 5, 6, 7, 8, 9, 0])
    targets = torch.cat([batch.targets for batch in epoch(StreamBatches(stream, 1, 4))], dim=1)
    assert targets.tolist() == [stream[1:].tolist()]


def test_streams_that_make_no_batch_are_refused_and_others_can_be_pickled():
    for sizes in ((0, 3), (3, 0)):
        with pytest.raises(ValueError, match="must be at least 1; got"):
            StreamBatches(np.arange(10), *sizes)
    data = StreamBatches(np.arange(10), 2, 3)
    with pytest.raises(ValueError, match="step must be at least 0; got -1"):
        data.batch(-1)
    assert torch.equal(pickle.loads(pickle.dumps(data)).batch(1).inputs, data.batch(1).inputs)
    assert data.batches_per_epoch == 2
    assert LanguageModelBatches(np.arange(10), 2, 3).windows_per_epoch == 3


@pytest.mark.parametrize(("source", "target", "fits"), [(4, 3, True), (5, 1, False), (1, 4, False)])
def test_a_pair_is_too_long_if_its_source_or_its_target_with_an_end_is(source, target, fits):
    short, asked = ([1], [1]), ([1] * source, [1] * target)
    pairs, ids = without_long("train", [("a", "b"), ("c", "d")], [short, asked], 4)
    assert (pairs, ids) == (([("a", "b"), ("c", "d")], [short, asked]) if fits else ([("a", "b")], [short]))
