// @ts-check
"use strict";

/* The whole GPT of chapter 11, from a reader's words to the next one: every array of it can be opened. */
{
  /** @type {ReturnType<typeof gptModel> | undefined} */
  let model;
  const theModel = () => model ??= gptModel();

  const WRITTEN = 15;
  const PAUSE = 400;

  /** The tokens of a text, and all arrays. @param {{text: string, temperature: number}} input */
  function compute({ text, temperature }) {
    const { tokens } = theModel().encode(text);
    return { tokens, ...theModel().compute({ tokens, temperature }) };
  }

  live.figure("gpt", compute, (place) => {
    const { words, heads } = theModel();
    const { stages, columns, worked, named } = gptArrays(theModel());
    const explained = gptExplanations(place, stages.map(({ name }) => name));

    /* What is open, and the numbers of the text. */
    let stage = stages[1];
    const open = { stage: "", name: "weights", head: 0, row: 0, column: 0 };
    let temperature = 1;
    /** @type {number[]} */
    let tokens = [];
    /** @type {Record<string, number[][][]>} */
    let arrays = {};
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let clock;

    const status = live.status();
    const say = (/** @type {string} */ sentence) => { status.textContent = sentence; };
    const percent = (/** @type {number} */ share) => `${Math.round(100 * share)}%`;
    const plain = (/** @type {number} */ id) => id ? words[id] : "(end)";
    const found = () => arrays[`${open.stage}: ${open.name}`];
    const rows = (head = open.head) => found()[head] ?? found()[0];
    const isCausal = () => columns(open.name) === "places";
    /** The column of the largest number that the open row may use. */
    const strongest = (head = open.head) => largest(rows(head)[open.row].slice(0, isCausal() ? open.row + 1 : undefined));
    const number = () => worked(arrays, tokens, temperature, open);
    const last = () => arrays["output: p"][0][tokens.length - 1];
    const largest = (/** @type {number[]} */ row) => row.indexOf(Math.max(...row));
    const expected = () => `${named(largest(last()))}, ${percent(Math.max(...last()))}`;

    /* The text and its next word. */
    const text = gptText(theModel(), changed);
    /** A button that also stops the writing. @param {() => void} pressed */
    const stopping = (pressed) => () => {
      stop();
      pressed();
    };
    const likeliest = gptLikeliest(words, (id) => {
      stop();
      append(id);
    });
    const draw = live.button("Draw a word", stopping(() => append(drawn())));
    const write = live.button(`Write ${WRITTEN} words`, () => {
      if (!clock) return go(WRITTEN);
      stop();
      say("The writing has stopped.");
    });
    const known = live.button("Words it knows", () => say(`The list of the ${words.length - 1} words that the model knows opens or closes.`));
    known.popoverTargetElement = text.known;
    const heat = live.slider("Temperature", { min: 1, max: 20, value: 10 }, (at) => String(at / 10), (at) => {
      stop();
      temperature = at / 10;
      read();
      say(`At temperature ${temperature} the likeliest next word is ${expected()}.`);
    });

    /* The route, and the array that is open. */
    const stops = stages.map((one) => gptPicture(one.name, one.says, stopping(() => {
      stage = one;
      show(one.arrays.includes("weights") ? "weights" : one.arrays[one.arrays.length - 1]);
      say(`Opened ${one.name}: ${one.says}. ${number()}`);
    })));
    const perHead = Array.from({ length: heads }, (_, head) => gptPicture(`head ${head + 1}`, "", () => {
      point({ head, column: strongest(head) });
      say(`Opened head ${head + 1}. ${number()}`);
    }));
    const headsRow = live.make("div", { class: "live-heads", role: "group", "aria-label": "Heads" });
    const choices = live.make("div", { class: "live-arrays", role: "group", "aria-label": "Arrays of this stage" });
    const source = live.make("p", { class: "live-source" });
    const legend = live.make("p", { class: "live-note" });
    const map = gptMap((there) => {
      if (there.row !== open.row || there.column !== open.column) point(there);
    });
    /** @param {number} at @param {number[] | null} ids */
    const placed = (at, ids) => ids ? `${at + 1}: ${plain(ids[at] ?? 0)}` : String(at + 1);
    const columnIds = () => ({ places: tokens, vocabulary: [...words.keys()], features: null })[columns(open.name)];
    const row = live.slider("Row", { min: 0, max: 0, value: 0 }, (at) => placed(at, tokens), (at) => point({ row: at }));
    const column = live.slider("Column", { min: 0, max: 0, value: 0 }, (at) => placed(at, columnIds()), (at) => point({ column: at }));

    /** Compute all arrays for the text and the temperature as they are. */
    function read() {
      tokens = theModel().encode(text.value).tokens;
      arrays = theModel().compute({ tokens, temperature });
      likeliest.show(last());
      open.row = tokens.length - 1;
      show(open.name);
    }

    /** Open an array of the stage, at the largest number of the row. @param {string} name */
    function show(name) {
      if (open.stage !== stage.name) choices.replaceChildren(...stage.arrays.map((array) => live.button(array, stopping(() => {
        show(array);
        say(`Opened ${array} of ${stage.name}. ${number()}`);
      }))));
      const isNew = open.stage !== stage.name || open.name !== name;
      Object.assign(open, { stage: stage.name, name });
      open.column = strongest();
      stops.forEach(({ button }, place) => button.setAttribute("aria-pressed", String(stages[place] === stage)));
      for (const button of choices.children) button.setAttribute("aria-pressed", String(button.textContent === name));
      if (isNew) source.replaceChildren(...explained(`${stage.name}: ${name}`));
      if (isNew) headsRow.replaceChildren(...found().length > 1 ? perHead.map(({ button }) => button) : []);
      paint();
    }

    /** @param {typeof row} slider @param {number} count @param {number} value */
    function set(slider, count, value) {
      /** @type {HTMLInputElement} */ (slider.row.control).max = String(count - 1);
      slider.value = value;
    }

    /** Draw the route and the open array. */
    function paint() {
      stops.forEach(({ canvas }, place) => gptPaint(canvas, arrays[`${stages[place].name}: ${place + 1 < stages.length ? "x" : "p"}`][0]));
      if (found().length > 1) perHead.forEach(({ button, canvas }, head) => {
        gptPaint(canvas, rows(head), isCausal());
        button.setAttribute("aria-pressed", String(head === open.head));
      });
      set(row, tokens.length, open.row);
      set(column, rows()[0].length, open.column);
      const what = { places: "the tokens that are looked at", vocabulary: "the words", features: `${rows()[0].length} features` }[columns(open.name)];
      const most = map.draw(rows(), isCausal(), tokens.map(plain), open);
      legend.textContent = `Rows: the tokens. Columns: ${what}. The full color is ${live.number(most)}${["weights", "p"].includes(open.name) ? "" : ", orange below zero"}.`;
    }

    /** Point at a number. @param {Partial<typeof open>} there */
    function point(there) {
      Object.assign(open, there);
      paint();
      say(number());
    }

    /** @param {number} id */
    function append(id) {
      text.value = id ? `${text.value.trimEnd()} ${words[id]}`.trimStart() : "";
      read();
      say(id ? `Appended ${named(id)}. Next the model expects ${expected()}.` : `The story has ended. A new one would begin with ${expected()}.`);
    }

    function drawn() {
      let left = Math.random();
      return Math.max(0, last().findIndex((share) => (left -= share) < 0));
    }

    /** Append so many words, one after the other, or all at once for who wants no motion. @param {number} count */
    function go(count) {
      append(drawn());
      clock = undefined;
      if (count <= 1) say(`The text now ends: ${text.value.split(" ").slice(-WRITTEN).join(" ")}`);
      else if (matchMedia("(prefers-reduced-motion: reduce)").matches) go(count - 1);
      else clock = setTimeout(go, PAUSE, count - 1);
    }

    function stop() {
      clearTimeout(clock);
      clock = undefined;
    }

    function changed() {
      stop();
      read();
      say(`The model reads ${tokens.length} tokens: the end of a story before, and the text.${text.left()} Next it expects ${expected()}.`);
    }

    new MutationObserver(paint).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    changed();
    return [
      text.place,
      live.make("div", { class: "live-next", role: "group", "aria-label": "The next word: press one to append it" },
        ...likeliest.buttons, draw, write, known, heat.row, text.known),
      live.make("div", { class: "live-machine" },
        live.make("div", { class: "live-route", role: "group", "aria-label": "Stages, from the words to the next word" }, ...stops.map(({ button }) => button)),
        live.make("div", { class: "live-open" }, choices, source, headsRow, map.place, legend, live.make("div", { class: "live-controls" }, row.row, column.row))),
      status,
    ];
  });
}
