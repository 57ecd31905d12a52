# question 02.6
# wrong: the evidence counts only the conditionals of the known tokens, weighted evenly over what is missing
# differs: known = (0, 1): the mean of p(x_1 | x_0) over x_0, each x_0 alike
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
    sequences, log_probs = all_sequences(tokens, known, V, c, W, b)
    log_p = nade_scores(sequences, V, c, W, b).log_softmax(dim=2)
    log_p = log_p.gather(2, sequences[:, :, None]).squeeze(2)
    log_probs = torch.where(known, log_p, 0.0).sum(dim=1) - math.log(len(sequences))
    return log_probs.logsumexp(dim=0).item()


def fill_in(tokens, known, V, c, W, b):
    sequences, log_probs = all_sequences(tokens, known, V, c, W, b)
    weights = log_probs.softmax(dim=0)
    one_hot = torch.nn.functional.one_hot(sequences, b.shape[1])
    return (weights[:, None, None] * one_hot).sum(dim=0)
