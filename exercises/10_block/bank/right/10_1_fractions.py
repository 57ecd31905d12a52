"""Numbers from the definition."""
z = np.array([1.0, 2.0, 2.0, 3.0, 7.0])
deviation = z.std()
z_hat = (z - z.mean()) / deviation
last = z_hat[4]
slope = (1 - 0.2 - z_hat[4] ** 2 / 5) / deviation
stratos = (z / 1000).std() / ((z / 1000).std() + 0.001)
library = (z / 1000).std() / math.sqrt((z / 1000).var() + 1e-5)
