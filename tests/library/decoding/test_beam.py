"""Beam search is exhaustive search when the beam is wide, greedy when it has one beam, exact in between."""

import itertools
import math

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given, settings
from torch.testing import assert_close

from transformer_lib.decoding.beam import _largest, beam_search, length_penalty_factor
from transformer_lib.decoding.sampling import generate
from transformer_lib.interfaces import SequenceModel
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

ALPHAS = [0.0, 0.6, 1.0, 3.0]


class Arbitrary(SequenceModel):
    """Logits that depend on the whole prefix, and on the row's own key, in no regular way.

    The state is one number, the prefix hashed; with ``keys`` the model has one row for each of them, as one
    conditioned on sources has.
    """

    def __init__(self, vocab_size=3, seed=0, scale=2.0, keys=None):
        super().__init__()
        self.vocab_size = vocab_size
        generator = torch.Generator().manual_seed(seed)
        self.table = scale * torch.randn(997, vocab_size, generator=generator, dtype=torch.float64)
        self.keys = keys
        self.rows_selected = []
        self.steps = 0

    def logits(self, tokens):
        state, rows = self.init_state(len(tokens)), []
        for token in tokens.unbind(1):
            row, state = self.step(token, state)
            rows.append(row)
        return torch.stack(rows, dim=1)

    def init_state(self, batch_size):
        return {"code": torch.full((batch_size,), 1) if self.keys is None else self.keys.clone()}

    def step(self, token, state):
        assert token.shape == state["code"].shape
        self.steps += 1
        code = (31 * state["code"] + 7 * token + 1) % len(self.table)
        return self.table[code], {"code": code}

    def select_state(self, state, rows):
        self.rows_selected.append(len(rows))
        return super().select_state(state, rows)


class Chain(SequenceModel):
    """A Markov chain by its table of probabilities; a row of zeros is a token after which nothing comes."""

    def __init__(self, table):
        super().__init__()
        self.vocab_size = len(table)
        self.log_table = torch.tensor(table, dtype=torch.float64).log()
        self.steps = 0

    def logits(self, tokens):
        return self.log_table[tokens]

    def step(self, token, state):
        self.steps += 1
        return self.log_table[token], state


def every_hypothesis(vocab_size, n_tokens, end_token):
    """All sequences that end with their first end token, or at ``n_tokens`` tokens."""
    for length in range(1, n_tokens + 1):
        for sequence in itertools.product(range(vocab_size), repeat=length):
            if end_token not in sequence[:-1] and (sequence[-1] == end_token or length == n_tokens):
                yield sequence


def log_probs(model, sequences, row=0, prompt=()):
    """The log-probability of each of these sequences, as long as one another, after the row's prompt."""
    if isinstance(model, Arbitrary) and model.keys is not None:
        table, keys = model.table, model.keys[row].repeat(len(sequences))
        model = Arbitrary(model.vocab_size, keys=keys)
        model.table = table
    with torch.no_grad():
        both = model.conditional_log_probs(torch.tensor([[*prompt, *sequence] for sequence in sequences]))
    return both[:, len(prompt) :].sum(1).tolist()


def exhaustive(model, n_tokens, end_token, alpha, row=0, prompt=()):
    """Every hypothesis with its score and log-probability, from the best on."""
    scored = []
    for length, group in itertools.groupby(every_hypothesis(model.vocab_size, n_tokens, end_token), len):
        sequences, penalty = list(group), length_penalty_factor(length, alpha)
        totals = log_probs(model, sequences, row, prompt)
        scored += [(total / penalty, total, sequence) for total, sequence in zip(totals, sequences)]
    return sorted(scored, reverse=True)


def found(result, row=0):
    """What a search returned for a row, the padding removed."""
    return [
        tuple(sequence[:length])
        for sequence, length in zip(result.sequences[row].tolist(), result.lengths[row].tolist())
    ]


def assert_equals(result, expected, row=0):
    n_best = result.scores.shape[1]
    assert found(result, row) == [sequence for _, _, sequence in expected[:n_best]]
    for i, values in enumerate([result.scores[row], result.log_probs[row]]):
        numbers = torch.tensor([hypothesis[i] for hypothesis in expected[:n_best]], dtype=torch.float64)
        assert_close(values, numbers, rtol=0, atol=1e-10)


