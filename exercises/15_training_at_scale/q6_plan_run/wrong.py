"""Named mistakes in question 15.6."""


# %% activations_shared: activations divided among the workers
# loses: shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": (4 * tokens * d * L + block if checkpoints else L * block) / shards,
        "logits": 2 * 4 * tokens * V,
    }


# %% added_tenth: a cosine toward 0 with a tenth of the peak added to it
# loses: decay
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% all_copies: copies of all blocks at once for every worker
# loses: shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices,
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% all_in_full: four bytes for every activation
# loses: activations, checkpoints, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (32 * d + 8 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% blocks_only: the parameters of the blocks' matrices alone
# loses: states, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% checkpoints_ignored: checkpoints that save nothing
# loses: checkpoints, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% copies_in_full: copies of four bytes
# loses: states, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 4 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% copies_shared: copies divided among the workers
# loses: shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / shards,
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% cosine_from_start: a cosine over all steps of the run, the warm-up included
# loses: decay
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = n / steps
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% cut_off: a cosine toward 0 that is cut off at a tenth of the peak
# loses: decay
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * max(0.1, (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% decay_late: a decay that begins and ends one step late
# loses: decay
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if step >= steps or steps <= warmup_steps:
        return 0.1 * peak
    share = (step - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% everything_copied: copies of all parameters, tables and norms too
# loses: states, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * parameters / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% first_rate_zero: steps counted from 0 in the whole formula, so that the first rate is 0
# loses: warm-up, decay
def learning_rate(step, peak, warmup_steps, steps):
    n = step
    if n <= warmup_steps:
        return peak * n / max(warmup_steps, 1)
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% from_a_tenth: a warm-up that begins at a tenth of the peak
# loses: warm-up
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * (0.1 + 0.9 * n / warmup_steps)
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% gains_only: norms with a gain but no bias
# loses: states, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% inner_once: the network's inner layer kept once
# loses: activations, checkpoints, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 2 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% inner_width_four: an inner width of 4 d, whatever m is
# loses: activations, checkpoints, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (36 * d)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% inputs_in_half: kept inputs of two bytes
# loses: checkpoints, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 2 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% inverse_root: the decay with the inverse root of the step
# loses: decay
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    return peak * (max(warmup_steps, 1) / n) ** 0.5


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% last_norm_forgotten: a count without the norm after the last block
# loses: states, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + 2 * L * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% late_warmup: a warm-up that begins with the rate 0 and ends below the peak
# loses: warm-up
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * step / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% line: a line down to a tenth of the peak
# loses: decay
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (1 - 0.9 * share)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% logits_shared: logits divided among the workers
# loses: shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V / shards,
    }


# %% moments_only: moments divided among the workers, weights and gradients held by each
# loses: shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters,
        "gradients": 4 * parameters,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% no_logit_gradient: logits without their gradient
# loses: activations, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 4 * tokens * V,
    }


# %% no_rebuilt_block: the kept inputs without the block that is run again
# loses: checkpoints, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% no_warmup: a rate without a warm-up, at its peak from the first step
# loses: warm-up
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% norms_forgotten: a count without the gains and biases of the norms
# loses: states, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% norms_in_half: two bytes for the norms' inputs as well
# loses: activations, checkpoints, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (16 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% nothing_shared: workers that share nothing
# loses: shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters,
        "gradients": 4 * parameters,
        "moments": 8 * parameters,
        "bf16 copies": 2 * matrices / 1,
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% one_block: the activations of one block only
# loses: activations, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else block,
        "logits": 2 * 4 * tokens * V,
    }


# %% one_input: a single kept input
# loses: checkpoints, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% one_moment: a single moment for each parameter
# loses: states, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 4 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% positions_forgotten: a count without the table of positions
# loses: states, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% product: the warm-up and a cosine over the whole run, multiplied
# loses: warm-up, decay
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    rise = min(1, n / max(1, warmup_steps))
    share = min(1, n / steps)
    return peak * rise * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% rebuilt_all: the kept inputs and the activations of all blocks
# loses: checkpoints, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + L * block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% rises_again: a cosine that rises again after the last step
# loses: decay
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if steps <= warmup_steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% rounded_down: shares rounded down to whole bytes
# loses: shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters // shards,
        "gradients": 4 * parameters // shards,
        "moments": 8 * parameters // shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% texts_as_tokens: the number of texts in place of the number of tokens
# loses: activations, checkpoints, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% to_zero: a cosine that falls to 0
# loses: decay
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.0
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (1 + math.cos(math.pi * share)) / 2


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% two_bytes: weights and gradients of two bytes
# loses: states, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 2 * parameters / shards,
        "gradients": 2 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% untied: a head with a table of its own
# loses: states, shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + 2 * V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% weights_whole: gradients and moments divided among the workers, the weights held by each
# loses: shards
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }


# %% whole_wave: a whole wave of the cosine, which ends at the peak
# loses: decay
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return peak * n / warmup_steps
    if n >= steps:
        return 0.1 * peak
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + math.cos(2 * math.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * (4 * d**2 + 2 * d * m)
    parameters = matrices + V * d + p * d + (2 * L + 1) * 2 * d
    tokens = texts * p
    block = tokens * (20 * d + 4 * m)
    return {
        "weights": 4 * parameters / shards,
        "gradients": 4 * parameters / shards,
        "moments": 8 * parameters / shards,
        "bf16 copies": 2 * matrices / (L if shards > 1 else 1),
        "activations": 4 * tokens * d * L + block if checkpoints else L * block,
        "logits": 2 * 4 * tokens * V,
    }
