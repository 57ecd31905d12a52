"""What several questions on heads forbid, and cases in float64."""

import torch

FUSED = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
)


def in_double(case):
    """With scores of thousands, gradients that cancel need the digits."""
    return {name: value.double() if torch.is_tensor(value) else value for name, value in case.items()}
