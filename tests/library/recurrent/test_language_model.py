"""Recurrent models equal PyTorch's own cells, carry their state, and show what their gates do."""

import json
import math
import runpy

import pytest
import torch
from density_cases import randomize
from drawn import exactly as assert_close
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from transformer_lib.recurrent import language_model
from transformer_lib.recurrent.cells import linear_recurrence, memory_weights
from transformer_lib.recurrent.language_model import LSTM, RNN, AblatedLSTM, RecurrentConfig, detach_state

CLASSES = {"rnn": RNN, "lstm": LSTM, "ablated": AblatedLSTM}
every_class = pytest.mark.parametrize("kind", CLASSES.values(), ids=CLASSES)
every_activation = pytest.mark.parametrize("activation", ["tanh", "sigmoid", "gelu"])


def build(kind, *, seed=0, scale=1.0, vocab_size=3, d_model=4, **values):
    """A model in float64 with all parameters normal, the initial state included."""
    values = {"n_layers": 2, "learned_initial_state": True} | values
    return randomize(kind(RecurrentConfig(vocab_size, d_model, **values)), seed, scale).double()


def tokens_of(model, batch, time, seed=0):
    return torch.randint(model.vocab_size, (batch, time), generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("kind, kernel_class", [(RNN, nn.RNN), (LSTM, nn.LSTM)])
@pytest.mark.parametrize("bias", [True, False])
def test_states_and_gradients_are_those_of_pytorch_s_own_network(kind, kernel_class, bias):
    model = build(kind, bias=bias, learned_initial_state=False)
    peer = kernel_class(4, 4, num_layers=2, bias=bias, batch_first=True).double()
    peer.load_state_dict(
        {
            name.replace("_l0", f"_l{number}"): parameter
            for number, layer in enumerate(model.stack.layers)
            for name, parameter in layer.kernel.named_parameters()
        }
    )
    x = tokens_of(model, 3, 6)
    ours, _ = model.stack(model.token_embedding(x), model.init_state(3))
    expected, _ = peer(model.token_embedding(x))
    assert_close(ours, expected)

    weights = torch.randn(3, 6, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    (weights * ours).sum().backward()
    embedding_gradient = model.token_embedding.weight.grad.clone()
    model.token_embedding.weight.grad = None
    (weights * expected).sum().backward()
    assert_close(embedding_gradient, model.token_embedding.weight.grad)
    for number, layer in enumerate(model.stack.layers):
        for name, parameter in layer.kernel.named_parameters():
            assert_close(parameter.grad, getattr(peer, name.replace("_l0", f"_l{number}")).grad)


@pytest.mark.parametrize("kind, cell_class", [(RNN, nn.RNNCell), (LSTM, nn.LSTMCell)])
@pytest.mark.parametrize("bias", [True, False])
def test_a_step_is_one_of_pytorch_s_own_cell(kind, cell_class, bias):
    model = build(kind, n_layers=1, bias=bias)
    cell = cell_class(4, 4, bias=bias).double()
    kernel = model.stack.layers[0].kernel
    cell.load_state_dict({name.removesuffix("_l0"): value for name, value in kernel.state_dict().items()})
    token, state = torch.tensor([0, 2, 1]), model.init_state(3)
    for _ in range(3):
        x = model.token_embedding(token)
        expected = cell(x, state[0] if kind is LSTM else state[0][0])
        _, state = model.step(token, state)
        for part, value in zip(state[0], expected if kind is LSTM else (expected,), strict=True):
            assert_close(part, value)


@pytest.mark.slow
@every_class
@every_activation
@settings(max_examples=10)
@given(st.integers(1, 3), st.integers(1, 9), st.integers(0, 9), st.integers(0, 99))
def test_steps_pieces_and_the_whole_give_the_same_logits(kind, activation, batch, time, cut, seed):
    model = build(kind, seed=seed, cell_activation=activation)
    x, cut = tokens_of(model, batch, time, seed), min(cut, time)
    whole, last = model.logits_and_state(x)
    assert_close(model.logits(x), whole)

    state = model.init_state(batch)
    for t in range(time):
        logits, state = model.step(x[:, t], state)
        assert_close(logits, whole[:, t])
    first, middle = model.logits_and_state(x[:, :cut])
    second, end = model.logits_and_state(x[:, cut:], middle)
    assert_close(torch.cat([first, second], dim=1), whole)
    read, read_state = model.read(x, model.init_state(batch))
    assert_close(read, whole[:, -1])
    for other in (state, end, read_state):
        for layer, expected in zip(other, last, strict=True):
            for part, expected_part in zip(layer, expected, strict=True):
                assert_close(part, expected_part)


@every_class
def test_the_gradient_flows_through_a_carried_state_until_it_is_detached(kind):
    model = build(kind)
    x = tokens_of(model, 2, 6)

    def gradient(first, carry):
        model.zero_grad()
        _, state = model.logits_and_state(x[:, :first])
        model.logits_and_state(x[:, first:], carry(state))[0].pow(2).sum().backward()
        return model.stack.initial.grad

    whole = model.logits(x)[:, 3:].pow(2).sum()
    expected = torch.autograd.grad(whole, model.stack.initial)[0]
    assert_close(gradient(3, lambda state: state), expected)
    assert gradient(3, detach_state) is None


@pytest.mark.parametrize("kind", [LSTM, AblatedLSTM])
def test_a_trace_without_tokens_is_empty(kind):
    trace = build(kind).trace(torch.zeros(2, 0, dtype=torch.long))
    assert all(part.shape == (2, 0, 4) for part in trace)
    assert memory_weights(trace.input_gate, trace.forget_gate).shape == (2, 0, 0, 4)


@pytest.mark.parametrize("kind", [LSTM, AblatedLSTM])
@pytest.mark.parametrize("layer", [0, 1, -1])
def test_the_trace_of_a_layer_explains_the_state_that_the_model_carries(kind, layer):
    model = build(kind)
    x = tokens_of(model, 2, 5)
    trace = model.trace(x, layer)
    _, state = model.logits_and_state(x)
    assert_close(trace.cell[:, -1], state[layer][-1])
    if layer != 0:
        hidden, _ = model.stack(model.token_embedding(x), model.init_state(2))
        assert_close(trace.hidden, hidden)
    continued = model.trace(x, layer, state)
    assert not torch.allclose(continued.cell, trace.cell)


@settings(max_examples=30)
@given(st.integers(0, 40), st.integers(0, 99), st.sampled_from([0.0, 1e-300, 1e-8, 0.5, 1.0]))
def test_the_linear_recurrence_is_its_loop_also_where_factors_vanish(time, seed, size):
    generator = torch.Generator().manual_seed(seed)
    factor, term = torch.rand(2, 2, time, 3, dtype=torch.float64, generator=generator)
    factor = torch.where(factor < 0.5, size * factor, factor)
    c = initial = torch.rand(2, 3, dtype=torch.float64, generator=generator)
    expected = []
    for t in range(time):
        c = factor[:, t] * c + term[:, t]
        expected.append(c)
    expected = torch.stack(expected, dim=1) if expected else term
    assert_close(linear_recurrence(factor, term, initial), expected)


def test_the_linear_recurrence_stays_exact_in_float32_over_long_times():
    generator = torch.Generator().manual_seed(0)
    factor, term = torch.rand(2, 1, 3000, 2, generator=generator)
    initial = torch.zeros(1, 2)
    in_double = linear_recurrence(factor.double(), term.double(), initial.double())
    torch.testing.assert_close(
        linear_recurrence(factor, term, initial).double(), in_double, rtol=1e-5, atol=1e-6
    )


@every_class
def test_dropout_acts_in_training_only_and_never_on_the_state(kind):
    model = build(kind, dropout=0.5)
    x = tokens_of(model, 2, 5)
    assert not torch.equal(model.logits(x), model.logits(x))
    model.eval()
    assert torch.equal(model.logits(x), model.logits(x))
    assert_close(model.logits(x), build(kind, dropout=0.0).logits(x))


@every_class
@every_activation
@pytest.mark.parametrize("tied", [True, False])
def test_every_parameter_gets_a_finite_gradient_at_its_initial_values(kind, activation, tied):
    model = kind(
        RecurrentConfig(5, 6, 2, cell_activation=activation, tie_embeddings=tied, learned_initial_state=True)
    )
    model.log_prob(tokens_of(model, 4, 6)).sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.isfinite().all() and parameter.grad.any(), name


@every_class
def test_a_generator_alone_fixes_the_initial_weights(kind):
    config = RecurrentConfig(5, 6, 2, tie_embeddings=False)

    def weights(seed):
        before = torch.get_rng_state()
        model = kind(config, generator=torch.Generator().manual_seed(seed))
        assert torch.equal(before, torch.get_rng_state())
        return nn.utils.parameters_to_vector(model.parameters())

    assert torch.equal(weights(0), weights(0))
    assert not torch.equal(weights(0), weights(1))


def test_forget_gates_start_nearly_open_and_all_other_biases_at_zero():
    kernel = LSTM(RecurrentConfig(5, 3)).stack.layers[0].kernel
    assert kernel.bias_ih_l0.tolist() == [0] * 3 + [1] * 3 + [0] * 6
    assert not kernel.bias_hh_l0.any()
    assert AblatedLSTM(RecurrentConfig(5, 3)).stack.layers[0].gates.bias.tolist() == [0] * 6 + [1] * 3


@pytest.mark.parametrize("kind", CLASSES.values())
@pytest.mark.parametrize("tied", [True, False])
def test_parameters_are_counted_and_named_as_the_equations_have_them(kind, tied):
    d, v = 4, 3
    model = kind(RecurrentConfig(v, d, bias=False, tie_embeddings=tied))
    matrices = {RNN: 2, LSTM: 8, AblatedLSTM: 3}[kind]
    assert model.n_parameters() == matrices * d * d + v * d * (1 if tied else 2)
    assert len({value.data_ptr() for value in model.state_dict().values()}) == len(model.state_dict())


def test_a_configuration_survives_json():
    config = RecurrentConfig(7, 6, 2, 0.1, "sigmoid", False, True, False, 3)
    assert RecurrentConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"vocab_size": 0}, "vocab_size must be a positive whole number, got 0"),
        ({"d_model": 2.0}, "d_model must be a positive whole number, got 2.0"),
        ({"n_layers": True}, "n_layers must be a positive whole number, got True"),
        ({"dropout": 1}, "dropout must be a number with 0 <= dropout < 1, got 1"),
        ({"dropout": math.nan}, "dropout must be a number"),
        ({"dropout": "0.1"}, "dropout must be a number"),
        ({"cell_activation": "swish"}, "cell_activation 'swish' is not one of 'sigmoid', 'tanh', 'relu'"),
        ({"bias": 1}, "bias must be True or False, got 1"),
        ({"start_token": 5}, "start_token must be a token, a whole number from 0 to 4, got 5"),
        ({"width": 5}, "no setting 'width'; known: vocab_size, d_model"),
    ],
)
def test_a_wrong_configuration_says_what_would_be_right(values, message):
    # The tests' own type checks would speak before the configuration does, hence a copy without them.
    plain = runpy.run_path(language_model.__file__)["RecurrentConfig"]
    with pytest.raises(ValueError, match=message):
        plain.from_dict({"vocab_size": 5} | values)


def test_a_configuration_without_a_vocabulary_says_so():
    with pytest.raises(ValueError, match="the configuration lacks vocab_size"):
        RecurrentConfig.from_dict({})


@pytest.mark.slow
@every_class
def test_a_short_training_learns_to_repeat_the_last_token_but_one(kind):
    """Only the first two of 16 tokens are free."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randint(4, (64, 2), generator=generator).repeat(1, 8)
    model = kind(RecurrentConfig(4, 32), generator=generator)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(150):
        optimizer.zero_grad()
        loss = -model.log_prob(x).mean()
        loss.backward()
        optimizer.step()
    assert 2 * math.log(4) - 0.2 < loss.item() < 2 * math.log(4) + 1
