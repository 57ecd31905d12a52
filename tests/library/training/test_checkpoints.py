"""Checkpoints come back as they were saved, and nothing else is taken for one."""

import json
import pickle
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import nn

import transformer_lib.training.checkpoints as checkpoints
from transformer_lib.density.nade import NADE, TiedBinaryNADE
from transformer_lib.training import CheckpointError, load_checkpoint, load_model, save_checkpoint
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

CONFIG = TransformerConfig(vocab_size=7, context_length=6, d_model=8, n_heads=2, n_layers=1)
TOKENS = torch.tensor([[1, 2, 3, 4], [6, 5, 0, 1]])


def decoder(seed: int = 0, **changes: object) -> DecoderLM:
    config = replace(CONFIG, **changes)
    return DecoderLM(config, generator=torch.Generator().manual_seed(seed)).eval()


def saved(path: Path, **changes: object) -> Path:
    return save_checkpoint(
        path / "model.safetensors",
        decoder(**changes),
        tokenizer={"kind": "word", "unknown": False, "symbols": ["an", "é"]},
        training={"step": 3},
        tensors={"losses": torch.arange(3.0, dtype=torch.float64)},
    )


@pytest.mark.parametrize("tied", [True, False])
def test_a_decoder_comes_back_with_the_same_predictions(tmp_path, tied):
    model = decoder(tie_embeddings=tied)
    loaded = load_model(save_checkpoint(tmp_path / "m.safetensors", model))
    assert loaded.config == model.config
    assert not loaded.training
    assert torch.equal(loaded.logits(TOKENS), model.logits(TOKENS))


@pytest.mark.parametrize(
    "model",
    [
        NADE(4, 7, 3, generator=torch.Generator().manual_seed(0)),
        TiedBinaryNADE(4, 3, generator=torch.Generator().manual_seed(0)),
    ],
    ids=["NADE", "TiedBinaryNADE"],
)
def test_a_nade_comes_back_with_the_same_likelihoods(tmp_path, model):
    loaded = load_model(save_checkpoint(tmp_path / "m.safetensors", model))
    tokens = TOKENS % model.vocab_size
    assert torch.equal(loaded.log_prob(tokens), model.log_prob(tokens))


def test_float64_weights_stay_float64(tmp_path):
    model = decoder().double()
    loaded = load_model(save_checkpoint(tmp_path / "m.safetensors", model))
    assert loaded.logits(TOKENS).dtype == torch.float64
    assert torch.equal(loaded.logits(TOKENS), model.logits(TOKENS))


def test_a_tensor_with_two_names_is_stored_once_and_stays_tied(tmp_path):
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Linear(2, 2), nn.Linear(2, 2)
            self.second.weight = self.first.weight

    model, other = Tied(), Tied()
    checkpoint = load_checkpoint(save_checkpoint(tmp_path / "m.safetensors", model))
    assert sorted(checkpoint.weights) == ["first.bias", "first.weight", "second.bias"]
    checkpoint.load_into(other)
    assert other.second.weight is other.first.weight
    assert torch.equal(other.second.weight, model.first.weight)


def test_what_belongs_to_the_model_comes_back_with_it(tmp_path):
    checkpoint = load_checkpoint(saved(tmp_path))
    assert checkpoint.tokenizer == {"kind": "word", "unknown": False, "symbols": ["an", "é"]}
    assert checkpoint.training == {"step": 3}
    assert checkpoint.tensors["losses"].tolist() == [0, 1, 2]


def test_loading_leaves_the_global_generator_alone(tmp_path):
    path = saved(tmp_path)
    before = torch.get_rng_state()
    load_model(path)
    assert torch.equal(torch.get_rng_state(), before)


