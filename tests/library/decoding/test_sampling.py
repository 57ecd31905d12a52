"""Continuations follow the model's distribution, sharpened and cut, for every model and past its context."""

import hypothesis.strategies as st
import pytest
import torch
from drawn import generator
from hypothesis import given, settings
from torch.testing import assert_close

from transformer_lib.decoding.sampling import generate, top_k_filter, top_p_filter
from transformer_lib.interfaces import SequenceModel
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

VOCAB = 5


class Chain(SequenceModel):
    """A Markov chain: a table of next-token probabilities, and a count of what it was asked to read."""

    def __init__(self, table):
        super().__init__()
        self.vocab_size, self.context_length, self.start_token = len(table), None, 0
        self.register_buffer("log_table", torch.tensor(table).log())
        self.tokens_read = 0

    def logits(self, tokens):
        self.tokens_read += tokens.numel()
        return self.log_table[tokens]

    def init_state(self, batch_size):
        return None

    def step(self, token, state):
        return self.logits(token[:, None])[:, 0], None


CYCLE = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
COIN = [[0.1, 0.3, 0.6]] * 3
UNEQUAL = [[0.1, 0.3, 0.6], [0.5, 0.25, 0.25], [0.7, 0.1, 0.2]]
STEEP = [
    [0.1, 0.2, 0.3, 0.0, 0.4],
    [0.0, 0.1, 0.2, 0.6, 0.1],
    [1.0, 0.0, 0.0, 0.0, 0.0],
    [0.2] * 5,
    [0.0, 0.7, 0.1, 0.1, 0.1],
]


def decoder(**changes):
    config = TransformerConfig(
        **{
            "vocab_size": VOCAB,
            "context_length": 6,
            "d_model": 8,
            "n_heads": 2,
            "n_layers": 1,
            "start_token": 3,
        }
        | changes
    )
    lm = DecoderLM(config, generator=generator()).double()
    with torch.no_grad():
        for parameter in lm.parameters():
            if parameter.dim() == 2:
                parameter *= 30
    return lm


def prompts(batch, time, vocab_size=VOCAB, seed=0):
    return torch.randint(vocab_size, (batch, time), generator=generator(seed))


tied_logits = st.lists(st.sampled_from([-30.0, -1.0, 0.0, 0.5, 0.5, 2.0]), min_size=1, max_size=8).map(
    torch.tensor
)


@given(tied_logits, st.integers(1, 10))
def test_top_k_keeps_exactly_the_k_first_of_a_ranking_with_lower_ids_first(logits, k):
    filtered = top_k_filter(logits, k)
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i].item(), i))
    kept = set(ranking[:k])
    for i, value in enumerate(filtered.tolist()):
        assert value == (logits[i].item() if i in kept else -torch.inf)


@given(tied_logits, st.floats(0.01, 1.0))
def test_top_p_keeps_the_smallest_set_that_reaches_p(logits, p):
    logits = logits.double()
    filtered, probabilities = top_p_filter(logits, p), logits.softmax(-1)
    ranking = sorted(range(len(logits)), key=lambda i: (-logits[i].item(), i))
    kept = filtered > -torch.inf
    n_kept = int(kept.sum())
    assert n_kept >= 1 and set(ranking[:n_kept]) == set(kept.nonzero().flatten().tolist())
    assert torch.equal(filtered[kept], logits[kept])
    mass = [sum(probabilities[i].item() for i in ranking[:n]) for n in range(len(logits) + 1)]
    assert mass[n_kept] >= p - 1e-9
    assert n_kept == 1 or mass[n_kept - 1] < p + 1e-9


def test_top_p_of_one_keeps_even_the_most_improbable():
    logits = torch.tensor([100.0, 0.0, -100.0])
    assert torch.equal(top_p_filter(logits, 1.0), logits)


def test_a_probability_of_exactly_p_is_enough():
    assert_close(
        top_p_filter(torch.tensor([0.25, 0.5, 0.25]).log(), 0.5).exp(), torch.tensor([0.0, 0.5, 0.0])
    )


