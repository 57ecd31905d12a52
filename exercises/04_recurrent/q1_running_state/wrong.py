"""Named mistakes in question 04.1."""


# %% bits: logarithms to base 2
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1) / math.log(2)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% detached: gradients cut off at each step
# loses: gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h.detach(), net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% detached_later: gradients cut off at each step but the first
# loses: gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h.detach() if t else h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% first_free: log-likelihoods without the first token of each text
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * ((0 < t) & (t < lengths))
    return total


# %% linear: states without the sigmoid
# loses: one step, whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return (net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% log_of_softmax: the logarithm of a softmax, kept from 0 by 1e-9
# loses: large
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).softmax(dim=1).add(1e-9).log()
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% log_of_zero: a softmax and then its logarithm, minus infinity where the softmax is 0
# loses: large
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).softmax(dim=1).log()
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0].where(t < lengths, torch.tensor(0.0))
    return total


# %% logits_summed: sums of logits, without the softmax
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"])
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% matrix_not_transposed: the transpose of W_h
# loses: one step, whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"] + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% mean: means over the tokens of a text
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total / lengths.clamp(min=1)


# %% mean_of_time: sums divided by the padded length
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total / time


# %% naive_sigmoid: a sigmoid of exponentials that overflow
# loses: one step, large, gradients
def rnn_step(x, h, net):
    e = torch.exp(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)
    return e / (1 + e)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% negative: negative log-likelihoods
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return -total


# %% no_b: logits without the bias b
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + 0 * net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% no_c: states without the bias c
# loses: one step, whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% no_history: a state that has read only the last token
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], net["h_0"].expand(batch, -1), net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% no_start: a first token predicted from h_0, without the start token
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    total = torch.zeros(batch)
    for t in range(time):
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
        h = rnn_step(net["E"][read], h, net)
    return total


# %% one_long: log-likelihoods with one token of the padding
# loses: lengths
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t <= lengths)
    return total


# %% one_short: log-likelihoods without the last token of each text
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t + 1 < lengths)
    return total


# %% over_the_batch: a softmax over the texts of the batch
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=0)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% own_sigmoid: a sigmoid whose value is right and whose gradient is NaN where its exponential overflows
# loses: gradients
def rnn_step(x, h, net):
    return 1 / (1 + torch.exp(-(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)))


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% padding: log-likelihoods with the padding counted
# loses: lengths
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0]
    return total


# %% probabilities: sums of probabilities, without the logarithm
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% sees_itself: tokens predicted from a state that has read them
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    h = rnn_step(net["E"][torch.full((batch,), start)], h, net)
    total = torch.zeros(batch)
    for t in range(time):
        read = tokens[:, t]
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% tanh: tanh in place of the sigmoid
# loses: one step, whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.tanh(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% token_zero: the token 0 as the start token, whatever `start` is
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), 0)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% whole_batch: the log-likelihood of all texts together for each
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total.sum().expand(batch)


# %% zeros_first: a first state of zeros in place of h_0
# loses: whole texts, lengths, large, gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = torch.zeros(batch, len(net["c"]))
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% one_at_least: log-likelihoods with the first token of an empty text
# loses: lengths
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths.clamp(min=1))
    return total


# %% shortest: log-likelihoods cut at the shortest text
# loses: lengths
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths.min())
    return total


# %% eight_bits: numbers of tokens kept in eight bits
# loses: whole texts
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    tokens, start = tokens % 256, start % 256
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total


# %% thirty_back: gradients that reach back at most 30 tokens
# loses: gradients
def rnn_step(x, h, net):
    return torch.sigmoid(net["c"] + h @ net["W_h"].T + x @ net["W_x"].T)


def log_likelihood(tokens, lengths, start, net):
    batch, time = tokens.shape
    h = net["h_0"].expand(batch, -1)
    read = torch.full((batch,), start)
    total = torch.zeros(batch)
    for t in range(time):
        h = h.detach() if t % 30 == 29 else h
        h = rnn_step(net["E"][read], h, net)
        log_p = (h @ net["W_o"].T + net["b"]).log_softmax(dim=1)
        read = tokens[:, t]
        total = total + log_p.gather(1, read[:, None])[:, 0] * (t < lengths)
    return total
