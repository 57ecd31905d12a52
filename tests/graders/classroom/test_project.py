"""The project's grader: what it computes of a checkpoint, what it refuses, and what its rubric gives."""

import json
import math
import struct
from pathlib import Path
from typing import Any

import pytest
import torch
from autograder.classroom import project
from autograder.classroom.checkpoint import Checkpoint, CheckpointError, encode, read_tensors
from autograder.classroom.project import ProjectGrade, Rubric, grade_project, leaderboard, wrong_answers
from autograder.delivery.assemble import PIECES, Folder
from autograder.worker.session import Session
from grader_cases import ROOT
from safetensors.torch import save
from torch import Tensor

D, HEADS, BLOCKS, CONTEXT, INNER = 8, 2, 2, 6, 20
MERGES = ((97, 98), (256, 99), (32, 257))
V = 256 + len(MERGES)
TEXT = "abc abc\nab  cab\u00e9 abc\n"
SETTINGS: dict[str, Any] = {
    "model_type": "gpt2",
    "vocab_size": V,
    "n_positions": CONTEXT,
    "n_embd": D,
    "n_head": HEADS,
    "n_layer": BLOCKS,
    "n_inner": INNER,
    "activation_function": "relu",
    "layer_norm_epsilon": 1e-5,
    "tie_word_embeddings": False,
}


def weights(seed: int = 0, tied: bool = False) -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    shapes: dict[str, tuple[int, ...]] = {"wte.weight": (V, D), "wpe.weight": (CONTEXT, D)}
    shapes |= {"ln_f.weight": (D,), "ln_f.bias": (D,)}
    for i in range(BLOCKS):
        maps = {
            "attn.c_attn": (D, 3 * D),
            "attn.c_proj": (D, D),
            "mlp.c_fc": (D, INNER),
            "mlp.c_proj": (INNER, D),
        }
        for name, shape in maps.items():
            shapes |= {f"h.{i}.{name}.weight": shape, f"h.{i}.{name}.bias": shape[1:]}
        shapes |= {f"h.{i}.ln_{n}.{kind}": (D,) for n in (1, 2) for kind in ("weight", "bias")}
    made = {f"transformer.{n}": torch.randn(s, generator=generator) * 0.5 for n, s in shapes.items()}
    return made if tied else made | {"lm_head.weight": torch.randn(V, D, generator=generator)}


