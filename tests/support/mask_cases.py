"""Random masks of every form."""

import hypothesis.strategies as st
import torch

from transformer_lib.transformer.masks import Mask


@st.composite
def masks(draw, batch, queries, keys):
    """A mask of any form, combinations and rows that allow nothing among them."""
    parts = [Mask.full()]
    if queries <= keys and draw(st.booleans()):
        parts.append(draw(st.sampled_from([Mask.causal(), Mask.window(1), Mask.window(3)])))
    if draw(st.booleans()):
        lengths = draw(st.lists(st.integers(0, keys + 1), min_size=batch, max_size=batch))
        parts.append(Mask.from_key_lengths(torch.tensor(lengths)))
    if draw(st.booleans()):
        shape = draw(st.sampled_from([(queries, keys), (batch, 1, queries, keys), (2, 1, keys)]))
        seed, density = draw(st.integers(0, 2**16)), draw(st.sampled_from([0.0, 0.3, 0.8]))
        noise = torch.rand(shape, generator=torch.Generator().manual_seed(seed))
        parts.append(Mask.from_dense(noise < density))
    combined = parts[0]
    for part in draw(st.permutations(parts[1:])):
        combined = combined & part
    return combined
