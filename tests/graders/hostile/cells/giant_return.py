"""Returns 160 MB where a small tensor is asked for."""

# 06.6: ok

# question 06.6
@SOLUTION@
CausalHead.forward = lambda self, x: (torch.zeros(40_000_000), torch.zeros(3))
