"""Changes seeds, default types and threads of the whole process, then answers rightly."""

# question 06.1
import random

torch.set_default_dtype(torch.float64)
torch.set_num_threads(16)
torch.set_grad_enabled(True)
torch.use_deterministic_algorithms(True)
torch.manual_seed(12345)
np.random.seed(12345)
random.seed(12345)
torch.manual_seed = np.random.seed = random.seed = lambda *arguments: None
np.seterr(all="raise")
@SOLUTION@
# question 06.3
torch.set_default_device("meta")
@SOLUTION@
