"""The models that chapter 3 builds on its page are those of the library: scores, losses and gradients."""

import json
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.density.vqvae import VQVAE, VQVAEConfig, vqvae_loss
from transformer_lib.experiments.chapter_03 import digit_models

CHAPTER = Path(__file__).resolve().parents[4] / "chapters" / "03_in_the_wild.ipynb"


def on_the_page(*starts: str) -> dict[str, Any]:
    """What the chapter's cells define that hold these lines; a definition's example is left out."""
    names: dict[str, Any] = {"torch": torch, "nn": nn, "F": F}
    cells = json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    for start in starts:
        found = [source for source in sources if start in source]
        assert len(found) == 1, f"the chapter defines {start!r} once"
        exec(found[0].split("\n\n\ncodebook = ")[0], names)
    return names


def test_the_wavenet_of_the_page_is_the_library_s() -> None:
    dilations = (1, 2, 4)
    ours = on_the_page("class WaveNet(nn.Module)")["WaveNet"](5, 8, dilations).double()
    library = CausalConvLM(ConvConfig(5, d_model=8, stack_depth=len(dilations))).double()
    with torch.no_grad():
        library.token_embedding.weight.copy_(ours.embed.weight)
        for theirs, layer in zip(library.blocks, ours.layers, strict=True):
            theirs.gated.weight.copy_(layer.gated.weight)
            theirs.mix.weight.copy_(layer.mix.weight[..., 0])
        library.hidden.weight.copy_(ours.hidden.weight[..., 0])
        library.head.weight.copy_(ours.head.weight[..., 0])
    x = torch.randint(5, (4, 20), generator=torch.Generator().manual_seed(0))
    log_probs = -F.cross_entropy(ours(x), x, reduction="none")
    torch.testing.assert_close(log_probs, library.conditional_log_probs(x))
    log_probs.sum().backward()
    library.conditional_log_probs(x).sum().backward()
    torch.testing.assert_close(ours.embed.weight.grad, library.token_embedding.weight.grad)
    torch.testing.assert_close(ours.layers[0].gated.weight.grad, library.blocks[0].gated.weight.grad)


def test_the_pixelcnn_of_the_page_is_the_library_s() -> None:
    ours = on_the_page("class PixelCNN(nn.Module)")["PixelCNN"](2, 8, 3).double()
    library = digit_models.PixelCNN(8, 3).double()
    pairs: list[tuple[Any, Any]] = list(zip(library.mixes, ours.mixes, strict=True))
    pairs += [(library.hidden, ours.hidden), (library.head, ours.head)]
    with torch.no_grad():
        library.token_embedding.weight.copy_(ours.embed.weight)
        library.layers.load_state_dict(ours.layers.state_dict())
        for theirs, own in pairs:
            theirs.weight.copy_(own.weight[..., 0, 0])
    x = torch.randint(2, (4, 64), generator=torch.Generator().manual_seed(0))
    log_probs = -F.cross_entropy(ours(x), x, reduction="none")
    torch.testing.assert_close(log_probs, library.conditional_log_probs(x))
    log_probs.sum().backward()
    library.conditional_log_probs(x).sum().backward()
    torch.testing.assert_close(ours.embed.weight.grad, library.token_embedding.weight.grad)
    torch.testing.assert_close(ours.layers[0].weight.grad, library.layers[0].weight.grad)


def test_the_vqvae_of_the_page_is_the_library_s() -> None:
    ours = on_the_page("def quantize(z_e, codebook)", "class VQVAE(nn.Module)")["VQVAE"]().double()
    library = VQVAE(VQVAEConfig(d_hidden=32)).double()
    pairs: list[tuple[Any, Any]] = [(library.token_embedding, ours.embed)]
    pairs += [(library.encoder, ours.encoder), (library.decoder, ours.decoder)]
    with torch.no_grad():
        library.quantizer.codebook.copy_(ours.codebook)
        for theirs, own in pairs:
            theirs.load_state_dict(own.state_dict())
    x = torch.randint(16, (4, 64), generator=torch.Generator().manual_seed(0))
    losses = ours.loss(x), vqvae_loss(library, x)
    torch.testing.assert_close(*losses)
    for loss in losses:
        loss.backward()
    torch.testing.assert_close(ours.codebook.grad, library.quantizer.codebook.grad)
    torch.testing.assert_close(ours.encoder[0].weight.grad, library.encoder[0].weight.grad)
    torch.testing.assert_close(ours.embed.weight.grad, library.token_embedding.weight.grad)
