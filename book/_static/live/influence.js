// @ts-check
"use strict";

/* Change one input of a network, and see which outputs move: attention with and without masks, and NADE. */
{
  const SIZE = 5;
  const WIDTH = 8;
  const HIDDEN = 4;
  const WORDS = ["start", "Ada", "was", "a", "merry", "girl"];
  const OTHERS = ["end", "Tom", "had", "the", "shy"];
  const PLACES = Array.from({ length: SIZE }, (_, place) => place);

  /** @typedef {"no mask" | "causal mask" | "window of 2" | "NADE"} Kind */
  /** @typedef {{V: number[][], c: number[], W: number[][], b: number[]}} Parameters */

  /** @type {Record<string, (i: number, j: number) => boolean>} whether row i may attend to row j */
  const MASKS = {
    "no mask": () => true,
    "causal mask": (i, j) => j <= i,
    "window of 2": (i, j) => i - 2 < j && j <= i,
  };

  /**
   * A block whose matrices are the identity: each row, and the average that its scores ask for.
   * @param {number[][]} x
   * @param {(i: number, j: number) => boolean} sees
   */
  const block = (x, sees) => x.map((query, i) => {
    const scores = x.map((key, j) => sees(i, j) ? live.dot(query, key) / Math.sqrt(query.length) : -Infinity);
    const weights = live.softmax(scores);
    return query.map((feature, at) => feature + live.dot(weights, x.map((value) => value[at])));
  });

  /** @param {number} score */
  const sigmoid = (score) => 1 / (1 + Math.exp(-score));

  /**
   * The probability that each bit is 1, given those before it.
   * @param {number[]} x
   * @param {Parameters} parameters
   */
  const nade = (x, { V, c, W, b }) => x.map((_, t) => {
    const hidden = c.map((bias, unit) => sigmoid(bias + live.dot(x.slice(0, t), V.map((row) => row[unit]))));
    return sigmoid(b[t] + live.dot(W[t], hidden));
  });

  /**
   * The rows of outputs: of blocks, from rows of features; of NADE, from rows of one bit.
   * @param {{kind: Kind, inputs: number[][], blocks: number, parameters: Parameters}} input
   */
  function compute({ kind, inputs, blocks, parameters }) {
    if (kind === "NADE") return nade(inputs.flat(), parameters).map((probability) => [probability]);
    let rows = inputs;
    for (let depth = 0; depth < blocks; depth += 1) rows = block(rows, MASKS[kind]);
    return rows;
  }

  /** @param {number} seed @param {number} rows @param {number} columns */
  const matrix = (seed, rows, columns) => Array.from({ length: rows }, (_, row) => live.normal(100 * seed + row, columns));

  const PARAMETERS = { V: matrix(1, SIZE, HIDDEN), c: live.normal(2, HIDDEN), W: matrix(3, SIZE, HIDDEN), b: live.normal(4, SIZE) };
  const VECTORS = matrix(5, SIZE, WIDTH);
  const OTHER_VECTORS = matrix(6, SIZE, WIDTH);
  const BITS = [1, 0, 1, 1, 0];

  /** @param {string[]} names */
  const listed = (names) => names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

  live.figure("influence", compute, (place) => {
    /** @type {Kind} */
    let kind = place.classList.contains("nade") ? "NADE" : "no mask";
    let changed = 2;

    const choice = live.make("select", {}, ...[...Object.keys(MASKS), "NADE"].map((name) => live.make("option", {}, name)));
    choice.value = kind;
    const depth = live.slider("Blocks", { min: 1, max: 3, value: 1 }, String, restart);
    const outputs = PLACES.map(() => ({ name: live.make("b"), moved: live.make("span") }));
    const boxes = outputs.map(({ name, moved }) => live.make("div", { class: "live-output" }, name, moved));
    const lines = live.draw("svg", { viewBox: `0 0 ${2 * SIZE} 4`, preserveAspectRatio: "none", class: "live-lines" });
    const inputs = PLACES.map((input) => live.button("", () => change(input === changed ? -1 : input)));
    const cells = PLACES.map(() => PLACES.map(() => live.make("span")));
    const grid = live.make("div", { class: "live-grid" }, ...cells.flat());
    const status = live.status();

    choice.addEventListener("change", () => {
      kind = /** @type {Kind} */ (choice.value);
      depth.row.classList.toggle("is-off", kind === "NADE");
      restart();
    });

    /** @param {number} input */
    const original = (input) => kind === "NADE" ? [BITS[input]] : VECTORS[input];
    /** @param {number} input */
    const other = (input) => kind === "NADE" ? [1 - BITS[input]] : OTHER_VECTORS[input];
    /** The input that an output has to predict. @param {number} output */
    const answer = (output) => kind === "NADE" ? output : output + 1;
    /** @param {number} output */
    const predicted = (output) => kind === "NADE" ? `pixel ${output + 1}` : WORDS[output + 1];
    /** @param {number} input @param {boolean} isOther */
    const shown = (input, isOther) => kind === "NADE" ? String(Math.abs(BITS[input] - Number(isOther))) : (isOther ? OTHERS : WORDS)[input];

    /** How far each output moves when an input is changed. @param {number} input */
    function movements(input) {
      const run = (/** @type {number[][]} */ rows) => compute({ kind, inputs: rows, blocks: depth.value, parameters: PARAMETERS });
      const before = run(PLACES.map(original));
      const after = run(PLACES.map((at) => at === input ? other(at) : original(at)));
      return after.map((row, output) => Math.max(...row.map((feature, at) => Math.abs(feature - before[output][at]))));
    }

    function restart() {
      for (const cell of cells.flat()) cell.className = "";
      change(changed);
    }

    /** @param {number} input */
    function change(input) {
      changed = input;
      const moved = changed < 0 ? PLACES.map(() => 0) : movements(changed);
      const leaks = PLACES.filter((output) => moved[output] > 0 && changed >= answer(output));
      inputs.forEach((button, at) => {
        button.textContent = shown(at, at === changed);
        button.setAttribute("aria-pressed", String(at === changed));
        button.setAttribute("aria-label", `${shown(at, at === changed)}, input ${at + 1}`);
      });
      const kindOf = (/** @type {number} */ output) => moved[output] === 0 ? "" : leaks.includes(output) ? "is-leak" : "is-moved";
      lines.replaceChildren();
      PLACES.forEach((output) => {
        outputs[output].name.textContent = `${predicted(output)}?`;
        outputs[output].moved.textContent = changed < 0 ? "" : moved[output] === 0 ? "same" : moved[output] < 0.005 ? "< 0.01" : live.number(moved[output]);
        boxes[output].className = `live-output ${kindOf(output)}`;
        if (changed < 0) return;
        cells[output][changed].className = kindOf(output) || "is-same";
        if (moved[output] > 0)
          lines.append(live.draw("path", { d: `M${2 * changed + 1} 4L${2 * output + 1} 0`, class: kindOf(output) }));
      });
      status.textContent = changed < 0 ? "All inputs are as they were." : sentence(moved, leaks);
    }

    /** @param {number[]} moved @param {number[]} leaks */
    function sentence(moved, leaks) {
      const named = (/** @type {number[]} */ which) => listed(which.map((output) => String(output + 1)));
      const all = PLACES.filter((output) => moved[output] > 0);
      const most = moved.indexOf(Math.max(...moved));
      const effect = all.length === 0 ? "no output moved"
        : all.length === 1 ? `output ${most + 1} moved, by ${live.number(moved[most])}`
          : `outputs ${named(all)} moved, ${most + 1} most, by ${live.number(moved[most])}`;
      const leak = leaks.length === 0 ? "" : ` Output${leaks.length > 1 ? "s" : ""} ${named(leaks)} must not know this word: output ${changed} has to predict it.`;
      const finished = cells.flat().every((cell) => cell.className) ? " You have tried all inputs: the filled cells are who reads whom." : "";
      return `Input ${changed + 1} is now “${shown(changed, true)}”, not “${shown(changed, false)}”: ${effect}.${leak}${finished}`;
    }

    restart();
    const controls = live.make("div", { class: "live-controls" }, live.make("label", { class: "live-choice" }, "Network", choice), depth.row);
    return [
      ...kind === "NADE" ? [] : [controls],
      live.make("div", { class: "live-network" },
        live.make("div", { class: "live-flow" },
          live.make("div", { class: "live-row" }, ...boxes), lines,
          live.make("div", { class: "live-row", role: "group", "aria-label": "Inputs: press one to change it" }, ...inputs)),
        live.make("div", { class: "live-seen", "aria-hidden": "true" }, grid, "row: output, column: input")),
      status,
    ];
  });
}
