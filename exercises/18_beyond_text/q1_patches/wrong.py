"""Named mistakes in question 18.1."""


# %% strips: strips of the picture: a reshape without an exchange of axes
# loses: patches, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    return images.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), down, across, -1, size, size)
    grid = grid.permute(0, 3, 1, 4, 2, 5)
    return grid.reshape(len(patches), -1, height, width)


# %% strips_back: patches put together by a reshape alone
# loses: pictures, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 2, 4, 1, 3, 5)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    return patches.reshape(len(patches), -1, height, width)


# %% gray_strips: squares whose rows are exchanged for their columns of squares, as without the transpose
# loses: patches, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 2, 3, 1, 4, 5)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), down, across, -1, size, size)
    grid = grid.permute(0, 3, 1, 4, 2, 5)
    return grid.reshape(len(patches), -1, height, width)


# %% colors_last: patches whose numbers stand pixel by pixel, the colors of a pixel together
# loses: patches, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 2, 4, 3, 5, 1)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), down, across, -1, size, size)
    grid = grid.permute(0, 3, 1, 4, 2, 5)
    return grid.reshape(len(patches), -1, height, width)


# %% colors_last_back: pictures from patches whose numbers stand pixel by pixel
# loses: pictures, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 2, 4, 1, 3, 5)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), down, across, size, size, -1)
    grid = grid.permute(0, 5, 1, 3, 2, 4)
    return grid.reshape(len(patches), -1, height, width)


# %% downwards: squares in the order from top to bottom, then the next column
# loses: patches, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 4, 2, 1, 3, 5)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), down, across, -1, size, size)
    grid = grid.permute(0, 3, 1, 4, 2, 5)
    return grid.reshape(len(patches), -1, height, width)


# %% downwards_back: pictures whose squares are laid from top to bottom first
# loses: pictures, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 2, 4, 1, 3, 5)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), across, down, -1, size, size)
    grid = grid.permute(0, 3, 2, 4, 1, 5)
    return grid.reshape(len(patches), -1, height, width)


# %% turned_squares: squares whose rows and columns are exchanged
# loses: patches, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 2, 4, 1, 5, 3)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), down, across, -1, size, size)
    grid = grid.permute(0, 3, 1, 4, 2, 5)
    return grid.reshape(len(patches), -1, height, width)


# %% turned_squares_back: pictures in which each square is turned over its diagonal
# loses: pictures, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 2, 4, 1, 3, 5)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), down, across, -1, size, size)
    grid = grid.permute(0, 3, 1, 5, 2, 4)
    return grid.reshape(len(patches), -1, height, width)


# %% same_order_back: the exchange of axes of the cut once more, in place of the one that undoes it
# loses: pictures, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 2, 4, 1, 3, 5)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), down, across, -1, size, size)
    grid = grid.permute(0, 2, 4, 1, 3, 5)
    return grid.reshape(len(patches), -1, height, width)


# %% colors_apart: patches of one color each, color by color, cut into rows of the right length
# loses: patches, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 1, 2, 4, 3, 5)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), down, across, -1, size, size)
    grid = grid.permute(0, 3, 1, 4, 2, 5)
    return grid.reshape(len(patches), -1, height, width)


# %% sides_swapped: a grid whose number of rows is the width divided by the size
# loses: patches, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = width // size, height // size
    grid = images.reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 2, 4, 1, 3, 5)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), down, across, -1, size, size)
    grid = grid.permute(0, 3, 1, 4, 2, 5)
    return grid.reshape(len(patches), -1, height, width)


# %% sides_swapped_back: squares that stand beside one another as often as they should stand below
# loses: pictures, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 2, 4, 1, 3, 5)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = width // size, height // size
    grid = patches.reshape(len(patches), down, across, -1, size, size)
    grid = grid.permute(0, 3, 1, 4, 2, 5)
    return grid.reshape(len(patches), -1, height, width)


# %% every_other: pixels that lie apart by the number of squares, in place of squares
# loses: patches, gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.reshape(n, channels, size, down, size, across)
    grid = grid.permute(0, 3, 5, 1, 2, 4)
    return grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), down, across, -1, size, size)
    grid = grid.permute(0, 3, 1, 4, 2, 5)
    return grid.reshape(len(patches), -1, height, width)


# %% detached_patches: patches without a gradient
# loses: gradients
def to_patches(images, size):
    n, channels, height, width = images.shape
    down, across = height // size, width // size
    grid = images.detach().reshape(n, channels, down, size, across, size)
    grid = grid.permute(0, 2, 4, 1, 3, 5)
    return images.sum() * 0 + grid.reshape(n, down * across, channels * size * size)


def to_pictures(patches, size, height, width):
    down, across = height // size, width // size
    grid = patches.reshape(len(patches), down, across, -1, size, size)
    grid = grid.permute(0, 3, 1, 4, 2, 5)
    return grid.reshape(len(patches), -1, height, width)
