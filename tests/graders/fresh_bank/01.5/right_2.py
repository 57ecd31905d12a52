# question 01.5
def corpus_perplexity(documents, logits, first):
    rows, targets = [], []
    for tokens, after, begin in zip(documents, logits, first):
        rows.append(begin.unsqueeze(0))
        rows.append(after[: len(tokens) - 1])
        targets.append(tokens)
    rows = torch.cat(rows).double()
    targets = torch.cat(targets)
    chosen = rows.gather(1, targets[:, None]).squeeze(1)
    nats = torch.logsumexp(rows, dim=1) - chosen
    return nats.mean().exp().item()
