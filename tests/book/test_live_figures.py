"""Live figures: their numbers are PyTorch's, the keyboard moves all of them, and other pages load none."""

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from built_book import DESKTOP, HTML, PAGES, PHONE, Visit, visit
from live_beams import END, MOST_BEAMS
from live_beams import read as read_tables
from live_figures import scripts_of
from live_gpt import gpt_case
from live_heads import SHAPE, mask
from live_heads import read as read_heads
from playwright.sync_api import Browser, Locator, Page
from torch import Tensor

from transformer_lib.decoding.beam import beam_search
from transformer_lib.density import TiedBinaryNADE
from transformer_lib.interfaces import SequenceModel
from transformer_lib.transformer.positions import RotaryPositions, sinusoids

pytestmark = pytest.mark.slow

FIGURES = [
    ("softmax", "chapters/06_self_attention"),
    ("rotary", "chapters/09_positions"),
    ("influence", "chapters/08_masking"),
    ("influence", "chapters/02_nade"),
    ("gpt", "chapters/11_language_model"),
    ("beam", "chapters/14_decoding"),
    ("attention", "chapters/07_multi_head"),
]
INPUTS = 50
KEYS = {
    "range": "ArrowRight",
    "select-one": "ArrowDown",
    "checkbox": "Space",
    "button": "Space",
    "textarea": "a",
    "text": "a",
}


@dataclass
class Figure:
    """A live figure on its page."""

    name: str
    visit: Visit

    @property
    def page(self) -> Page:
        return self.visit.page

    @property
    def place(self) -> Locator:
        return self.page.locator(f"#live-{self.name}")

    @property
    def status(self) -> str:
        return self.place.get_by_role("status").inner_text()

    def compute(self, inputs: list[dict[str, Any]]) -> list[Any]:
        return self.place.evaluate("(place, inputs) => inputs.map(place.compute)", inputs)


@pytest.fixture(scope="module", params=FIGURES, ids=lambda pair: pair[1].rpartition("/")[2])
def figure(request: pytest.FixtureRequest, browser: Browser, site: str) -> Iterator[Figure]:
    with browser.new_context(viewport=DESKTOP) as context:
        name, path = request.param
        yield Figure(name, visit(context, site, f"{path}.html"))


def number(low: int, high: int, generator: torch.Generator) -> int:
    return int(torch.randint(low, high + 1, (), generator=generator))


def softmax_case(generator: torch.Generator) -> tuple[dict[str, Any], dict[str, Tensor]]:
    width, n_keys = number(1, 1024, generator), number(1, 12, generator)
    query, *keys = torch.randn(1 + n_keys, width, generator=generator).double()
    temperature = 2.0 ** number(-3, 6, generator)
    scores = torch.stack([key @ query for key in keys]) / temperature
    jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(-1), scores)
    case = {
        "query": query.tolist(),
        "keys": [key.tolist() for key in keys],
        "temperature": temperature,
    }
    return case, {
        "products": scores * temperature,
        "weights": scores.softmax(-1),
        "slopes": jacobian.diagonal(),
    }


def rotary_case(generator: torch.Generator) -> tuple[dict[str, Any], dict[str, Tensor]]:
    width, t, s = 2 * number(1, 16, generator), number(0, 63, generator), number(0, 63, generator)
    query, key = torch.randn(2, width, generator=generator).double()
    rotate = RotaryPositions(64, width).double().rotate
    turned_query = rotate(query.view(1, 1, 1, -1), query.view(1, 1, 1, -1), start=t)[0].flatten()
    turned_key = rotate(key.view(1, 1, 1, -1), key.view(1, 1, 1, -1), start=s)[1].flatten()
    waves = sinusoids(64, width).double()
    return {"query": query.tolist(), "key": key.tolist(), "t": t, "s": s}, {
        "query": turned_query,
        "key": turned_key,
        "parts": (turned_query * turned_key).view(-1, 2).sum(-1),
        "product": turned_query @ turned_key,
        "added": (query + waves[t]) @ (key + waves[s]),
    }


def influence_case(generator: torch.Generator) -> tuple[dict[str, Any], Tensor]:
    kind = ("no mask", "causal mask", "window of 2", "NADE")[number(0, 3, generator)]
    length, blocks = number(1, 8, generator), number(1, 3, generator)
    model = TiedBinaryNADE(length, number(1, 6, generator)).double()
    parameters = {}
    for name in "VcWb":
        values = getattr(model, name)
        values.data = torch.randn(values.shape, generator=generator).double()
        parameters[name] = values.tolist()
    if kind == "NADE":
        bits = torch.randint(2, (1, length), generator=generator)
        inputs, expected = bits.T, model.conditional_logits(bits).sigmoid().T
    else:
        inputs = 0.7 * torch.randn(length, number(1, 8, generator), generator=generator).double()
        every = torch.ones(length, length, dtype=torch.bool)
        masks = {"no mask": every, "causal mask": every.tril(), "window of 2": every.tril().triu(-1)}
        expected = inputs
        for _ in range(blocks):
            expected = expected + F.scaled_dot_product_attention(expected, expected, expected, masks[kind])
    case = {"kind": kind, "inputs": inputs.tolist(), "blocks": blocks, "parameters": parameters}
    return case, expected.detach()


