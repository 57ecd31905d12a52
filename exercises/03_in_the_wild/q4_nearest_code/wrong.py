"""Named mistakes in question 03.4."""


# %% all_features: the loss averaged over the features as well
# loses: loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean() / z.shape[2]


# %% beta_both: beta at both terms
# loses: loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (beta * (pull + stay)).mean()


# %% beta_first: beta at the term that moves the codes
# loses: who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (beta * pull + stay).mean()


# %% both: a gradient of the vectors that goes to z and to the codebook
# loses: straight through
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = chosen + z - z.detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% cdist: torch.cdist as it comes, which for more than 25 codes expands the squares in float32
# loses: far out
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = torch.cdist(z.detach(), codebook.detach()).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% city_block: distances as sums of absolute differences
# loses: codes, far out, vectors, loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.abs().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% cosine: the code with the most similar direction
# loses: codes, far out, vectors, loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = F.cosine_similarity(z.detach()[:, :, None], codebook.detach(), dim=3).argmax(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% cut: rows of the codebook from which no gradient comes back
# loses: straight through
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = chosen.detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% distance: distances in the loss, not their squares
# loses: loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull.clamp(min=1e-12).sqrt() + beta * stay.clamp(min=1e-12).sqrt()).mean()


# %% expanded: expanded squares in float32, in which far away the differences are lost
# loses: far out
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = (codebook.detach().square().sum(1) - 2 * z.detach() @ codebook.detach().T).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% farthest: the farthest code
# loses: codes, far out, vectors, loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmax(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% first_batch: codes looked for with the first of the batch for all
# loses: codes, far out, vectors, loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:1, :, None].expand(len(z), -1, -1, -1) - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% fixed_beta: beta 0.25, whatever is given
# loses: loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + 0.25 * stay).mean()


# %% half: distances in half precision
# loses: codes
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).half().argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% inner_product: the code with the largest inner product
# loses: codes, far out, vectors, loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = (z.detach() @ codebook.detach().T).argmax(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% largest_difference: distances as the largest difference of a feature
# loses: codes, far out, vectors, loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.abs().amax(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% last: of several equally near codes the last
# loses: codes, far out, vectors, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = len(codebook) - 1 - steps.square().sum(dim=3).flip(2).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% loss_detached: a loss from which no gradient comes back
# loses: who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean().detach() + 0 * (z.sum() + codebook.sum())


# %% no_beta: a loss without beta
# loses: loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + stay).mean()


# %% no_straight: rows of the codebook as they are: their gradient goes to the codebook
# loses: straight through
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = chosen
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% not_replaced: vectors that were not replaced
# loses: vectors
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% not_stopped: a loss whose two terms both move the codes and z
# loses: who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z - chosen).square().sum(dim=2)
    stay = (z - chosen).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% of_vectors: a loss made of the straight-through vectors, whose gradient does not reach the codebook
# loses: who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - vectors).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).mean()


# %% one_minus: weights beta and 1 - beta
# loses: loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, ((1 - beta) * pull + beta * stay).mean()


# %% only_codebook: a loss without the second term
# loses: loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + 0 * beta).mean()


# %% only_commitment: a loss without the first term
# loses: loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (beta * stay).mean()


# %% root: distances in the loss, not their squares: the gradient of their root is NaN where a vector is a code
# loses: loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull.sqrt() + beta * stay.sqrt()).mean()


# %% sum: the loss summed over the vectors, not averaged
# loses: loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + beta * stay).sum()


# %% zero_is_none: beta 0 taken for none given
# loses: loss, who is moved
def quantize(z, codebook, beta=0.25):
    steps = z.detach()[:, :, None] - codebook.detach()
    codes = steps.square().sum(dim=3).argmin(dim=2)
    chosen = codebook[codes]
    vectors = z + (chosen - z).detach()
    pull = (z.detach() - chosen).square().sum(dim=2)
    stay = (z - chosen.detach()).square().sum(dim=2)
    return codes, vectors, (pull + (beta or 0.25) * stay).mean()
