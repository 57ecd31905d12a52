"""Named mistakes in question 17.4."""


# %% only_inputs: the inputs alone mended
# loses: older, gradients, all
def read_pieces(block, x, size, memory):
    past, outputs = x[:, :0], []
    for h in x.split(size, dim=1):
        seen = torch.cat([past, h], dim=1)
        outputs.append(block(h, seen))
        past = h[:, -memory:]
    return torch.cat(outputs, dim=1)


# %% only_older: the older pieces alone mended
# loses: inputs, gradients, all
def read_pieces(block, x, size, memory):
    past, outputs = x[:, :0], []
    for h in x.split(size, dim=1):
        seen = torch.cat([past, h], dim=1)
        outputs.append(block(h, seen))
        past = torch.cat([past, outputs[-1]], dim=1)[:, -memory:]
    return torch.cat(outputs, dim=1)


# %% only_gradients: the gradients alone mended
# loses: inputs, older, all
def read_pieces(block, x, size, memory):
    past, outputs = x[:, :0], []
    for h in x.split(size, dim=1):
        seen = torch.cat([past, h], dim=1)
        outputs.append(block(h, seen))
        past = outputs[-1][:, -memory:].detach()
    return torch.cat(outputs, dim=1)


# %% only_detach_missing: a memory that gradients pass
# loses: gradients
def read_pieces(block, x, size, memory):
    past, outputs = x[:, :0], []
    for h in x.split(size, dim=1):
        seen = torch.cat([past, h], dim=1)
        outputs.append(block(h, seen))
        past = seen[:, -memory:]
    return torch.cat(outputs, dim=1)


# %% last_piece: a memory of the last piece alone
# loses: older, all
def read_pieces(block, x, size, memory):
    past, outputs = x[:, :0], []
    for h in x.split(size, dim=1):
        seen = torch.cat([past, h], dim=1)
        outputs.append(block(h, seen))
        past = h[:, -memory:].detach()
    return torch.cat(outputs, dim=1)


# %% outputs: a memory of what the block has made
# loses: inputs, all
def read_pieces(block, x, size, memory):
    past, outputs = x[:, :0], []
    for h in x.split(size, dim=1):
        seen = torch.cat([past, h], dim=1)
        outputs.append(block(h, seen))
        past = torch.cat([past, outputs[-1]], dim=1)[:, -memory:].detach()
    return torch.cat(outputs, dim=1)


# %% all_kept: a memory that forgets nothing
# loses: inputs, older, all
def read_pieces(block, x, size, memory):
    past, outputs = x[:, :0], []
    for h in x.split(size, dim=1):
        seen = torch.cat([past, h], dim=1)
        outputs.append(block(h, seen))
        past = seen.detach()
    return torch.cat(outputs, dim=1)


# %% first_kept: a memory of the first inputs
# loses: inputs, all
def read_pieces(block, x, size, memory):
    past, outputs = x[:, :0], []
    for h in x.split(size, dim=1):
        seen = torch.cat([past, h], dim=1)
        outputs.append(block(h, seen))
        past = seen[:, :memory].detach()
    return torch.cat(outputs, dim=1)


# %% all_detached: no gradient at all
# loses: gradients
def read_pieces(block, x, size, memory):
    past, outputs = x[:, :0], []
    for h in x.detach().split(size, dim=1):
        seen = torch.cat([past, h], dim=1)
        outputs.append(block(h, seen))
        past = seen[:, -memory:]
    return torch.cat(outputs, dim=1) + 0 * x.sum()
