"""What is counted and how it is measured: work, serial chains, and runs that take turns."""

import pytest
import torch

from transformer_lib.experiments.chapter_04 import serial_cost


def test_the_models_of_a_size_have_equally_many_parameters_within_4_percent():
    for size in serial_cost.SIZES:
        counts = [serial_cost.build(name, size).n_parameters() for name in serial_cost.MODELS]
        assert max(counts) / min(counts) < 1.04


@pytest.mark.parametrize("name", serial_cost.MODELS)
def test_the_unrolled_model_is_the_model(name):
    model, tokens = serial_cost.build(name), serial_cost.draw(2, 7)
    torch.testing.assert_close(serial_cost.unrolled(model, tokens), model.logits(tokens)[:, -1])


def test_the_longest_chain_of_products_is_found_through_a_branching_graph():
    weight = torch.eye(3, requires_grad=True)
    x = torch.ones(1, 3)
    long, short = x, x @ weight
    for _ in range(5):
        long = torch.tanh(long @ weight)
    assert serial_cost.serial_products((long + short).sum()) == 5
    assert serial_cost.serial_products((2 * weight).sum()) == 0


@pytest.mark.parametrize("time", [1, 5])
def test_a_recurrent_chain_grows_with_the_text_and_a_transformer_s_does_not(time):
    chains = [
        serial_cost.serial_products(
            serial_cost.unrolled(serial_cost.build(name), serial_cost.draw(1, time)).sum()
        )
        for name in serial_cost.MODELS
    ]
    assert chains == [time + 1, time + 1, 13]


def test_multiplications_are_those_of_the_matrices_and_of_every_pair():
    vocabulary, time = serial_cost.VOCAB_SIZE, 6
    per_token = {"RNN": 2 * 140**2, "LSTM": 8 * 78**2, "Transformer": 2 * (12 * 48**2 + 2 * time * 48)}
    width = {"RNN": 140, "LSTM": 78, "Transformer": 48}
    for name in serial_cost.MODELS:
        found = serial_cost.multiplications(serial_cost.build(name), time)
        assert found == time * (per_token[name] + vocabulary * width[name])
    one_more = serial_cost.multiplications(serial_cost.build("Transformer"), time, sampling=True)
    assert one_more == 2 * (12 * 48**2 + 2 * (time + 1) * 48) + vocabulary * 48


def test_a_measurement_has_a_time_for_each_model_length_and_kind(monkeypatch):

    def once(runs, repeats, seed):
        for prepare in runs.values():
            prepare()()
        return dict.fromkeys(runs, 1e-6)

    monkeypatch.setattr(serial_cost, "take_turns", once)
    found = serial_cost.measure(0, size="small", threads=1, lengths=(2, 4), repeats=1)
    for kind, tokens in {"batches": 4, "single": None, "sampling": serial_cost.SAMPLED}.items():
        assert set(found[kind]) == {"2", "4"}
        for length, row in found[kind].items():
            names = serial_cost.MODELS if kind == "sampling" else (*serial_cost.MODELS, serial_cost.LOOPED)
            assert row == dict.fromkeys(names, round(1 / (tokens or int(length)), 3))
    assert set(found["parameters"]) == set(serial_cost.MODELS)


def test_only_the_looped_lstm_does_without_onednn_and_it_computes_the_same(monkeypatch):
    enabled, logits, model = [], [], serial_cost.build("LSTM")
    read = model.logits

    def spy(tokens):
        enabled.append(torch.backends.mkldnn.enabled)
        logits.append(read(tokens))
        return logits[-1]

    monkeypatch.setattr(model, "logits", spy)
    for onednn in (True, False):
        serial_cost.training(model, 2, 5, onednn=onednn)()()
    assert enabled == [True, False] and torch.backends.mkldnn.enabled
    torch.testing.assert_close(*logits)
