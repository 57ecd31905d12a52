"""Recurrent encoder-decoders: distributions given a source, blind to padding, and better with attention."""

import json
import runpy

import numpy as np
import pytest
import torch
from density_cases import assert_causal, randomize
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from transformer_lib.checks import check_lengths
from transformer_lib.decoding.sampling import generate
from transformer_lib.equations import garcia
from transformer_lib.padding import shift_right
from transformer_lib.recurrent import seq2seq
from transformer_lib.recurrent.seq2seq import RecurrentEncoder, Seq2Seq, Seq2SeqConfig

FORMS = {
    "bottleneck": {"attention": None},
    "rnn": {"attention": None, "cell": "rnn"},
    "dot": {"attention": "dot"},
    "additive rnn": {"attention": "additive", "cell": "rnn", "bidirectional": True},
    "both ways": {"attention": "general", "bidirectional": True, "n_layers": 2, "tie_embeddings": True},
    "hard": {"attention": "scaled-dot", "weighting": "hard"},
    "local-m": {"attention": "scaled-dot", "weighting": "local-m", "window": 1},
    "local-p": {"attention": "general", "weighting": "local-p", "window": 2},
}
every_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def build(form, *, seed=0, vocab_size=3, d_model=4, scale=1.0, **values):
    return randomize(Seq2Seq(Seq2SeqConfig(5, vocab_size, d_model, **(form | values))), seed, scale).double()


def tokens(vocab_size, batch, time, seed=0):
    return torch.randint(vocab_size, (batch, time), generator=torch.Generator().manual_seed(seed))


def assert_close(ours, expected):
    torch.testing.assert_close(ours, torch.as_tensor(expected), rtol=0, atol=1e-10)


@pytest.mark.proves("G1")
@pytest.mark.parametrize("form", [FORMS["bottleneck"], FORMS["rnn"]], ids=["lstm", "rnn"])
def test_without_attention_a_word_s_distribution_is_garcia_s_of_the_decoder_s_state(form):
    model, source, inputs = build(form), tokens(5, 1, 4), tokens(3, 1, 3)
    conditioned = model.condition(source)
    q, _ = conditioned.queries(inputs, conditioned.init_state(1))
    W, b = model.head.weight.detach().numpy(), model.head_bias.detach().numpy()
    probabilities = conditioned.logits(inputs)[0].softmax(dim=-1)
    for q_i, p_i in zip(q[0].detach().numpy(), probabilities):
        assert_close(p_i, garcia.output_distribution(q_i, lambda q: W @ q + b))


@pytest.mark.parametrize("cell, kernel", [("lstm", nn.LSTM), ("rnn", nn.RNN)])
def test_the_decoder_starts_where_the_encoder_ends(cell, kernel):
    model, source = build({"cell": cell, "attention": None, "n_layers": 2}), tokens(5, 2, 6)
    peer = kernel(4, 4, num_layers=2, batch_first=True).double()
    peer.load_state_dict(model.encoder.kernel.state_dict())
    states, last = peer(model.encoder.token_embedding(source))
    assert_close(model.encoder(source)[0], states)
    first = model.condition(source).init_state(2)[0]
    for number in range(2):
        for part, expected in zip(first[number], last if cell == "lstm" else (last,), strict=True):
            assert_close(part, expected[number])


@pytest.mark.proves("G1", "G2", "G3", "G4")
def test_attention_is_garcia_s_between_the_decoder_s_states_and_the_encoder_s():
    model, source, inputs = build(FORMS["dot"]), tokens(5, 1, 4), tokens(3, 1, 3)
    h, conditioned = model.encoder(source)[0][0].detach().numpy(), model.condition(source)
    q = conditioned.queries(inputs, conditioned.init_state(1))[0][0].detach().numpy()
    alpha = garcia.alignment_scores(h, q)
    assert_close(model.alignments(source, inputs)[0].T, alpha)
    W, b = model.join.weight.detach().numpy(), model.join.bias.detach().numpy()
    W_o, b_o = model.head.weight.detach().numpy(), model.head_bias.detach().numpy()
    probabilities = conditioned.logits(inputs)[0].softmax(dim=-1)
    for A_j, q_j, p_j in zip(garcia.attention_vectors(h, alpha), q, probabilities):
        joined = np.tanh(W @ np.concatenate([A_j, q_j]) + b)
        assert_close(p_j, garcia.output_distribution(joined, lambda q: W_o @ q + b_o))


