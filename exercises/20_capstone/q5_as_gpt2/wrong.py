"""Named mistakes in question 20.5."""


# %% no_root: a table of tokens without the root of d
# loses: tables
def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    column = torch.arange(d)
    rate = 10000.0 ** (-(column - column % 2).double() / d)
    angle = torch.arange(context).double()[:, None] * rate
    waves = torch.where(column % 2 == 0, angle.sin(), angle.cos())
    found = {
        "wte.weight": weights["E"],
        "wpe.weight": waves.to(weights["E"].dtype),
        "ln_f.weight": weights["gain"],
        "ln_f.bias": weights["bias"],
    }
    i = 0
    while f"blocks.{i}.W_q" in weights:
        old, new = f"blocks.{i}.", f"h.{i}."
        qkv = [weights[f"{old}W_{name}"] for name in "qkv"]
        found[f"{new}attn.c_attn.weight"] = torch.cat(qkv, dim=1)
        found[f"{new}attn.c_attn.bias"] = weights["gain"].new_zeros(3 * d)
        found[f"{new}attn.c_proj.weight"] = weights[f"{old}W_o"]
        found[f"{new}attn.c_proj.bias"] = weights["gain"].new_zeros(d)
        for n, name in ((1, "c_fc"), (2, "c_proj")):
            found[f"{new}mlp.{name}.weight"] = weights[f"{old}W_{n}"]
            found[f"{new}mlp.{name}.bias"] = weights[f"{old}b_{n}"]
            found[f"{new}ln_{n}.weight"] = weights[f"{old}gain_{n}"]
            found[f"{new}ln_{n}.bias"] = weights[f"{old}bias_{n}"]
        i += 1
    named = {f"transformer.{name}": tensor for name, tensor in found.items()}
    return named | {"lm_head.weight": weights["head"]}


# %% root_in_both: a head that is multiplied by the root of d as well
# loses: tables
def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    column = torch.arange(d)
    rate = 10000.0 ** (-(column - column % 2).double() / d)
    angle = torch.arange(context).double()[:, None] * rate
    waves = torch.where(column % 2 == 0, angle.sin(), angle.cos())
    found = {
        "wte.weight": weights["E"] * d**0.5,
        "wpe.weight": waves.to(weights["E"].dtype),
        "ln_f.weight": weights["gain"],
        "ln_f.bias": weights["bias"],
    }
    i = 0
    while f"blocks.{i}.W_q" in weights:
        old, new = f"blocks.{i}.", f"h.{i}."
        qkv = [weights[f"{old}W_{name}"] for name in "qkv"]
        found[f"{new}attn.c_attn.weight"] = torch.cat(qkv, dim=1)
        found[f"{new}attn.c_attn.bias"] = weights["gain"].new_zeros(3 * d)
        found[f"{new}attn.c_proj.weight"] = weights[f"{old}W_o"]
        found[f"{new}attn.c_proj.bias"] = weights["gain"].new_zeros(d)
        for n, name in ((1, "c_fc"), (2, "c_proj")):
            found[f"{new}mlp.{name}.weight"] = weights[f"{old}W_{n}"]
            found[f"{new}mlp.{name}.bias"] = weights[f"{old}b_{n}"]
            found[f"{new}ln_{n}.weight"] = weights[f"{old}gain_{n}"]
            found[f"{new}ln_{n}.bias"] = weights[f"{old}bias_{n}"]
        i += 1
    named = {f"transformer.{name}": tensor for name, tensor in found.items()}
    return named | {"lm_head.weight": weights["head"] * d**0.5}


# %% own_rate: odd columns with a rate of their own
# loses: tables
def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    column = torch.arange(d)
    rate = 10000.0 ** (-column.double() / d)
    angle = torch.arange(context).double()[:, None] * rate
    waves = torch.where(column % 2 == 0, angle.sin(), angle.cos())
    found = {
        "wte.weight": weights["E"] * d**0.5,
        "wpe.weight": waves.to(weights["E"].dtype),
        "ln_f.weight": weights["gain"],
        "ln_f.bias": weights["bias"],
    }
    i = 0
    while f"blocks.{i}.W_q" in weights:
        old, new = f"blocks.{i}.", f"h.{i}."
        qkv = [weights[f"{old}W_{name}"] for name in "qkv"]
        found[f"{new}attn.c_attn.weight"] = torch.cat(qkv, dim=1)
        found[f"{new}attn.c_attn.bias"] = weights["gain"].new_zeros(3 * d)
        found[f"{new}attn.c_proj.weight"] = weights[f"{old}W_o"]
        found[f"{new}attn.c_proj.bias"] = weights["gain"].new_zeros(d)
        for n, name in ((1, "c_fc"), (2, "c_proj")):
            found[f"{new}mlp.{name}.weight"] = weights[f"{old}W_{n}"]
            found[f"{new}mlp.{name}.bias"] = weights[f"{old}b_{n}"]
            found[f"{new}ln_{n}.weight"] = weights[f"{old}gain_{n}"]
            found[f"{new}ln_{n}.bias"] = weights[f"{old}bias_{n}"]
        i += 1
    named = {f"transformer.{name}": tensor for name, tensor in found.items()}
    return named | {"lm_head.weight": weights["head"]}


