"""What decays is decided by a parameter's role; an optimizer is restored without a whole run."""

import subprocess
import sys
from dataclasses import replace

import pytest
import torch
from model_cases import CASES, SHAPE
from torch import nn

from transformer_lib.density.baselines import FeedforwardHistory, FullyVisibleSigmoid
from transformer_lib.training import (
    LAST,
    CheckpointError,
    TrainingConfig,
    language_model_loss,
    load_checkpoint,
    load_optimizer,
    optimizers,
    parameter_groups,
    save_checkpoint,
    train,
)
from transformer_lib.training import optimizer as optimizer_module
from transformer_lib.training.models import MODELS
from transformer_lib.transformer.language_model import DecoderLM

BLOCK = "attention.qkv attention.output feed_forward.up feed_forward.down"
CROSS = f"{BLOCK} cross_attention.qkv cross_attention.output"
XL = "attention.query attention.key attention.value attention.distance_key attention.output"
XL += " feed_forward.up feed_forward.down"
CONV = "gated mix"


CONFIG = TrainingConfig(optimizer="muon", learning_rate=0.1, weight_decay=0.3)


class Holder(nn.Linear):
    """A linear map with this matrix, and no more."""

    def __init__(self, matrix: nn.Parameter) -> None:
        super().__init__(*matrix.T.shape, bias=False)
        self.weight = matrix


def of(place: str, names: str, n: int = 1) -> set[str]:
    """The weights of these modules in `n` numbered parts at a place."""
    return {f"{place}.{number}.{name}.weight" for number in range(n) for name in names.split()}


KERNELS = {f"stack.layers.{n}.kernel.weight_{kind}_l0" for n in (0, 1) for kind in ("ih", "hh")}
DECAYING = {
    "DecoderLM": of("stack.blocks", BLOCK),
    "Encoder": of("stack.blocks", BLOCK),
    "Classifier": of("encoder.stack.blocks", BLOCK) | {"head.weight"},
    "EncoderDecoder": of("encoder.stack.blocks", BLOCK) | of("decoder.stack.blocks", CROSS),
    "RNN": KERNELS,
    "LSTM": KERNELS,
    "AblatedLSTM": of("stack.layers", "gates", 2),
    "Seq2Seq": {
        *("encoder.kernel.weight_ih_l0", "encoder.kernel.weight_hh_l0"),
        *("decoder.layers.0.kernel.weight_ih_l0", "decoder.layers.0.kernel.weight_hh_l0"),
        *("alignment.key_projection.weight", "alignment.query_projection.weight", "alignment.score.weight"),
        *("join.weight", "head.weight"),
    },
    "CausalConvLM": of("blocks", CONV, 6) | {"hidden.weight", "head.weight"},
    "TransformerXL": of("stack.blocks", XL, 4),
    "ImageTransformer": of("stack.blocks", BLOCK),
    "CrossModalClassifier": (
        of("image_stack.blocks", BLOCK)
        | of("question_encoder.stack.blocks", BLOCK)
        | of("stack.blocks", CROSS)
    )
    | {"patch_embedding.weight", "head.weight"},
    "NADE": {"V", "output"},
    "TiedBinaryNADE": {"V", "W"},
    "VQVAE": {f"{half}.{n}.weight" for half in ("encoder", "decoder") for n in (0, 2, 4)}
    | of("prior.blocks", CONV, 6)
    | {"prior.hidden.weight", "prior.head.weight"},
}


def decaying(model: nn.Module) -> set[str]:
    """The names of the parameters that decay; the groups must hold each parameter once."""
    groups = parameter_groups(model, 0.3)
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    everything = [names[id(parameter)] for group in groups for parameter in group["params"]]
    assert sorted(everything) == sorted(names.values())
    assert {group["weight_decay"] for group in groups} <= {0.3, 0.0} and all(g["params"] for g in groups)
    return {names[id(p)] for group in groups if group["weight_decay"] for p in group["params"]}


def test_each_class_has_its_row():
    assert DECAYING.keys() == MODELS.keys()


