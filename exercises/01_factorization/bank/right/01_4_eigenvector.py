"""The stationary distribution as an eigenvector."""
P = np.array([[0.9, 0.1], [0.4, 0.6]])
values, vectors = np.linalg.eig(P.T)
pi = np.real(vectors[:, np.argmax(np.real(values))])
pi = pi / pi.sum()
rate = float(-(pi[:, None] * P * np.log(P)).sum())
perplexity = float(np.exp(rate))
memoryless = float(-(pi * np.log(pi)).sum())
