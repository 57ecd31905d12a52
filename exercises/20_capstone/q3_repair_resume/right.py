"""Right answers to question 20.3."""


# %% copies: Copies on the way in, updates in place.
def train(tokens, vocab, rows, peak, beta, steps, stop, state=None):
    generator = torch.Generator().manual_seed(0)
    if state is None:
        W = torch.zeros(vocab, vocab, dtype=torch.float64)
        momentum, first = torch.zeros_like(W), 0
    else:
        W, momentum, first = state["W"].clone(), state["momentum"].clone(), state["step"]
        generator.set_state(state["generator"])
    for step in range(first, stop):
        at = torch.randint(len(tokens) - 1, (rows,), generator=generator)
        error = W[tokens[at]].softmax(dim=1)
        error[torch.arange(rows), tokens[at + 1]] -= 1.0
        gradient = torch.zeros_like(W).index_add_(0, tokens[at], error / rows)
        momentum.mul_(beta).add_(gradient)
        W.sub_(peak * (1 - step / steps) * momentum)
    return {
        "W": W,
        "momentum": momentum,
        "step": stop,
        "generator": generator.get_state(),
    }


# %% from_the_beginning: Everything again up to the step; the state is not needed.
def train(tokens, vocab, rows, peak, beta, steps, stop, state=None):
    generator = torch.Generator().manual_seed(0)
    W, momentum = np.zeros((vocab, vocab)), np.zeros((vocab, vocab))
    text = tokens.numpy()
    for step in range(stop):
        at = torch.randint(len(text) - 1, (rows,), generator=generator).numpy()
        scores = W[text[at]]
        error = np.exp(scores - scores.max(axis=1, keepdims=True))
        error = error / error.sum(axis=1, keepdims=True)
        error[np.arange(rows), text[at + 1]] -= 1.0
        gradient = np.zeros_like(W)
        np.add.at(gradient, text[at], error / rows)
        momentum = beta * momentum + gradient
        W = W - peak * (steps - step) / steps * momentum
    return {"W": torch.from_numpy(W)}
