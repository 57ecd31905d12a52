"""Marked cells: how they are found, stripped, and read from files that may be anything."""

import json
from pathlib import Path

import nbformat
import pytest
from autograder.authoring.source import mark_of, read_source, solution_lines, solved, stripped, without_magics
from autograder.authoring.spec import SpecificationError
from autograder.judging.notebook import NotebookError, collect, parse_submission, same_code

CELL = """# question 06.2
def f(x):
    y = x + 1
    ### BEGIN SOLUTION
    secret = y * 2
    return secret
    ### STUB
    # return y * 3
    ### END SOLUTION
"""


def test_the_student_sees_the_stub_and_the_solution_is_whole() -> None:
    assert stripped(CELL, "06.2") == "# question 06.2\ndef f(x):\n    y = x + 1\n    return y * 3\n"
    assert (
        solved(CELL) == "# question 06.2\ndef f(x):\n    y = x + 1\n    secret = y * 2\n    return secret\n"
    )
    assert solution_lines(CELL) == {"secret = y * 2", "return secret"}


def test_without_a_stub_the_cell_raises() -> None:
    text = "def f(x):\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION"
    assert stripped(text, "06.2") == (
        'def f(x):\n    raise NotImplementedError("question 06.2 is not answered yet")'
    )


@pytest.mark.parametrize(
    "text, told",
    [
        ("### BEGIN SOLUTION\nx = 1", "no '### END SOLUTION'"),
        ("### END SOLUTION", "out of order"),
        ("### BEGIN SOLUTION\n### BEGIN SOLUTION\n### END SOLUTION", "out of order"),
        ("### BEGIN SOLUTION\n### STUB\nx = 2\n### END SOLUTION", "begin with '# '"),
    ],
)
def test_markers_out_of_order_are_errors(text: str, told: str) -> None:
    with pytest.raises(SpecificationError, match=r"question 06\.2") as caught:
        stripped(text, "06.2")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "source, mark",
    [
        ("# question 06.2\nx = 1", "06.2"),
        ("#question 6.2", "06.2"),
        ("\n\n  # Question 06.12  \n", "06.12"),
        ("%%time\n# question 06.2", "06.2"),
        ("# setup\nimport torch", "setup"),
        ("x = 1\n# question 06.2", None),
        ("# question six", None),
        ("", None),
    ],
)
def test_the_first_line_marks_a_cell(source: str, mark: str | None) -> None:
    assert mark_of(source) == mark


@pytest.mark.parametrize(
    "cell, python",
    [
        (
            "\n\n%matplotlib inline\nx = 1\n",
            "\n\nget_ipython().run_line_magic('matplotlib', 'inline')\nx = 1\n",
        ),
        ("files = !ls\ny = 5 % 2", "files = get_ipython().getoutput('ls')\ny = 5 % 2"),
        ("!pip install torch\nx = 1", "get_ipython().system('pip install torch')\nx = 1"),
        ("x?\ny = 1", "get_ipython().run_line_magic('pinfo', 'x')\ny = 1"),
        ("if x:\n    %time y = 1", "if x:\n    get_ipython().run_line_magic('time', 'y = 1')"),
        ("%%time\nx = 1", "\nx = 1"),
        ("%%capture out\n%pip list\nx = 1", "\nget_ipython().run_line_magic('pip', 'list')\nx = 1"),
        ("%%bash\nls\n", "\n\n"),
        ("%%memit -r 3\nx = 1", "\nx = 1"),
        ("%%writefile a.py\nx = 1", "\n"),
        (
            "x = 1\n!pip install \\\n    torch \\\n    numpy\ny = 1",
            "x = 1\nget_ipython().system('pip install      torch      numpy')\n\n\ny = 1",
        ),
        ("if x:\n    !ls \\\n -l\n    y = 1", "if x:\n    get_ipython().system('ls   -l')\n\n    y = 1"),
        ("t = '\\\n!ls \\\n'\nx = !ls", "t = '\\\n!ls \\\n'\nx = get_ipython().getoutput('ls')"),
        ("x = (5\n% 2)", "x = (5\n% 2)"),
        ("text = '''\n!ls\n%time\n'''", "text = '''\n!ls\n%time\n'''"),
    ],
)
def test_a_cell_is_read_as_jupyter_reads_it_line_by_line(cell: str, python: str) -> None:
    assert without_magics(cell) == python
    assert python.count("\n") == cell.count("\n")


def test_a_cell_with_very_many_magics_is_read_at_once() -> None:
    assert without_magics("%x\n" * 5_000 + "y = 1") == "\n" * 5_000 + "y = 1"


HEADS = ["", "\ufeff", "\u200b", "#@title Answer\n", "# mine\n\n", "%%time\n", " \xa0\n"]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("tail", ["", ":", ".", " - done", ": (late)", " \u2013 second try", "  "])
def test_comments_and_what_is_not_seen_may_stand_around_a_mark(head: str, tail: str) -> None:
    assert mark_of(f"{head}# question 6.2{tail}\nx = 1") == "06.2"


@pytest.mark.parametrize(
    "cell", ["x = 1\n# question 6.2", "# question 6.2 is hard", "# question 6.25x", "# setups", "'# setup'"]
)
def test_a_cell_that_only_speaks_of_a_question_is_not_marked(cell: str) -> None:
    assert mark_of(cell) is None