def hand_in(
    folder: Path, tensors: dict[str, Tensor] | None = None, merges: Any = MERGES, **settings: Any
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.safetensors").write_bytes(save(weights() if tensors is None else tensors))
    (folder / "config.json").write_text(json.dumps(SETTINGS | settings))
    (folder / "merges.json").write_text(json.dumps(merges))
    return folder


def read(folder: Path) -> Checkpoint:
    return Checkpoint.read(folder, 1_000_000)


@pytest.mark.parametrize("activation", ["relu", "gelu", "gelu_new"])
@pytest.mark.parametrize("tied", [True, False])
def test_it_computes_what_hugging_face_computes(activation: str, tied: bool, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    settings = {"activation_function": activation, "tie_word_embeddings": tied}
    folder = hand_in(tmp_path / "ada", weights(tied=tied), **settings)
    theirs = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    tokens = torch.tensor([3, 257, 0, 258, 97, 97])
    with torch.no_grad():
        expected = theirs(tokens[None]).logits[0]
    torch.testing.assert_close(read(folder).logits(tokens).float(), expected, rtol=1e-4, atol=1e-4)


def test_no_score_depends_on_a_later_token(tmp_path: Path) -> None:
    model, tokens = read(hand_in(tmp_path / "ada")), torch.tensor([3, 257, 0, 258, 97, 97])
    before = model.logits(tokens)
    for place in range(1, len(tokens)):
        changed = tokens.clone()
        changed[place] = 5
        torch.testing.assert_close(model.logits(changed)[:place], before[:place], rtol=0, atol=1e-12)


def test_every_byte_is_in_one_token_and_merges_apply_in_their_order() -> None:
    table = [bytes([b]) for b in range(256)]
    for left, right in MERGES:
        table.append(table[left] + table[right])
    tokens = encode(TEXT, MERGES)
    assert b"".join(table[t] for t in tokens) == TEXT.encode()
    assert tokens[:2] == [257, 258], "abc, and abc behind a blank"
    assert encode("aaaa aaa", ((97, 97), (256, 256))) == [257, 32, 256, 97]
    assert encode("abab", ((98, 97), (97, 98))) == [97, 256, 98], "the first merge comes first"


def test_uniform_scores_cost_the_logarithm_of_the_vocabulary(tmp_path: Path) -> None:
    tensors = weights()
    tensors["lm_head.weight"] = torch.zeros(V, D)
    model = read(hand_in(tmp_path / "ada", tensors))
    expected = len(encode(TEXT, MERGES)) * math.log2(V) / len(TEXT.encode())
    assert model.bits_per_byte(TEXT) == pytest.approx(expected)


def test_bits_are_those_of_each_token_behind_half_a_context_or_more(tmp_path: Path) -> None:
    model = read(hand_in(tmp_path / "ada"))
    tokens = encode(TEXT, MERGES)
    inputs, bits, half = [10, *tokens[:-1]], 0.0, CONTEXT // 2
    for t, token in enumerate(tokens):
        first = max(0, min(len(tokens), (t // half + 1) * half) - CONTEXT)
        log_p = model.logits(torch.tensor(inputs[first : t + 1]))[-1].log_softmax(-1)
        bits -= log_p[token].item() / math.log(2)
    assert model.bits_per_byte(TEXT) == pytest.approx(bits / len(TEXT.encode()))


def test_sizes_and_operations_are_counted(tmp_path: Path) -> None:
    model = read(hand_in(tmp_path / "ada"))
    assert model.parameters == sum(t.numel() for t in weights().values())
    assert model.size == (tmp_path / "ada" / "model.safetensors").stat().st_size
    blocks = BLOCKS * (4 * D * D + 2 * D * INNER)
    assert model.operations == 3 * (2 * blocks + 4 * CONTEXT * BLOCKS * D + 2 * D * V)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"model_type": "llama"}, "model_type"),
        ({"vocab_size": 256}, "vocab_size"),
        ({"n_head": 3}, "n_head"),
        ({"n_head": True}, "n_head"),
        ({"n_positions": 10**6}, "n_positions"),
        ({"n_layer": 3}, "lacks h.2"),
        ({"n_layer": 1}, "no tensor"),
        ({"n_embd": 4}, "should be"),
        ({"n_inner": 1 << 18}, "n_inner"),
        ({"activation_function": "__import__"}, "activation_function"),
        ({"activation_function": ["relu"]}, "activation_function"),
        ({"layer_norm_epsilon": float("nan")}, "layer_norm_epsilon"),
        ({"scale_attn_weights": False}, "scale_attn_weights"),
        ({"tie_word_embeddings": True}, "tie_word_embeddings"),
        ({"merges": [[97, 256]]}, "merges.json"),
        ({"merges": [[97, -1]]}, "merges.json"),
        ({"merges": {"a": 1}}, "merges.json"),
    ],
)
def test_what_is_not_computed_is_refused_with_the_reason(
    change: dict[str, Any], told: str, tmp_path: Path
) -> None:
    with pytest.raises(CheckpointError, match=told):
        read(hand_in(tmp_path / "ada", **change))


def test_files_that_are_too_large_or_links_or_not_finite_are_refused(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "ada")
    with pytest.raises(CheckpointError, match="at most 100"):
        Checkpoint.read(folder, 100)
    broken = weights()
    broken["lm_head.weight"][0, 0] = math.nan
    with pytest.raises(CheckpointError, match="not finite"):
        read(hand_in(tmp_path / "ben", broken))
    (folder / "config.json").unlink()
    with pytest.raises(CheckpointError, match=r"no file config\.json"):
        read(folder)


def test_a_tensor_with_two_names_is_refused(tmp_path: Path) -> None:
    twice = weights()
    twice["wpe.weight"] = twice["transformer.wpe.weight"].clone()
    with pytest.raises(CheckpointError, match="with and without"):
        read(hand_in(tmp_path / "ada", twice))


def described(**entries: Any) -> bytes:
    head = json.dumps(entries).encode()
    return struct.pack("<Q", len(head)) + head


ONE = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x80\x04K\x01.",  # a pickle
        struct.pack("<Q", 1 << 60) + b"{}",
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", 4) + b"\xff\xfe{}",
        described(a=ONE),
        described(a=ONE) + bytes(8),
        described(a=ONE, b=ONE) + bytes(4),
        described(a=ONE | {"dtype": "I64"}) + bytes(4),
        described(a=ONE | {"dtype": ["F32"]}) + bytes(4),
        described(a=ONE | {"shape": [-1]}) + bytes(4),
        described(a=ONE | {"shape": [True]}) + bytes(4),
        described(a=ONE | {"shape": []}) + bytes(4),
        described(a=ONE | {"shape": [2]}) + bytes(4),
        described(a=ONE | {"data_offsets": [4, 0]}) + bytes(4),
        described(a=ONE | {"data_offsets": [-4, 0]}) + bytes(4),
        described(a=3) + bytes(4),
        struct.pack("<Q", 400_000) + b"[" * 400_000,
    ],
)
def test_a_file_in_another_form_is_refused(content: bytes) -> None:
    with pytest.raises(CheckpointError):
        read_tensors(content)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_tensors_are_read_as_they_were_written(dtype: torch.dtype) -> None:
    tensors = {name: t.to(dtype) for name, t in weights().items()}
    found = read_tensors(save(tensors, metadata={"format": "pt"}))
    assert found.keys() == tensors.keys()
    assert all(torch.equal(found[name], tensors[name].double()) for name in tensors)


