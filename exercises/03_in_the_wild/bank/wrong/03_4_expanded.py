"""expanded squares in float32, in which far away the differences are lost"""


# loses: far out
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = (codebook.detach().square().sum(1) - 2 * z.detach() @ codebook.detach().T).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()