def test_comments_and_layout_do_not_answer_a_question() -> None:
    assert same_code("x = 1  # note\n\n", "# other\nx=1")
    assert not same_code("x = 1", "x = 2")
    assert same_code("x = (", "x  =  (")


def test_cells_are_collected_by_their_marks() -> None:
    found = collect(["# setup\na", "# question 01.1\nold", "free", "# question 1.1\nnew", "# setup\nb"])
    assert found.setup == "# setup\nb"
    assert found.answers == {"01.1": ["# question 01.1\nold", "# question 1.1\nnew"]}


@pytest.mark.parametrize(
    "content, told",
    [
        (b"PK\x03\x04", "not JSON"),
        (b"\xff\xfe\x00{", "not UTF-8"),
        (b"", "not JSON"),
        (b"[1, 2]", "no list of cells"),
        (b'{"cells": 3}', "no list of cells"),
        (b'{"cells": [', "not JSON"),
        (b"[" * 200_000, "not JSON"),
    ],
)
def test_a_file_that_is_no_notebook_is_called_so(content: bytes, told: str) -> None:
    with pytest.raises(NotebookError, match=r"homework\.ipynb") as caught:
        parse_submission(content, "homework.ipynb")
    assert told in str(caught.value)


def test_cells_of_odd_forms_are_passed_over() -> None:
    cells = [
        {"cell_type": "code", "source": ["# question 01.1\n", "x = 1"]},
        {"cell_type": "code", "source": 5},
        {"cell_type": "code", "source": ["a", 5]},
        {"cell_type": "code"},
        {"cell_type": "markdown", "source": "# question 01.2"},
        "a string",
        None,
    ]
    content = "\ufeff" + json.dumps({"cells": cells})
    assert parse_submission(content.encode(), "odd.ipynb").answers == {"01.1": ["# question 01.1\nx = 1"]}


MARKED = [["# setup\n", "import torch"], "# question 01.1\nx = 1", ["# question 01.1\n", "x = 2"]]


def of_format_3(*sheets: list) -> dict:
    made = [
        {"cells": [{"cell_type": "code", "input": source, "language": "python"} for source in sheet]}
        for sheet in sheets
    ]
    return {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": made}


@pytest.mark.parametrize("without", [None, "nbformat_minor", "nbformat", "metadata"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_notebook_of_format_3_is_read_as_one_of_format_4(without: str | None, mark: str) -> None:
    cells = [{"cell_type": "code", "source": source, "outputs": []} for source in MARKED]
    four = {"metadata": {}, "nbformat": 4, "nbformat_minor": 5, "cells": cells}
    found = []
    for notebook in (four, of_format_3(MARKED), of_format_3(MARKED[:1], [], MARKED[1:])):
        notebook.pop(without, None)
        found.append(parse_submission((mark + json.dumps(notebook)).encode(), "homework.ipynb"))
    assert found[0].answers == {"01.1": ["# question 01.1\nx = 1", "# question 01.1\nx = 2"]}
    assert found[0] == found[1] == found[2] and found[0].setup == "# setup\nimport torch"


def test_what_nbformat_writes_as_format_3_is_read() -> None:
    cells = [nbformat.v4.new_code_cell("".join(source)) for source in MARKED]
    text = nbformat.writes(
        nbformat.v4.new_notebook(cells=[*cells, nbformat.v4.new_markdown_cell("# question")]), 3
    )
    assert "worksheets" in text
    assert list(parse_submission(text.encode(), "old.ipynb").answers) == ["01.1"]


@pytest.mark.parametrize("sheets", [3, [], [3], [{"cells": 3}], [{}], None])
def test_worksheets_of_odd_forms_are_passed_over(sheets: object) -> None:
    content = json.dumps({"worksheets": sheets}).encode()
    if not isinstance(sheets, list):
        with pytest.raises(NotebookError, match="format 3 or 4; save it from Jupyter again"):
            parse_submission(content, "odd.ipynb")
    else:
        assert parse_submission(content, "odd.ipynb").answers == {}


SETUP = "```{code-cell}\n# setup\nimport torch\n```\n\n"
QUESTION = "```{code-cell}\n# question 01.1\n### BEGIN SOLUTION\nx = 1\n### END SOLUTION\n```\n\n"
CHECK = '```{code-cell}\ncheck("01.1")\n```\n\n'


@pytest.mark.parametrize(
    "text, told",
    [
        (QUESTION + CHECK, "0 cells are marked '# setup'"),
        (SETUP + QUESTION, "lacks its cell or its check"),
        (SETUP + CHECK, "lacks its cell or its check"),
        (SETUP + QUESTION + QUESTION + CHECK, "two cells"),
        (SETUP + QUESTION.replace("# question 01.1\n", "") + CHECK, "does not begin with"),
        (SETUP + QUESTION.replace("### BEGIN SOLUTION\n", "") + CHECK, "has no '### BEGIN SOLUTION'"),
    ],
)
def test_an_exercise_with_wrong_marks_is_an_error(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "exercise.md"
    path.write_text(
        "---\nkernelspec: {display_name: Python 3, name: python3}\n---\n\n" + text, encoding="utf-8"
    )
    with pytest.raises(SpecificationError) as caught:
        read_source(path)
    assert told in str(caught.value)
