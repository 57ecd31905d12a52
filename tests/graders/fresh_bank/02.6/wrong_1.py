# question 02.6
# wrong: a place is filled in from the known and missing tokens before it only; what is known behind the gap has no say
# differs: known = (1, 0, 1): the row of place 1 is p(x_1 | x_0)
import itertools


def all_sequences(tokens, known, V, c, W, b):
    """All sequences that agree with the known tokens, and their log p."""
    d = b.shape[1]
    missing = (~known).nonzero().flatten()
    choices = list(itertools.product(range(d), repeat=len(missing)))
    choices = torch.tensor(choices, dtype=torch.long)
    sequences = tokens.repeat(len(choices), 1)
    sequences[:, missing] = choices.reshape(len(choices), len(missing))
    log_probs = nade_scores(sequences, V, c, W, b).log_softmax(dim=2)
    log_probs = log_probs.gather(2, sequences[:, :, None]).squeeze(2)
    return sequences, log_probs.sum(dim=1)


def log_evidence(tokens, known, V, c, W, b):
    _, log_probs = all_sequences(tokens, known, V, c, W, b)
    return log_probs.logsumexp(dim=0).item()


def fill_in(tokens, known, V, c, W, b):
    rows = []
    for t in range(1, len(tokens) + 1):
        sequences, log_probs = all_sequences(tokens[:t], known[:t], V, c, W, b)
        one_hot = torch.nn.functional.one_hot(sequences[:, -1], b.shape[1])
        rows.append(log_probs.softmax(dim=0) @ one_hot.to(b.dtype))
    return torch.stack(rows)
