"""The reciprocal root, and a clamp."""
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        variance, mean = torch.var_mean(u, dim=2, correction=0, keepdim=True)
        y = self.up((u - mean) * torch.rsqrt(variance + 1e-5))
        return u + self.down(y.clamp(min=0))
