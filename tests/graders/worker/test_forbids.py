"""What a question forbids costs the part, however it is reached; what it does not forbid is free."""

import dataclasses

import pytest
from autograder.authoring.spec import Part, Question, SpecificationError, source_of
from autograder.judging.exam import Exam, ExamQuestion
from autograder.judging.fixtures import exam_text, read_exam
from autograder.worker.session import Run, Session
from autograder.worker.values import pack

pytestmark = pytest.mark.slow
SDPA = "torch.nn.functional.scaled_dot_product_attention"
MHA = "torch.nn.functional.multi_head_attention_forward"


def call(student, inputs):
    """A program that gives the student's function a query, key and value of four axes."""
    generator = torch.Generator().manual_seed(1)
    query, key, value = torch.randn(3, 2, 2, 5, 4, generator=generator)
    return {"output": student.attention(query, key, value)}


def run(session: Session, answer: str, *forbids: str, uses: tuple[str, ...] = ()) -> Run:
    cells = [
        ("setup", "import torch\nfrom torch import nn\nfrom torch.nn import functional as F"),
        ("question", answer),
    ]
    parts = [(source_of(call), [pack({}, [])])]
    return session.run(cells, parts, [], forbids=forbids or (SDPA, MHA), uses=uses, seconds=60)


def used(run: Run) -> set[str]:
    return {*run.forbidden, *(name for answer in run.cases.values() for name in answer.forbidden)}


def body(*lines: str) -> str:
    return "\n    ".join(["def attention(q, k, v):", *lines])


