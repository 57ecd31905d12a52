"""Tokenizers lose nothing; batches are the stream in windows, in whatever order they are asked for."""

import json
import pickle
import random
import sys
from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from transformer_lib.data import (
    BpeTokenizer,
    CharTokenizer,
    LanguageModelBatches,
    StreamBatches,
    WordPunctTokenizer,
    WordTokenizer,
    token_stream,
    tokenizer_from_dict,
)

WORDS = st.lists(st.text(st.characters(categories=["L", "N", "P"]), min_size=1), min_size=1)


@given(WORDS)
def test_words_survive_the_round_trip(words):
    text = " ".join(words)
    tokenizer = WordTokenizer.fit([text])
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert tokenizer.vocab_size == len(set(words)) + 1


@pytest.mark.parametrize("kind", [WordTokenizer, CharTokenizer, WordPunctTokenizer])
def test_one_text_is_not_taken_for_several(kind):
    tokenizer = kind.fit(["ab"])
    for read in (kind.fit, lambda text: token_stream(text, tokenizer)):
        with pytest.raises(TypeError, match=r"must be several texts, such as \[text\], not one: 'ab'"):
            read("ab")
    with pytest.raises(TypeError, match="several texts"):
        BpeTokenizer.fit("ab", vocab_size=300)


@given(st.text(min_size=1))
def test_characters_survive_the_round_trip(text):
    tokenizer = CharTokenizer.fit([text])
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert tokenizer.end_token not in tokenizer.encode(text)


@pytest.mark.parametrize("kind", [WordTokenizer, CharTokenizer, WordPunctTokenizer])
@pytest.mark.parametrize("unknown", [False, True])
def test_a_tokenizer_is_rebuilt_from_its_dictionary(kind, unknown):
    tokenizer = kind.fit(["b a", "c a"], unknown=unknown)
    again = tokenizer_from_dict(tokenizer.to_dict())
    assert again == tokenizer
    assert type(again) is kind
    assert again.encode("c a") == tokenizer.encode("c a")
    assert kind.from_dict(tokenizer.to_dict()) == tokenizer


def test_ids_are_the_sorted_symbols_after_the_special_ones():
    assert WordTokenizer.fit(["b a", "c"]).encode("a b c") == [1, 2, 3]
    assert WordTokenizer.fit(["b a", "c"], unknown=True).encode("a z c") == [2, 1, 4]
    assert WordTokenizer.fit(["b a"]).decode([0, 1]) == "<eos> a"


def test_rare_symbols_are_unknown_where_that_is_wanted():
    tokenizer = WordTokenizer.fit(["a a b", "<unk> b c"], unknown=True, min_count=2)
    assert tokenizer.decode(tokenizer.encode("a b c <unk>")) == "a b <unk> <unk>"
    assert WordTokenizer.fit(["<unk> a <unk>"], unknown=True).symbols == ("a",), "it is no symbol of a text"
    with pytest.raises(ValueError, match="set unknown=True"):
        WordTokenizer.fit(["a"], min_count=2)


@pytest.mark.parametrize("unknown", [False, True])
def test_what_stands_for_a_special_symbol_in_a_text_of_characters_is_characters(unknown):
    tokenizer = CharTokenizer.fit(["<unk>eos"], unknown=unknown)
    for name in ("<unk>", "<eos>"):
        assert len(tokenizer.encode(name)) == 5 and tokenizer.decode(tokenizer.encode(name)) == name
    assert WordPunctTokenizer.fit(["<unk>"], unknown=unknown).symbols == ("<", ">", "unk")
    assert len(WordPunctTokenizer.fit(["< unk >"], unknown=unknown).encode("<unk>")) == 3


def test_an_unknown_symbol_is_named_with_its_place():
    with pytest.raises(
        ValueError, match=r"the word 'dog', number 3 of the text, is not in the vocabulary of 2"
    ):
        WordTokenizer.fit(["a cat"]).encode("a cat dog")
    with pytest.raises(ValueError, match=r"the character 'd', number 2 of the text"):
        CharTokenizer.fit(["abc"]).encode("ad")


