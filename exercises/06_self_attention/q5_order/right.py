"""Right answers to question 06.5."""


# %% lists: Two lists.
without_masks = [True, False, True, True, False]
with_masks = [True, False, True, False]


# %% numbers: Zeros and ones, in a tensor and a tuple.
without_masks = torch.tensor([1, 0, 1, 1, 0], dtype=torch.uint8)
with_masks = (np.bool_(1), 0.0, 1, False)


# %% tried: Each function tried on a permutation.
g = torch.Generator().manual_seed(1)
x = torch.randn(6, 4, generator=g, dtype=torch.float64)
e = torch.randn(6, 4, generator=g, dtype=torch.float64)
order = torch.tensor([3, 0, 5, 1, 4, 2])
i, j = torch.arange(6)[:, None], torch.arange(6)[None]


def look(x, allowed=True, dim=-1):
    scores = (x @ x.T).masked_fill(~torch.as_tensor(allowed).expand(6, 6), -1e30)
    return scores.softmax(dim) @ x


def equivariant(f):
    return bool(torch.allclose(f(x[order]), f(x)[order]))


without_masks = [
    equivariant(lambda x: look(x, dim=0)),
    equivariant(lambda x: look(x + e)),
    equivariant(lambda x: look(x).relu() @ e[:4]),
    equivariant(lambda x: x.mean(0).expand(6, 4)),
    equivariant(lambda x: torch.conv1d(x.T[None], torch.ones(1, 4, 3, dtype=x.dtype) * torch.tensor([1.0, 2, 3]), padding=1)[0].T),
]
with_masks = [
    equivariant(lambda x: look(x, x[:, 0][None] > 0)),
    equivariant(lambda x: look(x, j <= i)),
    equivariant(lambda x: look(x, i != j)),
    equivariant(lambda x: look(x, (i - j).abs() <= 2)),
]
