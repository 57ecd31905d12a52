"""the end tokens mended, the logits still one place off and the perplexities still averaged over documents"""
# loses: logits, one mean, corpus
def corpus_perplexity(documents, logits, first):
    perplexities = []
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[1:]])
        log_probs = predicted.log_softmax(-1)
        nats = -log_probs[torch.arange(len(tokens)), tokens].mean()
        perplexities.append(math.exp(nats))
    return sum(perplexities) / len(perplexities)