def test_an_id_outside_the_vocabulary_is_an_error():
    for token in (-1, 4):
        with pytest.raises(ValueError, match=f"no token {token}: ids go from 0 to 3"):
            CharTokenizer.fit(["abc"]).decode([token])


@pytest.mark.parametrize(
    ("symbols", "message"),
    [
        ([], "needs at least one word"),
        (["a", "b", "a"], "'a' is listed 2 times"),
        (["a b"], "not one symbol"),
        (["<eos>"], "reserved"),
        (["<unk>"], "reserved"),
    ],
)
def test_symbols_that_make_no_vocabulary_are_refused(symbols, message):
    with pytest.raises(ValueError, match=message):
        WordTokenizer(symbols)


def test_a_dictionary_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="the kinds are word, character, word-punct, bpe"):
        tokenizer_from_dict({"kind": "bytes"})
    with pytest.raises(ValueError, match="kind 'word', not 'character'"):
        CharTokenizer.from_dict(WordTokenizer(["a"]).to_dict())


def test_each_document_of_a_stream_is_followed_by_the_end_token():
    stream = token_stream(["a b", "b", ""], WordTokenizer(["a", "b"]))
    assert stream.tolist() == [1, 2, 0, 2, 0, 0]
    assert stream.dtype == np.int64


def batches(n_tokens=101, batch_size=3, context_length=7, seed=0, **options):
    return LanguageModelBatches(np.arange(n_tokens), batch_size, context_length, seed, **options)


def windows(data, epoch):
    """Inputs and targets of the windows of an epoch, one by one."""
    steps = range(epoch * data.windows_per_epoch, (epoch + 1) * data.windows_per_epoch)
    pairs = [data.batch(step) for step in steps]
    return [torch.cat(tensors) for tensors in zip(*pairs)]


def test_inputs_are_runs_of_the_ring_and_targets_the_tokens_that_follow():
    wrapped = 0
    for step in range(40):
        inputs, targets = batches().batch(step)
        assert inputs.shape == targets.shape == (3, 7)
        assert inputs.dtype == targets.dtype == torch.int64
        assert torch.equal(targets, (inputs + 1) % 101)
        assert torch.equal(inputs, (inputs[:, :1] + torch.arange(7)) % 101)
        wrapped += int((targets == 0).any(1).sum())
    assert wrapped > 0


def test_any_order_of_asking_gives_the_same_batches():
    one, other = batches(), batches()
    forward = [one.batch(step) for step in range(30)]
    for step in reversed(range(30)):
        assert all(torch.equal(a, b) for a, b in zip(forward[step], other.batch(step)))


@given(st.integers(2, 40), st.integers(1, 12), st.integers(0, 99))
def test_an_epoch_makes_every_token_a_target_once_but_for_neighbors_too_few_for_a_window(
    n_tokens, context_length, seed
):
    if n_tokens <= context_length:
        with pytest.raises(ValueError, match=f"needs at least {context_length + 1}"):
            batches(n_tokens, 4, context_length)
        return
    data = batches(n_tokens, 1, context_length, seed)
    for epoch in range(3):
        inputs, targets = windows(data, epoch)
        counts = np.bincount(targets.flatten(), minlength=n_tokens)
        assert set(counts) <= {0, 1} and (counts == 0).sum() == n_tokens % context_length
        gaps = np.flatnonzero(np.diff(counts, append=counts[:1]))
        assert len(gaps) == (2 if n_tokens % context_length else 0)
        assert sorted((inputs.flatten() + 1) % n_tokens) == sorted(targets.flatten())


class EveryCut:
    """In place of NumPy's generator: epoch e cuts the stream at the e-th of the places that may be drawn."""

    def __init__(self, key):
        self.seed, self.epoch = key

    def integers(self, n):
        return self.epoch % n

    def permutation(self, n):
        return np.random.Generator(np.random.PCG64(self.epoch)).permutation(n)


