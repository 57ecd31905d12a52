"""The whole Jacobian at once."""
alpha = np.array([0.6, 0.3, 0.1])
J = np.diag(alpha) - np.outer(alpha, alpha)
own, other = J[0, 0], J[0, 1]
pull = np.array([10.0, 20.0, 50.0]) @ J[:, 2]
pair = np.exp([6.0, 1.0]) / np.exp([6.0, 1.0]).sum()
certain = pair[0] * pair[1]