def test_top_k_beyond_the_vocabulary_keeps_all():
    assert torch.equal(top_k_filter(torch.tensor([1.0, 2.0]), 2**70), torch.tensor([1.0, 2.0]))


def test_filters_take_any_batch_and_leave_their_input_alone():
    logits = torch.randn(2, 3, 7, generator=generator())
    before = logits.clone()
    for function, setting in ((top_k_filter, 3), (top_p_filter, 0.7)):
        filtered = function(logits, setting)
        for i in range(2):
            for j in range(3):
                assert torch.equal(filtered[i, j], function(logits[i, j], setting))
    assert torch.equal(logits, before)


def test_a_chain_is_followed_from_its_prompt():
    continued = generate(Chain(CYCLE), torch.tensor([[0], [1]]), 4, generator=generator())
    assert continued.tolist() == [[0, 1, 2, 0, 1], [1, 2, 0, 1, 2]]


def test_an_empty_prompt_gives_the_models_own_samples():
    lm = decoder()
    empty = torch.empty(4, 0, dtype=torch.long)
    samples = lm.eval().sample(4, 9, generator=generator(3))
    assert torch.equal(generate(lm, empty, 9, generator=generator(3)), samples)
    assert samples.unique().numel() > 2


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [0.1, 0.3, 0.6]),
        ({"temperature": 0.5}, [1 / 46, 9 / 46, 36 / 46]),
        ({"temperature": 2.0}, [0.1894, 0.3269, 0.4837]),
        ({"top_k": 2}, [0.0, 1 / 3, 2 / 3]),
        ({"top_p": 0.7}, [0.0, 1 / 3, 2 / 3]),
        ({"top_p": 0.6}, [0.0, 0.0, 1.0]),
        ({"temperature": 0.5, "top_p": 0.79}, [0.0, 0.2, 0.8]),
        ({"top_k": 2, "top_p": 0.65}, [0.0, 0.0, 1.0]),
    ],
)
def test_frequencies_are_the_sharpened_and_cut_probabilities(settings, expected):
    drawn = generate(
        Chain(COIN), torch.empty(4000, 0, dtype=torch.long), 5, generator=generator(), **settings
    )
    frequencies = drawn.flatten().bincount(minlength=3) / drawn.numel()
    assert_close(frequencies, torch.tensor(expected), rtol=0, atol=0.015)
    assert ((frequencies == 0) == (torch.tensor(expected) == 0)).all()


@pytest.mark.slow
@given(st.integers(1, 3), st.integers(0, 6), st.integers(0, 9), st.integers(0, 20))
@settings(max_examples=30)
def test_greedy_takes_the_most_probable_token_given_all_that_fits_the_context(batch, time, n_tokens, seed):
    lm, prompt = decoder().eval(), prompts(batch, time, seed=seed)
    expected = torch.cat([torch.full((batch, 1), lm.start_token), prompt], dim=1)
    with torch.no_grad():
        for _ in range(n_tokens):
            following = lm.logits(expected[:, -6:])[:, -1].argmax(-1)
            expected = torch.cat([expected, following[:, None]], dim=1)
    continued = generate(lm, prompt, n_tokens, temperature=0.0)
    assert torch.equal(continued, expected[:, 1:])


def test_greedy_breaks_ties_towards_the_lowest_id():
    even = Chain([[0.2, 0.4, 0.4]] * 3)
    assert generate(even, torch.tensor([[0]]), 3, temperature=0.0).tolist() == [[0, 1, 1, 1]]


@pytest.mark.parametrize(
    "setting", [{"temperature": 2e-38}, {"temperature": 1e-320}, {"top_k": 1}, {"top_p": 1e-6}]
)
def test_the_limits_of_temperature_and_filters_are_greedy(setting):
    lm, prompt = decoder(), prompts(3, 4)
    sharp = generate(lm, prompt, 8, generator=generator(), **setting)
    assert torch.equal(sharp, generate(lm, prompt, 8, temperature=0.0))


def test_a_low_temperature_does_not_overflow():
    steep = Chain(COIN)
    steep.log_table *= 100
    assert generate(steep, torch.tensor([[0]]), 3, temperature=2e-38).tolist() == [[0, 2, 2, 2]]


