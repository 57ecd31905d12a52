"""distances in the loss, not their squares: the gradient of their root is NaN where a vector is a code"""

# loses: loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull.sqrt() + beta * stay.sqrt()).mean()
