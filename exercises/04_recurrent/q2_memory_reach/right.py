"""Right answers to question 04.2."""


# %% computed: By simulation.
enter, forget = [0.5, 0.4, 0.9, 0.3, 0.7], [0.6, 0.8, 0.5, 0.9, 0.75]
memory = torch.zeros((), dtype=torch.float64)
candidate = torch.ones(5, dtype=torch.float64, requires_grad=True)
for t in range(5):
    memory = enter[t] * candidate[t] + forget[t] * memory
memory.backward()
left = candidate.grad[1].item()
derivative, steps = 1.0, 0
while derivative >= 0.01:
    derivative *= torch.tensor(2.0).sigmoid().item()
    steps += 1
gate = 0.5**0.01
bias = math.log(gate / (1 - gate))


# %% typed: Numbers from a pocket calculator.
left = 0.135
steps = 37.0
bias = 4.9682154