def honest(model: Checkpoint) -> dict[str, Any]:
    measured = model.bits_per_byte(TEXT)
    return {
        "parameters": model.parameters,
        "tokens": 1000,
        "operations": 1000 * model.operations,
        "bytes_per_token": len(TEXT.encode()) / len(encode(TEXT, MERGES)),
        "bits_per_byte": measured,
        "predicted": 2.0,
        "error": measured - 2.0,
    }


@pytest.mark.parametrize(
    ("change", "lost"),
    [
        ({}, []),
        ({"parameters": 1}, ["parameters"]),
        ({"tokens": 2000}, ["operations"]),
        ({"tokens": None}, ["operations"]),
        ({"bytes_per_token": math.nan}, ["bytes_per_token"]),
        ({"bits_per_byte": "2"}, ["bits_per_byte"]),
        ({"predicted": -1.0}, ["prediction"]),
        ({"error": 0.0}, ["prediction"]),
        ({"error": True}, ["prediction"]),
        ({"parameters": 10**400}, ["parameters"]),
    ],
)
def test_a_report_loses_the_questions_that_are_wrong_and_no_other(
    change: dict[str, Any], lost: list[str], tmp_path: Path
) -> None:
    model = read(hand_in(tmp_path / "ada"))
    report = honest(model) | change
    found = wrong_answers(report, model, model.bits_per_byte(TEXT), TEXT)
    assert [name for name, _ in found] == lost


def test_points_for_bits_run_in_a_line_from_the_baseline_to_the_goal() -> None:
    rubric = Rubric(TEXT, TEXT, goal=1.0, baseline=3.0, most_bytes=10)
    assert [rubric.points_for(bits) for bits in (9.0, 3.0, 2.0, 1.0, 0.5)] == [0, 0, 20, 40, 40]
    assert rubric.points_for(math.nan) == 0


def test_a_folder_with_nothing_in_it_gets_nothing_and_is_told_why(tmp_path: Path) -> None:
    (tmp_path / "ben").mkdir()
    with Session() as session:
        grade = grade_project(tmp_path / "ben", Rubric(TEXT, TEXT, 1.0, 9.0, 10**6), {}, session)
    assert grade.total == 0
    assert [said.partition(":")[0] for said in grade.said] == ["bits", "code", "report"]


