"""Cells of every wrong form before those of the solved notebook."""

import json


def write(folder, solved):
    odd = [None, 1, "code", [], {}, {"cell_type": "code"}, {"cell_type": "code", "source": 7}]
    odd += [{"cell_type": ["code"], "source": {}}, {"cell_type": "code", "source": [1, None]}]
    odd += [{"cell_type": "code", "source": "# question 06.3\nx" * 3}] * 1000
    notebook = json.loads(solved)
    notebook["cells"] = odd + notebook["cells"]
    (folder / "homework.ipynb").write_text(json.dumps(notebook))
