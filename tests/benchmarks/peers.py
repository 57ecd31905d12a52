"""The same models by other hands, with random weights and without dropout."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import GPT2Config, GPT2LMHeadModel, MarianConfig, MarianMTModel
from x_transformers import Decoder, TransformerWrapper

from transformer_lib.recurrent.language_model import LSTM, RecurrentConfig
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.positions import sinusoids

SAME_SIZE = 0.02


@dataclass(frozen=True)
class Size:
    """A shape, and the batch that it is trained with."""

    vocab_size: int
    n_layers: int
    n_heads: int
    d_model: int
    time: int
    batch: int


LANGUAGE_MODELS = {
    "0.8M": Size(65, 4, 4, 128, 128, 32),
    "10.8M": Size(65, 6, 6, 384, 256, 8),
    "124M": Size(50257, 12, 12, 768, 1024, 8),
    "quick": Size(65, 2, 2, 64, 16, 4),
}
TRANSLATORS = {"7.6M": Size(8000, 3, 8, 256, 32, 32), "quick": Size(65, 1, 2, 64, 8, 4)}


def ours(size: Size, context_length: int | None = None) -> nn.Module:
    config = TransformerConfig(
        vocab_size=size.vocab_size,
        context_length=context_length or size.time,
        d_model=size.d_model,
        n_heads=size.n_heads,
        n_layers=size.n_layers,
    )
    return DecoderLM(config, generator=torch.Generator().manual_seed(0))


def lstm(size: Size, context_length: int | None = None) -> nn.Module:
    """Two layers, as wide as the parameters of :func:`ours` allow."""
    n_parameters = sum(parameter.numel() for parameter in ours(size, context_length).parameters())
    per_width = size.vocab_size + 16
    width = round((math.sqrt(per_width**2 + 64 * n_parameters) - per_width) / 32)
    return LSTM(RecurrentConfig(vocab_size=size.vocab_size, d_model=width, n_layers=2))


class TorchEncoder(nn.Module):
    """PyTorch's own blocks, made causal."""

    def __init__(self, size: Size, context_length: int | None = None) -> None:
        super().__init__()
        n, d = context_length or size.time, size.d_model
        self.tokens, self.positions = nn.Embedding(size.vocab_size, d), nn.Embedding(n, d)
        layer = nn.TransformerEncoderLayer(
            d, size.n_heads, 4 * d, 0.0, "gelu", batch_first=True, norm_first=True, bias=False
        )
        self.blocks = nn.TransformerEncoder(
            layer, size.n_layers, norm=nn.LayerNorm(d, bias=False), enable_nested_tensor=False
        )
        self.register_buffer("mask", nn.Transformer.generate_square_subsequent_mask(n))

    def forward(self, tokens: Tensor) -> Tensor:
        time = tokens.shape[1]
        x = self.tokens(tokens) + self.positions.weight[:time]
        x = self.blocks(x, mask=self.mask[:time, :time], is_causal=True)
        return F.linear(x, self.tokens.weight)


class Gpt2(GPT2LMHeadModel):
    """Hugging Face's GPT-2 on fused attention."""

    def __init__(self, size: Size, context_length: int | None = None) -> None:
        config = GPT2Config(
            vocab_size=size.vocab_size,
            n_positions=context_length or size.time,
            n_embd=size.d_model,
            n_layer=size.n_layers,
            n_head=size.n_heads,
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            bos_token_id=0,
            eos_token_id=0,
            attn_implementation="sdpa",
        )
        super().__init__(config)


def x_transformer(size: Size, context_length: int | None = None) -> nn.Module:
    decoder = Decoder(
        dim=size.d_model,
        depth=size.n_layers,
        heads=size.n_heads,
        attn_dim_head=size.d_model // size.n_heads,
        attn_flash=True,
        ff_no_bias=True,
    )
    return TransformerWrapper(
        num_tokens=size.vocab_size,
        max_seq_len=context_length or size.time,
        attn_layers=decoder,
        tie_embedding=True,
    )


