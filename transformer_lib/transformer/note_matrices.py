"""The note's matrices of an attention module: what the proofs and chapter 6 read and write."""

from collections.abc import Iterable

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lib.transformer.attention import MultiHeadAttention

__all__ = ["load_note_matrices", "note_matrices"]


def note_matrices(attention: MultiHeadAttention) -> dict[str, list[Tensor]]:
    """The note's matrices, as copies: ``W_q``, ``W_k``, ``W_v`` and ``W_c``, each a list over the heads.

    ``W_q[h]`` and ``W_k[h]`` have shape ``(d_model, d_head)``, ``W_v[h]`` has ``(d_model, d_value)``, and
    ``W_c[h]`` has ``(d_value, d_model)``.

    Raises
    ------
    ValueError
        If the module has biases or shared keys and values, which the note's equations do not.

    Source: N1, N2, N3.
    """
    _check_it_is_the_notes(attention)
    W_q, W_k, W_v = (
        list(part.unflatten(0, (attention.n_heads, -1)).mT.clone())  # (heads, d_model, width)
        for part in attention.qkv.weight.detach().split(attention.widths)
    )
    W_c = attention.output.weight.detach().T.unflatten(0, (attention.n_heads, attention.d_value)).clone()
    return {"W_q": W_q, "W_k": W_k, "W_v": W_v, "W_c": list(W_c)}


@torch.no_grad()
def load_note_matrices(
    attention: MultiHeadAttention,
    W_q: Iterable[Tensor | np.ndarray],
    W_k: Iterable[Tensor | np.ndarray],
    W_v: Iterable[Tensor | np.ndarray],
    W_c: Iterable[Tensor | np.ndarray],
) -> None:
    """Give ``attention`` the note's matrices, shaped as :func:`note_matrices` gives them.

    Raises
    ------
    ValueError
        If the number of heads or a shape is wrong, or if the module has biases or shared keys and values.

    Source: N1, N2, N3.
    """
    _check_it_is_the_notes(attention)
    d, n_heads = attention.d_model, attention.n_heads
    projections = [
        _stack(name, matrices, n_heads, (d, width)).mT.flatten(0, 1)  # (heads * width, d_model)
        for name, matrices, width in (
            ("W_q", W_q, attention.d_head),
            ("W_k", W_k, attention.d_head),
            ("W_v", W_v, attention.d_value),
        )
    ]
    outputs = _stack("W_c", W_c, n_heads, (attention.d_value, d))
    attention.qkv.weight.copy_(torch.cat(projections))
    attention.output.weight.copy_(outputs.flatten(0, 1).T)


def _check_it_is_the_notes(attention: MultiHeadAttention) -> None:
    if attention.qkv.bias is not None:
        raise ValueError("the note's attention has no biases: build MultiHeadAttention with bias=False")
    if attention.n_kv_heads != attention.n_heads:
        raise ValueError("each of the note's heads has keys and values of its own: leave n_kv_heads out")


def _stack(
    name: str, matrices: Iterable[Tensor | np.ndarray], n_heads: int, shape: tuple[int, int]
) -> Float[Tensor, "heads rows columns"]:
    per_head = [torch.as_tensor(matrix) for matrix in matrices]
    if len(per_head) != n_heads:
        raise ValueError(f"{name} has {len(per_head)} matrices; {n_heads}, one per head, is right")
    for head, matrix in enumerate(per_head):
        if matrix.shape != shape:
            raise ValueError(f"{name}[{head}] has shape {tuple(matrix.shape)}; {shape} is right")
    return torch.stack(per_head)