# %% places_from_one: places counted from 1
# loses: tables
def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    column = torch.arange(d)
    rate = 10000.0 ** (-(column - column % 2).double() / d)
    angle = torch.arange(1, context + 1).double()[:, None] * rate
    waves = torch.where(column % 2 == 0, angle.sin(), angle.cos())
    found = {
        "wte.weight": weights["E"] * d**0.5,
        "wpe.weight": waves.to(weights["E"].dtype),
        "ln_f.weight": weights["gain"],
        "ln_f.bias": weights["bias"],
    }
    i = 0
    while f"blocks.{i}.W_q" in weights:
        old, new = f"blocks.{i}.", f"h.{i}."
        qkv = [weights[f"{old}W_{name}"] for name in "qkv"]
        found[f"{new}attn.c_attn.weight"] = torch.cat(qkv, dim=1)
        found[f"{new}attn.c_attn.bias"] = weights["gain"].new_zeros(3 * d)
        found[f"{new}attn.c_proj.weight"] = weights[f"{old}W_o"]
        found[f"{new}attn.c_proj.bias"] = weights["gain"].new_zeros(d)
        for n, name in ((1, "c_fc"), (2, "c_proj")):
            found[f"{new}mlp.{name}.weight"] = weights[f"{old}W_{n}"]
            found[f"{new}mlp.{name}.bias"] = weights[f"{old}b_{n}"]
            found[f"{new}ln_{n}.weight"] = weights[f"{old}gain_{n}"]
            found[f"{new}ln_{n}.bias"] = weights[f"{old}bias_{n}"]
        i += 1
    named = {f"transformer.{name}": tensor for name, tensor in found.items()}
    return named | {"lm_head.weight": weights["head"]}


# %% tied: the table of tokens as the head
# loses: tables
def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    column = torch.arange(d)
    rate = 10000.0 ** (-(column - column % 2).double() / d)
    angle = torch.arange(context).double()[:, None] * rate
    waves = torch.where(column % 2 == 0, angle.sin(), angle.cos())
    found = {
        "wte.weight": weights["E"] * d**0.5,
        "wpe.weight": waves.to(weights["E"].dtype),
        "ln_f.weight": weights["gain"],
        "ln_f.bias": weights["bias"],
    }
    i = 0
    while f"blocks.{i}.W_q" in weights:
        old, new = f"blocks.{i}.", f"h.{i}."
        qkv = [weights[f"{old}W_{name}"] for name in "qkv"]
        found[f"{new}attn.c_attn.weight"] = torch.cat(qkv, dim=1)
        found[f"{new}attn.c_attn.bias"] = weights["gain"].new_zeros(3 * d)
        found[f"{new}attn.c_proj.weight"] = weights[f"{old}W_o"]
        found[f"{new}attn.c_proj.bias"] = weights["gain"].new_zeros(d)
        for n, name in ((1, "c_fc"), (2, "c_proj")):
            found[f"{new}mlp.{name}.weight"] = weights[f"{old}W_{n}"]
            found[f"{new}mlp.{name}.bias"] = weights[f"{old}b_{n}"]
            found[f"{new}ln_{n}.weight"] = weights[f"{old}gain_{n}"]
            found[f"{new}ln_{n}.bias"] = weights[f"{old}bias_{n}"]
        i += 1
    named = {f"transformer.{name}": tensor for name, tensor in found.items()}
    return named | {"lm_head.weight": weights["E"]}


# %% keys_first: keys before queries
# loses: attention
def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    column = torch.arange(d)
    rate = 10000.0 ** (-(column - column % 2).double() / d)
    angle = torch.arange(context).double()[:, None] * rate
    waves = torch.where(column % 2 == 0, angle.sin(), angle.cos())
    found = {
        "wte.weight": weights["E"] * d**0.5,
        "wpe.weight": waves.to(weights["E"].dtype),
        "ln_f.weight": weights["gain"],
        "ln_f.bias": weights["bias"],
    }
    i = 0
    while f"blocks.{i}.W_q" in weights:
        old, new = f"blocks.{i}.", f"h.{i}."
        qkv = [weights[f"{old}W_{name}"] for name in "kqv"]
        found[f"{new}attn.c_attn.weight"] = torch.cat(qkv, dim=1)
        found[f"{new}attn.c_attn.bias"] = weights["gain"].new_zeros(3 * d)
        found[f"{new}attn.c_proj.weight"] = weights[f"{old}W_o"]
        found[f"{new}attn.c_proj.bias"] = weights["gain"].new_zeros(d)
        for n, name in ((1, "c_fc"), (2, "c_proj")):
            found[f"{new}mlp.{name}.weight"] = weights[f"{old}W_{n}"]
            found[f"{new}mlp.{name}.bias"] = weights[f"{old}b_{n}"]
            found[f"{new}ln_{n}.weight"] = weights[f"{old}gain_{n}"]
            found[f"{new}ln_{n}.bias"] = weights[f"{old}bias_{n}"]
        i += 1
    named = {f"transformer.{name}": tensor for name, tensor in found.items()}
    return named | {"lm_head.weight": weights["head"]}


