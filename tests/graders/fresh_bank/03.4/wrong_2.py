# question 03.4
# wrong: torch.cdist changes to the expanded form when there are more than 25 rows, so that far-out codes are wrong there
# differs: float32, K = 40 codes (or n = 40 vectors) 3000 + tenths; right for K and n up to 25
def quantize(z, codebook, beta=0.25):
    codes = torch.cdist(z.detach(), codebook.detach().expand(len(z), -1, -1)).argmin(dim=2)
    rows = codebook[codes]
    vectors = rows.detach() + (z - z.detach())
    first = (z.detach() - rows).square().sum(dim=2)
    second = (z - rows.detach()).square().sum(dim=2)
    return codes, vectors, (first + beta * second).mean()