@pytest.mark.parametrize(("n_tokens", "context_length"), [(23, 5), (24, 6), (7, 6), (9, 1), (31, 16)])
def test_over_all_cuts_every_window_starts_everywhere_and_every_token_is_a_target_equally_often(
    monkeypatch, n_tokens, context_length
):
    monkeypatch.setattr(np.random, "default_rng", EveryCut)
    data = batches(n_tokens, 1, context_length)
    starts, targets = np.zeros((2, n_tokens), dtype=int)
    for epoch in range(n_tokens):
        for inputs, after in zip(*windows(data, epoch)):
            starts[inputs[0]] += 1
            targets += np.bincount(after, minlength=n_tokens)
    assert set(starts) == {n_tokens // context_length}
    assert set(targets) == {n_tokens // context_length * context_length}


def test_the_cuts_that_are_drawn_are_uniform():
    """400 epochs of 20 tokens: chi-squared with 19 degrees of freedom exceeds 43.8 once in 1,000 times."""
    data = batches(20, 1, 6)
    counts = np.zeros(20)
    for epoch in range(400):
        left_out = set(range(20)) - set(windows(data, epoch)[1].flatten().tolist())
        first = next(token for token in left_out if (token - 1) % 20 not in left_out)
        counts[first] += 1
    assert ((counts - 20) ** 2 / 20).sum() < 43.8


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int32, np.uint32, np.int64])
@pytest.mark.parametrize("reader", [LanguageModelBatches, StreamBatches])
def test_tokens_of_any_whole_type_are_read_as_int64(reader, dtype):
    expected = reader(np.arange(101), 3, 7).batch(2)
    batch = reader(np.arange(101).astype(dtype), 3, 7).batch(2)
    assert batch[0].dtype == batch[1].dtype == torch.int64
    assert all(torch.equal(ours, theirs) for ours, theirs in zip(batch[:2], expected))


@pytest.mark.parametrize("reader", [LanguageModelBatches, StreamBatches])
def test_a_file_of_uint16_tokens_is_read_where_it_lies(tmp_path, reader):
    """As programs write them that store a vocabulary of at most 65,536 tokens, bytes without a header."""
    stream = np.random.default_rng(0).integers(40_000, 65_536, size=101)
    stream.astype(np.uint16).tofile(tmp_path / "train.bin")
    mapped = np.memmap(tmp_path / "train.bin", dtype=np.uint16, mode="r")
    batch = reader(mapped, 3, 7).batch(2)
    for ours, theirs in zip(batch[:2], reader(stream, 3, 7).batch(2)):
        assert torch.equal(ours, theirs)
    batch[0].zero_()
    assert np.array_equal(mapped, stream)


@pytest.mark.parametrize("reader", [LanguageModelBatches, StreamBatches])
def test_a_stream_that_is_no_row_of_whole_numbers_is_refused(reader):
    """By the library itself: outside the tests nobody checks the annotations."""
    make = reader.__init__.__wrapped__
    with pytest.raises(ValueError, match=r"one row of whole numbers; got shape \(5, 4\) of int64"):
        make(reader.__new__(reader), np.zeros((5, 4), dtype=np.int64), 2, 3)
    with pytest.raises(ValueError, match=r"one row of whole numbers; got shape \(20,\) of float64"):
        make(reader.__new__(reader), np.zeros(20), 2, 3)


def test_seeds_and_epochs_give_different_orders():
    data = batches(batch_size=13)
    first = data.batch(0)[0]
    assert not torch.equal(first, batches(batch_size=13, seed=1).batch(0)[0])
    assert not torch.equal(first, data.batch(1)[0])


def test_sizes_that_make_no_batch_are_refused():
    with pytest.raises(ValueError, match="must be at least 1; got"):
        batches(batch_size=0)
    with pytest.raises(ValueError, match="must be at least 1; got"):
        batches(context_length=0)
    with pytest.raises(ValueError, match="seed must be at least 0; got -1"):
        batches(seed=-1)
    with pytest.raises(ValueError, match="step must be at least 0; got -1"):
        batches().batch(-1)