def our_translator(size: Size) -> nn.Module:
    config = TransformerConfig.preset(
        "base",
        vocab_size=size.vocab_size,
        d_model=size.d_model,
        n_heads=size.n_heads,
        n_layers=size.n_layers,
        dropout=0.0,
        attention_bias=True,
        norm_eps=1e-5,
        norm_eps_on="variance",
    )
    return EncoderDecoder(config, generator=torch.Generator().manual_seed(0))


class TorchTransformer(nn.Module):
    """PyTorch's encoder-decoder, with one embedding for all three uses."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        d = size.d_model
        self.embedding = nn.Embedding(size.vocab_size, d)
        self.body = nn.Transformer(
            d, size.n_heads, size.n_layers, size.n_layers, 4 * d, 0.0, batch_first=True
        )
        self.register_buffer("positions", sinusoids(size.time, d).float())
        self.register_buffer("mask", nn.Transformer.generate_square_subsequent_mask(size.time))

    def forward(self, source: Tensor, inputs: Tensor) -> Tensor:
        source, inputs = (
            self.embedding(tokens) * self.positions.shape[1] ** 0.5 + self.positions[: tokens.shape[1]]
            for tokens in (source, inputs)
        )
        x = self.body(source, inputs, tgt_mask=self.mask, tgt_is_causal=True)
        return F.linear(x, self.embedding.weight)


class Marian(MarianMTModel):
    """Hugging Face's translator on fused attention."""

    def __init__(self, size: Size) -> None:
        width = {f"{side}_ffn_dim": 4 * size.d_model for side in ("encoder", "decoder")}
        layers = {f"{side}_layers": size.n_layers for side in ("encoder", "decoder")}
        heads = {f"{side}_attention_heads": size.n_heads for side in ("encoder", "decoder")}
        config = MarianConfig(
            **width,
            **layers,
            **heads,
            vocab_size=size.vocab_size,
            d_model=size.d_model,
            dropout=0.0,
            max_position_embeddings=512,
            activation_function="relu",
            scale_embedding=True,
            pad_token_id=0,
            decoder_start_token_id=0,
            eos_token_id=1,
            forced_eos_token_id=None,
            attn_implementation="sdpa",
        )
        super().__init__(config)


LANGUAGE_PEERS: dict[str, Callable[..., nn.Module]] = {
    "ours": ours,
    "torch.nn.TransformerEncoder": TorchEncoder,
    "Hugging Face GPT-2": Gpt2,
    "x-transformers": x_transformer,
    "nn.LSTM": lstm,
}
TRANSLATION_PEERS: dict[str, Callable[..., nn.Module]] = {
    "ours": our_translator,
    "torch.nn.Transformer": TorchTransformer,
    "Hugging Face Marian": Marian,
}


def logits_of(model: nn.Module, *inputs: Tensor) -> Tensor:
    """The logits for tokens, or for source and target tokens, whatever else the model returns."""
    if isinstance(model, Gpt2):
        return model(*inputs, use_cache=False).logits
    if isinstance(model, Marian):
        source, targets = inputs
        return model(input_ids=source, decoder_input_ids=targets, use_cache=False).logits
    return model(*inputs)


@torch.no_grad()
def check_sameness(models: dict[str, nn.Module], *inputs: Tensor) -> None:
    """Refuse peers of another size, or whose predictions know the future."""
    sizes = {
        name: sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)
        for name, model in models.items()
    }
    for name, model in models.items():
        if abs(sizes[name] / sizes["ours"] - 1) > SAME_SIZE:
            raise AssertionError(f"{name} has {sizes[name]} parameters, ours {sizes['ours']}")
        changed = inputs[-1].clone()
        changed[:, -1] = (changed[:, -1] + 1) % 3
        before, after = logits_of(model, *inputs), logits_of(model, *inputs[:-1], changed)
        if (before - after)[:, :-1].abs().max() > 1e-4 or (before - after)[:, -1].abs().max() == 0:
            raise AssertionError(f"{name} is not causal")
