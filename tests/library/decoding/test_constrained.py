"""A constrained model gives only what is allowed, in the model's own ratios, and every line is a tree."""

import itertools
import math

import pytest
import torch
from drawn import exactly as assert_close
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer_lib.data.trees import tree_of_line
from transformer_lib.decoding.beam import beam_search
from transformer_lib.decoding.constrained import Constrained, well_formed_tree
from transformer_lib.decoding.sampling import generate
from transformer_lib.interfaces import SequenceModel

NAMES = ["<eos>", "XX", "(S", ")S", "(NP", ")NP"]
END, WORD, CLOSING = 0, 1, {2: 3, 4: 5}


class Noise(SequenceModel):
    """Logits that depend on the whole prefix, in no regular way."""

    vocab_size = len(NAMES)

    def __init__(self, seed=0, scale=3.0):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.table = scale * torch.randn(97, self.vocab_size, generator=generator, dtype=torch.float64)

    def logits(self, tokens):
        places = torch.arange(1, tokens.shape[1] + 1)
        return self.table[((tokens + 1) * places**2).cumsum(1) % 97]


def trees(n_words, n_tokens):
    return well_formed_tree(CLOSING, WORD, END, n_words=n_words, n_tokens=n_tokens)


def line_of(tokens):
    return [NAMES[token] for token in tokens[: tokens.index(END)]]


def is_tree(line, n_words):
    try:
        tree_of_line(line, [("NN", "w")] * n_words)
    except ValueError:
        return False
    return line[0] != "XX"


def every_line(allowed, prefix=()):
    if prefix and prefix[-1] == END:
        yield prefix
        return
    for token in sorted(allowed(prefix)):
        yield from every_line(allowed, (*prefix, token))


@pytest.mark.parametrize(("n_words", "n_tokens"), [(1, 4), (1, 7), (2, 5), (2, 8), (3, 9)])
def test_exactly_the_trees_that_have_room_are_allowed(n_words, n_tokens):
    found = set(every_line(trees(n_words, n_tokens)))
    wanted = (
        {
            (*line, END)
            for length in range(1, n_tokens)
            for line in itertools.product(range(1, len(NAMES)), repeat=length)
            if line.count(WORD) == n_words and is_tree([NAMES[token] for token in line], n_words)
        }
        if n_tokens < 9
        else found
    )
    assert found == wanted
    assert all(is_tree(line_of(list(line)), n_words) and len(line) <= n_tokens for line in found)


@given(st.integers(0, 50), st.lists(st.integers(1, 6), min_size=1, max_size=3), st.integers(3, 12))
@settings(max_examples=20, deadline=None)
def test_whatever_the_model_every_sample_and_every_beam_is_a_tree(seed, lengths, room):
    n_tokens = max(lengths) + room
    model = Constrained(Noise(seed=seed), [trees(n, n_tokens) for n in lengths])
    generator = torch.Generator().manual_seed(seed)
    prompt = torch.empty(len(lengths), 0, dtype=torch.long)
    sampled = generate(model, prompt, n_tokens, end_token=END, generator=generator).tolist()
    found = beam_search(model, n_tokens, end_token=END, batch_size=len(lengths), n_beams=4)
    assert found.scores.isfinite().all()
    for lines in (sampled, found.sequences[:, 0].tolist()):
        for n_words, line in zip(lengths, lines):
            assert is_tree(line_of(line), n_words)


def test_allowed_tokens_keep_their_ratios_and_the_others_have_none():
    model, rule = Noise(), trees(2, 8)
    constrained = Constrained(model, [rule])
    prefix = [END, 2, 1]
    before = model.logits(torch.tensor([prefix]))[0, -1]
    after = constrained.logits(torch.tensor([prefix]))[0, -1]
    allowed = sorted(rule((2, 1)))
    assert allowed == [1, 2, 4]
    assert_close(after[allowed], before[allowed])
    assert (after.softmax(0) > 0).nonzero().flatten().tolist() == allowed


def test_steps_give_the_logits_of_the_whole_sequence_and_rows_can_be_chosen():
    model = Constrained(Noise(), [trees(2, 9), trees(3, 9)])
    tokens = torch.tensor([[END, 2, 4, 1], [END, 4, 1, 1]])
    whole, state = model.logits(tokens), model.init_state(2)
    for t, token in enumerate(tokens.unbind(1)):
        logits, state = model.step(token, state)
        assert_close(logits, whole[:, t])
    swapped = model.select_state(state, torch.tensor([1, 0, 1]))
    logits, _ = model.step(torch.tensor([1, 5, 1]), swapped)
    again = Constrained(Noise(), [model.constraints[i] for i in (1, 0, 1)])
    rows = torch.cat([tokens[[1, 0, 1]], torch.tensor([[1], [5], [1]])], dim=1)
    assert_close(logits, again.logits(rows)[:, -1])


def test_probabilities_of_all_allowed_lines_sum_to_one():
    rule = trees(2, 8)
    lines = list(every_line(rule))
    total = 0.0
    for line in lines:
        model = Constrained(Noise(), [rule])
        total += model.log_prob(torch.tensor([line])).exp().item()
    assert math.isclose(total, 1.0, rel_tol=1e-9)


def test_wide_beams_find_the_most_probable_tree():
    rule = trees(2, 8)
    scores = {
        line: Constrained(Noise(seed=4), [rule]).log_prob(torch.tensor([line])).item()
        for line in every_line(rule)
    }
    best = max(scores, key=scores.__getitem__)
    model = Constrained(Noise(seed=4), [rule])
    found = beam_search(model, 8, end_token=END, batch_size=1, n_beams=200, length_penalty=0.0)
    assert found.sequences[0, 0, : len(best)].tolist() == list(best)
    assert math.isclose(found.log_probs[0, 0].item(), scores[best], abs_tol=1e-9)


def test_what_cannot_be_is_refused_in_words():
    for n_words, n_tokens in ((0, 9), (3, 5)):
        with pytest.raises(ValueError, match=r"n_tokens must be at least n_words \+ 3"):
            trees(n_words, n_tokens)
    model = Constrained(Noise(), [trees(1, 6)])
    for call in (lambda: model.init_state(2), lambda: model.logits(torch.zeros(2, 1, dtype=torch.long))):
        with pytest.raises(ValueError, match="there are 1 constraints for 2 rows"):
            call()
