"""Tokenizers lose nothing; batches are the stream in windows, in whatever order they are asked for."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from transformer_lib.data import (
    CharTokenizer,
    LanguageModelBatches,
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


@given(st.text(min_size=1))
def test_characters_survive_the_round_trip(text):
    tokenizer = CharTokenizer.fit([text])
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert tokenizer.end_token not in tokenizer.encode(text)


@pytest.mark.parametrize("kind", [WordTokenizer, CharTokenizer])
@pytest.mark.parametrize("unknown", [False, True])
def test_a_tokenizer_is_rebuilt_from_its_dictionary(kind, unknown):
    tokenizer = kind.fit(["b a", "c a"], unknown=unknown)
    again = tokenizer_from_dict(tokenizer.to_dict())
    assert again == tokenizer
    assert type(again) is kind
    assert again.encode("a b c") == tokenizer.encode("a b c")
    assert kind.from_dict(tokenizer.to_dict()) == tokenizer


def test_ids_are_the_sorted_symbols_after_the_special_ones():
    assert WordTokenizer.fit(["b a", "c"]).encode("a b c") == [1, 2, 3]
    assert WordTokenizer.fit(["b a", "c"], unknown=True).encode("a z c") == [2, 1, 4]
    assert WordTokenizer.fit(["b a"]).decode([0, 1]) == "<eos> a"


def test_rare_symbols_are_unknown_where_that_is_wanted():
    tokenizer = WordTokenizer.fit(["a a b", "<unk> b c"], unknown=True, min_count=2)
    assert tokenizer.decode(tokenizer.encode("a b c <unk>")) == "a b <unk> <unk>"
    with pytest.raises(ValueError, match="set unknown=True"):
        WordTokenizer.fit(["a"], min_count=2)


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
    ],
)
def test_symbols_that_make_no_vocabulary_are_refused(symbols, message):
    with pytest.raises(ValueError, match=message):
        WordTokenizer(symbols)


def test_a_dictionary_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="the kinds are word, character"):
        tokenizer_from_dict({"kind": "bytes"})
    with pytest.raises(ValueError, match="kind 'word', not 'character'"):
        CharTokenizer.from_dict(WordTokenizer(["a"]).to_dict())


def test_each_document_of_a_stream_is_followed_by_the_end_token():
    stream = token_stream(["a b", "b", ""], WordTokenizer(["a", "b"]))
    assert stream.tolist() == [1, 2, 0, 2, 0, 0]
    assert stream.dtype == np.int64


def batches(n_tokens=101, batch_size=3, context_length=7, seed=0):
    return LanguageModelBatches(np.arange(n_tokens), batch_size, context_length, seed)


def test_inputs_are_runs_of_the_stream_and_targets_the_tokens_that_follow():
    inputs, targets = batches().batch(5)
    assert inputs.shape == targets.shape == (3, 7)
    assert inputs.dtype == targets.dtype == torch.int64
    assert torch.equal(targets, inputs + 1)
    assert torch.equal(inputs, inputs[:, :1] + torch.arange(7))


def test_any_order_of_asking_gives_the_same_batches():
    one, other = batches(), batches()
    forward = [one.batch(step) for step in range(30)]
    for step in reversed(range(30)):
        assert all(torch.equal(a, b) for a, b in zip(forward[step], other.batch(step)))


def test_an_epoch_deals_each_of_its_windows_once():
    data = batches(batch_size=1)
    for epoch in range(4):
        steps = range(epoch * data.windows_per_epoch, (epoch + 1) * data.windows_per_epoch)
        tokens = torch.cat([data.batch(step)[0].flatten() for step in steps])
        assert sorted(tokens.tolist()) == list(range(tokens.min(), tokens.min() + len(tokens)))
        assert len(tokens) > 101 - 2 * 7


@given(st.integers(2, 40), st.integers(1, 12))
def test_in_time_every_token_is_an_input_and_every_token_but_the_first_a_target(n_tokens, context_length):
    if n_tokens <= context_length:
        with pytest.raises(ValueError, match=f"needs at least {context_length + 1}"):
            batches(n_tokens, 4, context_length)
        return
    pairs = [batches(n_tokens, 8, context_length).batch(step) for step in range(60)]
    assert set(torch.cat([x.flatten() for x, _ in pairs]).tolist()) == set(range(n_tokens - 1))
    assert set(torch.cat([y.flatten() for _, y in pairs]).tolist()) == set(range(1, n_tokens))


def test_seeds_and_epochs_give_different_orders():
    data = batches(batch_size=13)
    first = data.batch(0)[0]
    assert not torch.equal(first, batches(batch_size=13, seed=1).batch(0)[0])
    assert not torch.equal(first, data.batch(1)[0])


def test_sizes_that_make_no_batch_are_refused():
    with pytest.raises(ValueError, match="both must be 1 or more"):
        batches(batch_size=0)
    with pytest.raises(ValueError, match="both must be 1 or more"):
        batches(context_length=0)
    with pytest.raises(ValueError, match="seed is -1"):
        batches(seed=-1)
    with pytest.raises(ValueError, match="steps count from 0"):
        batches().batch(-1)
