"""Right answers to question 11.6."""


# %% clipped: The chapter's own functions, with gradients that are clipped to the length 1.
def get_batch(tokens, n_rows, context, generator):
    n_starts = len(tokens) - context
    starts = torch.randint(n_starts, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs)
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1)
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    mode = model.training
    model.eval()
    tokens = prompt[None]
    for _ in range(n_tokens):
        latest = tokens[:, -context:]
        p = model(latest)[:, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token], dim=1)
    model.train(mode)
    return tokens[0]


# %% inverse: Uniform numbers for windows and tokens, gradients set to zero after the step, and a filled row.
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    uniform = torch.rand(n_rows, generator=generator)
    windows = tokens.unfold(0, context + 1, 1)[(n_windows * uniform).long()]
    return windows.narrow(1, 0, context), windows.narrow(1, 1, context)


def train_step(model, optimizer, inputs, targets):
    log_p = torch.log_softmax(model(inputs), 2)
    nats = -log_p.gather(2, targets.unsqueeze(2))
    nats.mean().backward()
    optimizer.step()
    optimizer.zero_grad()
    return float(nats.detach().mean())


def generate(model, prompt, n_tokens, context, generator):
    was = model.training
    text = torch.empty(len(prompt) + n_tokens, dtype=torch.long)
    text[: len(prompt)] = prompt
    model.train(False)
    with torch.inference_mode():
        for place in range(len(prompt), len(text)):
            scores = model(text[max(0, place - context) : place].unsqueeze(0))[0, -1]
            below = scores.softmax(0).cumsum(0)
            text[place] = (below <= torch.rand((), generator=generator)).sum()
    model.train(was)
    return text


# %% lists: Python lists, windows in a loop, and the chain rule of the loss by logsumexp.
def get_batch(tokens, n_rows, context, generator):
    last = len(tokens) - context - 1
    starts = torch.randint(0, last + 1, (n_rows,), generator=generator).tolist()
    inputs = torch.stack([tokens[s : s + context] for s in starts])
    targets = torch.stack([tokens[s + 1 : s + 1 + context] for s in starts])
    return inputs, targets


def train_step(model, optimizer, inputs, targets):
    optimizer.zero_grad(set_to_none=False)
    scores = model(inputs)
    right = torch.take_along_dim(scores, targets[..., None], dim=-1)[..., 0]
    loss = (scores.logsumexp(dim=-1) - right).sum() / targets.numel()
    loss.backward()
    optimizer.step()
    return loss.tolist()


def generate(model, prompt, n_tokens, context, generator):
    was_training, text = model.training, prompt.tolist()
    try:
        model.eval()
        for _ in range(n_tokens):
            with torch.no_grad():
                scores = model(torch.tensor([text[-context:]]))[0][-1]
            text.append(torch.multinomial(torch.softmax(scores, 0), 1, generator=generator).item())
    finally:
        model.train(was_training)
    return torch.tensor(text)
