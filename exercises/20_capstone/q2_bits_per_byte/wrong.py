"""Named mistakes in question 20.2."""


# %% nats: nats per byte
# loses: one window, apart, overlapping, extreme
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    inputs = torch.cat([torch.tensor([before]), tokens[:-1]])
    nats = 0.0
    for begin in range(0, len(tokens), fresh):
        targets = tokens[begin : begin + fresh]
        end = begin + len(targets)
        window = inputs[max(0, end - context) : end]
        log_p = logits(window[None])[0].double().log_softmax(dim=-1)
        log_p = log_p[len(window) - len(targets) :]
        nats -= log_p.gather(1, targets[:, None]).sum().item()
    return nats / n_bytes


# %% per_token: bits per token
# loses: one window, apart, overlapping, extreme
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    inputs = torch.cat([torch.tensor([before]), tokens[:-1]])
    nats = 0.0
    for begin in range(0, len(tokens), fresh):
        targets = tokens[begin : begin + fresh]
        end = begin + len(targets)
        window = inputs[max(0, end - context) : end]
        log_p = logits(window[None])[0].double().log_softmax(dim=-1)
        log_p = log_p[len(window) - len(targets) :]
        nats -= log_p.gather(1, targets[:, None]).sum().item()
    return nats / math.log(2) / len(tokens)


# %% answers_in_sight: a model that reads what it has to predict
# loses: one window, apart, overlapping, extreme
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    inputs = tokens
    nats = 0.0
    for begin in range(0, len(tokens), fresh):
        targets = tokens[begin : begin + fresh]
        end = begin + len(targets)
        window = inputs[max(0, end - context) : end]
        log_p = logits(window[None])[0].double().log_softmax(dim=-1)
        log_p = log_p[len(window) - len(targets) :]
        nats -= log_p.gather(1, targets[:, None]).sum().item()
    return nats / math.log(2) / n_bytes


# %% no_overlap: windows that begin with their portion
# loses: overlapping, extreme
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    inputs = torch.cat([torch.tensor([before]), tokens[:-1]])
    nats = 0.0
    for begin in range(0, len(tokens), fresh):
        targets = tokens[begin : begin + fresh]
        end = begin + len(targets)
        window = inputs[begin:end]
        log_p = logits(window[None])[0].double().log_softmax(dim=-1)
        log_p = log_p[len(window) - len(targets) :]
        nats -= log_p.gather(1, targets[:, None]).sum().item()
    return nats / math.log(2) / n_bytes


# %% start_again: the token before the text before every window
# loses: apart, overlapping, extreme
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    inputs = torch.cat([torch.tensor([before]), tokens[:-1]])
    nats = 0.0
    for begin in range(0, len(tokens), fresh):
        targets = tokens[begin : begin + fresh]
        end = begin + len(targets)
        first = max(0, end - context)
        window = torch.cat([torch.tensor([before]), inputs[first + 1 : end]])
        log_p = logits(window[None])[0].double().log_softmax(dim=-1)
        log_p = log_p[len(window) - len(targets) :]
        nats -= log_p.gather(1, targets[:, None]).sum().item()
    return nats / math.log(2) / n_bytes


# %% rest_left_out: full portions alone
# loses: overlapping, extreme
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    inputs = torch.cat([torch.tensor([before]), tokens[:-1]])
    nats = 0.0
    for begin in range(0, len(tokens), fresh):
        targets = tokens[begin : begin + fresh]
        if len(targets) < fresh and begin:
            break
        end = begin + len(targets)
        window = inputs[max(0, end - context) : end]
        log_p = logits(window[None])[0].double().log_softmax(dim=-1)
        log_p = log_p[len(window) - len(targets) :]
        nats -= log_p.gather(1, targets[:, None]).sum().item()
    return nats / math.log(2) / n_bytes


# %% first_window_left_out: tokens that have a full context before them alone
# loses: overlapping, extreme
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    inputs = torch.cat([torch.tensor([before]), tokens[:-1]])
    nats = 0.0
    for begin in range(0, len(tokens), fresh):
        targets = tokens[begin : begin + fresh]
        end = begin + len(targets)
        window = inputs[max(0, end - context) : end]
        if end < context and end < len(tokens):
            continue
        log_p = logits(window[None])[0].double().log_softmax(dim=-1)
        log_p = log_p[len(window) - len(targets) :]
        nats -= log_p.gather(1, targets[:, None]).sum().item()
    return nats / math.log(2) / n_bytes


# %% every_score_of_a_window: tokens scored again by each window that reads them
# loses: overlapping, extreme
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    inputs = torch.cat([torch.tensor([before]), tokens[:-1]])
    nats = 0.0
    for begin in range(0, len(tokens), fresh):
        targets = tokens[begin : begin + fresh]
        end = begin + len(targets)
        window = inputs[max(0, end - context) : end]
        log_p = logits(window[None])[0].double().log_softmax(dim=-1)
        targets = tokens[end - len(window) : end]
        nats -= log_p.gather(1, targets[:, None]).sum().item()
    return nats / math.log(2) / n_bytes


# %% log_of_softmax: the logarithm of a softmax that has been rounded
# loses: extreme
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    inputs = torch.cat([torch.tensor([before]), tokens[:-1]])
    nats = 0.0
    for begin in range(0, len(tokens), fresh):
        targets = tokens[begin : begin + fresh]
        end = begin + len(targets)
        window = inputs[max(0, end - context) : end]
        log_p = logits(window[None])[0].softmax(dim=-1).log().clamp(min=-100)
        log_p = log_p[len(window) - len(targets) :]
        nats -= log_p.gather(1, targets[:, None]).sum().item()
    return nats / math.log(2) / n_bytes


# %% one_token_free: a text of one token that costs nothing
# loses: extreme
def bits_per_byte(logits, tokens, n_bytes, context, fresh, before):
    inputs = torch.cat([torch.tensor([before]), tokens[:-1]])
    nats = 0.0
    if len(tokens) == 1:
        return 0.0
    for begin in range(0, len(tokens), fresh):
        targets = tokens[begin : begin + fresh]
        end = begin + len(targets)
        window = inputs[max(0, end - context) : end]
        log_p = logits(window[None])[0].double().log_softmax(dim=-1)
        log_p = log_p[len(window) - len(targets) :]
        nats -= log_p.gather(1, targets[:, None]).sum().item()
    return nats / math.log(2) / n_bytes