def test_a_folder_stands_for_its_best_model_and_else_for_its_last(tmp_path):
    last = save_checkpoint(tmp_path / checkpoints.LAST, decoder(1))
    assert load_checkpoint(tmp_path).path == last
    best = save_checkpoint(tmp_path / checkpoints.BEST, decoder(2))
    assert load_checkpoint(tmp_path).path == best
    assert load_checkpoint(tmp_path, prefer=checkpoints.LAST).path == last


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = saved(tmp_path)
    before = path.read_bytes()

    def fail(descriptor: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(checkpoints.os, "fsync", fail)
    with pytest.raises(OSError, match="full"):
        save_checkpoint(path, decoder(5))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_every_truncation_is_refused(tmp_path):
    content = saved(tmp_path).read_bytes()
    cut = tmp_path / "cut.safetensors"
    header = 8 + int.from_bytes(content[:8], "little")
    lengths = {
        *range(0, 20),
        *range(20, header, 37),
        header,
        *range(header, len(content), 199),
        len(content) - 1,
    }
    for length in sorted(lengths):
        cut.write_bytes(content[:length])
        with pytest.raises(CheckpointError, match=r"cut\.safetensors"):
            load_checkpoint(cut)


def test_an_altered_byte_is_refused_wherever_it_is(tmp_path):
    path = saved(tmp_path)
    content = path.read_bytes()
    header = 8 + int.from_bytes(content[:8], "little")
    generator = torch.Generator().manual_seed(0)
    refused = 0
    altered = tmp_path / "altered.safetensors"
    for trial in range(600):
        end = header if trial % 4 else len(content)
        place = int(torch.randint(end, (), generator=generator))
        change = int(torch.randint(1, 256, (), generator=generator))
        altered.write_bytes(content[:place] + bytes([content[place] ^ change]) + content[place + 1 :])
        try:
            loaded = load_checkpoint(altered)
        except CheckpointError:
            refused += 1
        else:
            assert same(loaded, load_checkpoint(path)), f"byte {place} changed by {change} went unnoticed"
    assert refused > 550


def same(a: checkpoints.Checkpoint, b: checkpoints.Checkpoint) -> bool:
    plain = all(
        getattr(a, name) == getattr(b, name)
        for name in ("model_class", "model_config", "tokenizer", "training")
    )
    tensors = all(
        x.keys() == y.keys() and all(torch.equal(x[key], y[key]) for key in x)
        for x, y in ((a.weights, b.weights), (a.tensors, b.tensors))
    )
    return plain and tensors


@pytest.mark.parametrize(
    "change", [lambda t: t[:, None], lambda t: t.view(torch.int64)], ids=["shape", "type"]
)
def test_the_same_bytes_as_a_tensor_of_another_shape_or_type_are_refused(tmp_path, change):
    path = saved(tmp_path)
    with safe_open(path, framework="pt") as file:
        metadata, tensors = file.metadata(), load_file(path)
    save_file(tensors, path, metadata=metadata)
    load_checkpoint(path)
    save_file(tensors | {"state.losses": change(tensors["state.losses"])}, path, metadata=metadata)
    with pytest.raises(CheckpointError, match="does not match its digest"):
        load_checkpoint(path)


@pytest.mark.parametrize(
    ("dtype", "weights", "mean"),
    [
        (torch.float16, [61_440.0, 61_440.0, 30_720.0], 51_200.0),
        (torch.float32, [1.0, 2.0**24, 1.0], 5_592_406.0),
    ],
    ids=["float16", "float32"],
)
def test_an_average_is_right_where_the_type_of_the_weights_has_not_their_sum(tmp_path, dtype, weights, mean):
    """Half precision reaches to 65,504, and float32 has no number between 2**24 and 2**24 + 2."""
    paths = []
    for number, weight in enumerate(weights):
        model = decoder().to(dtype)
        torch.nn.init.constant_(model.token_embedding.weight, weight)
        paths.append(save_checkpoint(tmp_path / f"{number}.safetensors", model))
    averaged = checkpoints.average_checkpoints(paths).weights["token_embedding.weight"]
    assert averaged.dtype == dtype and (averaged == mean).all()


@pytest.mark.parametrize("changes", [{"activation": "relu"}, {"dropout": 0.3, "norm_eps": 0.1}], ids=str)
def test_an_average_over_models_of_other_configurations_is_refused_and_says_where_they_differ(
    tmp_path, changes
):
    plain = {"d_model": 8, "n_heads": 2, "n_layers": 1, "activation": "gelu"}
    one, other = (
        save_checkpoint(tmp_path / f"{name}.safetensors", DecoderLM(TransformerConfig(7, 8, **config)))
        for name, config in (("one", plain), ("other", plain | changes))
    )
    with pytest.raises(CheckpointError, match=r"one\.safetensors holds another model than") as caught:
        checkpoints.average_checkpoints([one, other])
    said = str(caught.value).partition(": another ")[2]
    assert {*said.split(" and ")} == changes.keys()


def test_an_average_over_models_of_other_classes_or_tokenizers_is_refused(tmp_path):
    class Double(nn.Linear):
        def forward(self, x):
            return 2 * super().forward(x)

    paths = [
        save_checkpoint(tmp_path / f"{n}.safetensors", model)
        for n, model in enumerate((nn.Linear(2, 2), Double(2, 2)))
    ]
    with pytest.raises(CheckpointError, match=r": another class$"):
        checkpoints.average_checkpoints(paths)
    paths = [
        save_checkpoint(tmp_path / f"{letters}.safetensors", nn.Linear(2, 2), tokenizer={"kind": letters})
        for letters in ("ab", "ba")
    ]
    with pytest.raises(CheckpointError, match=r": another tokenizer$"):
        checkpoints.average_checkpoints(paths)


def write_pickle(path: Path) -> None:
    torch.save(decoder().state_dict(), path)


def write_old_pickle(path: Path) -> None:
    path.write_bytes(pickle.dumps({"weight": [1.0]}))


def write_plain_safetensors(path: Path) -> None:
    save_file({"weight": torch.zeros(2)}, path)


def write_foreign_header(path: Path) -> None:
    save_file({"weight": torch.zeros(2)}, path, metadata={"transformer_lib": "[1, 2]"})


def write_format(version: int, path: Path) -> None:
    header = json.dumps({"format_version": version, "model": None})
    save_file({"weight": torch.zeros(2)}, path, metadata={"transformer_lib": header})


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (write_pickle, "pickled"),
        (write_old_pickle, "pickled"),
        (write_plain_safetensors, "not a checkpoint of transformer_lib"),
        (write_foreign_header, "header cannot be read"),
        (partial(write_format, 1), "format 1, and .* reads format 2: load it with the version that wrote it"),
        (partial(write_format, 3), "format 3, and .* reads format 2: load it with the version that wrote it"),
        (lambda path: path.write_bytes(b""), "truncated, damaged, or not"),
        (lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100)), "truncated, damaged, or not"),
        (lambda path: path.write_text("{}", encoding="utf-8"), "truncated, damaged, or not"),
        (lambda path: path.mkdir(), "folder without a checkpoint"),
        (lambda path: None, "no such checkpoint"),
    ],
)
def test_what_is_not_a_checkpoint_is_refused_in_words(tmp_path, write, message):
    path = tmp_path / "other.pt"
    write(path)
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(path)


