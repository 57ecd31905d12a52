# question 09.6
def far_scores(query, key, query_positions, key_positions, base=10000.0):
    """Pair by pair: a distance turns the products of the features."""
    d = query.shape[2]
    apart = query_positions[:, None] - key_positions[None, :]
    q_even, q_odd = query[:, :, None, 0::2], query[:, :, None, 1::2]
    k_even, k_odd = key[:, None, :, 0::2], key[:, None, :, 1::2]
    scores = 0
    for j in range(d // 2):
        angle = apart.to(torch.float64) * float(base) ** (-2 * j / d)
        cosine, sine = angle.cos().to(query.dtype), angle.sin().to(query.dtype)
        along = q_even[..., j] * k_even[..., j] + q_odd[..., j] * k_odd[..., j]
        across = q_even[..., j] * k_odd[..., j] - q_odd[..., j] * k_even[..., j]
        scores = scores + along * cosine + across * sine
    return scores
