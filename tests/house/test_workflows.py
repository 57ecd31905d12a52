"""The workflows of continuous integration call what there is, and ask for no more rights than they need."""

import http.server
import re
import threading
from pathlib import Path
from typing import Any

import outside_links
import pytest
import versions
import yaml

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".github" / "workflows"
FILES = sorted(FOLDER.glob("*.yml")) if FOLDER.is_dir() else []
TARGETS = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
EVENTS = {"push", "pull_request", "schedule", "workflow_dispatch"}
RIGHTS = {"contents": "read", "pages": "write", "id-token": "write"}
USED = re.compile(r"[\w-]+/[\w-]+@v\d+")
CRON = re.compile(r"[0-5]?\d [0-2]?\d (\*|[1-3]?\d) (\*|1?\d) (\*|[0-6])")

workflow = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def read(path: Path) -> dict[Any, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    return read(path)["jobs"]


def commands(path: Path) -> list[str]:
    """What the steps run, also by way of the matrix."""
    found = []
    for job in jobs(path).values():
        found += [step["run"] for step in job["steps"] if "run" in step]
        found += [
            row["run"] for row in job.get("strategy", {}).get("matrix", {}).get("include", []) if "run" in row
        ]
    return found


@workflow
def test_a_workflow_begins_when_it_says_and_ends_in_time(path: Path) -> None:
    found = read(path)
    begins = found[True]  # YAML reads the key `on` as true
    assert set(begins) <= EVENTS, f"{path.name}: an event that no workflow here has: {set(begins) - EVENTS}"
    for times in begins.get("schedule", []):
        assert CRON.fullmatch(times["cron"]), f"{path.name}: write the time as minute hour day month weekday"
    for name, job in jobs(path).items():
        assert 0 < job["timeout-minutes"] <= 90, f"{path.name}: give the job {name} a timeout in minutes"
        needed = job.get("needs", [])
        named = {needed} if isinstance(needed, str) else set(needed)
        assert named <= set(jobs(path)), f"{path.name}: {name} needs a job that there is not: {named}"


@workflow
def test_a_workflow_has_only_the_rights_that_it_needs(path: Path) -> None:
    given = [read(path)["permissions"], *(job.get("permissions", {}) for job in jobs(path).values())]
    assert given[0] == {"contents": "read"}, f"{path.name}: let the whole workflow read, and single jobs more"
    for rights in given:
        assert rights.items() <= RIGHTS.items(), f"{path.name}: rights that no job here needs: {rights}"


@workflow
def test_the_steps_of_a_workflow_name_actions_with_versions_and_commands_that_there_are(path: Path) -> None:
    steps = [step for job in jobs(path).values() for step in job["steps"]]
    for step in steps:
        assert ("run" in step) != ("uses" in step), f"{path.name}: a step runs a command or uses an action"
        if "uses" in step:
            assert USED.fullmatch(step["uses"]), f"{path.name}: give {step['uses']} a version, such as @v4"
    for command in commands(path):
        for target in re.findall(r"\bmake (\w+)", command):
            assert target in TARGETS, f"{path.name}: the Makefile has no target {target}"
        for file in re.findall(r"(?<![\w/])((?:tools|tests|\.ci)/[\w./]+)", command):
            assert (ROOT / file).exists(), f"{path.name}: there is no {file}"


@workflow
def test_the_expressions_of_a_workflow_name_what_its_matrix_has(path: Path) -> None:
    for name, job in jobs(path).items():
        rows = job.get("strategy", {}).get("matrix", {}).get("include", [])
        for key in re.findall(r"matrix\.(\w+)", str(job)):
            assert all(key in row for row in rows) and rows, f"{path.name}: {name} has no {key} in its matrix"


def test_the_oldest_versions_are_those_that_the_project_supports_and_the_newest_have_no_pin() -> None:
    lines = [
        "-c constraints.txt",
        "",
        "# the library",
        "torch==2.13.0",
        "ruff==0.17.5",
        "transformers==5.23.0",
        "-e .",
    ]
    least = versions.supported()["torch"]
    oldest = [f"torch=={least}", "ruff==0.17.5", "-e ."]
    assert versions.wanted("oldest", lines) == oldest, "take the lowest supported version: see wanted()"
    newest = ["torch>=2.13.0,<3", "ruff>=0.17.5,<1", "transformers>=5.23.0,<6", "-e ."]
    assert versions.wanted("newest", lines) == newest, "leave the next major version out: see wanted()"


class Pages(http.server.BaseHTTPRequestHandler):
    """Answers with the number that it is asked for."""

    def do_GET(self) -> None:
        self.send_response(int(self.path[1:]))
        self.send_header("Location", "/200")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_only_a_page_that_its_server_denies_is_called_gone(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        '<a href="https://a.org/x#part">a</a><a href="b.html">b</a><a href="http://localhost:8000">c</a>'
    )
    assert outside_links.outside([page]) == {"https://a.org/x": ["page.html"]}, "see outside() of its tool"
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        host = f"http://127.0.0.1:{server.server_address[1]}"
        said = [
            outside_links.verdict(f"{host}/{code}").partition(" ")[0]
            for code in (200, 301, 404, 410, 403, 429)
        ]
        server.shutdown()
    assert said == ["there", "there", "gone", "gone", "unknown", "unknown"], (
        "see verdict() of outside_links.py"
    )
