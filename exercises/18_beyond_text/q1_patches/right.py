"""Right answers to question 18.1."""


# %% library: PyTorch's own unfold and fold.
def to_patches(images, size):
    return torch.nn.functional.unfold(images, size, stride=size).transpose(1, 2)


def to_pictures(patches, size, height, width):
    return torch.nn.functional.fold(patches.transpose(1, 2), (height, width), size, stride=size)


# %% loops: Square by square, into a picture of zeros.
def to_patches(images, size):
    cut = []
    for row in images.split(size, dim=2):
        for square in row.split(size, dim=3):
            cut.append(square.reshape(len(images), -1))
    return torch.stack(cut, dim=1)


def to_pictures(patches, size, height, width):
    channels = patches.shape[2] // size**2
    images = patches.new_zeros(len(patches), channels, height, width)
    for number in range(patches.shape[1]):
        top, left = divmod(number, width // size)
        square = patches[:, number].view(len(patches), channels, size, size)
        images[:, :, size * top : size * (top + 1), size * left : size * (left + 1)] = square
    return images


# %% einsum: Axes by their names, and views by unfold.
def to_patches(images, size):
    windows = images.unfold(2, size, size).unfold(3, size, size)
    return torch.einsum("ncdaij->ndacij", windows).flatten(3).flatten(1, 2)


def to_pictures(patches, size, height, width):
    squares = patches.unflatten(2, (-1, size, size)).unflatten(1, (height // size, width // size))
    return torch.einsum("ndacij->ncdiaj", squares).flatten(4, 5).flatten(2, 3)


# %% places: The cut of a picture of numbers tells where each pixel goes.
def to_patches(images, size):
    return images.flatten(1)[:, order(images.shape[1], *images.shape[2:], size)]


def to_pictures(patches, size, height, width):
    channels = patches.shape[2] // size**2
    places = order(channels, height, width, size).flatten()
    return patches.flatten(1)[:, places.argsort()].view(-1, channels, height, width)


def order(channels, height, width, size):
    places = torch.arange(channels * height * width).view(channels, height, width)
    squares = [
        places[:, top : top + size, left : left + size].flatten()
        for top in range(0, height, size)
        for left in range(0, width, size)
    ]
    return torch.stack(squares)
