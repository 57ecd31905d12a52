"""What every density model promises: probabilities, samples, states and refusals, the same for all of them.

``build(rows)`` gives a model for a batch of as many sequences; of a model that is given a source, row by row
that of ``rows``. All are in float64 with weights large enough for tokens to matter, and evaluate.
"""

from functools import cache, partial

import drawn
import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from density_cases import all_sequences, assert_causal, assert_samples_follow, randomize
from drawn import exactly
from hypothesis import given, settings
from jaxtyping import TypeCheckError

from transformer_lib.decoding.compiled import with_compiled_step
from transformer_lib.density.baselines import (
    BernoulliPixels,
    FeedforwardHistory,
    FullyVisibleSigmoid,
    KneserNey,
)
from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.density.nade import NADE, TiedBinaryNADE
from transformer_lib.interfaces import SequenceModel
from transformer_lib.recurrent.language_model import LSTM, RNN, AblatedLSTM, RecurrentConfig
from transformer_lib.recurrent.seq2seq import Seq2Seq, Seq2SeqConfig
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.transformer_xl import TransformerXL, TransformerXLConfig
from transformer_lib.transformer.vision import ImageTransformer

VOCAB, LENGTH = 3, 5
tokens = partial(drawn.tokens, vocab_size=VOCAB)
SOURCES = torch.tensor([[0, 1, 2, 3], [4, 4, 0, 0], [3, 1, 0, 2]])
SOURCE_LENGTHS = torch.tensor([4, 2, 3])
ATTENTION_ONLY = {"attention_only": True, "bias": True, "tie_embeddings": False}


@pytest.fixture(scope="module", autouse=True)
def what_would_be_compiled_runs_as_it_stands():
    """For the tests' type checks cannot be compiled; that the code is the same, ``test_compiled`` shows."""
    with torch.compiler.set_stance("force_eager"):
        yield


def ready(model, scale=1.0):
    return randomize(model, scale=scale).double().eval()


def alone(make, scale=1.0):
    """A model without a source, which serves any batch."""
    model = cache(lambda: ready(make(), scale))
    return lambda rows: model()


def with_source(make):
    model = cache(lambda: ready(make(), 0.7))

    def build(rows):
        rows = torch.tensor(rows, dtype=torch.long)
        return model().condition(SOURCES[rows], SOURCE_LENGTHS[rows])

    return build


def transformer(**changes):
    return TransformerConfig(VOCAB, LENGTH, 4, 2, 2, dropout=0.5, start_token=1, **changes)


def decoder(positions):
    return alone(lambda: DecoderLM(transformer(positions=positions)), scale=0.7)


def recurrent(kind, activation="tanh"):
    shape = {"n_layers": 2, "dropout": 0.5, "learned_initial_state": True, "start_token": 1}
    return alone(lambda: kind(RecurrentConfig(VOCAB, 4, cell_activation=activation, **shape)))


def convolutions(**shape):
    return alone(lambda: CausalConvLM(ConvConfig(VOCAB, 4, start_token=1, **shape)))


def history(length, start_token):
    return alone(lambda: FeedforwardHistory(VOCAB, length, 5, start_token=start_token))


class LogitsAlone(FeedforwardHistory):
    """A model that leaves its states to the base class."""

    step = SequenceModel.step


def counting(order):
    stream = np.random.default_rng(0).integers(0, VOCAB, 60)
    return alone(lambda: KneserNey(order, VOCAB).fit(stream))


def seq2seq(**form):
    return with_source(lambda: Seq2Seq(Seq2SeqConfig(5, VOCAB, 4, dropout=0.5, start_token=1, **form)))


