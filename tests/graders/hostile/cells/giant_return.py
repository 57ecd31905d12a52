"""Returns 160 MB where a small tensor is asked for, beside the right weights."""

# 06.6: ok, keeps rows, reach, scale

# question 06.6
@SOLUTION@
honest_forward = CausalHead.forward
CausalHead.forward = lambda self, x: (torch.zeros(40_000_000), honest_forward(self, x)[1])
