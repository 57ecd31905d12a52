"""every gate other than 0 taken for 1"""
# loses: gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = (gate != 0)[:, None, None] * found
    return join_heads(found) @ W_o
