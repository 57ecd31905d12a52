"""a perplexity whose logits are still one place off: each token is scored by logits that have seen it"""
# loses: logits, corpus
def corpus_perplexity(documents, logits, first):
    nats, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[1:]])
        log_probs = predicted.log_softmax(-1)
        nats -= log_probs[torch.arange(len(tokens)), tokens].sum()
        count += len(tokens)
    return math.exp(nats / count)
