"""Asks for a tensor of four terabytes inside a method."""

# 06.6: out-of-memory

# question 06.6
@SOLUTION@


def too_large(self, x):
    return torch.zeros(10**12), None


CausalHead.forward = too_large