@pytest.mark.parametrize("name", DECAYING)
def test_linear_maps_decay_and_tables_biases_gains_and_states_do_not(name):
    assert decaying(CASES[name](torch.Generator().manual_seed(0))) == DECAYING[name]


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (lambda: DecoderLM(replace(SHAPE, positions="relative")), of("stack.blocks", BLOCK)),
        (
            lambda: DecoderLM(replace(SHAPE, bias=True, tie_embeddings=False)),
            of("stack.blocks", BLOCK) | {"head.weight"},
        ),
        (lambda: FullyVisibleSigmoid(4), {"w"}),
        (lambda: FeedforwardHistory(5, 3, 2), {"V", "W"}),
        (lambda: nn.MultiheadAttention(4, 2, add_bias_kv=True), {"in_proj_weight", "out_proj.weight"}),
        (lambda: nn.Sequential(nn.LayerNorm((2, 3)), nn.Conv1d(2, 2, 2)), {"1.weight"}),
    ],
    ids=["relative", "untied", "sigmoid", "history", "torch attention", "two-dimensional gain"],
)
def test_further_models_decay_by_the_same_rule(model, expected):
    assert decaying(model()) == expected


def test_a_parameter_that_is_no_weight_of_a_linear_map_decays_if_its_module_says_so():
    class Own(nn.Module):
        decays = ("matrix",)

        def __init__(self):
            super().__init__()
            self.matrix, self.rows = nn.Parameter(torch.ones(2, 2)), nn.Parameter(torch.ones(2, 2))
            self.table, self.head = nn.Embedding(2, 2), nn.Linear(2, 2)
            self.head.weight = self.table.weight

    assert decaying(nn.Sequential(Own())) == {"0.matrix"}
    frozen = Own()
    frozen.matrix.requires_grad_(False)
    assert len(parameter_groups(frozen, 0.3)) == 1


def test_weight_decay_and_eps_reach_the_update():
    """Without a gradient only what decays shrinks; with a gradient g the first update is lr g / (g + eps)."""
    config = TrainingConfig(steps=1, learning_rate=0.5, warmup_steps=0, schedule="constant", device="cpu")
    batches = type("Same", (), {"batch": lambda self, step: torch.ones(1, 2)})()
    linear = nn.Linear(2, 1)
    nn.init.ones_(linear.weight), nn.init.ones_(linear.bias)
    decays = replace(config, weight_decay=0.1)
    train(linear, lambda model, x: (0 * model(x)).sum(), batches, decays, progress=False)
    assert linear.weight.tolist() == [pytest.approx([0.95, 0.95])] and linear.bias.tolist() == [1.0]
    for eps, moved in ((1e-8, 0.5), (3.0, 0.5 / 4)):
        nn.init.zeros_(linear.bias)
        settings = replace(config, weight_decay=0.0, clip_norm=None, eps=eps)
        train(linear, lambda model, x: model(x).sum(), batches, settings, progress=False)
        assert linear.bias.item() == pytest.approx(-moved)


class Wide(nn.Module):
    """A linear map of 3 to 5 numbers and a table; the loss is linear in both, so the gradients are given."""

    def __init__(self, gradient: torch.Tensor) -> None:
        super().__init__()
        self.map, self.table, self.gradient = nn.Linear(3, 5), nn.Embedding(2, 3), gradient

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (self.map.weight * self.gradient).sum() + self.map.bias.sum() + self.table.weight.sum()


def test_muon_moves_a_matrix_equally_in_all_directions_and_the_rest_as_adamw_does():
    u, _ = torch.linalg.qr(torch.randn(5, 3, generator=torch.Generator().manual_seed(1)))
    v, _ = torch.linalg.qr(torch.randn(3, 3, generator=torch.Generator().manual_seed(2)))
    gradient = u @ torch.diag(torch.tensor([9.0, 3.0, 1.0])) @ v.T
    config = TrainingConfig(
        steps=1, learning_rate=0.1, warmup_steps=0, schedule="constant", weight_decay=0.5, clip_norm=None,
        device="cpu",
    )  # fmt: skip
    batches = type("Same", (), {"batch": lambda self, step: torch.ones(1)})()
    moved = {}
    for optimizer in ("adamw", "muon"):
        model = Wide(gradient)
        before = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
        settings = replace(config, optimizer=optimizer)
        train(model, lambda model, x: model(x), batches, settings, progress=False)
        moved[optimizer] = {name: p.detach() - before[name] for name, p in model.named_parameters()}
        if optimizer == "muon":
            step = moved[optimizer]["map.weight"] + 0.1 * 0.5 * before["map.weight"]
    for name in ("map.bias", "table.weight"):
        assert torch.allclose(moved["muon"][name], torch.tensor(-0.1), atol=1e-6)
        assert torch.allclose(moved["adamw"][name], moved["muon"][name], atol=1e-6)
    along = -u.T @ step @ v / (0.1 * 0.2 * 5**0.5)
    assert (along.diagonal() > 0.6).all() and (along.diagonal() < 1.3).all()
    assert (along - along.diagonal().diag()).abs().max() < 0.05, "bfloat16 inside"
    assert (step - u @ (u.T @ step)).abs().max() < 1e-3


