"""gates that change from column to column instead of from head to head"""
# loses: gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        width = W_v.shape[1] // n_heads
        return (join_heads(found) * gate.repeat(width)) @ W_o
    return join_heads(found) @ W_o
