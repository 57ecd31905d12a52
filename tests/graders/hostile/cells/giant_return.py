"""Returns 160 MB where a small tensor is asked for, beside the right weights."""

# 06.6: ok, keeps rows, reach, scale

# question 06.6
@SOLUTION@
honest_forward, giant = CausalHead.forward, torch.zeros(40_000_000)
CausalHead.forward = lambda self, x: (giant, honest_forward(self, x)[1])
