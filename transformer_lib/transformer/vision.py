r"""Transformers that look: an autoregressive model of images, and attention from words to places.

An image is a sequence of pixels to one, and of patches to the other. Chapter 18 finishes digits with the
first and asks the second what stands left of the cross.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_lib.checks import check_positive, check_sample_size, check_tokens
from transformer_lib.initialization import embedding, projection
from transformer_lib.interfaces import Model
from transformer_lib.transformer.attention import MultiHeadAttention
from transformer_lib.transformer.cache import DecoderState
from transformer_lib.transformer.config import POSITIONS, TransformerConfig
from transformer_lib.transformer.encoder_decoder import Encoder
from transformer_lib.transformer.language_model import DecoderLM
from transformer_lib.transformer.masks import Mask
from transformer_lib.transformer.position_hooks import Positions, Start
from transformer_lib.transformer.stack import TransformerStack

__all__ = ["CrossModalClassifier", "ImageTransformer", "RowColumnPositions"]


class RowColumnPositions(Positions):
    r"""A learned vector for each row and one for each column, added.

    The result is :math:`x_k + E_{\lfloor k / w \rfloor} + E'_{k \bmod w}`. Parmar's encodings give half of
    the features to the row and half to the column: a special case.

    Parameters
    ----------
    height, width
        Rows, and columns :math:`w`, of what is read in raster order.
    d_model
        The width of the vectors.
    generator
        The source of the initial vectors: normal with variance ``1 / d_model``.

    Source: Parmar et al. (2018), section 3.1
    """

    def __init__(
        self, height: int, width: int, d_model: int, *, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        check_positive(height=height, width=width)
        self.n_positions, self.width, self.d_model = height * width, width, d_model
        self.rows = embedding(height, d_model, std=d_model**-0.5, generator=generator)
        self.columns = embedding(width, d_model, std=d_model**-0.5, generator=generator)

    def embed(
        self, x: Float[Tensor, "batch time d_model"], start: Start = 0
    ) -> Float[Tensor, "batch time d_model"]:
        """The sum of each input and the vectors of its row and its column."""
        self._check(start, x.shape[-2])
        if isinstance(start, Tensor):
            place = start.long()
        else:
            place = torch.arange(start, start + x.shape[-2], device=x.device)
        return x + self.rows(place // self.width) + self.columns(place % self.width)


class ImageTransformer(DecoderLM):
    r"""Images pixel by pixel: :math:`p(x) = \prod_t p(x_t \mid x_{<t})` in raster order.

    A token is a pixel's level. The vector that predicts a pixel is given that pixel's row and column, and the
    level of the pixel before it; attention sees all pixels before, or the last ``window`` (in Parmar's 1-D
    local attention the pixels of a block share one such memory; here each has its own). An image may be
    continued from any number of its first pixels, as by :func:`~transformer_lib.decoding.sampling.generate`.

    Parameters
    ----------
    config
        The shape: ``vocab_size`` levels, ``context_length`` pixels and, as rows and columns are the
        positions, ``positions="none"``.
    width
        Pixels in a row.
    window
        How many pixels before it the attention that predicts a pixel sees in each block; by default all.
        Before the first pixel stands the start token.
    generator
        The source of the initial weights.

    Raises
    ------
    ValueError
        If the width does not divide the number of pixels, ``window`` is below 1, or the configuration has
        other positions.

    Source: Parmar et al. (2018), sections 3.1 and 3.3, and 3.4 for categorical levels
    """

    def __init__(
        self,
        config: TransformerConfig,
        width: int,
        *,
        window: int | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        check_positive(width=width)
        if config.context_length % width:
            raise ValueError(f"context_length={config.context_length} pixels are no rows of width={width}")
        if config.positions != "none":
            raise ValueError(
                f"pixels have rows and columns: positions must be 'none', got {config.positions!r}"
            )
        positions = RowColumnPositions(
            config.context_length // width, width, config.d_model, generator=generator
        )
        mask = None if window is None else Mask.window(window)
        super().__init__(config, positions=positions, mask=mask, generator=generator)
        self.width, self.window = width, window
        self.is_of_config = True

    def conditional_log_probs(
        self, x: Int[Tensor, "batch time"], *, stride: int | None = None
    ) -> Float[Tensor, "batch time"]:
        r""":math:`\log p(x_t \mid x_{<t})` for every pixel :math:`t` of one image, in nats."""
        check_tokens(x, self.vocab_size, longest=self.context_length)
        return super().conditional_log_probs(x, stride=stride)

    def read(
        self, tokens: Int[Tensor, "batch time"], state: DecoderState
    ) -> tuple[Float[Tensor, "batch vocab"], DecoderState]:
        """Read several pixels; an image that is full has no next one.

        Raises
        ------
        ValueError
            If there is no token, one outside the vocabulary, or no pixel left to be predicted.
        """
        if state.tokens.shape[1] + tokens.shape[1] > self.context_length:
            raise ValueError(f"the image has {self.context_length} pixels: there is none after the last")
        return super().read(tokens, state)

    @torch.no_grad()
    def sample(
        self, n: int, length: int, *, generator: torch.Generator | None = None
    ) -> Int[Tensor, "n length"]:
        """``n`` independent images, or the first ``length`` pixels of them."""
        check_sample_size(n, length, self.context_length)
        return super().sample(n, length, generator=generator)


class CrossModalClassifier(Model):
    r"""An answer to a question about an image, by attention from the words to the image's patches.

    The image is cut into patches, each projected to a vector with its row and column; a stack relates
    them. An encoder reads the question. Then ``n_layers`` blocks with cross-attention let every word look at
    the patches, and a linear head reads the mean of the words.

    Parameters
    ----------
    config
        The shape of all three stacks: ``vocab_size`` words, ``context_length`` of them at most.
    n_answers
        The number of possible answers.
    height, width
        Pixels of an image.
    patch_size
        Pixels at each side of a patch, which divides both.
    generator
        The source of the initial weights.

    Raises
    ------
    ValueError
        If a size is below 1, patches do not fill the image, or the configuration's positions, which are
        those of the words, act within attention.

    Source: N1, N2, N3, N4, N5, N6, N9; Dosovitskiy et al. (2021), section 3.1, for the patches
    """

    def __init__(
        self,
        config: TransformerConfig,
        n_answers: int,
        height: int,
        width: int,
        patch_size: int,
        *,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        check_positive(n_answers=n_answers, height=height, width=width, patch_size=patch_size)
        if POSITIONS[config.positions].acts_on != "input":
            fitting = (repr(name) for name, scheme in POSITIONS.items() if scheme.acts_on == "input")
            raise ValueError(
                f"positions={config.positions!r} would act on patches as on words: take one of "
                f"{', '.join(fitting)}"
            )
        if height % patch_size or width % patch_size:
            raise ValueError(f"patches of {patch_size} pixels do not fill an image of {height} by {width}")
        self.config, self.n_answers = config, n_answers
        self.height, self.width, self.patch_size = height, width, patch_size
        self.patch_embedding = projection(patch_size**2, config.d_model, generator=generator)
        places = RowColumnPositions(
            height // patch_size, width // patch_size, config.d_model, generator=generator
        )
        self.image_stack = TransformerStack(config, positions=places, generator=generator)
        self.question_encoder = Encoder(config, generator=generator)
        self.stack = TransformerStack(config, cross_attention=True, continues=True, generator=generator)
        self.head = projection(config.d_model, n_answers, generator=generator)

    def forward(
        self,
        images: Float[Tensor, "images height width"],
        questions: Int[Tensor, "batch time"],
        lengths: Int[Tensor, "batch"] | None = None,
    ) -> Float[Tensor, "batch n_answers"]:
        """The logits of the answers.

        Parameters
        ----------
        lengths
            How many tokens of each row are the question, at least 1; the others are padding, whatever their
            value. ``None`` if there is no padding.

        Raises
        ------
        ValueError
            If an image has another size, there are not as many images as questions, or a question is empty,
            too long, or has a token outside the vocabulary.
        """
        batch, time = questions.shape
        words, patches = self.question_encoder(questions, lengths), self._patches(images)
        if len(images) != batch:
            raise ValueError(f"there are {len(images)} images for {batch} questions: give one for each")
        lengths = questions.new_full((batch,), time) if lengths is None else lengths.to(words.device)
        if (lengths < 1).any():
            raise ValueError("a question is empty: give at least one word")
        words = self.stack(words, Mask.from_key_lengths(lengths), memory=patches)
        counts = torch.arange(time, device=words.device) < lengths[:, None]
        return self.head((words * counts[..., None]).sum(1) / lengths[:, None])

    @torch.no_grad()
    def attention_maps(
        self,
        images: Float[Tensor, "images height width"],
        questions: Int[Tensor, "batch time"],
        lengths: Int[Tensor, "batch"] | None = None,
    ) -> Float[Tensor, "batch layers heads time rows columns"]:
        """How much each word attends to each patch, in every head of every block with cross-attention.

        The weights over the patches sum to 1; those of padding mean nothing.
        """
        seen: list[Tensor] = []

        def look(attention: MultiHeadAttention, inputs: tuple[Tensor, Tensor, Mask | None]) -> None:
            seen.append(attention.weights(*inputs))

        hooks = [layer.cross_attention.register_forward_pre_hook(look) for layer in self.stack.blocks]
        try:
            self(images, questions, lengths)
        finally:
            for hook in hooks:
                hook.remove()
        return torch.stack(seen, dim=1).unflatten(-1, (-1, self.width // self.patch_size))

    def _patches(self, images: Tensor) -> Float[Tensor, "batch patches d_model"]:
        if images.shape[1:] != (self.height, self.width):
            raise ValueError(
                f"images need the shape (batch, {self.height}, {self.width}); got {tuple(images.shape)}"
            )
        size = self.patch_size
        patches = images.unfold(1, size, size).unfold(2, size, size).flatten(3).flatten(1, 2)
        return self.image_stack(self.patch_embedding(patches))
