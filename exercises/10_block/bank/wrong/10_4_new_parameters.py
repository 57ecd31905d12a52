"""a gain and a bias added to the layer"""
# loses: gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, u):
        """The sub-layer's output.

        u:       float tensor (batch, time, d_model)
        returns: float tensor (batch, time, d_model)
        """
        mean = u.mean(dim=2, keepdim=True)
        variance = u.var(dim=2, keepdim=True, correction=0)
        normed = (u - mean) / (variance + 1e-5).sqrt()
        normed = normed * self.gain + self.bias
        return u + self.down(torch.relu(self.up(normed)))