def test_a_monotonic_window_stands_at_the_place_of_the_target_token_also_where_reading_goes_on():
    model, source, inputs = build(FORMS["local-m"]), tokens(5, 2, 6), tokens(3, 2, 4)
    beyond = (torch.arange(6) - torch.arange(4)[:, None]).abs() > 1
    assert ((model.alignments(source, inputs) == 0) == beyond).all()
    conditioned = model.condition(source)
    _, state = conditioned.queries(inputs[:, :2], conditioned.init_state(2))
    query, (_, memory) = conditioned.queries(inputs[:, 2:], state)
    assert ((model.attend(query, memory)[1] == 0) == beyond[2:]).all()


@every_form
def test_a_later_target_token_cannot_change_an_earlier_conditional_but_the_source_changes_all(form):
    model, y = build(form, scale=1.5), tokens(3, 1, 5)
    source = tokens(5, 1, 4)
    assert_causal(model.condition(source), y)
    other = model.condition((source + 1) % 5).conditional_log_probs(y)
    assert ((model.condition(source).conditional_log_probs(y) - other).abs() > 1e-9).all()


@pytest.mark.slow
@every_form
@settings(max_examples=10)
@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=4),
    st.integers(0, 3),
    st.integers(1, 5),
    st.sampled_from([0, 4, -1, 99]),
    st.integers(0, 99),
)
def test_padding_of_the_source_changes_nothing_whatever_its_value(form, lengths, extra, time, padding, seed):
    model, batch = build(form, seed=seed), len(lengths)
    source, inputs = tokens(5, batch, max(lengths) + extra, seed), tokens(3, batch, time, seed)
    inside = torch.arange(source.shape[1]) < torch.tensor(lengths)[:, None]
    source = source.masked_fill(~inside, padding)
    logits = model(source, inputs, torch.tensor(lengths))
    assert logits.isfinite().all()
    for row, length in enumerate(lengths):
        assert_close(logits[row], model(source[row : row + 1, :length], inputs[row : row + 1])[0])
    if model.alignment is not None:
        weights = model.alignments(source, inputs, torch.tensor(lengths))
        assert not weights.masked_select(~inside[:, None]).any()


@every_form
def test_gradients_are_finite_and_reach_every_parameter_also_beside_an_empty_source(form):
    model = Seq2Seq(Seq2SeqConfig(5, 3, 4, **form), generator=torch.Generator().manual_seed(0))
    y = tokens(3, 3, 5)
    model.condition(tokens(5, 3, 4), torch.tensor([4, 0, 2])).log_prob(y).sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad.isfinite().all() and parameter.grad.any(), name


@every_form
@settings(max_examples=5)
@given(st.integers(1, 3), st.integers(1, 7), st.integers(1, 6), st.integers(0, 99))
def test_steps_and_reading_at_once_give_the_same_logits(form, batch, time, cut, seed):
    model, x = build(form, seed=seed), tokens(3, batch, time, seed)
    conditioned = model.condition(tokens(5, batch, 4, seed), torch.randint(0, 5, (batch,)))
    whole, state = conditioned.logits(x), conditioned.init_state(batch)
    for t in range(time):
        logits, state = conditioned.step(x[:, t], state)
        assert_close(logits, whole[:, t])
    state = conditioned.init_state(batch)
    for piece in (x[:, :cut], x[:, cut:]):
        if piece.shape[1]:
            logits, state = conditioned.read(piece, state)
    assert_close(logits, whole[:, -1])


@every_form
def test_a_re_ordered_state_takes_its_source_along(form):
    model, source, x = build(form), tokens(5, 3, 4), tokens(3, 3, 4)
    lengths, rows = torch.tensor([4, 1, 3]), torch.tensor([2, 0, 0, 1, 2])
    conditioned = model.condition(source, lengths)
    _, state = conditioned.read(x[:, :2], conditioned.init_state(3))
    state = conditioned.select_state(state, rows)
    expected = model(source[rows], x[rows], lengths[rows])
    for t in (2, 3):
        logits, state = conditioned.step(x[rows, t], state)
        assert_close(logits, expected[:, t])


