"""the gradient at x instead of changes"""


# loses: gates
def who_sees_whom(f, x):
    jacobian = torch.autograd.functional.jacobian(f, x.clone())
    return (jacobian.abs().sum(dim=(1, 3)) > 1e-5)
