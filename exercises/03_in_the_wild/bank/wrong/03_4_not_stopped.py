"""a loss whose two terms both move the codes and z"""


# loses: who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z - chosen).square().sum(dim=2)
    stay = (z - chosen).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()