@every_form
def test_greedy_decoding_is_what_the_model_thinks_most_probable_at_each_step(form):
    model, source = build(form), tokens(5, 2, 4)
    conditioned = model.condition(source)
    y = generate(conditioned, torch.zeros(2, 0, dtype=torch.long), 5, temperature=0.0)
    inputs = torch.cat([torch.zeros(2, 1, dtype=torch.long), y[:, :-1]], dim=1)
    assert torch.equal(model(source, inputs).argmax(dim=-1), y)


@every_form
def test_empty_sources_targets_and_batches_are_allowed(form):
    model, none = build(form), torch.zeros(0, dtype=torch.long)
    assert model(none.reshape(2, 0), tokens(3, 2, 3)).isfinite().all()
    assert model(none.reshape(2, 0), tokens(3, 2, 3), torch.tensor([0, 0])).shape == (2, 3, 3)
    assert model(tokens(5, 2, 3), none.reshape(2, 0)).shape == (2, 0, 3)
    assert model(none.reshape(0, 3), none.reshape(0, 2)).shape == (0, 2, 3)
    assert model.condition(none.reshape(0, 3), none).sample(0, 2).shape == (0, 2)


@every_form
def test_an_empty_source_beside_others_has_states_of_zeros_and_leaves_the_decoder_at_zero(form):
    encoder = build(form).encoder
    states, last = encoder(tokens(5, 3, 4), torch.tensor([4, 0, 2]))
    assert [row.abs().sum(dim=-1).bool().tolist() for row in states] == [
        [True] * 4,
        [False] * 4,
        [True, True, False, False],
    ]
    for layer in last:
        for part in layer:
            assert [row.any().item() for row in part] == [True, False, True]


def test_a_state_of_one_direction_has_read_the_past_and_of_two_everything():
    x = tokens(5, 1, 6)
    for bidirectional in (False, True):
        encoder = randomize(RecurrentEncoder(5, 4, bidirectional=bidirectional)).double()
        states, _ = encoder(x)
        for t in range(6):
            changed = x.clone()
            changed[0, t] = (x[0, t] + 1) % 5
            moved = (encoder(changed)[0] - states)[0].abs().amax(dim=-1) > 1e-9
            assert moved.tolist() == [bidirectional or s >= t for s in range(6)]


@pytest.mark.parametrize("cell", ["lstm", "rnn"])
@pytest.mark.parametrize("lengths", [None, [6, 3, 1]])
def test_both_directions_hand_on_the_state_after_their_own_last_token_forward_first(cell, lengths):
    """The first half has read up to the last token, the second back to the first; in each layer."""
    x = tokens(5, 3, 6)
    places = torch.full((3,), 5) if lengths is None else torch.tensor(lengths) - 1
    given_lengths = None if lengths is None else torch.tensor(lengths)
    encoder = randomize(RecurrentEncoder(5, 4, n_layers=2, cell=cell, bidirectional=True)).double()
    states, last = encoder(x, given_lengths)
    assert_close(last[-1][0], torch.cat([states[torch.arange(3), places, :2], states[:, 0, 2:]], dim=1))

    peer = {"lstm": nn.LSTM, "rnn": nn.RNN}[cell](4, 2, 2, batch_first=True, bidirectional=True).double()
    peer.load_state_dict(encoder.kernel.state_dict())
    for row, place in enumerate(places.tolist()):
        _, final = peer(encoder.token_embedding(x[row : row + 1, : place + 1]))
        for part, of_peer in zip(zip(*last), final if cell == "lstm" else (final,), strict=True):
            for number in range(2):
                expected = torch.cat([of_peer[2 * number, 0], of_peer[2 * number + 1, 0]])
                assert_close(part[number][row], expected)


def test_dropout_acts_in_training_only():
    model = build(FORMS["both ways"], dropout=0.5)
    source, inputs = tokens(5, 2, 4), tokens(3, 2, 3)
    assert not torch.equal(model(source, inputs), model(source, inputs))
    model.eval()
    assert torch.equal(model(source, inputs), model(source, inputs))
    assert not model.condition(source).training


@every_form
def test_a_generator_alone_fixes_the_initial_weights(form):
    def weights(seed):
        before = torch.get_rng_state()
        model = Seq2Seq(Seq2SeqConfig(5, 3, 4, **form), generator=torch.Generator().manual_seed(seed))
        assert torch.equal(before, torch.get_rng_state())
        return nn.utils.parameters_to_vector(model.parameters())

    assert torch.equal(weights(0), weights(0))
    assert not torch.equal(weights(0), weights(1))


