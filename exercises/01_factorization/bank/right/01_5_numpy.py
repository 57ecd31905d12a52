"""NumPy inside, the documents flattened to two lists."""
def corpus_perplexity(documents, logits, first):
    rows = [np.vstack([f.numpy(), a.numpy()[:-1]]) for f, a in zip(first, logits)]
    scores = np.concatenate(rows).astype(float)
    tokens = np.concatenate([d.numpy() for d in documents])
    nats = np.logaddexp.reduce(scores, axis=1) - scores[range(len(tokens)), tokens]
    return np.exp(nats.mean())
