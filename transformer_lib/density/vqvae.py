r"""The VQ-VAE: an image as a few codes, each the nearest of a book of vectors, and a prior over the codes.

A convolutional encoder turns a grid of tokens into a smaller grid of vectors, each of which is replaced by
the nearest code; a decoder gives every token's distribution from the codes, the tokens independent of each
other once the codes are known (van den Oord et al. 2017). An autoregressive model of the codes, read row by
row, makes it a density (chapter 3). The probability of an example is a sum over all grids of codes, of which
the encoder names one: the model offers a lower bound, :meth:`VQVAE.elbo`, and no ``log_prob``.

It is trained in two stages: :func:`vqvae_loss` for all but the prior; then the prior, as any sequence model,
on the codes that :meth:`VQVAE.encode` gives.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor, nn

from transformer_lib.checks import ConfigValues, check_number, check_sample_size, check_tokens, check_whole
from transformer_lib.density.convolutional import CausalConvLM, ConvConfig
from transformer_lib.initialization import embedding, uninitialized
from transformer_lib.interfaces import Model, SequenceModel, at_least_float32, sample_categorical

__all__ = ["VQVAE", "Quantized", "VQVAEConfig", "VectorQuantizer", "vqvae_loss"]

LARGEST_ENUMERATION = 10_000
Convolution = TypeVar("Convolution", nn.Conv2d, nn.ConvTranspose2d)


@dataclass(frozen=True)
class VQVAEConfig(ConfigValues):
    r"""The shape of a VQ-VAE; the defaults fit the digits in 16 gray levels.

    Parameters
    ----------
    height, width
        The grid of tokens, read row by row as one sequence. A plain sequence is a grid of height 1.
    vocab_size
        The number of different tokens.
    latent_height, latent_width
        The grid of codes: divisors of ``height`` and ``width``.
    n_codes, d_code
        How many codes the book has, and their width.
    d_hidden
        The width of the encoder's and the decoder's layers.
    commitment
        :math:`\beta`, the weight of the commitment loss.

    Raises
    ------
    ValueError
        If a value is out of its range, saying what would be right.
    """

    height: int = 8
    width: int = 8
    vocab_size: int = 16
    latent_height: int = 4
    latent_width: int = 4
    n_codes: int = 32
    d_code: int = 16
    d_hidden: int = 64
    commitment: float = 0.25

    def __post_init__(self) -> None:
        sizes = ("height", "width", "vocab_size", "latent_height", "latent_width")
        self._check(check_whole, *sizes, "n_codes", "d_code", "d_hidden", least=1)
        self._check(check_number, "commitment", least=0)
        for name in ("height", "width"):
            size, latent = getattr(self, name), getattr(self, f"latent_{name}")
            if size % latent:
                divisors = ", ".join(str(d) for d in range(1, size + 1) if size % d == 0)
                raise ValueError(f"latent_{name} must divide {name}={size}: {divisors}; got {latent}")

    @property
    def n_tokens(self) -> int:
        """Tokens of an example."""
        return self.height * self.width

    @property
    def n_latents(self) -> int:
        """Codes of an example."""
        return self.latent_height * self.latent_width


class Quantized(NamedTuple):
    """What :class:`VectorQuantizer` makes of the encoder's outputs; both losses in squared distance."""

    codes: Int[Tensor, "*batch"]
    vectors: Float[Tensor, "*batch d_code"]
    codebook_loss: Float[Tensor, ""]
    commitment_loss: Float[Tensor, ""]


class VectorQuantizer(nn.Module):
    r"""A book of codes :math:`e_1, \dots, e_K`, and the nearest of them for each vector.

    .. math::
        k = \mathrm{argmin}_j \lVert z_e - e_j \rVert_2, \qquad z_q = e_k

    Parameters
    ----------
    n_codes, d_code
        :math:`K`, and the width of a code.
    generator
        The source of the initial codes: normal, variance 1.

    Source: van den Oord et al. (2017), equations (1)-(3)
    """

    def __init__(self, n_codes: int, d_code: int, *, generator: Generator | None = None) -> None:
        super().__init__()
        self.codebook = nn.Parameter(torch.randn(n_codes, d_code, generator=generator))

    def nearest(self, z_e: Float[Tensor, "*batch d_code"]) -> Int[Tensor, "*batch"]:
        """The number of the nearest code; of several equally near, the first."""
        distances = self.codebook.square().sum(-1) - 2 * z_e @ self.codebook.T
        return distances.argmin(dim=-1)

    def forward(self, z_e: Float[Tensor, "*batch d_code"]) -> Quantized:
        r"""The codes, their vectors, and the two losses, means over the vectors.

        The gradient passes from the vectors straight through to ``z_e``, as if nothing had been replaced: the
        codes are moved by the codebook loss :math:`\lVert \mathrm{sg}[z_e] - e_k \rVert^2` alone, and the
        commitment loss :math:`\lVert z_e - \mathrm{sg}[e_k] \rVert^2` keeps the encoder near them.
        """
        codes = self.nearest(z_e)
        chosen = self.codebook[codes]
        codebook_loss = (z_e.detach() - chosen).square().sum(-1).mean()
        commitment_loss = (z_e - chosen.detach()).square().sum(-1).mean()
        vectors = z_e + (chosen - z_e).detach()
        return Quantized(codes, vectors, codebook_loss, commitment_loss)


