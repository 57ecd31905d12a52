"""Three loops over sequences, queries and keys."""


def make_mask(n_queries, n_keys, causal=False, reach=None, lengths=None):
    ends = [n_keys] if lengths is None else lengths.tolist()
    mask = torch.zeros(len(ends), n_queries, n_keys, dtype=torch.bool)
    for b, end in enumerate(ends):
        for i in range(n_queries):
            for j in range(end):
                distance = i + n_keys - n_queries - j
                if causal and distance < 0:
                    continue
                if reach is not None and distance >= reach:
                    continue
                mask[b, i, j] = True
    return mask
