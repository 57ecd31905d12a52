"""Single precision, as PyTorch has it by default, and forward differentiation."""
from torch.func import jacfwd, jvp

s = torch.tensor([0.6, 0.3, 0.1]).log()
J = jacfwd(lambda s: torch.softmax(s, 0))(s)
own, other = J[0, 0], J[0, 1]
_, pull = jvp(lambda s: torch.softmax(s, 0) @ torch.tensor([10.0, 20.0, 50.0]), (s,), (torch.eye(3)[2],))
pair = torch.tensor([6.0, 1.0]).softmax(0)
certain = pair[0] * (1 - pair[0])
