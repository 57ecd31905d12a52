# question 08.2
# wrong: the gradient is asked, which is 0 where a ReLU is shut
# differs: f = lambda x: torch.relu(x - 1.5) at x of zeros
def who_sees_whom(f, x):
    J = torch.autograd.functional.jacobian(f, x.detach())
    return (J.abs() > 1e-9).any(dim=3).any(dim=1)
