"""What a row of the class's table tells of a notebook that was graded in spite of something."""

from autograder.classroom.tables import grade_rows
from class_cases import assessment, result


def notes(*results: object, **fields: object) -> str:
    (row,), _ = grade_rows([assessment(*results, **fields)])
    return str(row["notes"])


def test_the_table_tells_which_questions_have_no_cell() -> None:
    found = notes(result("01.1", 4), result("01.2", 0, status="missing"), result("01.3", 0, status="missing"))
    assert found == "no cell is marked as 01.2, 01.3"
    assert notes(result("01.1", 0, status="missing"), status="empty") == "", "its status says so already"
    assert notes(result("01.1", 0, status="empty"), result("01.2", 4)) == ""


def test_the_table_tells_once_what_the_setup_failed_at() -> None:
    told = "the cell '# setup' stopped with ModuleNotFoundError: No module named 'google'"
    both = [result(question, 4, passed_over=told) for question in ("01.1", "01.2")]
    assert notes(*both) == told
