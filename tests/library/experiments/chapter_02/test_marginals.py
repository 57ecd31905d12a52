"""The recipe behind chapter 2: what it keeps, what its losses train, and the numbers of its record."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from transformer_lib.data import load_digits
from transformer_lib.experiments import Tuned, run
from transformer_lib.experiments.chapter_02 import marginals
from transformer_lib.experiments.chapter_02.marginals import KINDS, build, fit, pixel_order
from transformer_lib.training import read_record

RECORD = Path(__file__).parents[4] / "book" / "records" / "02_marginals.json"


@pytest.fixture(scope="module")
def overfitted():
    """Twenty images and a high rate: the best step is not the last."""
    return fit("nade", 0.05, 0, n_train=20, n_steps=125)


def test_the_model_of_the_best_validation_step_is_kept(overfitted):
    best = overfitted.best()
    assert overfitted.steps == [25, 50, 75, 100, 125] and best < 4
    images = load_digits()
    with torch.no_grad():
        for part, nats in zip((images.valid, images.test), overfitted.nats[best, 1:]):
            again = -overfitted.model.conditional_log_probs(torch.from_numpy(part).long()).mean(dim=0)
            torch.testing.assert_close(again, nats)
        log_probs = overfitted.model.log_prob(torch.from_numpy(images.test).long())
    torch.testing.assert_close(overfitted.log_probs(), log_probs)


def test_the_last_pixels_are_judged_at_their_own_best_step(overfitted):
    for last in (1, 8):
        losses = [nats[-last:].sum().item() for nats in overfitted.nats[:, 1]]
        assert losses[overfitted.best(last)] == min(losses)
        expected = overfitted.test_log_probs[overfitted.best(last), :, -last:].sum(dim=1)
        assert overfitted.log_probs(last).equal(expected)


def test_a_loss_on_the_last_pixels_leaves_the_biases_of_the_others_alone():
    model = fit("nade", 0.01, 0, last=3, n_steps=25).model
    assert (model.b[:-3] == 0).all() and (model.b[-3:] != 0).all()


def test_a_run_can_be_repeated_and_an_order_changes_it():
    first, again = (fit("sigmoid", 0.03, 1, n_steps=25) for _ in range(2))
    assert first.nats.equal(again.nats)
    assert not first.nats.allclose(fit("sigmoid", 0.03, 1, order=1, n_steps=25).nats)
    assert pixel_order(None).equal(torch.arange(64))
    assert pixel_order(3).sort().values.equal(torch.arange(64)) and not pixel_order(3).equal(pixel_order(4))


def test_padding_and_nade_are_matched_in_parameters():
    padded, nade = (sum(p.numel() for p in build(kind, 0).parameters()) for kind in ("padded", "nade"))
    assert 0.95 < padded / nade < 1.05
    with pytest.raises(ValueError, match="no model 'made'; choose one of sigmoid, padded"):
        build("made", 0)


def test_the_model_between_shares_what_the_padded_network_reads_but_not_what_it_writes():
    padded, own = build("padded", 0), build("padded-outputs", 0)
    assert own.W.shape == (64, *padded.W.shape) and own.b.shape == (64, *padded.b.shape)
    images = torch.from_numpy(load_digits().test[:3]).long()
    with torch.no_grad():
        own.V.copy_(padded.V)
        own.W.copy_(padded.W)
        torch.testing.assert_close(own.conditional_log_probs(images), padded.conditional_log_probs(images))
        before = own.conditional_log_probs(images)
        own.b[7] += torch.tensor([0.0, 1.0])
        moved = own.conditional_log_probs(images) != before
    assert moved.any(dim=0).nonzero().flatten().tolist() == [7]


def test_the_models_between_differ_from_their_family_in_the_nonlinearity_alone():
    images = torch.from_numpy(load_digits().test[:3]).long()
    for kind, family, activation in (
        ("padded-sigmoid", "padded", torch.sigmoid),
        ("nade-relu", "nade", torch.relu),
    ):
        between, model = build(kind, 0), build(family, 0)
        assert not between.log_prob(images).allclose(model.log_prob(images))
        model.activation = activation
        torch.testing.assert_close(between.log_prob(images), model.log_prob(images))


@pytest.mark.slow
def test_the_rate_is_chosen_on_the_validation_images():
    slow, fast = (
        marginals.measure(0, Path(), kind="sigmoid", n_train=100, rate=rate)["valid"]
        for rate in (0.0001, 0.03)
    )
    assert fast < slow


@pytest.mark.slow
def test_a_cut_of_the_experiment_gives_the_rows_of_the_record_and_is_resumed(tmp_path, monkeypatch):
    recorded = read_record(RECORD)
    condition = {"kind": "sigmoid", "n_train": 100, "rate": Tuned((0.001, 0.01))}
    cut = replace(marginals.EXPERIMENT, conditions=(condition,), seeds=(0, 1))
    fitted = []
    fit_ = marginals.fit

    def counted(*arguments, **options):
        if len(fitted) == 1:
            fitted.append("Ctrl-C")
            raise KeyboardInterrupt
        fitted.append(arguments)
        return fit_(*arguments, **options)

    monkeypatch.setattr(marginals, "fit", counted)
    with pytest.raises(KeyboardInterrupt):
        run(cut, tmp_path / "cut.json")
    (row,) = run(cut, tmp_path / "cut.json").result["models"]
    assert [arguments for arguments in fitted if arguments != "Ctrl-C"] == [
        ("sigmoid", 0.001, 0),
        ("sigmoid", 0.01, 0),
        ("sigmoid", 0.01, 1),
    ]
    (whole,) = (r for r in recorded.result["models"] if (r["kind"], r["n_train"]) == ("sigmoid", 100))
    assert list(row) == list(whole)
    for name in ("kind", "n_train", "rate", "parameters"):
        assert row[name] == whole[name]
    for name in ("test", "train", "gain", "by_pixel", "train_curve", "test_curve"):
        assert row[name] == [pytest.approx(values, abs=0.02) for values in whole[name][:2]]


def test_the_tables_have_the_form_of_the_record():
    recorded = read_record(RECORD).result
    seeds = range(2)
    runs = [
        {"seed": seed, "settings": condition | {"rate": 0.01}, "result": imagined(condition)}
        for seed in seeds
        for condition in marginals.EXPERIMENT.conditions
    ]
    made = marginals.tables(runs)
    for table in ("models", "losses"):
        assert [list(row) for row in made[table]] == [list(row) for row in recorded[table]]
        keys = [name for name in ("kind", "n_train", "last") if name in recorded[table][0]]
        for name in keys:
            assert [row[name] for row in made[table]] == [row[name] for row in recorded[table]]
    for row, whole in zip(made["losses"], recorded["losses"]):
        assert list(row["all"]) == list(whole["all"]) and len(row["all"]["test"]) == 2


def imagined(condition: dict) -> dict:
    """A result of the form that `measure` gives under this condition."""
    numbers = {name: 0.0 for name in ("steps", "test", "train", "train_curve", "test_curve")}
    if condition.get("shuffled"):
        lasts = (*marginals.LASTS, 64) if condition["last"] == 64 else (condition["last"],)
        return {f"last {last}": numbers for last in lasts}
    return numbers | {"parameters": 1, "by_pixel": [], "log_probs": [-1.0, -2.0]}


def test_the_record_holds_every_run_that_the_chapter_reads():
    record = read_record(RECORD)
    assert record.seeds == [0, 1, 2, 3, 4]
    rows = {(row["kind"], row["n_train"]): row for row in record.result["models"]}
    assert {kind for kind, n_train in rows if n_train == marginals.N_TRAIN} == set(KINDS)
    for (kind, _), row in rows.items():
        assert row["parameters"] == sum(p.numel() for p in build(kind, 0).parameters())
        assert row["rate"] in record.config["rates"] and len(row["test"]) == 5
    cases = {(row["n_train"], row["last"]) for row in record.result["losses"]}
    assert cases == {(n, last) for n in marginals.SIZES for last in (*marginals.LASTS, 64)}


def test_a_run_of_this_machine_agrees_with_the_record():
    row = next(
        r for r in read_record(RECORD).result["models"] if r["kind"] == "sigmoid" and r["n_train"] == 1097
    )
    assert -fit("sigmoid", row["rate"], 0).log_probs().mean().item() == pytest.approx(
        row["test"][0], abs=0.02
    )
