"""The training loop learns, and a run that stops and goes on is the run that never stopped."""

import re
import signal
import sys
from dataclasses import replace
from itertools import count, pairwise
from types import SimpleNamespace

import pytest
import torch
from torch import nn
from tqdm import tqdm

from transformer_lib.density.nade import NADE
from transformer_lib.losses import IGNORED_TARGET
from transformer_lib.training import (
    BEST,
    LAST,
    CheckpointError,
    TrainingConfig,
    average_checkpoints,
    language_model_loss,
    load_checkpoint,
    load_model,
    save_checkpoint,
    snapshots,
    train,
)
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

CONFIG = TrainingConfig(
    steps=24, learning_rate=1e-2, warmup_steps=4, evaluate_every=6, checkpoint_every=5, device="cpu"
)


class Counting:
    """Sequences that count upwards modulo 7 from a random start."""

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        starts = torch.randint(7, (4, 1), generator=torch.Generator().manual_seed(step))
        tokens = (starts + torch.arange(9)) % 7
        return tokens[:, :-1], tokens[:, 1:]


class Unequal(Counting):
    """Of each batch other rows are no targets, and not as many as of the next."""

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        tokens, targets = super().batch(step)
        return tokens, targets.index_fill(0, torch.arange(step % 4), IGNORED_TARGET)


class FailingAt(Counting):
    def __init__(self, step: int) -> None:
        self.step = step

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        if step == self.step:
            raise OSError("the machine was switched off")
        return super().batch(step)


class CtrlCAt(Counting):
    def __init__(self, step: int) -> None:
        self.step = step

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        if step == self.step:
            signal.raise_signal(signal.SIGINT)
        return super().batch(step)


