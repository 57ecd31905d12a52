"""Right answers to question 10.1."""


# %% autograd: The slope by automatic differentiation.
z = torch.tensor([1.0, 2.0, 2.0, 3.0, 7.0], dtype=torch.float64, requires_grad=True)
z_hat = (z - z.mean()) / z.std(correction=0)
z_hat[4].backward()
deviation = z.std(correction=0).item()
last = z_hat[4].item()
slope = z.grad[4].item()
stratos = 1 / (1 + 1 / deviation)
library = 1 / math.sqrt(1 + 10 / deviation**2)


# %% fractions: Numbers from the definition.
z = np.array([1.0, 2.0, 2.0, 3.0, 7.0])
deviation = z.std()
z_hat = (z - z.mean()) / deviation
last = z_hat[4]
slope = (1 - 0.2 - z_hat[4] ** 2 / 5) / deviation
stratos = (z / 1000).std() / ((z / 1000).std() + 0.001)
library = (z / 1000).std() / math.sqrt((z / 1000).var() + 1e-5)
