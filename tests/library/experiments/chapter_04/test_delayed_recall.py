"""Delayed recall: what the networks are given, where they start, and when training stops."""

import pytest
import torch
from torch import nn

from transformer_lib.experiments.chapter_04 import delayed_recall


def reader(network, seed=0):
    return delayed_recall.Reader(network, torch.Generator().manual_seed(seed))


def test_the_symbol_comes_first_and_noise_has_an_alphabet_of_its_own():
    tokens, symbol = delayed_recall.draw(5, 200, torch.Generator().manual_seed(0))
    assert tokens.shape == (200, 6) and torch.equal(tokens[:, 0], symbol)
    assert set(symbol.tolist()) == set(range(8)) and set(tokens[:, 1:].flatten().tolist()) == set(
        range(8, 16)
    )


@pytest.mark.parametrize("network", delayed_recall.NETWORKS)
def test_every_cell_has_as_many_weights(network):
    kernel = reader(network).kernel
    assert sum(p.numel() for name, p in kernel.named_parameters() if "weight" in name) == 8192


def test_networks_start_as_their_names_say():
    matrices = [reader("RNN", seed).kernel.weight_hh_l0.detach() for seed in range(9)]
    found = [torch.linalg.eigvals(matrix).abs().max().item() for matrix in matrices]
    assert sum(found) / 9 == pytest.approx(3**-0.5, rel=0.1)
    orthogonal = reader("RNN, orthogonal").kernel.weight_hh_l0.detach()
    torch.testing.assert_close(orthogonal @ orthogonal.T, torch.eye(64), atol=1e-5, rtol=0)
    assert torch.equal(reader("RNN, identity").kernel.weight_hh_l0, torch.eye(64))
    assert reader("RNN, identity").kernel.nonlinearity == "relu"
    for bias in (0, 1, 4):
        kernel = reader(f"LSTM, bias {bias}").kernel
        total = kernel.bias_ih_l0 + kernel.bias_hh_l0
        assert torch.equal(total[32:64], torch.full((32,), float(bias)))
        assert total.sum() == 32 * bias


def test_training_stops_when_the_task_is_solved_and_a_seed_gives_the_same_again():
    where = {"network": "LSTM, bias 4", "delay": 2, "rate": 0.01, "steps": 120}
    model, found = delayed_recall.train(0, **where)
    assert found["solved"] and found["steps"] < 120 and found["right"] >= delayed_recall.SOLVED
    assert delayed_recall.train(0, **where)[1] == found
    tokens, symbol = delayed_recall.draw(2, 500, torch.Generator().manual_seed(1))
    assert (model(model.tokens(tokens)).argmax(-1) == symbol).double().mean() > 0.9


def test_no_gradient_is_larger_than_the_clip(monkeypatch):
    norms = []
    clip = nn.utils.clip_grad_norm_

    def spy(parameters, most):
        parameters = list(parameters)
        clip(parameters, most)
        norms.append(torch.stack([p.grad.norm() for p in parameters]).norm().item())

    monkeypatch.setattr(nn.utils, "clip_grad_norm_", spy)
    monkeypatch.setattr(delayed_recall, "CLIP", 0.1)
    delayed_recall.train(0, network="RNN, identity", delay=3, rate=0.01, steps=3)
    assert len(norms) == 3 and max(norms) < 0.1001


def test_a_measurement_says_how_far_training_came():
    found = delayed_recall.measure(0, network="LSTM, bias 1", delay=2, rate=0.003, steps=2)
    assert found["steps"] == 2 and not found["solved"] and found["right"] < 0.3


def test_every_network_is_trained_at_each_delay_and_rate():
    conditions = delayed_recall.EXPERIMENT.conditions
    assert len({tuple(c.items()) for c in conditions}) == len(conditions) == 6 * 3 * 3
