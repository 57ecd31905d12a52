"""What is counted and how it is measured: work, serial chains, and runs that take turns."""

import pytest
import torch

from transformer_lib.experiments import costs


def test_the_models_of_a_size_have_equally_many_parameters_within_4_percent():
    for size in costs.SIZES:
        counts = [costs.build(name, size).n_parameters() for name in costs.MODELS]
        assert max(counts) / min(counts) < 1.04


@pytest.mark.parametrize("name", costs.MODELS)
def test_the_unrolled_model_is_the_model(name):
    model, tokens = costs.build(name), costs.draw(2, 7)
    torch.testing.assert_close(costs.unrolled(model, tokens), model.logits(tokens)[:, -1])


def test_the_longest_chain_of_products_is_found_through_a_branching_graph():
    weight = torch.eye(3, requires_grad=True)
    x = torch.ones(1, 3)
    long, short = x, x @ weight
    for _ in range(5):
        long = torch.tanh(long @ weight)
    assert costs.serial_products((long + short).sum()) == 5
    assert costs.serial_products((2 * weight).sum()) == 0


@pytest.mark.parametrize("time", [1, 5])
def test_a_recurrent_chain_grows_with_the_text_and_a_transformer_s_does_not(time):
    chains = [
        costs.serial_products(costs.unrolled(costs.build(name), costs.draw(1, time)).sum())
        for name in costs.MODELS
    ]
    assert chains == [time + 1, time + 1, 13]


def test_multiplications_are_those_of_the_matrices_and_of_every_pair():
    vocabulary, time = costs.VOCAB_SIZE, 6
    per_token = {"RNN": 2 * 140**2, "LSTM": 8 * 78**2, "Transformer": 2 * (12 * 48**2 + 2 * time * 48)}
    width = {"RNN": 140, "LSTM": 78, "Transformer": 48}
    for name in costs.MODELS:
        found = costs.multiplications(costs.build(name), time)
        assert found == time * (per_token[name] + vocabulary * width[name])
    one_more = costs.multiplications(costs.build("Transformer"), time, sampling=True)
    assert one_more == 2 * (12 * 48**2 + 2 * (time + 1) * 48) + vocabulary * 48


def test_runs_take_turns_in_changing_order_and_preparing_is_not_timed():
    log = []

    def prepare(name):
        def run():
            log.append(name)

        log.append(f"prepare {name}")
        return run

    found = costs.take_turns({name: lambda name=name: prepare(name) for name in "abc"}, 4, seed=0)
    assert set(found) == set("abc") and all(seconds >= 0 for seconds in found.values())
    rounds = [tuple(log[n + 1 : n + 6 : 2]) for n in range(0, len(log), 6)]
    assert all(sorted(order) == ["a", "b", "c"] for order in rounds) and len(set(rounds)) > 1
    assert all(log[n] == f"prepare {log[n + 1]}" for n in range(0, len(log), 2))


def test_a_measurement_has_a_time_for_each_model_length_and_kind(monkeypatch):

    def once(runs, repeats, seed):
        for prepare in runs.values():
            prepare()()
        return dict.fromkeys(runs, 1e-6)

    monkeypatch.setattr(costs, "take_turns", once)
    found = costs.measure(0, size="small", threads=1, lengths=(2, 4), repeats=1)
    for kind, tokens in {"batches": 4, "single": None, "sampling": costs.SAMPLED}.items():
        assert set(found[kind]) == {"2", "4"}
        for length, row in found[kind].items():
            names = costs.MODELS if kind == "sampling" else (*costs.MODELS, costs.LOOPED)
            assert row == dict.fromkeys(names, round(1 / (tokens or int(length)), 3))
    assert set(found["parameters"]) == set(costs.MODELS)


def test_threads_are_as_before_when_a_measurement_ends_or_fails():
    before = torch.get_num_threads()
    with pytest.raises(ZeroDivisionError), costs.threads_of(before + 1):
        assert torch.get_num_threads() == before + 1
        raise ZeroDivisionError
    assert torch.get_num_threads() == before


def test_only_the_looped_lstm_does_without_onednn_and_it_computes_the_same(monkeypatch):
    enabled, logits, model = [], [], costs.build("LSTM")
    read = model.logits

    def spy(tokens):
        enabled.append(torch.backends.mkldnn.enabled)
        logits.append(read(tokens))
        return logits[-1]

    monkeypatch.setattr(model, "logits", spy)
    for onednn in (True, False):
        costs.training(model, 2, 5, onednn=onednn)()()
    assert enabled == [True, False] and torch.backends.mkldnn.enabled
    torch.testing.assert_close(*logits)
