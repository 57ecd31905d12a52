"""Whatever the settings and whatever happened to a file: a stated error or a result, nothing else."""

import json
import math
from pathlib import Path

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from torch import nn

from transformer_lib.training import (
    LAST,
    CheckpointError,
    TrainingConfig,
    language_model_loss,
    load_checkpoint,
    load_model,
    train,
)
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.language_model import DecoderLM

NAMES = list(TrainingConfig().to_dict())
ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(10**300, 10**320),
    st.floats(),
    st.text(max_size=8),
    st.lists(st.integers(), max_size=2),
    st.sampled_from(["cosine", "constant", "inverse-sqrt", "fp32", "bf16", "fsdp", "none", "cpu"]),
)


def configured(values: dict[str, object]) -> TrainingConfig:
    """What `TrainingConfig.from_dict` gives, past the tests' type checks, which users do not have."""
    if not values.keys() <= set(NAMES):
        return TrainingConfig.from_dict(values)
    config = object.__new__(TrainingConfig)
    for name, value in (TrainingConfig().to_dict() | values).items():
        object.__setattr__(config, name, value)
    config.__post_init__()
    return config


@settings(max_examples=150)
@given(st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text(max_size=5)), ANYTHING, max_size=3))
def test_settings_are_refused_by_name_or_give_a_learning_rate_at_every_step(values):
    try:
        config = configured(values)
    except ValueError as error:
        assert any(repr(name)[1:-1] in str(error) for name in values)
        return
    for step in {0, 1, min(config.steps, 10**6) - 1, config.steps - 1}:
        assert 0 <= config.learning_rate_at(step) <= config.learning_rate
    json.dumps(config.to_dict(), allow_nan=False)


class Line:
    def batch(self, step: int) -> torch.Tensor:
        return torch.tensor([1.0, -2.0])


SIZES = st.floats(0, 1e308) | st.floats(0, 10)


@settings(max_examples=25)
@given(
    learning_rate=SIZES.filter(bool),
    weight_decay=SIZES,
    clip_norm=st.none() | SIZES.filter(bool),
    beta1=st.floats(0, 1, exclude_max=True),
    beta2=st.floats(0, 1, exclude_max=True),
    warmup_steps=st.integers(0, 20),
    schedule=st.sampled_from(["cosine", "constant", "inverse-sqrt"]),
)
def test_training_with_any_allowed_settings_ends_with_finite_losses_or_says_that_they_are_not(**values):
    config = TrainingConfig(steps=4, device="cpu", **values)
    model = nn.Linear(2, 2, bias=False)
    nn.init.ones_(model.weight)
    try:
        result = train(model, lambda model, x: model(x).square().sum(), Line(), config, progress=False)
    except FloatingPointError as error:
        assert "lower learning_rate" in str(error)
    else:
        assert all(math.isfinite(loss) for loss in result.losses) and result.steps == 4


def decoder() -> DecoderLM:
    config = TransformerConfig(5, 4, d_model=4, n_heads=1, n_layers=1)
    return DecoderLM(config, generator=torch.Generator().manual_seed(0))


def run(folder: Path):
    tokens = torch.arange(4)[None]
    batches = type("Same", (), {"batch": lambda self, step: (tokens, tokens)})()
    config = TrainingConfig(steps=2, device="cpu")
    return train(decoder(), language_model_loss, batches, config, run_dir=folder, progress=False)


@pytest.fixture(scope="module")
def intact(tmp_path_factory) -> bytes:
    folder = tmp_path_factory.mktemp("intact")
    run(folder)
    return (folder / LAST).read_bytes()


def header_length(content: bytes) -> int:
    return 8 + int.from_bytes(content[:8], "little")


@st.composite
def damage(draw, header_only: bool = False):
    """A function that cuts, flips, inserts or repeats some bytes of a file."""
    places = draw(
        st.lists(st.tuples(st.floats(0, 1), st.binary(min_size=1, max_size=9)), min_size=1, max_size=3)
    )
    kind = draw(st.sampled_from(["flip", "insert", "replace", "cut", "drop"]))

    def apply(content: bytes) -> bytes:
        for share, change in places:
            end = min(header_length(content), len(content)) if header_only else len(content)
            at = int(share * (end - 1))
            if kind == "cut":
                content = content[:at]
            elif kind == "flip":
                content = content[:at] + bytes([content[at] ^ (change[0] or 1)]) + content[at + 1 :]
            elif kind == "drop":
                content = content[:at] + content[at + len(change) :]
            else:
                content = content[:at] + change + content[at + (len(change) if kind == "replace" else 0) :]
            if len(content) < 9:
                break
        return content

    return apply


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(change=damage() | damage(header_only=True))
def test_a_damaged_checkpoint_is_refused_in_words_or_is_what_it_was(tmp_path, intact, change):
    path = tmp_path / LAST
    path.write_bytes(change(intact))
    try:
        loaded = load_checkpoint(path)
    except CheckpointError as error:
        assert LAST in str(error)
        with pytest.raises(CheckpointError):
            load_model(path)
    else:
        (tmp_path / "intact").write_bytes(intact)
        whole = load_checkpoint(tmp_path / "intact")
        assert loaded.training == whole.training and loaded.model_config == whole.model_config
        assert all(torch.equal(loaded.weights[key], whole.weights[key]) for key in whole.weights)


def paths(value: object, place: tuple = ()) -> list[tuple]:
    """The place of every value inside a JSON object."""
    inside = list(
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    return [place, *(deeper for key, part in inside for deeper in paths(part, (*place, key)))]


JSON = st.sampled_from([None, True, -1, 0, 3, 1e300, "", "cosine", "LSTM", [], {}, {"a": 1}, [None]])


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_an_edited_header_whose_digest_fits_gives_a_stated_error_or_works(tmp_path, intact, data):
    """The digest finds accidents; who edits on purpose can renew it, and still must not crash anything."""
    from safetensors.torch import load, save

    from transformer_lib.training import checkpoints

    outer = json.loads(intact[8 : header_length(intact)])
    header = json.loads(outer["__metadata__"]["transformer_lib"])
    content = load(intact)
    del header["digest"]
    place = data.draw(st.sampled_from(paths(header["model"], ("model",))))
    parent = header
    for key in place[:-1]:
        parent = parent[key]
    if data.draw(st.booleans()) and isinstance(parent, dict):
        del parent[place[-1]]
    else:
        parent[place[-1]] = data.draw(JSON)
    header["digest"] = checkpoints._digest(header, content)
    path = tmp_path / LAST
    path.write_bytes(save(content, metadata={"transformer_lib": json.dumps(header)}))
    try:
        load_model(path)
    except CheckpointError as error:
        assert str(error)
