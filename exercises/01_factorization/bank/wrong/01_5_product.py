"""a product of probabilities, which is zero for a long corpus, in place of a sum of logarithms"""
# loses: corpus
def corpus_perplexity(documents, logits, first):
    product, count = 1.0, 0
    for tokens, after, begin in zip(documents, logits, first):
        probabilities = torch.cat([begin[None], after[:-1]]).double().softmax(-1)
        product *= float(probabilities[torch.arange(len(tokens)), tokens].prod())
        count += len(tokens)
    return product ** (-1 / count) if product else math.inf
