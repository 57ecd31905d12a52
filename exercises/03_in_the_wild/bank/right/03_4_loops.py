"""One vector after the other, and a function of autograd for the straight-through gradient."""


class Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, rows):
        return rows.clone()

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None


def quantize(z, codebook, beta=0.25):
    codes, loss = [], 0.0
    for row in z:
        for vector in row:
            distances = [float(((vector - code) ** 2).sum()) for code in codebook]
            codes.append(distances.index(min(distances)))
            code = codebook[codes[-1]]
            loss = loss + ((vector.detach() - code) ** 2).sum()
            loss = loss + beta * ((vector - code.detach()) ** 2).sum()
    codes = torch.tensor(codes).reshape(z.shape[:2])
    return codes, Straight.apply(z, codebook[codes].detach()), loss / codes.numel()