@pytest.mark.parametrize(
    "name", ["DecoderLM", "EncoderDecoder", "TiedBinaryNADE", "VQVAE", "Classifier", "CausalConvLM"]
)
def test_muon_gets_the_matrices_that_decay_but_for_a_head_and_adamw_all_else(name):
    model = CASES[name](torch.Generator().manual_seed(0))
    config = TrainingConfig(optimizer="muon", weight_decay=0.3)
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    muon, adamw = (
        {names[id(p)] for group in optimizer.param_groups for p in group["params"]}
        for optimizer in optimizers(model, config)
    )
    hidden = {key for key in DECAYING[name] if "head." not in key}
    assert muon == {key for key in hidden if model.get_parameter(key).ndim == 2}
    assert muon | adamw == set(names.values()) and not muon & adamw
    rest = optimizers(model, config)[1].param_groups
    decay = {names[id(p)] for group in rest if group["weight_decay"] == 0.3 for p in group["params"]}
    assert decay == DECAYING[name] - muon


@pytest.mark.parametrize("shape", [(8, 8), (24, 8), (8, 24), (1, 5), (5, 1)])
def test_muon_on_a_processor_takes_the_steps_of_pytorchs_within_the_rounding_of_bfloat16(shape):
    both = []
    for is_ours in (False, True):
        matrix = nn.Parameter(torch.linspace(-1, 1, shape[0] * shape[1]).reshape(shape))
        settings = {"lr": 0.1, "weight_decay": 0.3, "adjust_lr_fn": "match_rms_adamw"}
        muon = optimizers(Holder(matrix), CONFIG)[0] if is_ours else torch.optim.Muon([matrix], **settings)
        generator = torch.Generator().manual_seed(0)
        for _ in range(3):
            matrix.grad = torch.randn(shape, generator=generator)
            muon.step()
        both.append((matrix.detach(), muon.state[matrix]["momentum_buffer"]))
    (theirs, their_mean), (ours, our_mean) = both
    assert torch.equal(our_mean, their_mean)
    move = 0.1 * 0.2 * max(shape) ** 0.5 * 3
    assert (ours - theirs).abs().max() < 0.02 * move


def test_muon_on_a_processor_multiplies_in_float32():
    matrix = nn.Parameter(torch.zeros(6, 4))
    matrix.grad = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
    (muon,) = optimizers(Holder(matrix), replace(CONFIG, weight_decay=0.0))
    x = (matrix.grad / matrix.grad.norm()).double().T
    for _ in range(5):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    closed = muon.step(lambda: torch.tensor(7.0))
    assert closed == 7
    torch.testing.assert_close(matrix.detach().double(), -0.1 * 0.2 * 6**0.5 * x.T, rtol=1e-4, atol=1e-6)


def test_muon_of_a_bfloat16_matrix_multiplies_in_float32_too(monkeypatch):
    seen = []
    made = optimizer_module._orthogonalized
    monkeypatch.setattr(
        optimizer_module, "_orthogonalized", lambda x, *rest: seen.append(x.dtype) or made(x, *rest)
    )
    matrix = nn.Parameter(torch.zeros(6, 4, dtype=torch.bfloat16))
    matrix.grad = torch.randn(6, 4, generator=torch.Generator().manual_seed(0)).bfloat16()
    (muon,) = optimizers(Holder(matrix), CONFIG)
    muon.step()
    assert seen == [torch.float32] and matrix.dtype == torch.bfloat16 and matrix.abs().sum() > 0


def test_muon_is_refused_where_there_is_no_matrix_to_move():
    with pytest.raises(
        ValueError, match="'muon' is for the matrices of linear maps, and this model has none"
    ):
        optimizers(nn.LayerNorm(3), TrainingConfig(optimizer="muon"))
    whole = nn.Linear(2, 3, bias=False)
    (alone,) = optimizers(whole, TrainingConfig(optimizer="muon"))
    assert isinstance(alone, torch.optim.Muon)


