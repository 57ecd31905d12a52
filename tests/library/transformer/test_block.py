"""The layers are PyTorch's own when given the same weights, and the block treats positions alike."""

from functools import partial

import hypothesis.strategies as st
import pytest
import torch
from block_cases import made_block
from drawn import normal
from hypothesis import given
from torch import nn
from torch.testing import assert_close

from transformer_lib.transformer.block import (
    BlockOptions,
    FeedForward,
    GatedFeedForward,
    LayerNorm,
    RMSNorm,
)
from transformer_lib.transformer.masks import Mask


def block(*args, seed=1, **options):
    """A block in float64 whose biases and gains are not the trivial ones."""
    generator = torch.Generator().manual_seed(seed)
    module = made_block(*args, generator=generator, **options).double()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() < 2:
                parameter += 0.3 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
    return module.eval()


def value_and_gradient(function, x):
    x = x.clone().requires_grad_()
    output = function(x)
    output.backward(normal(*output.shape, seed=99))
    return output.detach(), x.grad


@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_layer_norm_is_torchs_forward_and_backward(eps):
    ours, theirs = LayerNorm(6, eps=eps).double(), nn.LayerNorm(6, eps=eps).double()
    with torch.no_grad():
        ours.gain.copy_(normal(6, seed=1))
        ours.bias.copy_(normal(6, seed=2))
    theirs.load_state_dict({"weight": ours.gain, "bias": ours.bias})
    x = normal(2, 3, 6)
    for a, b in zip(value_and_gradient(ours, x), value_and_gradient(theirs, x)):
        assert_close(a, b)
    assert_close(ours.gain.grad, theirs.weight.grad)
    assert_close(ours.bias.grad, theirs.bias.grad)


def test_by_default_layer_norm_is_torchs_also_where_features_hardly_differ():
    """There the constant decides: with 1e-6 or 1e-4 in its place, outputs are twice as large or a third."""
    x = 1.0 + normal(4, 6) * torch.tensor([[0.0], [1e-5], [1e-3], [1e-2]], dtype=torch.float64)
    for module in (LayerNorm(6).double(), made_block(6, 2).double().attention_norm):
        assert_close(module(x), nn.LayerNorm(6, dtype=torch.float64)(x))
        scales = module(x).std(1, correction=0)
        assert scales[1] < 0.1 and 0.1 < scales[2] < 0.5


@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_rms_norm_is_torchs_forward_and_backward(eps):
    ours, theirs = RMSNorm(6, eps=eps).double(), nn.RMSNorm(6, eps=eps).double()
    with torch.no_grad():
        ours.gain.copy_(normal(6, seed=1))
    theirs.load_state_dict({"weight": ours.gain})
    x = normal(2, 3, 6)
    expected = ours.gain * x / (x.square().mean(-1, keepdim=True) + eps).sqrt()
    assert_close(ours(x), expected)
    for a, b in zip(value_and_gradient(ours, x), value_and_gradient(theirs, x)):
        assert_close(a, b)
    assert_close(ours.gain.grad, theirs.weight.grad)


def test_without_epsilon_rms_norm_is_the_layer_norm_of_features_of_mean_zero():
    x = normal(4, 6)
    centered = x - x.mean(-1, keepdim=True)
    rms = RMSNorm(6, eps=0.0).double()
    assert_close(rms(centered), LayerNorm(6, eps=0.0).double()(x))
    assert not torch.allclose(rms(x), rms(centered), atol=1e-3)


def test_a_block_of_rms_norms_has_no_layer_norm_and_refuses_its_options():
    module = block(8, 2, norm_kind="rms", macaron=True, cross_attention=True)
    norms = [layer for layer in module.modules() if isinstance(layer, LayerNorm | RMSNorm)]
    assert [type(layer) for layer in norms] == [RMSNorm] * 4
    for unfit in ({"scalar_norm": True}, {"eps_on": "deviation"}):
        with pytest.raises(ValueError, match="an RMSNorm has a gain for each feature"):
            made_block(8, 2, norm_kind="rms", **unfit)
    with pytest.raises(ValueError, match="norm_kind 'root' is not one of 'layer', 'rms'"):
        BlockOptions(norm_kind="root")