def test_the_order_of_windows_is_the_same_everywhere():
    assert batches().batch(5)[0][:, 0].tolist() == [80, 14, 52]


def test_batches_survive_being_sent_to_another_process():
    data = batches()
    data.batch(4)
    again = pickle.loads(pickle.dumps(data))
    assert all(torch.equal(a, b) for a, b in zip(again.batch(4), data.batch(4)))


@given(st.lists(st.text("aé1", min_size=1), min_size=2), st.data())
def test_words_and_marks_survive_the_round_trip(words, data):
    gaps = data.draw(st.lists(st.sampled_from([" ", "-", ", "]), min_size=len(words), max_size=len(words)))
    text = "".join(piece for pair in zip(words, gaps) for piece in pair).strip(" ")
    tokenizer = WordPunctTokenizer.fit([text])
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_words_and_marks_are_told_apart():
    symbols = ["twenty", "-", "one", "thousand", ",", "two", "."]
    assert WordPunctTokenizer.split("twenty-one thousand, two.") == symbols
    assert WordPunctTokenizer.join(symbols) == "twenty-one thousand, two."


@pytest.mark.parametrize("mark", "-,.;:?!")
def test_no_space_stands_before_a_mark(mark):
    text = f"well{mark}"
    assert WordPunctTokenizer.join(WordPunctTokenizer.split(text)) == text


TRAINING_TEXT = ["the cat sat on the mat", "the dog sat on the log", "fünf Hüte, fünf Hüte"]


@pytest.fixture(scope="module")
def bpe():
    return BpeTokenizer.fit(TRAINING_TEXT, vocab_size=270)


@given(text=st.text(st.characters(exclude_categories=["Cs"])))
@example(text="<eos> the cat\r\n\0 \t  x")
@example(text="e\u0301 \u2028 🤖👩‍👩‍👧 \ufeff")
def test_any_text_survives_byte_pair_encoding(bpe, text):
    tokens = bpe.encode(text)
    assert bpe.decode(tokens) == text
    assert all(0 < token < bpe.vocab_size for token in tokens)


@given(text=st.text(st.characters(exclude_categories=["Cs"])), rate=st.floats(0, 0.99), seed=st.integers(0))
@example(text="the cat sat on the cat", rate=0.5, seed=0)
def test_merges_that_are_passed_over_change_the_pieces_and_not_the_text(bpe, text, rate, seed):
    def drawn(rate):
        return bpe.encode_with_dropout(text, rate, random.Random(seed))

    assert bpe.decode(drawn(rate)) == text and drawn(rate) == drawn(rate)
    assert drawn(0.0) == bpe.encode(text)
    assert len(drawn(rate)) <= len(text.encode())


def test_every_merge_is_passed_over_at_the_rate_asked_for():
    """What comes out of the word *abc*, by the merges *ab* and then *abc*."""
    bpe, generator = BpeTokenizer([("a", "b"), ("ab", "c")]), random.Random(0)
    counts = Counter(tuple(bpe.encode_with_dropout("abc", 0.25, generator)) for _ in range(4000))
    shares = {
        tuple(bpe.encode("abc")): 0.75**2,
        tuple(bpe.encode("ab") + bpe.encode("c")): 0.75 * 0.25,
        tuple(token for letter in "abc" for token in bpe.encode(letter)): 0.25,
    }
    assert counts.keys() == shares.keys()
    for pieces, share in shares.items():
        assert counts[pieces] / 4000 == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize("word", ["abx", "xab", "xxabx"])
def test_a_merge_is_passed_over_at_the_rate_wherever_its_pair_stands(word):
    bpe, generator = BpeTokenizer([("a", "b")]), random.Random(0)
    passed_over = [len(bpe.encode_with_dropout(word, 0.25, generator)) == len(word) for _ in range(4000)]
    assert sum(passed_over) / 4000 == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize("rate", [1.0, -0.1, float("nan")])
