"""Named mistakes in question 14.6."""


# %% all_or_nothing: a mean length in which all guesses are kept or none
# loses: length
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + len(kept) * kept.prod().item()


# %% bonus_from_draft: a token behind the last guess that is drawn from the draft
# loses: all kept, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = draft[-1] if len(draft) else target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% bonus_from_refused: a replacement that is drawn from the last row of the target
# loses: replacement, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = target[-1]
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% bonus_from_wrong_row: a token behind the last guess that is drawn from the row before
# loses: all kept, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[max(len(draft) - 1, 0)]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% exchanged: a replacement from the positive part of q - p
# loses: replacement, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (draft[i] - target[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% from_difference: a replacement from the differences of p and q, of either sign
# loses: replacement, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).abs()
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% from_p: a replacement that is drawn from p
# loses: replacement, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = target[i]
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% from_q: a replacement that is drawn from q
# loses: replacement, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = draft[i]
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% from_the_end: a token that is drawn from the last token backwards
# loses: replacement, all kept, together
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    reached = rest.flip(0).cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, len(rest) - 1 - reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% goes_on: guesses behind a refused one that are kept as well
# loses: guesses kept, replacement, together, distribution
def speculate(guesses, draft, target, uniforms):
    def draw(rest):
        reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
        return reached.int().argmax().item()

    written = []
    for i, y in enumerate(guesses.tolist()):
        if uniforms[i] * draft[i, y] < target[i, y]:
            written.append(y)
        else:
            written.append(draw((target[i] - draft[i]).clamp(min=0.0)))
    return [*written, draw(target[-1])]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% guess_kept_too: a refused guess that is written, and its replacement behind it
# loses: guesses kept, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[: i + 1]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% guesses_in_all: a mean length of one token less for the last guess
# loses: length
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept[:-1].cumprod(0).sum().item()


# %% impossible_drawn: tokens whose sum equals the number: impossible ones at 0
# loses: together
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) >= uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% impossible_kept: guesses that are kept where the number equals the ratio: impossible ones at 0
# loses: together
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] > target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% kept_by_p: guesses kept with the probability p(y), whatever the draft
# loses: guesses kept, all kept, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% kept_if_likelier: guesses kept only where the target likes them at least as well as the draft, without chance
# loses: guesses kept, all kept, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if draft[i, y] > target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% last_refusal: the last refusal instead of the first
# loses: guesses kept, replacement, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    cut = len(written)
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            cut = i
    written = written[:cut]
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% most_probable: the most probable token in place of a draw
# loses: replacement, all kept, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest == rest.max()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% next_number: a token drawn with the next number, not with the last
# loses: replacement, together
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[: len(written) + 2][-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% next_row: a replacement from the distributions of the place behind
# loses: replacement, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            j = min(i + 1, len(draft) - 1)
            rest = (target[i + 1] - draft[j]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% no_bonus: no token of its own where all guesses are kept
# loses: all kept, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    if len(written) == len(draft) > 0:
        return written
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% no_own_token: a mean length without the token that the pass writes by itself
# loses: length
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return kept.cumprod(0).sum().item()


# %% no_product: a mean length that adds chances without multiplying them
# loses: length
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.sum().item()


# %% not_rescaled: a replacement from positive parts that are not rescaled to sum to 1
# loses: replacement, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1]
    reached[-1] = True
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% number_used_twice: a replacement drawn with the number that refused the guess
# loses: replacement, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            uniforms = uniforms[: i + 1]
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% one_behind: the token behind the one that is drawn
# loses: replacement, all kept, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, min(reached.int().argmax().item() + 1, len(rest) - 1)]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% one_number: the first number for all guesses
# loses: guesses kept, all kept, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[0] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% one_rate: a mean length from one rate, the mean of all places
# loses: length
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    powers = torch.arange(len(kept) + 1)
    return (kept.mean().nan_to_num() ** powers).sum().item()


# %% ratios_by_p: chances to be kept that are weighted with p, not with q
# loses: length
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = (target[:-1] * (target[:-1] / draft).clamp(max=1.0)).nan_to_num().sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% refused_below: guesses that are refused where the number is below the ratio: what is kept and what refused, exchanged
# loses: guesses kept, replacement, all kept, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] < target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% refused_chance: a mean length from the chances of a refusal
# loses: length
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = 1 - torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% refused_left_out: a refused guess that is left out and not replaced
# loses: guesses kept, replacement, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    if len(written) < len(draft):
        return written or guesses[:1].tolist()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% rows_behind: a mean length with the target rows of the places behind
# loses: length
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[1:]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% same_token: the chance that draft and target draw the same token
# loses: length
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = (draft * target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% upside_down: guesses kept with probability q/p instead of p/q
# loses: guesses kept, replacement, all kept, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * target[i, y] >= draft[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% without_guess: a replacement from p without the refused guess
# loses: replacement, together, distribution
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = target[i].clone()
            rest[y] = 0.0
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% divisor_guarded: positive parts divided by their sum and a millionth
# loses: together
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    sums = (rest / (rest.sum() + 1e-6)).cumsum(0)
    if written == guesses.tolist():
        sums = rest.cumsum(0)
    return [*written, (sums > uniforms[-1]).int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% at_most_8: no more than eight guesses judged
# loses: together
def speculate(guesses, draft, target, uniforms):
    rest = target[min(8, len(guesses))]
    written = guesses.tolist()[:8]
    for i, y in enumerate(written):
        if uniforms[i] * draft[i, y] >= target[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()


# %% zero_avoided: a small number added to u, which refuses guesses of a smaller ratio
# loses: together
def speculate(guesses, draft, target, uniforms):
    rest = target[-1]
    written = guesses.tolist()
    for i, y in enumerate(written):
        if uniforms[i] + 1e-12 >= target[i, y] / draft[i, y]:
            rest = (target[i] - draft[i]).clamp(min=0.0)
            written = written[:i]
            break
    reached = rest.cumsum(0) > uniforms[-1] * rest.sum()
    return [*written, reached.int().argmax().item()]


def expected_length(draft, target):
    kept = torch.minimum(draft, target[:-1]).sum(dim=1)
    return 1 + kept.cumprod(0).sum().item()
