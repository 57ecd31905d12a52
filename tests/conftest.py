"""Settings of all tests: shapes checked at run time, one thread, the same examples every time."""

from jaxtyping import install_import_hook

# beartype checks every annotation of the library whenever a test calls it; for that the hook must be there
# before the first import of transformer_lib.
install_import_hook("transformer_lib", "beartype.beartype")

import hypothesis  # noqa: E402
import torch  # noqa: E402

torch.set_num_threads(1)
hypothesis.settings.register_profile("course", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("course")
