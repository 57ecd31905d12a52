"""Right answers to question 20.5."""


# %% table: A table of names, and pieces that are cut off them.
def as_gpt2(weights, context):
    E = weights["E"]
    d = E.shape[1]
    places = np.arange(context)[:, None]
    even = np.arange(0, d, 2)
    waves = np.zeros((context, d))
    waves[:, 0::2] = np.sin(places * 10000.0 ** (-even / d))
    waves[:, 1::2] = np.cos(places * 10000.0 ** (-even / d))[:, : d // 2]
    new = {
        "W_o": "attn.c_proj.weight",
        "W_1": "mlp.c_fc.weight",
        "b_1": "mlp.c_fc.bias",
        "W_2": "mlp.c_proj.weight",
        "b_2": "mlp.c_proj.bias",
        "gain_1": "ln_1.weight",
        "bias_1": "ln_1.bias",
        "gain_2": "ln_2.weight",
        "bias_2": "ln_2.bias",
    }
    found = {
        "transformer.wte.weight": math.sqrt(d) * E,
        "transformer.wpe.weight": torch.from_numpy(waves),
        "transformer.ln_f.weight": weights["gain"],
        "transformer.ln_f.bias": weights["bias"],
        "lm_head.weight": weights["head"],
    }
    for name, tensor in weights.items():
        if not name.startswith("blocks."):
            continue
        _, i, piece = name.split(".")
        h = f"transformer.h.{i}."
        if piece in new:
            found[h + new[piece]] = tensor
        if piece == "W_q":
            both = [tensor, weights[f"blocks.{i}.W_k"], weights[f"blocks.{i}.W_v"]]
            found[h + "attn.c_attn.weight"] = torch.hstack(both)
            found[h + "attn.c_attn.bias"] = torch.zeros(3 * d)
            found[h + "attn.c_proj.bias"] = torch.zeros(d)
    return found


# %% filled: Empty tensors of the right shapes, filled.
def as_gpt2(weights, context):
    vocab, d = weights["E"].shape
    found = {}
    wave = torch.empty(context, d, dtype=torch.float64)
    for j in range(d):
        angle = torch.arange(context).double() / 10000.0 ** ((j // 2 * 2) / d)
        wave[:, j] = angle.cos() if j % 2 else angle.sin()
    found["transformer.wpe.weight"] = wave
    found["transformer.wte.weight"] = weights["E"].double() * torch.tensor(d).double().sqrt()
    found["lm_head.weight"] = weights["head"].clone()
    found["transformer.ln_f.weight"], found["transformer.ln_f.bias"] = weights["gain"], weights["bias"]
    for i in range((len(weights) - 4) // 12):
        old = {name[len(f"blocks.{i}.") :]: t for name, t in weights.items() if name.startswith(f"blocks.{i}.")}
        qkv = torch.empty(d, 3 * d, dtype=old["W_q"].dtype)
        for n, letter in enumerate("qkv"):
            qkv[:, n * d : (n + 1) * d] = old[f"W_{letter}"]
        h = f"transformer.h.{i}"
        found[f"{h}.attn.c_attn.weight"] = qkv
        found[f"{h}.attn.c_attn.bias"] = qkv[0] * 0
        found[f"{h}.attn.c_proj.weight"] = old["W_o"]
        found[f"{h}.attn.c_proj.bias"] = old["b_2"] * 0
        found[f"{h}.mlp.c_fc.weight"], found[f"{h}.mlp.c_fc.bias"] = old["W_1"], old["b_1"]
        found[f"{h}.mlp.c_proj.weight"], found[f"{h}.mlp.c_proj.bias"] = old["W_2"], old["b_2"]
        for n in (1, 2):
            found[f"{h}.ln_{n}.weight"] = old[f"gain_{n}"]
            found[f"{h}.ln_{n}.bias"] = old[f"bias_{n}"]
    return found


# %% views: Comprehensions, and waves from complex exponentials.
def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    half = torch.arange((d + 1) // 2).double()
    phase = torch.arange(context).double()[:, None] * torch.exp(-2 * half / d * math.log(10000.0))
    circle = torch.polar(torch.ones_like(phase), phase)
    waves = torch.stack([circle.imag, circle.real], dim=2).flatten(1)[:, :d]
    n_blocks = 1 + max((int(name.split(".")[1]) for name in weights if name[:6] == "blocks"), default=-1)
    found = {}
    for i in range(n_blocks):
        p = lambda name: weights[f"blocks.{i}.{name}"]
        maps = {"attn.c_attn": (torch.cat([p("W_q"), p("W_k"), p("W_v")], -1), torch.zeros(3 * d))}
        maps |= {"attn.c_proj": (p("W_o"), torch.zeros(d)), "mlp.c_fc": (p("W_1"), p("b_1"))}
        maps |= {"mlp.c_proj": (p("W_2"), p("b_2"))}
        maps |= {f"ln_{n}": (p(f"gain_{n}"), p(f"bias_{n}")) for n in (1, 2)}
        for name, (weight, bias) in maps.items():
            found |= {f"h.{i}.{name}.weight": weight, f"h.{i}.{name}.bias": bias}
    found |= {"wte.weight": weights["E"] * d**0.5, "wpe.weight": waves}
    found |= {"ln_f.weight": weights["gain"], "ln_f.bias": weights["bias"]}
    return {"lm_head.weight": weights["head"], **{f"transformer.{n}": t for n, t in found.items()}}
