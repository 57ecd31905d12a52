# question 03.4
# wrong: nothing is stopped in the loss: its value is right, but both terms move both
# differs: loss.backward(): gradients of z and of the codes with the factor 1 + beta instead of beta and 1
def quantize(z, codebook, beta=0.25):
    codes = (z[:, :, None] - codebook).square().sum(dim=3).argmin(dim=2)
    rows = codebook[codes]
    vectors = rows.detach() + (z - z.detach())
    return codes, vectors, (1 + beta) * (z - rows).square().sum(dim=2).mean()