SEQUENCE_MODELS = {
    **{
        f"decoder, {positions}": decoder(positions)
        for positions in ("learned", "rotary", "relative", "alibi")
    },
    "decoder, compiled": alone(lambda: with_compiled_step(DecoderLM(transformer())), scale=0.7),
    "decoder, attention only": alone(lambda: DecoderLM(transformer(**ATTENTION_ONLY)), scale=0.7),
    "encoder-decoder, attention only": with_source(
        lambda: EncoderDecoder(transformer(source_vocab_size=5, **ATTENTION_ONLY))
    ),
    "encoder-decoder": with_source(lambda: EncoderDecoder(transformer(source_vocab_size=5, norm="post"))),
    "rnn": recurrent(RNN),
    "rnn, sigmoid": recurrent(RNN, "sigmoid"),
    "lstm": recurrent(LSTM),
    "lstm, sigmoid": recurrent(LSTM, "sigmoid"),
    "ablated lstm": recurrent(AblatedLSTM),
    "ablated lstm, sigmoid": recurrent(AblatedLSTM, "sigmoid"),
    "seq2seq": seq2seq(attention=None),
    "seq2seq, attention": seq2seq(attention="additive", bidirectional=True, cell="rnn"),
    "seq2seq, local": seq2seq(attention="general", weighting="local-m", window=1),
    "convolutions": convolutions(stack_depth=2),
    "convolutions of 3": convolutions(stack_depth=2, kernel_size=3),
    "history of 2": history(2, start_token=1),
    "history of 5": history(5, start_token=None),
    "logits alone": alone(lambda: LogitsAlone(VOCAB, 3, 5, start_token=1)),
    "kneser-ney": counting(3),
    "counts alone": counting(1),
    "transformer-xl": alone(
        lambda: TransformerXL(TransformerXLConfig(VOCAB, 2, 4, 2, 2, dropout=0.5)), scale=0.7
    ),
    "image transformer": alone(
        lambda: ImageTransformer(
            TransformerConfig(VOCAB, 2 * LENGTH, 8, 2, 2, positions="none"), LENGTH, window=2
        )
    ),
}
DENSITY_MODELS = SEQUENCE_MODELS | {
    "nade": alone(lambda: NADE(LENGTH, VOCAB, 5)),
    "nade, weights": alone(lambda: NADE(LENGTH, VOCAB, 5, learn_sums=False)),
    "classic nade": alone(lambda: TiedBinaryNADE(LENGTH, 5)),
    "regressions": alone(lambda: FullyVisibleSigmoid(LENGTH)),
    "pixels": alone(lambda: BernoulliPixels(LENGTH)),
}
BLIND = {"counts alone", "pixels"}
"""Models to which no token says anything about another."""

every_sequence_model = pytest.mark.parametrize("build", SEQUENCE_MODELS.values(), ids=SEQUENCE_MODELS)
every_density_model = pytest.mark.parametrize("build", DENSITY_MODELS.values(), ids=DENSITY_MODELS)


def whole(build, read, rows):
    """The logits after all of ``read``, of which the model sees what it can."""
    model = build(rows)
    return model.logits(read[:, -(model.context_length or read.shape[1]) :])[:, -1]


@every_density_model
@pytest.mark.parametrize("length", [1, 3])
def test_probabilities_of_all_sequences_sum_to_one(build, length):
    x = all_sequences(build([]).vocab_size, length)
    total = build([0] * len(x)).log_prob(x).exp().sum()
    assert total.item() == pytest.approx(1, abs=1e-12)


@every_density_model
def test_samples_follow_the_model_s_own_probabilities(build):
    assert_samples_follow(build([0] * 4000), 3, log_prob=lambda x: build([0] * len(x)).log_prob(x))


@pytest.mark.parametrize("name", [name for name in DENSITY_MODELS if name not in BLIND])
def test_a_later_token_cannot_change_an_earlier_conditional_and_each_token_changes_later_ones(name):
    model = DENSITY_MODELS[name]([0])
    assert_causal(model, tokens(1, LENGTH, vocab_size=model.vocab_size))


