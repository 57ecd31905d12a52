"""Named mistakes in question 10.4."""


# %% axis_left: the normalization that still runs over the positions
# loses: norm, output, gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=1, keepdim=True)
        variance = u.var(dim=1, keepdim=True, correction=0)
        normed = (u - mean) / (variance + 1e-5).sqrt()
        return u + self.down(torch.relu(self.up(normed)))


# %% bend_first: a ReLU in front of both maps
# loses: bend, norm, output, gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=2, keepdim=True)
        variance = u.var(dim=2, keepdim=True, correction=0)
        normed = (u - mean) / (variance + 1e-5).sqrt()
        return u + self.down(self.up(torch.relu(normed)))


# %% bend_left: the ReLU that is still behind both maps
# loses: bend, output, gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=2, keepdim=True)
        variance = u.var(dim=2, keepdim=True, correction=0)
        normed = (u - mean) / (variance + 1e-5).sqrt()
        return u + torch.relu(self.down(self.up(normed)))


# %% bend_twice: a ReLU between the maps and another behind them
# loses: bend, output, gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=2, keepdim=True)
        variance = u.var(dim=2, keepdim=True, correction=0)
        normed = (u - mean) / (variance + 1e-5).sqrt()
        return u + torch.relu(self.down(torch.relu(self.up(normed))))


# %% corrected_back: the sample variance times (d - 1) / d, which is NaN for a single feature
# loses: output
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        d = u.shape[2]
        variance = u.var(dim=2, keepdim=True) * (d - 1) / d
        normed = (u - u.mean(dim=2, keepdim=True)) / (variance + 1e-5).sqrt()
        return u + self.down(torch.relu(self.up(normed)))


# %% line_left: the residual line that still starts from the norm
# loses: line, output, gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=2, keepdim=True)
        variance = u.var(dim=2, keepdim=True, correction=0)
        u = (u - mean) / (variance + 1e-5).sqrt()
        return u + self.down(torch.relu(self.up(u)))


# %% mean_left: a mean that still runs over the positions
# loses: norm, output, gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=1, keepdim=True)
        variance = u.var(dim=2, keepdim=True, correction=0)
        normed = (u - mean) / (variance + 1e-5).sqrt()
        return u + self.down(torch.relu(self.up(normed)))


# %% new_parameters: a gain and a bias added to the layer
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


# %% no_bend: two linear maps with nothing between them
# loses: bend, output, gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=2, keepdim=True)
        variance = u.var(dim=2, keepdim=True, correction=0)
        normed = (u - mean) / (variance + 1e-5).sqrt()
        return u + self.down(self.up(normed))


# %% only_bend: the place of the ReLU mended, the two others left
# loses: line, norm, output, gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=1, keepdim=True)
        variance = u.var(dim=1, keepdim=True, correction=0)
        u = (u - mean) / (variance + 1e-5).sqrt()
        return u + self.down(torch.relu(self.up(u)))


# %% only_line: the residual line mended, the two others left
# loses: bend, norm, output, gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=1, keepdim=True)
        variance = u.var(dim=1, keepdim=True, correction=0)
        normed = (u - mean) / (variance + 1e-5).sqrt()
        return u + torch.relu(self.down(self.up(normed)))


# %% only_norm: the normalization mended, the two others left
# loses: line, bend, output, gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=2, keepdim=True)
        variance = u.var(dim=2, keepdim=True, correction=0)
        u = (u - mean) / (variance + 1e-5).sqrt()
        return u + torch.relu(self.down(self.up(u)))


# %% outside: the epsilon added to the deviation
# loses: output
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=2, keepdim=True)
        variance = u.var(dim=2, keepdim=True, correction=0)
        normed = (u - mean) / ((variance + 1e-30).sqrt() + 1e-5)
        return u + self.down(torch.relu(self.up(normed)))


# %% sample: the sample variance, which divides by one feature less
# loses: bend, norm, output, gradients
class SubLayer(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, u):
        mean = u.mean(dim=2, keepdim=True)
        variance = u.var(dim=2, keepdim=True, correction=1)
        normed = (u - mean) / (variance + 1e-5).sqrt()
        return u + self.down(torch.relu(self.up(normed)))


# %% variance_left: a variance that still runs over the positions
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
