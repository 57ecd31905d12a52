# question 01.5
# wrong: the logarithm of the softmax is minus infinity where a probability underflows
# differs: one token, first = [1000., 0.], token 1, and a second document of 9 sure tokens
def corpus_perplexity(documents, logits, first):
    """exp of the mean nats per token, over all tokens of all documents."""
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[:-1]])
        log_probs = predicted.softmax(-1).log()
        nats -= log_probs[torch.arange(len(tokens)), tokens].sum().item()
        count += len(tokens)
    return math.exp(nats / count)
