"""Returns sixty million small integers, just below the limit in bytes."""

# 06.6: ok

# question 06.6
@SOLUTION@
CausalHead.forward = lambda self, x: (torch.zeros(3), torch.zeros(60_000_000, dtype=torch.int8))
