"""Where models drop out: every random draw of a pass in training, by the shape of what it decides about."""

import pytest
import torch
import torch.nn.functional as F
from block_cases import made_block
from density_cases import randomize
from torch import nn
from torch.testing import assert_close
from torch.utils._python_dispatch import TorchDispatchMode

from transformer_lib.recurrent.language_model import LSTM, RNN, AblatedLSTM, RecurrentConfig
from transformer_lib.recurrent.seq2seq import Seq2Seq, Seq2SeqConfig
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.transformer_xl import TransformerXL, TransformerXLConfig

BATCH, TIME, SOURCE, D, HEADS, D_FF, LAYERS = 2, 5, 3, 8, 2, 12, 2
RANDOM = {"bernoulli_", "bernoulli", "rand", "rand_like", "native_dropout"}
FEATURES, INNER = (BATCH, TIME, D), (BATCH, TIME, D_FF)
WEIGHTS, ACROSS = (BATCH, HEADS, TIME, TIME), (BATCH, HEADS, TIME, SOURCE)
KINDS = {"rnn": RNN, "lstm": LSTM, "ablated": AblatedLSTM}


class Draws(TorchDispatchMode):
    """Notes the shape of whatever is drawn at random."""

    def __init__(self):
        super().__init__()
        self.shapes = []

    def __torch_dispatch__(self, operator, types, arguments=(), options=None):
        result = operator(*arguments, **(options or {}))
        if operator.overloadpacket.__name__ in RANDOM:
            self.shapes.append(tuple((result[0] if isinstance(result, tuple) else result).shape))
        return result


def drawn(run):
    with Draws() as draws:
        run()
    return sorted(draws.shapes)


def tokens(time, batch=BATCH):
    return torch.randint(5, (batch, time), generator=torch.Generator().manual_seed(time))


def block_draws(*, cross=False, macaron=False):
    half = [INNER, FEATURES]
    return [WEIGHTS, FEATURES, *half, *(half * macaron), *([ACROSS, FEATURES] * cross)]


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("macaron", [False, True])
@pytest.mark.parametrize("cross", [False, True])
@pytest.mark.parametrize("gated", [False, True])
def test_a_block_drops_weights_inner_activations_and_what_each_branch_adds(norm, macaron, cross, gated):
    options = {"macaron": macaron, "cross_attention": cross, "gated": gated}
    block = made_block(D, HEADS, D_FF, norm=norm, dropout=0.5, **options)
    x, memory = torch.randn(FEATURES), torch.randn(BATCH, SOURCE, D) if cross else None
    assert drawn(lambda: block(x, memory=memory)) == sorted(block_draws(cross=cross, macaron=macaron))
    block.eval()
    assert drawn(lambda: block(x, memory=memory)) == []


def config(**changes):
    values = {"d_model": D, "n_heads": HEADS, "n_layers": LAYERS, "d_ff": D_FF, "dropout": 0.5}
    return TransformerConfig(5, 8, **values | changes)


@pytest.mark.parametrize("macaron", [False, True])
def test_a_language_model_drops_its_inputs_too_and_nothing_after_its_last_block(macaron):
    lm, x = DecoderLM(config(macaron=macaron)), tokens(TIME)
    assert drawn(lambda: lm(x)) == sorted([FEATURES, *(block_draws(macaron=macaron) * LAYERS)])
    lm.eval()
    assert drawn(lambda: lm(x)) == []


def test_an_encoder_decoder_drops_in_both_stacks():
    model, source, inputs = EncoderDecoder(config()), tokens(SOURCE), tokens(TIME)
    encoder_block = [
        (BATCH, HEADS, SOURCE, SOURCE),
        (BATCH, SOURCE, D),
        (BATCH, SOURCE, D_FF),
        (BATCH, SOURCE, D),
    ]
    expected = [(BATCH, SOURCE, D), *(encoder_block * LAYERS), FEATURES, *(block_draws(cross=True) * LAYERS)]
    assert drawn(lambda: model(source, inputs)) == sorted(expected)


