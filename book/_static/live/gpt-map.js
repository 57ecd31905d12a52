// @ts-check
"use strict";

/* What the figure gpt draws: heat maps, and the words that are likely to come next. */

/**
 * Draw rows of numbers, a pixel each: one color above zero, one below, stronger with the size.
 * @param {HTMLCanvasElement} canvas
 * @param {number[][]} rows
 * @param {boolean} isCausal whether what is right of the diagonal is left empty
 */
function gptPaint(canvas, rows, isCausal = false) {
  const pen = canvas.getContext("2d");
  if (!pen) return 0;
  const style = getComputedStyle(document.documentElement);
  const [above, below, ground] = ["primary", "secondary", "background"].map((name) => {
    pen.fillStyle = style.getPropertyValue(`--pst-color-${name}`).trim();
    return [1, 3, 5].map((at) => parseInt(String(pen.fillStyle).slice(at, at + 2), 16));
  });
  const shown = isCausal ? rows.map((row, at) => row.slice(0, at + 1)) : rows;
  const most = Math.max(...shown.map((row) => Math.max(...row.map(Math.abs)))) || 1;
  [canvas.width, canvas.height] = [rows[0].length, rows.length];
  const picture = pen.createImageData(canvas.width, canvas.height);
  shown.forEach((row, at) => row.forEach((one, column) => {
    const share = Math.abs(one) / most;
    const color = one < 0 ? below : above;
    const start = 4 * (at * canvas.width + column);
    color.forEach((full, channel) => { picture.data[start + channel] = ground[channel] + share * (full - ground[channel]); });
    picture.data[start + 3] = 255;
  }));
  pen.putImageData(picture, 0, 0);
  return most;
}

/**
 * A heat map whose rows are tokens, with their names and a mark on one number.
 * @param {(place: {row: number, column: number}) => void} pointed
 */
function gptMap(pointed) {
  const MOST_LABELS = 14;
  const canvas = live.make("canvas", { width: 1, height: 1 });
  const mark = live.make("div", { class: "live-mark" });
  const labels = live.make("div", { class: "live-labels" });

  /** @param {PointerEvent} event */
  function pick(event) {
    const box = canvas.getBoundingClientRect();
    const within = (/** @type {number} */ share, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    pointed({
      row: within((event.clientY - box.top) / box.height, canvas.height),
      column: within((event.clientX - box.left) / box.width, canvas.width),
    });
  }
  canvas.addEventListener("pointerdown", pick);
  canvas.addEventListener("pointermove", pick);

  return {
    place: live.make("div", { class: "live-map", "aria-hidden": "true" }, labels, live.make("div", { class: "live-heat" }, canvas, mark)),
    /**
     * Draw, and give the size of the strongest color.
     * @param {number[][]} rows
     * @param {boolean} isCausal
     * @param {string[]} names
     * @param {{row: number, column: number}} open
     */
    draw(rows, isCausal, names, open) {
      const [height, width] = [rows.length, rows[0].length];
      const step = Math.ceil(height / MOST_LABELS);
      labels.replaceChildren(...names.flatMap((name, row) => {
        const isOpen = row === open.row;
        if (!isOpen && (row % step || Math.abs(row - open.row) < step)) return [];
        const label = live.make("span", isOpen ? { class: "is-open" } : {}, name);
        label.style.top = `${100 * (row + 0.5) / height}%`;
        return [label];
      }));
      Object.assign(mark.style, {
        left: `${100 * open.column / width}%`, width: `${100 / width}%`,
        top: `${100 * open.row / height}%`, height: `${100 / height}%`,
      });
      return gptPaint(canvas, rows, isCausal);
    },
  };
}

/**
 * A button with a small heat map.
 * @param {string} name
 * @param {string} says
 * @param {() => void} pressed
 */
function gptPicture(name, says, pressed) {
  const canvas = live.make("canvas", { width: 1, height: 1, "aria-hidden": "true" });
  const button = live.button("", pressed);
  button.append(live.make("span", {}, live.make("b", {}, name), live.make("small", {}, says)), canvas);
  return { button, canvas };
}

/**
 * Buttons for the likeliest next words.
 * @param {string[]} words
 * @param {(id: number) => void} pressed
 */
function gptLikeliest(words, pressed) {
  const COUNT = 5;
  /** @type {number[]} */
  let first = [];
  const buttons = Array.from({ length: COUNT }, (_, rank) => live.button("", () => pressed(first[rank])));
  return {
    buttons,
    /** @param {number[]} p */
    show(p) {
      first = p.map((_, id) => id).sort((a, b) => p[b] - p[a]).slice(0, COUNT);
      buttons.forEach((button, rank) => {
        const id = first[rank];
        const percent = p[id] < 0.005 ? "< 1%" : `${Math.round(100 * p[id])}%`;
        button.replaceChildren(live.make("b", {}, id ? words[id] : "(end)"), live.make("span", {}, percent));
        button.style.setProperty("--share", `${100 * p[id]}%`);
        button.setAttribute("aria-label", `${id ? words[id] : "end of the story"}, ${percent}`);
      });
    },
  };
}
