"""Right answers to question 18.5."""


# %% einsum: Cells keep their two axes, in float64.
def look(words, lengths, cells, w_q, w_k, w_v):
    words, cells, w_q, w_k, w_v = (one.double() for one in (words, cells, w_q, w_k, w_v))
    scores = torch.einsum("btd,dk,ek,brce->btrc", words, w_q, w_k, cells) / math.sqrt(w_k.shape[1])
    maps = scores.flatten(2).softmax(-1).view_as(scores)
    share = (torch.arange(words.shape[1])[None] < lengths[:, None]) / lengths[:, None].double()
    return torch.einsum("bt,btrc,brcd,dk->bk", share, maps, cells, w_v), maps


# %% loops: Question by question, and word by word.
def look(words, lengths, cells, w_q, w_k, w_v):
    means, maps = [], []
    for question, length, picture in zip(words, lengths.tolist(), cells):
        key, value = picture @ w_k, picture @ w_v
        seen, weights = [], []
        for word in question:
            scores = (key * (word @ w_q)).sum(-1) / w_q.shape[1] ** 0.5
            weights.append(torch.exp(scores - scores.flatten().logsumexp(0)))
            seen.append((weights[-1][..., None] * value).sum((0, 1)))
        means.append(torch.stack(seen[:length]).mean(0))
        maps.append(torch.stack(weights))
    return torch.stack(means), torch.stack(maps)


# %% masked_mean: The mean is taken of the weights first, with the filling's rows set to zero.
def look(words, lengths, cells, w_q, w_k, w_v):
    batch, rows, columns, d = cells.shape
    flat = cells.reshape(batch, rows * columns, d)
    query = words @ w_q / w_q.shape[1] ** 0.5
    weights = torch.softmax(query @ (flat @ w_k).mT, dim=-1)
    is_filling = torch.arange(words.shape[1]).unsqueeze(0) >= lengths.unsqueeze(1)
    mean_weights = weights.masked_fill(is_filling.unsqueeze(2), 0.0).sum(1) / lengths.unsqueeze(1)
    mean = torch.bmm(mean_weights.unsqueeze(1), flat).squeeze(1) @ w_v
    return mean, weights.reshape(batch, -1, rows, columns)
