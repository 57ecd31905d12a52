"""One row written out, mapped over the batch; a callable object stands for the function."""
class SequenceLogProb(torch.nn.Module):
    def forward(self, logits: torch.Tensor, tokens: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        return torch.vmap(self.row)(logits, tokens, lengths)

    @staticmethod
    def row(logits, tokens, length):
        scores = logits.gather(1, tokens.unsqueeze(1)).squeeze(1) - logits.logsumexp(1)
        return torch.where(torch.arange(len(tokens)) < length, scores, 0.0).sum()


sequence_log_prob = SequenceLogProb()
