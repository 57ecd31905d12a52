"""Settings of all tests: shapes checked at run time, one thread, the same examples every time."""

from jaxtyping import install_import_hook

# beartype checks every annotation of the library whenever a test calls it; for that the hook must be there
# before the first import of transformer_lib.
install_import_hook("transformer_lib", "beartype.beartype")

import os  # noqa: E402
import signal  # noqa: E402
from pathlib import Path  # noqa: E402

import hypothesis  # noqa: E402
import jaxtyping  # noqa: E402
import pytest  # noqa: E402

# A shell that starts the tests in the background has SIGINT ignored; tests press Ctrl-C all the same.
signal.signal(signal.SIGINT, signal.default_int_handler)
# Said to torch before it is imported: the process that deals tests out to others never imports it.
os.environ["OMP_NUM_THREADS"] = "1"
hypothesis.settings.register_profile("course", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("course")


@pytest.fixture
def without_type_checks():
    """The tests' own checks of types would speak before the library does."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture
def small_and_elsewhere(monkeypatch, tmp_path):
    """The command line runs in an empty folder, on data that take a second."""
    from cli_runs import use_small_data

    use_small_data(monkeypatch)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def trained(tmp_path_factory) -> Path:
    """The folder of a run of a language model, which tests only read."""
    from cli_runs import MICRO, train_in

    return train_in(tmp_path_factory.mktemp("language") / "run", MICRO)


@pytest.fixture(scope="session")
def translator_run(tmp_path_factory) -> Path:
    """The folder of a run of a translator, which tests only read."""
    from cli_runs import MICRO_PAIRS, train_in

    return train_in(tmp_path_factory.mktemp("translation") / "run", MICRO_PAIRS)
