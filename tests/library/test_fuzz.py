"""Whatever a model is made of and given, there comes a finite result or an error that says what is wrong."""

import math

import hypothesis.strategies as st
import pytest
import torch
from block_cases import made_block
from hypothesis import HealthCheck, assume, given, settings

from transformer_lib.decoding.sampling import generate
from transformer_lib.transformer.attention import MultiHeadAttention
from transformer_lib.transformer.block import FeedForward, LayerNorm
from transformer_lib.transformer.config import POSITIONS, TransformerConfig
from transformer_lib.transformer.encoder_decoder import POOLINGS, Classifier, Encoder, EncoderDecoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.positions import (
    AlibiPositions,
    GehringPositions,
    JointPositions,
    RelativePositions,
    RotaryPositions,
)

TINY = {"vocab_size": 5, "context_length": 6, "d_model": 8, "n_heads": 2, "n_layers": 1}
FIELDS = list(TransformerConfig.__dataclass_fields__)
DOCUMENTED = (ValueError, TypeError)

numbers = (
    st.integers()
    | st.sampled_from([0, 1, -1, 10**18, -(10**18), 10**30, 10**400, -(10**400)])
    | st.floats()
    | st.sampled_from([0.0, 0.5, 1.0, 1e-320, 1e308])
)
leaves = (
    st.none() | st.booleans() | numbers | st.text(max_size=5) | st.sampled_from([*POSITIONS, "pre", "relu"])
)
anything = st.recursive(leaves, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner))


pytestmark = pytest.mark.usefixtures("without_type_checks")
fuzzing = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def result_or_error(call, *args, **kwargs):
    """The result, or ``None`` for an error that says something; no other error passes."""
    try:
        return call(*args, **kwargs)
    except DOCUMENTED as error:
        assert str(error)
        return None


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=3), anything, max_size=4), st.booleans())
@settings(fuzzing, max_examples=150)
def test_any_values_make_a_configuration_or_an_error(values, complete):
    made = result_or_error(TransformerConfig.from_dict, TINY | values if complete else values)
    if made is not None:
        assert TransformerConfig.from_dict(made.to_dict()) == made


@given(st.integers(1, 10**40), st.integers(1, 10**40))
@settings(fuzzing, max_examples=50)
def test_advice_on_huge_sizes_takes_no_time(d_model, n_heads):
    result_or_error(TransformerConfig, 5, 6, d_model, n_heads)


def test_a_preset_of_any_name_is_found_or_refused():
    for name in ("", "tiny ", None, 3, ["tiny"], {"a": 1}):
        with pytest.raises(ValueError, match="is not one of"):
            TransformerConfig.preset(name)


@st.composite
def shapes(draw):
    """Configurations that are right."""
    heads = draw(st.integers(1, 3))
    width = draw(st.integers(1, 3)) * 2
    dropout = st.sampled_from([0.0, 0.5, 0.99])
    return TransformerConfig(
        vocab_size=draw(st.integers(1, 5)),
        context_length=draw(st.integers(1, 6)),
        d_model=heads * width if draw(st.booleans()) else draw(st.integers(1, 5)),
        n_heads=heads,
        n_layers=draw(st.integers(1, 2)),
        d_ff=draw(st.none() | st.integers(1, 5)),
        d_head=width,
        norm=draw(st.sampled_from(["pre", "post"])),
        norm_eps=draw(st.sampled_from([1e-5, 1e-3, 1.0])),
        norm_eps_on=draw(st.sampled_from(["variance", "deviation"])),
        bias=draw(st.booleans()),
        macaron=draw(st.booleans()),
        positions=draw(st.sampled_from(list(POSITIONS))),
        dropout=draw(dropout),
        attention_dropout=draw(st.none() | dropout),
        input_dropout=draw(dropout),
        embedding_dropout=draw(dropout),
        scale_embeddings=draw(st.booleans()),
        source_vocab_size=draw(st.none() | st.integers(1, 5)),
        tie_embeddings=draw(st.booleans()),
    )


dtypes = st.sampled_from([torch.long] * 6 + [torch.int8, torch.uint8, torch.bool, torch.float32])
batches = st.integers(0, 3)


@st.composite
def token_arrays(draw, batch=None):
    """Arrays that are tokens, or nearly."""
    batch = draw(batches) if batch is None else batch
    shape = draw(st.sampled_from([(batch, draw(st.integers(0, 8)))] * 8 + [(), (batch,), (batch, 2, 2)]))
    low, high = draw(st.sampled_from([(0, 1), (0, 1), (0, 5), (-1, 3)]))
    seed = draw(st.integers(0, 9))
    values = torch.randint(low, high, shape, generator=torch.Generator().manual_seed(seed))
    return values.to(draw(dtypes))


