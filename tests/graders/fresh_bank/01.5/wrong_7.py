# question 01.5
# wrong: the logits of the caller are overwritten by the shifted ones
# differs: any document: logits[0] is another after the call
def corpus_perplexity(documents, logits, first):
    """exp of the mean nats per token, over all tokens of all documents."""
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        predicted = after
        predicted[1:] = after[:-1].clone()
        predicted[0] = begin
        log_probs = predicted.log_softmax(-1)
        nats -= log_probs[torch.arange(len(tokens)), tokens].sum().item()
        count += len(tokens)
    return math.exp(nats / count)