def test_the_same_generator_gives_the_same_result_and_the_global_one_is_left_alone():
    lm, prompt = decoder(), prompts(3, 2)
    before = torch.get_rng_state()
    first, again, other = (generate(lm, prompt, 20, generator=generator(seed)) for seed in (1, 1, 2))
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.equal(first, again) and not torch.equal(first, other)


def test_prompts_come_back_in_front_of_their_continuations():
    prompt = prompts(3, 4).int()
    continued = generate(decoder(), prompt, 7, generator=generator())
    assert continued.shape == (3, 11) and continued.dtype == torch.long
    assert torch.equal(continued[:, :4], prompt.long())
    assert torch.equal(generate(decoder(), prompt, 0), prompt.long())


def test_each_row_stops_by_itself_and_is_filled_with_the_end_token():
    continued = generate(Chain(CYCLE), torch.tensor([[0], [1], [2]]), 4, end_token=2, temperature=0.0)
    assert continued.tolist() == [[0, 1, 2, 2, 2], [1, 2, 2, 2, 2], [2, 0, 1, 2, 2]]


@pytest.mark.slow
@given(st.integers(0, 30), st.integers(0, VOCAB - 1))
@settings(max_examples=20)
def test_stopping_only_fills_what_comes_after_the_end_token(seed, end_token):
    lm, prompt = decoder(), prompts(3, 2, seed=seed)
    free = generate(lm, prompt, 8, temperature=0.0)
    stopped = generate(lm, prompt, 8, temperature=0.0, end_token=end_token)
    for row, expected in zip(stopped.tolist(), free.tolist()):
        if end_token in expected[2:]:
            end = expected.index(end_token, 2)
            expected[end:] = [end_token] * len(expected[end:])
        assert row == expected


def test_nothing_is_read_once_every_row_has_stopped():
    chain = Chain(CYCLE)
    generate(chain, torch.tensor([[0]]), 100, end_token=2, temperature=0.0)
    assert chain.tokens_read == 3


@st.composite
def ragged_prompts(draw, longest=5):
    """Prompts padded on the right by values that are no tokens, and their lengths."""
    lengths = torch.tensor(draw(st.lists(st.integers(0, longest), min_size=1, max_size=4)))
    prompt = prompts(len(lengths), longest, seed=draw(st.integers(0, 100)))
    return prompt.masked_fill(torch.arange(longest) >= lengths[:, None], draw(st.integers(-3, 9))), lengths


@pytest.mark.slow
@pytest.mark.parametrize("make", [decoder, lambda: Chain(STEEP)])
@given(data=st.data(), n_tokens=st.integers(0, 6), end_token=st.none() | st.integers(0, VOCAB - 1))
@settings(max_examples=50)
def test_a_greedy_continuation_does_not_depend_on_the_lengths_of_other_prompts(
    make, data, n_tokens, end_token
):
    model, (prompt, lengths) = make(), data.draw(ragged_prompts())
    setting = {"temperature": 0.0, "end_token": end_token}
    together = generate(model, prompt, n_tokens, prompt_lengths=lengths, **setting)
    assert together.shape == (len(prompt), prompt.shape[1] + n_tokens)
    for row, length in enumerate(lengths.tolist()):
        alone = generate(model, prompt[row : row + 1, :length], n_tokens, **setting)
        assert torch.equal(together[row, : length + n_tokens], alone[0])
        assert set(together[row, length + n_tokens :].tolist()) <= {end_token or 0}


@pytest.mark.slow
@given(st.integers(0, 6), st.integers(0, 100), st.none() | st.integers(0, VOCAB - 1))
@settings(max_examples=20)
def test_prompts_of_one_length_are_continued_alike_with_and_without_lengths(time, seed, end_token):
    lm, prompt = decoder(), prompts(3, time, seed=seed)
    lengths = torch.full((3,), time, dtype=torch.int32)
    plain, with_lengths, padded = (
        generate(lm, x, 7, prompt_lengths=given, end_token=end_token, generator=generator(seed))
        for x, given in (
            (prompt, None),
            (prompt, lengths),
            (torch.nn.functional.pad(prompt, (0, 2)), lengths),
        )
    )
    assert torch.equal(plain, with_lengths)
    assert torch.equal(padded[:, :-2], plain) and (padded[:, -2:] == (end_token or 0)).all()


