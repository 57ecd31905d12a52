"""codes looked for with the first of the batch for all"""


# loses: codes, far out, vectors, loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:1, :, None].expand(len(z), -1, -1, -1) - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()
