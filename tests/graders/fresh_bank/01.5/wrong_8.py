# question 01.5
# wrong: a small number is added to the probability, so that unlikely tokens cost at most about 21 nats
# differs: one document of 10 tokens, one of which has logit -1000 and the others 1000
def corpus_perplexity(documents, logits, first):
    """exp of the mean nats per token, over all tokens of all documents."""
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[:-1]])
        log_probs = (predicted.softmax(-1) + 1e-9).log()
        nats -= log_probs[torch.arange(len(tokens)), tokens].sum().item()
        count += len(tokens)
    return math.exp(nats / count)