OWN_LOOP = """
import sys
import torch
from transformer_lib.training import (
    language_model_loss, load_checkpoint, load_optimizer, parameter_groups, save_checkpoint
)
from transformer_lib.transformer.language_model import DecoderLM, TransformerConfig

def build(seed):
    model = DecoderLM(TransformerConfig(7, 8, d_model=8, n_heads=2, n_layers=1, tie_embeddings=False),
                      generator=torch.Generator().manual_seed(seed))
    return model, torch.optim.AdamW(parameter_groups(model, 0.1), lr=1e-2)

def steps(model, optimizer, numbers):
    for number in numbers:
        tokens = (torch.arange(9) * (number + 1) % 7)[None]
        loss = language_model_loss(model, (tokens[:, :-1], tokens[:, 1:]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

mode, path = sys.argv[1:]
if mode == "begin":
    model, optimizer = build(0)
    steps(model, optimizer, range(4))
    save_checkpoint(path, model, optimizer=optimizer)
    steps(model, optimizer, range(4, 7))
else:
    model, optimizer = build(1)
    checkpoint = load_checkpoint(path)
    checkpoint.load_into(model)
    load_optimizer(checkpoint, model, optimizer)
    steps(model, optimizer, range(4, 7))
print([parameter.double().sum().item().hex() for parameter in model.parameters()])
"""


@pytest.mark.slow
def test_a_loop_of_ones_own_goes_on_bit_for_bit_in_another_process(tmp_path):
    printed = [
        subprocess.run(
            [sys.executable, "-c", OWN_LOOP, mode, str(tmp_path / "own.safetensors")],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for mode in ("begin", "go on")
    ]
    assert printed[0] == printed[1] != ""


def layers(width: int = 3) -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(2, width), nn.Linear(width, 2))


def stepped(model: nn.Module, kind=torch.optim.AdamW, parameters=None, **options) -> torch.optim.Optimizer:
    """An optimizer that has made one step of the model's second layer only."""
    optimizer = kind(model.parameters() if parameters is None else parameters, lr=0.1, **options)
    model[1](torch.ones(1, model[1].in_features)).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
    return optimizer