# %% output_transposed: the matrices of attention's output stored the other way round
# loses: attention
def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    column = torch.arange(d)
    rate = 10000.0 ** (-(column - column % 2).double() / d)
    angle = torch.arange(context).double()[:, None] * rate
    waves = torch.where(column % 2 == 0, angle.sin(), angle.cos())
    found = {
        "wte.weight": weights["E"] * d**0.5,
        "wpe.weight": waves.to(weights["E"].dtype),
        "ln_f.weight": weights["gain"],
        "ln_f.bias": weights["bias"],
    }
    i = 0
    while f"blocks.{i}.W_q" in weights:
        old, new = f"blocks.{i}.", f"h.{i}."
        qkv = [weights[f"{old}W_{name}"] for name in "qkv"]
        found[f"{new}attn.c_attn.weight"] = torch.cat(qkv, dim=1)
        found[f"{new}attn.c_attn.bias"] = weights["gain"].new_zeros(3 * d)
        found[f"{new}attn.c_proj.weight"] = weights[f"{old}W_o"].mT
        found[f"{new}attn.c_proj.bias"] = weights["gain"].new_zeros(d)
        for n, name in ((1, "c_fc"), (2, "c_proj")):
            found[f"{new}mlp.{name}.weight"] = weights[f"{old}W_{n}"]
            found[f"{new}mlp.{name}.bias"] = weights[f"{old}b_{n}"]
            found[f"{new}ln_{n}.weight"] = weights[f"{old}gain_{n}"]
            found[f"{new}ln_{n}.bias"] = weights[f"{old}bias_{n}"]
        i += 1
    named = {f"transformer.{name}": tensor for name, tensor in found.items()}
    return named | {"lm_head.weight": weights["head"]}


# %% ones: biases of ones in place of zeros
# loses: attention
def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    column = torch.arange(d)
    rate = 10000.0 ** (-(column - column % 2).double() / d)
    angle = torch.arange(context).double()[:, None] * rate
    waves = torch.where(column % 2 == 0, angle.sin(), angle.cos())
    found = {
        "wte.weight": weights["E"] * d**0.5,
        "wpe.weight": waves.to(weights["E"].dtype),
        "ln_f.weight": weights["gain"],
        "ln_f.bias": weights["bias"],
    }
    i = 0
    while f"blocks.{i}.W_q" in weights:
        old, new = f"blocks.{i}.", f"h.{i}."
        qkv = [weights[f"{old}W_{name}"] for name in "qkv"]
        found[f"{new}attn.c_attn.weight"] = torch.cat(qkv, dim=1)
        found[f"{new}attn.c_attn.bias"] = weights["gain"].new_ones(3 * d)
        found[f"{new}attn.c_proj.weight"] = weights[f"{old}W_o"]
        found[f"{new}attn.c_proj.bias"] = weights["gain"].new_zeros(d)
        for n, name in ((1, "c_fc"), (2, "c_proj")):
            found[f"{new}mlp.{name}.weight"] = weights[f"{old}W_{n}"]
            found[f"{new}mlp.{name}.bias"] = weights[f"{old}b_{n}"]
            found[f"{new}ln_{n}.weight"] = weights[f"{old}gain_{n}"]
            found[f"{new}ln_{n}.bias"] = weights[f"{old}bias_{n}"]
        i += 1
    named = {f"transformer.{name}": tensor for name, tensor in found.items()}
    return named | {"lm_head.weight": weights["head"]}