def test_a_scalar_layer_norm_is_the_vector_one_with_equal_entries():
    scalar, vector = LayerNorm(6, scalar=True).double(), LayerNorm(6).double()
    with torch.no_grad():
        for module in (scalar, vector):
            module.gain.fill_(1.7)
            module.bias.fill_(-0.4)
    x = normal(2, 3, 6)
    for a, b in zip(value_and_gradient(scalar, x), value_and_gradient(vector, x)):
        assert_close(a, b)
    assert_close(scalar.gain.grad, vector.gain.grad.sum())
    assert_close(scalar.bias.grad, vector.bias.grad.sum())
    assert sum(p.numel() for p in scalar.parameters()) == 2


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(1e-3, 1e3), st.integers(0, 100))
def test_without_epsilon_every_position_gets_mean_beta_and_deviation_gamma_whatever_its_size(
    gamma, beta, size, seed
):
    norm = LayerNorm(5, eps=0.0, scalar=True).double()
    with torch.no_grad():
        norm.gain.fill_(gamma)
        norm.bias.fill_(beta)
        z = norm(size * normal(4, 5, seed=seed) + 10.0)
    assert_close(z.mean(-1), torch.full((4,), beta, dtype=torch.float64), rtol=1e-6, atol=1e-6)
    assert_close(
        z.std(-1, correction=0), torch.full((4,), abs(gamma), dtype=torch.float64), rtol=1e-6, atol=1e-6
    )


def test_feed_forward_treats_every_position_alike():
    network = FeedForward(4, 7, generator=torch.Generator().manual_seed(0)).double()
    x = normal(2, 3, 4)
    together = network(x)
    for b in range(2):
        for t in range(3):
            assert_close(network(x[b, t]), together[b, t])


@pytest.mark.parametrize(
    ("activation", "function"),
    [("relu", nn.ReLU()), ("gelu", nn.GELU()), ("gelu-tanh", nn.GELU(approximate="tanh"))],
)
def test_feed_forward_is_two_linear_maps_around_its_activation(activation, function):
    network = FeedForward(4, 7, activation=activation)
    theirs = nn.Sequential(nn.Linear(4, 7), function, nn.Linear(7, 4))
    weights = list(network.state_dict().values())
    theirs.load_state_dict(dict(zip(theirs.state_dict(), weights)))
    x = torch.randn(2, 4)
    assert_close(network(x), theirs(x))


@pytest.mark.parametrize("activation", ["silu", "gelu", "sigmoid"])
@pytest.mark.parametrize("bias", [False, True])
def test_a_gated_network_multiplies_two_layers(activation, bias):
    network = GatedFeedForward(4, 6, activation=activation, bias=bias)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_()
    x, function = torch.randn(2, 4), getattr(nn.functional, activation)
    assert_close(network(x), network.down(function(network.gate(x)) * network.up(x)))


@pytest.mark.parametrize("kind", [FeedForward, GatedFeedForward])
def test_in_training_inner_activations_and_outputs_are_dropped(kind):
    network, x = kind(4, 6, dropout=0.5, output_dropout=0.25), torch.randn(50, 4)
    inner = network.activation(network.up(x))
    if kind is GatedFeedForward:
        inner = network.activation(network.gate(x)) * network.up(x)
    torch.manual_seed(3)
    found = network(x)
    torch.manual_seed(3)
    dropped = nn.functional.dropout(inner, 0.5)
    assert_close(found, nn.functional.dropout(network.down(dropped), 0.25))
    assert_close(network.eval()(x), network.down(inner))


def test_a_gate_at_two_thirds_of_the_width_keeps_the_number_of_parameters():
    plain, gated = FeedForward(6, 24, bias=False), GatedFeedForward(6, 16, bias=False)
    sizes = [sum(parameter.numel() for parameter in network.parameters()) for network in (plain, gated)]
    assert sizes == [288, 288]


