# question 01.5
# wrong: documents that consist of the end token alone are left out
# differs: documents of 1 and 4 tokens
def corpus_perplexity(documents, logits, first):
    """exp of the mean nats per token, over all tokens of all documents."""
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        if len(tokens) < 2:
            continue
        predicted = torch.cat([begin[None], after[:-1]])
        log_probs = predicted.log_softmax(-1)
        nats -= log_probs[torch.arange(len(tokens)), tokens].sum().item()
        count += len(tokens)
    return math.exp(nats / max(count, 1))
