# question 01.5
# wrong: the end token is not scored
# differs: one document of 4 tokens with random logits
def corpus_perplexity(documents, logits, first):
    """exp of the mean nats per token, over all tokens of all documents."""
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[:-1]])
        log_probs = predicted.log_softmax(-1)
        nats -= log_probs[torch.arange(len(tokens) - 1), tokens[:-1]].sum().item()
        count += len(tokens) - 1
    return math.exp(nats / max(count, 1))