@every_density_model
def test_the_empty_sequence_is_certain_and_no_sequences_are_allowed(build):
    nothing = build([0, 1]).log_prob(tokens(2, 0))
    assert nothing.tolist() == [0, 0] and nothing.dtype == torch.float64
    assert build([]).log_prob(tokens(0, 3)).shape == (0,)
    assert build([]).sample(0, 3).shape == (0, 3)
    assert build([0, 1]).sample(2, 0).shape == (2, 0)


@every_sequence_model
def test_logits_of_no_tokens_and_of_no_sequences_have_their_shape(build):
    assert build([0, 1]).logits(tokens(2, 0)).shape == (2, 0, VOCAB)
    assert build([]).logits(tokens(0, 4)).shape == (0, 4, VOCAB)
    model = build([])
    logits, state = model.step(tokens(0), model.init_state(0))
    assert logits.shape == (0, VOCAB)
    logits, _ = model.read(tokens(0, 2), state)
    assert logits.shape == (0, VOCAB)


@every_density_model
def test_tokens_of_any_signed_type_are_the_same_tokens(build):
    model = build([0, 1])
    x = tokens(2, 4, vocab_size=model.vocab_size)
    for dtype in (torch.int8, torch.int32):
        assert torch.equal(model.log_prob(x.to(dtype)), model.log_prob(x))


@every_sequence_model
def test_tokens_of_any_signed_type_are_read_as_the_same_tokens(build):
    model, x = build([0, 1]), tokens(2, 4)
    for dtype in (torch.int8, torch.int32):
        logits, state = model.read(x[:, :3].to(dtype), model.init_state(2))
        exactly(logits, whole(build, x[:, :3], [0, 1]))
        logits, _ = model.step(x[:, 3].to(dtype), state)
        exactly(logits, whole(build, x, [0, 1]))
        assert torch.equal(model.logits(x.to(dtype)), model.logits(x))


@every_density_model
def test_a_token_outside_the_vocabulary_is_refused_with_its_place(build):
    model = build([0, 1])
    for value in (-1, model.vocab_size):
        x = tokens(2, 4, vocab_size=model.vocab_size)
        x[1, 2] = value
        with pytest.raises(
            ValueError, match=rf"token {value} at batch 1, time 2 is outside the vocabulary 0\.\."
        ):
            model.log_prob(x)


@every_sequence_model
def test_a_token_outside_the_vocabulary_is_not_read_either(build):
    model, x = build([0, 1]), tokens(2, 3)
    # A start token of its own, which may be read, is one more.
    for value in (-1, max(VOCAB, model.start_token + 1)):
        x[1, 2] = value
        with pytest.raises(ValueError, match=f"token {value} at batch 1, time 2 "):
            model.logits(x)
        with pytest.raises(ValueError, match=f"token {value} at batch 1, time [02] "):
            model.read(x, model.init_state(2))
        with pytest.raises(ValueError, match=f"token {value} at batch 1, time 0 "):
            model.step(x[:, 2], model.init_state(2))


@every_sequence_model
def test_what_does_not_fit_a_state_is_refused(build):
    model = build([0, 1])
    state = model.init_state(2)
    with pytest.raises(ValueError, match="at least one"):
        model.read(tokens(2, 0), state)
    # Where a state has a shape that its type tells, the tests' own checks of shapes speak first.
    with pytest.raises((ValueError, TypeCheckError)):
        model.step(tokens(1), state)
    with pytest.raises((ValueError, TypeCheckError)):
        model.read(tokens(3, 2), state)


