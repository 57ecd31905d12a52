"""The parsers that chapter 18 compares, and how they are scored.

A Transformer reads a sentence and writes its tree. Beside it stand a grammar read off the same trees, with
CKY; right-branching trees; and, where there is one, the grammar that drew the sentences.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F

from transformer_lib.data import (
    IGNORED,
    PairBatch,
    PairBatches,
    Tree,
    WordTokenizer,
    brackets,
    format_tree,
    leaves,
    linearize,
    preterminals,
    right_branching,
    tree_of_line,
)
from transformer_lib.data.trees import WORD, is_preterminal, relabel, without_function
from transformer_lib.decoding import Constrained, beam_search, well_formed_tree
from transformer_lib.decoding.constrained import Constraint
from transformer_lib.density.pcfg import PCFG
from transformer_lib.metrics import bracket_f1
from transformer_lib.training.schedules import learning_rate_factor
from transformer_lib.transformer.config import TransformerConfig
from transformer_lib.transformer.encoder_decoder import EncoderDecoder

__all__ = [
    "PARSERS",
    "READS",
    "Coder",
    "ParserRecipe",
    "Parts",
    "build",
    "fit",
    "grammar_parses",
    "loss_of",
    "measure",
    "parse",
    "right_branches",
    "scores",
    "tags_as_words",
    "train",
]

PARSERS = ("Transformer", "treebank grammar", "right-branching", "true grammar")
READS = ("words", "tags")
BATCH = 64
LONGEST = 60

Parses = list[Tree | None]


@dataclass(frozen=True)
class Parts:
    """The trees to learn from, to choose a step by, and to be tested on."""

    train: Sequence[Tree]
    valid: Sequence[Tree]
    test: Sequence[Tree]


@dataclass(frozen=True)
class ParserRecipe:
    """The shape of a parser and its training.

    Attributes
    ----------
    steps
        After how many updates it is scored; the last is the end.
    tokens
        The most target tokens in a batch, padding counted.
    smoothing
        The share of a target that is spread over all tokens.
    """

    steps: tuple[int, ...]
    rate: float
    warmup: int
    tokens: int
    context_length: int
    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 2
    dropout: float = 0.1
    smoothing: float = 0.0
    min_count: int = 1

    def settings(self) -> dict[str, Any]:
        """What a record says of it."""
        return vars(self) | {"steps": list(self.steps), "optimizer": "Adam", "schedule": "inverse-sqrt"}


class Coder:
    """Between trees and the tokens that a parser reads and writes.

    Parameters
    ----------
    trees
        The trees that its vocabularies are taken from.
    reads
        ``"words"``, or ``"tags"``, which are the right ones.
    min_count
        How often a word must occur in the trees to be known.
    """

    def __init__(self, trees: Sequence[Tree], reads: str = "words", min_count: int = 1) -> None:
        self.reads = reads
        sources = [" ".join(self.read(tree)) for tree in trees]
        self.source = WordTokenizer.fit(sources, unknown=True, min_count=min_count)
        self.target = WordTokenizer.fit([" ".join(linearize(tree)) for tree in trees], unknown=True)
        (self.word,) = self.target.encode(WORD)
        labels = [symbol[1:] for symbol in self.target.symbols if symbol.startswith("(")]
        self.closing = {
            self.target.encode(f"({label}")[0]: self.target.encode(f"){label}")[0] for label in labels
        }

    def read(self, tree: Tree) -> list[str]:
        """What the parser reads of a sentence."""
        return leaves(tree) if self.reads == "words" else [tag for tag, _ in preterminals(tree)]

    def pair(self, tree: Tree) -> tuple[list[int], list[int]]:
        """The tokens of the sentence and of its tree."""
        return self.source.encode(" ".join(self.read(tree))), self.target.encode(" ".join(linearize(tree)))

    def tree(self, tokens: Sequence[int], like: Tree) -> Tree | None:
        """The tree that tokens write up to their end, with the words of another; None if they write none."""
        end = tokens.index(self.target.end_token) if self.target.end_token in tokens else len(tokens)
        try:
            return tree_of_line(self.target.decode(tokens[:end]).split(), preterminals(like))
        except ValueError:
            return None

    def rule(self, n_words: int, n_tokens: int) -> Constraint:
        """What may follow in a tree of so many words."""
        return well_formed_tree(
            self.closing, self.word, self.target.end_token, n_words=n_words, n_tokens=n_tokens
        )


def build(coder: Coder, recipe: ParserRecipe, seed: int) -> EncoderDecoder:
    """A fresh parser: an encoder-decoder from words to the tokens of trees."""
    config = TransformerConfig(
        vocab_size=coder.target.vocab_size,
        source_vocab_size=coder.source.vocab_size,
        context_length=recipe.context_length,
        d_model=recipe.d_model,
        n_heads=recipe.n_heads,
        n_layers=recipe.n_layers,
        dropout=recipe.dropout,
        positions="sinusoidal",
        scale_embeddings=True,
    )
    return EncoderDecoder(config, generator=torch.Generator().manual_seed(seed))


def loss_of(model: EncoderDecoder, batch: PairBatch, smoothing: float = 0.0) -> torch.Tensor:
    """Mean nats per token that is to be written, the end included."""
    logits = model(batch.source, batch.inputs, batch.source_lengths).transpose(1, 2)
    return F.cross_entropy(logits, batch.targets, ignore_index=IGNORED, label_smoothing=smoothing)


def fit(
    model: EncoderDecoder, coder: Coder, trees: Sequence[Tree], recipe: ParserRecipe, seed: int
) -> Iterator[int]:
    """Train by Adam with warm-up; yields the number of steps after each."""
    torch.manual_seed(seed)  # for dropout, which takes no generator
    batches = PairBatches([coder.pair(tree) for tree in trees], recipe.tokens, seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=recipe.rate, betas=(0.9, 0.98), fused=True)
    for step in range(recipe.steps[-1]):
        factor = learning_rate_factor("inverse-sqrt", step, steps=0, warmup_steps=recipe.warmup)
        optimizer.param_groups[0]["lr"] = recipe.rate * factor
        model.train()
        optimizer.zero_grad()
        loss_of(model, batches.batch(step), recipe.smoothing).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        yield step + 1


@torch.no_grad()
def parse(
    model: EncoderDecoder,
    coder: Coder,
    trees: Sequence[Tree],
    *,
    constrained: bool = False,
    n_beams: int = 1,
) -> Parses:
    """What the parser writes for the sentences of these trees; None where it is no tree of the sentence.

    Parameters
    ----------
    constrained
        Whether only well-formed trees can be written.
    n_beams
        1 is greedy.
    """
    model.eval()
    found: Parses = [None] * len(trees)
    order = sorted(range(len(trees)), key=lambda number: len(leaves(trees[number])))
    for begin in range(0, len(order), BATCH):
        numbers = order[begin : begin + BATCH]
        sources = [torch.tensor(coder.pair(trees[number])[0]) for number in numbers]
        lengths = [len(source) for source in sources]
        n_tokens = min(4 * lengths[-1] + 12, model.config.context_length)
        padded = torch.nn.utils.rnn.pad_sequence(sources, batch_first=True)
        conditioned = model.condition(padded, torch.tensor(lengths))
        if constrained:
            conditioned = Constrained(conditioned, [coder.rule(n, n_tokens) for n in lengths])
        lines = beam_search(
            conditioned,
            n_tokens,
            end_token=coder.target.end_token,
            batch_size=len(numbers),
            n_beams=n_beams,
            length_penalty=0.0,
        )
        for number, line in zip(numbers, lines.sequences[:, 0].tolist()):
            found[number] = coder.tree(line, trees[number])
    return found


def scores(parses: Sequence[Tree | None], trees: Sequence[Tree]) -> dict[str, float]:
    """Labeled brackets over all sentences, the shares of whole trees that are right and that are trees.

    What is no tree has found no bracket; it is not left out.
    """
    ours = [[] if parsed is None else brackets(parsed) for parsed in parses]
    right = [brackets(tree) for tree in trees]
    found = bracket_f1(ours, right)
    exact = [Counter(one) == Counter(other) for one, other in zip(ours, right)]
    formed = [parsed is not None for parsed in parses]
    return {
        "f1": round(100 * found.f1, 3),
        "precision": round(100 * found.precision, 3),
        "recall": round(100 * found.recall, 3),
        "exact": round(100 * sum(exact) / len(exact), 3),
        "trees": round(100 * sum(formed) / len(formed), 3),
    }


def train(
    parts: Parts, recipe: ParserRecipe, seed: int, reads: str = "words"
) -> tuple[EncoderDecoder, Coder, dict[str, Any]]:
    """Train a parser; at the step of best validation F1 of those in the recipe, its scores on the test part.

    The scores are those of greedy decoding, with its constraint as ``constrained``, and of four beams with
    the constraint as ``beams``.
    """
    coder = Coder(parts.train, reads, recipe.min_count)
    model = build(coder, recipe, seed)
    curve, best, kept = [], -1.0, model.state_dict()
    for step in fit(model, coder, parts.train, recipe, seed):
        if step in recipe.steps:
            valid = scores(parse(model, coder, parts.valid), parts.valid)
            curve.append({"step": step, **valid})
            if valid["f1"] > best:
                best, kept = valid["f1"], {name: w.clone() for name, w in model.state_dict().items()}
    model.load_state_dict(kept)
    found: dict[str, Any] = scores(parse(model, coder, parts.test), parts.test)
    found["constrained"] = scores(parse(model, coder, parts.test, constrained=True), parts.test)
    beams = parse(model, coder, parts.test, constrained=True, n_beams=4)
    found["beams"] = scores(beams, parts.test)
    found |= {"valid f1": best, "step": max(curve, key=lambda one: one["f1"])["step"], "curve": curve}
    found["outputs"] = {"parses": ["" if tree is None else format_tree(tree) for tree in beams]}
    return model, coder, found


def grammar_parses(
    grammar: PCFG,
    trees: Sequence[Tree],
    reads: str = "words",
    longest: int = LONGEST,
) -> Parses:
    """The best tree of each sentence by CKY, functions taken off its labels.

    None where the grammar has no tree, or the sentence more than ``longest`` words: a chart grows as their
    square, and the time as their cube.
    """
    parses: Parses = []
    for tree in trees:
        read = leaves(tree if reads == "words" else tags_as_words(tree))
        found = grammar.best_tree(read) if len(read) <= longest else None
        if found is None:
            parses.append(None)
        elif reads == "words":
            parses.append(relabel(found[0], without_function))
        else:
            parses.append(_with_words(found[0], iter(preterminals(tree))))
    return parses


def tags_as_words(tree: Tree) -> Tree:
    """The tree with each word and its tag replaced by the tag, as a word."""
    return (tree[0], *(part[0] if is_preterminal(part) else tags_as_words(part) for part in tree[1:]))


def _with_words(tree: Tree, words: Iterator[tuple[str, str]]) -> Tree:
    return (
        tree[0],
        *(next(words) if isinstance(part, str) else _with_words(part, words) for part in tree[1:]),
    )


def right_branches(train: Sequence[Tree]) -> Callable[[Tree], Tree]:
    """Right-branching trees under the commonest label on top, with the label that fits training best."""
    top = Counter(tree[0] for tree in train).most_common(1)[0][0]
    counts = Counter(label for tree in train for label, _, _ in brackets(tree))
    sample = train[:300]

    def fits(label: str) -> float:
        guesses = [brackets(right_branching(preterminals(tree), top, label)) for tree in sample]
        return bracket_f1(guesses, [brackets(tree) for tree in sample]).f1

    best = max((label for label, _ in counts.most_common(5)), key=fits)
    return lambda tree: right_branching(preterminals(tree), top, best)


def measure(
    parts: Parts, recipe: ParserRecipe, seed: int, parser: str, reads: str, truth: PCFG | None = None
) -> dict[str, Any]:
    """The scores of one of the ``PARSERS`` on the test part."""
    if parser == "Transformer":
        return train(parts, recipe, seed, reads)[2]
    guess = right_branches(parts.train)
    if parser == "right-branching":
        return scores([guess(tree) for tree in parts.test], parts.test)
    if parser == "treebank grammar":
        trees = parts.train if reads == "words" else [tags_as_words(tree) for tree in parts.train]
        grammar = PCFG.from_trees(trees)
    else:
        assert truth is not None
        grammar = truth
    parses = grammar_parses(grammar, parts.test, reads)
    answered = [parsed is not None for parsed in parses]
    filled = [guess(tree) if parsed is None else parsed for parsed, tree in zip(parses, parts.test)]
    return scores(filled, parts.test) | {"answered": round(100 * sum(answered) / len(answered), 3)}
