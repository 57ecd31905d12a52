"""Right answers to question 08.3."""


# %% counted: Counted, cell by cell and step by step.
exponentials = np.array([2.0, 3, 1] + 7 * [1.0])
shrink = exponentials[:3].sum() / exponentials.sum()
exponentials[3:] = 2
biased = (exponentials / exponentials.sum())[:3].sum()
rows = sum(len(range(j)) for j in range(1, 101))
scores = sum(np.ones((j, j)).sum() for j in range(1, 41))
open_cells = sum(0 <= i - j < 4 for i in range(10) for j in range(10))
place, blocks = 99, 0
while place > 1:
    place, blocks = place - 7, blocks + 1


# %% numbers: The numbers.
shrink = 0.46153846153846156
biased = 0.3
rows = 5050
scores = 22140
open_cells = 34
blocks = 14
