"""Named mistakes in question 11.6."""


# %% always_trains: a model that is put into the mode of training, whatever it was in
# loses: modes
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train()
    return tokens


# %% argmax: the most probable token in place of a draw
# loses: draws
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = p.argmax(dim=-1, keepdim=True)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% backward: targets that stand one place before the inputs
# loses: windows, fair
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, 1:], windows[:, :-1]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% bits: a loss in bits
# loses: loss
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item() / math.log(2)


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% disjoint: windows that do not overlap
# loses: windows, fair
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    pieces = -(-n_windows // context)
    starts = torch.randint(pieces, (n_rows, 1), generator=generator)
    starts = context * starts
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% ends_twice: starts beyond the last one moved back to it, which is then drawn too often
# loses: fair
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(len(tokens), (n_rows, 1), generator=generator)
    starts = starts.clamp(max=n_windows - 1)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% first_left_out: batches without the first window
# loses: windows, fair
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    least = min(1, n_windows - 1)
    starts = torch.randint(least, n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% first_place: the scores of the window's first place
# loses: continuation, modes
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, 0].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% first_row: the first row of the batch alone
# loses: loss, updates
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs)[0]
    loss = torch.nn.functional.cross_entropy(logits, targets[0])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% global_draws: windows drawn without the generator that was given
# loses: fair
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1))
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% gradients_kept: a text that is written with gradients switched on
# loses: modes
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% graph_kept: a loss that is a tensor and keeps its graph
# loses: loss
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% in_order: windows in the order of the text, the same in each batch
# loses: fair
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.arange(n_rows)[:, None] % n_windows
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% inputs_again: a loss on the inputs, which the model has read, in place of the targets
# loses: loss, updates
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, inputs.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% last_left_out: batches without the last window that fits
# loses: windows, fair
def get_batch(tokens, n_rows, context, generator):
    n_windows = max(1, len(tokens) - context - 1)
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% last_place: the surprisal at the last place of each row alone
# loses: loss, updates
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs)[:, -1]
    loss = torch.nn.functional.cross_entropy(logits, targets[:, -1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% last_token: a model that reads the last token alone
# loses: continuation, modes
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-1:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% left_in_eval: a model that is left in the mode of evaluation
# loses: modes
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    return tokens


# %% log_of_softmax: the logarithm of a probability that is rounded to zero
# loses: loss, updates
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    p = logits.softmax(dim=-1)
    loss = -p.gather(1, targets.flatten()[:, None]).log().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% loss_afterwards: the loss after the update
# loses: loss
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        logits = model(inputs).flatten(0, 1)
    return torch.nn.functional.cross_entropy(logits, targets.flatten()).item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% no_eval: a model that writes in the mode of training
# loses: modes
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% no_step: weights that stay as they are, without a step or with gradients set to zero just before it
# loses: updates
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% no_zero_grad: gradients that are never set to zero, so that those of all steps add up
# loses: updates
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% not_cropped: a model that reads more than its context
# loses: continuation, modes
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% not_shifted: targets that are the inputs themselves
# loses: windows
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, :-1]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% one_less_read: a context that is one token too short
# loses: continuation, modes
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-max(1, context - 1) :]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% one_start: one window for all rows
# loses: windows, fair
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (1, 1), generator=generator)
    starts = starts.expand(n_rows, 1)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% one_token_less: one token too few
# loses: continuation, modes
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens - 1):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% one_too_many: one window too many, which ends with a token of its own making
# loses: windows, fair
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context + 1
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    places = starts + torch.arange(context + 1)
    windows = tokens[places.clamp(max=len(tokens) - 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% own_draws: tokens drawn without the generator that was given
# loses: draws
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% per_row: the mean over rows of the sum over places
# loses: loss, updates
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    loss = loss * targets.shape[1]
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% prompt_alone: a model that reads the prompt again at each step, and nothing that was drawn
# loses: continuation, modes
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = prompt[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% prompt_lost: the drawn tokens without the prompt
# loses: continuation, modes, draws
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens[len(prompt) :]


# %% seeded_again: a generator of its own, which begins again with each batch
# loses: fair
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    generator = torch.Generator().manual_seed(0)
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% shifted_again: targets that are shifted a second time
# loses: loss, updates
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs)[:, :-1].flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% softmax_twice: a softmax before a cross-entropy that takes one itself
# loses: loss, updates
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1).softmax(dim=-1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% summed: the sum of all surprisals in place of their mean
# loses: loss, updates
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    cross_entropy = torch.nn.functional.cross_entropy
    loss = cross_entropy(logits, targets.flatten(), reduction="sum")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% uniform: tokens drawn as if all were equally probable
# loses: continuation, modes, draws
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        p = torch.ones_like(p)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% up_to_n: n_tokens tokens with the prompt included
# loses: continuation, modes
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens[:n_tokens]


# %% wrapped: windows that go on with the text's beginning after its end
# loses: windows, fair
def get_batch(tokens, n_rows, context, generator):
    starts = torch.randint(len(tokens), (n_rows, 1), generator=generator)
    windows = tokens[(starts + torch.arange(context + 1)) % len(tokens)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[-context:]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% wrong_end: the first tokens of the text in place of the last
# loses: continuation, modes
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    for _ in range(n_tokens):
        window = tokens[:context]
        p = model(window[None])[0, -1].softmax(dim=-1)
        token = torch.multinomial(p, 1, generator=generator)
        tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% dealt: windows dealt like cards, so that none comes again before all have been drawn
# loses: fair
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    decks = [torch.randperm(n_windows, generator=generator) for _ in range(-(-n_rows // n_windows))]
    starts = torch.cat(decks)[:n_rows, None]
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    with torch.no_grad():
        for _ in range(n_tokens):
            window = tokens[-context:]
            p = model(window[None])[0, -1].softmax(dim=-1)
            token = torch.multinomial(p, 1, generator=generator)
            tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% fifty_read: a model that reads fifty tokens at most, however long its context is
# loses: continuation
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    with torch.no_grad():
        for _ in range(n_tokens):
            window = tokens[-min(context, 50) :]
            p = model(window[None])[0, -1].softmax(dim=-1)
            token = torch.multinomial(p, 1, generator=generator)
            tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% half_temperature: tokens drawn at a temperature of a half
# loses: draws
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    starts = torch.randint(n_windows, (n_rows, 1), generator=generator)
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    with torch.no_grad():
        for _ in range(n_tokens):
            window = tokens[-context:]
            p = model(window[None])[0, -1].mul(2).softmax(dim=-1)
            token = torch.multinomial(p, 1, generator=generator)
            tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens


# %% rounded_starts: starts that are rounded, so that the first and the last window come half as often
# loses: fair
def get_batch(tokens, n_rows, context, generator):
    n_windows = len(tokens) - context
    places = torch.rand((n_rows, 1), generator=generator) * (n_windows - 1)
    starts = places.round().long()
    windows = tokens[starts + torch.arange(context + 1)]
    return windows[:, :-1], windows[:, 1:]


def train_step(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)
    loss = torch.nn.functional.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def generate(model, prompt, n_tokens, context, generator):
    was_training = model.training
    model.eval()
    tokens = prompt
    with torch.no_grad():
        for _ in range(n_tokens):
            window = tokens[-context:]
            p = model(window[None])[0, -1].softmax(dim=-1)
            token = torch.multinomial(p, 1, generator=generator)
            tokens = torch.cat([tokens, token])
    model.train(was_training)
    return tokens