def saved(folder, optimizer_kind=torch.optim.AdamW, **options):
    model = layers()
    optimizer = stepped(model, optimizer_kind, **options)
    return load_checkpoint(save_checkpoint(folder / "own.safetensors", model, optimizer=optimizer))


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (torch.optim.AdamW, {"fused": True}),
        (torch.optim.SGD, {"momentum": 0.9}),
        (torch.optim.Adafactor, {}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_moments_come_back_whatever_the_optimizer_and_its_options_stay(tmp_path, kind, options):
    checkpoint, model = saved(tmp_path, kind, **options), layers()
    optimizer = kind(
        [{"params": model[1].parameters(), "weight_decay": 0.7}, {"params": model[0].parameters()}],
        lr=0.03,
        **options,
    )
    load_optimizer(checkpoint, model, optimizer)
    before = stepped(layers(), kind, **options)
    old, new = before.state, optimizer.state
    assert not any(parameter in new for parameter in model[0].parameters())
    for one, other in zip(list(before.param_groups[0]["params"])[2:], model[1].parameters(), strict=True):
        assert old[one].keys() == new[other].keys()
        for key, value in old[one].items():
            if value is not None:
                assert torch.equal(value, new[other][key])
    assert optimizer.param_groups[0]["weight_decay"] == 0.7 and optimizer.param_groups[0]["lr"] == 0.03


def test_the_moments_of_a_run_can_be_taken_over(tmp_path):
    tokens = torch.arange(5)[None]
    batches = type("Same", (), {"batch": lambda self, step: (tokens, tokens)})()
    model = DecoderLM(SHAPE)
    config = TrainingConfig(steps=2, device="cpu")
    train(model, language_model_loss, batches, config, run_dir=tmp_path, progress=False)
    optimizer = torch.optim.AdamW(parameter_groups(model, 0.1))
    checkpoint = load_checkpoint(tmp_path / LAST)
    load_optimizer(checkpoint, model, optimizer)
    name, parameter = next(iter(model.named_parameters()))
    assert torch.equal(optimizer.state[parameter]["exp_avg"], checkpoint.tensors[f"optimizer.exp_avg.{name}"])


def test_the_moments_of_muon_are_refused_by_adamw(tmp_path):
    tokens = torch.arange(5)[None]
    batches = type("Same", (), {"batch": lambda self, step: (tokens, tokens)})()
    model, config = DecoderLM(SHAPE), TrainingConfig(steps=2, device="cpu", optimizer="muon")
    train(model, language_model_loss, batches, config, run_dir=tmp_path, progress=False)
    checkpoint = load_checkpoint(tmp_path / LAST)
    with pytest.raises(CheckpointError, match="holds the state of Muon; it cannot be loaded into AdamW"):
        load_optimizer(checkpoint, model, torch.optim.AdamW(model.parameters()))
    both = optimizers(model, config)
    with pytest.raises(CheckpointError, match="which does not fit this optimizer"):
        load_optimizer(checkpoint, model, torch.optim.Muon(both[0].param_groups[0]["params"]))
    swapped = [
        torch.optim.Muon(both[0].param_groups[0]["params"][1:]),
        torch.optim.AdamW(model.parameters()),
    ]
    with pytest.raises(CheckpointError, match="which does not fit this optimizer"):
        load_optimizer(checkpoint, model, *swapped)
    load_optimizer(checkpoint, model, *both)
    assert all(
        len(optimizer.state) == sum(len(g["params"]) for g in optimizer.param_groups) for optimizer in both
    )


def test_a_loop_of_ones_own_saves_both_optimizers_of_muon(tmp_path):
    model, config = layers(), TrainingConfig(optimizer="muon", learning_rate=0.1)
    both = optimizers(model, config)
    for optimizer in both:
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
    path = save_checkpoint(tmp_path / "own.safetensors", model, optimizer=both, training={"config": "mine"})
    fresh = optimizers(model, config)
    load_optimizer(load_checkpoint(path), model, *fresh)
    for old, new in zip(both, fresh, strict=True):
        assert old.state.keys() == new.state.keys() and len(old.state) == 2
        assert all(
            torch.equal(value, new.state[key][name])
            for key, moments in old.state.items()
            for name, value in moments.items()
        )


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: (layers(4), torch.optim.AdamW), r"state of 1\.weight, which does not fit"),
        (lambda: (nn.Sequential(layers(), layers()), torch.optim.AdamW), r"state of 1\..*does not fit"),
        (lambda: (layers(), torch.optim.SGD), "holds the state of AdamW; it cannot be loaded into SGD"),
    ],
    ids=["shape", "names", "class"],
)
def test_moments_of_another_model_or_optimizer_are_refused_and_change_nothing(tmp_path, build, message):
    model, kind = build()
    optimizer = kind(model.parameters(), lr=0.1)
    with pytest.raises(CheckpointError, match=message):
        load_optimizer(saved(tmp_path), model, optimizer)
    assert not optimizer.state


def test_a_parameter_that_the_optimizer_lacks_is_named(tmp_path):
    checkpoint, model = saved(tmp_path), layers()
    with pytest.raises(CheckpointError, match=r"state of 1\.\w+, which does not fit this optimizer"):
        load_optimizer(checkpoint, model, torch.optim.AdamW(model[0].parameters()))


def test_a_checkpoint_without_moments_and_an_optimizer_that_cannot_be_saved_are_refused(tmp_path):
    model, path = layers(), tmp_path / "own.safetensors"
    optimizer = torch.optim.AdamW(model.parameters())
    for saving in ({}, {"optimizer": optimizer}):
        checkpoint = load_checkpoint(save_checkpoint(path, model, **saving))
        with pytest.raises(CheckpointError, match="holds no state of an optimizer"):
            load_optimizer(checkpoint, model, optimizer)
    assert not optimizer.state, "saving makes no step"
    with pytest.raises(ValueError, match="parameters that are not the model's"):
        save_checkpoint(path, model, optimizer=torch.optim.AdamW(layers().parameters()))
    optimizer = stepped(model)
    optimizer.state[model[1].bias]["history"] = [1, 2]
    with pytest.raises(ValueError, match=r"optimizer\.history\.1\.bias is no tensor but \[1, 2\]"):
        save_checkpoint(path, model, optimizer=optimizer)