# %% norms_exchanged: the two norms of a block exchanged
# loses: rest
def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    column = torch.arange(d)
    rate = 10000.0 ** (-(column - column % 2).double() / d)
    angle = torch.arange(context).double()[:, None] * rate
    waves = torch.where(column % 2 == 0, angle.sin(), angle.cos())
    found = {
        "wte.weight": weights["E"] * d**0.5,
        "wpe.weight": waves.to(weights["E"].dtype),
        "ln_f.weight": weights["gain"],
        "ln_f.bias": weights["bias"],
    }
    i = 0
    while f"blocks.{i}.W_q" in weights:
        old, new = f"blocks.{i}.", f"h.{i}."
        qkv = [weights[f"{old}W_{name}"] for name in "qkv"]
        found[f"{new}attn.c_attn.weight"] = torch.cat(qkv, dim=1)
        found[f"{new}attn.c_attn.bias"] = weights["gain"].new_zeros(3 * d)
        found[f"{new}attn.c_proj.weight"] = weights[f"{old}W_o"]
        found[f"{new}attn.c_proj.bias"] = weights["gain"].new_zeros(d)
        for n, name in ((1, "c_fc"), (2, "c_proj")):
            found[f"{new}mlp.{name}.weight"] = weights[f"{old}W_{n}"]
            found[f"{new}mlp.{name}.bias"] = weights[f"{old}b_{n}"]
            found[f"{new}ln_{n}.weight"] = weights[f"{old}gain_{3 - n}"]
            found[f"{new}ln_{n}.bias"] = weights[f"{old}bias_{3 - n}"]
        i += 1
    named = {f"transformer.{name}": tensor for name, tensor in found.items()}
    return named | {"lm_head.weight": weights["head"]}


# %% first_block: the first block for all
# loses: attention, rest
def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    column = torch.arange(d)
    rate = 10000.0 ** (-(column - column % 2).double() / d)
    angle = torch.arange(context).double()[:, None] * rate
    waves = torch.where(column % 2 == 0, angle.sin(), angle.cos())
    found = {
        "wte.weight": weights["E"] * d**0.5,
        "wpe.weight": waves.to(weights["E"].dtype),
        "ln_f.weight": weights["gain"],
        "ln_f.bias": weights["bias"],
    }
    i = 0
    while f"blocks.{i}.W_q" in weights:
        old, new = "blocks.0.", f"h.{i}."
        qkv = [weights[f"{old}W_{name}"] for name in "qkv"]
        found[f"{new}attn.c_attn.weight"] = torch.cat(qkv, dim=1)
        found[f"{new}attn.c_attn.bias"] = weights["gain"].new_zeros(3 * d)
        found[f"{new}attn.c_proj.weight"] = weights[f"{old}W_o"]
        found[f"{new}attn.c_proj.bias"] = weights["gain"].new_zeros(d)
        for n, name in ((1, "c_fc"), (2, "c_proj")):
            found[f"{new}mlp.{name}.weight"] = weights[f"{old}W_{n}"]
            found[f"{new}mlp.{name}.bias"] = weights[f"{old}b_{n}"]
            found[f"{new}ln_{n}.weight"] = weights[f"{old}gain_{n}"]
            found[f"{new}ln_{n}.bias"] = weights[f"{old}bias_{n}"]
        i += 1
    named = {f"transformer.{name}": tensor for name, tensor in found.items()}
    return named | {"lm_head.weight": weights["head"]}


# %% one_name_too_many: a name with transformer. that has none
# loses: rest
def as_gpt2(weights, context):
    d = weights["E"].shape[1]
    column = torch.arange(d)
    rate = 10000.0 ** (-(column - column % 2).double() / d)
    angle = torch.arange(context).double()[:, None] * rate
    waves = torch.where(column % 2 == 0, angle.sin(), angle.cos())
    found = {
        "wte.weight": weights["E"] * d**0.5,
        "wpe.weight": waves.to(weights["E"].dtype),
        "ln_f.weight": weights["gain"],
        "ln_f.bias": weights["bias"],
    }
    i = 0
    while f"blocks.{i}.W_q" in weights:
        old, new = f"blocks.{i}.", f"h.{i}."
        qkv = [weights[f"{old}W_{name}"] for name in "qkv"]
        found[f"{new}attn.c_attn.weight"] = torch.cat(qkv, dim=1)
        found[f"{new}attn.c_attn.bias"] = weights["gain"].new_zeros(3 * d)
        found[f"{new}attn.c_proj.weight"] = weights[f"{old}W_o"]
        found[f"{new}attn.c_proj.bias"] = weights["gain"].new_zeros(d)
        for n, name in ((1, "c_fc"), (2, "c_proj")):
            found[f"{new}mlp.{name}.weight"] = weights[f"{old}W_{n}"]
            found[f"{new}mlp.{name}.bias"] = weights[f"{old}b_{n}"]
            found[f"{new}ln_{n}.weight"] = weights[f"{old}gain_{n}"]
            found[f"{new}ln_{n}.bias"] = weights[f"{old}bias_{n}"]
        i += 1
    named = {f"transformer.{name}": tensor for name, tensor in found.items()}
    named["transformer.lm_head.weight"] = weights["head"]
    return named | {"lm_head.weight": weights["head"]}