def test_a_rate_that_is_no_probability_of_dropping_is_refused(bpe, rate):
    with pytest.raises(ValueError, match="0 <= rate < 1"):
        bpe.encode_with_dropout("the", rate, random.Random(0))


def test_frequent_pieces_become_one_token_and_the_vocabulary_has_the_size_asked_for(bpe):
    assert bpe.vocab_size == 270
    assert len(bpe.encode(" the")) == 1
    assert len(bpe.encode(" qzx")) == 4
    assert BpeTokenizer.fit(["ab"], vocab_size=1000).vocab_size == 257
    assert BpeTokenizer.fit([], vocab_size=257).encode("ab") == BpeTokenizer([]).encode("ab")


def test_tokens_never_reach_across_a_word_so_that_pieces_add_up(bpe):
    assert bpe.encode("the cat") + bpe.encode(" sat") == bpe.encode("the cat sat")


def test_a_vocabulary_for_two_languages_is_fitted_on_both():
    english, german = ["the old house"] * 2, ["das alte Haus"] * 2
    joint = BpeTokenizer.fit(english + german, vocab_size=300)
    assert len(joint.encode("the old house")) == len(joint.encode("das alte Haus")) == 3


def test_byte_pair_encoding_depends_on_the_text_alone(bpe):
    reordered = BpeTokenizer.fit(reversed(TRAINING_TEXT), vocab_size=270)
    assert reordered == bpe
    assert hash(reordered) == hash(bpe)
    assert BpeTokenizer.fit(TRAINING_TEXT, vocab_size=265) != bpe
    assert bpe.merges[:3] == (("a", "t"), ("h", "e"), ("t", "he"))


def test_byte_pair_encoding_is_rebuilt_from_json_and_from_a_pickle(bpe):
    for again in (
        tokenizer_from_dict(json.loads(json.dumps(bpe.to_dict()))),
        pickle.loads(pickle.dumps(bpe)),
    ):
        assert again == bpe
        assert type(again) is BpeTokenizer
        assert again.encode("the mat, fünf") == bpe.encode("the mat, fünf")


def test_the_end_token_is_written_by_its_name_and_its_name_in_a_text_is_text(bpe):
    tokens = [*bpe.encode("cat"), 0, 0, *bpe.encode("mat")]
    assert bpe.decode(tokens) == "cat<eos><eos>mat"
    assert 0 not in bpe.encode("<eos>")
    assert token_stream(["cat", ""], bpe).tolist() == [*bpe.encode("cat"), 0, 0]


def test_bytes_that_are_no_text_are_shown_as_such(bpe):
    two_bytes = bpe.encode("é")
    assert len(two_bytes) == 2
    assert bpe.decode(two_bytes[:1]) == "\ufffd"


def test_what_byte_pair_encoding_cannot_do_is_said(bpe):
    with pytest.raises(ValueError, match="no token 270: ids go from 0 to 269"):
        bpe.decode([270])
    with pytest.raises(ValueError, match=r"character 1 of the text is half of a surrogate pair"):
        bpe.encode("a\ud800")
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        BpeTokenizer.fit(["a\ud800"], vocab_size=300)
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        bpe.encode_with_dropout("a\ud800", 0.1, random.Random(0))
    with pytest.raises(ValueError, match="vocab_size=256 leaves no place for the bytes: give 257 or more"):
        BpeTokenizer.fit(["a"], vocab_size=256)
    with pytest.raises(ValueError, match="'th' and 'e' comes before both pieces exist"):
        BpeTokenizer([("th", "e"), ("t", "h")])
    with pytest.raises(ValueError, match="kind 'bpe', not 'word'"):
        WordTokenizer.from_dict(bpe.to_dict())


def test_without_the_library_the_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ModuleNotFoundError) as caught:
        BpeTokenizer.fit(["a"], vocab_size=300)
    assert caught.value.name == "tokenizers"
