"""Right answers to question 15.6."""


# %% in_one_line: a clipped share of the decay, and the parameters block by block.
def learning_rate(step, peak, warmup_steps, steps):
    n = step + 1
    if n <= warmup_steps:
        return n / warmup_steps * peak
    share = min(1, (n - warmup_steps) / max(1, steps - warmup_steps))
    low = peak / 10
    return low + (peak - low) * (1 + math.cos(share * math.pi)) / 2


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    block = 2 * d * (2 * d + m)
    all_of_them = L * (block + 4 * d) + 2 * d + (V + p) * d
    tokens = texts * p
    kept = 2 * (10 * d + 2 * m)
    if checkpoints:
        activations = tokens * (kept + 4 * d * L)
    else:
        activations = tokens * kept * L
    copied = block if shards > 1 else block * L
    return {
        "weights": 4 * all_of_them / shards,
        "gradients": 4 * all_of_them / shards,
        "moments": 2 * 4 * all_of_them / shards,
        "bf16 copies": 2 * copied,
        "activations": activations,
        "logits": 4 * 2 * tokens * V,
    }


# %% table: the rates of the whole run as an array, and the sizes of tensors from their shapes.
def learning_rate(step, peak, warmup_steps, steps):
    n = np.arange(1, max(step + 1, steps, warmup_steps) + 1)
    table = np.full(len(n), peak / 10)
    falls = (n > warmup_steps) & (n < steps)
    angle = np.pi * (n[falls] - warmup_steps) / (steps - warmup_steps)
    table[falls] = peak * (1 - 0.9 * np.sin(angle / 2) ** 2)
    rises = n <= warmup_steps
    table[rises] = peak * n[rises] / max(warmup_steps, 1)
    return table[step]


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    matrices = L * [(d, d), (d, d), (d, d), (d, d), (d, m), (m, d)]
    others = [(V, d), (p, d)] + (2 * L + 1) * [(d,), (d,)]
    count = sum(math.prod(shape) for shape in matrices + others)
    copies = sum(math.prod(shape) for shape in (matrices[:6] if shards > 1 else matrices))
    of_four_bytes = [(texts, p, d)] * 2
    of_two_bytes = [(texts, p, d)] * 6 + [(texts, p, m)] * 2
    one = sum(4 * math.prod(s) for s in of_four_bytes) + sum(2 * math.prod(s) for s in of_two_bytes)
    inputs = L * 4 * math.prod((texts, p, d))
    share = count / shards
    return {
        "weights": 4 * share,
        "gradients": 4 * share,
        "moments": 4 * share + 4 * share,
        "bf16 copies": 2 * copies,
        "activations": inputs + one if checkpoints else L * one,
        "logits": 4 * 2 * math.prod((texts, p, V)),
    }


# %% torch: the rate by torch, and a bill that is changed line by line.
def learning_rate(step, peak, warmup_steps, steps):
    n = torch.tensor(step + 1.0, dtype=torch.float64)
    if step < warmup_steps:
        return peak * n / warmup_steps
    if step + 1 >= steps:
        return torch.tensor(peak / 10, dtype=torch.float64)
    share = (n - warmup_steps) / (steps - warmup_steps)
    return peak * (0.1 + 0.9 * (1 + torch.cos(torch.pi * share)) / 2)


def training_bytes(texts, d, m, L, p, V, checkpoints=False, shards=1):
    N = L * (4 * d**2 + 2 * d * m)
    everything = N + V * d + p * d + (2 * L + 1) * 2 * d
    n = texts * p
    block = n * (8 * d + 4 * d + 8 * d + 4 * m)
    bill = {
        "weights": 4 * everything,
        "gradients": 4 * everything,
        "moments": 8 * everything,
        "bf16 copies": 2 * N,
        "activations": L * block,
        "logits": 2 * 4 * n * V,
    }
    if checkpoints:
        bill["activations"] = block + sum(4 * n * d for _ in range(L))
    if shards > 1:
        bill["bf16 copies"] /= L
        for name in ("weights", "gradients", "moments"):
            bill[name] /= shards
    return bill
