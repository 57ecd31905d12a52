"""The record of 64 blocks at initialization."""

import pytest

from transformer_lib.experiments.chapter_10 import depth


def test_a_measurement_is_the_logarithms_at_the_points(monkeypatch):
    def found(seed, *, wiring, n_layers, gain):
        sizes = [10.0**-n for n in range(n_layers)]
        return {"gradients": [float("nan"), *sizes], "distinct": [0.0, *sizes]}

    monkeypatch.setattr(depth, "gradient_norms", found)
    measured = depth.measure(0, wiring="norm", gain=1.0)
    assert measured["gradients"]["0"] == depth.LARGEST and measured["distinct"]["0"] == -depth.LARGEST
    assert measured["gradients"]["64"] == pytest.approx(-63)
    assert list(measured["distinct"]) == [str(n) for n in depth.POINTS]


def test_every_condition_of_the_record_can_be_measured(monkeypatch):
    monkeypatch.setattr(depth, "POINTS", (0, 2))
    for condition in depth.EXPERIMENT.conditions:
        assert depth.measure(0, **condition)["gradients"]["2"] == pytest.approx(0)
