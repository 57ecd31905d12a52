# question 01.5
# wrong: the documents are padded with token 0 to one length and the padding is scored too
# differs: documents of 2 and 5 tokens
def corpus_perplexity(documents, logits, first):
    tokens = torch.nn.utils.rnn.pad_sequence(documents, batch_first=True)
    rows = [torch.cat([b[None], a[:-1]]) for a, b in zip(logits, first)]
    rows = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
    picked = rows.log_softmax(-1).gather(2, tokens[:, :, None])
    return math.exp(-picked.mean().item())
