"""Calls the attention that the question forbids, catching the refusal."""

# 06.1: ok

# question 06.1
from torch.nn.functional import scaled_dot_product_attention as fused

@SOLUTION@
honest = attention


def attention(query, key, value, allowed=None):
    try:
        return fused(query, key, value, attn_mask=allowed)
    except RuntimeError:
        return honest(query, key, value, allowed)