lengths = st.none() | st.lists(st.integers(-1, 8), max_size=3).map(
    lambda x: torch.tensor(x, dtype=torch.long)
)
lengths = lengths | st.sampled_from([torch.tensor([1.5, 2.0]), torch.tensor(1), torch.tensor([[1, 2]])])


def is_finite(result):
    return result is None or torch.isfinite(result).all()


@pytest.mark.slow
@given(shapes(), st.data(), st.booleans())
@settings(fuzzing, max_examples=30)
def test_a_language_model_reads_anything_or_says_why_not(shape, data, training):
    lm = DecoderLM(shape, generator=torch.Generator().manual_seed(0)).train(training)
    x = data.draw(token_arrays())
    logits = result_or_error(lm.logits, x)
    assert is_finite(logits)
    if logits is not None:
        logits.square().sum().backward()
        assert all(p.grad is None or is_finite(p.grad) for p in lm.parameters())
    assert is_finite(result_or_error(lm.log_prob, x))
    state = lm.init_state(data.draw(batches))
    for _ in range(data.draw(st.integers(0, 3))):
        read = result_or_error(lm.read, data.draw(token_arrays(len(state.tokens))), state)
        if read is not None:
            assert is_finite(read[0])
            state = read[1]


@pytest.mark.slow
@given(shapes(), st.data(), st.booleans())
@settings(fuzzing, max_examples=30)
def test_a_translator_reads_anything_or_says_why_not(shape, data, training):
    model = EncoderDecoder(shape, generator=torch.Generator().manual_seed(0)).train(training)
    batch = data.draw(batches)
    source, target = data.draw(token_arrays(batch)), data.draw(token_arrays(batch) | token_arrays())
    source_lengths = data.draw(lengths)
    conditioned = result_or_error(model.condition, source, source_lengths)
    logits = conditioned and result_or_error(conditioned.logits, target)
    assert is_finite(logits)
    if logits is not None:
        logits.square().sum().backward()
        assert all(p.grad is None or is_finite(p.grad) for p in model.parameters())
    if conditioned is not None:
        assert is_finite(result_or_error(conditioned.log_prob, target))
        assert is_finite(result_or_error(generate, conditioned, target, 2))


@pytest.mark.slow
@given(shapes(), st.data(), st.sampled_from(POOLINGS))
@settings(fuzzing, max_examples=20)
def test_a_classifier_reads_anything_or_says_why_not(shape, data, pooling):
    model = Classifier(shape, data.draw(st.integers(1, 3)), pooling=pooling)
    x, of_each = data.draw(token_arrays()), data.draw(lengths)
    assert is_finite(result_or_error(model, x, of_each))
    assert is_finite(result_or_error(Encoder(shape), x, of_each))


sizes = st.integers(-2, 4)


@given(sizes, sizes, sizes, st.none() | sizes, st.floats(), st.sampled_from(["pre", "post", "none"]))
@settings(fuzzing, max_examples=30)
def test_layers_of_any_size_are_made_and_finite_or_refused(d_model, n_heads, d_ff, d_head, dropout, norm):
    torch.manual_seed(0)
    x = torch.randn(1, 3, max(d_model, 0))
    for make in (
        lambda: MultiHeadAttention(d_model, n_heads, d_head=d_head, dropout=dropout),
        lambda: FeedForward(d_model, d_ff, dropout=dropout),
        lambda: made_block(d_model, n_heads, d_ff, d_head=d_head, dropout=dropout, norm=norm),
    ):
        layer = result_or_error(make)
        assert layer is None or is_finite(layer(x))


@given(sizes, sizes, sizes)
@settings(fuzzing, max_examples=20)
def test_schemes_of_any_size_are_made_or_refused(n, width, third):
    result_or_error(RelativePositions, n, width, third)
    result_or_error(AlibiPositions, n)
    assume(n >= 0 and width >= 0)
    for scheme in (JointPositions, GehringPositions):
        result_or_error(scheme, n, width, third)
    result_or_error(RotaryPositions, n, width)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MultiHeadAttention(8, 0), "n_heads must be at least 1; got 0"),
        (lambda: MultiHeadAttention(8, 2, d_head=0), "d_head must be at least 1; got 0"),
        (
            lambda: MultiHeadAttention(8, 2, dropout=math.nan),
            "dropout must be a number with 0 <= dropout < 1, got nan",
        ),
        (lambda: made_block(8, 2, 0), "d_ff must be at least 1; got 0"),
        (lambda: FeedForward(8, 0), "d_ff must be at least 1; got 0"),
        (lambda: LayerNorm(8, eps_on="mean"), "eps_on 'mean' is not one of 'variance', 'deviation'"),
    ],
)
def test_impossible_sizes_are_refused_in_words(make, message):
    with pytest.raises(ValueError, match=message):
        make()
