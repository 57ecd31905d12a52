"""Exponentials by hand, the gate in the rows of W_o."""


def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = (q / math.sqrt(q.size(-1))) @ k.mT
    powers = (scores - scores.amax(-1, keepdim=True)).exp()
    found = join_heads(powers @ v / powers.sum(-1, keepdim=True))
    if gate is not None:
        W_o = gate.repeat_interleave(len(W_o) // n_heads)[:, None] * W_o
    return found @ W_o
