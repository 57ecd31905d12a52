// @ts-check
"use strict";

/* Two layers of trained heads, and where each of them looks in a text of one's own, under three masks. */
{
  const { compute, MASKS, WORDS, LONGEST, HEADS, LAYERS } = attentionModel();
  const SHADES = 8;
  const TEXTS = [
    "she found a golden coin . with the golden",
    "ghost river tiny apple drum ghost river tiny apple",
    "hugo was a merry boy from a blue village . one windy evening he found a key",
  ];

  /** Which words a head can be seen to look at: whether place j is one of them for place i. */
  const HABITS = {
    "itself": (/** @type {number[]} */ _, /** @type {number} */ i, /** @type {number} */ j) => j === i,
    "the word before": (/** @type {number[]} */ _, /** @type {number} */ i, /** @type {number} */ j) => j === i - 1,
    "the word after": (/** @type {number[]} */ _, /** @type {number} */ i, /** @type {number} */ j) => j === i + 1,
    "the same word": (/** @type {number[]} */ tokens, /** @type {number} */ i, /** @type {number} */ j) => j !== i && tokens[j] === tokens[i],
    "behind the same word": (/** @type {number[]} */ tokens, /** @type {number} */ i, /** @type {number} */ j) => j > 0 && j !== i + 1 && tokens[j - 1] === tokens[i],
  };

  live.figure("attention", compute, (place) => {
    const isBrief = place.classList.contains("brief");
    let head = 4;
    let query = 0;
    let example = 0;
    /** @type {number[]} */
    let tokens = [];
    /** @type {string[]} */
    let unknown = [];
    /** @type {ReturnType<typeof compute>} */
    let found;

    /** @param {number} at */
    const word = (at) => at === 0 ? "start" : WORDS[tokens[at]] ?? "";
    const input = live.make("input", { type: "text", autocomplete: "off", spellcheck: "false", value: TEXTS[0] });
    const masks = live.make("select", {}, ...Object.keys(MASKS).map((name) => live.make("option", {}, name)));
    const name = (/** @type {number} */ at) => `layer ${Math.floor(at / HEADS) + 1}, head\u00a0${at % HEADS + 1}`;
    const every = Array.from({ length: LAYERS * HEADS }, (_, at) => at);
    const heads = live.make("select", {}, ...every.map((at) => live.make("option", { value: at, ...at === head && { selected: "" } }, name(at))));
    const looking = live.slider("Word that looks", { min: 0, max: LONGEST - 1, value: 0 }, (at) => `${word(at)}, ${at}`, (at) => {
      query = at;
      show();
    });
    const line = live.make("div", { class: "live-tokens", "aria-hidden": "true" });
    const maps = every.map((at) => {
      const map = live.make("figure", { class: "live-head" });
      map.addEventListener("click", () => {
        heads.value = String(at);
        show();
      });
      return map;
    });
    const status = live.status();
    input.addEventListener("input", read);
    masks.addEventListener("change", run);
    heads.addEventListener("change", show);

    function read() {
      const texts = input.value.toLowerCase().match(/[\p{L}\p{N}'-]+|[^\s\p{L}\p{N}]/gu) ?? [];
      const known = texts.filter((text) => WORDS.indexOf(text) > 0);
      unknown = texts.filter((text) => WORDS.indexOf(text) <= 0);
      tokens = [0, ...known.map((text) => WORDS.indexOf(text))].slice(0, LONGEST);
      query = tokens.length - 1;
      /** @type {HTMLInputElement} */ (looking.row.querySelector("input")).max = String(query);
      run();
    }

    function run() {
      found = compute({ tokens, mask: masks.value });
      show();
    }

    /** The habit that has the most of a head's weight, where the text allows it. @param {number[][]} rows */
    function habit(rows) {
      const shares = Object.entries(HABITS).map(([what, is]) => {
        const sums = rows.map((row, i) => ({ can: row.some((_, j) => is(tokens, i, j)), sum: row.reduce((sum, one, j) => sum + (is(tokens, i, j) ? one : 0), 0) }))
          .filter(({ can }, i) => can && i > 0);
        return { what, share: sums.reduce((sum, one) => sum + one.sum, 0) / sums.length || 0 };
      });
      const most = shares.reduce((one, other) => other.share > one.share ? other : one);
      return most.share < 0.4 ? null : most;
    }

    function show() {
      head = Number(heads.value);
      looking.value = query;
      every.forEach((at) => {
        const rows = found.weights[Math.floor(at / HEADS)][at % HEADS];
        const most = habit(rows);
        maps[at].className = `live-head${at === head ? " is-open" : ""}`;
        maps[at].replaceChildren(picture(rows), live.make("figcaption", {}, `${name(at)}\n${most ? `${most.what} ${live.number(most.share)}` : "here and there"}`));
      });
      const row = found.weights[Math.floor(head / HEADS)][head % HEADS][query];
      line.replaceChildren(...row.map((weight, at) => {
        const bar = live.make("i");
        bar.style.width = `${100 * weight}%`;
        const token = live.make("span", { class: `live-token${at === query ? " is-query" : ""}` }, live.make("b", {}, word(at)), bar,
          live.make("span", {}, weight < 0.005 ? "·" : live.number(weight)));
        token.addEventListener("click", () => {
          query = at;
          show();
        });
        return token;
      }));
      tell(row);
    }

    /** A square for each weight, the darker the larger. @param {number[][]} rows */
    function picture(rows) {
      const drawing = live.draw("svg", { viewBox: `0 0 ${rows.length} ${rows.length}` });
      const square = (/** @type {number} */ i, /** @type {number} */ j) => `M${j} ${i}h1v1h-1z`;
      const path = (/** @type {(weight: number, i: number, j: number) => boolean} */ is) =>
        rows.flatMap((row, i) => row.map((weight, j) => is(weight, i, j) ? square(i, j) : "")).join("");
      drawing.append(live.draw("path", { class: "is-masked", d: path((_, i, j) => !MASKS[masks.value](i, j)) }));
      for (let shade = 1; shade <= SHADES; shade += 1)
        drawing.append(live.draw("path", { opacity: shade / SHADES, d: path((weight) => Math.round(weight * SHADES) === shade) }));
      drawing.append(live.draw("rect", { x: 0, y: query, width: rows.length, height: 1 }));
      return drawing;
    }

    /** @param {number[]} row */
    function tell(row) {
      const order = row.map((_, at) => at).sort((one, other) => row[other] - row[one]).filter((at) => row[at] >= 0.05).slice(0, 3);
      const where = order.map((at) => `${live.number(row[at])} to “${word(at)}” (${at})`).join(", ");
      const most = habit(found.weights[Math.floor(head / HEADS)][head % HEADS]);
      const next = found.p[query].indexOf(Math.max(...found.p[query]));
      const left = unknown.length === 0 ? "" : ` Left out, because the model has not learned them: ${unknown.map((text) => `“${text}”`).join(", ")}.`;
      if (isBrief) {
        status.textContent = `From “${word(query)}” this head looks mostly at “${word(order[0] ?? 0)}” (${live.number(row[order[0] ?? 0])}). `
          + `The model expects “${WORDS[next]}” next (${live.number(found.p[query][next])}).${left}`;
        return;
      }
      const mask = masks.value === "no mask" ? "With no mask" : `With the ${masks.value}`;
      status.textContent = `${mask}, ${name(head)} gives ${where || "little to each word"}, from “${word(query)}” (${query}). In this text it mostly looks `
        + `${most ? `at ${most.what}`.replace("at behind", "behind") : "here and there"}. The likeliest next word is “${WORDS[next]}”, ${live.number(found.p[query][next])}.${left}`;
    }

    const another = live.button("Another text", () => {
      example = (example + 1) % TEXTS.length;
      input.value = TEXTS[example];
      read();
    });
    const append = live.button("Add the next word", () => {
      const last = found.p[tokens.length - 1];
      input.value = `${input.value.trimEnd()} ${WORDS[last.indexOf(Math.max(...last))]}`;
      read();
    });
    read();
    if (isBrief) return [
      live.make("label", { class: "live-choice" }, "Your text", input),
      line,
      live.make("div", { class: "live-choices" }, append, looking.row),
      status,
    ];
    return [
      live.make("label", { class: "live-choice" }, "Text", input),
      live.make("div", { class: "live-choices" }, another),
      live.make("div", { class: "live-controls" }, live.make("label", { class: "live-choice" }, "Mask", masks),
        live.make("label", { class: "live-choice" }, "Head", heads), looking.row),
      line,
      live.make("div", { class: "live-heads-grid", "aria-hidden": "true" }, ...maps),
      status,
    ];
  });
}
