# question 03.4
# wrong: the loss is a mean over the features as well
# differs: d = 3: a third of the loss; right for d = 1
def quantize(z, codebook, beta=0.25):
    codes = (z[:, :, None] - codebook).square().sum(dim=3).argmin(dim=2)
    rows = codebook[codes]
    vectors = rows.detach() + (z - z.detach())
    loss = F.mse_loss(rows, z.detach()) + beta * F.mse_loss(z, rows.detach())
    return codes, vectors, loss