def test_samples_after_prompts_of_different_lengths_follow_the_model():
    n, lengths = 4000, torch.tensor([1, 3]).repeat(2000)
    prompt = torch.tensor([[0, 9, 9], [2, 1, 2]]).repeat(2000, 1)
    continued = generate(Chain(UNEQUAL), prompt, 2, prompt_lengths=lengths, generator=generator())
    for row, length in ((0, 1), (1, 3)):
        first, second = continued[row::2, length : length + 2].unbind(1)
        last = int(prompt[row, length - 1])
        pairs = (3 * first + second).bincount(minlength=9) / (n / 2)
        table = torch.tensor(UNEQUAL)
        assert_close(pairs, (table[last][:, None] * table).flatten(), rtol=0, atol=0.04)


def test_an_end_token_in_a_prompt_stops_nothing():
    prompt, lengths = torch.tensor([[2, 2, 0], [0, 5, 5], [2, 5, 5]]), torch.tensor([3, 1, 1])
    continued = generate(
        Chain(CYCLE), prompt, 3, prompt_lengths=lengths, end_token=2, temperature=0.0, generator=generator()
    )
    assert continued.tolist() == [[2, 2, 0, 1, 2, 2], [0, 1, 2, 2, 2, 2], [2, 0, 1, 2, 2, 2]]


def test_what_all_prompts_have_is_read_in_one_pass_and_nothing_after_the_last_new_token():
    class Counted(Chain):
        passes = ()

        def read(self, tokens, state):
            self.passes += (tokens.shape[1],)
            return self.logits(tokens)[:, -1], state

        def step(self, token, state):
            self.passes += (1,)
            return super().step(token, state)

    chain = Counted(CYCLE)
    prompt, lengths = torch.tensor([[0, 1, 0, 1, 0], [0, 1, 2, 9, 9]]), torch.tensor([5, 3])
    generate(chain, prompt, 2, prompt_lengths=lengths, temperature=0.0)
    assert chain.passes == (4, 1, 1, 1)


def test_no_prompts_have_no_continuations():
    empty, none = torch.empty(0, 3, dtype=torch.long), torch.empty(0, dtype=torch.long)
    assert generate(Chain(CYCLE), empty, 2, prompt_lengths=none, generator=generator()).shape == (0, 5)


def test_only_the_tokens_of_a_prompt_count_towards_the_context_length():
    lm, prompt = decoder(), prompts(2, 9)
    continued = generate(lm, prompt, 3, prompt_lengths=torch.tensor([6, 2]), temperature=0.0)
    assert torch.equal(continued[:1, :9], generate(lm, prompt[:1, :6], 3, temperature=0.0))


def test_dropout_is_off_while_generating_and_as_before_afterwards():
    lm, prompt = decoder(dropout=0.5).train(), prompts(2, 3)
    results = [generate(lm, prompt, 10, temperature=0.0) for _ in range(3)]
    assert torch.equal(results[0], results[1]) and torch.equal(results[0], results[2])
    assert lm.training and lm.stack.blocks[0].attention.training
    generate(lm.eval(), prompt, 1)
    assert not lm.training


def test_no_graph_is_kept():
    class Watched(Chain):
        def step(self, token, state):
            assert not torch.is_grad_enabled()
            return super().step(token, state)

    generate(Watched(COIN), torch.tensor([[0]]), 3, generator=generator())
    assert torch.is_grad_enabled()


def test_training_mode_returns_even_after_an_error():
    class Broken(Chain):
        def step(self, token, state):
            raise RuntimeError("broken")

    model = Broken(CYCLE).train()
    with pytest.raises(RuntimeError, match="broken"):
        generate(model, torch.tensor([[0]]), 1)
    assert model.training


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_models_of_any_precision_generate(dtype):
    lm = decoder().to(dtype)
    assert generate(lm, prompts(2, 3), 5, top_k=3, top_p=0.9, generator=generator()).shape == (2, 8)