def decoder(seed=0, **changes):
    shape = {
        "vocab_size": 4,
        "context_length": 8,
        "d_model": 8,
        "n_heads": 2,
        "n_layers": 1,
        "start_token": 3,
    }
    generator = torch.Generator().manual_seed(seed)
    lm = DecoderLM(TransformerConfig(**shape | changes), generator=generator).double()
    with torch.no_grad():
        for parameter in lm.parameters():
            if parameter.dim() == 2:
                parameter *= 30
    return lm


@pytest.mark.slow
@given(
    st.integers(2, 4), st.integers(1, 4), st.integers(0, 10**6), st.sampled_from(ALPHAS), st.integers(1, 30)
)
@settings(max_examples=150)
def test_a_beam_for_every_prefix_is_exhaustive_search(vocab_size, n_tokens, seed, alpha, n_best):
    model, end_token = Arbitrary(vocab_size, seed), seed % vocab_size
    expected = exhaustive(model, n_tokens, end_token, alpha)
    n_beams = max(n_best, vocab_size * (vocab_size - 1) ** (n_tokens - 1))
    n_best = min(n_best, len(expected))
    result = beam_search(
        model,
        n_tokens,
        end_token=end_token,
        batch_size=1,
        n_beams=n_beams,
        n_best=n_best,
        length_penalty=alpha,
    )
    assert_equals(result, expected)


@given(st.integers(1, 4), st.integers(0, 10**6), st.sampled_from(ALPHAS))
@settings(max_examples=20)
def test_each_row_of_a_batch_is_searched_exhaustively_after_its_own_condition(n_tokens, seed, alpha):
    model = Arbitrary(3, seed, keys=torch.tensor([5, 2, 900, 5]))
    result = beam_search(
        model, n_tokens, end_token=0, batch_size=4, n_beams=24, n_best=1, length_penalty=alpha
    )
    for row in range(4):
        assert_equals(result, exhaustive(model, n_tokens, 0, alpha, row), row)
    assert torch.equal(result.sequences[0], result.sequences[3])


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_language_model_s_prompts_are_continued_by_the_best_of_all(alpha):
    lm, prompt = decoder(), torch.tensor([[0, 1], [2, 2], [3, 0]])
    result = beam_search(lm, 4, end_token=1, prompt=prompt, n_beams=108, n_best=9, length_penalty=alpha)
    for row in range(3):
        assert_equals(result, exhaustive(lm, 4, 1, alpha, prompt=prompt[row].tolist()), row)


@pytest.mark.slow
@given(st.integers(1, 6), st.integers(0, 10**6), st.sampled_from(ALPHAS), st.integers(1, 6))
@settings(max_examples=60)
def test_scores_are_the_models_log_probabilities_over_the_penalty_for_a_beam_of_any_width(
    n_tokens, seed, alpha, n_beams
):
    model = Arbitrary(4, seed, keys=torch.tensor([3, 77]))
    result = beam_search(
        model, n_tokens, end_token=2, batch_size=2, n_beams=n_beams, n_best=n_beams, length_penalty=alpha
    )
    for row in range(2):
        assert all(a >= b for a, b in itertools.pairwise(result.scores[row].tolist()))
        real = [sequence for sequence in found(result, row) if sequence]
        assert len(set(real)) == len(real) >= 1
        for i, sequence in enumerate(real):
            assert sequence in set(every_hypothesis(4, n_tokens, 2))
            assert set(result.sequences[row, i, len(sequence) :].tolist()) <= {2}
            (total,) = log_probs(model, [sequence], row)
            assert result.log_probs[row, i].item() == pytest.approx(total, abs=1e-10)
            penalty = length_penalty_factor(len(sequence), alpha)
            assert result.scores[row, i].item() == pytest.approx(total / penalty, abs=1e-10)


