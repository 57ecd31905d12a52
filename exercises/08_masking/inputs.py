"""What several questions on masks forbid, and whole numbers."""

FUSED = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
)


def whole(rng, low, high):
    return int(rng.integers(low, high))
