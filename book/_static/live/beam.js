// @ts-check
"use strict";

/* Beam search as a tree that grows step by step, and greedy decoding beside it. */
{
  const END = 0;

  /** @typedef {Record<string, number[]>} Next the log-probabilities after each prefix, its tokens joined by commas */
  /** @typedef {{tokens: number[], logProb: number, parent: Hypothesis | null, isKept: boolean, hasEnded: boolean}} Hypothesis */

  /** @param {number} logProb @param {number} length @param {number} alpha */
  const penalized = (logProb, length, alpha) => logProb / ((5 + length) / 6) ** alpha;

  /**
   * The continuations of each step, the most probable first: the best B are kept, the last of them `longest` tokens long.
   * @param {Next} next @param {number} B @param {number} longest
   */
  function search(next, B, longest) {
    /** @type {Hypothesis[][]} */
    const steps = [[{ tokens: [], logProb: 0, parent: null, isKept: true, hasEnded: false }]];
    for (let length = 1; length <= longest; length += 1) {
      const beam = steps[length - 1].filter(({ isKept, hasEnded }) => isKept && !hasEnded);
      if (beam.length === 0) break;
      const longer = beam.flatMap((parent) => next[parent.tokens.join()].map((step, token) => ({
        tokens: [...parent.tokens, token],
        logProb: parent.logProb + step,
        parent,
        hasEnded: token === END || length === longest,
      })));
      longer.sort((one, other) => other.logProb - one.logProb);
      steps.push(longer.map((hypothesis, rank) => ({ ...hypothesis, isKept: rank < B })));
    }
    return steps;
  }

  /**
   * The hypotheses that have ended, the best score first.
   * @param {Hypothesis[][]} steps @param {number} alpha
   */
  const finished = (steps, alpha) => steps.flat().filter(({ isKept, hasEnded }) => isKept && hasEnded)
    .map((hypothesis) => ({ hypothesis, score: penalized(hypothesis.logProb, hypothesis.tokens.length, alpha) }))
    .sort((one, other) => other.score - one.score);

  /**
   * The best hypotheses of a search and of greedy decoding, padded with the end.
   * @param {{next: Next, B: number, longest: number, alpha: number, nBest: number}} input
   */
  function compute({ next, B, longest, alpha, nBest }) {
    const found = finished(search(next, B, longest), alpha).slice(0, nBest);
    const greedy = finished(search(next, 1, longest), alpha)[0];
    return {
      tokens: found.map(({ hypothesis: { tokens } }) => [...tokens, ...Array(longest - tokens.length).fill(END)]),
      lengths: found.map(({ hypothesis }) => hypothesis.tokens.length),
      logProbs: found.map(({ hypothesis }) => hypothesis.logProb),
      scores: found.map(({ score }) => score),
      greedy: [greedy.hypothesis.logProb, greedy.score],
    };
  }

  live.figure("beam", compute, () => {
    let model = beamTables[0];
    let step = 1;
    let isWhole = false;
    /** @type {Hypothesis[][]} */
    let steps = [];
    /** @type {Hypothesis[][]} */
    let greedySteps = [];

    const choice = live.make("select", {}, ...beamTables.map(({ name }, at) => live.make("option", { value: at }, name)));
    const beams = live.slider("Beams B", { min: 1, max: 4, value: 3 }, String, restart);
    const penalty = live.slider("Length penalty α", { min: 0, max: 10, value: 0 }, (at) => live.number(at / 10, 1), show);
    const tree = live.make("div", { class: "live-tree", tabindex: 0, role: "group", "aria-label": "The tree, a row for each step" });
    const rows = live.make("tbody");
    const status = live.status();
    choice.addEventListener("change", () => {
      model = beamTables[Number(choice.value)];
      restart();
    });

    /** @param {number[]} tokens */
    function text(tokens) {
      const words = tokens.filter((token) => token !== END).map((token) => model.words[token]);
      return words.join(" ").replace(/ ,/g, ",").replace(/ - ?/g, "-") || "(nothing)";
    }

    /** @param {Hypothesis} hypothesis */
    const score = ({ logProb, tokens }) => penalized(logProb, tokens.length, penalty.value / 10);

    /** Whether no hypothesis of this step can overtake the best that has ended. @param {number} at */
    function isOver(at) {
      const unfinished = steps[at].filter(({ isKept, hasEnded }) => isKept && !hasEnded);
      const best = finished(steps.slice(0, at + 1), penalty.value / 10)[0];
      return unfinished.every(({ logProb }) => best && penalized(logProb, model.longest, penalty.value / 10) <= best.score);
    }

    function restart() {
      steps = search(model.next, beams.value, model.longest);
      greedySteps = search(model.next, 1, model.longest);
      step = 1;
      isWhole = false;
      show();
    }

    /** @param {Hypothesis | null} hypothesis @param {string} state */
    function box(hypothesis, state) {
      if (!hypothesis) return live.make("span");
      const { tokens, logProb } = hypothesis;
      const word = tokens.length === 0 ? "start" : model.words[tokens[tokens.length - 1]];
      const numbers = tokens.length === 0 ? [] : [logProb, score(hypothesis)].map((number) => live.make("span", {}, live.number(number)));
      return live.make("span", { class: `live-node is-${state}` }, live.make(state === "pruned" ? "s" : "b", {}, word), ...numbers);
    }

    function show() {
      while (isWhole && !isOver(step)) step += 1;
      const shown = steps.slice(0, step + 1);
      const ended = finished(shown, penalty.value / 10);
      /** @type {Set<Hypothesis | null>} those with a continuation that is kept or has ended, back to the start */
      const alive = new Set();
      /** @type {Set<Hypothesis | null>} */
      const best = new Set();
      const back = (/** @type {Hypothesis | null} */ from, /** @type {Set<Hypothesis | null>} */ into) => {
        for (let at = from; at; at = at.parent) into.add(at);
      };
      for (const hypothesis of shown[step].filter(({ isKept }) => isKept)) back(hypothesis, alive);
      for (const { hypothesis } of ended) back(hypothesis, alive);
      if (ended.length > 0) back(ended[0].hypothesis, best);
      const state = (/** @type {Hypothesis} */ one) => !one.isKept ? "pruned" : best.has(one) ? "best"
        : one.hasEnded ? "ended" : alive.has(one) ? "kept" : "dropped";

      const columns = Math.max(4, beams.value + 1);
      /** @type {Hypothesis[]} */
      let above = [];
      tree.replaceChildren(live.make("div", { class: "live-level live-tree-heads" }, live.make("span", {}, "greedy"), live.make("span", {}, `beam of ${beams.value}: log p, s`)));
      tree.style.setProperty("--columns", String(columns));
      shown.forEach((continuations, at) => {
        const level = continuations.slice(0, columns);
        const from = (/** @type {Hypothesis} */ { parent }) => parent ? above.indexOf(parent) : 0;
        level.sort((one, other) => from(one) - from(other));
        if (at > 0) {
          const lines = live.draw("svg", { viewBox: `0 0 ${2 * columns} 4`, preserveAspectRatio: "none", class: "live-lines" });
          level.forEach((one, column) => {
            lines.append(live.draw("path", { d: `M${2 * from(one) + 1} 0L${2 * column + 1} 4`, class: `is-${state(one)}` }));
          });
          tree.append(live.make("div", { class: `live-level${greedySteps[at] ? " has-stem" : ""}` }, lines));
        }
        tree.append(live.make("div", { class: "live-level" }, box(greedySteps[at]?.[0] ?? null, "greedy"), ...level.map((one) => box(one, state(one)))));
        above = level;
      });
      tree.scrollTop = tree.scrollHeight;

      const greedy = greedySteps.slice(0, isOver(step) ? undefined : step + 1).at(-1)?.[0];
      rows.replaceChildren(...ended.slice(0, 3).map(({ hypothesis }) => row(hypothesis, "ended")), ...greedy ? [row(greedy, "greedy")] : []);
      if (ended.length > 0) rows.firstElementChild?.classList.add("is-best");
      tell(ended);
    }

    /** @param {Hypothesis} hypothesis @param {string} name */
    function row(hypothesis, name) {
      const { tokens, logProb } = hypothesis;
      const cells = [String(tokens.length), live.number(logProb), live.number(score(hypothesis))];
      return live.make("tr", {}, live.make("th", { scope: "row" }, name === "greedy" ? "greedy: " : "", text(tokens), name === "greedy" && !hypothesis.hasEnded ? " …" : ""),
        ...cells.map((cell) => live.make("td", {}, cell)));
    }

    /** @param {{hypothesis: Hypothesis, score: number}[]} ended */
    function tell(ended) {
      const kept = steps[step].filter(({ isKept }) => isKept);
      const pruned = steps[step].slice(kept.length);
      const lost = pruned.length > 0 ? `, ${pruned.length} are pruned, from ${live.number(pruned[0].logProb)} down` : "";
      const winner = ended.length === 0 ? " Nothing has ended yet."
        : ` Best of the ended at α = ${live.number(penalty.value / 10, 1)}: “${text(ended[0].hypothesis.tokens)}”, s = ${live.number(ended[0].score)}.`;
      const over = isOver(step) ? " The search is over: no prefix can still win." : "";
      status.textContent = `Step ${step}: ${kept.length} of ${steps[step].length} continuations stay${lost}. `
        + `The likeliest is “${text(kept[0].tokens)}”, ${live.number(kept[0].logProb)}.${winner}${over}`;
    }

    restart();
    return [
      live.make("div", { class: "live-controls" },
        live.make("label", { class: "live-choice" }, "Number to translate", choice), beams.row, penalty.row,
        live.make("div", { class: "live-choices" },
          live.button("Next step", () => {
            if (!isOver(step)) step += 1;
            show();
          }),
          live.button("To the end", () => {
            isWhole = true;
            show();
          }),
          live.button("Start again", restart))),
      tree,
      live.make("table", { class: "live-ended" },
        live.make("thead", {}, live.make("tr", {}, ...["hypothesis", "tokens", "log p", "s"].map((name) => live.make("th", { scope: "col" }, name)))), rows),
      status,
    ];
  });
}