@given(st.integers(1, 7), st.integers(0, 10**6), st.sampled_from(ALPHAS))
@settings(max_examples=50)
def test_one_beam_is_greedy_decoding_whatever_the_penalty(n_tokens, seed, alpha):
    model = Arbitrary(4, seed)
    prompt = torch.tensor([[0, 1], [2, 2], [3, 0]])
    greedy = generate(model, prompt, n_tokens, temperature=0.0, end_token=3)
    result = beam_search(model, n_tokens, end_token=3, prompt=prompt, n_beams=1, length_penalty=alpha)
    assert torch.equal(result.sequences[:, 0], greedy[:, 2:])


def textbook(model, n_tokens, end_token, n_beams, n_best, alpha):
    """Beam search in one row by lists, which never stops early."""
    live, finished = [(0.0, ())], []
    for length in range(1, n_tokens + 1):
        candidates = []
        for total, prefix in live:
            table = model.logits(torch.tensor([[model.start_token, *prefix]]))[0, -1].log_softmax(-1).tolist()
            candidates += [(total + log_p, (*prefix, token)) for token, log_p in enumerate(table)]
        best = sorted(candidates, key=lambda candidate: -candidate[0])[:n_beams]
        over = [c for c in best if c[1][-1] == end_token or length == n_tokens]
        finished += [(total / length_penalty_factor(length, alpha), total, s) for total, s in over]
        live = [c for c in best if c not in over]
    return sorted(finished, key=lambda hypothesis: -hypothesis[0])[:n_best]


@given(
    st.integers(1, 7), st.integers(0, 10**6), st.sampled_from(ALPHAS), st.integers(1, 5), st.integers(1, 5)
)
@settings(max_examples=100)
def test_stopping_early_changes_no_result(n_tokens, seed, alpha, n_beams, n_best):
    model, n_best = Arbitrary(3, seed), min(n_best, n_beams)
    expected = textbook(model, n_tokens, 0, n_beams, n_best, alpha)
    result = beam_search(
        model, n_tokens, end_token=0, batch_size=1, n_beams=n_beams, n_best=n_best, length_penalty=alpha
    )
    missing = n_best - len(expected)
    assert_equals(result, expected + [(-math.inf, -math.inf, ())] * missing)


@pytest.mark.slow
@given(st.integers(0, 10**6), st.sampled_from(ALPHAS))
@settings(max_examples=30)
def test_asking_for_more_hypotheses_or_more_rows_changes_no_row_s_best(seed, alpha):
    keys = torch.tensor([5, 2, 900])
    setting = {"end_token": 0, "n_beams": 4, "length_penalty": alpha}
    best = beam_search(Arbitrary(4, seed, keys=keys), 6, batch_size=3, **setting)
    four = beam_search(Arbitrary(4, seed, keys=keys), 6, batch_size=3, n_best=4, **setting)
    assert torch.equal(best.sequences, four.sequences[:, :1]) and torch.equal(best.scores, four.scores[:, :1])
    for row in range(3):
        alone = beam_search(Arbitrary(4, seed, keys=keys[row : row + 1]), 6, batch_size=1, **setting)
        assert torch.equal(alone.sequences[0], best.sequences[row])


def test_a_finished_hypothesis_survives_unfinished_ones_that_look_better_for_a_while():
    # Ending at once has 0.4; the prefix 1 has 0.6, but then each of its continuations 0.3 or less.
    chain = Chain([[0.4, 0.6, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5], [0.5, 0.0, 0.0, 0.5], [0.5, 0.0, 0.5, 0.0]])
    result = beam_search(chain, 5, end_token=0, batch_size=1, n_beams=2, length_penalty=0.0)
    assert found(result) == [(0,)]
    assert result.scores.item() == pytest.approx(math.log(0.4))


def test_a_length_penalty_prefers_the_longer_of_two_when_it_is_strong():
    chain = Chain([[0.4, 0.6, 0.0], [0.0, 0.0, 1.0], [0.6, 0.0, 0.4]])
    results = [
        beam_search(chain, 5, end_token=0, batch_size=1, n_beams=9, length_penalty=alpha)
        for alpha in (0.0, 1.0)
    ]
    assert [found(result) for result in results] == [[(0,)], [(1, 2, 0)]]


