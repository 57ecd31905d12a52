"""Named mistakes in question 07.3."""


# %% axis: a softmax over the queries
# loses: one head, several heads, gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-2) @ v
    if gate is not None:
        found = gate[:, None, None] * found
    return join_heads(found) @ W_o


# %% gate_fixed: a gate of numbers, without a gradient
# loses: gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = gate.detach()[:, None, None] * found
    return join_heads(found) @ W_o


# %% gate_ignored: a gate that is ignored
# loses: gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = found
    return join_heads(found) @ W_o


# %% gate_of_ones: a gate of ones that is skipped, and with it its gradient
# loses: gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None and not (gate == 1).all():
        found = gate[:, None, None] * found
    return join_heads(found) @ W_o


# %% gate_clamped: gates above 10 cut off there
# loses: gate
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = gate.clamp(max=10)[:, None, None] * found
    return join_heads(found) @ W_o


# %% gate_reversed: the gates in reverse
# loses: gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = gate.flip(0)[:, None, None] * found
    return join_heads(found) @ W_o


# %% gate_root: a gate that acts twice
# loses: gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = gate[:, None, None] ** 2 * found
    return join_heads(found) @ W_o


# %% gate_scores: a gate on the scores, which changes where heads look
# loses: gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if gate is not None:
        scores = gate[:, None, None] * scores
    return join_heads(scores.softmax(-1) @ v) @ W_o


# %% gate_switch: every gate other than 0 taken for 1
# loses: gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = (gate != 0)[:, None, None] * found
    return join_heads(found) @ W_o


# %% gate_tiled: gates that change from column to column instead of from head to head
# loses: gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        width = W_v.shape[1] // n_heads
        return (join_heads(found) * gate.repeat(width)) @ W_o
    return join_heads(found) @ W_o


# %% mean: the mean over heads instead of the sum
# loses: several heads, gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = gate[:, None, None] * found
    return join_heads(found) @ W_o / n_heads


# %% no_scale: no scale
# loses: one head, several heads, gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / 1.0
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = gate[:, None, None] * found
    return join_heads(found) @ W_o


# %% over_heads: a softmax over the heads
# loses: one head, several heads, gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(1) @ v
    if gate is not None:
        found = gate[:, None, None] * found
    return join_heads(found) @ W_o


# %% overflow: exponentials of the scores themselves, which overflow
# loses: large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    powers = (q @ k.mT / q.shape[-1] ** 0.5).exp()
    found = powers / powers.sum(-1, keepdim=True) @ v
    if gate is not None:
        found = gate[:, None, None] * found
    return join_heads(found) @ W_o


# %% reshape: heads cut out by one reshape
# loses: several heads, gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = ((x @ W).reshape(len(x), n_heads, x.shape[1], -1) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = gate[:, None, None] * found
    return join_heads(found) @ W_o


# %% scale_all: the scale of all heads together
# loses: several heads, gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / W_q.shape[1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = gate[:, None, None] * found
    return join_heads(found) @ W_o


# %% scale_d: the scale of d_model
# loses: one head, several heads, gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / x.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = gate[:, None, None] * found
    return join_heads(found) @ W_o


# %% scale_value: the scale of the width of a value
# loses: one head, several heads, gate, large scores, gradients
def multi_head(x, W_q, W_k, W_v, W_o, n_heads, gate=None):
    q, k, v = (split_heads(x @ W, n_heads) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / v.shape[-1] ** 0.5
    found = scores.softmax(-1) @ v
    if gate is not None:
        found = gate[:, None, None] * found
    return join_heads(found) @ W_o
