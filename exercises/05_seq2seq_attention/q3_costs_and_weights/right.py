"""Right answers to question 05.3."""


# %% closed: Typed numbers, rounded to six digits or more.
words = 205
additive = 182400
dot = 38400
inner_bytes = 3686400
context = [0.7272727, 0.8181818]
unmasked = 0.6666667
exact_bits = 1.7146026
bound_bits = 2.25
local_scores = 128


# %% counted: Counted in loops and with tensors.
words = max(n for n in range(1000) if 1000**n <= 2 ** (64 * 32))
dot = sum(64 for _ in range(20) for _ in range(30))
additive = sum(48 * 64 for _ in range(20 + 30)) + sum(48 for _ in range(20 * 30))
inner_bytes = torch.zeros(20, 30, 48).numel() * 4 * 32
h = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], dtype=torch.float64)
q = torch.tensor([2.0, 3.0], dtype=torch.float64).log()
context = ((h @ q).softmax(0) @ h).tolist()
padded = torch.cat([h, torch.zeros(1, 2)])
unmasked = ((padded @ q).softmax(0) @ padded)[0].item()
weights, chances = np.array([4, 1, 3]) / 8, np.array([8, 4, 1]) / 16
exact_bits = -np.log2((weights * chances).sum())
bound_bits = -(weights * np.log2(chances)).sum()
local_scores = sum(abs(i - j) <= 3 for i in range(20) for j in range(20))
