# question 01.5
# wrong: the mean of the documents' means, so that a token of a short document weighs more
# differs: two documents of 1 and 5 tokens, random logits
def corpus_perplexity(documents, logits, first):
    means = []
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[:-1]])
        log_probs = predicted.log_softmax(-1)
        means.append(-log_probs[torch.arange(len(tokens)), tokens].mean().item())
    return math.exp(sum(means) / len(means))