class PrefixTable(SequenceModel):
    """The log-probabilities after each prefix, as the figure has them; nothing is known after the end."""

    def __init__(self, rows: dict[str, list[float]]) -> None:
        super().__init__()
        self.rows, self.vocab_size = rows, len(rows[""])

    def logits(self, tokens: Tensor) -> Tensor:
        def after(prefix: list[int]) -> list[float]:
            return self.rows.get(",".join(map(str, prefix)), [0.0] * self.vocab_size)

        found = [[after(row[1 : t + 1]) for t in range(len(row))] for row in tokens.tolist()]
        return torch.tensor(found, dtype=torch.float64)


def beam_answer(case: dict[str, Any]) -> dict[str, Tensor]:
    model = PrefixTable(case["next"])
    found, greedy = (
        beam_search(
            model,
            case["longest"],
            end_token=END,
            batch_size=1,
            n_beams=beams,
            n_best=best,
            length_penalty=case["alpha"],
        )
        for beams, best in ((case["B"], case["nBest"]), (1, 1))
    )
    return {
        "tokens": found.sequences[0].double(),
        "lengths": found.lengths[0].double(),
        "logProbs": found.log_probs[0],
        "scores": found.scores[0],
        "greedy": torch.cat([greedy.log_probs[0], greedy.scores[0]]),
    }


def beam_case(generator: torch.Generator) -> tuple[dict[str, Any], dict[str, Tensor]]:
    vocab_size, longest, beams = number(2, 4, generator), number(1, 5, generator), number(1, 6, generator)
    prefixes = [
        ",".join(map(str, prefix))
        for length in range(longest)
        for prefix in itertools.product(range(1, vocab_size), repeat=length)
    ]
    rows = (2 * torch.randn(len(prefixes), vocab_size, generator=generator).double()).log_softmax(-1)
    case = {
        "next": dict(zip(prefixes, rows.tolist(), strict=True)),
        "B": beams,
        "longest": longest,
        "alpha": number(0, 10, generator) / 10,
        "nBest": min(beams, vocab_size),
    }
    return case, beam_answer(case)


def attention_case(generator: torch.Generator) -> tuple[dict[str, Any], dict[str, Tensor]]:
    model, words = read_heads()
    length = number(1, SHAPE["context_length"], generator)
    tokens = torch.randint(len(words), (1, length), generator=generator)
    name = ("causal mask", "no mask", "window of 4")[number(0, 2, generator)]
    with torch.no_grad():
        logits, weights = model(tokens, mask(name, length))
    return {"tokens": tokens[0].tolist(), "mask": name}, {
        "weights": torch.cat(weights),
        "p": logits[0].softmax(-1),
    }


CASES: dict[str, Callable[[torch.Generator], tuple[dict[str, Any], Any]]] = {
    "softmax": softmax_case,
    "rotary": rotary_case,
    "influence": influence_case,
    "gpt": gpt_case,
    "beam": beam_case,
    "attention": attention_case,
}


def assert_equal(found: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), "compare every number that the figure shows"
    torch.testing.assert_close(
        {name: torch.tensor(found[name]).double() for name in expected}
        if isinstance(expected, dict)
        else torch.tensor(found).double(),
        expected,
        rtol=0,
        atol=1e-4,
    )


def test_its_numbers_are_those_of_pytorch(figure: Figure) -> None:
    generator = torch.Generator().manual_seed(0)
    cases = [CASES[figure.name](generator) for _ in range(INPUTS)]
    for found, (_, expected) in zip(figure.compute([case for case, _ in cases]), cases, strict=True):
        assert_equal(found, expected)


def controls(figure: Figure) -> list[str]:
    """The types of the controls that the tabulator key reaches, one after the other."""
    figure.place.locator(".live-panel").evaluate("panel => { panel.tabIndex = -1; panel.focus(); }")
    reached = []
    while True:
        figure.page.keyboard.press("Tab")
        kind, is_full = figure.place.evaluate("""place => {
            const reached = document.activeElement;
            const isOurs = place.querySelector('.live-panel').contains(reached);
            return [isOurs && (reached.type || reached.localName),
                    reached.type === 'range' && reached.value === reached.max];
        }""")
        if not kind:
            return reached
        reached.append(kind)
        if kind in ("a", "div"):  # a link, or what scrolls
            continue
        before = figure.status
        figure.page.keyboard.press("ArrowLeft" if is_full else KEYS[kind])
        assert figure.status != before, f"say in words what control {len(reached)}, a {kind}, has changed"


