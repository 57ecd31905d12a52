"""Right answers to question 07.2."""


# %% counted: Counted on modules and matrices.
def head_parameters(n_heads, width=64):
    return n_heads * (3 * nn.Linear(384, width, bias=False).weight.numel() + width * 384)


parameters, more_heads = head_parameters(6), head_parameters(8)
weights = sum(200 for _ in range(6 * 200))
causal_weights = 6 * int(np.tri(200).sum())
rng = np.random.default_rng(0)
factors = rng.standard_normal((8, 384, 64))
score_rank = int(np.linalg.matrix_rank(factors[0] @ factors[1].T))
message_rank = int(np.linalg.matrix_rank(sum(factors[2 * h] @ factors[2 * h + 1].T for h in range(4))))
redundant = 2 * 384 * 64 - 64 * (2 * 384 - 64)
learned = np.zeros((201, 384)).size - np.zeros((200, 384)).size
fully_connected = torch.tensor(384 * 1000)


# %% numbers: Numbers.
parameters, more_heads = 589_824, 786_432
weights, causal_weights = 240_000, 120_600
score_rank, message_rank = 64, 256
redundant = 4096
learned, fully_connected = 384, 384_000
