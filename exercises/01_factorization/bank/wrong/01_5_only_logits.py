"""the logits mended, the end tokens still left out and the perplexities still averaged over documents"""
# loses: end token, one mean, corpus
def corpus_perplexity(documents, logits, first):
    perplexities = []
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[:-1]])
        log_probs = predicted.log_softmax(-1)
        nats = -log_probs[torch.arange(len(tokens) - 1), tokens[:-1]].sum() / max(len(tokens) - 1, 1)
        perplexities.append(math.exp(nats))
    return sum(perplexities) / len(perplexities)
