"""torch.export of a language model: one program for every batch and every length."""

from collections.abc import Iterator

import jaxtyping
import pytest
import torch

from transformer_lib import DecoderLM, TransformerConfig

pytestmark = pytest.mark.slow

BATCH, TIME = (torch.export.Dim(name, min=1, max=32) for name in ("batch", "time"))


@pytest.fixture(autouse=True)
def as_installed() -> Iterator[None]:
    """Without the checks of types and shapes that the tests switch on: an export reads symbols as sizes."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.mark.parametrize("positions", ["learned", "rotary", "alibi"])
def test_an_exported_model_takes_any_batch_and_length(positions: str) -> None:
    torch.manual_seed(0)
    config = TransformerConfig(11, 32, d_model=16, n_heads=2, n_layers=2, positions=positions)
    model = DecoderLM(config).double().eval()
    seen = torch.randint(11, (2, 7))
    exported = torch.export.export(model, (seen,), dynamic_shapes=({0: BATCH, 1: TIME},)).module()
    for shape in ((1, 1), (3, 32), (5, 2)):
        tokens = torch.randint(11, shape)
        torch.testing.assert_close(exported(tokens), model(tokens))
