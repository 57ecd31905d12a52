"""What is said of cells that ended before their last line; what they had defined until then counts."""

from collections.abc import Mapping
from dataclasses import dataclass

from autograder.judging import wording
from autograder.worker.messages import Error


@dataclass(frozen=True)
class Stops:
    """The errors of such cells by label, the cells' sources, and the label of the answer's own."""

    errors: Mapping[str, Error]
    sources: Mapping[str, str]
    own: str

    def how(self, label: str) -> str:
        """With which error a cell ended, after 'its cell'; nothing if it went through."""
        error = self.errors.get(label)
        return "" if error is None else f"stopped with {wording.error_text(error, self.sources).rstrip('.')}"

    @property
    def is_open(self) -> bool:
        """Whether the answer's cell ended where nothing is answered yet."""
        return self.own in self.errors and wording.is_stub(self.errors[self.own])

    @property
    def message(self) -> str:
        """That the answer's cell ended early, and what counts of it; nothing if it did not."""
        if self.own not in self.errors or self.is_open:
            return ""
        return f"The cell {self.how(self.own)}. What it had defined until then is graded."

    @property
    def status(self) -> str:
        """How a question ended whose cell ended early, but whose parts ran: "ok" if it did not end early."""
        if not self.message:
            return "ok"
        return "out-of-memory" if wording.is_memory(self.errors[self.own]) else "crashed"

    @property
    def passed_over(self) -> str:
        """That the setup's cell ended with an error; nothing if it did not."""
        return f"the cell '# setup' {self.how('setup')}" if "setup" in self.errors else ""

    def absent(self, told: str) -> str:
        """The sentence that something is not defined, with the error that the cell had before it."""
        how = self.how(self.own)
        return f"{told.partition(';')[0]}: it {how}" if how else told

    def advice(self, error: Error) -> list[str]:
        """Which cells may have had to define the name that an error is about, as they ended early."""
        labels = [label for label in (self.own, "setup") if label in self.errors]
        stops = [f"the cell '# {label}' {self.how(label)}" for label in labels if self.errors[label] != error]
        return ["; ".join(stops)] if stops else []
