"""Named mistakes in question 08.3."""


# %% before_only: a window that leaves out the position itself
# loses: windows
shrink = 6 / 13
biased = 0.3
rows = 5050
scores = 22140
open_cells = 30
blocks = 14


# %% bias_on_all: a bias that counts once for all zeros together
# loses: zeros
shrink = 6 / 13
biased = 6 / (6 + 2)
rows = 5050
scores = 22140
open_cells = 34
blocks = 14


# %% eight_zeros: eight zeros in place of seven
# loses: zeros
shrink = 6 / 14
biased = 6 / 22
rows = 5050
scores = 22140
open_cells = 34
blocks = 14


# %% from_zero: prefixes from 0 to one word less
# loses: cost
shrink = 6 / 13
biased = 0.3
rows = 4950
scores = 20540
open_cells = 34
blocks = 14


# %% full_windows: four open cells in every row
# loses: windows
shrink = 6 / 13
biased = 0.3
rows = 5050
scores = 22140
open_cells = 40
blocks = 14


# %% last_row: scores of the last row of each pass alone
# loses: cost
shrink = 6 / 13
biased = 0.3
rows = 5050
scores = 820
open_cells = 34
blocks = 14


# %% no_weight: zeros that weigh nothing
# loses: zeros
shrink = 1.0
biased = 1.0
rows = 5050
scores = 22140
open_cells = 34
blocks = 14


# %% one_block_more: one block too many
# loses: windows
shrink = 6 / 13
biased = 0.3
rows = 5050
scores = 22140
open_cells = 34
blocks = 15


# %% one_pass: a single pass
# loses: cost
shrink = 6 / 13
biased = 0.3
rows = 100
scores = 1600
open_cells = 34
blocks = 14


# %% reach_back: a block that sees as many places back as its reach
# loses: windows
shrink = 6 / 13
biased = 0.3
rows = 5050
scores = 22140
open_cells = 34
blocks = math.ceil(98 / 8)


# %% reciprocal: the copy and the causal mask exchanged
# loses: zeros
shrink = 13 / 6
biased = 0.3
rows = 5050
scores = 22140
open_cells = 34
blocks = 14


# %% scores_not_exponentials: scores in place of their exponentials, of which a zero has none
# loses: zeros
shrink = 6 / 6.0000001
biased = 6 / 20.0000001 * 1.01
rows = 5050
scores = 22140
open_cells = 34
blocks = 14


# %% six_zeros: six zeros in place of seven
# loses: zeros
shrink = 6 / 12
biased = 6 / 18
rows = 5050
scores = 22140
open_cells = 34
blocks = 14


# %% square: as many rows in every pass as there are words
# loses: cost
shrink = 6 / 13
biased = 0.3
rows = 10000
scores = 64000
open_cells = 34
blocks = 14


# %% ten_zeros: ten zeros instead of seven
# loses: zeros
shrink = 6 / 16
biased = 6 / 26
rows = 5050
scores = 22140
open_cells = 34
blocks = 14


# %% triangle: causal scores, of the past alone
# loses: cost
shrink = 6 / 13
biased = 0.3
rows = 5050
scores = sum(j * (j + 1) // 2 for j in range(1, 41))
open_cells = 34
blocks = 14


# %% two_sides: windows that reach ahead as well as back
# loses: windows
shrink = 6 / 13
biased = 0.3
rows = 5050
scores = 22140
open_cells = 58
blocks = 14


# %% zero_share: the share of the zeros instead of that of the real keys
# loses: zeros
shrink = 7 / 13
biased = 0.7
rows = 5050
scores = 22140
open_cells = 34
blocks = 14