@pytest.mark.parametrize("settings", [{"temperature": 0.7}, {"top_p": 0.65}], ids=str)
def test_logits_of_half_precision_are_divided_and_cut_as_those_of_float32(settings):
    half, exact = Chain(UNEQUAL).bfloat16(), Chain(UNEQUAL)
    exact.log_table = half.log_table.float()
    drawn = [generate(m, prompts(2000, 1) % 3, 10, generator=generator(), **settings) for m in (half, exact)]
    assert torch.equal(*drawn)


@pytest.mark.parametrize(
    ("prompt", "settings", "message"),
    [
        (prompts(1, 7), {}, "prompt of 7 tokens is longer than the model's context_length of 6"),
        (torch.tensor([[0, 9]]), {}, "token 9 at batch 0, time 1 is outside"),
        (prompts(1, 2), {"n_tokens": -1}, "n_tokens must be at least 0; got -1"),
        (
            prompts(1, 2),
            {"temperature": -0.5},
            "temperature must be a finite number of at least 0, got -0.5",
        ),
        (prompts(1, 2), {"temperature": float("nan")}, "temperature must be .* got nan"),
        (prompts(1, 2), {"temperature": float("inf")}, "temperature must be .* got inf"),
        (prompts(1, 2), {"top_k": 0}, "top_k must be at least 1; got 0"),
        (prompts(1, 2), {"top_p": 0.0}, "top_p must be a finite number above 0, got 0.0"),
        (prompts(1, 2), {"top_p": 1.1}, "top_p must be a number from 0 to 1, got 1.1"),
        (prompts(1, 2), {"end_token": 5}, "end_token must be a token, a whole number from 0 to 4, got 5"),
        (
            prompts(1, 7),
            {"prompt_lengths": torch.tensor([7])},
            "prompt of 7 tokens is longer than the model's context_length of 6",
        ),
        (
            prompts(1, 2),
            {"prompt_lengths": torch.tensor([3])},
            r"prompt_lengths must be 1 whole numbers from 0 to 2; got \[3\]",
        ),
        (prompts(1, 2), {"prompt_lengths": torch.tensor([-1])}, r"got \[-1\]"),
        (
            torch.tensor([[5, 7]]),
            {"prompt_lengths": torch.tensor([1])},
            "token 5 at batch 0, time 0 is outside",
        ),
    ],
)
def test_wrong_requests_are_refused(prompt, settings, message):
    with pytest.raises(ValueError, match=message):
        generate(decoder(), prompt, **{"n_tokens": 3} | settings)


@pytest.mark.slow
@given(
    prompt_and_lengths=ragged_prompts(longest=7),
    known=st.booleans(),
    n_tokens=st.integers(-1, 4),
    temperature=st.floats(0, 3) | st.floats(),
    top_k=st.none() | st.integers(1, 6) | st.integers(-1, 2**65),
    top_p=st.none() | st.floats(0.01, 1) | st.floats(),
    end_token=st.none() | st.integers(-1, VOCAB),
)
@settings(max_examples=200)
def test_whatever_is_asked_the_answer_is_a_result_or_a_value_error(prompt_and_lengths, known, **arguments):
    prompt, lengths = prompt_and_lengths
    lengths = lengths if known else None
    try:
        result = generate(decoder(), prompt, prompt_lengths=lengths, generator=generator(), **arguments)
    except ValueError as error:
        assert len(str(error)) > 20
        return
    assert result.shape == (len(prompt), 7 + arguments["n_tokens"])
    assert result.min() >= 0 and result.max() < VOCAB


def test_a_part_that_was_frozen_stays_frozen_after_generating():
    model = DecoderLM(TransformerConfig(5, 8, d_model=8, n_heads=2, n_layers=2, dropout=0.5)).train()
    model.stack.blocks[0].eval()
    before = [module.training for module in model.modules()]
    generate(model, torch.zeros(1, 2, dtype=torch.long), 1)
    assert [module.training for module in model.modules()] == before and len(set(before)) == 2
