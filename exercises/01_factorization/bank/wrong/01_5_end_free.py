"""a perplexity that counts the end tokens but does not score them"""
# loses: logits, end token, one mean, corpus
def corpus_perplexity(documents, logits, first):
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[:-1]])
        log_probs = predicted.log_softmax(-1)
        nats -= log_probs[torch.arange(len(tokens) - 1), tokens[:-1]].sum()
        count += len(tokens)
    return math.exp(nats / count)