def test_by_default_the_penalty_s_exponent_is_0_6_and_decides_between_short_and_long():
    """Three tokens, divided by (8 / 6)^0.6, win against one of 0.4 from a probability of 0.337 on."""
    for long, best in ((0.33, (0,)), (0.34, (1, 2, 0))):
        chain = Chain([[0.4, 0.6, 0.0], [0.0, 0.0, 1.0], [long / 0.6, 0.0, 1 - long / 0.6]])
        result = beam_search(chain, 3, end_token=0, batch_size=1)
        assert found(result) == [best]
        by_hand = math.log(0.4) if best == (0,) else math.log(long) / (8 / 6) ** 0.6
        assert result.scores.item() == pytest.approx(by_hand, abs=1e-12)


def test_the_search_stops_when_no_unfinished_hypothesis_can_win():
    chain = Chain([[0.9, 0.1], [0.5, 0.5]])
    beam_search(chain, 100, end_token=0, batch_size=3, n_beams=2, length_penalty=0.0)
    assert chain.steps == 1
    chain.steps = 0
    beam_search(chain, 100, end_token=0, batch_size=3, n_beams=2, length_penalty=1.0)
    factor = length_penalty_factor(100, 1.0)
    needed = next(
        n for n in range(1, 100) if math.log(0.1) + (n - 1) * math.log(0.5) <= factor * math.log(0.9)
    )
    assert chain.steps == needed


def test_a_row_that_is_done_waits_for_the_others_unchanged():
    chain = Chain([[1.0, 0.0, 0.0], [0.3, 0.3, 0.4], [0.0, 0.0, 1.0]])
    prompt = torch.tensor([[0], [2]])
    result = beam_search(chain, 4, end_token=0, prompt=prompt, n_beams=2)
    assert [found(result, row) for row in range(2)] == [[(0,)], [(2, 2, 2, 2)]]


@pytest.mark.parametrize(("n_beams", "expected"), [(1, (0, 0)), (3, (0, 0))])
def test_among_equals_the_lowest_ids_win(n_beams, expected):
    even = Chain([[0.25] * 4] * 4)
    result = beam_search(even, 2, end_token=3, batch_size=1, n_beams=n_beams, length_penalty=0.0)
    assert found(result) == [expected]


@given(
    st.lists(st.lists(st.sampled_from([-math.inf, -2.0, -1.0, 0.0]), min_size=6, max_size=6), min_size=1),
    st.integers(1, 8),
)
def test_ties_are_broken_as_a_stable_ranking_breaks_them(rows, n_beams):
    values = torch.tensor(rows)
    largest, index = _largest(values, n_beams)
    for row in range(len(rows)):
        ranking = sorted(range(6), key=lambda i: (-rows[row][i], i))[:n_beams]
        assert largest[row].tolist() == [rows[row][i] for i in ranking]
        finite = [i for i in ranking if rows[row][i] > -math.inf]
        assert index[row, : len(finite)].tolist() == finite


def test_more_beams_and_hypotheses_than_there_are_sequences_leave_empty_places():
    result = beam_search(Arbitrary(2), 2, end_token=0, batch_size=2, n_beams=50, n_best=5)
    for row in range(2):
        assert sorted(found(result, row)[:3]) == [(0,), (1, 0), (1, 1)]
        assert found(result, row)[3:] == [(), ()]
    assert (result.scores[:, 3:] == -math.inf).all() and (result.log_probs[:, 3:] == -math.inf).all()
    assert (result.sequences[:, 3:] == 0).all()


