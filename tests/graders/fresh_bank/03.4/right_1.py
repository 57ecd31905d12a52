# question 03.4
def quantize(z, codebook, beta=0.25):
    with torch.no_grad():
        apart = z.double()[:, :, None] - codebook.double()
        codes = apart.square().sum(dim=3).argmin(dim=2)
    rows = codebook[codes]
    vectors = rows.detach() + (z - z.detach())
    moves_codes = (z.detach() - rows).square().sum(dim=2)
    moves_z = (z - rows.detach()).square().sum(dim=2)
    return codes, vectors, (moves_codes + beta * moves_z).mean()