def test_what_is_wrong_with_one_part_costs_that_part_alone(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "ada")
    model = read(folder)
    (folder / "report.json").write_text(json.dumps(honest(model)))
    bits = model.bits_per_byte(TEXT)
    with Session() as session:
        grade = grade_project(folder, Rubric(TEXT, TEXT, bits, bits + 1, 10**6), {}, session)
    assert grade.points == {"bits": 40, "code": 0, "report": 20}
    assert grade.missed_by == pytest.approx(bits - 2.0)


def test_a_model_whose_scores_overflow_has_no_bits_and_no_place(tmp_path: Path) -> None:
    tensors = {name: tensor.double() for name, tensor in weights().items()}
    tensors["lm_head.weight"] = torch.full((V, D), 1e308, dtype=torch.float64)
    folder = hand_in(tmp_path / "ada", tensors)
    with Session() as session:
        grade = grade_project(folder, Rubric(TEXT, TEXT, 1.0, 9.0, 10**6), {}, session)
    assert grade.points["bits"] == 0 and grade.bits_per_byte is None
    assert "ada" not in leaderboard([grade])


@pytest.mark.slow
def test_a_piece_counts_that_is_the_student_s_own_and_right(tmp_path: Path) -> None:
    folders = {question: Folder.of(ROOT / "exercises", question) for question in ("07.1", "08.1", "12.2")}
    exams = {question: folder.exam for question, folder in folders.items()}
    whose = {"07.1": "yours, 4 of 4 points", "08.1": "ours, because yours is not answered yet"}
    whose["12.2"] = whose["07.1"]
    parts = [f"import torch\n{folders['07.1'].exam.setup}"]
    for question, folder in folders.items():
        parts.append(f"# ---- {question} {', '.join(PIECES[question])} ({whose[question]}) ----")
        parts.append(folder.solution(question))
    parts.append("def smoothed_loss(*given):\n    return torch.zeros(())")
    (tmp_path / "my_transformer.py").write_text("\n\n".join(parts))
    with Session() as session:
        grade = grade_project(tmp_path, Rubric(TEXT, TEXT, 1.0, 9.0, 10**6), exams, session)
    said = [line for line in grade.said if line.startswith("code: ")]
    assert grade.points["code"] == pytest.approx(40 / 3), said
    assert said[0].startswith("code: 08.1") and said[0].endswith("is the course's own")
    assert said[1].startswith("code: 12.2") and said[1].endswith("points")
    assert said[2].startswith("code: 1 of 3 pieces")


def test_the_leaderboard_has_the_fewest_bits_first_and_shares_places() -> None:
    grades = [
        ProjectGrade("ada", bits_per_byte=1.5, size=9, parameters=3, missed_by=-0.25),
        ProjectGrade("ben"),
        ProjectGrade("clara", bits_per_byte=1.25, size=7, parameters=2),
        ProjectGrade("=edith", bits_per_byte=1.50001, size=8, parameters=3),
    ]
    lines = leaderboard(grades).splitlines()
    assert [line.split(",")[:3] for line in lines[1:]] == [
        ['"1"', '"clara"', '"1.2500"'],
        ['"2"', '"\'=edith"', '"1.5000"'],
        ['"2"', '"ada"', '"1.5000"'],
    ]
    assert lines[-1].endswith('"-0.25"')


def test_a_class_is_graded_and_the_files_are_written(tmp_path: Path, monkeypatch, capsys) -> None:
    from autograder.__main__ import main

    hand_in(tmp_path / "class" / "ada")
    (tmp_path / "class" / "ben").mkdir()
    (tmp_path / "text.txt").write_bytes(TEXT.encode())
    monkeypatch.setattr(project, "project_exams", lambda root, seed, session: {})
    text = str(tmp_path / "text.txt")
    words = ["project", str(tmp_path), str(tmp_path / "class"), "--held-out", text, "--public", text]
    words += ["--goal", "1", "--baseline", "90", "-o", str(tmp_path / "out"), "--no-sandbox"]
    assert main(words) == 0
    assert {p.name for p in (tmp_path / "out").iterdir()} == {
        "ada.json", "ben.json", "grades.csv", "leaderboard.csv",
    }  # fmt: skip
    assert "ada" in capsys.readouterr().out
    words[words.index("--goal") + 1] = "100"
    assert main(words) == 2