def test_an_untrusted_pickle_is_not_executed(tmp_path):
    class Harmful:
        def __reduce__(self):
            return Path.touch, (tmp_path / "executed",)

    path = tmp_path / "model.safetensors"
    path.write_bytes(pickle.dumps(Harmful()))
    with pytest.raises(CheckpointError):
        load_checkpoint(path)
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (lambda: decoder(d_model=16), "is float32.7, 8. in the file and float32.7, 16. in the model"),
        (lambda: decoder(n_layers=2), "missing .'stack.blocks.1"),
        (lambda: decoder(tie_embeddings=False), "missing .'head.weight'"),
        (lambda: decoder().double(), "float32.* in the file and float64"),
        (lambda: NADE(4, 7, 3), "cannot be loaded into a NADE"),
    ],
)
def test_weights_of_another_model_are_refused_and_the_model_stays_as_it_was(tmp_path, other, message):
    model = other()
    before = {key: value.clone() for key, value in model.state_dict().items()}
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(saved(tmp_path)).load_into(model)
    assert all(torch.equal(value, before[key]) for key, value in model.state_dict().items())


def test_a_configuration_that_builds_no_model_is_refused(tmp_path, monkeypatch):
    model = decoder()
    wrong = CONFIG.to_dict() | {"d_model": 9}
    monkeypatch.setattr(TransformerConfig, "to_dict", lambda self: wrong)
    path = save_checkpoint(tmp_path / "m.safetensors", model)
    with pytest.raises(CheckpointError, match="does not build a DecoderLM: d_model=9"):
        load_model(path)


def test_a_class_of_ones_own_is_saved_but_must_be_built_by_hand(tmp_path):
    class Mine(nn.Linear):
        pass

    model, other = Mine(2, 3), Mine(2, 3)
    path = save_checkpoint(tmp_path / "m.safetensors", model)
    with pytest.raises(CheckpointError, match="build the model yourself"):
        load_model(path)
    load_checkpoint(path).load_into(other)
    assert torch.equal(other.weight, model.weight)


def test_keys_that_are_numbers_come_back_as_texts(tmp_path):
    values = {n: n / 2 for n in range(12)}
    kept = {"at": values}
    checkpoint = load_checkpoint(
        save_checkpoint(tmp_path / "m.safetensors", decoder(), tokenizer=kept, training=kept)
    )
    assert checkpoint.tokenizer == checkpoint.training == {"at": {str(n): n / 2 for n in range(12)}}


def test_the_header_alone_is_read_where_that_is_enough(tmp_path):
    path = save_checkpoint(tmp_path / "m.safetensors", decoder(), training={"step": 3})
    assert checkpoints.read_header(path)["training"] == {"step": 3}
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert checkpoints.read_header(path)["training"] == {"step": 3}
    with pytest.raises(checkpoints.CheckpointError, match="digest"):
        load_checkpoint(path)


def test_a_write_that_safetensors_gives_up_is_an_error_of_the_file(tmp_path, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise checkpoints.SafetensorError("no space left on device")

    monkeypatch.setattr(checkpoints, "save_file", fail)
    with pytest.raises(OSError, match=r"m\.safetensors cannot be written: no space left"):
        save_checkpoint(tmp_path / "m.safetensors", decoder())
    assert list(tmp_path.iterdir()) == []


def test_only_files_with_a_step_are_snapshots(tmp_path):
    for name in ("step-100.safetensors", "step-9.safetensors", "step-100 copy.safetensors"):
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in checkpoints.snapshots(tmp_path)] == [
        "step-9.safetensors",
        "step-100.safetensors",
    ]


def test_a_stored_checkpoint_of_this_format_computes_what_it_did_when_it_was_saved():
    path = Path(__file__).parent / "sample" / "DecoderLM.safetensors"
    model, tensors = load_model(path), load_checkpoint(path).tensors
    with torch.no_grad():
        logits = model.logits(tensors["tokens"])
    torch.testing.assert_close(logits, tensors["logits"], rtol=1e-5, atol=1e-5)