def test_impossible_sequences_are_no_hypotheses():
    chain = Chain([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    result = beam_search(chain, 3, end_token=2, batch_size=1, n_beams=4, n_best=3)
    assert found(result) == [(1, 0, 1), (), ()]
    assert result.log_probs[0, 0] == 0


def test_nothing_is_wrong_with_no_rows():
    result = beam_search(Arbitrary(3), 4, end_token=0, batch_size=0, n_best=2)
    assert result.sequences.shape == (0, 2, 4) and result.scores.shape == (0, 2)


def test_the_prompt_is_read_once_a_row_and_states_are_selected_only_when_hypotheses_move():
    model = Arbitrary(4, seed=1)
    beam_search(model, 5, end_token=3, prompt=torch.tensor([[0, 1]]), n_beams=1, length_penalty=0.0)
    assert model.rows_selected == []
    straight = Chain([[0.0, 0.6, 0.4, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
    selected = []
    straight.select_state = lambda state, rows: selected.append(rows.tolist()) or state[rows]
    beam_search(straight, 5, end_token=3, batch_size=2, n_beams=2)
    assert selected == [[0, 0, 1, 1]]


def test_dropout_is_off_while_searching_and_as_before_afterwards():
    lm = decoder(dropout=0.5).train()
    results = [beam_search(lm, 5, end_token=0, batch_size=1) for _ in range(3)]
    assert all(torch.equal(results[0].scores, result.scores) for result in results)
    assert lm.training and lm.stack.blocks[0].attention.training
    assert not results[0].scores.requires_grad


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_scores_of_models_of_low_precision_are_added_up_in_single_precision(dtype):
    result = beam_search(decoder().to(dtype), 5, end_token=0, batch_size=2)
    assert result.scores.dtype == result.log_probs.dtype == torch.float32


def test_the_penalty_is_one_for_one_token_and_for_no_exponent():
    assert length_penalty_factor(1, 0.7) == length_penalty_factor(50, 0.0) == 1
    assert length_penalty_factor(7, 1.0) == 2
    assert length_penalty_factor(19, 0.5) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"batch_size": None}, "either a prompt or a batch_size"),
        ({"prompt": torch.zeros(1, 1, dtype=torch.long)}, "either a prompt or a batch_size"),
        ({"batch_size": -1}, "batch_size must be at least 0; got -1"),
        (
            {"batch_size": None, "prompt": torch.zeros(1, 9, dtype=torch.long)},
            "prompt of 9 tokens is longer than the model's context_length of 8",
        ),
        ({"batch_size": None, "prompt": torch.tensor([[4]])}, "token 4 at batch 0, time 0 is outside"),
        ({"n_tokens": 0}, "n_tokens must be at least 1; got 0"),
        ({"n_beams": 0}, "n_beams must be at least 1; got 0"),
        ({"n_best": 0}, "n_best must be at least 1; got 0"),
        ({"n_best": 5}, "n_best must be at most n_beams, 4; got 5"),
        ({"end_token": 4}, "end_token must be a token, a whole number from 0 to 3, got 4"),
        ({"length_penalty": -0.1}, r"length penalty of 3 tokens must be a number from 0 to 240, got -0.1"),
        ({"length_penalty": math.nan}, "length penalty of 3 tokens must be .* got nan"),
        ({"length_penalty": 1e4}, "length penalty of 3 tokens must be .* got 10000"),
    ],
)
def test_wrong_requests_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        beam_search(decoder(), **{"n_tokens": 3, "end_token": 0, "batch_size": 1} | arguments)


def test_a_negative_length_has_no_penalty():
    with pytest.raises(ValueError, match="length must be at least 0; got -1"):
        length_penalty_factor(-1, 0.6)


small = st.integers(1, 6) | st.integers(-2, 6)


@given(
    n_tokens=small,
    end_token=small,
    batch_size=st.none() | st.integers(-1, 3),
    prompt=st.none() | st.lists(st.lists(st.integers(-1, 4), min_size=2, max_size=2), max_size=3),
    n_beams=small,
    n_best=small,
    length_penalty=st.floats(0, 2) | st.floats(),
)
@settings(max_examples=200)
def test_whatever_is_asked_the_answer_is_a_result_or_a_value_error(prompt, **arguments):
    if prompt is not None:
        prompt = torch.tensor(prompt, dtype=torch.long).view(-1, 2)
    try:
        result = beam_search(Arbitrary(4), prompt=prompt, **arguments)
    except ValueError as error:
        assert len(str(error)) > 20
        return
    rows = arguments["batch_size"] if prompt is None else len(prompt)
    assert result.sequences.shape == (rows, arguments["n_best"], arguments["n_tokens"])
    assert not result.scores.isnan().any() and (rows == 0 or (result.scores[:, 0] > -math.inf).all())
