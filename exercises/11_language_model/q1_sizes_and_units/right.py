"""Right answers to question 11.1."""


# %% numbers: Numbers.
tied = 42432
untied = 58432
nats = 0.92
bits = 1.3272794
odds = 6.6858944
total = 2.5


# %% tensors: Counted from tensors.
blocks = [torch.empty(shape).numel() for shape in [(4, 32, 32), (2, 32, 128), (4, 32)]]
tables = {"tokens": torch.empty(500, 32), "places": torch.empty(48, 32), "norm": torch.empty(2, 32)}
tied = sum(table.numel() for table in tables.values()) + 2 * sum(blocks)
untied = tied + tables["tokens"].numel()
nats = 2.3 / (875 / 350)
bits = nats * math.log2(math.e)
difference = torch.tensor([1.0, 0.0, 2.0]) - torch.tensor([0.0, 1.0, -1.0])
odds = float((difference.double() @ torch.tensor([0.5, -0.2, 0.4], dtype=torch.float64)).exp())
total = sum(e / (3 + 1) for e in (3, 1, 4, 2))