def test_the_keyboard_reaches_every_control_and_each_change_is_told_in_words(figure: Figure) -> None:
    figure.visit.resize(DESKTOP)
    there = figure.place.locator(".live-panel").locator("input, select, button, textarea, a, [tabindex='0']")
    assert len(controls(figure)) == there.count()
    assert figure.visit.faults == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["laptop", "phone"])
def test_its_height_is_reserved_before_it_is_drawn(figure: Figure, size: dict[str, int]) -> None:
    figure.visit.resize(size)
    reserved, needed = figure.place.locator(".live-panel").evaluate("""panel => {
        const reserved = parseFloat(getComputedStyle(panel).minHeight);
        return [reserved, panel.offsetHeight];
    }""")
    assert needed <= reserved + 1, "reserve more in live.css: what is below the figure would jump"
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.parametrize(("name", "path"), FIGURES)
def test_the_room_is_there_before_the_script(browser: Browser, site: str, name: str, path: str) -> None:
    with browser.new_context(viewport=DESKTOP) as context:
        page = context.new_page()
        page.route("**/_static/live/*.js*", lambda route: route.abort())
        page.goto(f"{site}/{path}.html", wait_until="domcontentloaded")
        room, reserved = page.locator(f"#live-{name}").evaluate("""place => {
            const room = getComputedStyle(place, '::after').height;
            const panel = document.createElement('div');
            panel.className = 'live-panel';
            place.append(panel);
            return [room, getComputedStyle(panel).minHeight];
        }""")
        assert room == reserved


@pytest.mark.parametrize("figure", FIGURES[1:2], ids=["rotary"], indirect=True)
def test_a_shift_of_both_leaves_the_turned_product_and_not_that_with_waves(figure: Figure) -> None:
    case, _ = rotary_case(torch.Generator().manual_seed(1))
    here, there = figure.compute([{**case, "t": 9, "s": 4}, {**case, "t": 30, "s": 25}])
    assert here["product"] == pytest.approx(there["product"], abs=1e-9)
    assert here["added"] != pytest.approx(there["added"], abs=1e-3)


@pytest.mark.parametrize("figure", [("beam", "chapters/14_decoding")], ids=["beam"], indirect=True)
def test_the_tree_of_chapter_14_ends_where_the_librarys_beam_search_does(figure: Figure) -> None:
    cases = [
        {"next": table["next"], "longest": table["longest"], "B": beams, "alpha": alpha / 10, "nBest": 1}
        for table in read_tables()
        for beams in range(1, MOST_BEAMS + 1)
        for alpha in range(11)
    ]
    for case, found in zip(cases, figure.compute(cases), strict=True):
        assert_equal(found, beam_answer(case))


@pytest.mark.parametrize(("name", "path"), FIGURES)
def test_it_works_from_the_file_itself(browser: Browser, name: str, path: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto((HTML / f"{path}.html").as_uri())
        assert page.locator(f"#live-{name} .live-panel").count() == 1
        assert faults == []


@pytest.mark.parametrize(("name", "path"), FIGURES)
def test_without_scripts_its_text_says_what_one_would_see(
    browser: Browser, site: str, name: str, path: str
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site}/{path}.html")
        place = page.locator(f"#live-{name}")
        assert place.locator(".live-panel").count() == 0
        text, box = place.locator("p").last.bounding_box(), place.bounding_box()
        assert text and box and box["y"] + box["height"] - text["y"] - text["height"] < 40, (
            "leave no empty room where no script will fill it"
        )


def test_a_page_loads_the_scripts_of_its_own_live_figures_and_no_others() -> None:
    for name in PAGES:
        text = (HTML / f"{name}.html").read_text(encoding="utf-8")
        figures = re.findall(r'id="live-(\w+)"', text)
        loaded = re.findall(r"_static/live/([\w-]+)\.js", text)
        wanted = ["live", *(script for figure in figures for script in scripts_of(figure))]
        assert loaded == (wanted if figures else []), f"{name} has the live figures {figures}"
        assert ("_static/live/live.css" in text) == bool(figures), f"{name} has the live figures {figures}"


def test_one_page_gathers_all_live_figures_and_all_of_them_work(browser: Browser, site: str) -> None:
    with browser.new_context(viewport=DESKTOP) as context:
        seen = visit(context, site, "book/live_figures.html")
        built = seen.page.locator(".live:has(.live-panel)").evaluate_all("all => all.map(place => place.id)")
        assert sorted(built) == sorted({f"live-{name}" for name, _ in FIGURES})
        assert seen.faults == []
