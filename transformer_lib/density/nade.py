r"""Neural autoregressive distribution estimators: a network for each position, most of their work shared.

Where padding makes one conditional serve all positions, NADE learns a conditional for each :math:`t = 1,
\dots, p` (chapter 2). Neighboring conditionals read nearly the same prefix, so their sums are running sums:
all :math:`p` of them cost :math:`O(pkd)`, and sampling carries the sums along at the same cost. :class:`NADE`
is the slides' form, for any vocabulary; :class:`TiedBinaryNADE` is the form of Larochelle and Murray (2011),
for binary sequences.

Both are distributions over the first ``T`` tokens for every ``T`` up to ``n_positions``.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_lib.activations import ACTIVATIONS
from transformer_lib.checks import check_choice, check_positive, check_sample_size, check_tokens
from transformer_lib.interfaces import DensityModel, at_least_float32, sample_categorical

__all__ = ["NADE", "TiedBinaryNADE"]


class NADE(DensityModel):
    r"""The slides' NADE, with a one-hot :math:`x_s \in \{0, 1\}^d`.

    .. math::
        h_t = \mathrm{sigmoid}\Big(c_t + \sum_{s < t} V_s x_s\Big), \qquad
        f_t = b_t + \sum_{s \le t} W_s h_s, \qquad
        p(x_t \mid x_{<t}) = \mathrm{Categorical}(\mathrm{softmax}(f_t)).

    Every :math:`W_s` moves all later :math:`f_t`, so gradient descent on ``W`` itself is badly conditioned.
    By default the model learns the running sums :math:`U_t = \sum_{s \le t} W_s` instead, from which
    :math:`W_t = U_t - U_{t-1}`: the same functions, and on the binarized digits an optimum several nats
    better within the same number of steps.

    Parameters
    ----------
    n_positions : int
        :math:`p`, the longest sequence.
    vocab_size : int
        :math:`d`.
    d_hidden : int
        :math:`k`, the width of each :math:`h_t`.
    learn_sums : bool
        Whether the trained parameter is :math:`U` (the default) or the slides' :math:`W`.
    activation : str
        The nonlinearity of :math:`h_t`, any of :data:`~transformer_lib.activations.ACTIVATIONS`.
    generator : torch.Generator, optional
        Draws the initial ``V`` and ``U`` or ``W``.

    Attributes
    ----------
    V, c, b : nn.Parameter
        Of shapes (p, k, d), (p, k) and (p, d).
    output : nn.Parameter
        :math:`U` or :math:`W`, of shape (p, d, k).

    Raises
    ------
    ValueError
        If a size is not positive or the activation unknown; by the methods, if a token or a length is out of
        range.

    Source: S3, S4, S5
    """

    decays = ("V", "output")

    def __init__(
        self,
        n_positions: int,
        vocab_size: int,
        d_hidden: int,
        *,
        learn_sums: bool = True,
        activation: str = "sigmoid",
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        check_positive(n_positions=n_positions, vocab_size=vocab_size, d_hidden=d_hidden)
        check_choice("activation", activation, ACTIVATIONS)
        self.activation_name, self.activation = activation, ACTIVATIONS[activation]
        self.n_positions, self.vocab_size, self.d_hidden = n_positions, vocab_size, d_hidden
        self.learn_sums = learn_sums
        V = torch.randn(n_positions, d_hidden, vocab_size, generator=generator)
        output = torch.randn(n_positions, vocab_size, d_hidden, generator=generator)
        self.V = nn.Parameter(n_positions**-0.5 * V)
        self.c = nn.Parameter(torch.zeros(n_positions, d_hidden))
        self.output = nn.Parameter((n_positions * d_hidden) ** -0.5 * output)
        self.b = nn.Parameter(torch.zeros(n_positions, vocab_size))

    @property
    def W(self) -> Float[Tensor, "positions vocab d_hidden"]:
        """The slides' ``W``, computed from ``output``."""
        return (
            self.output.diff(dim=0, prepend=torch.zeros_like(self.output[:1]))
            if self.learn_sums
            else self.output
        )

    @torch.no_grad()
    def load_slides_parameters(
        self,
        V: Float[Tensor, "positions d_hidden vocab"],
        c: Float[Tensor, "positions d_hidden"],
        W: Float[Tensor, "positions vocab d_hidden"],
        b: Float[Tensor, "positions vocab"],
    ) -> None:
        """Set the model to the slides' parameters, whichever of ``U`` and ``W`` it learns."""
        self.V.copy_(V)
        self.c.copy_(c)
        self.output.copy_(W.cumsum(dim=0) if self.learn_sums else W)
        self.b.copy_(b)

    def conditional_logits(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time vocab"]:
        r""":math:`f_t(x_{<t})` for every :math:`t`; the logits at ``[:, t]`` predict ``x[:, t]`` itself.

        Source: S3, S4
        """
        check_tokens(x, self.vocab_size, self.n_positions)
        length = x.shape[1]
        columns = self.V.transpose(1, 2).flatten(0, 1)
        first_column = self.vocab_size * torch.arange(length, device=x.device)
        read = F.embedding(x[:, :-1] + first_column[:-1], columns).cumsum(dim=1)
        read = F.pad(read, (0, 0, 1, 0))[:, :length]
        hidden = self.activation(self.c[:length] + read)
        terms = torch.einsum("pdk,bpk->bpd", self.W[:length], hidden)
        return self.b[:length] + terms.cumsum(dim=1)

    def conditional_log_probs(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time"]:
        r""":math:`\log p_t(x_t \mid x_{<t})` for every :math:`t`, in nats.

        Source: S5
        """
        log_probs = at_least_float32(self.conditional_logits(x)).log_softmax(dim=-1)
        return log_probs.gather(2, x[..., None].long()).squeeze(2)

    @torch.no_grad()
    def sample(
        self, n: int, length: int, *, generator: torch.Generator | None = None
    ) -> Int[Tensor, "n length"]:
        r"""``n`` independent sequences in :math:`O(pkd)` each, by carrying both running sums."""
        check_sample_size(n, length, self.n_positions)
        x = torch.empty(n, length, dtype=torch.long, device=self.b.device)
        W, read, written = self.W, self.c.new_zeros(n, self.d_hidden), self.b.new_zeros(n, self.vocab_size)
        for t in range(length):
            hidden = self.activation(self.c[t] + read)
            written = written + hidden @ W[t].T
            x[:, t] = sample_categorical(self.b[t] + written, generator)
            read = read + self.V[t].T[x[:, t]]
        return x


class TiedBinaryNADE(DensityModel):
    r"""The classic NADE of binary sequences: one :math:`c`, and each output reads its own hidden layer alone.

    .. math::
        h_t = \mathrm{sigmoid}\Big(c + \sum_{s < t} V_s x_s\Big), \qquad
        p(x_t = 1 \mid x_{<t}) = \mathrm{sigmoid}(b_t + \langle W_t, h_t \rangle).

    Parameters
    ----------
    n_positions : int
        :math:`p`, the longest sequence.
    d_hidden : int
        :math:`k`, the width of each :math:`h_t`.
    generator : torch.Generator, optional
        Draws the initial ``V`` and ``W``.

    Attributes
    ----------
    V, c, W, b : nn.Parameter
        Of shapes (p, k), (k,), (p, k) and (p,). As in :class:`NADE`, ``V`` reads and ``W`` writes; in the
        paper the letters are the other way round.

    Raises
    ------
    ValueError
        If a size is not positive; by the methods, if a token or a length is out of range.

    Source: H. Larochelle and I. Murray, The Neural Autoregressive Distribution Estimator, AISTATS 2011.
    """

    vocab_size = 2
    decays = ("V", "W")

    def __init__(self, n_positions: int, d_hidden: int, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        check_positive(n_positions=n_positions, d_hidden=d_hidden)
        self.n_positions, self.d_hidden = n_positions, d_hidden
        self.V = nn.Parameter(n_positions**-0.5 * torch.randn(n_positions, d_hidden, generator=generator))
        self.c = nn.Parameter(torch.zeros(d_hidden))
        self.W = nn.Parameter(d_hidden**-0.5 * torch.randn(n_positions, d_hidden, generator=generator))
        self.b = nn.Parameter(torch.zeros(n_positions))

    def conditional_logits(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time"]:
        r""":math:`b_t + \langle W_t, h_t \rangle`, the log-odds of :math:`x_t = 1`, for every :math:`t`."""
        check_tokens(x, 2, self.n_positions)
        length = x.shape[1]
        read = (x[:, :-1, None] * self.V[: max(0, length - 1)]).cumsum(dim=1)
        hidden = torch.sigmoid(self.c + F.pad(read, (0, 0, 1, 0))[:, :length])
        return self.b[:length] + (self.W[:length] * hidden).sum(dim=-1)

    def conditional_log_probs(self, x: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time"]:
        r""":math:`\log p(x_t \mid x_{<t})` for every :math:`t`, in nats."""
        return F.logsigmoid((2 * x - 1) * self.conditional_logits(x))

    @torch.no_grad()
    def sample(
        self, n: int, length: int, *, generator: torch.Generator | None = None
    ) -> Int[Tensor, "n length"]:
        r"""``n`` independent sequences in :math:`O(pk)` each, by carrying the running sum."""
        check_sample_size(n, length, self.n_positions)
        x = torch.empty(n, length, dtype=torch.long, device=self.b.device)
        read = self.c.expand(n, -1)
        for t in range(length):
            probability = torch.sigmoid(self.b[t] + torch.sigmoid(read) @ self.W[t])
            x[:, t] = torch.bernoulli(probability, generator=generator).long()
            read = read + x[:, t, None] * self.V[t]
        return x
