"""a variance that still runs over the positions"""
# loses: norm, output, gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=2, keepdim=True)
        variance = u.var(dim=1, keepdim=True, correction=0)
        normed = (u - mean) / (variance + 1e-5).sqrt()
        return u + self.down(torch.relu(self.up(normed)))
