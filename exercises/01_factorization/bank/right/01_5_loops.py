"""One token at a time."""
def corpus_perplexity(documents, logits, first):
    losses = []
    for tokens, after, begin in zip(documents, logits, first):
        scores = begin
        for t, token in enumerate(tokens.tolist()):
            losses.append(float(torch.logsumexp(scores, 0) - scores[token]))
            scores = after[t]
    return math.exp(sum(losses) / len(losses))
