"""The note's matrices of an attention module: what the proofs and chapter 6 read and write."""

from collections.abc import Iterable

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

__all__ = ["NoteParameters"]


class NoteParameters:
    """Adds the note's view of its weights to multi-head attention."""

    d_model: int
    n_heads: int
    n_kv_heads: int
    d_head: int
    d_value: int
    widths: list[int]
    qkv: nn.Linear
    output: nn.Linear

    def note_parameters(self) -> dict[str, list[Tensor]]:
        """The note's matrices, as copies: ``W_q``, ``W_k``, ``W_v`` and ``W_c``, each a list over the heads.

        ``W_q[h]`` and ``W_k[h]`` have shape ``(d_model, d_head)``, ``W_v[h]`` has ``(d_model, d_value)``, and
        ``W_c[h]`` has ``(d_value, d_model)``.

        Raises
        ------
        ValueError
            If the module has biases or shared keys and values, which the note's equations do not.

        Source: N1, N2, N3.
        """
        self._check_it_is_the_notes()
        W_q, W_k, W_v = (
            list(part.unflatten(0, (self.n_heads, -1)).mT.clone())
            for part in self.qkv.weight.detach().split(self.widths)
        )
        W_c = self.output.weight.detach().T.unflatten(0, (self.n_heads, self.d_value)).clone()
        return {"W_q": W_q, "W_k": W_k, "W_v": W_v, "W_c": list(W_c)}

    @torch.no_grad()
    def load_note_parameters(
        self,
        W_q: Iterable[Tensor | np.ndarray],
        W_k: Iterable[Tensor | np.ndarray],
        W_v: Iterable[Tensor | np.ndarray],
        W_c: Iterable[Tensor | np.ndarray],
    ) -> None:
        """Take the note's matrices, shaped as :meth:`note_parameters` gives them.

        Raises
        ------
        ValueError
            If the number of heads or a shape is wrong, or if the module has biases or shared keys and values.

        Source: N1, N2, N3.
        """
        self._check_it_is_the_notes()
        projections = [
            self._stack(name, matrices, (self.d_model, width)).mT.flatten(0, 1)
            for name, matrices, width in (
                ("W_q", W_q, self.d_head),
                ("W_k", W_k, self.d_head),
                ("W_v", W_v, self.d_value),
            )
        ]
        outputs = self._stack("W_c", W_c, (self.d_value, self.d_model))
        self.qkv.weight.copy_(torch.cat(projections))
        self.output.weight.copy_(outputs.flatten(0, 1).T)

    def _check_it_is_the_notes(self) -> None:
        if self.qkv.bias is not None:
            raise ValueError("the note's attention has no biases: build MultiHeadAttention with bias=False")
        if self.n_kv_heads != self.n_heads:
            raise ValueError("each of the note's heads has keys and values of its own: leave n_kv_heads out")

    def _stack(
        self, name: str, matrices: Iterable[Tensor | np.ndarray], shape: tuple[int, int]
    ) -> Float[Tensor, "heads rows columns"]:
        per_head = [torch.as_tensor(matrix) for matrix in matrices]
        if len(per_head) != self.n_heads:
            raise ValueError(f"{name} has {len(per_head)} matrices; {self.n_heads}, one per head, is right")
        for head, matrix in enumerate(per_head):
            if matrix.shape != shape:
                raise ValueError(f"{name}[{head}] has shape {tuple(matrix.shape)}; {shape} is right")
        return torch.stack(per_head)