def as_torch_layer(ours, d_model, n_heads, d_ff, activation, norm):
    theirs = nn.TransformerEncoderLayer(
        d_model,
        n_heads,
        d_ff,
        0.0,
        activation,
        batch_first=True,
        norm_first=norm == "pre",
        dtype=torch.float64,
    )
    modules = {
        "self_attn.in_proj_": ours.attention.qkv,
        "self_attn.out_proj.": ours.attention.output,
        "linear1.": ours.feed_forward.up,
        "linear2.": ours.feed_forward.down,
        "norm1.": ours.attention_norm,
        "norm2.": ours.feed_forward_norm,
    }
    theirs.load_state_dict(
        {
            prefix + name.replace("gain", "weight"): tensor
            for prefix, module in modules.items()
            for name, tensor in module.state_dict().items()
        }
    )
    return theirs, {prefix + "weight": module for prefix, module in modules.items()}


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("causal", [False, True])
def test_values_and_gradients_are_those_of_torch_transformer_encoder_layer(norm, activation, causal):
    ours = block(12, 3, 20, norm=norm, activation=activation, bias=True)
    theirs, counterparts = as_torch_layer(ours, 12, 3, 20, activation, norm)
    hidden = ~torch.ones(5, 5, dtype=torch.bool).tril() if causal else None
    mask = Mask.causal() if causal else None
    x = normal(2, 5, 12)
    ours_results = value_and_gradient(lambda x: ours(x, mask), x)
    for a, b in zip(ours_results, value_and_gradient(lambda x: theirs(x, src_mask=hidden), x)):
        assert_close(a, b)
    theirs_gradients = {name: parameter.grad for name, parameter in theirs.named_parameters()}
    for name, module in counterparts.items():
        weight = module.gain if isinstance(module, LayerNorm) else module.weight
        assert_close(weight.grad, theirs_gradients[name])
        assert_close(module.bias.grad, theirs_gradients[name.removesuffix("weight") + "bias"])


@pytest.mark.slow
@given(st.permutations(range(6)), st.sampled_from(["post", "pre"]), st.booleans())
def test_permuting_the_inputs_permutes_the_outputs(order, norm, bias):
    module, x = block(8, 2, norm=norm, bias=bias), normal(2, 6, 8)
    assert_close(module(x[:, order]), module(x)[:, order])


def test_a_causal_block_is_not_equivariant():
    module, x, reverse = block(8, 2), normal(2, 6, 8), [5, 4, 3, 2, 1, 0]
    assert not torch.allclose(module(x[:, reverse], Mask.causal()), module(x, Mask.causal())[:, reverse])


def test_the_default_inner_width_is_four_times_the_outer():
    assert block(8, 2).feed_forward.up.out_features == 32


@pytest.mark.parametrize(("bias", "scalar_norm"), [(False, True), (True, False)])
def test_the_parameters_are_those_of_the_equations(bias, scalar_norm):
    d, H, k, m = 10, 3, 4, 14
    module = made_block(d, H, m, d_head=k, bias=bias, scalar_norm=scalar_norm)
    expected = 3 * H * d * k + H * k * d + 2 * d * m
    expected += (3 * H * k + d + m + d) * bias + 4 * (1 if scalar_norm else d)
    assert sum(parameter.numel() for parameter in module.parameters()) == expected


def test_dropout_acts_in_its_four_places_and_only_in_training():
    module = block(8, 2, dropout=0.4)
    x = normal(2, 6, 8)
    assert torch.equal(module(x), module(x))
    module.train()
    attention, network = module.attention, module.feed_forward
    assert attention.dropout == attention.output_dropout == network.dropout.p == network.output_dropout == 0.4
    for only in range(4):
        rates = [0.4 * (place == only) for place in range(4)]
        attention.dropout, attention.output_dropout, network.dropout.p, network.output_dropout = rates
        assert not torch.equal(module(x), module(x)), only


def test_branches_dropped_whole_leave_the_residual_line():
    x = normal(2, 6, 8)
    pre, post = (block(8, 2, norm=norm, dropout=0.5).train() for norm in ("pre", "post"))
    for module in (pre, post):
        module.attention.output_dropout = module.feed_forward.output_dropout = 1.0
    assert torch.equal(pre(x), x)
    assert torch.equal(post(x), post.feed_forward_norm(post.attention_norm(x)))


def test_inner_dropout_acts_on_activations():
    network, x = FeedForward(4, 7, dropout=0.5, activation="gelu"), normal(3, 4, dtype=torch.float32)
    torch.manual_seed(0)
    output = network(x)
    torch.manual_seed(0)
    assert torch.equal(output, network.down(network.dropout(nn.functional.gelu(network.up(x)))))


@pytest.mark.parametrize("rate", [1.0, -0.1, float("nan")])
def test_a_dropout_that_leaves_nothing_or_is_no_probability_is_refused(rate):
    for make in (partial(FeedForward, 4, 8), BlockOptions):
        with pytest.raises(ValueError, match="dropout must be a number with 0 <= dropout < 1"):
            make(dropout=rate)


def test_unknown_choices_are_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="activation 'swish' is not one of 'sigmoid', 'tanh', 'relu'"):
        FeedForward(4, 8, activation="swish")
