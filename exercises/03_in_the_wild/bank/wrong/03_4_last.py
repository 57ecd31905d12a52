"""of several equally near codes the last"""


# loses: codes, far out, vectors, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = len(codebook) - 1 - steps.square().sum(dim=3).flip(2).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()
