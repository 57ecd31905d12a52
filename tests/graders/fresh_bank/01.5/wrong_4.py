# question 01.5
# wrong: perplexities of documents averaged with their lengths as weights, instead of one exponential
# differs: two documents of 3 tokens with different likelihoods
def corpus_perplexity(documents, logits, first):
    total, count = 0.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        predicted = torch.cat([begin[None], after[:-1]])
        log_probs = predicted.log_softmax(-1)
        nats = -log_probs[torch.arange(len(tokens)), tokens].mean().item()
        total += len(tokens) * math.exp(nats)
        count += len(tokens)
    return total / count