def test_dropouts_set_apart_act_in_their_own_places():
    quiet = {"attention_dropout": 0.0, "activation_dropout": 0.0}
    x, places = tokens(TIME), {"attention_dropout": WEIGHTS, "activation_dropout": INNER}
    assert drawn(lambda: DecoderLM(config(**quiet))(x)) == [FEATURES] * (1 + 2 * LAYERS)
    for name, shape in places.items():
        lm = DecoderLM(config(**quiet | {"dropout": 0.0, name: 0.5}))
        assert drawn(lambda: lm(x)) == [shape] * LAYERS  # noqa: B023


def test_features_of_the_embedded_tokens_have_a_dropout_of_their_own():
    x = tokens(TIME)
    assert drawn(lambda: DecoderLM(config(dropout=0.0, feature_dropout=0.5))(x)) == [FEATURES]
    assert drawn(lambda: DecoderLM(config(feature_dropout=0.0))(x)) == sorted(block_draws() * LAYERS)


def test_transformer_xl_drops_where_a_block_does():
    shape = TransformerXLConfig(5, TIME, d_model=D, n_heads=HEADS, n_layers=LAYERS, d_ff=D_FF, dropout=0.5)
    model, x = TransformerXL(shape), tokens(TIME)
    assert drawn(lambda: model.logits(x)) == sorted([FEATURES, *(block_draws() * LAYERS)])


def recurrent(kind, **changes):
    values = {"d_model": D, "n_layers": LAYERS, "dropout": 0.5} | changes
    return randomize(KINDS[kind](RecurrentConfig(5, **values)).double(), scale=0.5).train()


@pytest.mark.parametrize("kind", KINDS)
def test_a_recurrent_model_drops_what_enters_each_layer_and_the_head_also_step_by_step(kind):
    model, x = recurrent(kind), tokens(TIME)
    assert drawn(lambda: model.logits(x)) == [FEATURES] * (LAYERS + 1)
    state = model.init_state(BATCH)
    assert drawn(lambda: model.step(x[:, 0], state)) == [(BATCH, D)] * (LAYERS + 1)
    model.eval()
    assert drawn(lambda: [model.logits(x), model.step(x[:, 0], state)]) == []


@pytest.mark.parametrize(("kind", "peer"), [("rnn", nn.RNN), ("lstm", nn.LSTM)])
@pytest.mark.parametrize("by_steps", [False, True], ids=["at once", "by steps"])
def test_a_recurrent_model_in_training_is_pytorch_s_network_with_dropouts_before_layers_and_head(
    kind, peer, by_steps
):
    """By steps, each step drops by itself: of one token the two are the same."""
    model, x = recurrent(kind), tokens(1 if by_steps else TIME)
    theta = dict(model.named_parameters())
    layers = [peer(D, D, batch_first=True).double() for _ in range(LAYERS)]
    for number, layer in enumerate(layers):
        prefix = f"stack.layers.{number}.kernel."
        layer.load_state_dict({name: theta[prefix + name] for name in layer.state_dict()})
    torch.manual_seed(3)
    ours = model.step(x[:, 0], model.init_state(BATCH))[0][:, None] if by_steps else model.logits(x)
    torch.manual_seed(3)
    h = theta["token_embedding.weight"][x]
    for layer in layers:
        h, _ = layer(F.dropout(h, 0.5))
    expected = F.linear(F.dropout(h, 0.5), theta["token_embedding.weight"], theta["head_bias"])
    assert_close(ours, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("attention", [None, "dot"])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_a_recurrent_translator_drops_what_enters_each_layer_and_the_head_also_step_by_step(
    attention, bidirectional
):
    shape = {"n_layers": LAYERS, "dropout": 0.5, "attention": attention, "bidirectional": bidirectional}
    model = Seq2Seq(Seq2SeqConfig(5, 5, D, **shape)).train()
    source, inputs = tokens(SOURCE), tokens(TIME)
    reading = drawn(lambda: model.condition(source))
    assert len(reading) == LAYERS
    assert all(torch.Size(size).numel() == BATCH * SOURCE * D for size in reading)
    conditioned = model.condition(source)
    assert drawn(lambda: conditioned.logits(inputs)) == [FEATURES] * (LAYERS + 1)
    state = conditioned.init_state(BATCH)
    draws = drawn(lambda: conditioned.step(inputs[:, 0], state))
    assert sorted(torch.Size(size).numel() for size in draws) == [BATCH * D] * (LAYERS + 1)