@pytest.mark.slow
@every_sequence_model
@settings(max_examples=4)
@given(data=st.data())
def test_a_state_can_be_gone_on_from_however_often_by_pieces_and_with_any_rows(build, data):
    """A tree of states: each is reached from any earlier one by reading some tokens or choosing some rows."""
    rows = [0, 1, 2]
    model = build(rows)
    states = [(model.init_state(3), tokens(3, 0), rows)]
    for seed in range(data.draw(st.integers(1, 8))):
        state, read, rows = data.draw(st.sampled_from(states[-4:]))
        kind = data.draw(st.sampled_from(["step", "read", "select"]))
        if kind == "select" and read.shape[1]:
            chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=4) if rows else st.just([]))
            chosen = torch.tensor(chosen, dtype=torch.long)
            state, read, rows = model.select_state(state, chosen), read[chosen], [rows[i] for i in chosen]
        else:
            new = tokens(len(rows), 1 if kind == "step" else data.draw(st.integers(1, LENGTH)), seed=seed)
            read = torch.cat([read, new], dim=1)
            logits, state = model.step(new[:, 0], state) if kind == "step" else model.read(new, state)
            exactly(logits, whole(build, read, rows))
        states.append((state, read, rows))


@every_sequence_model
def test_branches_of_one_state_take_turns_without_a_trace_of_each_other(build):
    rows = [0, 1]
    model, start = build(rows), tokens(2, 2)
    _, base = model.read(start, model.init_state(2))
    branches = {seed: (base, start) for seed in (1, 2)}
    for t in range(4):
        for seed, (state, read) in branches.items():
            token = tokens(2, seed=10 * t + seed)
            read = torch.cat([read, token[:, None]], dim=1)
            logits, state = model.step(token, state)
            exactly(logits, whole(build, read, rows))
            branches[seed] = state, read
    logits, _ = model.step(start[:, 0], base)
    exactly(logits, whole(build, torch.cat([start, start[:, :1]], dim=1), rows))


@every_sequence_model
@pytest.mark.parametrize(
    "chosen", [[2, 0, 1], [2, 0, 0, 1], [1], []], ids=["order", "repeat", "drop", "none"]
)
def test_rows_of_a_state_can_be_re_ordered_repeated_and_dropped(build, chosen):
    model, x = build([0, 1, 2]), tokens(3, 4)
    _, state = model.read(x[:, :2], model.init_state(3))
    selected = model.select_state(state, torch.tensor(chosen, dtype=torch.long))
    model.step(x[:, 2], state)
    for t in (2, 3):
        logits, selected = model.step(x[chosen, t], selected)
        exactly(logits, whole(build, x[chosen, : t + 1], chosen))


@every_sequence_model
def test_steps_and_reading_at_once_give_the_logits_of_every_prefix(build):
    model, x = build([0, 1, 2]), tokens(3, LENGTH)
    expected, state = model.logits(x), model.init_state(3)
    for t in range(LENGTH):
        logits, state = model.step(x[:, t], state)
        exactly(logits, expected[:, t])
        exactly(model.read(x[:, : t + 1], model.init_state(3))[0], expected[:, t])


@every_density_model
def test_a_generator_decides_the_samples_and_the_global_one_is_left_alone(build):
    model, before = build([0] * 20), torch.get_rng_state()
    first, again, other = (
        model.sample(20, LENGTH, generator=torch.Generator().manual_seed(seed)) for seed in (0, 0, 1)
    )
    assert torch.equal(first, again) and not torch.equal(first, other)
    assert first.dtype == torch.long and first.min() >= 0 and first.max() < model.vocab_size
    assert torch.equal(torch.get_rng_state(), before)


@every_density_model
def test_evaluation_draws_nothing_and_is_the_same_twice(build):
    model, before = build([0, 1]), torch.get_rng_state()
    x = tokens(2, LENGTH, vocab_size=model.vocab_size)
    assert not model.training
    assert torch.equal(model.log_prob(x), model.log_prob(x))
    assert torch.equal(torch.get_rng_state(), before)


@every_density_model
def test_numbers_of_samples_and_lengths_that_are_none_are_refused(build):
    with pytest.raises(ValueError, match="-1"):
        build([]).sample(-1, 2)
    with pytest.raises(ValueError, match=r"length counts tokens and .*; got -1"):
        build([0, 1]).sample(2, -1)
