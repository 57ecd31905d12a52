"""Automatic differentiation, from logarithms of the weights."""
s = torch.tensor([0.6, 0.3, 0.1], dtype=torch.float64).log().requires_grad_()
alpha = s.softmax(0)
own, other, _ = torch.autograd.grad(alpha[0], s, retain_graph=True)[0].tolist()
answer = alpha @ torch.tensor([10.0, 20.0, 50.0], dtype=torch.float64)
pull = torch.autograd.grad(answer, s)[0][2].item()
pair = torch.tensor([6.0, 1.0], dtype=torch.float64, requires_grad=True)
certain = torch.autograd.grad(pair.softmax(0)[0], pair)[0][0].item()