class Pull(nn.Module):
    """One parameter; the loss is its product with the batch, so that the batch is the gradient."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(2, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (self.weight.squeeze(1) * x).sum()


class Constant:
    def batch(self, step: int) -> torch.Tensor:
        return torch.tensor([3.0, 4.0])


def decoder(dropout: float = 0.2) -> DecoderLM:
    config = TransformerConfig(7, 8, d_model=16, n_heads=2, n_layers=1, dropout=dropout)
    return DecoderLM(config, generator=torch.Generator().manual_seed(0))


def validation(model: DecoderLM) -> float:
    return language_model_loss(model, Counting().batch(10_000)).item()


def run(model, batches=None, config=CONFIG, evaluate=validation, **options):
    return train(
        model,
        language_model_loss,
        batches or Counting(),
        config,
        evaluate=evaluate,
        progress=False,
        **options,
    )


def states_equal(a: nn.Module, b: nn.Module) -> bool:
    return all(
        torch.equal(x, y) for x, y in zip(a.state_dict().values(), b.state_dict().values(), strict=True)
    )


def test_training_brings_the_loss_down_to_what_the_data_allows():
    model = decoder(dropout=0.0)
    result = run(model, config=replace(CONFIG, steps=60, learning_rate=3e-2))
    assert result.steps == len(result.losses) == 60
    assert result.losses[0] > 1.8
    assert result.losses[-1] < 0.05
    assert result.tokens == 60 * 32
    assert not model.training
    assert validation(model) == result.best.validation_loss


def test_a_density_model_trains_by_its_likelihood():
    class Pairs:
        def batch(self, step: int) -> torch.Tensor:
            first = torch.randint(3, (16, 1), generator=torch.Generator().manual_seed(step))
            return torch.cat([first, (first + 1) % 3], dim=1)

    def nats(model: NADE, batch: torch.Tensor) -> torch.Tensor:
        return -model.log_prob(batch).mean()

    model = NADE(2, 3, 8, generator=torch.Generator().manual_seed(0))
    result = train(model, nats, Pairs(), replace(CONFIG, steps=60, learning_rate=0.1), progress=False)
    entropy = torch.tensor(3.0).log().item()
    assert entropy - 0.15 < result.losses[-1] < entropy + 0.15
    assert result.best is None
    assert result.evaluations[-1].validation_loss is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stopped_at", "optimizer"), [(5, "adamw"), (13, "adamw"), (20, "adamw"), (13, "muon")]
)
def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(tmp_path, stopped_at, optimizer):
    whole, config = decoder(), replace(CONFIG, optimizer=optimizer)
    expected = run(whole, config=config, run_dir=tmp_path / "whole")
    broken = decoder()
    with pytest.raises(OSError, match="switched off"):
        run(broken, FailingAt(stopped_at), config=config, run_dir=tmp_path / "broken")
    resumed = decoder()
    nn.init.zeros_(resumed.token_embedding.weight)
    torch.manual_seed(stopped_at)
    result = run(resumed, config=config, run_dir=tmp_path / "broken", resume=True)
    assert result.losses == expected.losses
    assert result.evaluations == expected.evaluations
    assert result.tokens == expected.tokens
    assert states_equal(resumed, whole)
    for name in (BEST, LAST):
        one, other = (load_checkpoint(tmp_path / folder / name) for folder in ("whole", "broken"))
        assert all(torch.equal(one.weights[key], other.weights[key]) for key in one.weights)
        assert all(torch.equal(one.tensors[key], other.tensors[key]) for key in one.tensors)


def test_a_run_that_fails_before_its_first_save_leaves_nothing(tmp_path):
    with pytest.raises(OSError, match="switched off"):
        run(decoder(), FailingAt(3), run_dir=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_ctrl_c_ends_the_step_saves_and_can_be_resumed(tmp_path):
    expected = run(decoder())
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        run(decoder(), CtrlCAt(7), run_dir=tmp_path)
    assert signal.getsignal(signal.SIGINT) is before
    assert len(load_checkpoint(tmp_path / LAST).tensors["losses"]) == 8
    assert run(decoder(), run_dir=tmp_path, resume=True).losses == expected.losses


@pytest.mark.slow
def test_dropout_is_seeded_by_the_run_and_the_step_alone():
    one = run(decoder())
    torch.manual_seed(99)
    state = torch.get_rng_state()
    assert run(decoder()).losses == one.losses
    assert torch.equal(torch.get_rng_state(), state), "training must not disturb the caller's generator"
    assert run(decoder(), config=replace(CONFIG, seed=1)).losses[0] != one.losses[0]


def drawn_in_training(**changes: int) -> list[float]:
    """A number that is drawn at random in each call of the loss."""
    drawn = []

    def noisy(model: Pull, x: torch.Tensor) -> torch.Tensor:
        drawn.append(torch.rand(()).item())
        return model(x)

    train(Pull(), noisy, Constant(), replace(CONFIG, **changes), progress=False)
    return drawn


def test_what_is_random_differs_from_batch_to_batch_and_from_seed_to_seed():
    drawn = [number for seed in range(3) for number in drawn_in_training(seed=seed)]
    assert len(set(drawn)) == len(drawn) == 3 * CONFIG.steps


def test_what_is_random_in_a_batch_does_not_depend_on_how_many_share_its_update():
    assert drawn_in_training(steps=12, accumulation=2) == drawn_in_training(steps=24)


@pytest.mark.slow
@pytest.mark.parametrize("small", [Counting(), Unequal()], ids=["as many targets", "other numbers of them"])
def test_accumulated_gradients_equal_those_of_one_large_batch(small):
    class Large:
        def batch(self, step: int) -> tuple[torch.Tensor, ...]:
            parts = [small.batch(3 * step + part) for part in range(3)]
            return tuple(torch.cat(part) for part in zip(*parts, strict=True))

    large, accumulated = decoder(0.0).double(), decoder(0.0).double()
    expected = run(large, Large())
    result = run(accumulated, small, replace(CONFIG, accumulation=3))
    assert result.losses == pytest.approx(expected.losses, abs=1e-10)
    assert result.tokens == expected.tokens
    for a, b in zip(accumulated.parameters(), large.parameters(), strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("clip_norm", "norm"), [(None, 5.0), (1.0, 1.0), (10.0, 5.0)])
def test_clipping_bounds_the_norm_of_the_gradient_and_keeps_its_direction(tmp_path, clip_norm, norm):
    config = replace(CONFIG, steps=1, clip_norm=clip_norm, beta1=0.0, weight_decay=0.0)
    train(Pull(), lambda model, x: model(x), Constant(), config, run_dir=tmp_path, progress=False)
    gradient = load_checkpoint(tmp_path).tensors["optimizer.exp_avg.weight"].squeeze(1)
    torch.testing.assert_close(gradient, torch.tensor([0.6, 0.8]) * norm)


def test_each_update_uses_the_scheduled_learning_rate():
    config = replace(CONFIG, steps=6, learning_rate=0.5, warmup_steps=3, weight_decay=0.0)
    positions = []

    def record(model: Pull, x: torch.Tensor) -> torch.Tensor:
        positions.append(model.weight[0].item())
        return model(x)

    model = Pull()
    train(model, record, Constant(), config, progress=False)
    positions.append(model.weight[0].item())
    moved = [before - after for before, after in pairwise(positions)]
    assert moved == pytest.approx([config.learning_rate_at(step) for step in range(6)], rel=1e-5, abs=1e-7)


def test_the_best_weights_are_kept_and_not_the_last(tmp_path):
    scores = iter([3.0, 1.0, 2.0, 2.5])
    seen = []

    def evaluate(model: DecoderLM) -> float:
        assert not model.training
        seen.append(model.token_embedding.weight.clone())
        return next(scores)

    model = decoder()
    result = run(model, evaluate=evaluate, run_dir=tmp_path)
    assert (result.best.step, result.best.validation_loss) == (12, 1.0)
    assert torch.equal(model.token_embedding.weight, seen[1])
    assert torch.equal(load_model(tmp_path).token_embedding.weight, seen[1])
    assert torch.equal(load_checkpoint(tmp_path / LAST).weights["token_embedding.weight"], seen[3])


def test_the_weights_of_the_last_evaluations_stay_and_their_mean_is_a_model(tmp_path):
    seen = {}

    def evaluate(model):
        seen[len(seen)] = {key: value.detach().clone() for key, value in model.state_dict().items()}
        return validation(model)

    config = replace(CONFIG, keep_last=3, checkpoint_every=6)
    with pytest.raises(OSError, match="switched off"):
        run(decoder(), FailingAt(14), config, evaluate=evaluate, run_dir=tmp_path)
    assert [path.name for path in snapshots(tmp_path)] == ["step-6.safetensors", "step-12.safetensors"]
    run(decoder(), None, config, evaluate=evaluate, run_dir=tmp_path, resume=True)
    kept = snapshots(tmp_path)
    assert [path.stem for path in kept] == ["step-12", "step-18", "step-24"]
    averaged = average_checkpoints(kept).build_model().state_dict()
    for key, value in averaged.items():
        mean = sum(seen[i][key].double() for i in (1, 2, 3)) / 3
        torch.testing.assert_close(value.double(), mean, rtol=1e-6, atol=1e-8)
    with pytest.raises(ValueError, match="no checkpoints to average"):
        average_checkpoints([])
    wider = DecoderLM(TransformerConfig(7, 8, d_model=32, n_heads=2, n_layers=1))
    other = save_checkpoint(tmp_path / "other.safetensors", wider)
    with pytest.raises(CheckpointError, match=r"step-12.safetensors holds another model than"):
        average_checkpoints([*kept, other])


def test_patience_stops_a_run_that_no_longer_improves(tmp_path):
    scores = [3.0, 1.0, 2.0, 2.0, 0.5]
    config = replace(CONFIG, steps=100, patience=2)
    result = run(decoder(), config=config, evaluate=lambda model: scores.pop(0), run_dir=tmp_path)
    assert result.stopped_early
    assert result.steps == 24
    assert run(decoder(), config=config, run_dir=tmp_path, resume=True).losses == result.losses


def test_on_a_plateau_the_first_evaluation_is_the_best_and_patience_counts_from_it():
    scores = [3.0, 1.0, 1.0, 1.0, 0.5]
    config = replace(CONFIG, steps=100, patience=2)
    result = run(decoder(), config=config, evaluate=lambda model: scores.pop(0))
    assert result.stopped_early and result.steps == 24
    assert result.best.step == 12


@pytest.mark.parametrize("saved", [6, 12])
def test_a_run_that_goes_on_from_an_evaluation_has_it_once(tmp_path, saved):
    """Killed after two evaluations; last saved at the first or at the second, the best of both."""
    scores = iter([2.0, 1.0, 3.0, 3.0])
    config = replace(CONFIG, checkpoint_every=saved)
    with pytest.raises(OSError, match="switched off"):
        run(decoder(), FailingAt(14), config, evaluate=lambda _: next(scores), run_dir=tmp_path)
    scores = iter([1.0, 3.0, 3.0] if saved == 6 else [3.0, 3.0])
    result = run(decoder(), None, config, evaluate=lambda _: next(scores), run_dir=tmp_path, resume=True)
    assert [point.step for point in result.evaluations] == [6, 12, 18, 24]


def test_the_time_of_a_run_is_that_of_all_its_sessions(tmp_path, monkeypatch):
    """By a clock that ticks when it is read: an update takes a tick and more."""
    clock = SimpleNamespace(perf_counter=map(float, count()).__next__)
    monkeypatch.setattr("transformer_lib.training.loop.time", clock)
    with pytest.raises(KeyboardInterrupt):
        run(decoder(), CtrlCAt(20), run_dir=tmp_path)
    first = load_checkpoint(tmp_path / LAST).training
    result = run(decoder(), run_dir=tmp_path, resume=True)
    assert result.seconds > first["seconds"] > 21 and result.seconds > result.update_seconds
    assert result.update_seconds - 3 >= first["update_seconds"] >= 21


def test_a_finished_run_can_be_made_longer(tmp_path):
    config = replace(CONFIG, schedule="constant")
    expected = run(decoder(), config=config)
    run(decoder(), config=replace(config, steps=10), run_dir=tmp_path)
    assert run(decoder(), config=config, run_dir=tmp_path, resume=True).losses == expected.losses


def test_a_run_is_neither_overwritten_nor_resumed_with_other_settings(tmp_path):
    config = replace(CONFIG, steps=5)
    run(decoder(), config=config, run_dir=tmp_path)
    with pytest.raises(ValueError, match="already holds a run"):
        run(decoder(), config=config, run_dir=tmp_path)
    with pytest.raises(CheckpointError, match="of a model with d_model=16: it cannot resume with 8"):
        other = DecoderLM(TransformerConfig(7, 8, d_model=8, n_heads=2, n_layers=1))
        run(other, config=config, run_dir=tmp_path, resume=True)
    with pytest.raises(CheckpointError, match="no such checkpoint"):
        run(decoder(), config=config, run_dir=tmp_path / "elsewhere", resume=True)
    with pytest.raises(ValueError, match="needs the run_dir"):
        run(decoder(), config=config, resume=True)
    (tmp_path / LAST).write_bytes((tmp_path / BEST).read_bytes())
    with pytest.raises(CheckpointError, match="no training to resume"):
        run(decoder(), config=config, run_dir=tmp_path, resume=True)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("optimizer", "muon"), ("learning_rate", 0.1), ("schedule", "constant"), ("warmup_steps", 3)),
        *(("final_factor", 0.1), ("beta1", 0.8), ("beta2", 0.9), ("eps", 1e-6), ("weight_decay", 0.0)),
        *(("clip_norm", None), ("seed", 1)),
    ],
)
def test_what_decides_the_updates_is_the_same_when_a_run_goes_on(tmp_path, name, other):
    run(decoder(), config=replace(CONFIG, steps=1, evaluate_every=None), run_dir=tmp_path)
    told = f"trained with {name}={getattr(CONFIG, name)!r}: it cannot resume with {other!r}"
    with pytest.raises(CheckpointError, match=re.escape(told)):
        run(decoder(), config=replace(CONFIG, **{name: other}), run_dir=tmp_path, resume=True)


def test_a_loss_that_is_not_finite_ends_the_run():
    def explode(model: Pull, x: torch.Tensor) -> torch.Tensor:
        return model(x) / 0.0

    with pytest.raises(FloatingPointError, match="loss of step 0 is nan"):
        train(Pull(), explode, Constant(), CONFIG, progress=False)


def test_a_run_made_before_a_setting_existed_resumes_with_its_default(tmp_path):
    run(decoder(), config=replace(CONFIG, steps=12), run_dir=tmp_path)
    before = load_checkpoint(tmp_path / LAST)
    assert before.training["config"].pop("final_factor") == CONFIG.final_factor
    model = decoder()
    before.load_into(model)
    save_checkpoint(tmp_path / LAST, model, training=before.training, tensors=before.tensors)
    assert run(decoder(), run_dir=tmp_path, resume=True).steps == CONFIG.steps


def test_a_run_cannot_end_before_where_it_is(tmp_path):
    run(decoder(), config=replace(CONFIG, steps=12), run_dir=tmp_path)
    with pytest.raises(CheckpointError, match="has made 12 steps: it cannot resume with steps=6"):
        run(decoder(), config=replace(CONFIG, steps=6), run_dir=tmp_path, resume=True)


def test_a_file_in_the_place_of_the_folder_is_noticed_before_the_first_step(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="is a file: choose another folder"):
        run(decoder(), FailingAt(0), run_dir=tmp_path / "file" / "run")


def test_runs_of_different_precision_can_follow_each_other():
    full = run(decoder())
    mixed = run(decoder(), config=replace(CONFIG, precision="bf16"))
    assert mixed.losses != full.losses
    assert mixed.losses == pytest.approx(full.losses, abs=0.1)
    assert run(decoder()).losses == full.losses


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_a_device_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="'cuda' is not available here; there is: cpu"):
        run(decoder(), config=replace(CONFIG, device="cuda"))
    with pytest.raises(ValueError, match="'fp16' needs a GPU"):
        run(decoder(), config=replace(CONFIG, precision="fp16"))


def test_the_bar_is_shown_on_standard_error_or_not_at_all(capsys):
    run(decoder(), config=replace(CONFIG, steps=12))
    assert capsys.readouterr() == ("", "")
    train(decoder(), language_model_loss, Counting(), replace(CONFIG, steps=12), evaluate=validation)
    out, err = capsys.readouterr()
    assert out == ""
    assert "12/12" in err and "tokens/s" in err and "best validation" in err


def test_the_bar_says_a_speed_only_when_the_tokens_of_all_steps_are_counted(monkeypatch):
    told = []
    monkeypatch.setattr(tqdm, "set_postfix_str", lambda bar, text, **_: told.append((bar.n, text)))
    config = replace(CONFIG, steps=25, evaluate_every=None, checkpoint_every=None)
    trained = train(decoder(), language_model_loss, Counting(), config)
    assert [step for step, _ in told] == [10, 20, 25]
    assert told[-1][1].endswith(f"{trained.tokens_per_second:,.0f} tokens/s")


def test_a_run_that_was_stopped_with_only_its_best_weights_begins_again(tmp_path):
    expected = run(decoder(), run_dir=tmp_path)
    (tmp_path / LAST).unlink()
    (tmp_path / ".last.safetensors.1.tmp").write_bytes(b"cut sho")
    assert run(decoder(), run_dir=tmp_path, resume=True).losses == expected.losses
    assert {path.name for path in tmp_path.iterdir()} == {BEST, LAST}


def test_a_point_of_the_curve_has_the_mean_loss_of_the_steps_since_the_one_before():
    result = run(decoder(), Unequal(), replace(CONFIG, steps=10, evaluate_every=4))
    means = [sum(result.losses[begin:end]) / (end - begin) for begin, end in [(0, 4), (4, 8), (8, 10)]]
    assert [point.step for point in result.evaluations] == [4, 8, 10]
    assert [point.training_loss for point in result.evaluations] == pytest.approx(means, rel=1e-12)


def test_tensorboard_gets_every_step_and_evaluation_once_also_after_a_resumption(tmp_path):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    config = replace(CONFIG, steps=12)
    with pytest.raises(OSError, match="switched off"):
        run(decoder(), FailingAt(11), config, run_dir=tmp_path / "run", log_dir=tmp_path / "logs")
    result = run(decoder(), None, config, run_dir=tmp_path / "run", log_dir=tmp_path / "logs", resume=True)
    logs = EventAccumulator(str(tmp_path / "logs"))
    logs.Reload()
    points = {tag: {p.step: p.value for p in logs.Scalars(tag)} for tag in logs.Tags()["scalars"]}
    assert list(points["training_loss"].values()) == pytest.approx(result.losses)
    assert points["validation_loss"].keys() == {6, 12}
    assert points["learning_rate"][4] == pytest.approx(CONFIG.learning_rate)


def test_without_tensorboard_its_package_is_named_before_the_first_step(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    monkeypatch.delitem(sys.modules, "torch.utils.tensorboard", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"pip install '\.\[tensorboard\]'"):
        run(decoder(), FailingAt(0), log_dir=tmp_path)


@pytest.mark.parametrize("option", [{"n_heads": 1}, {"activation": "relu"}, {"norm": "post"}])
def test_a_run_does_not_go_on_with_a_model_that_computes_something_else(tmp_path, option):
    shape = {"d_model": 16, "n_heads": 2, "n_layers": 1}
    first = DecoderLM(TransformerConfig(7, 8, **shape))
    config = replace(CONFIG, steps=5)
    run(first, config=config, run_dir=tmp_path)
    other = DecoderLM(TransformerConfig(7, 8, **shape | option))
    (name,) = option
    with pytest.raises(CheckpointError, match=f"of a model with {name}=.*: it cannot resume with"):
        run(other, config=replace(config, steps=9), run_dir=tmp_path, resume=True)
    more_dropout = DecoderLM(TransformerConfig(7, 8, **shape, dropout=0.5))
    assert run(more_dropout, config=replace(config, steps=9), run_dir=tmp_path, resume=True).steps == 9


def test_a_best_evaluation_after_the_last_save_is_not_lost_when_the_run_goes_on(tmp_path):
    """Saved at step 4, best at 5, killed at 6; resumed with evaluations that pass over step 5."""
    scores, seen = iter([5.0, 4.0, 3.0, 2.0, 1.0]), []

    def evaluate(model: DecoderLM) -> float:
        seen.append(model.token_embedding.weight.clone())
        return next(scores)

    config = replace(CONFIG, steps=8, evaluate_every=1, checkpoint_every=4, keep_last=9)
    with pytest.raises(OSError, match="switched off"):
        run(decoder(), FailingAt(5), config, evaluate=evaluate, run_dir=tmp_path)
    assert [path.stem for path in snapshots(tmp_path)][-1] == "step-5"
    model = decoder()
    config = replace(config, evaluate_every=4)
    result = run(model, None, config, evaluate=lambda _: 9.0, run_dir=tmp_path, resume=True)
    assert (result.best.step, result.best.validation_loss) == (5, 1.0)
    assert torch.equal(model.token_embedding.weight, seen[4])
    assert torch.equal(load_model(tmp_path).token_embedding.weight, seen[4])
    assert [path.stem for path in snapshots(tmp_path)] == [f"step-{n}" for n in (1, 2, 3, 4, 8)]
    assert [point.step for point in result.evaluations] == [1, 2, 3, 4, 5, 8]


def test_what_a_save_holds_lies_not_ahead_of_it(tmp_path):
    """Saved at step 4, best at 6, killed at 7; gone on with, and interrupted after step 5."""
    scores = iter([6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
    config = replace(CONFIG, steps=8, evaluate_every=1, checkpoint_every=4)
    with pytest.raises(OSError, match="switched off"):
        run(decoder(), FailingAt(6), config, evaluate=lambda _: next(scores), run_dir=tmp_path)
    config = replace(config, evaluate_every=8, patience=1)
    with pytest.raises(KeyboardInterrupt):
        run(decoder(), CtrlCAt(4), config, evaluate=lambda _: 9.0, run_dir=tmp_path, resume=True)
    saved = load_checkpoint(tmp_path / LAST)
    assert len(saved.tensors["losses"]) == 5
    assert [point["step"] for point in saved.training["evaluations"]] == [1, 2, 3, 4]
    result = run(decoder(), None, config, evaluate=lambda _: 9.0, run_dir=tmp_path, resume=True)
    assert (result.steps, result.best.step) == (8, 6)


def test_snapshots_of_a_run_that_begins_again_are_removed(tmp_path):
    config = replace(CONFIG, evaluate_every=2, keep_last=3, checkpoint_every=20)
    with pytest.raises(OSError, match="switched off"):
        run(decoder(), FailingAt(11), config, run_dir=tmp_path)
    assert [path.stem for path in snapshots(tmp_path)] == ["step-6", "step-8", "step-10"]
    assert not (tmp_path / LAST).exists()
    with pytest.raises(OSError, match="switched off"):
        run(decoder(), FailingAt(5), config, run_dir=tmp_path, resume=True)
    assert [path.stem for path in snapshots(tmp_path)] == ["step-2", "step-4"]


def test_a_loss_that_is_a_module_is_refused():
    with pytest.raises(ValueError, match="not a module"):
        train(Pull(), nn.MSELoss(), Counting(), CONFIG, progress=False)


def test_notes_that_cannot_be_written_are_refused_before_the_first_step(tmp_path):
    with pytest.raises(TypeError, match="JSON"):
        run(decoder(), FailingAt(0), run_dir=tmp_path, notes={"where": tmp_path})


def test_ctrl_c_in_the_last_evaluation_is_not_lost(tmp_path):
    def pressed(model: DecoderLM) -> float:
        signal.raise_signal(signal.SIGINT)
        return validation(model)

    config = replace(CONFIG, steps=3, evaluate_every=3)
    with pytest.raises(KeyboardInterrupt):
        run(decoder(), config=config, evaluate=pressed, run_dir=tmp_path)
    assert run(decoder(), config=config, run_dir=tmp_path, resume=True).steps == 3