@every_form
def test_a_configuration_survives_json_and_rebuilds_its_model(form):
    model = build(form)
    config = Seq2SeqConfig.from_dict(json.loads(json.dumps(model.config.to_dict())))
    assert config == model.config
    copy = Seq2Seq(config).double()
    copy.load_state_dict(model.state_dict())
    assert torch.equal(copy(tokens(5, 2, 4), tokens(3, 2, 3)), model(tokens(5, 2, 4), tokens(3, 2, 3)))
    assert copy.n_parameters() == sum(value.numel() for value in model.state_dict().values())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"source_vocab_size": 0}, "source_vocab_size must be a positive whole number, got 0"),
        ({"cell": "gru"}, "cell 'gru' is not one of 'lstm', 'rnn'"),
        ({"bidirectional": True, "d_model": 5}, "d_model, which must be even then; got 5"),
        ({"attention": "cosine"}, "scoring 'cosine' is not one of"),
        ({"weighting": "local-m"}, "must be a positive whole number, got None"),
        ({"attention": None, "weighting": "hard"}, "leave them out, or choose an attention"),
        ({"start_token": 3}, "start_token must be a token, a whole number from 0 to 2, got 3"),
    ],
)
def test_a_wrong_configuration_says_what_would_be_right(values, message):
    plain = runpy.run_path(seq2seq.__file__)["Seq2SeqConfig"]
    with pytest.raises(ValueError, match=message):
        plain.from_dict({"source_vocab_size": 5, "vocab_size": 3} | values)


@pytest.mark.parametrize(
    ("source", "lengths", "message"),
    [
        ([[0, 5]], None, "token 5 at batch 0, time 1 is outside the vocabulary 0..4"),
        ([[0, 1]], [3], r"source_lengths must be 1 whole numbers from 0 to 2; got \[3\]"),
        ([[0, 1]], [-1], r"source_lengths must be 1 whole numbers from 0 to 2; got \[-1\]"),
    ],
)
def test_a_wrong_source_is_refused(source, lengths, message):
    lengths = None if lengths is None else torch.tensor(lengths)
    with pytest.raises(ValueError, match=message):
        build(FORMS["dot"]).condition(torch.tensor(source), lengths)


def test_lengths_of_another_batch_are_refused():
    # The tests' own type checks would speak before the encoder does.
    with pytest.raises(ValueError, match="source_lengths must be 1 whole numbers"):
        check_lengths("source_lengths", torch.tensor([1, 1]), torch.zeros(1, 2, dtype=torch.long))


def test_targets_are_one_a_source_and_alignments_need_attention():
    model = build(FORMS["bottleneck"])
    with pytest.raises(ValueError, match="conditioned on 2 sources, which take one target each; got 3"):
        model.condition(tokens(5, 2, 4)).sample(3, 2)
    with pytest.raises(ValueError, match="a model without attention has no alignments"):
        model.alignments(tokens(5, 2, 4), tokens(3, 2, 3))


@pytest.mark.slow
def test_attention_learns_to_copy_and_looks_at_what_it_copies_while_the_bottleneck_lags():
    """Eight letters, trained on 6,400 random words and tested on others."""

    def trained(attention):
        generator = torch.Generator().manual_seed(0)
        config = Seq2SeqConfig(8, 9, 48, attention=attention, start_token=8)
        model = Seq2Seq(config, generator=generator)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        for _ in range(200):
            x = torch.randint(8, (32, 8), generator=generator)
            optimizer.zero_grad()
            (-model.condition(x).log_prob(x).mean()).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        return model

    x = tokens(8, 100, 8, seed=1)

    def wrong(model):
        y = generate(model.condition(x), torch.zeros(100, 0, dtype=torch.long), 8, temperature=0.0)
        return (x != y).double().mean().item()

    attentive = trained("additive")
    assert wrong(attentive) < 0.1
    assert wrong(trained(None)) > 0.2
    looked = attentive.alignments(x, shift_right(x, 8)).argmax(dim=-1)
    assert (looked == torch.arange(8)).double().mean() > 0.9