EVASIONS = {
    "the name itself": body("return F.scaled_dot_product_attention(q, k, v)"),
    "a name made at run time": body("return getattr(F, 'scaled_dot' + '_product_attention')(q, k, v)"),
    "a reloaded module": "import importlib\ntry: F = importlib.reload(F)\nexcept RuntimeError: pass\n"
    + body("return F.scaled_dot_product_attention(q, k, v)"),
    "the binding in C": body("return torch._C._nn.scaled_dot_product_attention(q, k, v)"),
    "the operator": body("return torch.ops.aten.scaled_dot_product_attention(q, k, v)"),
    "an overload of the operator": body(
        "return torch.ops.aten.scaled_dot_product_attention.default(q, k, v)"
    ),
    "the operator that it leads to": body(
        "return torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, v)[0]"
    ),
    "the private function": body("return torch._scaled_dot_product_attention_math(q, k, v)[0]"),
    "the private function with functions unwatched": body(
        "with torch._C.DisableTorchFunction():",
        "    return torch.ops.aten.scaled_dot_product_attention(q, k, v)",
    ),
    "the module": "m = nn.MultiheadAttention(4, 2, batch_first=True).eval()\n"
    + body("with torch.no_grad():", "    return m(q[0], k[0], v[0], need_weights=False)[0]"),
    "the module that gives weights": "m = nn.MultiheadAttention(4, 2, batch_first=True)\n"
    + body("return m(q[0], k[0], v[0])[0]"),
    "the module's fast path": body(
        "m = nn.MultiheadAttention(4, 2, batch_first=True)",
        "return torch._native_multi_head_attention(q[0], q[0], q[0], 4, 2, m.in_proj_weight, m.in_proj_bias,"
        " m.out_proj.weight, m.out_proj.bias)[0]",
    ),
    "a layer around the module": "m = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True).eval()\n"
    + body("with torch.no_grad():", "    return m(q[0])"),
    "TorchScript": "@torch.jit.script\ndef fused(q, k, v):\n"
    "    return torch._scaled_dot_product_attention_math(q, k, v)[0]\n" + body("return fused(q, k, v)"),
    "a compiled function": "@torch.compile(backend='eager')\n"
    + body("return torch.ops.aten.scaled_dot_product_attention(q, k, v)"),
    "a vectorized function": body(
        "return torch.func.vmap(torch.ops.aten.scaled_dot_product_attention)(q, k, v)"
    ),
    "inference mode": body(
        "with torch.inference_mode():", "    return torch.ops.aten.scaled_dot_product_attention(q, k, v)"
    ),
    "a thread": body(
        "import threading", "found = []",
        "def inside(): found.append(torch.ops.aten.scaled_dot_product_attention(q, k, v))",
        "thread = threading.Thread(target=inside)", "thread.start()", "thread.join()", "return found[0]",
    ),
    "an executor": body(
        "from concurrent.futures import ThreadPoolExecutor",
        "with ThreadPoolExecutor(1) as pool:",
        "    return pool.submit(torch.ops.aten.scaled_dot_product_attention, q, k, v).result()",
    ),
    "a thread without its class": body(
        "import _thread", "found, ended = [], _thread.allocate_lock()", "ended.acquire()",
        "def inside():",
        "    try: found.append(torch.ops.aten.scaled_dot_product_attention(q, k, v))",
        "    finally: ended.release()",
        "_thread.start_new_thread(inside, ())", "ended.acquire()", "return found[0]",
    ),
    "a thread that begins in its own way": "import threading\nclass Own(threading.Thread):\n"
    "    def _bootstrap(self): self.found = torch.ops.aten.scaled_dot_product_attention(*self.given)\n"
    + body(
        "import time", "thread = Own(daemon=True)", "thread.given = q, k, v",
        "threading.Thread.start.__globals__['_start_new_thread'](thread._bootstrap, ())",
        "while not hasattr(thread, 'found'): time.sleep(0.01)", "return thread.found",
    ).replace("while not", "for _ in range(500):\n        if").replace("): time", "): break\n        time"),
    "a thread of a thread": body(
        "from concurrent.futures import ThreadPoolExecutor",
        "def inside():",
        "    with ThreadPoolExecutor(1) as pool:",
        "        return pool.submit(torch.ops.aten.scaled_dot_product_attention, q, k, v).result()",
        "with ThreadPoolExecutor(1) as pool: return pool.submit(inside).result()",
    ),
    "a thread that began before": "import queue, threading\nasked, found = queue.Queue(), queue.Queue()\n"
    "def serve():\n    while True: found.put(torch.ops.aten.scaled_dot_product_attention(*asked.get()))\n"
    "threading.Thread(target=serve, daemon=True).start()\n"
    + body("asked.put((q, k, v))", "return found.get(timeout=5)"),
    "a thread of torch's": "@torch.jit.script\ndef inner(q, k, v):\n"
    "    return torch._scaled_dot_product_attention_math(q, k, v)[0]\n"
    "@torch.jit.script\ndef fused(q, k, v):\n"
    "    return torch.jit._wait(torch.jit._fork(inner, q, k, v))\n" + body("return fused(q, k, v)"),
    "the backward pass": "class Cut(torch.autograd.Function):\n"
    "    @staticmethod\n    def forward(ctx, q): return q.clone()\n"
    "    @staticmethod\n    def backward(ctx, g):\n"
    "        return torch.ops.aten.scaled_dot_product_attention(g, g, g)\n"
    + body("q = q.requires_grad_()", "Cut.apply(q).sum().backward()", "return q.grad"),
    "a forked process": body(
        "import os", "if not os.fork():",
        "    try: torch.ops.aten.scaled_dot_product_attention(q, k, v)",
        "    finally: os._exit(0)", "os.wait()", "return q",
    ),
    "what the refusal holds": body(
        "import inspect", "refuse = F.scaled_dot_product_attention",
        "held = [c.cell_contents for c in refuse.__closure__]",
        "rule = next(h for h in held if hasattr(h, 'original'))", "return rule.original(q, k, v)",
    ),
    "a refusal that is caught": body(
        "try: F.scaled_dot_product_attention(q, k, v)", "except BaseException: pass",
        "return (q @ k.mT / 2).softmax(-1) @ v",
    ),
    "a call at top level": "try: F.scaled_dot_product_attention(*torch.ones(3, 1, 1, 2, 2))\n"
    "except RuntimeError: pass\n" + body("return (q @ k.mT / 2).softmax(-1) @ v"),
}  # fmt: skip


