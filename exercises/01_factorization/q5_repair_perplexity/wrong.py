"""Named mistakes in question 01.5."""


# %% end_free: a perplexity that counts the end tokens but does not score them
# loses: logits, end token, one mean, corpus
def corpus_perplexity(documents, logits, first):
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[:-1]])
        log_probs = predicted.log_softmax(-1)
        nats -= log_probs[torch.arange(len(tokens) - 1), tokens[:-1]].sum()
        count += len(tokens)
    return math.exp(nats / count)


# %% mean_of_documents: the mean of the documents' perplexities
# loses: one mean, corpus
def corpus_perplexity(documents, logits, first):
    perplexities = []
    for tokens, after, begin in zip(documents, logits, first):
        log_probs = torch.cat([begin[None], after[:-1]]).log_softmax(-1)
        perplexities.append(math.exp(-log_probs[torch.arange(len(tokens)), tokens].mean()))
    return sum(perplexities) / len(perplexities)


# %% mean_of_losses: the exponential of the mean of the documents' losses: a short document weighs as much as a long one
# loses: corpus
def corpus_perplexity(documents, logits, first):
    losses = []
    for tokens, after, begin in zip(documents, logits, first):
        log_probs = torch.cat([begin[None], after[:-1]]).log_softmax(-1)
        losses.append(-log_probs[torch.arange(len(tokens)), tokens].mean())
    return math.exp(sum(losses) / len(losses))


# %% no_end: a perplexity without the end tokens
# loses: end token, corpus
def corpus_perplexity(documents, logits, first):
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[:-1]])
        log_probs = predicted.log_softmax(-1)
        nats -= log_probs[torch.arange(len(tokens) - 1), tokens[:-1]].sum()
        count += len(tokens) - 1
    return math.exp(nats / max(count, 1))


# %% only_end: the end tokens mended, the logits still one place off and the perplexities still averaged over documents
# loses: logits, one mean, corpus
def corpus_perplexity(documents, logits, first):
    perplexities = []
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[1:]])
        log_probs = predicted.log_softmax(-1)
        nats = -log_probs[torch.arange(len(tokens)), tokens].mean()
        perplexities.append(math.exp(nats))
    return sum(perplexities) / len(perplexities)


# %% only_logits: the logits mended, the end tokens still left out and the perplexities still averaged over documents
# loses: end token, one mean, corpus
def corpus_perplexity(documents, logits, first):
    perplexities = []
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[:-1]])
        log_probs = predicted.log_softmax(-1)
        nats = -log_probs[torch.arange(len(tokens) - 1), tokens[:-1]].sum() / max(len(tokens) - 1, 1)
        perplexities.append(math.exp(nats))
    return sum(perplexities) / len(perplexities)


# %% only_mean: the mean mended, the logits still one place off and the end tokens still left out
# loses: logits, end token, corpus
def corpus_perplexity(documents, logits, first):
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[1:]])
        log_probs = predicted.log_softmax(-1)
        nats -= log_probs[torch.arange(len(tokens) - 1), tokens[:-1]].sum()
        count += len(tokens) - 1
    return math.exp(nats / count)


# %% overflow: exponentials of the logits as they are, which are infinite for large ones
# loses: corpus
def corpus_perplexity(documents, logits, first):
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        powers = torch.cat([begin[None], after[:-1]]).exp()
        nats -= (powers[torch.arange(len(tokens)), tokens] / powers.sum(1)).log().sum()
        count += len(tokens)
    return math.exp(nats / count)


# %% product: a product of probabilities, which is zero for a long corpus, in place of a sum of logarithms
# loses: corpus
def corpus_perplexity(documents, logits, first):
    product, count = 1.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        probabilities = torch.cat([begin[None], after[:-1]]).double().softmax(-1)
        product *= float(probabilities[torch.arange(len(tokens)), tokens].prod())
        count += len(tokens)
    return product ** (-1 / count) if product else math.inf


# %% shift: a perplexity whose logits are still one place off: each token is scored by logits that have seen it
# loses: logits, corpus
def corpus_perplexity(documents, logits, first):
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[1:]])
        log_probs = predicted.log_softmax(-1)
        nats -= log_probs[torch.arange(len(tokens)), tokens].sum()
        count += len(tokens)
    return math.exp(nats / count)
