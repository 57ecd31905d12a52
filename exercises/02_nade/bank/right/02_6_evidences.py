"""Each probability is a ratio of two evidences: with the token put in, and without."""


def log_evidence(tokens, known, V, c, W, b):
    gaps = (~known).nonzero()[:, 0].tolist()
    if not gaps:
        log_probs = nade_scores(tokens[None], V, c, W, b)[0].log_softmax(-1)
        return log_probs[torch.arange(len(tokens)), tokens].sum()
    place, now_known = gaps[0], known.clone()
    now_known[place] = True
    values = []
    for a in range(b.shape[1]):
        filled = tokens.clone()
        filled[place] = a
        values.append(log_evidence(filled, now_known, V, c, W, b))
    return torch.stack(values).logsumexp(0)


def fill_in(tokens, known, V, c, W, b):
    whole = log_evidence(tokens, known, V, c, W, b)
    answer = torch.nn.functional.one_hot(tokens, b.shape[1]).float()
    for place in (~known).nonzero()[:, 0].tolist():
        now_known = known.clone()
        now_known[place] = True
        for a in range(b.shape[1]):
            filled = tokens.clone()
            filled[place] = a
            answer[place, a] = (log_evidence(filled, now_known, V, c, W, b) - whole).exp()
    return answer
