"""Models whose heads share keys and values: as many parameters, fewer numbers in the cache."""

from transformer_lib.experiments import run_seed
from transformer_lib.experiments.chapter_07 import shared_heads as module
from transformer_lib.experiments.chapter_07.shared_heads import SHARED, build


def test_models_have_as_many_parameters_whatever_they_share():
    counts = {sum(p.numel() for p in build(n, 0).parameters()) for n in SHARED}
    assert len(counts) == 1


def test_the_heads_of_keys_and_values_are_as_many_as_asked_for():
    for n in SHARED:
        cache = build(n, 0).stack.blocks[0].attention.new_cache(1, 10)
        assert cache.key.shape[1] == n


def test_each_condition_is_measured_with_its_settings(monkeypatch):
    monkeypatch.setattr(module, "STEPS", (1, 3))
    few = run_seed(module.EXPERIMENT, 0, n_kv_heads=1, rate=0.01)
    assert list(few) == ["1", "3"] and 0 < few["3"]["nats"] < few["1"]["nats"]
    assert few != run_seed(module.EXPERIMENT, 0, n_kv_heads=4, rate=0.01)