@pytest.mark.parametrize("name", EVASIONS)
def test_forbidden_attention_is_noticed_however_it_is_reached(name: str, session: Session) -> None:
    assert used(run(session, EVASIONS[name])) & {SDPA, MHA}


LEGAL = {
    "products and softmax": body("return (q @ k.mT / 2).softmax(-1) @ v"),
    "library functions": body("return F.dropout(torch.softmax(q @ k.mT / 2, -1), 0.0) @ v"),
    "sums of Einstein": body("return torch.einsum('bhqk,bhkd->bhqd', F.softmax(q @ k.mT / 2, dim=-1), v)"),
    "modules": "layer, norm = nn.Linear(4, 4), nn.LayerNorm(4)\n"
    + body("return nn.Softmax(-1)(F.linear(q, layer.weight) @ norm(k).mT) @ v"),
    "gradients": body(
        "q = q.clone().requires_grad_()", "((q @ k.mT).softmax(-1) @ v).sum().backward()", "return q.grad"
    ),
    "a function that is vectorized and differentiated": body(
        "def row(x): return ((x @ k[0, 0].mT).softmax(-1) @ v[0, 0]).sum()",
        "return torch.func.vmap(torch.func.grad(row))(q[0, 0])",
    ),
    "a compiled function": "@torch.compile(backend='eager')\n"
    + body("return (q @ k.mT / 2).softmax(-1) @ v"),
    "a thread": body(
        "from concurrent.futures import ThreadPoolExecutor",
        "with ThreadPoolExecutor(1) as pool:",
        "    return pool.submit(lambda: (q @ k.mT / 2).softmax(-1) @ v).result()",
    ),
    "a function of its own with the forbidden name": "def scaled_dot_product_attention(q, k, v):\n"
    "    return (q @ k.mT / 2).softmax(-1) @ v\nattention = scaled_dot_product_attention",
}


@pytest.mark.parametrize("name", LEGAL)
def test_an_answer_that_uses_what_is_allowed_is_unharmed(name: str, session: Session) -> None:
    watched, free = (run(session, LEGAL[name], *forbids) for forbids in [(SDPA, MHA), ("torch.cdist",)])
    assert used(watched) == set()
    answer, expected = watched.cases[0, 0], free.cases[0, 0]
    assert answer.error is None and (answer.outputs["output"] == expected.outputs["output"]).all()


@pytest.mark.parametrize(
    ("forbidden", "use", "innocent"),
    [
        ("torch.softmax", "torch.softmax(q, -1)", "q.softmax(-1)"),
        ("torch.softmax", "torch.ops.aten.softmax.int(q, -1)", "F.log_softmax(q, -1)"),
        ("torch.Tensor.softmax", "q.softmax(-1)", "torch.softmax(q, -1)"),
        ("torch.nn.functional.layer_norm", "nn.LayerNorm(4)(q)", "q - q.mean(-1, keepdim=True)"),
        ("torch.nn.LayerNorm", "nn.LayerNorm(4)(q)", "F.layer_norm(q, (4,))"),
        ("torch.einsum", "torch.einsum('bhqd->bhdq', q)", "q.mT"),
        ("numpy.cumsum", "__import__('numpy').cumsum(q.numpy())", "q.cumsum(-1)"),
        ("torch.cumsum", "getattr(torch._C, '_VariableFunctions').cumsum(q, -1)", "q.cumsum(-1)"),
    ],
)  # fmt: skip
def test_any_function_or_class_can_be_forbidden_and_its_neighbors_stay_free(
    forbidden: str, use: str, innocent: str, session: Session
) -> None:
    assert used(run(session, body(f"return {use}"), forbidden)) == {forbidden}
    allowed = run(session, body(f"return {innocent}"), forbidden)
    assert used(allowed) == set() and allowed.cases[0, 0].error is None