class VQVAE(Model):
    r"""Grids of tokens by way of codes: :math:`p(x) = \sum_z p(z) \prod_t p(x_t \mid z)`.

    Parameters
    ----------
    config
        The shape.
    prior
        :math:`p(z)`: any model of sequences of ``n_latents`` tokens out of ``n_codes``. By default a
        :class:`~transformer_lib.density.convolutional.CausalConvLM` of width ``d_hidden`` that sees all codes
        before.
    generator
        The source of the initial weights.

    Raises
    ------
    ValueError
        If the prior's vocabulary is not the book, or it cannot read all the codes of an example at once.

    Source: van den Oord et al. (2017)
    """

    def __init__(
        self, config: VQVAEConfig, prior: SequenceModel | None = None, *, generator: Generator | None = None
    ) -> None:
        super().__init__()
        self.config, self.vocab_size = config, config.vocab_size
        hidden, code = config.d_hidden, config.d_code
        patch = (config.height // config.latent_height, config.width // config.latent_width)
        convolution = partial(_convolution, generator=generator)
        self.token_embedding = embedding(config.vocab_size, hidden, std=1.0, generator=generator)
        self.encoder = _with_rectifiers(
            convolution(nn.Conv2d, hidden, hidden, 3, padding=1),
            convolution(nn.Conv2d, hidden, hidden, patch, stride=patch),
            convolution(nn.Conv2d, hidden, code, 1),
        )
        self.quantizer = VectorQuantizer(config.n_codes, code, generator=generator)
        self.decoder = _with_rectifiers(
            convolution(nn.Conv2d, code, hidden, 3, padding=1),
            convolution(nn.ConvTranspose2d, hidden, hidden, patch, stride=patch),
            convolution(nn.Conv2d, hidden, config.vocab_size, 3, padding=1),
        )
        if prior is None:
            depth = max(1, (config.n_latents - 1).bit_length())
            shape = ConvConfig(config.n_codes, d_model=hidden, stack_depth=depth)
            prior = CausalConvLM(shape, generator=generator)
        if prior.vocab_size != config.n_codes:
            raise ValueError(f"the prior has {prior.vocab_size} tokens; there are {config.n_codes} codes")
        if prior.context_length is not None and prior.context_length < config.n_latents:
            reads = prior.context_length
            raise ValueError(f"the prior reads {reads} tokens; an example has {config.n_latents} codes")
        self.prior = prior

    def forward(self, x: Int[Tensor, "batch time"]) -> tuple[Float[Tensor, "batch time vocab"], Quantized]:
        """The logits given the codes of ``x``, differentiable straight through them, and those codes."""
        quantized = self.quantizer(self._encode(x))
        return self._decode(quantized.vectors), quantized

    @torch.no_grad()
    def encode(self, x: Int[Tensor, "batch time"]) -> Int[Tensor, "batch latents"]:
        """The codes of each example, row by row: what the prior learns from."""
        return self.quantizer.nearest(self._encode(x))

    def decode(self, codes: Int[Tensor, "batch latents"]) -> Float[Tensor, "batch time vocab"]:
        r"""The logits of every token given the codes, :math:`p(x_t \mid z)`.

        Raises
        ------
        ValueError
            If there are not ``n_latents`` codes, or one is not in the book.
        """
        _check(codes, self.config.n_codes, self.config.n_latents)
        return self._decode(self.quantizer.codebook[codes.long()])

    def elbo(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch"]:
        r"""A lower bound of :math:`\log p(x)`, in nats: :math:`\log p(x \mid z) + \log p(z)` at x's codes.

        It is the evidence lower bound with all of :math:`q(z \mid x)` on those codes. What it lacks is
        :math:`-\log p(z \mid x)`: nothing only where no other codes explain x.

        Source: van den Oord et al. (2017), section 3.2
        """
        codes = self.encode(x)
        return _log_likelihood(self.decode(codes), x) + self.prior.log_prob(codes)

    def exact_log_prob(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch"]:
        r""":math:`\log p(x) = \log \sum_z p(z)\, p(x \mid z)` in nats, by enumerating every grid of codes.

        Raises
        ------
        ValueError
            If there are more than 10,000 grids of codes.
        """
        _check(x, self.vocab_size, self.config.n_tokens)
        n_codes, n_latents = self.config.n_codes, self.config.n_latents
        if n_codes**n_latents > LARGEST_ENUMERATION:
            raise ValueError(
                f"{n_codes} codes at {n_latents} places make more than {LARGEST_ENUMERATION} grids to sum "
                "over: take fewer codes or a smaller latent grid, or elbo, the lower bound"
            )
        code = torch.arange(n_codes, device=x.device)
        codes = torch.cartesian_prod(*[code] * n_latents).reshape(-1, n_latents)
        log_probs = at_least_float32(self.decode(codes)).log_softmax(dim=-1)
        places = torch.arange(x.shape[1], device=x.device)
        log_likelihood = log_probs[:, places, x.long()].sum(dim=-1).T
        return (log_likelihood + self.prior.log_prob(codes)).logsumexp(dim=1)

    @torch.no_grad()
    def sample(self, n: int, *, generator: Generator | None = None) -> Int[Tensor, "n time"]:
        """``n`` independent examples: codes from the prior, then each token from the decoder."""
        check_sample_size(n, self.config.n_tokens)
        logits = self.decode(self.prior.sample(n, self.config.n_latents, generator=generator))
        return sample_categorical(logits.flatten(0, 1), generator).reshape(n, self.config.n_tokens)

    def _encode(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch latents d_code"]:
        _check(x, self.vocab_size, self.config.n_tokens)
        grid = self.token_embedding(x.long()).unflatten(1, (self.config.height, self.config.width))
        return self.encoder(grid.permute(0, 3, 1, 2)).flatten(2).mT

    def _decode(self, vectors: Float[Tensor, "batch latents d_code"]) -> Float[Tensor, "batch time vocab"]:
        grid = vectors.mT.unflatten(2, (self.config.latent_height, self.config.latent_width))
        return self.decoder(grid).flatten(2).mT


def vqvae_loss(model: VQVAE, batch: Int[Tensor, "batch time"]) -> Float[Tensor, ""]:
    r"""The first stage's loss: reconstruction in nats per example, and the distances to the codes.

    .. math::
        -\log p(x \mid z_q(x)) + \lVert \mathrm{sg}[z_e(x)] - e \rVert^2
        + \beta \lVert z_e(x) - \mathrm{sg}[e] \rVert^2,

    the first a mean over the batch, the others over its codes as well. The prior has no part in it. The
    second stage is ``language_model_loss`` of ``model.prior`` on the codes ``model.encode(batch)``.

    Source: van den Oord et al. (2017), equation (3)
    """
    logits, quantized = model(batch)
    nats = -_log_likelihood(logits, batch).mean()
    commitment = model.config.commitment * quantized.commitment_loss
    return nats + quantized.codebook_loss + commitment


def _log_likelihood(
    logits: Float[Tensor, "batch time vocab"], x: Int[Tensor, "batch time"]
) -> Float[Tensor, "batch"]:
    return at_least_float32(logits).log_softmax(dim=-1).gather(2, x[..., None].long()).squeeze(2).sum(dim=1)


def _check(tokens: Tensor, vocab_size: int, length: int) -> None:
    check_tokens(tokens, vocab_size)
    if tokens.shape[1] != length:
        raise ValueError(f"each row needs {length} tokens; got {tokens.shape[1]}")


def _with_rectifiers(first: nn.Module, second: nn.Module, third: nn.Module) -> nn.Sequential:
    return nn.Sequential(first, nn.ReLU(), second, nn.ReLU(), third)


def _convolution(
    kind: type[Convolution], *sizes: Any, generator: Generator | None, **options: Any
) -> Convolution:
    """A convolution whose weights are normal with variance 1 / (number of inputs), its biases zero."""
    module = uninitialized(kind, *sizes, **options)
    # A transposed convolution whose stride is its kernel reads one position for each output.
    fan_in = module.in_channels if kind is nn.ConvTranspose2d else module.weight[0].numel()
    nn.init.normal_(module.weight, std=fan_in**-0.5, generator=generator)
    if module.bias is not None:
        nn.init.zeros_(module.bias)
    return module
