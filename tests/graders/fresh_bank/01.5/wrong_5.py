# question 01.5
# wrong: the logits after the last token are kept and those of a document's first token are dropped
# differs: one document of 3 tokens, random logits
def corpus_perplexity(documents, logits, first):
    """exp of the mean nats per token, over all tokens of all documents."""
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        predicted = after
        log_probs = predicted.log_softmax(-1)
        nats -= log_probs[torch.arange(len(tokens)), tokens].sum().item()
        count += len(tokens)
    return math.exp(nats / count)
