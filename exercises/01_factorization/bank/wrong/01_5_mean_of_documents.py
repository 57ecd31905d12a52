"""the mean of the documents' perplexities"""
# loses: one mean, corpus
def corpus_perplexity(documents, logits, first):
    perplexities = []
    for tokens, after, begin in zip(documents, logits, first):
        log_probs = torch.cat([begin[None], after[:-1]]).log_softmax(-1)
        perplexities.append(math.exp(-log_probs[torch.arange(len(tokens)), tokens].mean()))
    return sum(perplexities) / len(perplexities)
