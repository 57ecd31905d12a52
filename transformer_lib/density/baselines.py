r"""What a density model has to beat: independent pixels, logistic regression, a fixed history, counting.

The first two are distributions over binary sequences of fixed length, such as images (chapter 2).
:class:`FeedforwardHistory` and :class:`KneserNey` read the latest tokens of a sequence of any length
(chapters 1, 2).
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_lib.activations import ACTIVATIONS
from transformer_lib.checks import (
    check_above_zero,
    check_choice,
    check_positive,
    check_reading,
    check_sample_size,
    check_token,
    check_tokens,
)
from transformer_lib.density.ngram import KneserNey
from transformer_lib.interfaces import DensityModel, SequenceModel
from transformer_lib.padding import pad_start

__all__ = ["BernoulliPixels", "FeedforwardHistory", "FullyVisibleSigmoid", "KneserNey"]


class BernoulliPixels(DensityModel):
    r"""Independent binary pixels, :math:`p(x_t = 1 \mid x_{<t}) = \mathrm{sigmoid}(b_t)`.

    Parameters
    ----------
    n_positions : int
        The longest sequence.

    Attributes
    ----------
    b : nn.Parameter
        Of shape (n_positions,); zeros until :meth:`fit`.

    Raises
    ------
    ValueError
        If ``n_positions`` is not positive; by the methods, if a token or a length is out of range.
    """

    vocab_size = 2

    def __init__(self, n_positions: int) -> None:
        super().__init__()
        check_positive(n_positions=n_positions)
        self.n_positions = n_positions
        self.b = nn.Parameter(torch.zeros(n_positions))

    @torch.no_grad()
    def fit(self, x: Int[Tensor, "batch time"], smoothing: float = 1.0) -> "BernoulliPixels":
        r"""Set every :math:`p(x_t = 1)` to (ones + smoothing) / (images + 2 smoothing). Returns the model.

        Raises
        ------
        ValueError
            If the images are not of ``n_positions`` pixels, or the smoothing is not positive.
        """
        check_tokens(x, 2)
        if x.shape[1] != self.n_positions:
            raise ValueError(f"fitting needs images of {self.n_positions} pixels; got {x.shape[1]}")
        check_above_zero("smoothing", smoothing)
        ones = x.sum(dim=0).double()
        self.b.copy_(torch.log((ones + smoothing) / (len(x) - ones + smoothing)))
        return self

    def conditional_log_probs(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time"]:
        r""":math:`\log p(x_t)` for every :math:`t`, in nats."""
        check_tokens(x, 2, self.n_positions)
        return F.logsigmoid((2 * x - 1) * self.b[: x.shape[1]])

    @torch.no_grad()
    def sample(
        self, n: int, length: int, *, generator: torch.Generator | None = None
    ) -> Int[Tensor, "n length"]:
        """``n`` independent sequences."""
        check_sample_size(n, length, self.n_positions)
        return torch.bernoulli(self.b[:length].sigmoid().expand(n, -1), generator=generator).long()


class FullyVisibleSigmoid(DensityModel):
    r"""A logistic regression of each pixel on the earlier ones: the fully visible sigmoid belief network.

    .. math::
        p(x_t = 1 \mid x_{<t}) = \mathrm{sigmoid}\Big(b_t + \sum_{s < t} w_{ts}\, x_s\Big)

    Parameters
    ----------
    n_positions : int
        The longest sequence.

    Attributes
    ----------
    w, b : nn.Parameter
        Of shapes (n_positions, n_positions), of which only the part below the diagonal is read, and
        (n_positions,). Zeros at first: the log-likelihood is concave.

    Raises
    ------
    ValueError
        If ``n_positions`` is not positive; by the methods, if a token or a length is out of range.

    Source: R. Neal, Connectionist Learning of Belief Networks, 1992; B. Frey, Graphical Models for Machine
    Learning and Digital Communication, 1998.
    """

    vocab_size = 2
    decays = ("w",)

    def __init__(self, n_positions: int) -> None:
        super().__init__()
        check_positive(n_positions=n_positions)
        self.n_positions = n_positions
        self.w = nn.Parameter(torch.zeros(n_positions, n_positions))
        self.b = nn.Parameter(torch.zeros(n_positions))

    def conditional_log_probs(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time"]:
        r""":math:`\log p(x_t \mid x_{<t})` for every :math:`t`, in nats."""
        check_tokens(x, 2, self.n_positions)
        length = x.shape[1]
        weights = self.w[:length, :length].tril(-1)
        log_odds = F.linear(x.to(self.w.dtype), weights, self.b[:length])
        return F.logsigmoid((2 * x - 1) * log_odds)

    @torch.no_grad()
    def sample(
        self, n: int, length: int, *, generator: torch.Generator | None = None
    ) -> Int[Tensor, "n length"]:
        """``n`` independent sequences, pixel after pixel."""
        check_sample_size(n, length, self.n_positions)
        x = self.w.new_zeros(n, length)
        for t in range(length):
            log_odds = self.b[t] + x[:, :t] @ self.w[t, :t]
            x[:, t] = torch.bernoulli(log_odds.sigmoid(), generator=generator)
        return x.long()


class FeedforwardHistory(SequenceModel):
    r"""One network for all positions, reading the latest tokens: the slides' Option A.

    With one-hot tokens, and histories filled up in front with start tokens,

    .. math::
        h_t = \mathrm{ReLU}\Big(c + \sum_{i=1}^{p} V_i\, x_{t-i}\Big), \qquad
        p(x_t \mid x_{t-p}, \dots, x_{t-1}) = \mathrm{Categorical}(\mathrm{softmax}(b + W h_t)).

    Sliding such a network along a sequence is a convolution with a kernel of size p. With ``history`` at
    least the length of a sequence, the model reads the whole past, and tells positions apart by the start
    tokens it sees.

    Parameters
    ----------
    vocab_size : int
        The number of tokens to predict.
    history : int
        :math:`p`, how many tokens are read.
    d_hidden : int
        The width of :math:`h_t`.
    start_token : int, optional
        Any token, or ``vocab_size`` (the default): a symbol of its own, never predicted.
    activation : str
        The nonlinearity of :math:`h_t`, any of :data:`~transformer_lib.activations.ACTIVATIONS`.
    generator : torch.Generator, optional
        Draws the initial weights.

    Raises
    ------
    ValueError
        If a size is not positive, the activation unknown or the start token above ``vocab_size``; by the
        methods, if a token is out of range.

    Source: S2, S5; Y. Bengio et al., A Neural Probabilistic Language Model, 2003.
    """

    decays = ("V", "W")

    def __init__(
        self,
        vocab_size: int,
        history: int,
        d_hidden: int,
        *,
        start_token: int | None = None,
        activation: str = "relu",
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        check_positive(vocab_size=vocab_size, history=history, d_hidden=d_hidden)
        check_choice("activation", activation, ACTIVATIONS)
        self.activation = ACTIVATIONS[activation]
        self.vocab_size, self.history, self.d_hidden = vocab_size, history, d_hidden
        self.start_token = vocab_size if start_token is None else start_token
        check_token("start_token", self.start_token, vocab_size + 1)
        V = torch.randn(d_hidden, vocab_size + 1, history, generator=generator)
        W = torch.randn(vocab_size, d_hidden, generator=generator)
        self.V = nn.Parameter((2 / history) ** 0.5 * V)
        self.c = nn.Parameter(torch.zeros(d_hidden))
        self.W = nn.Parameter(d_hidden**-0.5 * W)
        self.b = nn.Parameter(torch.zeros(vocab_size))

    def logits(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        """Logits of the token after ``tokens[:, t]``; the start token may be among those."""
        check_tokens(tokens, max(self.vocab_size, self.start_token + 1))
        return F.linear(self.hidden(tokens), self.W, self.b)

    def hidden(self, tokens: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time d_hidden"]:
        """The hidden layers behind these logits."""
        padded = pad_start(tokens.long(), self.start_token, self.history)
        one_hot = F.one_hot(padded, self.vocab_size + 1).to(self.V.dtype).transpose(1, 2)
        return self.activation(F.conv1d(one_hot, self.V, self.c))[..., 1:].transpose(1, 2)

    def step(
        self, token: Int[Tensor, "batch"], state: Int[Tensor, "batch read"]
    ) -> tuple[Float[Tensor, "batch vocab"], Int[Tensor, "batch kept"]]:
        """Read one more token; the state is the latest ``history`` tokens read."""
        check_reading(token[:, None], max(self.vocab_size, self.start_token + 1), len(state))
        prefix = torch.cat([state, token[:, None]], dim=1)[:, -self.history :]
        return self.logits(prefix)[:, -1], prefix
