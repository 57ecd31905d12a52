# question 09.4
def relative_bias(query, vectors, n_keys, start=0):
    """All products first, then the right one for each pair."""
    batch, queries, d = query.shape
    c = (vectors.shape[0] - 1) // 2
    all_products = query @ vectors.T * d ** -0.5
    picks = [[c + max(-c, min(c, k - (start + q))) for k in range(n_keys)]
             for q in range(queries)]
    picks = torch.tensor(picks, dtype=torch.long).reshape(queries, n_keys)
    return all_products.gather(2, picks.expand(batch, queries, n_keys))
