"""One column of the windows at a time, filled in place from the youngest to the oldest."""
def history_windows(tokens: torch.Tensor, history: int, start: int = 0) -> torch.Tensor:
    columns = tokens.new_empty((history, *tokens.shape))
    shifted = tokens
    for i in reversed(range(history)):
        shifted = torch.cat([torch.full_like(tokens[:, :1], start), shifted[:, :-1]], dim=1)
        columns[i].copy_(shifted)
    return columns.movedim(0, -1)