LIBRARY = (
    "transformer_lib is not allowed in a cell marked '# setup' or '# question'; import it in other cells"
)
IMPORTS = {
    "at the top": ("import transformer_lib.transformer.attention\n" + body("return q"), LIBRARY),
    "in the function": (body("from transformer_lib import attention", "return q"), LIBRARY),
    "by name": (
        body("return __import__('importlib').import_module('transformer_lib.transformer.attention')"),
        LIBRARY,
    ),
    "caught": (body("try: import transformer_lib", "except ImportError: pass", "return q"), None),
    "in a thread": (
        body(
            "from concurrent.futures import ThreadPoolExecutor",
            "with ThreadPoolExecutor(1) as pool: pool.submit(__import__, 'transformer_lib').exception()",
            "return q",
        ),
        None,
    ),
}


@pytest.mark.parametrize("name", IMPORTS)
def test_the_courses_library_is_not_imported_and_the_try_is_recorded(name: str, session: Session) -> None:
    answer, told = IMPORTS[name]
    found = run(session, answer, "torch.cdist")
    assert used(found) == {"transformer_lib"}
    error = found.cells_error or found.cases[0, 0].error
    assert (error and error.message) == told and (not error or error.line)


def test_a_question_that_uses_the_library_imports_it_and_the_next_one_does_not(session: Session) -> None:
    answer = body("from transformer_lib.transformer.masks import Mask", "return q")
    assert run(session, answer, uses=("transformer_lib",)).cases[0, 0].error is None
    assert used(run(session, answer)) == {"transformer_lib"}


def test_what_a_question_uses_is_declared_and_given_to_students() -> None:
    given = {
        "id": "01.1",
        "title": "t",
        "kind": "implement",
        "difficulty": 1,
        "minutes": 1,
        "hints": ("a", "b"),
    }
    parts = (Part("p", 1, "", call),)
    assert Question(**given, parts=parts, uses=("transformer_lib",)).uses == ("transformer_lib",)
    with pytest.raises(SpecificationError, match="should name some of transformer_lib"):
        Question(**given, parts=parts, uses=("numpy",))
    asked = ExamQuestion(**given, seconds=1, stub="", needs=(), forbids=(), parts=(), mistakes=())
    for uses in ((), ("transformer_lib",)):
        text = exam_text(Exam("01_x", 0, "", {"01.1": dataclasses.replace(asked, uses=uses)}))
        assert read_exam(text, "fixtures.json").questions["01.1"].uses == uses
        assert ('"uses"' in text) == bool(uses)


def test_a_module_that_was_imported_for_another_question_is_imported_anew_or_not_at_all() -> None:
    cells = [("setup", "import torch"), ("question", body("import transformer_lib", "return q"))]
    parts = [(source_of(call), [pack({}, [])])]
    with Session() as own:
        settings = {"imports": ["transformer_lib"], "seconds": 60}
        assert used(own.run(cells, parts, [], uses=("transformer_lib",), **settings)) == set()
        assert used(own.run(cells, parts, [], **settings)) == {"transformer_lib"}


def test_a_record_cannot_be_emptied_by_the_code_that_it_is_about(session: Session) -> None:
    answer = body(
        "import gc",
        "try: F.scaled_dot_product_attention(q, k, v)",
        "except RuntimeError: pass",
        "for found in gc.get_objects():",
        "    if type(found) is list and found and all(isinstance(item, str) for item in found):",
        "        if any('scaled_dot_product' in item for item in found): found.clear()",
        "return (q @ k.mT / 2).softmax(-1) @ v",
    )
    assert used(run(session, answer)) == {SDPA}


def test_a_question_that_forbids_nothing_is_not_watched(session: Session) -> None:
    answer = body(
        "from torch.overrides import _get_current_function_mode_stack as modes",
        "from torch.utils._python_dispatch import _get_current_dispatch_mode as mode",
        "return [len(modes()), mode() is None]",
    )
    cells, program = [("setup", "import torch"), ("question", answer)], source_of(call)
    answer = session.run(cells, [(program, [pack({}, [])])], [], seconds=60).cases[0, 0]
    assert answer.outputs == {"output": [0, True]}
