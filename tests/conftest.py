"""Settings of all tests: shapes checked at run time, one thread, the same examples every time."""

from jaxtyping import install_import_hook

# Every annotation of the library is checked by beartype whenever a test calls it, so it must be set before the
# first import of transformer_lib.
install_import_hook("transformer_lib", "beartype.beartype")

import hypothesis  # noqa: E402
import torch  # noqa: E402

torch.set_num_threads(1)
hypothesis.settings.register_profile("course", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("course")
