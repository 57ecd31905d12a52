"""the exponential of the mean of the documents' losses: a short document weighs as much as a long one"""
# loses: corpus
def corpus_perplexity(documents, logits, first):
    losses = []
    for tokens, after, begin in zip(documents, logits, first):
        log_probs = torch.cat([begin[None], after[:-1]]).log_softmax(-1)
        losses.append(-log_probs[torch.arange(len(tokens)), tokens].mean())
    return math.exp(sum(losses) / len(losses))
