"""Right answers to question 06.4."""


# %% autograd: Automatic differentiation, from logarithms of the weights.
s = torch.tensor([0.6, 0.3, 0.1], dtype=torch.float64).log().requires_grad_()
alpha = s.softmax(0)
own, other, _ = torch.autograd.grad(alpha[0], s, retain_graph=True)[0].tolist()
answer = alpha @ torch.tensor([10.0, 20.0, 50.0], dtype=torch.float64)
pull = torch.autograd.grad(answer, s)[0][2].item()
pair = torch.tensor([6.0, 1.0], dtype=torch.float64, requires_grad=True)
certain = torch.autograd.grad(pair.softmax(0)[0], pair)[0][0].item()


# %% float32: Single precision, as PyTorch has it by default, and forward differentiation.
from torch.func import jacfwd, jvp

s = torch.tensor([0.6, 0.3, 0.1]).log()
J = jacfwd(lambda s: torch.softmax(s, 0))(s)
own, other = J[0, 0], J[0, 1]
_, pull = jvp(lambda s: torch.softmax(s, 0) @ torch.tensor([10.0, 20.0, 50.0]), (s,), (torch.eye(3)[2],))
pair = torch.tensor([6.0, 1.0]).softmax(0)
certain = pair[0] * (1 - pair[0])


# %% jacobian: The whole Jacobian at once.
alpha = np.array([0.6, 0.3, 0.1])
J = np.diag(alpha) - np.outer(alpha, alpha)
own, other = J[0, 0], J[0, 1]
pull = np.array([10.0, 20.0, 50.0]) @ J[:, 2]
pair = np.exp([6.0, 1.0]) / np.exp([6.0, 1.0]).sum()
certain = pair[0] * pair[1]
