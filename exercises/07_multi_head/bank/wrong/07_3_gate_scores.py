"""a gate on the scores, which changes where heads look"""
# loses: gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if gate is not None:
        scores = gate[:, None, None] * scores
    return join_heads(scores.softmax(-1) @ v) @ W_o
