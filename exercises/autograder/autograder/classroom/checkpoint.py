"""The checkpoint of a project: a GPT-2 and its merges, computed without executing anything of its author's.

A folder holds ``model.safetensors`` and ``config.json`` in Hugging Face's layout, and ``merges.json``, the
pairs of tokens that byte-pair encoding joins, in their order. All three are data. What is computed, is
computed here, in double precision.
"""

import itertools
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

TYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_new": lambda x: F.gelu(x, approximate="tanh"),
}
PLAIN = {
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
    "add_cross_attention": False,
    "quantization_config": None,
}
PIECES = re.compile(r"\s?\S+|\s")
BEFORE = 10
"""The token that stands before a text: a line break."""

MOST_TEXT, MOST_MERGES, MOST_CONTEXT, MOST_BLOCKS, MOST_WIDTH = 4 << 20, 1 << 15, 1024, 64, 4096


class CheckpointError(ValueError):
    """A checkpoint that cannot be computed; the message says why."""


@dataclass(frozen=True)
class Checkpoint:
    """A GPT-2 with its tokenizer; ``size`` is the number of bytes of its file of weights."""

    tensors: Mapping[str, Tensor]
    merges: tuple[tuple[int, int], ...]
    n_heads: int
    n_blocks: int
    context: int
    width: int
    inner: int
    eps: float
    activation: str
    size: int
    parameters: int

    @classmethod
    def read(cls, folder: Path, most_bytes: int) -> "Checkpoint":
        """Read a folder, whose weights may have so many bytes.

        Raises
        ------
        CheckpointError
            If a file is missing, too large, or not what this module computes.
        """
        settings = _json(folder / "config.json")
        if not isinstance(settings, dict):
            raise CheckpointError("config.json holds no settings by name")
        merges = _merges(_json(folder / "merges.json"))
        content = _content(folder / "model.safetensors", most_bytes)
        stored = read_tensors(content)
        tensors = {name.removeprefix("transformer."): tensor for name, tensor in stored.items()}
        if len(tensors) < len(stored):
            raise CheckpointError("model.safetensors: a tensor is there with and without 'transformer.'")
        parameters = sum(tensor.numel() for tensor in tensors.values())
        if settings.get("model_type") != "gpt2":
            raise CheckpointError("config.json: model_type should be 'gpt2'")
        for name, right in PLAIN.items():
            if settings.get(name, right) not in (right, None):
                raise CheckpointError(f"config.json: {name} should be {right!r}, or left out")
        activation = settings.get("activation_function", "gelu_new")
        if not isinstance(activation, str) or activation not in ACTIVATIONS:
            raise CheckpointError(
                f"config.json: activation_function should be one of {', '.join(ACTIVATIONS)}"
            )
        eps = settings.get("layer_norm_epsilon", 1e-5)
        if not isinstance(eps, float) or not 0 < eps < 1:
            raise CheckpointError("config.json: layer_norm_epsilon should be a number between 0 and 1")
        width = _whole(settings, "n_embd", MOST_WIDTH)
        has_inner = settings.get("n_inner") is not None
        inner = _whole(settings, "n_inner", 4 * MOST_WIDTH) if has_inner else 4 * width
        made = cls(
            tensors=tensors,
            merges=merges,
            n_heads=_whole(settings, "n_head", width),
            n_blocks=_whole(settings, "n_layer", MOST_BLOCKS),
            context=_whole(settings, "n_positions", MOST_CONTEXT),
            width=width,
            inner=inner,
            eps=eps,
            activation=activation,
            size=len(content),
            parameters=parameters,
        )
        if settings.get("vocab_size") != made.vocabulary:
            raise CheckpointError(
                f"config.json: vocab_size should be {made.vocabulary}, 256 bytes and {len(merges)} merges"
            )
        if width % made.n_heads:
            raise CheckpointError("config.json: n_head should divide n_embd")
        made._check_shapes(is_tied=settings.get("tie_word_embeddings", True) is not False)
        return made

    @property
    def vocabulary(self) -> int:
        """The number of tokens."""
        return 256 + len(self.merges)

    @property
    def operations(self) -> float:
        """Operations of a training step for each token of a full window, as chapter 20 counts them."""
        blocks = self.n_blocks * (4 * self.width**2 + 2 * self.width * self.inner)
        pairs = 4 * self.context * self.n_blocks * self.width
        return 3 * (2 * blocks + pairs + 2 * self.width * self.vocabulary)

    def _check_shapes(self, is_tied: bool) -> None:
        d, m, v = self.width, self.inner, self.vocabulary
        expected: dict[str, tuple[int, ...]] = {"wte.weight": (v, d), "wpe.weight": (self.context, d)}
        expected |= {"ln_f.weight": (d,), "ln_f.bias": (d,)}
        for i in range(self.n_blocks):
            maps = {
                "attn.c_attn": (d, 3 * d),
                "attn.c_proj": (d, d),
                "mlp.c_fc": (d, m),
                "mlp.c_proj": (m, d),
            }
            for name, (rows, columns) in maps.items():
                expected |= {f"h.{i}.{name}.weight": (rows, columns), f"h.{i}.{name}.bias": (columns,)}
            expected |= {f"h.{i}.ln_{n}.{kind}": (d,) for n in (1, 2) for kind in ("weight", "bias")}
        if not is_tied or "lm_head.weight" in self.tensors:
            expected["lm_head.weight"] = (v, d)
        for name, shape in expected.items():
            if name not in self.tensors:
                raise CheckpointError(f"model.safetensors lacks {name}")
            if tuple(self.tensors[name].shape) != shape:
                found = tuple(self.tensors[name].shape)
                raise CheckpointError(f"model.safetensors: {name} should be {shape}, and is {found}")
        if more := sorted(self.tensors.keys() - expected.keys()):
            raise CheckpointError(f"model.safetensors: {more[0][:80]!r} is no tensor of this GPT-2")
        for name, tensor in self.tensors.items():
            if not tensor.isfinite().all():
                raise CheckpointError(f"model.safetensors: {name} is not finite")
        table = self.tensors["wte.weight"]
        if is_tied and not torch.equal(self.tensors.get("lm_head.weight", table), table):
            raise CheckpointError(
                "config.json: tie_word_embeddings should be false, since lm_head.weight is not wte.weight"
            )

    @torch.no_grad()
    def logits(self, tokens: Tensor) -> Tensor:
        """Scores (time, vocab) of the token after each place; tokens (time,), at most a context."""
        w, time, d = self.tensors, len(tokens), self.width

        def norm(x: Tensor, name: str) -> Tensor:
            return F.layer_norm(x, (d,), w[f"{name}.weight"], w[f"{name}.bias"], self.eps)

        def linear(x: Tensor, name: str) -> Tensor:
            return x @ w[f"{name}.weight"] + w[f"{name}.bias"]

        x = w["wte.weight"][tokens] + w["wpe.weight"][:time]
        for h in (f"h.{i}" for i in range(self.n_blocks)):
            qkv = linear(norm(x, f"{h}.ln_1"), f"{h}.attn.c_attn")
            q, k, v = (part.view(time, self.n_heads, -1).transpose(0, 1) for part in qkv.split(d, dim=1))
            heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + linear(heads.transpose(0, 1).reshape(time, d), f"{h}.attn.c_proj")
            inside = ACTIVATIONS[self.activation](linear(norm(x, f"{h}.ln_2"), f"{h}.mlp.c_fc"))
            x = x + linear(inside, f"{h}.mlp.c_proj")
        return norm(x, "ln_f") @ w.get("lm_head.weight", w["wte.weight"]).T

    def bits_per_byte(self, text: str) -> float:
        """Bits per byte of UTF-8; each token is scored once, behind half a context where there is one.

        The tokens join to the bytes of the text whatever the merges are, so no cut of it can make it cheaper
        than its bytes are.
        """
        tokens = torch.tensor(encode(text, self.merges))
        inputs = torch.cat([torch.tensor([BEFORE]), tokens[:-1]])
        half, nats = max(1, self.context // 2), 0.0
        for begin in range(0, len(tokens), half):
            end = min(begin + half, len(tokens))
            first = max(0, end - self.context)
            log_p = self.logits(inputs[first:end])[begin - first :].log_softmax(dim=-1)
            nats -= log_p.gather(1, tokens[begin:end, None]).sum().item()
        return nats / math.log(2) / len(text.encode())


def encode(text: str, merges: tuple[tuple[int, int], ...]) -> list[int]:
    """The tokens of a text: its pieces' bytes, joined by the merges in their order."""
    ranks = {pair: rank for rank, pair in reversed(list(enumerate(merges)))}
    known: dict[str, list[int]] = {}
    tokens: list[int] = []
    for piece in PIECES.findall(text):
        if piece not in known:
            known[piece] = _joined(list(piece.encode()), ranks)
        tokens += known[piece]
    return tokens


def _joined(tokens: list[int], ranks: Mapping[tuple[int, int], int]) -> list[int]:
    """A pair of a later merge cannot make one of an earlier merge, so the lowest rank comes first."""
    while True:
        rank = min((ranks[pair] for pair in itertools.pairwise(tokens) if pair in ranks), default=None)
        if rank is None:
            return tokens
        joined: list[int] = []
        last = -1
        for token in tokens:
            if joined and ranks.get((last, token)) == rank:
                joined[-1] = last = 256 + rank
            else:
                joined.append(token)
                last = token
        tokens = joined


def read_tensors(content: bytes) -> dict[str, Tensor]:
    """The tensors of a safetensors file, in double precision.

    Raises
    ------
    CheckpointError
        If the file is not in this format, or has tensors of other types than floats.
    """
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or not 2 <= size <= min(MOST_TEXT, len(content) - 8):
        raise CheckpointError("model.safetensors is no file in this format")
    header = _parsed(content[8 : 8 + size], "the head of model.safetensors")
    if not isinstance(header, dict):
        raise CheckpointError("the head of model.safetensors holds no tensors by name")
    header.pop("__metadata__", None)
    body, tensors = content[8 + size :], {}
    places = []
    for name, entry in header.items():
        about = f"model.safetensors: {name[:80]!r}"
        if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
            raise CheckpointError(f"{about} is not described as a tensor")
        dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
        if not isinstance(dtype, str) or dtype not in TYPES:
            raise CheckpointError(f"{about} should be of floats: {', '.join(TYPES)}")
        if not _wholes(shape) or not 1 <= len(shape) <= 2 or min(shape) < 1:
            raise CheckpointError(f"{about} should have one or two axes")
        if not _wholes(offsets) or len(offsets) != 2:
            raise CheckpointError(f"{about} has no place in the file")
        begin, end = offsets
        wanted = math.prod(shape) * TYPES[dtype].itemsize
        if not 0 <= begin <= end <= len(body) or end - begin != wanted:
            raise CheckpointError(f"{about} does not fit its place in the file")
        places.append((begin, end))
        flat = torch.frombuffer(bytearray(body[begin:end]), dtype=TYPES[dtype])
        tensors[name] = flat.reshape(shape).double()
    places.sort()
    if [0, *(end for _, end in places)] != [*(begin for begin, _ in places), len(body)]:
        raise CheckpointError("model.safetensors: tensors overlap, or there are bytes between them")
    return tensors


def _wholes(value: Any) -> bool:
    return isinstance(value, list) and all(type(n) is int for n in value)


def _whole(settings: Mapping[str, Any], name: str, most: int) -> int:
    value = settings.get(name)
    if type(value) is not int or not 1 <= value <= most:
        raise CheckpointError(f"config.json: {name} should be a whole number from 1 to {most:,}")
    return value


def _merges(found: Any) -> tuple[tuple[int, int], ...]:
    if not isinstance(found, list) or len(found) > MOST_MERGES:
        raise CheckpointError(f"merges.json should hold a list of at most {MOST_MERGES:,} pairs")
    for new, pair in enumerate(found, start=256):
        if not _wholes(pair) or len(pair) != 2 or not all(0 <= token < new for token in pair):
            raise CheckpointError(f"merges.json: the pair of token {new} should be two earlier tokens")
    return tuple((left, right) for left, right in found)


def _content(path: Path, most: int) -> bytes:
    if path.is_symlink() or not path.is_file():
        raise CheckpointError(f"there is no file {path.name}")
    try:
        if (size := path.stat().st_size) > most:
            raise CheckpointError(f"{path.name} has {size:,} bytes; at most {most:,} are allowed")
        return path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path.name} cannot be read: {error.strerror}") from None


def _json(path: Path) -> Any:
    return _parsed(_content(path, MOST_TEXT), path.name)


def _parsed(content: bytes, name: str) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{name} is not JSON: {str(error)[:200]}") from None
